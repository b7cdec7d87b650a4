"""Masks are exact: what is offered can be played, what is not is refused, and both are as the rules say."""

import numpy as np
import pytest

from smallcity_env import ACTIONS, Game, IllegalAction, batch
from smallcity_env.rules import actions
from smallcity_env.rules.entries import SKIP
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import Kind
from tests.random_games import EVERYTHING, Table, answers, begun, random_config, table
from tests.reference import dense_positions
from tests.reference.builds import Site
from tests.reference.legal import Reference, offered
from tests.reference.placements import covered_by
from tests.reference.questions import QUESTIONS

FOLLOWED = 26  # games followed answer by answer


def follow(states: batch.States, seed: int, generous: bool) -> None:
    """Play a game; at every question the rules allow exactly what is offered."""
    reference = Reference()
    for before, legal, action, _after in answers(states, seed, generous):
        reference.observe(before)
        assert offered(before, legal) == reference.legal(before), Ask(before["ask"]).name
        reference.record(before, action)


@pytest.mark.parametrize("seed", range(FOLLOWED))
def test_what_is_offered_is_what_the_rules_allow(seed):
    follow(begun(random_config(seed), seed), seed, generous=seed % 2 == 0)


@pytest.mark.parametrize("seed", range(2))
def test_what_is_offered_is_what_the_rules_allow_with_everything_on(seed):
    follow(begun(EVERYTHING, seed), seed, generous=True)


@pytest.mark.parametrize("towns", [dense_positions.crowded, dense_positions.asian])
@pytest.mark.parametrize("seed", range(2))
def test_what_is_offered_is_what_the_rules_allow_in_dense_positions(towns, seed):
    follow(towns(1, seed), seed, generous=True)


# -- every place of every build


def builds(states: batch.States, what: int) -> set[frozenset[int]]:
    """All sets of spaces the engine lets a build cover, by answering where and which way."""
    laid = set()
    chosen = batch.clone(states)
    batch.answer_one(chosen, what)
    for anchor in np.flatnonzero(batch.masks(chosen)[0]):
        there = batch.clone(chosen)
        batch.answer_one(there, int(anchor))
        ways = np.flatnonzero(batch.masks(there)[0])
        laid |= {covered_by(there[0], int(way) - actions.WAY) for way in ways}
    return laid


def kind_of(what: int) -> Kind:
    """The tile an answer to WHAT asks for."""
    return Kind(what - (actions.UPGRADE if what >= actions.UPGRADE else actions.BUILD) + 1)


def check_every_place(states: batch.States) -> None:
    """Each build offered can be laid exactly where the rules allow."""
    site = Site(states[0])
    for what in np.flatnonzero(batch.masks(states)[0]):
        if actions.BUILD <= what < actions.BUILD + Kind.PLANT_1 - 1:
            assert builds(states, int(what)) == site.new(kind_of(what)), actions.name(what)
        elif actions.UPGRADE <= what < actions.ENLARGE:
            assert builds(states, int(what)) == site.upgraded(kind_of(what)), actions.name(what)


@pytest.mark.parametrize("seed", range(8))
def test_every_build_can_be_laid_wherever_the_rules_allow(seed):
    games = table(random_config(100 + seed), 6, seed, generous=True)
    for n in games.play():
        asked = games.states["ask"] == Ask.WHAT
        for i in np.flatnonzero(asked)[: n % 29 == 0]:
            check_every_place(games.states[i : i + 1])


@pytest.mark.parametrize("towns", [dense_positions.crowded, dense_positions.asian])
def test_every_build_can_be_laid_wherever_the_rules_allow_in_dense_positions(towns):
    games = Table(towns(4, seed=2), seed=2, generous=True)
    for n in games.play():
        asked = games.states["ask"] == Ask.WHAT
        for i in np.flatnonzero(asked)[: n % 17 == 0]:
            check_every_place(games.states[i : i + 1])


# -- every answer


@pytest.mark.parametrize("seed", range(10))
def test_every_answer_offered_can_be_played_to_the_end(seed):
    games = table(random_config(200 + seed), 4, seed, generous=seed % 2 == 0)
    for n in games.play():
        if n % 11 == 0:
            play_every_answer(games)


def play_every_answer(games: Table) -> None:
    """Copy every game for each of its answers, give them, and play on."""
    which, chosen = np.nonzero(games.legal)
    copies, legal = batch.clone(games.states[which]), games.legal[which]
    batch.step(copies, chosen, legal)
    running = copies["ask"] != Ask.OVER
    assert (legal[running].sum(axis=1) >= 2).all()
    assert not legal[~running].any()
    batch.rollout(copies, chosen)
    assert batch.over(copies).all()


@pytest.mark.parametrize("seed", range(4))
def test_every_answer_not_offered_is_refused_and_changes_nothing(seed):
    games = table(random_config(300 + seed), 2, seed)
    for n in games.play():
        if n % 37 == 0:
            refuse_everything_else(games)


def refuse_everything_else(games: Table) -> None:
    """Try each answer that is not offered in the last game, with a good one in the first."""
    states, legal = games.states.tobytes(), games.legal.copy()
    first = int(np.argmax(legal[0])) if legal[0].any() else SKIP
    for action in [*np.flatnonzero(~legal[-1]), -2, ACTIONS, ACTIONS + 1000]:
        with pytest.raises(IllegalAction):
            batch.step(games.states, [first, int(action)], games.legal)
        assert games.states.tobytes() == states
        assert (games.legal == legal).all()


def test_a_game_refuses_what_is_not_offered_and_stays_as_it_is():
    game = Game(EVERYTHING, seed=5)
    rng = np.random.default_rng(5)
    while not game.over:
        if rng.random() < 0.05:
            before, lines = game.clone(), len(game.log)
            for action in np.flatnonzero(~game.mask()):
                with pytest.raises(IllegalAction):
                    game.step(int(action))
            assert game == before and len(game.log) == lines
        game.step(int(rng.choice(game.legal())))


def test_the_reference_knows_every_question():
    remembered = {Ask.MOVE, Ask.ABROAD, Ask.HOME}
    assert set(QUESTIONS) | remembered == set(Ask) - {Ask.NONE, Ask.OVER}


def test_random_games_ask_every_question():
    dense = [dense_positions.crowded(40, seed=3), dense_positions.asian(40, seed=3)]
    played = [Table(states, seed=3, generous=True) for states in dense]
    played += [table(random_config(seed), 20, seed, generous=True) for seed in range(8)]
    asked: set[int] = set()
    for games in played:
        for _ in games.play():
            asked |= set(games.states["ask"].tolist())
    assert asked == set(Ask) - {Ask.NONE}
