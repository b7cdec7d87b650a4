"""Shanghai: the port doubles production and pollution, and stores (AS2)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.cities import drawn, hall
from tests.rulebook.laying import starts
from tests.rulebook.words import idle_to, materials, offered, play
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"
BOARDS = ["shanghai", "base-easy"]


def shanghai(other: str = HALL, phase: str = "income", given: Any = None, **words: str) -> Game:
    """Shanghai with these words on its map; $1 makes the game stop in Phase 7 at the latest."""
    fields = {"money": 1, **(given or {})}
    return scene(drawn("shanghai", **words), other, boards=BOARDS, phase=phase, **fields)


# -- production and pollution


@pytest.mark.parametrize("space", ["A3", "B3", "C3", "C4", "C6", "C7", "A7"])
def test_AS2_a_worker_in_the_ports_influence_area_makes_two_and_pollutes_double(space: str) -> None:
    """AS2, T2: all around the port, corners included: two wood, and 1 person + 2 products."""
    game = shanghai(**{space: "F1:0!"})
    while game.ask.name == "STORE":
        play(game, "store warehouse")
    assert materials(game) == (2, 0, 0)
    assert game.state.borough[0].pollution == 3


@pytest.mark.parametrize("space", ["A2", "D4", "C2", "D7", "A8"])
def test_AS2_a_worker_farther_off_makes_one(space: str) -> None:
    """AS2: two steps from the port, one wood, 1 person + 1 product."""
    game = shanghai(**{space: "F1:0!"})
    assert materials(game) == (1, 0, 0)
    assert game.state.borough[0].pollution == 2


def test_AS2_only_the_spaces_in_the_area_not_the_whole_factory() -> None:
    """AS2: of a level 3 across C4, D4, E4 only the wood is doubled: 3 people + 4 products."""
    game = shanghai(C4="F3:0!", D4="F3:0!", E4="F3:0!")
    assert materials(game) == (2, 1, 1)
    assert game.state.borough[0].pollution == 7


def test_AS2_who_did_not_work_makes_nothing() -> None:
    """AS2, T6: nor does an empty space."""
    game = shanghai(C4="F1:0", C5="F1")
    assert materials(game) == (0, 0, 0)
    assert game.state.borough[0].pollution == 1


def test_AS2_the_engineers_production_does_not_pollute_doubled_either() -> None:
    """AS2, P1.3 D: only the person counts."""
    assert shanghai(C4="F1:0!", given={"card": "engineer"}).state.borough[0].pollution == 1


def test_AS2_a_contaminated_port_does_not_double() -> None:
    """AS2, T3: one marker on it and it stops, but its clean spaces still store."""
    game = shanghai(C4="F1:0!", A4="Pt:*", given={"modules": ["godzillas"]})
    assert_picture(game, 0, drawn("shanghai", C4="F1:0!", A4="Pt:*", B4="Pt:w"))
    assert game.state.borough[0].pollution == 2


def test_RU2_port_and_airport_do_not_multiply() -> None:
    """RU2, AS2: where both apply, two are made and both pollute; where only the Airport does, one."""
    airport = dict.fromkeys([f"{col}{row}" for col in "CDE" for row in (1, 2, 3)], "A9")
    game = shanghai(**airport, C4="F2:0!", D4="F2:0!", given={"modules": ["new_buildings"]})
    assert materials(game) == (2, 2, 0)
    assert game.state.borough[0].pollution == 2 + 2 + 1


# -- the port stores


def test_AS2_its_six_spaces_store_one_each() -> None:
    """AS2: the seventh and eighth wood find no room."""
    factories = dict.fromkeys(["C3", "C4", "C5", "C6"], "F1:0!")
    game = shanghai(**factories)
    port = dict.fromkeys(["A4", "B4", "A5", "B5", "A6", "B6"], "Pt:w")
    assert_picture(game, 0, drawn("shanghai", **factories, **port))


def test_AS2_like_a_warehouse_beside_city_hall() -> None:
    """AS2, P4.3: for each of the two the player chooses between the port and City Hall."""
    game = shanghai(C4="F1:0!", **hall("G1"))
    assert offered(game) == {"store warehouse", "store city-hall"}
    play(game, "store city-hall", "store warehouse")
    assert_picture(game, 0, drawn("shanghai", C4="F1:0!", A4="Pt:w", **hall("G1", "w")))


def test_T7_warehouses_fill_before_the_port_and_empty_before_it() -> None:
    """T7: the port is the last Warehouse, both ways."""
    game = shanghai(C4="F1:0!", G8="Wa:m", H8="Wa")
    assert_picture(game, 0, drawn("shanghai", C4="F1:0!", G8="Wa:m", H8="Wa:w", A4="Pt:w"))
    game = shanghai(A4="Pt:w", G8="Wa", H8="Wa:w", E1="C2", F1="C2:0!")
    play(game, "wood")
    assert_picture(game, 0, drawn("shanghai", A4="Pt:w", G8="Wa", H8="Wa", E1="C2", F1="C2:0!"))


def test_AS2_materials_of_the_port_pay_for_buildings() -> None:
    """AS2: like those of a Warehouse."""
    game = shanghai(phase="build", A6="Pt:w", given={"money": 0})
    assert materials(play(game, "build school", "at H1")) == (0, 0, 0)


def test_AS2_the_port_is_not_a_harbor() -> None:
    """AS2, P2.8: a level-3 Factory still needs one, and one can be built."""
    game = shanghai(phase="build", C3="Re", given={"money": 9})
    assert "build factory-2" in offered(game)
    assert "build factory-3" not in offered(game)
    assert "G1" in starts(game, "build harbor")


# -- Tourists


def test_AS2_both_products_of_a_tourist_go_home() -> None:
    """AS2, P4.4: unlike an Airport's; the smoke stays in Shanghai."""
    game = shanghai(C4="F1:1!", given={"seat": 1, "host": 1, "money": {0: 1}})
    assert (materials(game, 0), materials(game, 1)) == ((0, 0, 0), (2, 0, 0))
    assert game.state.borough[0].pollution == 3
    assert game.state.borough[1].pollution == 0


def test_RU2_with_an_airport_too_both_of_a_tourist_go_home() -> None:
    """RU2: the port's rule applies, Tourists included."""
    airport = dict.fromkeys([f"{col}{row}" for col in "CDE" for row in (1, 2, 3)], "A9")
    given = {"seat": 1, "host": 1, "modules": ["new_buildings"]}
    game = shanghai(**airport, C4="F1:1!", given=given)
    assert (materials(game, 0), materials(game, 1)) == ((0, 0, 0), (2, 0, 0))


def test_AS2_without_room_at_home_a_tourists_products_stay_in_the_port() -> None:
    """AS2, P4.4: it is a warehouse of the host; one fits at home, the other does not."""
    full = "Hl:m Hl:m\nHl:m Hl"
    game = shanghai(full, C4="F1:1!", given={"seat": 1, "host": 1})
    assert (materials(game, 0), materials(game, 1)) == ((1, 0, 0), (1, 0, 3))
    assert_picture(game, 0, drawn("shanghai", C4="F1:1!", A4="Pt:w"))


# -- over several rounds


def test_AS2_two_rounds_of_double_production_and_pollution() -> None:
    """AS2: two people take turns in the two factories, each round two wood, two people and two products."""
    homes = {"F1": "R1:0", "G1": "R1:0", "H1": "R1", "H2": "R1"}
    game = shanghai(phase="move", C4="F1", C6="F1", **homes)
    play(game, "at C4", "no")
    idle_to(game, "council")
    assert (materials(game)[0], game.state.borough[0].pollution) == (2, 4)
    idle_to(game, "move", round=2)
    play(game, "at C6", "at H1")
    idle_to(game, "council")
    assert (materials(game)[0], game.state.borough[0].pollution) == (4, 8)
