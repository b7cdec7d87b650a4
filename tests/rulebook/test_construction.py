"""Phase 7: the Construction row of the City Council builds free of charge (P7.5)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.words import idle, idle_to, offered, play, spaces
from tests.scene import assert_picture, scene


def construction(drawn: str, column: int, **given: Any) -> Game:
    """A council build of this column, paid in votes; mostly seat 0 has not a dollar."""
    boards = given.pop("boards", "base-easy")
    votes = {0: column, 1: 1}
    discs: dict[str, Any] = {"construction": column - 1}
    game = scene(drawn, "", phase="council", votes=votes, council=discs, boards=boards, **given)
    play(game, "row construction")
    return play(game, "pay votes") if game.ask == Ask.PAY else game


# Room for a factory 3 beside Refinery and Harbor, for a residential 4 amid four public buildings and for
# a commercial 4 beside four residences.
CITY = """
Ha Ha .  .  .  .  .  .  .  .
Ha Ha .  .  .  .  .  .  .  .
Re .  .  .  .  .  .  .  .  .
F1 .  .  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .  .  .
.  .  .  .  .  .  Sc .  .  .
.  .  .  .  Hl Hl .  .  Li .
.  .  .  .  Hl Hl .  .  Li .
R1 R1 R1 R1 .  .  Mu Mu .  .
.  .  .  .  .  .  Mu .  .  .
"""
BUILDS = {
    1: {"residential-1", "commercial-1", "factory-1", "park-1"},
    2: {"residential-2", "commercial-2", "factory-2", "park-2", "warehouse", "police"},
    3: {"residential-3", "commercial-3", "factory-3", "park-3", "fire"},
    4: {"residential-4", "commercial-4"},
}


@pytest.mark.parametrize("column", BUILDS)
def test_P7_5_every_column_builds_one_space_more(column: int) -> None:
    names = offered(construction(CITY, column))
    due = set().union(*(BUILDS[n] for n in range(1, column + 1)))
    assert {name for name in names if name.startswith("build")} == {f"build {name}" for name in due}


def test_P7_5_refinery_and_harbor() -> None:
    drawn = "F1 . .\n. . .\nHl Hl .\nHl Hl"
    assert "build refinery" in offered(construction(drawn, 1))
    assert "build harbor" not in offered(construction(drawn, 3))
    assert "build harbor" in offered(construction(drawn, 4))
    assert "build warehouse" not in offered(construction(drawn, 1))
    assert "build warehouse" in offered(construction(drawn, 2))


@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_P7_5_no_cultural_and_no_winter_building(column: int) -> None:
    drawn = "Hl:w Hl:s F1 .\nHl:s Hl:m . .\nWa:m Wa:w"
    modules = ["new_buildings", "real_buildings", "power_plants"]
    names = offered(construction(drawn, column, money=20, modules=modules, powered="ABCDEFG"))
    assert not names & {"build school", "build library", "build museum", "build metro", "build clinic"}
    assert not names & {"build university", "build bank", "build recycling", "build tramway"}
    assert not names & {"build airport-8", "build airport-9", "build big-ben", "build opera"}
    assert not names & {"build plant-1", "build plant-2", "build plant-3", "enlarge"}


def test_P7_5_free_of_charge() -> None:
    game = construction("Hl Hl\nHl Hl", 2)
    play(game, "build park-2", "at D4", "way 1")
    assert_picture(game, 0, "Hl Hl\nHl Hl\n.\n. . . P2 P2")
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (0, 0)
    game = construction("Hl Hl\nHl Hl", 2, money=9)
    play(game, "build park-2", "at D4", "way 1")
    assert game.state.borough[0].money == 9


def test_P7_5_one_tile_only() -> None:
    game = construction("Hl Hl\nHl Hl", 4)
    play(game, "build park-1", "at D4")
    assert game.seat == 1
    assert game.state.supply[Kind.PARK_1] == 24


def test_P7_5_may_be_declined() -> None:
    game = construction("Hl Hl\nHl Hl", 1)
    assert game.ask == Ask.WHAT
    play(game, "no")
    assert game.seat == 1
    assert game.state.borough[0].council.tolist() == [0, 0, 1, 0]


def test_P7_5_a_declined_build_is_gone() -> None:
    """The next build is one of Phase 2, and paid."""
    game = play(construction("Hl Hl\nHl Hl", 1, money=5), "no")
    idle_to(game, "build", 2)
    idle(game, lambda g: g.seat == 0)
    assert "build police" not in offered(game)
    play(game, "build park-1", "at D4")
    assert game.state.borough[0].money == 3


# -- criteria, limits, supply


def test_P7_5_criteria_apply() -> None:
    assert "build residential-1" not in offered(construction("", 1))  # no public building
    assert "build commercial-1" not in offered(construction("Hl Hl\nHl Hl", 1))  # no residence
    assert "build factory-2" not in offered(construction("F1", 2))  # no Refinery
    game = construction("Hl Hl .\nHl Hl .\n. . .\n. . F1", 1)
    play(game, "build residential-1")
    assert spaces(game) == {"C1", "C2", "A3"}  # beside City Hall, away from the factory


def test_P7_5_supply_and_limits_apply() -> None:
    game = construction("Hl Hl\nHl Hl", 2, supply={"park-1": 0, "police": 0})
    assert not offered(game) & {"build park-1", "build police"}
    three = "Waa Waa F1\nWab Wab .\nWac Wac ."
    assert "build warehouse" not in offered(construction(three, 2))
    assert "build warehouse" in offered(construction(three.replace("Wac", "."), 2))


# -- upgrades


@pytest.mark.parametrize(
    ("column", "upgrades"),
    [
        (1, set()),
        (2, {"upgrade park-2"}),
        (3, {"upgrade park-2", "upgrade park-3", "upgrade commercial-3"}),
        (4, {"upgrade park-2", "upgrade park-3", "upgrade commercial-3", "upgrade commercial-4"}),
    ],
)
def test_P7_5_an_upgrade_counts_with_all_its_spaces(column: int, upgrades: set[str]) -> None:
    drawn = "P1 . R1 R1 R1 R1\n. . C2 C2 . ."
    names = offered(construction(drawn, column))
    assert {name for name in names if name.startswith("upgrade")} == upgrades


def test_P7_5_an_upgrade_is_free_and_gives_the_old_tile_back() -> None:
    game = construction("P1 .\n. .", 2)
    play(game, "upgrade park-2", "way 2")
    assert_picture(game, 0, "P2 .\nP2 .")
    assert (game.state.supply[Kind.PARK_1], game.state.supply[Kind.PARK_2]) == (25, 17)


def test_P7_5_upgrade_criteria_apply() -> None:
    names = offered(construction("Hl Hl R1\nHl Hl .", 4))
    assert not {name for name in names if name.startswith("upgrade")}  # one public building only


# -- Police and Fire


def test_P7_5_police_from_column_2_fire_from_column_3() -> None:
    services = {"build police", "build fire"}
    got = [offered(construction("Hl Hl\nHl Hl", column)) & services for column in (1, 2, 3, 4)]
    assert got == [set(), {"build police"}, services, services]


def test_P7_5_police_and_fire_are_not_built_in_phase_2() -> None:
    game = scene("Hl:w Hl:s\nHl:m Hl:m\nWa:s Wa:s", "", phase="build", money=30)
    assert not offered(game) & {"build police", "build fire"}


@pytest.mark.parametrize(("kind", "drawn"), [("police", "Po Po"), ("fire", "Fi Fi\nFi .")])
def test_P7_5_one_of_each_a_player(kind: str, drawn: str) -> None:
    given: dict[str, Any] = {"supply": {kind: 1}}
    assert f"build {kind}" in offered(construction("", 4, **given))
    assert f"build {kind}" not in offered(construction(drawn, 4, **given))


def test_P7_5_a_police_station_is_laid() -> None:
    game = construction("Hl Hl\nHl Hl", 2)
    play(game, "build police", "at G6")
    assert_picture(game, 0, "Hl Hl\nHl Hl\n.\n.\n.\n. . . . . . Po\n. . . . . . Po")
    assert game.state.supply[Kind.POLICE] == 0  # one for two players


# -- materials


def test_P7_5_river_material_is_included() -> None:
    """In Phase 2 E1 costs a wood; by the council nothing, even where there is none to pay with."""
    park = "build park-1"
    built = construction("Hl Hl\nHl Hl", 1, boards=["river-easy", "base-easy"])
    play(built, park, "at E1")
    assert_picture(built, 0, "Hl Hl . . P1\nHl Hl")
    wood = construction("Hl:w Hl\nHl Hl", 1, boards=["river-easy", "base-easy"])
    play(wood, park, "at E1")
    assert_picture(wood, 0, "Hl:w Hl . . P1\nHl Hl")
    paid = scene("Hl Hl\nHl Hl", "", phase="build", money=9, boards=["river-easy", "base-easy"])
    play(paid, park)
    assert "E1" not in spaces(paid)


def test_P7_5_not_on_a_space_that_is_not_empty() -> None:
    game = construction(".:M .:M .:+ .:s\n.:* . . .", 1, modules=["godzillas"], size=7)
    play(game, "build park-1")
    assert len(spaces(game)) == 49 - 5
    assert not spaces(game) & {"A1", "B1", "C1", "D1", "A2"}
