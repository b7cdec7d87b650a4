"""Power plants: nine rounds, and no tile without a powered column (PP1 - PP3)."""

from typing import Any

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.cities import drawn
from tests.rulebook.laying import assert_starts, layouts, starts
from tests.rulebook.words import idle, idle_to, offered, play, spaces
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"
MODULES = ["power_plants"]
PLANTS = {"build plant-1", "build plant-2", "build plant-3"}


def building(picture: str = "", **given: Any) -> Game:
    """Phase 2 with $20."""
    return scene(picture, **{"money": 20, "modules": MODULES, **given})


def powered(game: Game) -> str:
    """The powered columns."""
    return "".join(c for i, c in enumerate("ABCDEFGHIJ") if game.state.borough[0].powered >> i & 1)


# -- PP1 and the set-up


@pytest.mark.parametrize(("modules", "rounds"), [(("power_plants",), 9), ((), 8)])
def test_PP1_nine_rounds(modules: tuple[str, ...], rounds: int) -> None:
    """PP1: a whole idle game; without the module eight."""
    game = idle(Game(Config(2, modules=modules), seed=5), lambda g: g.over)
    assert game.round == rounds


def test_SU4_more_money_at_the_start() -> None:
    """SU4: $8, $10, $12, $14 in turn order."""
    game = Game(Config(4, modules=MODULES), seed=2)
    host = int(game.state.host)
    assert [int(game.state.borough[(host + i) % 4].money) for i in range(4)] == [8, 10, 12, 14]


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_PP2_one_of_each_level_in_every_hand(players: int) -> None:
    """PP2: of 12, 8 and 4 the rest is the supply; none is built yet."""
    s = Game(Config(players, modules=MODULES)).state
    left = [int(s.supply[kind]) for kind in (Kind.PLANT_1, Kind.PLANT_2, Kind.PLANT_3)]
    assert left == [12 - players, 8 - players, 4 - players]
    assert not s.borough["plants"].any() and not s.borough["powered"].any()


# -- PP2: building plants


@pytest.mark.parametrize(("level", "price"), [(1, 4), (2, 6), (3, 8)])
def test_PP2_prices(level: int, price: int) -> None:
    """PP2: $4, $6, $8; one less with the Mediator."""
    build = f"build plant-{level}"
    assert build not in offered(building(money=price - 1))
    game = play(building(money=price), build, "at B1")
    assert game.state.borough[0].money == 0
    assert powered(game) == "BCDEFG"[:level]
    helped = play(building(money=price - 1, card="mediator"), build, "at A1")
    assert helped.state.borough[0].money == 0


@pytest.mark.parametrize(
    ("level", "columns", "places"),
    [
        (1, "", "A B C D E F G"),
        (3, "", "A B C D E"),
        (1, "BD", "A C E F G"),
        (2, "BD", "E F"),
        (3, "D", "A E"),
        (3, "CE", ""),
    ],
)
def test_PP2_above_adjacent_columns_of_the_zone_that_have_none(level: int, columns: str, places: str) -> None:
    """PP2: a level-n plant stands above n of them."""
    game = building(**({"powered": columns} if columns else {}))
    assert starts(game, f"build plant-{level}") == {f"{column}1" for column in places.split()}


def test_PP2_columns_without_land_are_none_of_the_zone() -> None:
    """PP2, T1: Shanghai ends at H, Hong Kong at I; a zone of 8 has H."""
    assert starts(building(drawn("shanghai"), boards="shanghai"), "build plant-3") == {
        f"{column}1" for column in "ABCDEF"
    }
    hong_kong = building(drawn("hong-kong"), boards="hong-kong")
    assert "I1" in starts(hong_kong, "build plant-1") and "J1" not in starts(hong_kong, "build plant-1")
    assert "H1" in starts(building(size=8), "build plant-1")


def test_PP2_the_first_comes_from_the_hand_the_next_from_the_supply() -> None:
    """PP2: with an empty supply one of each level can still be built, and no second."""
    empty = {"plant-1": 0, "plant-2": 0, "plant-3": 0}
    game = building(supply=empty)
    assert offered(game) >= PLANTS
    play(game, "build plant-1", "at A1")
    assert offered(game) & PLANTS == {"build plant-2", "build plant-3"}
    assert game.state.supply[Kind.PLANT_1] == 0
    last = building(supply={"plant-1": 1}, plants=[1], powered="A")
    play(last, "build plant-1", "at B1")
    assert last.state.supply[Kind.PLANT_1] == 0
    assert "build plant-1" not in offered(last)


def test_PP2_not_counted_as_builds_and_any_number() -> None:
    """PP2: three parks and, before, between and after them, plants."""
    game = building(money=30)
    play(game, "build plant-1", "at A1", "build park-1", "at A1", "build plant-1", "at B1")
    play(game, "build park-1", "at B1", "build park-1", "at B2")
    assert offered(game) - {"no"} == PLANTS
    play(game, "build plant-2", "at C1")
    assert powered(game) == "ABCD"
    assert game.state.borough[0].money == 30 - 4 - 2 - 4 - 2 - 2 - 6


@pytest.mark.parametrize("first", ["enlarge", "build plant-1"])
def test_PP2_beside_enlarging_before_or_after_it(first: str) -> None:
    """PP2, P2.2: the zone and plants, the new column too; but no tile any more."""
    game = building()
    play(game, *(["build plant-1", "at A1", "enlarge"] if first != "enlarge" else ["enlarge"]))
    assert offered(game) == PLANTS | {"no"}
    play(game, "build plant-1", "at H1")
    assert "H" in powered(game)


def test_P2_2_after_a_tile_no_enlarging() -> None:
    """P2.2, PP2: a plant leaves the choice open, a tile does not."""
    game = play(building(), "build plant-1", "at A1")
    assert "enlarge" in offered(game)
    assert "enlarge" not in offered(play(game, "build park-1", "at A1"))


def test_PP2_plants_are_for_phase_2() -> None:
    """PP2, P7.5: the council builds none; without the module nobody does."""
    council = scene("", HALL, phase="council", money=9, modules=MODULES, powered="A")
    assert not offered(play(council, "row construction")) & PLANTS
    assert not offered(building(modules=[])) & PLANTS


# -- PP3: power


def test_PP3_no_tile_without_power() -> None:
    """PP3: with no plant there is nothing to build but plants."""
    game = building("Hl:w Hl:s\nHl:m Hl\nR1", money=20)
    assert offered(game) == PLANTS | {"enlarge", "no"}


def test_PP3_a_space_in_a_powered_column() -> None:
    """PP3: one space of the tile is enough; the row does not matter."""
    game = building(powered="C")
    assert_starts(game, "build park-1", ". . o\n" * 7)
    for place in layouts(game, "build park-2"):
        assert "C" in place
    assert {"B1 C1", "C1 D1", "C6 C7"} <= layouts(game, "build park-2")


@pytest.mark.parametrize(
    "tile", ["school", "harbor", "refinery", "warehouse", "bank", "tramway", "opera", "airport-9"]
)
def test_PP3_every_kind_of_tile(tile: str) -> None:
    """PP3: also the buildings of other modules: nowhere but across column C."""
    given = {"modules": ["power_plants", "new_buildings", "real_buildings"], "votes": 9}
    picture = "Hl:w Hl:s . . . . .\nHl:m Hl . . . . .\n. . . . . . .\n. . . F1 . . ."
    assert f"build {tile}" not in offered(building(picture, **given))
    game = building(picture, powered="C", **given)
    places = layouts(game, f"build {tile}")
    assert places
    assert all("C" in place for place in places)


def test_PP3_upgrades_too() -> None:
    """PP3: the new tile has a space in a powered column, the old or an added one."""
    assert layouts(building("P1", powered="B"), "upgrade park-2") == {"A1 B1"}
    assert layouts(building("P1", powered="A"), "upgrade park-2") == {"A1 B1", "A1 A2"}
    assert "upgrade park-2" not in offered(building("P1", powered="D"))


def test_PP3_printed_tiles_only_when_upgraded() -> None:
    """PP3, AS3: Seoul's shop at B2 works without power; to become a level 2 it needs some."""
    seoul = drawn("seoul", A1="R1:0", A2="R1")
    assert "upgrade commercial-2" not in offered(building(seoul, boards="seoul", powered="D"))
    assert layouts(building(seoul, boards="seoul", powered="C"), "upgrade commercial-2") == {"B2 C2"}
    moving = scene(seoul, HALL, boards=["seoul", "base-easy"], phase="move", money=1, modules=MODULES)
    assert "B2" in spaces(moving)
    assert idle_to(play(moving, "at B2"), "council").state.borough[0].money == 4


def test_PP3_free_warehouses_too() -> None:
    """PP3, P2.9: only across the powered column, and where that is full there is none."""
    game = play(building(powered="C"), "build factory-1", "at C1")
    assert {"B2", "C2"} <= spaces(game)
    assert not spaces(game) & {"A1", "D1", "A2"}
    full = "\n".join([". . ."] + [". . P1"] * 6)
    alone = play(building(full, powered="C"), "build factory-1")
    assert alone.ask.name == "WHAT"
    assert alone.state.borough[0].built[Kind.WAREHOUSE] == 0


def test_PP3_city_hall_needs_none() -> None:
    """PP3, SU2: it is placed before anybody has power."""
    assert len(spaces(Game(Config(1, modules=MODULES)))) == 36


def test_RU1_council_builds_need_power() -> None:
    """RU1, PP3: in Phase 7 and with the City Councilor."""
    dark = play(scene("", HALL, phase="council", money=1, modules=MODULES), "row construction")
    assert dark.phase.name != "COUNCIL"  # nothing to build: not asked
    light = play(scene("", HALL, phase="council", money=1, modules=MODULES, powered="C"), "row construction")
    assert_starts(light, "build park-1", ". . o\n" * 7)


def test_PP3_plants_are_neither_upgraded_nor_trampled() -> None:
    """PP3: there is no such build, and markers all down a column leave it powered."""
    game = building(powered="C", plants=[1])
    assert not [answer for answer in offered(game) if answer.startswith("upgrade plant")]
    marked = building("\n".join([". . .:*"] * 7), powered="C", modules=["power_plants", "godzillas"])
    assert layouts(marked, "build park-2") == set()
    assert starts(marked, "build plant-1") == {"A1", "B1", "D1", "E1", "F1", "G1"}
    assert powered(marked) == "C"
