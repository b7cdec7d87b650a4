"""Saves whose checksum is right and whose inside is not: refused in one sentence, or a game that plays on."""

import zlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smallcity_env import Game, game
from smallcity_env.rules import limits
from smallcity_env.rules.schema import STATE
from tests.fuzz import tries

FIELDS = sorted(set(limits.WORD_NAMES))
WORDS_OF = {name: [i for i, other in enumerate(limits.WORD_NAMES) if other == name] for name in FIELDS}
NUMBERS = st.one_of(
    st.integers(-3, 12), st.sampled_from([-32768, 32767, 255, 256, 99, 100]), st.integers(-(2**15), 2**15 - 1)
)


@st.composite
def changes(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Words of the record and what they become, most often one."""
    n = draw(st.sampled_from([1, 1, 1, 2, 3]))
    names = [draw(st.sampled_from(FIELDS)) for _ in range(n)]
    return [(draw(st.sampled_from(WORDS_OF[name])), draw(NUMBERS)) for name in names]


def save(state: bytes, start: bytes, lines: bytes) -> bytes:
    """A save with a right checksum."""
    body = zlib.compress(state + start + lines, 1)
    return (
        game._HEADER.pack(game.MAGIC, game.VERSION, game._schema_number(), zlib.crc32(body), len(body)) + body
    )


def changed(state: bytes, words: list[tuple[int, int]]) -> bytes:
    """A record with some of its words replaced."""
    record = np.frombuffer(bytearray(state), np.int16)
    for word, number in words:
        record[word] = number
    return record.tobytes()


@given(seed=st.integers(0, tries.GAMES - 1), words=changes(), first=st.booleans())
def test_changed_records_are_refused_or_play_on(seed, words, first):
    tries.COUNT["saves"] += 1
    played = tries.game(seed)
    state, start = played.states.tobytes(), played.log.start
    data = save(state, changed(start, words), b"") if first else save(changed(state, words), start, b"")
    try:
        loaded = Game.load(data)
    except game.BadSave as sentence:
        assert "\n" not in str(sentence)
        return
    tries.play_on(loaded.states if not first else np.frombuffer(bytearray(loaded.log.start), STATE))


@given(seed=st.integers(0, tries.GAMES - 1), lines=st.binary(max_size=40))
def test_changed_logs_of_saves_are_refused_or_told(seed, lines):
    tries.COUNT["saves"] += 1
    played = tries.game(seed)
    data = save(played.states.tobytes(), played.log.start, lines)
    if not tries.refused(lambda: Game.load(data)):
        assert Game.load(data).log.to_text()


@given(data=st.binary(max_size=200), cut=st.integers(0, 200), seed=st.integers(0, 5))
def test_any_bytes_are_refused(data, cut, seed):
    tries.COUNT["saves"] += 1
    whole = tries.game(seed).save()
    assert tries.refused(lambda: Game.load(data))
    assert tries.refused(lambda: Game.load(whole[:cut] + data + b"x"))
