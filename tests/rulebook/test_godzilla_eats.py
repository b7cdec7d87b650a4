"""What a godzilla walks over: who is eaten, what is lost, what stays (G9)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import idle_to, play, spaces
from tests.scene import assert_picture, scene


def trample(drawn: str, *answers: str, modules: Any = (), **given: Any) -> Game:
    """A godzilla comes to seat 0 and walks; with $1 the council is next."""
    given = {"money": 1, **given}
    game = scene(drawn, "", phase="pollution", modules=["godzillas", *modules], **given)
    return play(game, *answers)


EAST = ("at B2", "east")  # out of the level-2 factory on A2 B2


def row(*words: str) -> str:
    """A street of seven spaces beside a level-2 factory, between two that are empty."""
    line = ["F2", "F2", *words, *["."] * (5 - len(words))]
    return f". . . . . . .\n{' '.join(line)}\n. . . . . . ."


def test_G9_over_city_hall() -> None:
    """Citizens and materials in the spaces it enters; those in the other two are safe."""
    town = """
           A    B    C    D     E     F    G
        1  .    .    .    Hl:0  Hl:w  .    .
        2  F2   F2   .    Hl:0  Hl:s  .    .
    """
    game = trample(town, *EAST, die=5)
    assert_picture(
        game,
        0,
        """
           A    B    C    D     E     F    G
        1  .    .    .    Hl:0  Hl:w  .    .
        2  F2   F2   .:*  Hl:*  Hl:*  .:Z  .:Z
        """,
    )
    assert game.state.reserve[0] == 7


def test_G9_it_may_end_in_city_hall() -> None:
    game = trample(". . . Hl:0 Hl:0\nF2 F2 . Hl:0 Hl:m", *EAST, die=3)
    assert_picture(game, 0, ". . . Hl:0 Hl:0\nF2 F2 .:* Hl:Z Hl:Z")
    assert game.state.reserve[0] == 7


def test_G9_a_cemetery_is_crossed_gets_its_marker_and_stays() -> None:
    """The dead are not eaten: they do not go to the reserve."""
    game = trample(row(".:+", ".:+"), *EAST, die=4)
    assert_picture(game, 0, row(".:+*", ".:+*", ".:Z", ".:Z"))
    assert game.state.reserve[0] == 6


def test_G9_it_may_end_on_a_cemetery() -> None:
    assert_picture(trample(row(".", ".:+"), *EAST, die=2), 0, row(".:Z", ".:+Z"))


def test_G9_over_a_warehouse_with_materials() -> None:
    game = trample(row("Wa:w", "Wa:m"), *EAST, die=4)
    assert_picture(game, 0, row("Wa:*", "Wa:*", ".:Z", ".:Z"))


def test_G9_only_the_warehouse_space_it_enters() -> None:
    town = ". . . Wa:w . . .\nF2 F2 . Wa:m . . ."
    assert_picture(trample(town, *EAST, die=4), 0, ". . . Wa:w . . .\nF2 F2 .:* Wa:* .:Z .:Z .")


def test_G9_over_a_tourist() -> None:
    """He goes to the reserve of his own colour, and his host's is as it was."""
    game = trample(row("C2:1!", "C2:0!"), *EAST, die=4)
    assert_picture(game, 0, row("C2:*", "C2:*", ".:Z", ".:Z"))
    assert game.state.reserve[:2].tolist() == [7, 7]


def test_G9_where_it_ends_nobody_survives_either() -> None:
    game = trample(row(".", ".", "R2:0!", "R2:0!"), *EAST, die=4)
    assert_picture(game, 0, row(".:*", ".:*", "R2:Z", "R2:Z"))
    assert game.state.reserve[0] == 8


def test_G9_stones_on_plain_spaces_are_lost() -> None:
    """TB3: they lie about on a mountain board."""
    boards = ["mountain-easy", "base-easy"]
    town = ". . ^\n. . ^ ^\nF2 F2 .:s .:s .:s .:s .\n. . .:s"
    game = trample(town, "at B3", "east", die=3, boards=boards)
    assert_picture(game, 0, ". . ^\n. . ^ ^\nF2 F2 .:* .:Z .:Z .:s .\n. . .:s")


def test_G9_the_eaten_go_to_the_reserve_not_to_the_career_center() -> None:
    game = trample(row("R1:0"), *EAST, die=1, career={0: 3}, reserve={0: 2})
    assert (game.state.borough[0].career, game.state.reserve[0]) == (3, 3)


# -- the start


FACTORY = ". . . . .\n. F3:0 F3 F3 .\n. . . . ."


def test_G9_who_stands_on_the_space_it_leaves_by_is_safe_if_it_goes_on() -> None:
    """It neither appeared on the wood space nor entered it nor ends there."""
    game = trample(FACTORY, "at B2", "north", "west", die=2)
    assert_picture(game, 0, ".:Z .:Z . . .\n. F3:0 F3 F3 .\n. . . . .")


def test_G9_who_stands_on_the_space_it_leaves_by_is_eaten_if_it_ends_there() -> None:
    game = trample(FACTORY, "at B2", "north", die=1)
    assert_picture(game, 0, ". .:Z . . .\n. F3:Z F3 F3 .\n. . . . .")
    assert game.state.reserve[0] == 7


# -- the Doctor


CLINIC = """
       A    B    C    D    E
    1  .    .    .    Cl   .
    2  F2   F2   .    Cl   .
    3  .    .    .    Cl:0 .
"""


def test_G9_the_doctor_is_eaten_on_any_space_of_the_clinic() -> None:
    """The citizen in it stands on another space and is safe."""
    game = trample(CLINIC, *EAST, die=4, doctor=1, modules=["doctors"])
    assert game.state.borough[0].doctor == 0
    assert game.state.doctors == 2
    assert spaces_with(game, "markers") == "C2 D2"
    assert game.state.reserve[0] == 6


def test_G9_beside_the_clinic_the_doctor_is_safe() -> None:
    game = trample(CLINIC, *EAST, die=1, doctor=1, modules=["doctors"])
    assert game.state.borough[0].doctor == 1
    assert game.state.doctors == 1


def test_G9_the_doctor_is_eaten_where_it_appears() -> None:
    """G4: a lone marker beside the Clinic, its second space in it."""
    game = trample(". .:* Cl\n. . Cl\n. . Cl", "at C1", die=6, doctor=1, modules=["doctors"])
    assert game.state.borough[0].doctor == 0


def test_G9_a_clinic_without_doctor_gives_none_back() -> None:
    game = trample(CLINIC, *EAST, die=4, modules=["doctors"])
    assert game.state.doctors == 2


# -- the Mayor


def test_G9_the_mayor_in_city_hall_only_steps_aside() -> None:
    """Out of both his spaces: D1, not trampled, takes a citizen in Phase 7 again."""
    town = """
           A    B    C    D     E     F    G
        1  .    .    .    Hl:M  Hl:0  .    .
        2  F2   F2   .    Hl:M  Hl:0  .    .
    """
    game = trample(town, *EAST, die=4, modules=["mayor"])
    assert spaces_with(game, "mayor") == ""
    play(game, "row tourism")
    assert_picture(
        game,
        0,
        """
           A    B    C    D     E     F    G
        1  .    .    .    Hl:0  Hl:0  .    .
        2  F2   F2   .:*  Hl:*  Hl:Z  .:Z  .
        """,
    )


def test_G9_the_mayor_in_the_other_half_of_city_hall_is_not_disturbed() -> None:
    town = ". . . Hl:M Hl:M .\nF2 F2 . Hl Hl ."
    game = trample(town, *EAST, die=4, modules=["mayor"])
    assert spaces_with(game, "mayor") == "D1 E1"


def test_G9_the_mayor_on_a_street_is_not_disturbed() -> None:
    """P1.1: he still blocks D1, the space of his street that has no marker."""
    game = trample(". . . .:M . . .\nF2 F2 . .:M . . .", *EAST, die=4)
    assert spaces_with(game, "mayor") == "D1 D2"
    play(game, "row construction", "build park-1")
    assert spaces(game) & {"C1", "D1", "E1", "C2", "D2", "E2"} == {"C1", "E1"}


# -- the Tramway


@pytest.mark.parametrize("die", [1, 2])
def test_G9_everybody_on_the_first_space_of_a_tramway_is_eaten(die: int) -> None:
    """NB4: that is where they all stand, each to the reserve of his colour."""
    town = row("Tr", "Tr", "Tr", "Tr", "Tr")
    game = trample(town, *EAST, die=die, riders=[2, 1], modules=["new_buildings"])
    assert not game.state.borough[0].riders.any()
    assert game.state.reserve[:2].tolist() == [8, 7]


def test_G9_on_another_space_of_a_tramway_nobody_is_eaten() -> None:
    town = ". . Tr . .\nF2 F2 Tr . .\n. . Tr\n. . Tr\n. . Tr"
    game = trample(town, *EAST, die=2, riders=[2, 1], modules=["new_buildings"])
    assert game.state.borough[0].riders[:2].tolist() == [2, 1]


# -- elimination


def test_P6_2_the_godzilla_of_who_is_eliminated_leaves_no_markers() -> None:
    game = scene(
        row("P1", "P1"), "R1:1", "R1:2", phase="pollution", modules=["godzillas"],
        money={1: 1}, die=4, smoke=5, pollution=96,
    )  # fmt: skip
    play(game, *EAST)
    assert game.state.borough[0].out > 0
    assert spaces_with(game, "godzilla") == ""
    assert spaces_with(game, "markers") == "C2 D2"
    assert game.state.godzillas == 2
    idle_to(game, "select", 2)
    assert spaces_with(game, "markers") == "C2 D2"
