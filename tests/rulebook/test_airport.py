"""New buildings: the Airport in both sizes (NB1). The others are in test_new_buildings.py."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.laying import layouts, shapes, starts
from tests.rulebook.words import idle_to, materials, offered, play, spaces
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"
STORED = "Hl:w Hl:s\nHl:m Hl\n"  # what an Airport costs, besides $3 and 5 votes
MODULES = ["new_buildings"]


def building(picture: str, **given: Any) -> Game:
    """Phase 2 with the price of an Airport in money and votes."""
    return scene(picture, **{"money": 3, "votes": 5, "modules": MODULES, **given})


# -- building it


def test_NB1_price() -> None:
    """NB1: $3, 5 votes, wood, stone and metal, all spent."""
    game = play(building(STORED + "F1"), "build airport-9", "at B3")
    assert materials(game) == (0, 0, 0)
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (0, 0)


@pytest.mark.parametrize(
    "given",
    [
        pytest.param({"money": 2}, id="$2"),
        pytest.param({"votes": 4}, id="4 votes"),
        pytest.param({"picture": STORED.replace("Hl:w", "Hl")}, id="no wood"),
        pytest.param({"picture": STORED.replace("Hl:s", "Hl")}, id="no stone"),
        pytest.param({"picture": STORED.replace("Hl:m", "Hl")}, id="no metal"),
        pytest.param({"supply": {"airport-8": 0, "airport-9": 0}}, id="none left"),
        pytest.param({"modules": ["godzillas"]}, id="another module"),
    ],
)
def test_NB1_not_without_its_price(given: dict[str, Any]) -> None:
    """NB1: with anything missing neither size is offered."""
    picture = given.pop("picture", STORED)
    assert not {"build airport-8", "build airport-9"} & offered(building(picture + "F1", **given))


def test_NB1_the_mediator_helps_the_architect_does_not() -> None:
    """NB1, P1.3: $2 with the Mediator; it is no cultural building."""
    assert "build airport-9" in offered(building(STORED + "F1", card="mediator", money=2))
    poor = STORED.replace("Hl:m", "Hl")
    assert "build airport-9" not in offered(building(poor + "F1", card="architect"))


def test_NB1_two_sizes() -> None:
    """NB1, section 2: 2 x 4 either way round, or 3 x 3; two of each, and the votes are a price, no gain."""
    game = building(STORED + "F1")
    assert shapes(game, "build airport-8") == {"####/####", "##/##/##/##"}
    assert shapes(game, "build airport-9") == {"###/###/###"}
    assert (game.state.supply[Kind.AIRPORT_8], game.state.supply[Kind.AIRPORT_9]) == (2, 2)


@pytest.mark.parametrize("other", ["A9 A9 A9\nA9 A9 A9\nA9 A9 A9", "A8 A8 A8 A8\nA8 A8 A8 A8"])
def test_C6_one_airport_of_either_size(other: str) -> None:
    """C6: who has one builds no second, of the other size neither."""
    game = building(other + "\nHl:w Hl:s F1\nHl:m Hl", size=10)
    assert not {"build airport-8", "build airport-9"} & offered(game)


def test_NB1_influenced_by_a_factory() -> None:
    """NB1, T4: at least one space around a Factory, and not around a contaminated one."""
    game = building(STORED + ".\n.\nF1")
    for place in layouts(game, "build airport-9"):
        assert {"A4", "B4", "B5", "A6", "B6"} & set(place.split())
    assert starts(game, "build airport-9") == {"B3", "B4", "B5"}
    assert "build airport-9" not in offered(building(STORED))
    marked = building(STORED + ".\n.\nF2 F2:*", modules=["new_buildings", "godzillas"])
    assert "build airport-9" not in offered(marked)


def test_NB1_brings_a_warehouse() -> None:
    """NB1, P2.9: at once, free, in the Airport's Influence Area, and not counted as a build."""
    game = play(building(STORED + "F1", money=5), "build airport-9", "at B3")
    assert game.ask.name == "WHERE"
    assert {"C1", "A4"} <= spaces(game)
    assert not spaces(game) & {"F1", "G3"}  # two steps off
    play(game, "at A4")
    assert_picture(game, 0, """
    Hl     Hl  .
    Hl     Hl  .
    F1     A9:' A9  A9
    Wa:'   A9  A9  A9
    Wa     A9  A9  A9
    """)  # fmt: skip
    assert (game.state.borough[0].money, game.state.builds) == (2, 2)


@pytest.mark.parametrize("given", [{"supply": {"warehouse": 0}}, {"three": True}])
def test_NB1_unless_there_is_none(given: dict[str, Any]) -> None:
    """NB1, P2.9: with three Warehouses, or none in the supply, it is built without."""
    three = "\n".join(["Waa Waa Wab Wab Wac Wac"] * given.pop("three", 0))
    game = play(building(f"{STORED}F1\n.\n.\n.\n{three}", **given), "build airport-9", "at B3")
    assert game.ask.name != "WHERE"


# -- production


def income(picture: str, other: str = HALL, **given: Any) -> Game:
    """Phase 4; $1 makes the game stop in Phase 7 at the latest."""
    return scene(picture, other, phase="income", **{"money": 1, "modules": MODULES, "size": 10, **given})


AIRPORT = """
A9 A9 A9 .  .  .  .
A9 A9 A9 .  .  .  .
A9 A9 A9 .  .  .  .
{}
Waa Waa Wab Wab Wac Wac
"""


def test_NB1_who_worked_beside_it_makes_two_and_pollutes_as_for_one() -> None:
    """NB1: two wood, one person, one product."""
    game = income(AIRPORT.format("F1:0! . . . . . ."))
    assert materials(game) == (2, 0, 0)
    assert game.state.borough[0].pollution == 2


def test_NB1_the_whole_factory_with_a_space_in_the_area() -> None:
    """NB1: a level 3 that touches the corner with one space; its other two double as well."""
    game = income(AIRPORT.format(". . . F3:0! F3:0! F3:0! ."))
    assert materials(game) == (2, 2, 2)
    assert game.state.borough[0].pollution == 6


@pytest.mark.parametrize(
    ("factories", "made"),
    [
        pytest.param(". . . . F1:0! . .", 1, id="two steps away"),
        pytest.param("F1:0 . . . . . .", 0, id="who did not work"),
        pytest.param("F1:0! F1:0! F1:0! F1:0! . . .", 6, id="no more than fits: 4 x 2"),
    ],
)
def test_NB1_no_more_than_that(factories: str, made: int) -> None:
    """NB1: only workers of factories in its Influence Area, as far as there is room (P4.3)."""
    assert materials(income(AIRPORT.format(factories))) == (made, 0, 0)


def test_T3_a_contaminated_airport_is_no_help_and_makes_no_noise() -> None:
    """T3, NB1: one marker closes it."""
    picture = AIRPORT.format("F1:0! . C2 C2 . . .").replace("A9", "A9:*", 1)
    game = income(picture, modules=["new_buildings", "godzillas"])
    assert materials(game) == (1, 0, 0)
    assert game.state.borough[0].pollution == 2


def test_NB1_the_second_product_is_stored_like_the_first() -> None:
    """RU2, P4.3: one after the other, the player choosing for each."""
    game = income("A9 A9 A9 Hl Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:0! . Wa Wa")
    play(game, "store warehouse", "store city-hall")
    assert_picture(game, 0, "A9 A9 A9 Hl:w Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:0! . Wa:w Wa")


# -- Tourists


def tourist(host: str, home: str) -> Game:
    """Seat 1's Tourist worked beside the Airport of seat 0; it is seat 1's Phase 4."""
    return income(host, home, seat=1, host=1, money={0: 1, 1: 1})


def test_NB1_of_a_tourists_two_one_goes_home_and_one_to_the_host() -> None:
    """NB1: the host's goes into a Warehouse before City Hall; the smoke of one stays with the host."""
    game = tourist("A9 A9 A9 Hl Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa Wa", HALL)
    assert materials(game, 1) == (1, 0, 0)
    assert_picture(game, 0, "A9 A9 A9 Hl Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa:w Wa")
    assert game.state.borough[0].pollution == 2


def test_NB1_the_hosts_goes_to_city_hall_when_no_warehouse_has_room() -> None:
    """NB1: and is lost when that is full too."""
    game = tourist("A9 A9 A9 Hl:m Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa:m Wa:m", HALL)
    assert_picture(game, 0, "A9 A9 A9 Hl:m Hl:w\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa:m Wa:m")
    full = tourist("A9 A9 A9 Hl:m Hl:m\nA9 A9 A9 Hl:m Hl:m\nA9 A9 A9 . .\nF1:1!", HALL)
    assert (materials(full, 0), materials(full, 1)) == ((0, 0, 4), (1, 0, 0))


def test_NB1_without_room_at_home_both_stay_with_the_host() -> None:
    """NB1, P4.4: the first takes the host's last warehouse space, the other goes to his City Hall."""
    full = "Hl:m Hl:m\nHl:m Hl:m"
    game = tourist("A9 A9 A9 Hl Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa:m Wa", full)
    assert_picture(game, 0, "A9 A9 A9 Hl:w Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1! . Wa:m Wa:w")
    no_warehouse = tourist("A9 A9 A9 Hl Hl\nA9 A9 A9 Hl Hl\nA9 A9 A9 . .\nF1:1!", full)
    assert materials(no_warehouse, 0) == (1, 0, 0)  # the first is lost, the other is the host's own


# -- noise


@pytest.mark.parametrize(
    ("row", "noise"),
    [
        pytest.param("R1 . . . .", 1, id="a home"),
        pytest.param("R2 R2 . C1 .", 3, id="by the space, the corner included"),
        pytest.param(". . . R2 R2", 1, id="only the space in the Influence Area"),
        pytest.param(". . . . C3 C3 C3", 0, id="farther off"),
        pytest.param("F1 P1 Sc Ba Ba", -1, id="no other buildings, a Bank neither, and the park cleans"),
    ],
)
def test_NB1_noise(row: str, noise: int) -> None:
    """NB1, P6.1: +1 for every residential and commercial space in its Influence Area, empty ones too."""
    bank = "\n. . . Ba Ba" if "Ba" in row else ""
    picture = f"A9 A9 A9 . . . .\nA9 A9 A9 . . . .\nA9 A9 A9 . . . R1:0\n{row}{bank}\n. . . .\nR1:0 R1:0"
    game = scene(picture, HALL, phase="pollution", modules=MODULES, money=1)
    assert game.state.borough[0].pollution == 3 + noise


def test_NB1_noise_every_round_and_for_the_engineer_too() -> None:
    """NB1, P1.3 D: his factories do not pollute, the Airport is as loud as ever."""
    picture = "A9 A9 A9 R1\nA9 A9 A9 R1\nA9 A9 A9 .\nF1:0! . . ."
    game = income(picture, card="engineer")
    assert game.state.borough[0].pollution == 1 + 2
    assert idle_to(game, "council", round=2).state.borough[0].pollution == 2 * (1 + 2)
