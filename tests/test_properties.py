"""Invariants of every position of every game."""

from dataclasses import replace

import numpy as np
import pytest

from smallcity_env import Config, batch
from smallcity_env.rules.step import DECISIONS, FORCED
from smallcity_env.rules.tables import Ask, Phase
from tests.longest_game import LONGEST, longest
from tests.random_games import EVERYTHING, Table, random_config, table
from tests.reference import dense_positions
from tests.reference.invariants import broken

WATCHED = 28  # tables watched answer by answer
GAMES = 20  # at each of them
TOWNS = {"crowded": dense_positions.crowded, "asian": dense_positions.asian}


def watch(games: Table) -> None:
    """Play on to the end; everything holds at every question."""
    for _ in games.play():
        running = games.states["ask"] != Ask.OVER
        assert broken(games.states[running]) == []
        choices = games.legal.sum(axis=1)
        assert (choices[running] >= 2).all()
        assert (choices[~running] == 0).all()
    assert broken(games.states) == []


@pytest.mark.parametrize("seed", range(WATCHED))
def test_everything_is_accounted_for_at_every_question(seed):
    watch(table(random_config(seed), GAMES, seed, generous=seed % 2 == 0))


def test_everything_is_accounted_for_with_everything_on():
    watch(table(EVERYTHING, GAMES, seed=1, generous=True))


def test_everything_is_accounted_for_by_the_godzilla_rules_of_2016():
    watch(table(replace(EVERYTHING, godzilla_rules="2016"), GAMES, seed=2, generous=True))


@pytest.mark.parametrize("towns", TOWNS)
def test_everything_is_accounted_for_in_dense_positions(towns):
    watch(Table(TOWNS[towns](2 * GAMES, seed=1), seed=1, generous=True))


@pytest.mark.parametrize("part", range(8))
def test_thousands_of_games_end_with_everything_accounted_for(part):
    for seed in range(1000 + part, 1128, 8):
        config = random_config(seed)
        states = batch.new(60, config, np.arange(60))
        counts = batch.rollout(states, np.arange(60) + seed)
        assert broken(states) == []
        assert batch.over(states).all()
        assert not batch.masks(states).any()
        assert (counts[:, DECISIONS] + counts[:, FORCED]).max() < longest(config)


@pytest.mark.parametrize("towns", TOWNS)
def test_thousands_of_games_from_dense_positions_end_with_everything_accounted_for(towns):
    states = TOWNS[towns](1500, seed=7)
    counts = batch.rollout(states, np.arange(1500))
    assert broken(states) == []
    assert batch.over(states).all()
    assert counts.sum(axis=1).max() < LONGEST


def test_a_game_lasts_eight_rounds_and_nine_with_power_plants():
    for modules, rounds in (((), 8), (("power_plants",), 9)):
        states = batch.new(300, Config(players=3, modules=modules), np.arange(300))
        batch.rollout(states, np.arange(300))
        whole = (states["borough"]["out"] == 0)[:, :3].sum(axis=1) >= 2
        assert whole.any()
        assert (states["round_no"][whole] == rounds).all()
        assert (states["phase"] == Phase.OVER).all()


def test_a_game_ends_early_when_too_few_are_left():
    for players, needed in ((1, 1), (2, 2), (3, 2), (4, 2)):
        states = batch.new(400, Config(players=players, modules=()), np.arange(400))
        states["borough"]["pollution"][:, :players] = 92
        batch.rollout(states, np.arange(400))
        left = (states["borough"]["out"] == 0)[:, :players].sum(axis=1)
        assert (left < needed).any()
        assert (states["round_no"][left >= needed] == 8).all()
        assert (states["round_no"][left < needed] <= 8).all()


def test_no_game_is_longer_than_the_rules_allow():
    assert longest(Config(players=1, modules=())) < longest(Config()) < longest(EVERYTHING) == LONGEST
