"""How a godzilla walks and turns, and where it leaves markers (G6 - G8)."""

from typing import Any

import numpy as np
import pytest

from smallcity_env import Ask, Game
from tests.random_games import answers
from tests.rulebook.walks import followed, maze, spaces_with
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene


def trample(drawn: str, *answers: str, others: tuple[str, ...] = ("",), **given: Any) -> Game:
    """A godzilla comes to seat 0 and walks; with $1 the council is next."""
    game = scene(drawn, *others, phase="pollution", modules=["godzillas"], money=1, **given)
    return play(game, *answers)


# -- G7: straight on, and turning at the edge


def test_G7_straight_on_over_whatever_is_there() -> None:
    """Radiation, a cemetery or a building make nobody turn."""
    game = trample(
        """
           A    B    C    D    E    F    G
        1  .    .    .    .    .    .    .
        2  F2:* F2:* .:+  .    P1   .:*  .
        3  .    .    .    .    .    .    .
        """,
        "at B2",
        "east",
        die=5,
    )
    assert_picture(
        game,
        0,
        """
           A    B    C    D    E    F    G
        1  .    .    .    .    .    .    .
        2  F2:* F2:* .:*+ .:*  P1:* .:*Z .:Z
        3  .    .    .    .    .    .    .
        """,
    )


def test_G7_neither_side_marked_the_player_chooses() -> None:
    game = trample("\n\n. . . . . . .\n. . . . F2 F2 .\n. . . . . . .", "at F2", "east", die=3)
    assert game.ask is Ask.TURN
    assert offered(game) == {"north", "south"}
    assert spaces_with(play(game.clone(), "north"), "godzilla") == "F1 G1"
    assert spaces_with(play(game.clone(), "south"), "godzilla") == "G3 G4"


def test_G7_both_sides_marked_the_player_chooses() -> None:
    game = trample(
        """
           A    B    C    D    E    F    G
        1  .    .    .    .    .    .    .:*
        2  .    .    .    .    .:*  .:*  .
        3  .    .    .    .    .    .    .:*
        """,
        "at F2",
        "east",
        die=2,
    )
    assert offered(game) == {"north", "south"}
    assert spaces_with(play(game, "north"), "godzilla") == "G1 G2"


@pytest.mark.parametrize(("marked", "goes"), [("G1", "G2 G3"), ("G3", "G1 G2")])
def test_G7_one_side_marked_it_takes_the_other(marked: str, goes: str) -> None:
    sides = {"G1": (".:*", "."), "G3": (".", ".:*")}[marked]
    game = trample(
        f"""
           A    B    C    D    E    F    G
        1  .    .    .    .    .    .    {sides[0]}
        2  .    .    .    .    .:*  .:*  .
        3  .    .    .    .    .    .    {sides[1]}
        """,
        "at F2",
        "east",
        die=2,
    )
    assert spaces_with(game, "godzilla") == goes


def test_G7_only_one_side_in_the_zone_it_takes_that_one_marked_or_not() -> None:
    game = trample(". . . . .:* .:* .\n. . . . . . .:*", "at F1", "east", die=2)
    assert spaces_with(game, "godzilla") == "G1 G2"


def test_G7_it_looks_only_at_the_first_space_of_each_side() -> None:
    """A marker further on does not matter."""
    game = trample(
        """
           A    B    C    D    E    F    G
        1  .    .    .    .    .    .    .:*
        2  .    .    .    .    .    .    .
        3  .    .    .    .    .:*  .:*  .
        """,
        "at F3",
        "east",
        die=2,
    )
    assert offered(game) == {"north", "south"}


HOOK = """
       A    B    C
    1  .    .    -
    2  .    .    P1
    3  F1   -    -
"""


def test_G7_markers_of_this_walk_count() -> None:
    """It goes A2 A1 B1 B2 and then cannot go on south: A2 has its marker by now, so C2."""
    game = trample(HOOK, size=2, die=5)
    assert spaces_with(game, "godzilla") == "B2 C2"
    assert spaces_with(game, "markers") == "A1 B1 A2"


def test_G7_without_markers_left_its_walk_makes_no_difference() -> None:
    game = trample(HOOK, size=2, die=5, markers=0)
    assert game.ask is Ask.TURN
    assert offered(game) == {"east", "west"}
    assert spaces_with(play(game, "west"), "godzilla") == "A2 B2"


def test_G7_a_mountain_is_no_space_of_the_zone() -> None:
    """G4 of mountain-easy is one: at F4 it must turn."""
    boards = ["mountain-easy", "base-easy"]
    town = ". . ^ . . . .\n. . ^ ^ . . .\n. . . . . . .\n. . . F2 F2 . ^"
    game = trample(town, "at E4", "east", die=3, boards=boards)
    assert offered(game) == {"north", "south"}
    assert spaces_with(play(game, "north"), "godzilla") == "F2 F3"


def test_G7_river_spaces_are_walked_like_land() -> None:
    boards = ["river-easy", "base-easy"]
    game = trample(". F2 F2 . ~", "at C1", "east", die=4, boards=boards)
    assert spaces_with(game, "godzilla") == "F1 G1"
    assert spaces_with(game, "markers") == "D1 E1"


def test_G7_the_edge_is_that_of_the_zone_as_it_is_now() -> None:
    row = "F2 F2" + " ." * 6
    assert spaces_with(trample(row, "at B1", "east", die=6), "godzilla") == "G1 H1"
    seven = trample("F2 F2" + " ." * 5, "at B1", "east", die=6)
    assert spaces_with(seven, "godzilla") == "G1 G2"


EXPERT = ["mountain-expert", "base-easy"]  # A1 has a mountain beside it, and so has A4 below


@pytest.mark.parametrize(
    ("die", "stands", "marked"),
    [
        (3, "A1 A2", "A3"),
        (4, "A2 A3", "A1 A3"),
        (5, "A3 A4", "A1 A2 A3"),
        (6, "A4 B4", "A1 A2 A3"),
    ],
)
def test_G7_in_a_dead_end_it_turns_back_and_completes_its_walk(die: int, stands: str, marked: str) -> None:
    """A3 A2 A1, and as it has turned the next space is the one beyond its tail: A3 A4 B4."""
    game = trample(". ^ ^\n. . ^ ^\n. . .\nF1 . .", "at B4", "north", die=die, boards=EXPERT)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, marked)
    assert game.state.markers == 40 - len(marked.split())
    assert game.phase.name == "COUNCIL"


@pytest.mark.parametrize(
    ("die", "stands", "marked"),
    [
        (1, "A1 A2", ""),
        (2, "A2 A3", "A1"),
        (3, "A3 A4", "A1 A2"),
        (4, "A4 B4", "A1 A2 A3"),
        (5, "B4 C4", "A1 A2 A3 A4"),
    ],
)
def test_G7_G8_a_dead_end_after_one_step(die: int, stands: str, marked: str) -> None:
    """It comes back over its start, which so gets markers; nobody survives on the wood space."""
    game = trample(". ^ ^\nF3:0 . ^ ^\nF3 . .\nF3 . .", "at A2", "north", die=die, boards=EXPERT)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, marked)
    assert not any(game.state.borough[0].citizens[0])


def test_G7_a_dead_end_after_a_turn_it_goes_straight_back() -> None:
    """East to B2, north into B1 and back: south of B2 lies B3, so it does not turn again."""
    game = trample("- P1\nF1 P1\n- P1", "north", die=3, size=0)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("B2 B3", "B1")


def test_G7_turned_back_it_turns_sideways_where_it_cannot_go_on() -> None:
    """East to B2, north into B1 and back to B2: there is nothing but the way it came."""
    game = trample("- P1\nF1 P1", die=3, size=0)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A2 B2", "B1")


def test_G7_turned_back_the_player_chooses_between_two_sides() -> None:
    """North from B2 into B1 and back to B2, where A2 and C2 are as good."""
    game = trample("- P1 -\nP1 F1 P1", "at A2", "north", die=2, size=0)
    assert game.ask is Ask.TURN
    assert offered(game) == {"east", "west"}
    assert spaces_with(play(game.clone(), "east"), "godzilla") == "B2 C2"
    assert spaces_with(play(game, "west"), "markers") == "B1"


def test_G7_two_spaces_cut_off_from_the_rest_hold_it() -> None:
    """Neither on nor sideways nor back: its steps are lost, and nothing is left, so nothing marked."""
    game = trample("F1 P1", die=6, size=0)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A1 B1", "")
    assert game.phase.name == "COUNCIL"


def test_G7_between_two_dead_ends_it_goes_to_and_fro() -> None:
    """C1 and back to A1, and back to C1 once more."""
    game = trample("P1 F1 P1", "at A1", "east", die=3, size=0)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("B1 C1", "A1 C1")


def test_G7_G4_solo_a_dead_end_marks_the_spaces_it_stood_on() -> None:
    """It stood on A2 A3 and leaves by A2: A3 is marked at once, A1 and A2 as its tail leaves them."""
    game = scene(
        ". ^ ^\n.:Z . ^ ^\n.:Z . .\n. . .", phase="pollution", modules=["godzillas"], money=1,
        boards="mountain-expert", die=3,
    )  # fmt: skip
    play(game, "at A2", "north")
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("A3 A4", "A1 A2 A3")


@pytest.mark.parametrize("seed", range(40))
def test_G7_G8_in_a_maze_it_walks_as_the_reference_does(seed: int) -> None:
    """A zone full of holes, so that dead ends are everywhere."""
    for die in range(1, 7):
        walk = next(followed(answers(maze(seed, die), seed)))
        assert walk.ended == walk.expected


# -- G8: markers, and the two spaces it ends on


@pytest.mark.parametrize(
    ("die", "stands", "marked"),
    [
        (1, "B1 C1", ""),
        (2, "C1 D1", ""),
        (3, "D1 E1", "C1"),
        (4, "E1 F1", "C1 D1"),
        (5, "F1 G1", "C1 D1 E1"),
        (6, "G1 G2", "C1 D1 E1 F1"),
    ],
)
def test_G8_all_it_entered_but_the_last_two(die: int, stands: str, marked: str) -> None:
    """Its start gets no marker; with one step it stands on the space it left by as well."""
    game = trample("F2 F2 . . . . .", "at B1", "east", die=die)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, marked)
    assert game.state.markers == 40 - len(marked.split())


def test_G8_with_one_step_the_space_it_left_by_not_where_it_appeared() -> None:
    """It appeared on the stone and metal spaces and leaves by the wood space."""
    game = trample(". . . .\n. F3 F3 F3", "at B2", "west", die=1)
    assert spaces_with(game, "godzilla") == "A2 B2"


def test_G8_no_second_marker_on_a_space_that_has_one() -> None:
    game = trample(". .:* .:* . .:* . .", "at C1", "east", die=4)
    assert spaces_with(game, "markers") == "B1 C1 D1 E1"
    assert game.state.markers == 40 - 4


ROUND_THE_BLOCK = """
       A   B
    1  F1  .
    2  .   .
"""


@pytest.mark.parametrize(
    ("die", "stands", "marked"),
    [(4, "A1 A2", "B1 B2"), (5, "A1 B1", "B1 A2 B2"), (6, "B1 B2", "A1 B1 A2 B2")],
)
def test_G8_its_start_is_marked_only_where_it_comes_back_over_it(die: int, stands: str, marked: str) -> None:
    """Round the smallest zone there could be: B1 B2 A2 A1 B1 B2."""
    game = trample(ROUND_THE_BLOCK, "at A2", "east", die=die, size=2)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == (stands, marked)


def test_G8_the_supply_runs_out_and_it_completes_its_walk() -> None:
    game = trample("F2 F2 . . . . .", "at B1", "east", die=6, markers=2)
    assert (spaces_with(game, "godzilla"), spaces_with(game, "markers")) == ("G1 G2", "C1 D1")
    assert game.state.markers == 0


def test_G8_spaces_that_have_a_marker_take_none_of_the_last() -> None:
    """Two left: D1 and F1 get them, E1 has one."""
    game = trample(". .:* .:* . .:* . .", "at C1", "east", die=5, markers=2)
    assert spaces_with(game, "markers") == "B1 C1 D1 E1 F1"
    assert game.state.markers == 0


@pytest.mark.parametrize(("host", "marked"), [(0, ["C1", "", "C1 D1"]), (1, ["C1 D1", "", "C1"])])
def test_G8_two_hosts_share_the_last_markers_in_reverse_turn_order(host: int, marked: list[str]) -> None:
    """Three left, each would leave two: the last in turn order walks first."""
    row = "F2 F2 . . . . ."
    game = trample(row, others=("", row), die={0: 4, 2: 4}, host=host, markers=3)
    play(game, "at B1", "east", "at B1", "east")
    assert [spaces_with(game, "markers", p) for p in range(3)] == marked
    assert [spaces_with(game, "godzilla", p) for p in range(3)] == ["E1 F1", "", "E1 F1"]


def test_G8_markers_where_it_stood_come_later_with_the_break() -> None:
    """Its last two spaces have no marker while it stands there."""
    game = trample("F2 F2 . . .", "at B1", "east", die=2)
    assert_picture(game, 0, "F2 F2 .:Z .:Z .")


@pytest.mark.parametrize(("town", "size"), [("F2 F2", 7), ("F1 - P1", 0)])
def test_G6_a_walk_leaves_nothing_behind(town: str, size: int) -> None:
    """What the walks needed is blank again when the phase ends, also for one without a way out."""
    given: dict[str, Any] = {"others": ("F3 F3 F3", "F2 F2"), "round": 5, "die": {0: 6, 1: 5, 2: 1}}
    game = idle_to(trample(town, size={0: size, 1: 7, 2: 7}, **given), "council")
    assert spaces_with(game, "godzilla", 0) and spaces_with(game, "godzilla", 1)
    for field in ("die", "hosts", "start", "stayed", "steps_left", "heading", "head", "tail", "space"):
        assert not np.any(game.state[field].tolist()), field
