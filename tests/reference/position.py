"""A position as plain Python objects: tiles, people and things by space, with nothing precomputed.

    town = Town(state, seat)
    town.people[34], town.tile_at(34).kind, town.empty()

Slow and simple on purpose. The reference reads every position through this module, which shares the record
layout and the tables of printed numbers with the engine, but no rule.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from smallcity_env.rules.schema import BOROUGH
from smallcity_env.rules.tables import MATERIALS, SEATS, SIDE, SPACES, Material, Place
from smallcity_env.rules.tables.maps import ROWS_OF, Board
from smallcity_env.rules.tables.tiles import ROWS, Kind, Tile

Cells = frozenset[int]
ROW_OF = {tile.kind: tile for tile in ROWS}
CLOSED = {"x", "^", "#"}  # terrain that cannot be built on (T1)


def spaces_of(words: Any) -> set[int]:
    """The spaces of a set of the record."""
    bits = int(words[0]) | int(words[1]) << (SPACES // 2)
    spaces = set()
    while bits:
        spaces.add((bits & -bits).bit_length() - 1)
        bits &= bits - 1
    return spaces


@cache
def adjacent(cells: Cells) -> Cells:
    """The spaces orthogonally adjacent to a tile, outside it."""
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return _stepped(cells, steps)


@cache
def influence(cells: Cells) -> Cells:
    """The Influence Area of a tile: one step, diagonals included, itself excluded (T2)."""
    steps = tuple((r, c) for r in (-1, 0, 1) for c in (-1, 0, 1))
    return _stepped(cells, steps)


def _stepped(cells: Cells, steps: Iterable[tuple[int, int]]) -> Cells:
    reached = set()
    for space in cells:
        row, col = divmod(space, SIDE)
        for down, right in steps:
            if 0 <= row + down < SIDE and 0 <= col + right < SIDE:
                reached.add((row + down) * SIDE + col + right)
    return frozenset(reached - cells)


@dataclass(frozen=True)
class Standing:
    """A tile in a borough."""

    kind: Kind
    cells: Cells

    @property
    def first(self) -> int:
        """Its first space in reading order."""
        return min(self.cells)

    @property
    def card(self) -> Tile:
        """Its row of the table of tiles."""
        return ROW_OF[self.kind]

    def label(self, space: int) -> int:
        """The number of a space in it, from 0 (C1)."""
        return sorted(self.cells).index(space)


class Town:
    """One borough, read from a state."""

    def __init__(self, state: Any, seat: int) -> None:
        b = dict(zip(BOROUGH.names or (), state["borough"][seat].item(), strict=True))
        self.seat = seat
        self.board = Board(int(state["rules"]["board"][seat]))
        self.map = "".join(ROWS_OF[self.board])
        self.size = int(b["zone_side"])
        self.money, self.votes, self.pollution = (int(b[f]) for f in ("money", "votes", "pollution"))
        self.career, self.out, self.card = (int(b[f]) for f in ("career", "out", "card"))
        self.smoke, self.cleaned = int(b["busy_factories"]), bool(b["cleaned"])
        self.doctor, self.flood, self.powered = bool(b["doctor"]), int(b["flood"]), int(b["powered"])
        self.plants = [int(n) for n in b["plants"]]
        self.council = [int(n) for n in b["council"]]
        self.riders = [int(n) for n in b["riders"]]
        self.people = {x: p for p in range(SEATS) for x in spaces_of(b["citizens"][p])}
        self.goods = {x: Material(m) for m in range(MATERIALS) for x in spaces_of(b["materials"][m])}
        self.worked, self.graves = spaces_of(b["worked"]), spaces_of(b["cemetery"])
        self.markers, self.godzilla = spaces_of(b["markers"]), spaces_of(b["godzilla"])
        self.mayor, self.just_built = spaces_of(b["mayor"]), spaces_of(b["just_built"])
        self.tiles = self._tiles(b)
        self._under = {space: tile for tile in self.tiles for space in tile.cells}

    @staticmethod
    def _tiles(b: Any) -> list[Standing]:
        cells: dict[int, set[int]] = {}
        for space in spaces_of(b["tiled"]):
            cells.setdefault(int(b["first"][space]), set()).add(space)
        return [Standing(Kind(int(b["kind"][t])), frozenset(cells[t])) for t in sorted(cells)]

    # -- tiles

    def tile_at(self, space: int) -> Standing | None:
        """The tile over a space."""
        return self._under.get(space)

    def kind_at(self, space: int) -> Kind:
        """The kind of tile over a space."""
        tile = self.tile_at(space)
        return tile.kind if tile else Kind.NONE

    def all_of(self, *kinds: Kind) -> list[Standing]:
        """The tiles of some kinds, in reading order."""
        return [tile for tile in self.tiles if tile.kind in kinds]

    def count(self, kind: Kind) -> int:
        """How many of a kind stand."""
        return len(self.all_of(kind))

    def clean(self, tile: Standing) -> bool:
        """Whether all spaces of a tile are usable (T3)."""
        return not tile.cells & self.unusable

    def working(self, kind: Kind) -> list[Standing]:
        """The uncontaminated tiles of a kind."""
        return [tile for tile in self.all_of(kind) if self.clean(tile)]

    @cached_property
    def hall(self) -> Cells:
        """The spaces of City Hall."""
        return next((tile.cells for tile in self.all_of(Kind.CITY_HALL)), frozenset())

    # -- spaces

    @cached_property
    def unusable(self) -> set[int]:
        """Spaces with a marker or a godzilla (T3)."""
        return self.markers | self.godzilla

    def zone(self) -> set[int]:
        """The constructible zone (T1)."""
        return {space for space in range(SPACES) if self._in_zone(space)}

    def _in_zone(self, space: int) -> bool:
        if space in self._under:
            return True
        closed = CLOSED | {"~"} if self.board is Board.BANGKOK else CLOSED
        return max(divmod(space, SIDE)) < self.size and self.map[space] not in closed

    def empty(self) -> set[int]:
        """Empty spaces (T8)."""
        taken = set(self._under) | self.graves | self.unusable | self.mayor | set(self.goods)
        return self.zone() - taken

    def free_in_hall(self) -> set[int]:
        """Empty usable spaces of City Hall."""
        return set(self.hall) - set(self.people) - set(self.goods) - self.mayor - self.unusable

    def free_stores(self) -> set[int]:
        """Empty usable spaces of Warehouses and of the Shanghai port."""
        stores = {x for tile in self.all_of(Kind.WAREHOUSE, Kind.PORT) for x in tile.cells}
        return stores - set(self.goods) - self.unusable

    def stock(self, material: int) -> int:
        """How many of a material lie in the borough."""
        return list(self.goods.values()).count(Material(material))

    # -- people

    def rooms(self, tile: Standing) -> set[int]:
        """The people spaces of a tile (section 2)."""
        if tile.card.place is Place.PARK:
            return set(tile.cells) if self.board is Board.TOKYO else set()
        return set(sorted(tile.cells)[: tile.card.rooms])

    def place_at(self, space: int) -> Place:
        """The kind of place a space belongs to (P3.1)."""
        tile = self.tile_at(space)
        return tile.card.place if tile else Place.NOBODY

    @property
    def tram(self) -> int:
        """The space where people ride the tram, -1 without one."""
        return next((tile.first for tile in self.all_of(Kind.TRAMWAY)), -1)


def towns(state: Any) -> list[Town]:
    """Every player's borough."""
    return [Town(state, p) for p in range(int(state["rules"]["players"]))]
