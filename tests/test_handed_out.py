"""What environments hand out cannot hurt them: it is a copy, or never read back."""

import threading
from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, Game, IllegalAction, batch
from smallcity_env.arguments import ArgumentError
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.rng import streams


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("key", [None, "observation"])
@pytest.mark.parametrize("opponents", [None, "random"])
def test_a_mask_that_was_handed_out_does_not_decide_what_is_legal(
    copy: bool, key: str | None, opponents: str | None
) -> None:
    games = SmallCityVec(8, players=2, copy=copy, observation_key=key, opponents=opponents, illegal="raise")
    seen, infos = games.reset(seed=3)
    legal, before = games.action_masks().copy(), games._states.tobytes()
    for handed in (games.action_masks(), infos["action_mask"], seen["action_mask"] if key else legal.copy()):
        handed[...] = True
    with pytest.raises(IllegalAction):
        games.step(np.where(legal.all(axis=1), 0, legal.argmin(axis=1)))
    assert games._states.tobytes() == before
    games.step(legal.argmax(axis=1))
    assert (games.action_masks() == batch.masks(games._states)).all()


def test_a_record_that_was_handed_out_is_a_copy() -> None:
    games = SmallCityVec(2, players=2)
    games.reset(seed=1)
    before = games._states.tobytes()
    games.state(0)["borough"]["money"] = 999
    games.state(1).fill(0)
    assert games._states.tobytes() == before


def test_actions_that_change_during_a_step_are_those_it_began_with() -> None:
    games, chance, ended = SmallCityVec(64, players=2), streams(np.arange(64)), threading.Event()
    games.reset(seed=1)
    shared = np.zeros(64, np.int64)

    def disturb() -> None:
        random = np.random.default_rng(0)
        while not ended.is_set():
            shared[:] = random.integers(-(2**62), 2**62, 64)

    other = threading.Thread(target=disturb)
    other.start()
    try:
        for _ in range(300):
            shared[:] = batch.pick(games.action_masks(), chance)
            games.step(shared)
            batch.validate(games._states)
    finally:
        ended.set()
        other.join()


def test_one_answer_is_checked_too() -> None:
    states = batch.new(1, Config(2), [1])
    before, legal = states.tobytes(), batch.masks(states)[0]
    for action in (int(legal.argmin()), -5, ACTIONS):
        with pytest.raises(IllegalAction):
            batch.answer_one(states, action)
    assert states.tobytes() == before


def test_after_the_end_no_action_means_anything() -> None:
    game = Game(Config(1, ()), 1)
    while not game.over:
        game.step(int(game.legal()[0]))
    with pytest.raises(IllegalAction, match="the game is over"):
        game.describe(0)


@pytest.mark.parametrize("values", [range(2**70), range(2**40)])
def test_ranges_longer_than_memory_are_refused(values: Any) -> None:
    states = batch.new(2, Config(2), [1, 2])
    for call in (
        lambda: batch.step(states, values, batch.masks(states)),
        lambda: batch.new(2, Config(2), values),
        lambda: batch.fork(states, values, [1, 2]),
    ):
        with pytest.raises(ArgumentError, match="2 games need 2 whole numbers"):
            call()
    with pytest.raises(ArgumentError):
        batch.take(states, range(2**70))


def test_gaps_of_masked_arrays_are_refused() -> None:
    states = batch.new(2, Config(2), [1, 2])
    masks = np.ma.masked_array(batch.masks(states), mask=True)
    numbers = np.ma.masked_array(np.ones((2, 2), np.int64), mask=[[0, 1], [0, 0]])
    with pytest.raises(ArgumentError, match="without gaps"):
        batch.step(states, [0, 0], masks)
    with pytest.raises(ArgumentError, match="without gaps"):
        batch.wake(numbers, np.ones((2, 2), int), np.ones((2, 2), int), np.ones((2, 2), bool))
