"""What an expansion declares: everything the tables need before its rules are imported.

The statement `EXPANSION = Expansion(...)` of its file may use the names of this file and no others.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, TypeAlias

from ...language import Text, lazy
from ..numbers import Number, Whole, Wholes

__all__ = [
    "Expansion",
    "Family",
    "Field",
    "Number",
    "Place",
    "PromiseCard",
    "Tile",
    "Whole",
    "Wholes",
    "lazy",
]

Sizes: TypeAlias = tuple[int, int]
Outline: TypeAlias = tuple[float, ...]  # a polygon: x, y, x, y, ...


class Family(IntEnum):
    """The families that upgrade; OTHER is every other building."""

    RESIDENTIAL = 0
    COMMERCIAL = 1
    FACTORY = 2
    PARK = 3
    OTHER = -1


class Place(IntEnum):
    """Kinds of place people move between (P3.1). NOBODY: a tile without people spaces."""

    NOBODY = 0
    RESIDENTIAL = 1
    COMMERCIAL = 2
    FACTORY = 3
    PARK = 4
    MUSEUM = 5
    CLINIC = 6
    UNIVERSITY = 7
    RECYCLING = 8
    TRAMWAY = 9
    OPERA = 10
    CITY_HALL = 11
    MONASTERY = 12


@dataclass(frozen=True)
class Tile:
    """One row of the table. Costs are for the whole tile; `rate` is the money per space (P2.4)."""

    kind: Any  # its Kind; in an expansion, the name of it
    code: str  # how notation writes it
    shapes: tuple[str, ...]
    sources: str = "RRR"  # of shape, cost and supply: rulebook S, public P, reconstruction R
    rate: int = 0
    money: int = 0
    votes: int = 0  # votes it costs
    materials: tuple[int, int, int] = (0, 0, 0)  # wood, stone, metal
    gain: int = 0  # votes it brings at once (P2.11)
    supply: int = 0
    limit: int = 0  # at most this many a player (C6), 0: no limit
    family: Family = Family.OTHER
    level: int = 0
    place: Place = Place.NOBODY
    rooms: int = 0  # people spaces: the first N of its spaces
    public: bool = False  # C2
    cultural: bool = False
    service: bool = False
    whole: bool = False  # contaminated it counts nothing (G13)
    plant: bool = False  # a power plant, above the map (PP2)
    built: bool = True  # a player can build it; False: only printed or placed at set-up
    council: bool = False  # the Construction row builds it (P7.5)
    warehouse: bool = False  # it comes with a Warehouse (P2.9)
    module: str = ""  # offered only with this module
    title: Text | None = None  # what people call it; None: its kind, in words
    icon: tuple[Outline, ...] = ()  # its picture, within 12 of the middle; (): as in render/glyphs.py
    later: bool = False  # added later: the id of its action follows all others, so that none changes
    # what a file of numbers may change
    sizes: Sizes | None = None  # the fewest and the most spaces it may have; None: any size
    once: bool = False  # there is at most one in the game
    several: bool = False  # a player may have more than one
    guests: bool = False  # it may have more or fewer people spaces


@dataclass(frozen=True)
class Field:
    """A number that every borough remembers, 0 at the start; everybody sees it."""

    name: str
    high: int  # the most it can be
    low: int = 0
    scale: int = 1  # what an observation divides it by


@dataclass(frozen=True)
class PromiseCard:
    """A promise; `needs` lists what must hold, as in a file of numbers: "votes >= 60"."""

    number: int
    name: Text
    needs: tuple[str, ...]
    worth: int = 0  # of a pile; 0: a special promise, for every victory condition


@dataclass(frozen=True)
class Expansion:
    """One expansion. Fields not given are as in the base game."""

    rules: str  # their IDs, and the mark of their source
    needs: tuple[str, ...] = ()  # modules it cannot be played without
    questions: tuple[str, ...] = ()  # the members of Ask that it asks
    cards: tuple[str, ...] = ()  # the members of Card that it adds
    tiles: tuple[Tile, ...] = ()
    promises: tuple[PromiseCard, ...] = ()
    fields: tuple[Field, ...] = ()
    numbers: tuple[Number, ...] = ()
