"""P2.9, RU1 and RU5: the Warehouse that comes with a new Factory; tiles built by the council."""

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.laying import assert_starts, build_somewhere, layouts, layouts_asked, starts
from tests.rulebook.places import INDUSTRY, in_council
from tests.rulebook.words import offered, play, spaces
from tests.scene import assert_picture, scene


def next_to_factory(*pictures: str, **given: object) -> Game:
    """Seat 0 has just built a level-1 factory on D4."""
    game = scene(*(pictures or ("", "")), **{"money": {0: 9, 1: 9}, **given})  # type: ignore[arg-type]
    return play(game, "build factory-1", "at D4")


# -- P2.9


def test_P2_9_a_new_factory_brings_a_warehouse_at_once_and_free() -> None:
    game = next_to_factory("", "", money={0: 3, 1: 9})
    assert (game.ask, game.state.kind, game.seat) == (Ask.WHERE, Kind.WAREHOUSE, 0)
    assert "no" not in offered(game)
    play(game, "at C3", "way 1")
    assert_picture(game, 0, "\n".join([".", ".", ". . Wa:' Wa", ". . . F1:'"]))
    assert game.state.borough[0].money == 2
    assert game.state.supply[Kind.WAREHOUSE] == 11


def test_P2_9_also_without_a_dollar_left() -> None:
    game = next_to_factory("", "", money={0: 1, 1: 9})
    assert (game.ask, game.state.kind) == (Ask.WHERE, Kind.WAREHOUSE)


def test_P2_9_at_least_one_space_in_the_influence_area() -> None:
    across = "B3 C3  C3 D3  D3 E3  E3 F3  B4 C4  E4 F4  B5 C5  C5 D5  D5 E5  E5 F5"
    down = "C2 C3  D2 D3  E2 E3  C3 C4  E3 E4  C4 C5  E4 E5  C5 C6  D5 D6  E5 E6"
    assert layouts_asked(next_to_factory()) == set(across.split("  ") + down.split("  "))


def test_P2_9_it_is_not_the_area_of_another_factory() -> None:
    game = next_to_factory("F1", "")
    assert not spaces(game) & {"A2", "B1", "B2", "A3"}


def test_P2_9_nor_for_a_factory_on_the_first_space() -> None:
    game = scene(".\n.\n.\n. . . F1", "", money={0: 9, 1: 9})
    assert spaces(play(game, "build factory-1", "at A1")) == {"B1", "A2", "B2"}


def test_P2_9_it_does_not_count_as_a_build() -> None:
    game = next_to_factory()
    play(game, "at C3", "way 1", "build park-1", "at A1", "build park-1", "at A7")
    assert game.seat == 1


def test_P2_9_three_factories_bring_three() -> None:
    game = scene("", "", money={0: 9, 1: 9})
    for factory, warehouse in [("A1", "B1"), ("D4", "E4"), ("A7", "B7")]:
        play(game, "build factory-1", f"at {factory}", f"at {warehouse}")
        if game.ask is Ask.WAY:
            play(game, "way 1")
    assert game.seat == 1
    assert_picture(game, 0, "F1 Waa Waa\n.\n.\n. . . F1 Wab Wab\n.\n.\nF1 Wac Wac")


@pytest.mark.parametrize("level", [2, 3])
def test_P2_9_with_a_new_factory_of_any_level(level: int) -> None:
    game = build_somewhere(scene(INDUSTRY, "", money={0: 3, 1: 9}), f"build factory-{level}")
    assert (game.ask, game.state.kind, game.seat) == (Ask.WHERE, Kind.WAREHOUSE, 0)


def test_P2_9_not_with_an_upgrade() -> None:
    game = scene("F1 .\n. Re", "", money={0: 3, 1: 9})
    play(game, "upgrade factory-2", "way 1")
    assert game.ask is Ask.WHAT
    assert game.state.borough[0].built[Kind.WAREHOUSE] == 0


def test_P2_9_not_with_a_printed_one() -> None:
    game = play(Game(Config(players=1, boards="hong-kong", modules=())), "at A1")
    assert game.ask is Ask.DIFFICULTY
    assert game.state.borough[0].built[Kind.FACTORY_3] == 1
    assert game.state.borough[0].built[Kind.WAREHOUSE] == 0


def test_P2_9_not_with_other_tiles() -> None:
    game = play(scene("F1", "", money={0: 9, 1: 9}), "build refinery", "at B1")
    assert game.ask is Ask.WHAT


def test_P2_9_not_with_three_warehouses() -> None:
    two = "Waa Waa\nWab Wab"
    assert next_to_factory(two, "").state.kind == Kind.WAREHOUSE
    game = next_to_factory(two + "\nWac Wac", "")
    assert game.ask is Ask.WHAT
    assert game.state.borough[0].built[Kind.WAREHOUSE] == 3


def test_P2_9_not_with_an_empty_supply() -> None:
    assert next_to_factory(supply={"warehouse": 1}).state.kind == Kind.WAREHOUSE
    game = next_to_factory(supply={"warehouse": 0})
    assert game.ask is Ask.WHAT
    assert game.state.borough[0].built[Kind.WAREHOUSE] == 0


def test_P2_9_not_where_it_fits_nowhere() -> None:
    """P2.9: B1 is empty but no two spaces together; the factory is built all the same."""
    game = scene(". . P1\nP1 P1 P1\nP1 P1 P1", "", money={0: 9, 1: 9})
    play(game, "build factory-1", "at A1")
    assert game.ask is Ask.WHAT
    assert_picture(game, 0, "F1:' . P1\nP1 P1 P1\nP1 P1 P1")


def test_P2_9_the_player_chooses_where_but_one_place_is_not_asked() -> None:
    game = scene(". . . P1\nP1 P1 P1 P1\nP1 P1 P1", "", money={0: 9, 1: 9})
    play(game, "build factory-1", "at A1")
    assert game.ask is Ask.WHAT
    assert_picture(game, 0, "F1:' Wa:' Wa P1\nP1 P1 P1 P1\nP1 P1 P1")


def test_P2_9_not_on_river_spaces() -> None:
    """P2.9: E1, E2 and D3, E3 are river; a Warehouse that is paid for may lie there."""
    game = scene("Hl:w Hl:w . . ~\nHl Hl", "", boards="river-easy", money={0: 9, 1: 9})
    paid = scene("Hl:w Hl:w . F1 ~\nHl Hl", "", boards="river-easy", money={0: 9, 1: 9})
    assert "D2 E2" in layouts(paid, "build warehouse")
    play(game, "build factory-1", "at D1")
    possible = layouts_asked(game)
    assert {"C1 C2", "C2 D2"} <= possible
    assert not any(set(layout.split()) & {"E1", "E2", "D3", "E3"} for layout in possible)


# -- RU5


def test_RU5_it_is_placed_before_the_next_build_on_empty_spaces() -> None:
    game = next_to_factory(".\n.\n. . .:* .:M .:M\n. . P1 . .:+\n. . .:s . .", "")
    assert all(answer.startswith("at ") for answer in offered(game))
    assert layouts_asked(game) == {"D5 E5", "D5 D6", "E5 F5", "E5 E6"}


# -- RU1


def test_RU1_a_factory_of_the_council_brings_its_warehouse() -> None:
    game = in_council(1, "Hl:0 Hl\nHl Hl", "", votes={1: 1})
    play(game, "build factory-1", "at D4")
    assert (game.ask, game.state.kind, game.seat) == (Ask.WHERE, Kind.WAREHOUSE, 0)
    play(game, "at E4", "way 1")
    assert_picture(game, 0, "Hl:0 Hl\nHl Hl\n.\n. . . F1 Wa Wa")
    assert game.seat == 1


def test_RU1_the_councilors_factory_too() -> None:
    game = scene("", "", phase="select", seat=0, money=1)
    play(game, "card councilor", "row construction", "build factory-1", "at D4", "at E4", "way 1")
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    assert_picture(game, 0, ".\n.\n.\n. . . F1 Wa Wa")


def test_RU1_a_residence_of_the_council_takes_a_citizen_in() -> None:
    game = in_council(1, "Hl:0 Hl\nHl Hl", "", votes={1: 1})
    play(game, "build residential-1", "at C1")
    assert_picture(game, 0, "Hl Hl R1:0\nHl Hl")


BANKS = """
    . . . f ~ f . . . #
    . . . f ~ f . . . #
    """


@pytest.mark.parametrize("round_no", [2, 4, 6])
def test_RU1_in_flood_rounds_the_council_does_not_build_on_the_plain(round_no: int) -> None:
    game = in_council(1, BANKS, "", boards=("bangkok", "base-easy"), round=round_no)
    assert {"C1", "G1"} <= starts(game, "build park-1")
    assert not starts(game, "build park-1") & {"D1", "F1", "D2", "F2"}


@pytest.mark.parametrize("round_no", [1, 3, 5, 7, 8])
def test_RU1_in_other_rounds_the_plain_pays_at_once(round_no: int) -> None:
    game = in_council(1, BANKS, "", boards=("bangkok", "base-easy"), round=round_no, votes={1: 1})
    play(game, "build park-1", "at D1")
    assert (game.seat, game.state.borough[0].money) == (1, 1)
    play(game, "no")
    assert game.state.borough[0].money == 1


def test_RU1_power_is_needed_for_the_councils_tiles() -> None:
    game = in_council(1, "", "", modules=["power_plants"], powered="BC", plants=[0, 1, 0])
    assert_starts(game, "build park-1", ". o o . . . .\n" * 7)
    dark = scene("", "", phase="council", money=1, modules=["power_plants"])
    play(dark, "row construction")
    assert dark.ask is not Ask.WHAT


def test_RU1_supply_and_limits_hold_for_the_council() -> None:
    game = in_council(2, "F1 Re", "", supply={"park-1": 0, "refinery": 2})
    assert "build park-1" not in offered(game)
    assert "build park-2" in offered(game)
    assert "build warehouse" in offered(game)
    assert "build refinery" not in offered(game)
