"""Saves whose checksum is right and whose inside is not: refused in one sentence, or a game that plays on."""

import random
import zlib

import numpy as np

from smallcity_env import Game, game
from smallcity_env.rules import limits
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Ask

from .attempts import damaged, play_on, refused, some_game

FIELDS = sorted(set(limits.WORD_NAMES))
WORDS_OF = {name: [i for i, other in enumerate(limits.WORD_NAMES) if other == name] for name in FIELDS}
ODD = (-32768, 32767, 255, 256, 99, 100, 0, 0, 1, 1, 2, 3, 4)


def attempt(chance: random.Random) -> bool:
    """Change words of the state or of the first state, the log, or any bytes."""
    kind = chance.randrange(20)
    if kind == 0:
        return refused(lambda: Game.load(damaged(some_game(chance).save(), chance)))
    played = some_game(chance)
    state, start = played.states.tobytes(), played.log.start
    if kind == 1:
        return _log(state, start, chance.randbytes(chance.randrange(41)))
    return _record(state, start, chance)


def _record(state: bytes, start: bytes, chance: random.Random) -> bool:
    """Change words of one of the two records."""
    first = chance.random() < 0.25
    data = save(changed(state, chance), start) if not first else save(state, changed(start, chance))
    loaded: list[Game] = []
    if refused(lambda: loaded.append(Game.load(data))):
        return True
    record = loaded[0].log.start if first else loaded[0].states.tobytes()
    play_on(np.frombuffer(bytearray(record), np.uint8).view(STATE))
    return False


def _log(state: bytes, start: bytes, lines: bytes) -> bool:
    """Any bytes as the answers of a log."""
    data = save(state, start, lines)
    loaded: list[Game] = []
    if refused(lambda: loaded.append(Game.load(data))):
        return True
    assert loaded[0].log.to_text()
    return False


def save(state: bytes, start: bytes, lines: bytes = b"") -> bytes:
    """A save with a right checksum."""
    body = zlib.compress(state + start + lines, 1)
    head = game._HEADER.pack(game.MAGIC, game.VERSION, game._schema_number(), zlib.crc32(body), len(body))
    return head + body


def changed(state: bytes, chance: random.Random) -> bytes:
    """A record with some of its words replaced, most often one, and often its question."""
    record = np.frombuffer(bytearray(state), np.int16)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        word = chance.choice(WORDS_OF[chance.choice(FIELDS)])
        number = (chance.choice(ODD), chance.randint(-3, 12), chance.randint(-(2**15), 2**15 - 1))
        record[word] = chance.choice(number)
    if chance.random() < 0.2:
        record[limits.word_of("ask")] = chance.randrange(len(Ask))
    return record.tobytes()
