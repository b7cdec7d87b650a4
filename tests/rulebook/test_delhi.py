"""Delhi: homes on the marked spaces, no pollution, a death in each of rounds 5 to 8 (AS8)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.text.grid import members
from tests.rulebook.cities import drawn, hall
from tests.rulebook.laying import layouts, starts
from tests.rulebook.words import idle, idle_to, play
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"
BOARDS = ["delhi", "base-easy"]
MARKED = {f"{col}{row}" for col in "CDEF" for row in range(3, 7)}


def delhi(other: str = HALL, phase: str = "build", given: Any = None, **words: str) -> Game:
    """Delhi with these words on its map, beside a base borough."""
    return scene(drawn("delhi", **words), other, boards=BOARDS, phase=phase, **{"money": 9, **(given or {})})


def graves(game: Game) -> int:
    """How many lie in Delhi's cemetery."""
    return len(members(game.state.borough[0].cemetery))


# -- homes


def test_AS8_new_residences_lie_on_marked_spaces_only() -> None:
    """AS8: City Hall influences all around it, but homes go on E only."""
    game = delhi(**hall("B4"))
    assert starts(game, "build residential-1") == {"C3", "D3", "D4", "D5", "D6", "C6"}
    assert {"A3", "B3", "D3", "D6"} <= starts(game, "build factory-1") | starts(game, "build park-1")


def test_AS8_wholly_on_them() -> None:
    """Section 17, AS8: a new level 2 may not lie half outside."""
    game = delhi(**hall("B4"), B6="Sc")
    places = layouts(game, "build residential-2")
    assert places
    assert all(set(place.split()) <= MARKED for place in places)
    assert "C6 C7" not in places


def test_AS8_upgrades_may_leave_them() -> None:
    """AS8: the level 2 made of a level 1 reaches beyond the marked spaces."""
    game = delhi(**hall("B4"), B6="Sc", C6="R1")
    assert layouts(game, "upgrade residential-2") == {"C6 D6", "C6 C7"}


def test_AS8_the_council_builds_homes_there_too() -> None:
    """AS8, RU1: the same ground, free of charge."""
    game = play(delhi(phase="council", **hall("B4")), "row construction")
    assert starts(game, "build residential-1") == {"C3", "D3", "D4", "D5", "D6", "C6"}


def test_AS8_other_tiles_lie_anywhere() -> None:
    """AS8: it is only residences that are bound to them."""
    game = delhi(**hall("G7"))
    assert {"A1", "C3", "H1"} <= starts(game, "build park-1")
    assert starts(game, "build residential-1") == {"F6"}


# -- pollution


@pytest.mark.parametrize("park", ["P1", "."])
def test_AS8_no_pollution_is_made_or_subtracted(park: str) -> None:
    """AS8: people and production leave the level at 0."""
    game = delhi(phase="income", A1="F1:0!", C3="R1:0", H8=park, **hall("A4"))
    idle_to(game, "council")
    b = game.state.borough[0]
    assert (b.pollution, b.pollution_made) == (0, 0)
    assert idle_to(game, "council", round=2).state.borough[0].pollution == 0


def test_AS8_nor_noise() -> None:
    """AS8, NB1: an Airport beside a home is not heard."""
    airport = dict.fromkeys([f"{col}{row}" for col in "CDE" for row in (1, 2)], "A8")
    airport |= {"F1": "A8", "F2": "A8"}
    game = delhi(phase="pollution", C3="R1:0", **airport, given={"modules": ["new_buildings"]})
    assert game.state.borough[0].pollution == 0


def test_AS8_at_the_end_nothing_is_subtracted_and_ties_are_won() -> None:
    """AS8, E2: the level counts as 0, in ties too."""
    game = delhi(phase="visit", given={"round": 8, "votes": {0: 5, 1: 8}, "pollution": {1: 3}, "money": 0})
    assert game.scores() == [5, 5]
    assert game.ranking() == [[0], [1]]


def test_AS8_G2_the_level_of_0_breaks_ties_of_dice() -> None:
    """AS8, G2: of equal dice the borough with a level hosts; Delhi with 0 does not, for all its factories."""
    for seed in range(40):
        given = {"modules": ["godzillas"], "round": 5, "seed": seed, "pollution": {1: 1}, "money": 1}
        game = delhi("F1", phase="pollution", A1="F3", B1="F3", C1="F3", given=given)
        dice = [int(n) for n in game.state.die[:2]]
        if dice[0] == dice[1]:
            assert list(game.state.hosts[:2]) == [0, 1]
            return
    raise AssertionError("no seed with equal dice")


# -- deaths


@pytest.mark.parametrize(("round_no", "dead"), [(1, 0), (4, 0), (5, 1), (6, 1), (7, 1), (8, 1)])
def test_AS8_one_citizen_dies_in_each_of_rounds_5_to_8(round_no: int, dead: int) -> None:
    """AS8: the player chooses who and where (P6.4)."""
    game = delhi(phase="pollution", C3="R1:0", D3="R1:0", given={"round": round_no})
    assert (game.ask.name == "DIES") == (dead == 1)
    idle_to(game, "council")
    assert graves(game) == dead


def test_AS8_none_in_round_9() -> None:
    """AS8, PP1: rounds 5 to 8, also in a game of nine."""
    given = {"round": 9, "modules": ["power_plants"]}
    game = delhi(phase="pollution", C3="R1:0", D3="R1:0", given=given)
    assert (graves(game), game.phase.name) == (0, "COUNCIL")


def test_AS8_the_clinic_prevents_nothing() -> None:
    """AS8: with a citizen at work in it one dies all the same."""
    clinic = {"A1": "Cl:0!", "B1": "Cl", "C1": "Cl"}
    game = delhi(phase="pollution", C3="R1:0", **clinic, given={"round": 5})
    assert game.ask.name == "DIES"


def test_AS8_no_more_than_one_however_foul_the_air() -> None:
    """AS8: Delhi never is the most polluted borough; with everybody at 0 only its own death is due."""
    game = delhi(phase="pollution", C3="R1:0", D3="R1:0", A1="F1:0", given={"round": 5})
    idle_to(game, "council")
    assert graves(game) == 1


def test_AS8_others_are_the_highest_beside_it() -> None:
    """AS8, P6.3: from round 5 the neighbour with a level of 1 or more is the highest and loses one."""
    game = delhi("R1:1 R1:1", phase="pollution", given={"round": 5})
    assert (game.seat, game.ask.name) == (1, "DIES")


def test_AS8_nobody_there_no_death() -> None:
    """AS8, P6.4: an empty borough loses nobody."""
    game = delhi(phase="pollution", given={"round": 5})
    assert (graves(game), game.phase.name) == (0, "COUNCIL")


def test_AS8_four_in_all() -> None:
    """AS8: from round 4 to the end of the game."""
    homes = dict.fromkeys(["C3", "D3", "E3", "F3", "C4"], "R1:0")
    game = delhi(phase="pollution", **homes, given={"round": 4})
    seen = {}
    while not game.over:
        idle(game, lambda g: g.phase.name == "COUNCIL")
        seen[game.round] = graves(game)
        idle(game, lambda g: g.phase.name != "COUNCIL")
    assert [seen[round_no] for round_no in range(4, 9)] == [0, 1, 2, 3, 4]
    assert game.state.borough[0].pollution == 0
