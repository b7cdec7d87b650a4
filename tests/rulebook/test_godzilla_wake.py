"""Break and wake: markers where a godzilla stood, and who hosts the next one (C4, G1, G2)."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from smallcity_env import Config, Game, batch
from smallcity_env.rules.modules.godzillas import wake
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import idle_to, play
from tests.scene import assert_picture, scene

MODULES = ["godzillas"]
SEEDS = range(200)


def before(*pictures: str, **given: Any) -> Game:
    """Phase 6 begins: Break, then Wake."""
    return scene(*pictures, phase="pollution", modules=MODULES, **given)


def breaks(*pictures: str, **given: Any) -> Game:
    """Only the Break: a round in which nobody wakes yet."""
    return before(*pictures, round=4, money={0: 1}, **given)


# -- C4


@pytest.mark.parametrize(("players", "godzillas"), [(1, 1), (2, 1), (3, 2), (4, 3)])
def test_C4_markers_and_godzillas_in_the_supply(players: int, godzillas: int) -> None:
    state = Game(Config(players=players, modules=("godzillas",)), seed=1).state
    assert (state.markers, state.godzillas) == (40, godzillas)


def test_C4_without_the_module_there_are_none() -> None:
    state = Game(Config(players=4, modules=()), seed=1).state
    assert (state.markers, state.godzillas) == (0, 0)


# -- G1


def test_G1_two_markers_where_it_stood() -> None:
    game = breaks(
        """
           A   B    C   D
        1  .   .:*  .:* .
        2  .   P1:Z .   .
        3  .   .:Z  .   .
        """,
        "",
    )
    assert_picture(
        game,
        0,
        """
           A   B    C   D
        1  .   .:*  .:* .
        2  .   P1:* .   .
        3  .   .:*  .   .
        """,
    )
    assert game.state.markers == 40 - 4
    assert game.state.godzillas == 1


@pytest.mark.parametrize(("drawn", "new"), [(".:*Z .:Z", 1), (".:Z .:*Z", 1), (".:*Z .:*Z", 0)])
def test_G1_no_second_marker_on_a_space_that_has_one(drawn: str, new: int) -> None:
    game = breaks(drawn, "", markers=30)
    assert spaces_with(game, "markers") == "A1 B1"
    assert spaces_with(game, "godzilla") == ""
    assert game.state.markers == 30 - new


def test_G1_the_last_marker_goes_to_the_first_space_in_reading_order() -> None:
    game = breaks(". .:Z\n. .:Z", "", markers=1)
    assert spaces_with(game, "markers") == "B1"
    assert game.state.markers == 0
    assert game.state.godzillas == 1


def test_G1_without_markers_in_the_supply_it_goes_back_all_the_same() -> None:
    game = breaks(".:Z .:Z", "", markers=0)
    assert spaces_with(game, "markers") == spaces_with(game, "godzilla") == ""
    assert game.state.godzillas == 1


@pytest.mark.parametrize(("host", "marked"), [(0, ["A1", "", "A1 B1"]), (1, ["A1 B1", "", "A1"])])
def test_G1_the_last_markers_go_round_in_reverse_turn_order(host: int, marked: list[str]) -> None:
    """Turn order 0 1 2, then 1 2 0: the last in it gets his two first."""
    game = breaks(".:Z .:Z", "", ".:Z .:Z", host=host, markers=3)
    assert [spaces_with(game, "markers", p) for p in range(3)] == marked
    assert game.state.godzillas == 2


def test_G1_not_in_solo() -> None:
    game = breaks(".:Z .:Z")
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A1 B1", "")


def test_G1_it_stands_there_until_the_next_phase_6() -> None:
    game = scene("P1:Z P1:Z", "", phase="council", round=5, money=1, modules=MODULES)
    for phase in ("select", "build"):
        idle_to(game, phase, 6)
        assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A1 B1", "")
    idle_to(game, "pollution", 6)
    assert {"A1", "B1"} <= set(spaces_with(game, "markers").split())


def test_G1_a_borough_never_has_two_godzillas() -> None:
    """A host again: the old one goes back first, and one comes to the markers it left."""
    game = first_game(lambda g: g.state.hosts[0] == 1, ".:Z .:Z . .", "F1", round=6)
    assert spaces_with(game, "markers") == spaces_with(game, "godzilla") == "A1 B1"
    assert game.state.godzillas == 0


# -- G2: who hosts


def by_the_book(dice: list[int], level: list[int], footprint: list[int], playing: list[bool]) -> list[bool]:
    """Everybody still in but the lowest; those equal to him in everything are lowest as well."""
    seats = [p for p in range(len(dice)) if playing[p]]
    attraction = {p: (dice[p], level[p], footprint[p]) for p in seats}
    lowest = min(attraction.values())
    return [p in attraction and attraction[p] > lowest for p in range(len(dice))]


WAKINGS = {
    "the lowest die": ([3, 5, 2, 6], [0] * 4, [0] * 4, [True, True, False, True]),
    "a tie above the lowest": ([6, 6, 1, 6], [0] * 4, [0] * 4, [True, True, False, True]),
    "less pollution": ([2, 2, 5, 2], [10, 9, 0, 11], [0] * 4, [True, False, True, True]),
    "fewer factories": ([2, 2, 5, 2], [9, 9, 0, 9], [4, 6, 0, 3], [True, True, True, False]),
    "pollution before factories": ([1, 1, 1, 1], [3, 2, 3, 3], [0, 9, 1, 1], [1, 0, 1, 1]),
    "die before pollution": ([1, 2, 2, 2], [99, 0, 0, 0], [9, 0, 0, 0], [0, 1, 1, 1]),
    "two lowest in all": ([1, 1, 4, 4], [5, 5, 0, 0], [3, 3, 0, 0], [0, 0, 1, 1]),
    "equal dice, two lowest": ([4, 4, 4, 4], [5, 5, 5, 6], [2, 1, 1, 0], [1, 0, 0, 1]),
    "all equal in all": ([6, 6, 6, 6], [7] * 4, [2] * 4, [False] * 4),
}


@pytest.mark.parametrize("why", WAKINGS)
def test_G2_lowest_by_die_then_pollution_then_factory_spaces(why: str) -> None:
    dice, level, footprint, hosts = WAKINGS[why]
    assert by_the_book(dice, level, footprint, [True] * 4) == hosts
    assert batch.wake([dice], [level], [footprint], [[True] * 4]).tolist() == [hosts]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_G2_one_game_and_a_batch_agree_on_all_dice_and_ties(players: int) -> None:
    """All dice, with ties and without in each tie-breaker, all still in or all but one."""
    levels = [(0, 0, 0, 0), (5, 5, 5, 4), (4, 5, 5, 4), (30, 5, 99, 12)]
    footprints = [(0, 0, 0, 0), (3, 3, 2, 2), (1, 3, 2, 3)]
    still_in = [s for s in product([True, False], repeat=players) if sum(s) >= max(players - 1, 2)]
    dice = list(product(range(1, 7), repeat=players))
    rows = list(product(dice, levels, footprints, still_in))
    columns = [np.array([row[i][:players] for row in rows]) for i in range(4)]
    expected = [by_the_book(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]
    hosts = np.zeros((len(rows), players), np.bool_)
    for row, *given in zip(hosts, *columns, strict=True):
        wake(*given, row)
    assert hosts.tolist() == expected
    assert batch.wake(*columns).tolist() == expected


@pytest.mark.parametrize("die", range(1, 7))
def test_G2_alone_you_always_host(die: int) -> None:
    hosts = np.zeros((1, 1), np.bool_)
    columns = [np.array([[n]]) for n in (die, 0, 0)] + [np.array([[True]])]
    wake(*(column[0] for column in columns), hosts[0])
    assert hosts.tolist() == batch.wake(*columns).tolist() == [[True]]


# -- G2: in the game


def first_game(holds: Any, *pictures: str, **given: Any) -> Game:
    """The first of many games whose dice are as wanted."""
    games = (before(*pictures, seed=seed, **given) for seed in SEEDS)
    return next(game for game in games if holds(game))


def test_G2_die_pollution_and_factory_spaces_of_the_boroughs_decide() -> None:
    """Level-1 factories, so that every host is asked; the last in turn order 2 0 1 first (G6)."""
    towns = ["F1 . F1", "F1", ". . F1\nF1"]
    level, footprint = [12, 12, 3], [2, 1, 2]
    seen = set()
    for seed in SEEDS:
        pollution = dict(enumerate(level))
        game = before(*towns, round=5, host=2, seed=seed, pollution=pollution)
        dice, hosts = game.state.die[:3].tolist(), game.state.hosts[:3].tolist()
        assert hosts == by_the_book(dice, level, footprint, [True] * 3)
        assert game.seat == next(p for p in (1, 0, 2) if hosts[p])
        seen.add(len(set(dice)))
    assert seen == {1, 2, 3}


def test_G2_factory_spaces_count_even_contaminated() -> None:
    equal_dice = lambda g: g.state.die[0] == g.state.die[1] > 0  # noqa: E731
    game = first_game(equal_dice, "F2:* F2:* . .:* .:*", "F1", round=5)
    assert game.state.hosts[:2].tolist() == [1, 0]


@pytest.mark.parametrize(("round", "wakes"), [(4, False), (5, True), (8, True)])
def test_G2_from_round_5(round: int, wakes: bool) -> None:
    game = before("F1", round=round, money=1)
    assert (game.state.die[0] > 0) == wakes
    assert (game.phase.name == "POLLUTION") == wakes


def test_G2_dice_have_six_sides_alone_too() -> None:
    assert {int(before("F1", round=5, seed=seed).state.die[0]) for seed in SEEDS} == set(range(1, 7))


def test_G2_who_is_out_neither_rolls_nor_hosts_nor_is_the_lowest() -> None:
    for seed in SEEDS[:50]:
        game = before("F1", "F1", "F1", round=6, out={2: 5}, pollution={0: 1, 2: 104}, seed=seed)
        dice = game.state.die[:3].tolist()
        assert game.state.hosts[:3].tolist() == [dice[0] >= dice[1], dice[0] < dice[1], 0]
        assert dice[2] == 0


def test_G2_the_die_is_the_distance() -> None:
    for seed in SEEDS[:12]:
        game = before("F1" + " ." * 9, round=5, money=1, seed=seed)
        die = int(game.state.die[0])
        play(game, "at A2", "east")
        assert spaces_with(game, "godzilla") == f"{'ABCDEFG'[die - 1]}1 {'ABCDEFG'[die]}1"


def test_G2_without_the_module_nobody_wakes() -> None:
    game = scene("F1", "F1", phase="pollution", round=5, money=1)
    assert game.phase.name == "COUNCIL"
