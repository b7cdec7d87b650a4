"""Section 1: the zone, Influence Areas, who is where, who worked, empty spaces."""

from functools import reduce
from operator import or_

import pytest

from smallcity_env.rules import zone
from smallcity_env.rules.spaces import at as single
from smallcity_env.rules.spaces import put
from smallcity_env.rules.tables import SIDE, Ask
from smallcity_env.text.grid import members
from tests.rulebook.laying import assert_starts, layouts, starts
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene

# -- T1: the zone


def test_T1_the_zone_is_the_first_7_x_7() -> None:
    game = scene("", money=2)
    assert_starts(game, "build park-1", "o o o o o o o\n" * 7)
    assert "build park-2" not in offered(game)


@pytest.mark.parametrize("size", [8, 9, 10])
def test_T1_the_zone_grows_to_at_most_10(size: int) -> None:
    game = scene("", size=size, money=2)
    assert_starts(game, "build park-1", ("o " * size + "\n") * size)
    assert ("enlarge" in offered(game)) == (size < 10)


def test_T1_waste_does_not_belong_to_the_zone() -> None:
    game = scene("", boards="base-expert", money=2)
    assert_starts(
        game,
        "build park-1",
        """
        o o o x o o o
        o o o o o o o
        o o o o o o o
        x o o o o o x
        o o o o o o o
        o o o o o o o
        o o o x o o o
        """,
    )


def test_T1_all_waste_of_the_expert_board() -> None:
    game = scene("", boards="base-expert", size=10, money=2)
    assert_starts(
        game,
        "build park-1",
        """
        o o o x o o o o o o
        o o o o o o o o o o
        o o o o o o o o x o
        x o o o o o x o o o
        o o o o o o o o o o
        o o o o o o o o o o
        o o o x o o o o o o
        o o o o o o o o o o
        o o x o o o o o x o
        o o o o o x o o o o
        """,
    )


def test_T1_outer_edge_a_harbor_touches_one_of_the_four_sides() -> None:
    game = scene("", money=3)
    assert_starts(
        game,
        "build harbor",
        """
        o o o o o o .
        o . . . . o .
        o . . . . o .
        o . . . . o .
        o . . . . o .
        o o o o o o .
        . . . . . . .
        """,
    )


def test_T1_outer_edge_moves_when_the_zone_grows() -> None:
    game = scene("", size=8, money=3)
    assert_starts(
        game,
        "build harbor",
        """
        o o o o o o o .
        o . . . . . o .
        o . . . . . o .
        o . . . . . o .
        o . . . . . o .
        o . . . . . o .
        o o o o o o o .
        . . . . . . . .
        """,
    )


def test_T1_outer_edge_is_where_the_zone_begins() -> None:
    """On a board of one's own, whose first two rows and first column are sea."""
    borough = scene("").state.borough[0]
    land = [space for space in members(borough.zone) if space >= 2 * SIDE and space % SIDE > 0]
    put(borough.zone, reduce(or_, map(single, land)))
    sides = [space for space in land if space // SIDE in (2, 6) or space % SIDE in (1, 6)]
    put(borough.zone, zone.outer_edge(borough))
    assert list(members(borough.zone)) == sides


def test_T1_outer_edge_is_that_of_the_rectangle_not_of_the_land() -> None:
    """T1: neither waste nor Hong Kong's strait makes an edge inside."""
    expert = scene("", boards="base-expert", money=3)
    assert_starts(
        expert,
        "build harbor",
        """
        o o . . o o .
        o . . . . o .
        . . . . . . x
        x . . . . . .
        o . . . . o .
        o o . . o o .
        . . . x . . .
        """,
    )
    islands = """
        .  .  .  .  .  .  .  . . #
        .  .  .  .  .  .  .  . . #
        .  .  .  .  .  C2 C2 . . #
        .  .  .  .  .  .  .  . . #
        #  #  #  #  #  #  #  # # #
        #  #  #  #  #  #  #  # # #
        .  .  .  .  .  .  .  . . #
        .  .  F3 F3 F3 .  .  . . #
        .  .  .  .  .  .  .  . . #
        .  .  .  .  .  .  .  . . #
        """
    assert_starts(
        scene(islands, boards="hong-kong", money=3),
        "build harbor",
        """
        o  o  o  o  o  o  o  o . #
        o  .  .  .  .  C2 C2 o . #
        o  .  .  .  .  C2 C2 o . #
        .  .  .  .  .  .  .  . . #
        #  #  #  #  #  #  #  # # #
        #  #  #  #  #  #  #  # # #
        o  .  .  .  .  .  .  o . #
        o  .  F3 F3 F3 .  .  o . #
        o  o  o  o  o  o  o  o . #
        .  .  .  .  .  .  .  . . #
        """,
    )


# -- T2: Influence Areas


def test_T2_influence_is_one_step_with_diagonals() -> None:
    game = scene(". .\n. .\n. . Hl Hl\n. . Hl Hl", money=1)
    assert_starts(
        game,
        "build residential-1",
        """
        . . .  .  . . .
        . o o  o  o . .
        . o Hl Hl o . .
        . o Hl Hl o . .
        . o o  o  o . .
        . . .  .  . . .
        """,
    )


@pytest.mark.parametrize(
    ("hall", "around"),
    [
        ("Hl Hl\nHl Hl", "Hl Hl o\nHl Hl o\no o o"),
        (
            "\n".join([". ."] * 4 + ["Hl Hl"] * 2),
            """
            . . . .
            . . . .
            . . . .
            o o o .
            Hl Hl o .
            Hl Hl o .
            o o o .
            """,
        ),
        (
            "\n".join([". " * 10] * 4 + [". " * 8 + "Hl Hl"] * 2),
            """
            . . . . . . . . . .
            . . . . . . . . . .
            . . . . . . . . . .
            . . . . . . . o o o
            . . . . . . . o Hl Hl
            . . . . . . . o Hl Hl
            . . . . . . . o o o
            """,
        ),
        (
            "\n".join([". " * 10] * 8 + [". " * 8 + "Hl Hl"] * 2),
            ". . . . . . . . . .\n" * 7 + ". . . . . . . o o o\n. . . . . . . o Hl Hl\n. . . . . . . o Hl Hl",
        ),
    ],
    ids=["corner", "left", "right", "last corner"],
)
def test_T2_influence_ends_at_the_edge_of_the_map(hall: str, around: str) -> None:
    assert_starts(scene(hall, size=10, money=1), "build residential-1", around)


@pytest.mark.parametrize("above", range(9))
def test_T2_influence_is_the_same_in_every_row(above: int) -> None:
    rows = [". . o o o o ."] * min(above, 1) + [". . o Hl Hl o ."] * 2
    around = [". . . . . . ."] * max(above - 1, 0) + rows + [". . o o o o ."] * (above < 8)
    hall = "\n".join(around).replace("o", ".")
    assert_starts(scene(hall, size=10, money=1), "build residential-1", "\n".join(around))


def test_T2_one_space_in_the_area_is_enough() -> None:
    """T2: here one space is influenced by the School and the other by City Hall."""
    game = scene("Sc . . Hl Hl\nP1 . P1 Hl Hl\nP1 P1 P1 P1 P1", money=2)
    assert layouts(game, "build residential-2") == {"B1 C1"}


# -- T5: who is where


def test_T5_in_the_borough_is_on_a_tile_of_ones_own_with_city_hall() -> None:
    """T5: not those in the Career Center, abroad, dead or out of play, nor guests."""
    game = scene(
        "Hl:0 Hl C1:1 R1:0\nHl Hl .:+ .",
        "C1:0",
        victory="population",
        phase="select",
        reserve=3,
    )
    living_in, residential_spaces = 2, 1
    assert game.scores() == [5 * living_in + residential_spaces, 0]


def test_T5_active_is_not_in_city_hall() -> None:
    """T5: only the citizen at home is asked to move; those in City Hall are not."""
    game = scene("Hl:0 Hl:0 C2 C2\nHl:0 Hl R1:0 .", phase="move")
    assert game.ask is Ask.MOVE
    assert game.state.space == game.parse("at C2")
    play(game, "at C1")
    assert [entry.ask for entry in game.log.entries].count(Ask.MOVE) == 1


# -- T6: who worked


@pytest.mark.parametrize(("worked", "money"), [("!", 3), ("", 0)])
def test_T6_only_those_who_worked_earn(worked: str, money: int) -> None:
    game = scene(f"Hl Hl C1:0{worked}\nHl Hl", phase="income")
    assert idle_to(game, "council").state.borough[0].money == money


@pytest.mark.parametrize(("worked", "votes"), [("!", 1), ("", 0)])
def test_T6_only_those_who_worked_vote(worked: str, votes: int) -> None:
    game = scene(f"Hl Hl R1:0{worked}\nHl Hl", phase="income")
    assert idle_to(game, "council").state.borough[0].votes == votes


@pytest.mark.parametrize(("worked", "wood"), [("!", ":w"), ("", "")])
def test_T6_only_those_who_worked_produce(worked: str, wood: str) -> None:
    game = scene(f"Hl:0 Hl:0 F1:0{worked}\nHl:0 Hl .", phase="income", money=1)
    idle_to(game, "council")
    assert_picture(game, 0, f"Hl:0 Hl:0 F1:0{worked}\nHl:0 Hl{wood} .")


def test_T6_who_moved_in_phase_3_worked_and_who_stayed_did_not() -> None:
    moved = play(scene("Hl Hl R1:0\nHl Hl C1", phase="move"), "at C2")
    assert idle_to(moved, "council").state.borough[0].money == 3
    stayed = play(scene("Hl Hl C1:0\nHl Hl R1", phase="move"), "no")
    assert idle_to(stayed, "council").state.borough[0].money == 0


def test_T6_who_left_city_hall_for_a_residence_worked() -> None:
    game = play(scene("Hl:0 Hl R1\nHl Hl .", phase="move"), "at C1")
    assert idle_to(game, "council").state.borough[0].votes == 1


def test_T6_who_was_put_on_a_new_residence_in_phase_2_worked() -> None:
    game = play(scene("Hl:0 Hl .\nHl Hl .", money=2), "build residential-1", "at C1")
    assert_picture(game, 0, "Hl Hl R1:0!'\nHl Hl .")
    assert idle_to(game, "council").state.borough[0].votes == 1


def test_T6_worked_holds_whatever_the_tile_becomes() -> None:
    """T6: put on a residence by the City Councilor in Phase 1, which Phase 2 makes a level 2."""
    game = scene("Hl:0 Hl . .\nHl Hl Sc .", "", phase="select", seat=0, money=2)
    play(game, "card councilor", "row construction", "build residential-1", "at C1")
    play(game, "card opponent", "upgrade residential-2")
    idle_to(game, "council")
    assert_picture(game, 0, "Hl Hl R2:0! R2\nHl Hl Sc .")
    assert game.state.borough[0].votes == 2


def test_T6_who_was_put_there_in_phase_7_did_not_work() -> None:
    game = scene("Hl:0 Hl .\nHl Hl Sc", phase="council", money=1)
    play(game, "row construction", "build residential-1", "at C1")
    assert game.round == 2
    assert not game.state.borough[0].worked.any()
    assert idle_to(game, "council", round=2).state.borough[0].votes == 0


def test_T6_worked_is_for_one_round() -> None:
    game = scene("Hl Hl R1:0!\nHl Hl .", phase="vote", money=1)
    assert idle_to(game, "council").state.borough[0].votes == 1
    assert idle_to(game, "council", round=2).state.borough[0].votes == 1


# -- T8: empty spaces


def test_T8_an_empty_space_has_nothing_on_it() -> None:
    game = scene(
        """
        .   P1  .
        .   .:* .
        .   .:+ .
        .   .:M .:M
        .   .:s .:w
        .:m .:Z .:Z
        .   Wa  Wa
        """,
        money=2,
    )
    assert_starts(
        game,
        "build park-1",
        """
        o   P1  o   o o o o
        o   *   o   o o o o
        o   +   o   o o o o
        o   M   M   o o o o
        o   s   w   o o o o
        m   Z   Z   o o o o
        o   Wa  Wa  o o o o
        """,
    )


def test_T8_outside_the_zone_no_space_is_empty() -> None:
    assert starts(scene("", money=2), "build park-1").isdisjoint({"H1", "A8", "H8", "G8"})


@pytest.mark.parametrize("thing", ["0", "w", "s", "m", "*", "Z"])
def test_T8_a_space_of_a_building_is_empty_when_nobody_and_nothing_is_on_it(thing: str) -> None:
    """T8: the newcomer finds only the last space of City Hall, then none."""
    room = scene(f"Hl:{thing} Hl:0\nHl:0 Hl", "", phase="council", money=1)
    play(room, "row tourism")
    assert_picture(room, 0, f"Hl:{thing} Hl:0\nHl:0 Hl:0")
    full = scene(f"Hl:{thing} Hl:0\nHl:0 Hl:0", "", phase="council", money=1, career=2)
    play(full, "row tourism")
    assert full.state.borough[0].career == 3
