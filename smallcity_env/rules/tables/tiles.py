"""One row per tile: shape, cost, supply, people spaces (section 2 of the rules)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np

from . import WAREHOUSES, Family, Place
from .shapes import WAYS_OF

PER_PLAYER = -1  # supply: one for each player
FEWER = -2  # supply: players - 1, at least 1


class Kind(IntEnum):
    """Every tile; those a player can ask for come first, in the order of the action space."""

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


KINDS = len(Kind)
LAST_UPGRADING = Kind.PARK_3
LAST_ASKED = Kind.PLANT_3


@dataclass(frozen=True)
class Tile:
    """One row of the table. Costs are for the whole tile; `rate` is the money per space (P2.4)."""

    kind: Kind
    code: str  # how notation writes it
    shapes: tuple[str, ...]
    rate: int = 0
    money: int = 0
    votes: int = 0  # votes it costs
    materials: tuple[int, int, int] = (0, 0, 0)  # wood, stone, metal
    gain: int = 0  # votes it brings at once (P2.11)
    supply: int = 0
    limit: int = 0  # at most so many a player (C6), 0: no limit
    family: Family = Family.OTHER
    level: int = 0
    place: Place = Place.NOBODY
    rooms: int = 0  # people spaces: the first so many of its spaces
    public: bool = False  # C2
    cultural: bool = False
    service: bool = False


def _family(family: Family, place: Place, rate: int, shapes: str, supply: tuple[int, ...]) -> list[Tile]:
    """The levels of one family: level n covers n spaces, one person on each."""
    rows = []
    for level, (names, count) in enumerate(zip(shapes.split(), supply, strict=True), start=1):
        rows.append(
            Tile(
                kind=Kind[f"{family.name}_{level}"],
                code=f"{family.name[0]}{level}",
                shapes=tuple(names.split("/")),
                rate=rate,
                money=rate * level,
                supply=count,
                family=family,
                level=level,
                place=place,
                rooms=level,
            )
        )
    return rows


def _cultural(kind: Kind, code: str, shape: str, materials: tuple[int, int, int], gain: int,
              supply: int, place: Place = Place.NOBODY, rooms: int = 0) -> Tile:  # fmt: skip
    """A cultural building: paid in materials, pays votes, public, one a player."""
    return Tile(kind, code, (shape,), materials=materials, gain=gain, supply=supply, limit=1,
                place=place, rooms=rooms, public=True, cultural=True)  # fmt: skip


ROWS: Final = [
    *_family(Family.RESIDENTIAL, Place.RESIDENTIAL, 1, "O1 I2 L3 O4/L4 P5", (30, 24, 18, 12, 6)),
    *_family(Family.COMMERCIAL, Place.COMMERCIAL, 2, "O1 I2 I3 I4/T4", (16, 12, 8, 5)),
    *_family(Family.FACTORY, Place.FACTORY, 1, "O1 I2 I3", (16, 12, 9)),
    *_family(Family.PARK, Place.PARK, 2, "O1 I2 L3", (25, 18, 12)),
    Tile(Kind.WAREHOUSE, "Wa", ("I2",), money=2, supply=12, limit=WAREHOUSES),
    Tile(Kind.REFINERY, "Re", ("O1",), money=2, supply=PER_PLAYER, limit=1),
    Tile(Kind.HARBOR, "Ha", ("O4",), money=3, supply=PER_PLAYER, limit=1),
    _cultural(Kind.SCHOOL, "Sc", "O1", (1, 0, 0), 2, PER_PLAYER),
    _cultural(Kind.LIBRARY, "Li", "I2", (1, 1, 0), 4, PER_PLAYER),
    _cultural(Kind.MUSEUM, "Mu", "L3", (1, 1, 1), 7, PER_PLAYER, Place.MUSEUM, 3),
    _cultural(Kind.METRO, "Me", "I2", (0, 2, 0), 4, FEWER),
    _cultural(Kind.CLINIC, "Cl", "I3", (0, 1, 1), 6, FEWER, Place.CLINIC, 3),
    _cultural(Kind.UNIVERSITY, "Un", "O4", (1, 1, 2), 10, FEWER, Place.UNIVERSITY, 4),
    Tile(Kind.POLICE, "Po", ("I2",), supply=FEWER, limit=1, public=True, service=True),
    Tile(Kind.FIRE, "Fi", ("L3",), supply=FEWER, limit=1, public=True, service=True),
    Tile(Kind.AIRPORT_8, "A8", ("R8",), money=3, votes=5, materials=(1, 1, 1), supply=2, limit=1),
    Tile(Kind.AIRPORT_9, "A9", ("Q9",), money=3, votes=5, materials=(1, 1, 1), supply=2, limit=1),
    Tile(Kind.BANK, "Ba", ("O4",), money=2, supply=4, limit=1, place=Place.COMMERCIAL, rooms=1),
    Tile(Kind.RECYCLING, "Rc", ("L4",), money=4, supply=4, limit=1, place=Place.RECYCLING, rooms=4),
    Tile(Kind.TRAMWAY, "Tr", ("I5",), money=2, supply=4, limit=1, place=Place.TRAMWAY, rooms=1),
    Tile(Kind.BIG_BEN, "Bb", ("O1",), materials=(1, 1, 1), supply=1),
    Tile(Kind.OPERA, "Op", ("O4",), money=10, supply=1, place=Place.OPERA, rooms=1),
    Tile(Kind.PLANT_1, "N1", (), money=4, supply=12, level=1),
    Tile(Kind.PLANT_2, "N2", (), money=6, supply=8, level=2),
    Tile(Kind.PLANT_3, "N3", (), money=8, supply=4, level=3),
    Tile(Kind.CITY_HALL, "Hl", ("O4",), supply=PER_PLAYER, place=Place.CITY_HALL, rooms=4, public=True),
    Tile(Kind.PORT, "Pt", ("D6",)),
    Tile(Kind.MONASTERY, "Mo", ("O1",), place=Place.MONASTERY, rooms=1),
]  # fmt: skip

NAMES: Final = {kind: kind.name.lower().replace("_", "-") for kind in Kind}
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
        ("ways", _COLUMN),  # how many ways round
        ("way", _COLUMN, (9,)),  # which, as indices of shapes.WAYS
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
    _row["spaces"] = len(_tile.shapes and _tile.shapes[0]) and int(_tile.shapes[0][1])

PUBLIC_KINDS = np.array([tile.kind for tile in ROWS if tile.public], np.int64)
WHOLE = (TILES["cultural"] + TILES["service"]) != 0  # by kind: contaminated it counts nothing (G13)
WHOLE[[Kind.BIG_BEN, Kind.OPERA]] = True
