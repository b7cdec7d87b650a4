"""Votes, money and pollution, recounted at every answer of a game."""

import pytest

from smallcity_env import batch
from smallcity_env.rules import actions
from tests.random_games import EVERYTHING, answers, begun, random_config
from tests.reference import dense_positions
from tests.reference.ledger import Ledger

RECOUNTED = 26  # games


def recount(states: batch.States, seed: int, generous: bool) -> None:
    """Play a game to its end and compare with the ledger at every answer."""
    ledger = Ledger(states[0])
    for before, _legal, action, after in answers(states, seed, generous):
        ledger.enter(before, action, after)
        assert ledger.differences() == [], actions.name(action)


@pytest.mark.parametrize("seed", range(RECOUNTED))
def test_votes_money_and_pollution_recount(seed):
    recount(begun(random_config(500 + seed), seed), seed, generous=seed % 2 == 0)


@pytest.mark.parametrize("seed", range(2))
def test_votes_money_and_pollution_recount_with_everything_on(seed):
    recount(begun(EVERYTHING, seed), seed, generous=True)


@pytest.mark.parametrize("towns", [dense_positions.crowded, dense_positions.asian])
@pytest.mark.parametrize("seed", range(3))
def test_votes_money_and_pollution_recount_in_dense_positions(towns, seed):
    recount(towns(1, seed), seed, generous=True)
