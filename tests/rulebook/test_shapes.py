"""Section 2: every tile can be laid in all the ways of its shape, turned and mirrored, and in no other."""

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.actions import space_name
from smallcity_env.text.grid import members
from tests.rulebook.laying import shape, shapes
from tests.rulebook.places import about_to_build, in_council

O1 = "#"
I2 = "##  #/#"
I3 = "###  #/#/#"
L3 = "##/#.  ##/.#  #./##  .#/##"
I4 = "####  #/#/#/#"
L4 = "###/#..  ###/..#  #../###  ..#/###  ##/#./#.  ##/.#/.#  #./#./##  .#/.#/##"
T4 = "###/.#.  .#./###  #./##/#.  .#/##/.#"
O4 = "##/##"
I5 = "#####  #/#/#/#/#"
P5 = "##/##/#.  ##/##/.#  #./##/##  .#/##/##  ###/##.  ###/.##  ##./###  .##/###"
R8 = "####/####  ##/##/##/##"
Q9 = "###/###/###"

SHAPES = {
    "residential-1": O1,
    "residential-2": I2,
    "residential-3": L3,
    "residential-4": f"{O4} {L4}",
    "residential-5": P5,
    "commercial-1": O1,
    "commercial-2": I2,
    "commercial-3": I3,
    "commercial-4": f"{I4} {T4}",
    "factory-1": O1,
    "factory-2": I2,
    "factory-3": I3,
    "park-1": O1,
    "park-2": I2,
    "park-3": L3,
    "warehouse": I2,
    "refinery": O1,
    "harbor": O4,
    "school": O1,
    "library": I2,
    "museum": L3,
    "metro": I2,
    "clinic": I3,
    "university": O4,
    "airport-8": R8,
    "airport-9": Q9,
    "bank": O4,
    "recycling": L4,
    "tramway": I5,
    "big-ben": O1,
    "opera": O4,
}


@pytest.mark.parametrize("tile", SHAPES)
def test_the_shape_of_every_tile(tile: str) -> None:
    """Section 2: both shapes of a level that has two, also the biggest ones."""
    game = about_to_build(tile, size=10)
    assert shapes(game, f"build {tile}") == set(SHAPES[tile].split())


@pytest.mark.parametrize(("tile", "ways"), [("police", I2), ("fire", L3)])
def test_the_shape_of_the_service_buildings(tile: str, ways: str) -> None:
    assert shapes(in_council(3, ""), f"build {tile}") == set(ways.split())


def test_the_shape_of_city_hall() -> None:
    game = Game(Config(players=1, modules=()))
    assert {shape(layout) for layout in hall_layouts(game)} == {O4}


def hall_layouts(game: Game) -> set[str]:
    """Every place for City Hall in the set-up, tried out."""
    placed = set()
    for action in game.legal():
        after = game.clone()
        after.step(int(action))
        placed.add(" ".join(space_name(n) for n in members(after.state.borough[0].tiled)))
    return placed
