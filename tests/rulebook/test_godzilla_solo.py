"""Alone: the godzilla stays where it ended and walks on from there (G1 - G4, G8)."""

from typing import Any

import pytest

from smallcity_env import Ask, Game
from tests.rulebook.walks import spaces_with, ways_out
from tests.rulebook.words import idle, offered, play, spaces
from tests.scene import assert_picture, scene


def alone(drawn: str, *answers: str, **given: Any) -> Game:
    """Solo, a later round; the godzilla walks, and with $1 the council is next."""
    given = {"round": 2, "money": 1, **given}
    return play(scene(drawn, phase="pollution", modules=["godzillas"], **given), *answers)


OPEN_LAND = """
       A    B    C    D    E    F    G
    1  .    .    .    .    .    .    .
    2  .    .    .:Z  .:Z  .    .    .
    3  .    .    .    .    .    .    .
"""


def test_G4_solo_it_starts_from_where_it_stands() -> None:
    """Neither a Harbor nor markers elsewhere draw it away; nothing is asked about arriving."""
    game = alone(". . .:Z .:Z .\n.:* .:* . . .\nHa Ha . F1 .\nHa Ha . . .", die=3)
    assert game.ask is Ask.LEAVE
    assert spaces_with(game, "godzilla") == "C1 D1"
    assert ways_out(game) == {"C1 west", "C1 south", "D1 south", "D1 east"}
    assert game.state.godzillas == 0


@pytest.mark.parametrize(
    ("die", "stands", "marked"),
    [(1, "D2 E2", "C2"), (2, "E2 F2", "C2 D2"), (3, "F2 G2", "C2 D2 E2")],
)
def test_G4_G8_solo_its_old_spaces_are_marked_as_its_tail_leaves_them(
    die: int, stands: str, marked: str
) -> None:
    game = alone(OPEN_LAND, "at D2", "east", die=die)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, marked)
    assert game.state.markers == 40 - len(marked.split())


def test_G4_solo_turning_on_the_spot_leaves_a_marker_too() -> None:
    game = alone(OPEN_LAND, "at C2", "north", die=1)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("C1 C2", "D2")


def test_G4_solo_no_second_marker_on_an_old_space_that_has_one() -> None:
    game = alone(". . .:*Z .:Z . . .", "at D1", "east", die=2)
    assert spaces_with(game, "markers") == "C1 D1"
    assert game.state.markers == 40 - 2


@pytest.mark.parametrize(("exit", "way", "marked"), [("D2", "east", "C2"), ("C2", "west", "D2")])
def test_G4_solo_the_last_marker_lies_where_its_tail_left_first(exit: str, way: str, marked: str) -> None:
    game = alone(OPEN_LAND, f"at {exit}", way, die=2, markers=1)
    assert spaces_with(game, "markers") == marked
    assert game.state.markers == 0


HARBOR = """
       A    B    C    D
    1  .    .    .    .
    2  .    Ha:Z Ha:Z .
    3  .    Ha   Ha   .
    4  .    .    .    .
    5  .    .    .    .
"""


def test_G6_solo_from_the_tile_both_its_spaces_lie_on() -> None:
    assert len(ways_out(alone(HARBOR, die=1))) == 8


@pytest.mark.parametrize(("die", "stands"), [(1, "B3 B4"), (2, "B4 B5")])
def test_G4_solo_out_of_a_tile_only_where_it_stood_is_marked(die: int, stands: str) -> None:
    """It stood on B2 and C2 and leaves by B3, which is not marked."""
    game = alone(HARBOR, "at B3", "south", die=die)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, "B2 C2")


def test_G6_solo_from_two_spaces_on_two_tiles() -> None:
    game = alone(". . . .\n. P1:Z P1:Z .", die=1)
    assert len(ways_out(game)) == 6


def test_G6_solo_without_a_way_out_it_stays_and_leaves_no_marker() -> None:
    game = alone("F2:Z F2:Z", die=4, size=1)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A1 B1", "")
    assert game.phase.name == "COUNCIL"


def test_G3_solo_the_first_time_it_comes_as_to_anybody() -> None:
    game = alone(". . .\n. F2:0 F2:0 .", round=5, seed=3)
    assert_picture(game, 0, ". . .\n. F2:Z F2:Z .")
    assert game.state.die[0] > 0


def test_G2_solo_without_a_factory_it_wanders_off() -> None:
    game = alone("R1:0", round=5)
    assert spaces_with(game, "godzilla") == ""
    assert game.state.godzillas == 1


def test_G3_solo_the_start_of_its_very_first_walk_is_not_marked() -> None:
    game = alone("F2 F2 . . . . .", "at B1", "east", die=3)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("D1 E1", "C1")


def test_G1_G4_solo_round_after_round_it_walks_on_from_where_it_stood() -> None:
    """Three rounds: where it ended is where it starts, and is marked once it has gone."""
    game = alone("F2 F2" + " ." * 5, round=5, seed=8)
    for round in (5, 6, 7):
        assert (game.round, game.ask) == (round, Ask.LEAVE)
        assert spaces(game) <= set(spaces_with(game, "godzilla").split())
        stood, marked = (set(spaces_with(game, name).split()) for name in ("godzilla", "markers"))
        while game.phase.name == "POLLUTION" and game.round == round:
            game.step(int(game.legal()[-1]))
        stands, now = (set(spaces_with(game, name).split()) for name in ("godzilla", "markers"))
        assert len(stands) == 2
        assert marked | (stood - stands if round > 5 else set()) <= now
        assert game.state.godzillas == 0
        idle(game, lambda g: g.ask is Ask.LEAVE)


def test_G10_solo_where_it_stands_nothing_works_in_the_round_after() -> None:
    """Phase 3: nobody enters; the other space of the factory is open."""
    game = scene("R1:0 . .\n. . .\n. F2:Z F2 .", phase="move", round=6, modules=["godzillas"])
    assert offered(game) == {"at C3", "no"}
