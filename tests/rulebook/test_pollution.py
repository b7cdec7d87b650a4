"""Phase 6: measuring pollution (P6.1); elimination and deaths have their own pages."""

from typing import Any

import pytest

from tests.rulebook.words import play
from tests.scene import assert_picture, scene


def level(*boroughs: str, phase: str = "pollution", **given: Any) -> int:
    """The pollution of seat 0 after Phase 6."""
    return int(scene(*boroughs, phase=phase, **given).state.borough[0].pollution)


# -- people


@pytest.mark.parametrize(
    ("drawn", "people"),
    [
        ("R1:0", 1),
        ("R1:0 C1:0! F1:0", 3),
        ("Mu:0 Mu:0\nMu .", 2),
        ("Hl:0 Hl:0\nHl:0 Hl:0", 0),
        ("Hl:0 Hl R1:0\nHl Hl .", 1),
        (".:+ R1:0 .:+", 1),
        ("", 0),
    ],
)
def test_P6_1_everyone_alive_on_tiles_other_than_city_hall(drawn: str, people: int) -> None:
    assert level(drawn) == people


def test_P6_1_tourists_pollute_where_they_are() -> None:
    game = scene("R1:0 C1:1 Mu:2\n. Mu:1 Mu", "R1:0", "", phase="pollution")
    assert [int(game.state.borough[p].pollution) for p in range(3)] == [4, 1, 0]


def test_P6_1_so_does_who_rides_the_tram() -> None:
    assert level("Tr Tr Tr Tr Tr", "", modules=["new_buildings"], riders=[2, 1]) == 3


# -- production


def test_P6_1_every_factory_space_that_produced() -> None:
    drawn = "Hl Hl F3:0! F3:0! F3:0!\nHl Hl F1:0!"
    assert level(drawn, phase="income") == 4 + 4
    assert level(drawn.replace("!", ""), phase="income") == 4  # nobody worked: people only


def test_P6_1_a_tourists_production_pollutes_the_host() -> None:
    game = scene("Hl Hl F1:1!\nHl Hl", "Hl Hl\nHl Hl", phase="income")
    assert [int(game.state.borough[p].pollution) for p in (0, 1)] == [2, 0]


def test_P6_1_the_engineers_production_does_not_pollute_his_people_do() -> None:
    drawn = "Hl Hl F3:0! F3:0! F3:1!\nHl Hl . . ."
    assert level(drawn, "Hl Hl\nHl Hl", phase="income", card="engineer") == 3
    assert level(drawn, "Hl Hl\nHl Hl", phase="income", card="opponent") == 6
    assert level(drawn, "Hl Hl\nHl Hl", phase="income", card={1: "engineer"}) == 6


def test_P6_1_of_this_round_only() -> None:
    game = scene("Hl Hl F1:0!\nHl Hl .", phase="income", card="opponent")
    assert game.state.borough[0].pollution == 2
    while game.round < 3:
        answers = ["card opponent", "no"]
        play(game, next(answer for answer in answers if game.mask()[game.parse(answer)]))
    assert game.state.borough[0].pollution == 2 + 1  # he stood there and made nothing


def test_P6_1_production_counts_even_if_the_worker_has_since_been_eaten() -> None:
    """The godzilla comes to the factory, its worker is gone, the smoke is not."""
    game = scene("F1:0! .", "", phase="pollution", round=5, modules=["godzillas"], smoke=1, die={0: 1})
    while game.state.borough[0].pollution == 0:
        game.step(int(game.legal()[0]))
    assert game.state.borough[0].pollution == 1
    assert game.state.reserve[0] == 6 + 1


# -- parks


@pytest.mark.parametrize(
    ("drawn", "made"),
    [
        ("R1:0 R1:0 R1:0 P1", 2),
        ("R1:0 R1:0 R1:0 P2 P2", 1),
        ("R1:0 R1:0 R1:0 P3 P3\n. . . P3 .", 0),
        ("R1:0 R1:0 R1:0 P3 P3\n. . . P3 P1", 0),  # never below 0
        ("P1", 0),
    ],
)
def test_P6_1_every_park_space_takes_one_off_down_to_0(drawn: str, made: int) -> None:
    assert level(drawn) == made


def test_P6_1_the_level_rises_by_what_is_made_and_never_falls() -> None:
    assert level("R1:0 P3 P3\n. P3 .", pollution=7) == 7
    assert level("R1:0 R1:0", pollution=7) == 9


def test_P6_1_only_usable_park_spaces_clean() -> None:
    drawn = "R1:0 R1:0 R1:0 R1:0 P3:* P3\n. . . . P3:Z .\n. . . . .:Z ."
    assert level(drawn, round=1, modules=["godzillas"]) == 3


def test_P6_1_parks_clean_production_too() -> None:
    assert level("Hl Hl F1:0! P1\nHl Hl .", phase="income") == 1


# -- the whole sum


def test_P6_1_everything_together() -> None:
    """People 5, production 2, noise 3, parks -2, recycling -5."""
    city = """
    A8 A8    A8   A8   P2  P2
    A8 A8    A8   A8   Rc:0! Rc
    C1 R2:0  R2:0 F1:0 F1:0 Rc
    .  .     .    .    .   Rc
    """
    assert level(city, smoke=2, modules=["new_buildings"]) == 5 + 2 + 3 - 2 - 5
    assert level(city, modules=["new_buildings"]) == 5 + 3 - 2 - 5
    assert level(city, smoke=2, modules=["new_buildings"], card="engineer") == 5 + 3 - 2 - 5


def test_P6_1_recycling_too_stops_at_0() -> None:
    assert level("Rc:0! Rc Rc\nRc R1:0", modules=["new_buildings"], pollution=9) == 9


def test_P6_1_the_residual_comes_on_top_of_0() -> None:
    """Tokyo makes 5 more, however many parks there are."""
    assert level("R1:0 P3 P3\n. P3 .", boards="tokyo") == 5
    assert level("R1:0 R1:0", boards="tokyo") == 7


def test_P6_1_all_measure() -> None:
    game = scene("R1:0", "R1:1 R1:1", "P1", phase="pollution", pollution={0: 3, 2: 9})
    assert [int(game.state.borough[p].pollution) for p in range(3)] == [4, 2, 9]
    assert_picture(game, 0, "R1:0")
