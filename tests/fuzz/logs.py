"""Logs, edited or made up: refused in one sentence, or replayed."""

import random

from smallcity_env import Game, Log
from smallcity_env.log import Entry, replay_steps
from smallcity_env.rules.tables import Ask

from .attempts import refused, some_game
from .texts import edited


def attempt(chance: random.Random) -> bool:
    """Edit the text of a log, or make up its answers."""
    played = some_game(chance).log
    if chance.random() < 0.3:
        return _made_up(played, chance)
    n = chance.randrange(60)
    text = edited(Log(played.start, played.entries[:n]).to_text(), chance)
    read: list[Log] = []
    if refused(lambda: read.append(Log.from_text(text))):
        return True
    assert Log.from_text(read[0].to_text()) == read[0]
    stopped = refused(lambda: list(replay_steps(read[0])))
    again = refused(lambda: Game.replay(read[0]))
    return stopped or again


def _made_up(played: Log, chance: random.Random) -> bool:
    """Answers of the game with some replaced."""
    entries = played.entries[: chance.randrange(20)]
    for _ in range(chance.randrange(4)):
        seat, ask, action = chance.randint(-2, 5), chance.choice(list(Ask)), chance.randint(-300, 300)
        made = Entry(seat, ask, action, chance.random() < 0.5)
        entries.insert(chance.randrange(len(entries) + 1), made)
    stopped = refused(lambda: list(replay_steps(Log(played.start, entries))))
    return refused(lambda: Game.replay(Log(played.start), entries)) or stopped
