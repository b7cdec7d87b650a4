"""TD(lambda) targets of whole games."""

import numpy as np
import pytest

from smallcity_agents.value_net import model
from smallcity_env import Config, batch
from smallcity_env.rules import rng
from smallcity_training.positions import Recorder, labelled
from smallcity_training.search_games import lambda_returns, td_positions

ROUNDS = np.array([1, 1, 2, 2, 3])
VALUES = np.array([0.1, 0.9, 0.2, 0.9, 0.4])
GAME = np.zeros(5, np.int64)


@pytest.mark.parametrize(
    ("td_lambda", "first", "second"),
    [(1.0, 1.0, 1.0), (0.0, 0.2, 0.4), (0.5, 0.5 * 0.2 + 0.5 * 0.7, 0.5 * 0.4 + 0.5 * 1.0)],
)
def test_targets_mix_the_next_rounds_beginning_with_what_comes_later(
    td_lambda: float, first: float, second: float
) -> None:
    targets = lambda_returns(GAME, ROUNDS, VALUES, np.ones(5), td_lambda)
    assert targets.tolist() == pytest.approx([first, first, second, second, 1.0])


def test_games_do_not_mix() -> None:
    games, rounds = np.array([0, 1, 0, 1]), np.array([1, 1, 2, 2])
    values, outcomes = np.array([[0.1], [0.2], [0.3], [0.4]]), np.array([[1], [0], [1], [0]])
    targets = lambda_returns(games, rounds, values, outcomes, td_lambda=0)
    assert targets.tolist() == pytest.approx(np.array([[0.3], [0.4], [1], [0]]))


def test_a_game_that_ends_early_has_its_outcome_as_target() -> None:
    games, rounds = np.array([0, 1, 0]), np.array([1, 1, 2])
    targets = lambda_returns(games, rounds, np.zeros(3), np.array([0.0, 1.0, 0.0]), td_lambda=0)
    assert targets.tolist() == [0, 1, 0]


def test_positions_of_played_games() -> None:
    n, legal = 6, batch.new_masks(6)
    states, streams = batch.new(n, Config(players=2), range(n), legal), rng.streams(np.arange(n))
    recorder = Recorder(1, share=0.1, share_of_first=1)
    while legal.any():
        recorder.sample(states)
        batch.step(states, batch.pick(legal, streams), legal)
    sampled, games = recorder.sampled()
    plain = labelled(sampled, batch.take(states, games), games + 5)
    outcomes, next_values = (td_positions(sampled, states, games, 5, model.load(), k) for k in (1.0, 0.0))
    assert all(np.array_equal(a, b) for a, b in zip(plain, outcomes, strict=True))
    expected, last = model.forecast(sampled, model.load()).payoffs[:, :2], plain.rounds.max()
    for game in range(n):
        second = np.flatnonzero((games == game) & (plain.rounds == 2))[0]
        of_first = np.flatnonzero((games == game) & (plain.rounds == 1))
        assert (next_values.payoffs.reshape(-1, 2)[of_first] == expected[second]).all()
    ends = np.repeat(plain.rounds == last, 2)
    assert np.array_equal(next_values.payoffs[ends], plain.payoffs[ends])
