"""A fork shows a seat everything it may see, and depends on nothing it may not."""

from collections.abc import Iterator

import numpy as np
import pytest

from smallcity_env import Config, batch
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import BUILDS, Ask, Phase
from smallcity_env.rules.tables.cards import DIFFICULTIES
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import Kind
from tests.invariants import broken
from tests.random_games import EVERYTHING, random_config, table

SECRET = ("promise", "special")
BEHIND_A_SCREEN = ("ask", "kind", "upgrade", "anchor", "brings", "builds", "enlarged", "cultured")


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
    """Deal the promises of all but one seat anew, of the same piles."""
    for state in states:
        players = int(state["rules"]["players"])
        for name in SECRET:
            held = [int(state["borough"][p][name]) for p in range(players) if p != seat]
            dealt = iter(rng.permutation([number for number in held if number]))
            for p in range(players):
                if p != seat and state["borough"][p][name]:
                    state["borough"][p][name] = next(dealt)


def built_otherwise(states: batch.States, seat: int, rng: np.random.Generator) -> None:
    """Behind the screens of the others everything is different."""
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
            for name in ("kind", "upgrade", "anchor", "brings", "enlarged", "cultured"):
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
            for name in set(batch.STATE.names) - {"borough", "stream", *BEHIND_A_SCREEN}:
                assert (forks[name] == states[name]).all(), name
            asked = (states["seat"] == seat) | ~hidden(states)
            for name in BEHIND_A_SCREEN:
                assert (forks[name] == states[name])[asked].all(), name
            see_the_others(states, forks, seat)


def see_the_others(states: batch.States, forks: batch.States, seat: int) -> None:
    """Other boroughs are as they are, or as they were shown, but for their promises."""
    for state, fork, screened in zip(states, forks, hidden(states), strict=True):
        for p in set(range(int(state["rules"]["players"]))) - {seat}:
            seen = (state["shown"] if screened else state["borough"])[p].copy()
            told = fork["borough"][p].copy()
            for name in SECRET:
                seen[name] = told[name] = 0
            if seen["built"][Kind.CITY_HALL] or not told["built"][Kind.CITY_HALL]:
                assert seen.tobytes() == told.tobytes()


@with_secrets
def test_a_fork_leaves_the_games_alone(config):
    for states in moments(config, every=31):
        before = states.tobytes()
        batch.fork(states, 0, np.arange(len(states)))
        assert states.tobytes() == before


@with_secrets
def test_a_fork_is_a_whole_game_where_nothing_is_behind_a_screen(config):
    for states in moments(config, every=13):
        open_ones = states[~hidden(states)]
        for seat in range(config.players):
            assert broken(batch.fork(open_ones, seat, np.arange(len(open_ones)))) == []


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
