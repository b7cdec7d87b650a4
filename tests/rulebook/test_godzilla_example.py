"""The rulebook's worked example and its pictures of the ways out (G6 - G9), drawn as text."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.walks import spaces_with, ways_out
from tests.rulebook.words import offered, play
from tests.scene import assert_picture, scene

# Five spaces to walk. The spaces the example names by letters:
#   option 1 ends on D E: A6 A7 B7 C7 D7 are A B C D E; option 2: A3 A2 A1 B1 C1 are F G H I J
TOWN = """
       A     B    C    D    E    F    G
    1  P2a   P2a  .    .    .    .    C1:0
    2  Wa:w  .    .    .    .    R1:0 .
    3  Wa:s  Re   .    Hl:0 Hl   .    .
    4  F2:0! .    R2:0 Hl   Hl   .    .
    5  F2:0! .    R2:0 .    .    .    .
    6  .     .    .    Sc   .    .    .
    7  .     P1   P2b  P2b  .    .    .
"""


def woken() -> Game:
    """Five spaces to walk; the neighbour's air is worse, so that nobody dies; then the council."""
    return scene(
        TOWN, "", phase="pollution", round=5, modules=["godzillas"],
        die=5, smoke=2, money=1, pollution={1: 30},
    )  # fmt: skip


def test_G3_G5_example_it_appears_on_both_spaces_of_the_factory_and_eats_the_workers() -> None:
    game = woken()
    assert_picture(
        game,
        0,
        """
           A     B    C    D    E    F    G
        1  P2a   P2a  .    .    .    .    C1:0
        2  Wa:w  .    .    .    .    R1:0 .
        3  Wa:s  Re   .    Hl:0 Hl   .    .
        4  F2:Z  .    R2:0 Hl   Hl   .    .
        5  F2:Z  .    R2:0 .    .    .    .
        6  .     .    .    Sc   .    .    .
        7  .     P1   P2b  P2b  .    .    .
        """,
    )
    assert game.state.reserve[0] == 6 + 2
    assert game.state.godzillas == 0


def test_G6_example_four_ways_out_of_a_level_2_factory_at_the_border() -> None:
    assert ways_out(woken()) == {"A4 north", "A4 east", "A5 east", "A5 south"}


def test_G7_G8_example_option_1_marks_A_B_C_and_stands_on_D_E() -> None:
    game = play(woken(), "at A5", "south")
    assert_picture(
        game,
        0,
        """
           A     B    C    D     E    F    G
        1  P2a   P2a  .    .     .    .    C1:0
        2  Wa:w  .    .    .     .    R1:0 .
        3  Wa:s  Re   .    Hl:0  Hl   .    .
        4  F2    .    R2:0 Hl    Hl   .    .
        5  F2    .    R2:0 .     .    .    .
        6  .:*   .    .    Sc    .    .    .
        7  .:*   P1:* P2b:Z P2b:Z .   .    .
        """,
    )
    assert game.state.markers == 40 - 3
    assert game.state.reserve[0] == 6 + 2


def test_T3_example_option_1_three_park_spaces_do_not_clean() -> None:
    """Of five park spaces only A1 and B1 clean; four people and the smoke of two who were eaten."""
    game = play(woken(), "at A5", "south")
    assert game.state.borough[0].pollution_made == 4 + 2 - 2


def test_G9_example_option_2_loses_the_materials_on_F_and_G() -> None:
    game = play(woken(), "at A4", "north")
    assert_picture(
        game,
        0,
        """
           A     B     C    D    E    F    G
        1  P2a:* P2a:Z .:Z  .    .    .    C1:0
        2  Wa:*  .     .    .    .    R1:0 .
        3  Wa:*  Re    .    Hl:0 Hl   .    .
        4  F2    .     R2:0 Hl   Hl   .    .
        5  F2    .     R2:0 .    .    .    .
        6  .     .     .    Sc   .    .    .
        7  .     P1    P2b  P2b  .    .    .
        """,
    )
    assert game.state.borough[0].pollution_made == 4 + 2 - 3


def test_G9_example_option_3_the_northern_way_east_eats_a_citizen_and_enters_city_hall() -> None:
    game = play(woken(), "at A4", "east")
    assert_picture(
        game,
        0,
        """
           A     B    C    D    E    F    G
        1  P2a   P2a  .    .    .    .    C1:0
        2  Wa:w  .    .    .    .    R1:0 .
        3  Wa:s  Re   .    Hl:0 Hl   .    .
        4  F2    .:*  R2:* Hl:* Hl:Z .:Z  .
        5  F2    .    R2:0 .    .    .    .
        6  .     .    .    Sc   .    .    .
        7  .     P1   P2b  P2b  .    .    .
        """,
    )
    assert game.state.reserve[0] == 6 + 2 + 1


def test_G9_example_option_3_the_southern_way_east_eats_a_citizen_too() -> None:
    game = play(woken(), "at A5", "east")
    assert_picture(
        game,
        0,
        """
           A     B    C    D    E    F    G
        1  P2a   P2a  .    .    .    .    C1:0
        2  Wa:w  .    .    .    .    R1:0 .
        3  Wa:s  Re   .    Hl:0 Hl   .    .
        4  F2    .    R2:0 Hl   Hl   .    .
        5  F2    .:*  R2:* .:*  .:Z  .:Z  .
        6  .     .    .    Sc   .    .    .
        7  .     P1   P2b  P2b  .    .    .
        """,
    )
    assert game.state.reserve[0] == 6 + 2 + 1


# -- ways out


def walks_from(drawn: str, **given: Any) -> Game:
    """One step to go, so that only the way out is a question."""
    return scene(drawn, "", phase="pollution", modules=["godzillas"], die=1, money=1, **given)


def test_G6_eight_ways_out_of_a_harbor() -> None:
    harbor = """
        .  .  .  .  .
        .  Ha Ha .  .
        .  Ha Ha .  .
        .  .  .  .  .
    """
    assert ways_out(walks_from(harbor)) == {
        "B2 north", "B2 west", "C2 north", "C2 east",
        "B3 south", "B3 west", "C3 south", "C3 east",
    }  # fmt: skip


def test_G6_fewer_ways_out_of_a_harbor_at_the_edge_and_in_the_corner() -> None:
    edge = """
        .  Ha Ha .
        .  Ha Ha .
    """
    corner = """
        Ha Ha .
        Ha Ha .
    """
    assert ways_out(walks_from(edge)) == {
        "B1 west", "C1 east", "B2 south", "B2 west", "C2 south", "C2 east",
    }  # fmt: skip
    assert ways_out(walks_from(corner)) == {"B1 east", "B2 east", "A2 south", "B2 south"}


def test_G6_eight_ways_out_of_a_level_3_factory() -> None:
    """Also out of the wood space, where it does not stand."""
    factory = """
        .  .  .  .  .
        .  F3 F3 F3 .
    """
    assert ways_out(walks_from(factory)) == {
        "B2 west", "B2 north", "B2 south", "C2 north", "C2 south",
        "D2 north", "D2 south", "D2 east",
    }  # fmt: skip


def test_G6_four_ways_out_of_a_level_3_factory_at_the_border() -> None:
    factory = """
        F3 .
        F3 .
        F3 .
    """
    assert ways_out(walks_from(factory)) == {"A1 east", "A2 east", "A3 east", "A3 south"}


def test_G6_six_ways_out_of_a_level_2_factory() -> None:
    factory = """
        .  .  .  .
        .  F2 F2 .
    """
    assert ways_out(walks_from(factory)) == {
        "B2 west", "B2 north", "B2 south", "C2 north", "C2 south", "C2 east",
    }  # fmt: skip


def test_G6_four_ways_out_of_a_level_1_factory() -> None:
    """Its second space, B1 here, is no part of the start: it may go that way too."""
    factory = """
        .  .  .
        .  F1 .
    """
    game = play(walks_from(factory), "at B1")
    assert ways_out(game) == {"B2 north", "B2 east", "B2 south", "B2 west"}


def test_G6_two_ways_out_of_a_level_1_factory_in_the_corner_of_the_zone() -> None:
    game = play(walks_from("F1"), "at B1")
    assert ways_out(game) == {"A1 east", "A1 south"}
    game = play(walks_from("\n".join([". . . . . . ."] * 6 + [". . . . . . F1"])), "at F7")
    assert ways_out(game) == {"G7 north", "G7 west"}


def test_G6_mountains_are_no_way_out() -> None:
    """T1: on mountain-easy C1, C2 and D2 are mountains."""
    factory = """
        .  .  ^  F2 F2 .
        .  .  ^  ^  .  .
    """
    assert ways_out(walks_from(factory, boards=["mountain-easy", "base-easy"])) == {
        "E1 east", "E1 south",
    }  # fmt: skip


def test_G6_river_spaces_are_a_way_out() -> None:
    factory = """
        .  .  .  F2 ~
        .  .  .  F2 ~
    """
    game = walks_from(factory, boards=["river-easy", "base-easy"])
    assert {"D1 east", "D2 east", "D2 south"} <= ways_out(game)
    assert spaces_with(play(game, "at D1", "east"), "godzilla") == "D1 E1"


def test_G6_without_a_way_out_it_stays() -> None:
    """A zone of one tile; a small one stands for a borough walled in by sea and mountains."""
    game = walks_from("F3 F3 F3", size=1)
    assert ways_out(game) == set()
    assert spaces_with(game, "godzilla") == "B1 C1"
    assert spaces_with(game, "markers") == ""
    assert game.phase.name == "COUNCIL"


@pytest.mark.parametrize("answer", ["north", "west"])
def test_G6_the_way_is_asked_only_where_it_leads_off_the_whole_start(answer: str) -> None:
    game = play(walks_from(". . .\n. Ha Ha\n. Ha Ha"), "at B2")
    assert offered(game) == {"north", "west"}
    assert spaces_with(play(game, answer), "godzilla") == {"north": "B1 B2", "west": "A2 B2"}[answer]
