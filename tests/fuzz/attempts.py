"""What every fuzzer shares: positions to begin with, what counts as a sentence, and playing on."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from smallcity_agents import AgentError
from smallcity_env import BadLog, BadSave, Game, UnknownAction, batch
from smallcity_env.refusal import Refused
from smallcity_env.rules import rng
from smallcity_env.rules.limits import PLENTY
from smallcity_env.text.notation import NotationError
from tests.random_games import random_config

SENTENCES = (Refused, AgentError, BadLog, BadSave, NotationError, UnknownAction)
GAMES = 60  # configurations
LONGEST = 4000  # answers of a game, far more than any has


@cache
def game(seed: int) -> Game:
    """A game of some configuration, somewhere in its middle."""
    chance = np.random.default_rng(seed)
    played = Game(random_config(seed), seed)
    for _ in range(int(chance.integers(1, 250))):
        if played.over:
            break
        played.step(int(chance.choice(played.legal())))
    return played


def some_game(chance: random.Random) -> Game:
    """One of the games."""
    return game(chance.randrange(GAMES))


def refused(call: Callable[[], object]) -> bool:
    """Whether a call is refused in one sentence; any other error is the caller's."""
    try:
        call()
    except SENTENCES as sentence:
        assert str(sentence) and "\n" not in str(sentence), f"no sentence: {sentence}"
        return True
    return False


def _validate(states: batch.States) -> None:
    """Positions are valid, unless players have become richer than any game allows."""
    try:
        batch.validate(states)
    except batch.InvalidState as wrong:
        assert wrong.why.endswith(f"must be 0 to {PLENTY}"), wrong


def play_on(states: batch.States) -> None:
    """Play to the end; on the way every position is valid, so every mask has an answer."""
    batch.validate(states)
    batch.run_to_question(states)
    legal, streams = batch.masks(states), rng.streams(range(len(states)))
    for n in range(LONGEST):
        if batch.over(states).all():
            return
        batch.step(states, batch.pick(legal, streams), legal)
        if n % 16 == 0:
            _validate(states)
    raise AssertionError("this game does not end")


# -- damage


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with some changed, lost or doubled."""
    made = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 8))):
        at = chance.randrange(len(made) + 1)
        match chance.randrange(5):
            case 0 if at < len(made):
                made[at] ^= 1 << chance.randrange(8)
            case 1:
                made[at : at + chance.randrange(1, 50)] = b""
            case 2:
                made[at:at] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                del made[at:]
            case _:
                made[at : at + 4] = chance.choice((b"\0" * 4, b"\xff" * 4, b"NaN ", b"-1", b"1e99", b"\n"))
    return bytes(made)


STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 5, 99, 32767, 2**31, 2**63, 2**64, -(2**70), 10**30, 0.5, 1.9, -0.0,
    1e300, float("nan"), float("inf"), "", "x", "1", "first", "human", "no_such.Agent", "é\n", "\0", "[]",
    [], {}, [1], [None], {"a": 1}, [[]], [1, 2, 3, 4], "a" * 500,
)  # fmt: skip


def altered(value: Any, chance: random.Random) -> Any:
    """A JSON value with one thing in it changed, lost, added or moved."""
    if isinstance(value, dict) and value and chance.random() < 0.85:
        made, key = dict(value), chance.choice(list(value))
        match chance.randrange(8):
            case 0:
                del made[key]
            case 1:
                made[chance.choice(("", "extra", key + "s", "version"))] = chance.choice(STRANGE)
            case 2:
                made[key] = value[chance.choice(list(value))]
            case _:
                made[key] = altered(value[key], chance)
        return made
    if isinstance(value, list) and value and chance.random() < 0.8:
        items, at = list(value), chance.randrange(len(value))
        match chance.randrange(6):
            case 0:
                del items[at]
            case 1:
                items.insert(at, chance.choice(STRANGE))
            case 2:
                items = items * 2
            case _:
                items[at] = altered(items[at], chance)
        return items
    if isinstance(value, int | float) and chance.random() < 0.4:
        return value + chance.choice((-1, 1, 0.5, 10**6))
    return chance.choice(STRANGE)
