"""Votes, money and pollution recount from the answers, at every answer of a game."""

import pytest

from smallcity_env import batch
from smallcity_env.rules import actions
from tests import rich_towns
from tests.random_games import EVERYTHING, answers, begun, random_config
from tests.recount import Ledger

RECOUNTED = 26  # games


def recount(states: batch.States, seed: int, generous: bool) -> None:
    """Keep the books of a game to its end."""
    ledger = Ledger(states[0])
    for before, _legal, action, after in answers(states, seed, generous):
        ledger.enters(before, action, after)
        assert ledger.differs() == [], actions.name(action)


@pytest.mark.parametrize("seed", range(RECOUNTED))
def test_votes_money_and_pollution_recount(seed):
    recount(begun(random_config(500 + seed), seed), seed, generous=seed % 2 == 0)


@pytest.mark.parametrize("seed", range(2))
def test_votes_money_and_pollution_recount_with_everything_on(seed):
    recount(begun(EVERYTHING, seed), seed, generous=True)


@pytest.mark.parametrize("towns", [rich_towns.crowded, rich_towns.asian])
@pytest.mark.parametrize("seed", range(3))
def test_votes_money_and_pollution_recount_in_rich_towns(towns, seed):
    recount(towns(1, seed), seed, generous=True)
