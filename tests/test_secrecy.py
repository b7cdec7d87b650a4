"""A fork shows a seat everything it may see, and depends on nothing it may not."""

from collections.abc import Iterator

import numpy as np
import pytest

from smallcity_env import Config, batch
from smallcity_env import render as art
from smallcity_env.rules import actions
from smallcity_env.rules.layout import Form
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import BUILDS, Ask, Phase
from smallcity_env.rules.tables.cards import DIFFICULTIES
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import KINDS, Kind
from tests.random_games import EVERYTHING, give, random_answers, random_config, table
from tests.reference.invariants import broken
from tests.test_observe import observed

SECRET = ("promise", "special")
BEHIND_A_SCREEN = (
    "ask",
    "kind",
    "upgrade",
    "anchor",
    "warehouse_due",
    "builds",
    "enlarged",
    "architect_used",
)


_DRAWN = (random_config(seed) for seed in range(600, 640))
CONFIGS = [EVERYTHING, *(config for config in _DRAWN if config.players > 1)][:9]
with_secrets = pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))


def moments(config: Config, every: int, games: int = 3) -> Iterator[batch.States]:
    """Positions along some games."""
    played = table(config, games, seed=3, generous=True)
    for n in played.play():
        if n % every == 0 and played.legal.any():
            yield batch.clone(played.states[played.legal.any(axis=1)])


def hidden(states: batch.States) -> np.ndarray:
    """Where all build behind screens (P2.1, SU2)."""
    setup = (states["phase"] == Phase.SETUP) & (states["part"] == 0)
    return (states["phase"] == Phase.BUILD) | setup


def promised_otherwise(states: batch.States, seat: int, rng: np.random.Generator) -> None:
    """Redeal the promises of all but one seat, within the same piles."""
    for state in states:
        players = int(state["rules"]["players"])
        for name in SECRET:
            held = [int(state["borough"][p][name]) for p in range(players) if p != seat]
            dealt = iter(rng.permutation([number for number in held if number]))
            for p in range(players):
                if p != seat and state["borough"][p][name]:
                    state["borough"][p][name] = next(dealt)


def built_otherwise(states: batch.States, seat: int, rng: np.random.Generator) -> None:
    """Change everything behind the screens of the others."""
    for i in np.flatnonzero(hidden(states)):
        state = states[i]
        for p in range(int(state["rules"]["players"])):
            if p != seat:
                b = state["borough"][p]
                b["money"] += rng.integers(1, 9)
                b["votes"] += rng.integers(1, 9)
                b["career"] -= 1
                b["citizens"][p] ^= rng.integers(1 << 40, size=2, dtype=np.uint64)
                b["materials"][0] ^= rng.integers(1 << 40, size=2, dtype=np.uint64)
                b["cemetery"] ^= rng.integers(1 << 40, size=2, dtype=np.uint64)
                b["kind"][rng.integers(100)] = Kind.PARK_1
                b["built"][Kind.PARK_1] += 1
                if state["phase"] == Phase.BUILD:
                    taken_otherwise(state, p, rng)


def taken_otherwise(state: np.void, p: int, rng: np.random.Generator) -> None:
    """A player has taken other tiles from the supply behind his screen, and given others back."""
    tiles = np.minimum(rng.integers(-2, 3, size=KINDS), state["supply"])
    state["supply"] -= tiles
    state["took"][p] += tiles


@with_secrets
def test_a_fork_depends_on_no_secret(config):
    rng = np.random.default_rng(1)
    for states in moments(config, every=23):
        for seat in range(config.players):
            other = batch.clone(states)
            promised_otherwise(other, seat, rng)
            built_otherwise(other, seat, rng)
            other["stream"] = streams(rng.integers(1 << 40, size=len(states)))
            seeds = rng.integers(1 << 40, size=len(states))
            a, b = batch.fork(states, seat, seeds), batch.fork(other, seat, seeds)
            assert a.tobytes() == b.tobytes()


@with_secrets
def test_a_fork_does_not_tell_what_another_is_just_building(config):
    for states in moments(config, every=5):
        building = (states["phase"] == Phase.BUILD) & (states["ask"] != Ask.WHAT)
        for state in states[building].copy():
            begun = np.array([state]).view(batch.STATE)
            begun["ask"], begun["builds"] = Ask.WHAT, BUILDS
            for name in ("kind", "upgrade", "anchor", "warehouse_due", "enlarged", "architect_used"):
                begun[name] = 0
            asked = np.array([state]).view(batch.STATE)
            for seat in set(range(config.players)) - {int(state["seat"])}:
                assert batch.fork(asked, seat, [1]).tobytes() == batch.fork(begun, seat, [1]).tobytes()


@with_secrets
def test_a_fork_can_be_played_on_by_everybody(config):
    for states in moments(config, every=3):
        for seat in range(config.players):
            forks = batch.fork(states, seat, np.arange(len(states)))
            assert batch.masks(forks).any(axis=1).all()
            batch.rollout(forks, np.arange(len(states)))
            assert batch.over(forks).all()


@with_secrets
def test_a_fork_keeps_all_the_seat_may_see(config):
    for states in moments(config, every=17):
        for seat in range(config.players):
            forks = batch.fork(states, seat, np.arange(len(states)))
            assert (forks["borough"][:, seat] == states["borough"][:, seat]).all()
            assert (forks["shown"] == states["shown"]).all()
            for name in set(batch.STATE.names) - {"borough", "stream", "supply", "took", *BEHIND_A_SCREEN}:
                assert (forks[name] == states[name]).all(), name
            asked = (states["seat"] == seat) | ~hidden(states)
            for name in BEHIND_A_SCREEN:
                assert (forks[name] == states[name])[asked].all(), name
            see_the_others(states, forks, seat)
            see_the_supply(states, forks, seat)


def see_the_others(states: batch.States, forks: batch.States, seat: int) -> None:
    """Other boroughs look as they are or, behind screens, as they were last shown, except for promises."""
    for state, fork, screened in zip(states, forks, hidden(states), strict=True):
        for p in set(range(int(state["rules"]["players"]))) - {seat}:
            seen = (state["shown"] if screened else state["borough"])[p].copy()
            forked = fork["borough"][p].copy()
            for name in SECRET:
                seen[name] = forked[name] = 0
            if seen["built"][Kind.CITY_HALL] or not forked["built"][Kind.CITY_HALL]:
                assert seen.tobytes() == forked.tobytes()


def see_the_supply(states: batch.States, forks: batch.States, seat: int) -> None:
    """The supply is as Phase 2 began, but for what the seat itself has taken (P2.1)."""
    others = np.delete(states["took"], seat, axis=1)
    assert (forks["supply"] == states["supply"] + others.sum(axis=1)).all()
    assert (forks["took"][:, seat] == states["took"][:, seat]).all()
    assert not np.delete(forks["took"], seat, axis=1).any()


@with_secrets
def test_a_fork_leaves_the_games_alone(config):
    for states in moments(config, every=31):
        before = states.tobytes()
        batch.fork(states, 0, np.arange(len(states)))
        assert states.tobytes() == before


@with_secrets
def test_a_fork_is_a_whole_game(config):
    """No tile, citizen or piece is missing from it, whatever others have built in secret."""
    for states in moments(config, every=7):
        for seat in range(config.players):
            assert broken(batch.fork(states, seat, np.arange(len(states)))) == []


# -- games that differ in what others really built in secret


def turns_of_phase_2(config: Config, games: int) -> Iterator[batch.States]:
    """One game at a time, whenever a player begins to build."""
    played, before = table(config, games, seed=8, generous=True), np.full((games, 2), -1)
    for _ in played.play():
        states = played.states
        now = np.stack([states["round_no"], states["seat"]], axis=1)
        begins = (states["phase"] == Phase.BUILD) & (now != before).any(axis=1)
        for i in np.flatnonzero(begins & played.legal.any(axis=1)):
            before[i] = now[i]
            yield batch.take(states, [i])


def built_on(states: batch.States, seat: int, rng: np.random.Generator) -> batch.States:
    """A copy in which the others build at random until this seat, or the last one, is asked."""
    states, players = batch.clone(states), int(states["rules"]["players"][0])
    for p in set(range(players)) - {seat}:
        give(states[0], p, rng)
    legal, last = batch.masks(states), (int(states["host"][0]) - 1) % players
    while states["seat"][0] not in (seat, last) and states["phase"][0] == Phase.BUILD:
        batch.step(states, random_answers(legal, rng), legal)
    return states


def worlds(config: Config, games: int = 2) -> Iterator[tuple[int, batch.States, batch.States]]:
    """A seat and two games it cannot tell apart: the others have built different things in secret."""
    rng = np.random.default_rng(4)
    for states in turns_of_phase_2(config, games):
        for seat in range(config.players):
            a, b = (built_on(states, seat, rng) for _ in range(2))
            if a["phase"][0] == b["phase"][0] == Phase.BUILD and a["seat"][0] == b["seat"][0]:
                yield seat, a, b


@with_secrets
def test_games_that_differ_in_secret_builds_look_alike(config):
    """P2.1: in observation, fork, scores, text, picture, and in the mask except for tiles that are gone."""
    differ = 0
    for seat, a, b in worlds(config):
        differ += a["supply"].tobytes() != b["supply"].tobytes()
        assert np.array_equal(batch.visible_scores(a), batch.visible_scores(b))
        assert all(np.array_equal(observed(form, a, seat), observed(form, b, seat)) for form in Form)
        assert batch.fork(a, seat, [5]).tobytes() == batch.fork(b, seat, [5]).tobytes()
        assert art.text(a[0], seat) == art.text(b[0], seat)
        assert art.svg(a[0], seat) == art.svg(b[0], seat)
        if a["seat"][0] == seat:
            offered_what_is_not_gone(a, seat)
            offered_what_is_not_gone(b, seat)
    assert differ


def offered_what_is_not_gone(states: batch.States, seat: int) -> None:
    """A seat is offered what its fork offers, except for tiles that others have taken in secret."""
    really, apparently = batch.masks(states)[0], batch.masks(batch.fork(states, seat, [5]))[0]
    assert not (really & ~apparently).any()
    gone = np.flatnonzero(apparently & ~really)
    assert all(states["supply"][0, kind_of(action)] == 0 for action in gone)


def kind_of(action: int) -> int:
    """The tile that an answer builds."""
    return action - (actions.UPGRADE if action >= actions.UPGRADE else actions.BUILD) + 1


def test_redrawn_promises_are_of_the_same_worth_and_all_different():
    config = Config(players=4, modules=("new_buildings", "power_plants"), advanced=True, victory="culture")
    states = batch.new(1, config, [9])
    while states[0]["phase"] == Phase.SETUP:
        legal = batch.masks(states)
        batch.step(states, [int(np.argmax(legal[0]))], legal)
    forks = batch.fork(np.repeat(states, 500), 2, np.arange(500))
    mine, theirs = states[0]["borough"], forks["borough"]
    for p in range(4):
        drawn = {int(n) for n in theirs[:, p]["promise"]}
        worth = DIFFICULTIES[int(mine[p]["difficulty"])]
        assert all(BY_NUMBER[number].worth == worth and not BY_NUMBER[number].special for number in drawn)
        assert (len(drawn) > 1) == (p != 2)
        assert {int(n) for n in theirs[:, p]["special"]} <= {29, 30, 31, 32}
    for name in SECRET:
        assert all(len(set(row)) == 4 for row in theirs[name].tolist())


def test_a_hidden_city_hall_stands_anywhere_it_may():
    config = Config(players=2, modules=(), boards=("river-easy", "river-expert"))
    states = batch.new(1, config, [1])
    first = int(states[0]["seat"])
    legal = batch.masks(states)
    batch.step(states, [int(np.argmax(legal[0]))], legal)
    forks = batch.fork(np.repeat(states, 3000), 1 - first, np.arange(3000))
    places = {int(n) for n in forks["borough"][:, first]["hall"]}
    assert places == {int(a) for a in np.flatnonzero(batch.masks(batch.new(1, config, [1]))[0])}
