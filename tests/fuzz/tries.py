"""What every fuzzer shares: positions to begin with, what counts as a sentence, and playing on."""

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

from smallcity_agents import AgentError
from smallcity_env import BadLog, BadSave, Game, UnknownAction, batch
from smallcity_env.arguments import ArgumentError
from smallcity_env.rules import rng
from smallcity_env.rules.limits import PLENTY
from smallcity_env.text.notation import NotationError
from tests.random_games import random_config

SENTENCES = (ArgumentError, AgentError, BadLog, BadSave, NotationError, UnknownAction)
COUNT: Counter[str] = Counter()
GAMES = 40  # configurations
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


def refused(call: Any) -> bool:
    """Whether a call is refused in one sentence; any other error is the caller's."""
    try:
        call()
    except SENTENCES as sentence:
        assert str(sentence) and "\n" not in str(sentence)
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
    batch.run_on(states)
    legal, streams = batch.masks(states), rng.streams(range(len(states)))
    for n in range(LONGEST):
        if batch.over(states).all():
            return
        batch.step(states, batch.pick(legal, streams), legal)
        if n % 16 == 0:
            _validate(states)
    raise AssertionError("this game does not end")
