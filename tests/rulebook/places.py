"""For every tile a borough where it can be built: its criteria are met and nothing stands in the way."""

from typing import Any, NamedTuple

from smallcity_env import Game
from tests.rulebook.laying import stocked
from tests.scene import scene


class Price(NamedTuple):
    """What a tile costs, its materials as wsm, and the votes it pays at once."""

    money: int = 0
    materials: str = ""
    votes: int = 0
    gain: int = 0


PRICES = {
    "residential-1": Price(1),
    "residential-2": Price(2),
    "residential-3": Price(3),
    "residential-4": Price(4),
    "residential-5": Price(5),
    "commercial-1": Price(2),
    "commercial-2": Price(4),
    "commercial-3": Price(6),
    "commercial-4": Price(8),
    "factory-1": Price(1),
    "factory-2": Price(2),
    "factory-3": Price(3),
    "park-1": Price(2),
    "park-2": Price(4),
    "park-3": Price(6),
    "warehouse": Price(2),
    "refinery": Price(2),
    "harbor": Price(3),
    "school": Price(materials="w", gain=2),
    "library": Price(materials="ws", gain=4),
    "museum": Price(materials="wsm", gain=7),
    "metro": Price(materials="ss", gain=4),
    "clinic": Price(materials="sm", gain=6),
    "university": Price(materials="wsmm", gain=10),
    "airport-8": Price(3, "wsm", votes=5),
    "airport-9": Price(3, "wsm", votes=5),
    "bank": Price(2),
    "recycling": Price(4),
    "tramway": Price(2),
    "big-ben": Price(materials="wsm"),
    "opera": Price(10),
}

PUBLIC = """
    .  .  .  .  .  .  .
    .  Li Li Sc Me Me .
    .  Po .  .  .  Cl .
    .  Po .  .  .  Cl .
    Hl Hl .  .  .  Cl .
    Hl Hl Fi Fi Un Un .
    .  .  Fi .  Un Un .
    """
HOMES = """
    .  .  .  .  .  .  .
    .  R1 R1 R1 R1 R1 R1
    .  R1 .  .  .  .  R1
    .  R1 .  .  .  .  R1
    .  R1 .  .  .  .  R1
    .  R1 .  .  .  .  R1
    .  R1 R1 R1 R1 R1 R1
    """
INDUSTRY = """
    Ha Ha .  .  .
    Ha Ha .  Re .
    .  .  .  .  .
    """
FACTORY = "F1"
HALL = "Hl Hl\nHl Hl"
AIRFIELD = HALL + "\n. . . . F1"
TEN_ACTIVE = "C4a:0 C4a:0 C4a:0 C4a:0\nC4b:0 C4b:0 C4b:0 C4b:0\nC4c:0 C4c:0 C4c C4c"
WESTMINSTER = """
    P2a P2a P1
    P2b .   R1
    P2b C1  Hl Hl
    .   .   Hl Hl
    """

PLACES = {
    **{f"residential-{level}": PUBLIC for level in range(1, 6)},
    **{f"commercial-{level}": HOMES for level in range(1, 5)},
    **{f"factory-{level}": INDUSTRY for level in range(1, 4)},
    "warehouse": FACTORY,
    "refinery": FACTORY,
    "airport-8": AIRFIELD,
    "airport-9": AIRFIELD,
    "recycling": TEN_ACTIVE,
    "big-ben": WESTMINSTER,
}
PARKS = ("park-1", "park-2", "park-3")
CULTURAL = ("school", "library", "museum", "metro", "clinic", "university")
SERVICE = ("police", "fire")


def place_for(tile: str) -> str:
    """A borough where the tile can be built."""
    return PLACES.get(tile, HALL)


def about_to_build(tile: str, price: Price | None = None, **given: Any) -> Game:
    """Seat 0 in Phase 2, where the tile can be built, with exactly its price or another one."""
    price = price or PRICES[tile]
    borough = stocked(place_for(tile), price.materials)
    given = {"modules": ("new_buildings", "real_buildings")} | given
    return scene(borough, "", money={0: price.money, 1: 2}, votes=price.votes, **given)


def in_council(tile_spaces: int, *pictures: str, **given: Any) -> Game:
    """Phase 7, at the question what to build free on a Construction space."""
    council = {"construction": tile_spaces - 1}
    game = scene(*pictures, phase="council", money=tile_spaces, council=council, **given)
    game.step("row construction")
    return game
