"""One row per tile: shape, cost, supply, people spaces (section 2 of the rules).

A row holds the standard numbers; `_in_force` puts those of a file in their places.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum
from typing import Any, Final

import numpy as np

from ..numbers import NumberKind, Supply, Values, Whole, Wholes, Wrong, agree, number
from . import MATERIALS, WAREHOUSES, Family, Place, every
from .declare import Tile as Tile
from .modules import TILES as DECLARED
from .modules import added, number_of
from .shapes import LONGEST, WAYS, WAYS_OF, WAYS_OF_TILE, Shapes, cells_of, named

PER_PLAYER = -1  # supply: one for each player
FEWER = -2  # supply: players - 1, at least 1
HANDS = 4  # each with a power plant of every level (PP2); those of further seats come on top


class Kind(IntEnum):
    """Every tile, in the order of the action space. The levels of a family follow one another."""

    NONE = 0
    RESIDENTIAL_1 = 1
    RESIDENTIAL_2 = 2
    RESIDENTIAL_3 = 3
    RESIDENTIAL_4 = 4
    RESIDENTIAL_5 = 5
    COMMERCIAL_1 = 6
    COMMERCIAL_2 = 7
    COMMERCIAL_3 = 8
    COMMERCIAL_4 = 9
    FACTORY_1 = 10
    FACTORY_2 = 11
    FACTORY_3 = 12
    PARK_1 = 13
    PARK_2 = 14
    PARK_3 = 15
    WAREHOUSE = 16
    REFINERY = 17
    HARBOR = 18
    SCHOOL = 19
    LIBRARY = 20
    MUSEUM = 21
    METRO = 22
    CLINIC = 23
    UNIVERSITY = 24
    POLICE = 25
    FIRE = 26
    AIRPORT_8 = 27
    AIRPORT_9 = 28
    BANK = 29
    RECYCLING = 30
    TRAMWAY = 31
    BIG_BEN = 32
    OPERA = 33
    PLANT_1 = 34
    PLANT_2 = 35
    PLANT_3 = 36
    CITY_HALL = 37
    PORT = 38
    MONASTERY = 39
    vars().update(added(vars(), (tile.kind for tile in DECLARED)))


KINDS = len(Kind)


_BY_PLAYERS = (("one a player", PER_PLAYER), ("players - 1", FEWER))
_SUPPLY = Supply(0, 99, _BY_PLAYERS)


def _family(family: Family, place: Place, rate: int, shapes: str,
            supply: tuple[int, ...], sources: str) -> list[Tile]:  # fmt: skip
    """The levels of one family: level n covers n spaces, one person on each."""
    name, rows = family.name.lower(), []
    first = Kind[f"{family.name}_1"]
    shape, cost, count = tuple(sources)
    rate = number(f"tiles.{name}.rate", rate, f"section 2 [{cost}] money a space", Whole(0, 20))
    counts = Wholes(len(supply), 0, 99)
    supply = number(f"tiles.{name}.supply", supply, f"section 2 [{count}] by level", counts)
    for level, names in enumerate(shapes.split(), start=1):
        if Kind[f"{family.name}_{level}"] != first + level - 1:
            raise LookupError(f"{family.name}_{level} does not follow the level below it in Kind")
        rows.append(
            Tile(
                kind=Kind[f"{family.name}_{level}"],
                code=f"{family.name[0]}{level}",
                shapes=_shapes(f"{name}-{level}", tuple(names.split("/")), shape, Shapes(level, level)),
                rate=rate,
                money=rate * level,
                supply=supply[level - 1],
                family=family,
                level=level,
                place=place,
                rooms=level,
                council=True,
                warehouse=family is Family.FACTORY,
            )
        )
    return rows


def _shapes(tile: str, names: tuple[str, ...], source: str, kind: Shapes) -> tuple[str, ...]:
    """The shapes of a tile in force; a tile of one space has no other."""
    if kind.high == 1:
        return names
    standard = tuple(map(cells_of, names))
    return tuple(map(named, number(f"tiles.{tile}.shape", standard, f"section 2 [{source}]", kind)))


def _cultural(kind: Kind, code: str, shape: str, materials: tuple[int, int, int], gain: int,
              supply: int, sources: str, place: Place = Place.NOBODY, rooms: int = 0) -> Tile:  # fmt: skip
    """A cultural building: paid in materials, pays votes, public, one a player."""
    return Tile(kind, code, (shape,), sources, materials=materials, gain=gain, supply=supply, limit=1,
                place=place, rooms=rooms, public=True, cultural=True, whole=True,
                guests=rooms > 0)  # fmt: skip


_SINGLE: Final = [
    Tile(Kind.WAREHOUSE, "Wa", ("I2",), "RRP", money=2, supply=12, limit=WAREHOUSES, council=True),
    Tile(Kind.REFINERY, "Re", ("O1",), "PRP", money=1, supply=PER_PLAYER, limit=1, council=True,
         several=True),
    Tile(Kind.HARBOR, "Ha", ("O4",), "RRP", money=1, supply=PER_PLAYER, limit=1, council=True,
         several=True, sizes=(2, LONGEST)),
    _cultural(Kind.SCHOOL, "Sc", "O1", (2, 0, 0), 2, PER_PLAYER, "PRP"),
    _cultural(Kind.LIBRARY, "Li", "I2", (1, 1, 0), 4, PER_PLAYER, "PRP"),
    _cultural(Kind.MUSEUM, "Mu", "L3", (1, 1, 1), 9, PER_PLAYER, "RRP", Place.MUSEUM, 3),
    _cultural(Kind.METRO, "Me", "I2", (0, 2, 0), 5, FEWER, "RRP"),
    _cultural(Kind.CLINIC, "Cl", "I3", (0, 1, 1), 9, FEWER, "RRP", Place.CLINIC, 3),
    _cultural(Kind.UNIVERSITY, "Un", "O4", (1, 2, 1), 11, FEWER, "RRP", Place.UNIVERSITY, 4),
    Tile(Kind.POLICE, "Po", ("I2",), "PPP", supply=FEWER, limit=1, public=True, service=True, whole=True,
         council=True),
    Tile(Kind.FIRE, "Fi", ("L3",), "PPP", supply=FEWER, limit=1, public=True, service=True, whole=True,
         council=True),
]  # fmt: skip
NAMES: Final = {kind: kind.name.lower().replace("_", "-") for kind in Kind}


# -- which numbers of a row a file may replace


def _supply(tile: Tile) -> Supply:
    """How many there may be: a power plant for each of four hands (PP2), Big Ben and Opera House once."""
    if tile.plant:
        return Supply(HANDS, 99)
    return Supply(0, 1) if tile.once else _SUPPLY


def _free_numbers(tile: Tile) -> dict[str, tuple[str, NumberKind]]:
    """What a file may say about a tile: note and kind of each number."""
    _, cost, supply = tuple(tile.sources)
    free: dict[str, tuple[str, NumberKind]] = {}
    if not tile.service:
        free["money"] = f"section 2 [{cost}]", Whole(0, 99)
    if not tile.service and not tile.plant:
        free["votes"] = f"section 2 [{cost}] votes it costs", Whole(0, 99)
        free["materials"] = f"section 2 [{cost}] wood, stone, metal", Wholes(MATERIALS, 0, 9)
    if tile.cultural:
        free["gain"] = f"P2.11 [{cost}] votes it brings", Whole(0, 50)
    free["supply"] = f"section 2 [{supply}]", _supply(tile)
    if tile.several:
        free["limit"] = "C6 [R] a player has at most", Whole(1, 9)
    if tile.guests:
        free["rooms"] = "section 2 [R] people spaces", Whole(1, LONGEST)
    return free


def _in_force(tile: Tile) -> Tile:
    """A row with the numbers of a file, if there is one."""
    name = NAMES[tile.kind]
    changes: dict[str, Any] = {
        field: number(f"tiles.{name}.{field}", getattr(tile, field), note, kind)
        for field, (note, kind) in _free_numbers(tile).items()
    }
    if tile.shapes:
        sizes = Shapes(*(tile.sizes or (1, LONGEST)))
        changes["shapes"] = _shapes(name, tile.shapes, tile.sources[0], sizes)
    return replace(tile, **changes)


ROWS: Final = [
    *_family(Family.RESIDENTIAL, Place.RESIDENTIAL, 1, "O1 I2 L3 O4/L4 P5", (30, 24, 18, 12, 6), "RPR"),
    *_family(Family.COMMERCIAL, Place.COMMERCIAL, 2, "O1 I2 I3 I4/T4", (16, 12, 8, 5), "RPR"),
    *_family(Family.FACTORY, Place.FACTORY, 1, "O1 I2 I3", (16, 12, 9), "RRR"),
    *_family(Family.PARK, Place.PARK, 3, "O1 I2 L3", (25, 18, 12), "RRR"),
    *map(_in_force, _SINGLE),
    *(_in_force(replace(tile, kind=Kind[tile.kind])) for tile in DECLARED),
    Tile(Kind.CITY_HALL, "Hl", ("O4",), supply=PER_PLAYER, place=Place.CITY_HALL, rooms=4, public=True,
         built=False),
    Tile(Kind.PORT, "Pt", ("D6",), built=False),
    Tile(Kind.MONASTERY, "Mo", ("O1",), place=Place.MONASTERY, rooms=1, built=False),
]  # fmt: skip


_GUESTS: Final = [NAMES[tile.kind] for tile in ROWS if tile.guests]


@agree(*(f"tiles.{name}.{field}" for name in _GUESTS for field in ("rooms", "shape")))
def _people_have_room(values: Values) -> None:
    """People spaces are spaces of the tile."""
    for name in _GUESTS:
        rooms, spaces = values[f"tiles.{name}.rooms"], min(map(len, values[f"tiles.{name}.shape"]))
        if rooms > spaces:
            raise Wrong(f"tiles.{name}.rooms cannot be {rooms}: its drawing has {spaces} spaces")


@agree("cards.mediator", *(f"tiles.plant-{level}.money" for level in (1, 2, 3)))
def _plants_cost_something(values: Values) -> None:
    """The Mediator leaves at least $1 to pay (P1.3 C)."""
    for key in (f"tiles.plant-{level}.money" for level in (1, 2, 3)):
        if values[key] <= values["cards.mediator"]:
            raise Wrong(f"{key} must be more than cards.mediator saves")


CODES: Final = {tile.kind: tile.code for tile in ROWS}

_COLUMN = np.int64
TILE = np.dtype(
    [
        ("family", _COLUMN),
        ("level", _COLUMN),
        ("spaces", _COLUMN),
        ("rate", _COLUMN),
        ("money", _COLUMN),
        ("votes", _COLUMN),
        ("materials", _COLUMN, (3,)),
        ("gain", _COLUMN),
        ("supply", _COLUMN),
        ("limit", _COLUMN),
        ("place", _COLUMN),
        ("rooms", _COLUMN),
        ("public", _COLUMN),
        ("cultural", _COLUMN),
        ("service", _COLUMN),
        ("whole", _COLUMN),
        ("plant", _COLUMN),
        ("council", _COLUMN),
        ("warehouse", _COLUMN),
        ("ways", _COLUMN),  # how many ways round
        ("way", _COLUMN, (WAYS_OF_TILE,)),  # which, as indices of shapes.WAYS
    ],
    align=True,
)
TILES = np.zeros(KINDS, np.dtype((np.record, TILE)))
for _tile in ROWS:
    _row = TILES[_tile.kind]
    for _name in TILE.names or ():
        if hasattr(_tile, _name):
            _row[_name] = getattr(_tile, _name)
    _ways = [way for shape in _tile.shapes for way in WAYS_OF[shape]]
    _row["ways"] = len(_ways)
    _row["way"][: len(_ways)] = _ways
    _row["spaces"] = len(WAYS[_ways[0]]) if _ways else 0


def _kinds(tiles: Iterable[Tile]) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """The kinds of some rows, in the order of Kind."""
    return np.array(sorted(tile.kind for tile in tiles), np.int64)


BUILT_KINDS = _kinds(tile for tile in ROWS if tile.built and not tile.later)  # by a player, in any phase
LATER_KINDS = _kinds(tile for tile in ROWS if tile.built and tile.later)
BOUGHT_KINDS = _kinds(tile for tile in ROWS if tile.built and not tile.service and not tile.plant)  # Phase 2
COUNCIL_KINDS = _kinds(tile for tile in ROWS if tile.council)
UPGRADING_KINDS = _kinds(tile for tile in ROWS if tile.family is not Family.OTHER)
HOME_KINDS = _kinds(tile for tile in ROWS if tile.family is Family.RESIDENTIAL)
CULTURAL_KINDS = _kinds(tile for tile in ROWS if tile.cultural)
PLANT_KINDS = _kinds(tile for tile in ROWS if tile.plant)
PUBLIC_KINDS = np.array([tile.kind for tile in ROWS if tile.public], np.int64)

every(Kind, [Kind.NONE, *(tile.kind for tile in ROWS)], "tile")
MODULE = np.zeros(KINDS, np.int64)  # by kind: the number of the module that offers it
for _tile in ROWS:
    MODULE[_tile.kind] = number_of(_tile.module)
