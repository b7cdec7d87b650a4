"""What does not work under a marker or a godzilla, and what goes on (T3)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene

# Phase 6 lies between most of these tests and what they look at: by then a godzilla has left a marker.
BAD = [pytest.param("*", id="marker"), pytest.param("Z", id="godzilla")]


def town(*pictures: str, **given: Any) -> Game:
    """A position of a game with godzillas; a second player looks on."""
    towns = pictures if len(pictures) > 1 else (*pictures, "")
    return scene(*towns, modules=["godzillas", *given.pop("modules", ())], **given)


# -- nobody and nothing enters


@pytest.mark.parametrize("bad", BAD)
def test_T3_nobody_moves_onto_an_unusable_space_the_others_are_open(bad: str) -> None:
    game = town(f"R1:0 C2 C2:{bad} F1:{bad} .\nMu Mu . . .\nMu:{bad} . . . .", phase="move")
    assert offered(game) == {"at B1", "at A2", "at B2", "no"}


@pytest.mark.parametrize("bad", BAD)
def test_T3_no_tourist_goes_there(bad: str) -> None:
    game = play(town("R1:0 . R1:0", f"C2:{bad} C2", phase="move"), "seat 1")
    assert_picture(game, 1, "C2:* C2:0!")
    game = town("R1:0 C1", f"C2:{bad} C2:{bad}", phase="move")
    assert offered(game) == {"at B1", "no"}


@pytest.mark.parametrize("bad", BAD)
def test_T3_nobody_moves_from_city_hall_into_an_unusable_residence(bad: str) -> None:
    game = town(f"Hl:0 Hl R1\nHl Hl R1:{bad}", phase="move")
    assert offered(game) == {"at C1", "no"}


@pytest.mark.parametrize("bad", BAD)
def test_T3_unusable_factory_spaces_attract_no_new_citizens(bad: str) -> None:
    """P3.4: one empty usable space, one newcomer."""
    game = town(f"Hl Hl .\nHl Hl .\nF3:{bad} F3 F3:0", phase="move", money=2)
    game = idle_to(game, "council")
    assert_picture(game, 0, "Hl:0 Hl .\nHl Hl .\nF3:* F3 F3:0")


@pytest.mark.parametrize("bad", BAD)
def test_T3_nobody_enters_an_unusable_space_of_city_hall(bad: str) -> None:
    """Three jobs, two spaces: the third stays in the Career Center."""
    game = town(f"Hl:{bad} Hl .\nHl:{bad} Hl .\nF3 F3 F3", phase="move", money=2)
    assert_picture(idle_to(game, "council"), 0, "Hl:* Hl:0 .\nHl:* Hl:0 .\nF3 F3 F3")


# -- stores nothing


@pytest.mark.parametrize("bad", BAD)
def test_T3_unusable_spaces_store_nothing(bad: str) -> None:
    """One of each is free but unusable: the product is lost."""
    full = f"Hl:{bad} Hl:0 .\nHl:0 Hl:0 .\n. F1:0! .\nWa:{bad} Wa:m ."
    assert_picture(town(full, phase="income", money=2), 0, full.replace(bad, "*"))


@pytest.mark.parametrize("bad", BAD)
def test_T3_an_unusable_space_of_a_warehouse_is_no_choice(bad: str) -> None:
    """P4.3: City Hall has the only room, so nothing is asked."""
    game = town(f"Hl Hl:0 .\nHl:0 Hl:0 .\n. F1:0! .\nWa:{bad} Wa:m .", phase="income", money=2)
    assert_picture(game, 0, "Hl:w Hl:0 .\nHl:0 Hl:0 .\n. F1:0! .\nWa:* Wa:m .")


@pytest.mark.parametrize("bad", BAD)
def test_T3_the_other_space_of_the_warehouse_stores(bad: str) -> None:
    game = town(f". F1:0! .\nWa:{bad} Wa .", phase="income", money=2)
    assert_picture(game, 0, ". F1:0! .\nWa:* Wa:w .")


# -- produces, earns, votes, cleans nothing; the other spaces go on


@pytest.mark.parametrize("bad", BAD)
def test_T3_the_other_spaces_of_a_factory_go_on(bad: str) -> None:
    game = town(f"F3:{bad} F3:0! F3:0!\nWa Wa .", phase="income", money=2)
    assert_picture(game, 0, "F3:* F3:0! F3:0!\nWa:s Wa:m .")


def test_T4_a_harbor_is_trampled_and_its_level_3_factory_goes_on_working() -> None:
    game = town(
        """
           A    B    C    D    E
        1  Ha:* Ha:* F3:0! F3:0! F3:0!
        2  Ha   Ha   Re:*  .     .
        3  .    .    Waa   Wab   Wab
        4  .    .    Waa   .     .
        """,
        phase="income",
        money=2,
    )
    assert_picture(
        game,
        0,
        """
           A    B    C    D    E
        1  Ha:* Ha:* F3:0! F3:0! F3:0!
        2  Ha   Ha   Re:*  .     .
        3  .    .    Waa:w Wab:s Wab:m
        4  .    .    Waa   .     .
        """,
    )


@pytest.mark.parametrize("bad", BAD)
def test_T3_the_other_spaces_of_a_shop_earn(bad: str) -> None:
    game = town(f"C3:0! C3:{bad} C3:0!", phase="income", money=2)
    assert game.state.borough[0].money == 2 + 3
    assert game.state.borough[0].votes == 4


@pytest.mark.parametrize("bad", BAD)
def test_T3_the_other_spaces_of_a_residence_vote_for_its_whole_level(bad: str) -> None:
    game = town(f"R3:0! R3:{bad} .\nR3 . .", phase="vote", money=2)
    assert game.state.borough[0].votes == 3


@pytest.mark.parametrize("bad", BAD)
def test_T3_the_other_spaces_of_a_clinic_prevent_a_death(bad: str) -> None:
    game = town(f"Cl:{bad} Cl:0! Cl .", phase="pollution", money=2, pollution=24)
    assert game.state.borough[0].pollution == 25
    assert spaces_with(game, "cemetery") == ""


@pytest.mark.parametrize(("park", "cleans"), [("P3 P3\nP3", 3), ("P3:* P3\nP3", 2), ("P3:* P3:*\nP3:*", 0)])
def test_T3_marked_park_spaces_clean_nothing(park: str, cleans: int) -> None:
    game = town(f"{park}\nR1:0 R1:0 R1:0 R1:0", phase="pollution", money=2)
    assert game.state.borough[0].pollution_made == 4 - cleans


# -- what a building does by itself


@pytest.mark.parametrize(("station", "runs"), [("Me Me", True), ("Me Me:*", False), ("Me:Z Me", False)])
def test_T3_a_contaminated_metro_station_does_not_run(station: str, runs: bool) -> None:
    """P3.2: only with it to the opposite borough, and a second Tourist to a neighbour."""
    game = town(f"{station} .\nR1:0 . R1:0", "C2 C2", "C1", "", phase="move")
    assert ("seat 2" in offered(game)) == runs
    play(game, "seat 1", "at A1")
    assert ("seat 1" in offered(game)) == runs


def bank(last: str) -> str:
    """City Hall, a Bank, and no residence."""
    return f"Hl Hl Ba Ba\nHl Hl Ba Ba{last}"


@pytest.mark.parametrize(("last", "works"), [("", True), (":*", False), (":Z", False)])
def test_T3_a_contaminated_bank_does_not_help(last: str, works: bool) -> None:
    """NB2: a level-1 shop needs one residence less and costs $1 less."""
    modules = ["new_buildings"]
    game = town(bank(last), phase="build", money=9, modules=modules)
    assert ("build commercial-1" in offered(game)) == works
    game = town(bank(last) + "\nR1", phase="build", money=9, modules=modules)
    play(game, "build commercial-1", "at A4")
    assert game.state.borough[0].money == (8 if works else 7)


def airport(last: str) -> str:
    """An Airport with a factory and a residence in its Influence Area."""
    return f"A9 A9 A9 F1:0! .\nA9 A9 A9 . .\nA9 A9 A9{last} . .\nR1 . Wa Wa ."


@pytest.mark.parametrize(("last", "works"), [("", True), (":*", False), (":Z", False)])
def test_T3_a_contaminated_airport_makes_neither_products_nor_noise(last: str, works: bool) -> None:
    """NB1: a second product; +1 for the residence, beside one person and his smoke."""
    game = town(airport(last), phase="income", money=2, modules=["new_buildings"])
    assert found_materials(game) == (2 if works else 1)
    assert game.state.borough[0].pollution_made == 2 + works


def found_materials(game: Game) -> int:
    """How many materials lie in the borough of seat 0."""
    return sum(bin(int(word)).count("1") for word in game.state.borough[0].materials.flat)


@pytest.mark.parametrize(("mark", "works"), [("", True), (":*", False), (":Z", False)])
def test_T3_big_ben_does_not_strike(mark: str, works: bool) -> None:
    """RB1: an advance free of charge; without it there is nothing to pay with."""
    modules = ["real_buildings"]
    game = town(f"Bb{mark}", phase="council", modules=modules)
    assert (game.phase.name == "COUNCIL") == works


@pytest.mark.parametrize(("last", "works"), [("", True), (":*", False), (":Z", False)])
def test_T3_nobody_arrives_at_a_contaminated_tramway_station(last: str, works: bool) -> None:
    """NB5; but its first space is usable, and people move there (NB4)."""
    game = town(f"Tr Tr Tr Tr Tr{last}\nR1:0", phase="move", money=2, modules=["new_buildings"])
    assert offered(game) == {"at A1", "no"}
    play(game, "no")
    assert game.state.borough[0].riders[0] == works


def test_T3_nobody_boards_where_the_first_space_of_a_tramway_is_unusable() -> None:
    game = town("Tr:* Tr Tr Tr Tr\nR1:0 C1", phase="move", money=2, modules=["new_buildings"])
    assert offered(game) == {"at B2", "no"}


@pytest.mark.parametrize(("mark", "works"), [("", True), (":*", False), (":Z", False)])
def test_T3_the_contaminated_shanghai_port_doubles_nothing_but_stores(mark: str, works: bool) -> None:
    """AS2: beside it two woods and double smoke; its usable spaces go on storing."""
    port = f"\n. . F1:0!\nPt Pt .\nPt Pt .\nPt Pt{mark} ."
    rows = ". . .\n. . ." + port
    game = town(rows, phase="income", money=2, boards=["shanghai", "base-easy"])
    assert found_materials(game) == (2 if works else 1)
    assert game.state.borough[0].pollution_made == (3 if works else 2)
