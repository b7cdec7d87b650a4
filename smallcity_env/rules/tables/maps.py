"""The boards, drawn (section 16), with what is printed on them.

`.` plain  `x` waste  `^` mountain  `~` river  `#` sea  `f` flood plain  `E` Delhi  `B` Imperial Park;
printed tiles: `H` City Hall  `G` Monastery  `P` port  `c` commercial  `r` residential  `F` factory, the last
three of the level whose spaces are drawn.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np

from ..numbers import Values, Wrong, agree, number
from ..numbers.kinds import drawing, lines_of, shown
from . import SIDE, SPACES, START_ZONE, Terrain, every
from .expansions import SEOUL_POLLUTION
from .shapes import WAYS, Cells, cells_of, ways_round
from .tiles import NAMES as TILE_NAMES
from .tiles import ROWS, Kind

DRAWINGS: Final = """
base-easy    base-expert  mountain-easy mountain-expert river-easy river-expert
..........   ...x......   ..^.......    .^^....^..      ....~.....   ..~..~....
..........   ..........   ..^^......    ..^^......      ....~.....   ..~..~....
..........   ........x.   ..........    ......^...      ...~~.....   ..~~.~....
..........   x.....x...   ......^...    ......^^..      ...~......   ...~~~....
..........   ..........   ......^^..    ^.........      ...~......   ....~.....
..........   ..........   ..........    ^^...^....      ...~~.....   ....~~....
..........   ...x......   ..........    .....^^...      ....~.....   .....~....
..........   ..........   .^......^.    .......^..      ....~~....   ....~~~...
..........   ..x.....x.   ........^^    .^......^.      .....~....   ....~.~...
..........   .....x....   ..........    .^^.....^^      .....~....   ....~.~...

shanghai     seoul        hong-kong    tokyo        beijing      bangkok      delhi        ulaanbaatar
........##   ........##   .........#   ........##   ..........   ...f~f...#   ........##   ........##
........##   .c....c.##   .........#   .r....r.##   ..........   ...f~f...#   ........##   ......G.##
........##   ........##   .....cc..#   ...BB...##   ..........   ..ff~f...#   ..EEEE..##   ........##
PP......##   ........##   .........#   ..BBBB..##   ...HH.....   ..f~~f...#   ..EEEE..##   ...HH...##
PP......##   ........##   ##########   ..BBBB..##   ...HH.....   ..f~ff...#   ..EEEE..##   ...HH...##
PP......##   ........##   ##########   ...BB...##   ..........   ..f~f....#   ..EEEE..##   ........##
........##   .c....c.##   .........#   .r....r.##   ..........   ..f~f....#   ........##   ........##
........##   ........##   ..FFF....#   ........##   ..........   ..f~~f...#   ........##   ........##
##########   ##########   .........#   ##########   ..........   ..ff~f...#   ##########   ##########
##########   ##########   .........#   ##########   ..........   ##########   ##########   ##########
"""


class Board(IntEnum):
    """The boards, in the order drawn."""

    BASE_EASY = 0
    BASE_EXPERT = 1
    MOUNTAIN_EASY = 2
    MOUNTAIN_EXPERT = 3
    RIVER_EASY = 4
    RIVER_EXPERT = 5
    SHANGHAI = 6
    SEOUL = 7
    HONG_KONG = 8
    TOKYO = 9
    BEIJING = 10
    BANGKOK = 11
    DELHI = 12
    ULAANBAATAR = 13


BOARDS = len(Board)
NAMES: Final = {board: board.name.lower().replace("_", "-") for board in Board}


class Sort(IntEnum):
    """Which rules a board follows."""

    BASE = 0
    TERRAIN = 1  # TB1 - TB5
    CITY = 2  # an Asian city: AS1 - AS9


SORT_OF: Final = {
    Board.BASE_EASY: Sort.BASE,
    Board.BASE_EXPERT: Sort.BASE,
    Board.MOUNTAIN_EASY: Sort.TERRAIN,
    Board.MOUNTAIN_EXPERT: Sort.TERRAIN,
    Board.RIVER_EASY: Sort.TERRAIN,
    Board.RIVER_EXPERT: Sort.TERRAIN,
    Board.SHANGHAI: Sort.CITY,
    Board.SEOUL: Sort.CITY,
    Board.HONG_KONG: Sort.CITY,
    Board.TOKYO: Sort.CITY,
    Board.BEIJING: Sort.CITY,
    Board.BANGKOK: Sort.CITY,
    Board.DELHI: Sort.CITY,
    Board.ULAANBAATAR: Sort.CITY,
}
every(Board, SORT_OF, "sort of board")
SORT = np.array([SORT_OF[board] for board in Board], np.int64)
ASIAN: Final = frozenset(board for board, sort in SORT_OF.items() if sort is Sort.CITY)

TERRAIN_OF: Final = {
    "x": Terrain.WASTE, "^": Terrain.MOUNTAIN, "~": Terrain.RIVER, "#": Terrain.SEA,
    "f": Terrain.FLOOD, "E": Terrain.DELHI, "B": Terrain.IMPERIAL,
}  # fmt: skip
LETTER_OF: Final = {terrain: letter for letter, terrain in TERRAIN_OF.items()} | {Terrain.PLAIN: "."}
PRINTED_LETTERS: Final = {
    "H": (Kind.CITY_HALL,), "G": (Kind.MONASTERY,), "P": (Kind.PORT,),
    "c": (Kind.COMMERCIAL_1, Kind.COMMERCIAL_2, Kind.COMMERCIAL_3, Kind.COMMERCIAL_4),
    "r": (Kind.RESIDENTIAL_1, Kind.RESIDENTIAL_2, Kind.RESIDENTIAL_3, Kind.RESIDENTIAL_4, Kind.RESIDENTIAL_5),
    "F": (Kind.FACTORY_1, Kind.FACTORY_2, Kind.FACTORY_3),
}  # fmt: skip
_SHAPE_KEYS: Final = [
    f"tiles.{TILE_NAMES[kind]}.shape" for kinds in PRINTED_LETTERS.values() for kind in kinds[1:]
]
ONLY_ONE: Final = "HGP"  # printed once where they are printed
ANYWHERE: Final = ".x#"  # terrain any board may have
PRINTED_TILES = 4  # at most, on a board


def _drawings() -> list[list[str]]:
    """The rows of each board as they are drawn above, in the order of Board."""
    boards: dict[str, list[str]] = {}
    for block in DRAWINGS.strip().split("\n\n"):
        for name, *rows in zip(*(line.split() for line in block.splitlines()), strict=True):
            boards[name] = rows
    every(NAMES.values(), boards, "drawing")
    return [boards[name] for name in NAMES.values()]


@dataclass(frozen=True)
class Map:
    """A drawing of the whole board with its own letters and those of any board."""

    letters: str

    def read(self, raw: Any) -> tuple[str, ...]:
        """Ten lines of ten letters."""
        lines = lines_of(raw) or []
        if len(lines) != SIDE or any(len(line) != SIDE for line in lines):
            size = f"{len(lines)} of {min(map(len, lines), default=0)} to {max(map(len, lines), default=0)}"
            raise Wrong(f"needs a drawing of {SIDE} lines of {SIDE} letters, not {size}")
        for letter in "".join(lines):
            if letter not in self.letters:
                allowed = " ".join(self.letters)
                raise Wrong(f"has the letter {shown(letter)}: allowed on this board are {allowed}")
        return tuple(lines)

    def write(self, value: tuple[str, ...]) -> str:
        """As a drawing."""
        return drawing(list(value))


def _in_force(board: Board, rows: Sequence[str]) -> tuple[str, ...]:
    """The rows of a board, of a file if there is one."""
    standard = tuple(map("".join, rows))
    letters = ANYWHERE + "".join(sorted(set("".join(standard)) - set(ANYWHERE)))
    value: tuple[str, ...] = number(f"maps.{NAMES[board]}", standard, "section 16 [R]", Map(letters))
    return value


ROWS_OF: Final = [_in_force(board, rows) for board, rows in zip(Board, _drawings(), strict=True)]

GRID = np.zeros((BOARDS, SPACES), np.uint8)  # Terrain of every space
TERRAIN = np.zeros((BOARDS, len(Terrain), 2), np.uint64)  # ... and as sets of spaces
BUILDABLE = np.zeros((BOARDS, 2), np.uint64)  # spaces that can be built on (T1)
ZONE_START = np.zeros(BOARDS, np.int64)
GROWS = np.zeros(BOARDS, np.int64)  # AS1: the Asian cities but Beijing do not
START_POLLUTION = np.zeros(BOARDS, np.int64)
START_POLLUTION[Board.SEOUL] = SEOUL_POLLUTION
PRINTED = np.zeros((BOARDS, PRINTED_TILES, 3), np.int64)  # kind, way, first space; kind 0 ends the list


def _add(spaces: np.ndarray, space: int) -> None:
    half, bit = divmod(space, SPACES // 2)
    spaces[half] |= np.uint64(1 << bit)


def _pieces(letters: str) -> dict[int, set[int]]:
    """The printed tiles of a board: a letter's neighbouring spaces are one, by its first space."""
    todo = {i for i, letter in enumerate(letters) if letter in PRINTED_LETTERS}
    pieces: dict[int, set[int]] = {}
    while todo:
        start = min(todo)
        piece, edge = set(), {start}
        while edge:
            piece |= edge
            near = {n for space in edge for n in _beside(space) if letters[n] == letters[start]}
            edge = near - piece
        pieces[start] = piece
        todo -= piece
    return pieces


def _beside(space: int) -> list[int]:
    """The spaces adjacent to one."""
    r, c = divmod(space, SIDE)
    near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
    return [SIDE * i + j for i, j in near if 0 <= i < SIDE and 0 <= j < SIDE]


def _printed(letters: str, shapes: dict[Kind, tuple[Cells, ...]]) -> list[tuple[Kind, Cells, int]]:
    """Kind, way round and first space of the printed tiles."""
    tiles = []
    for first, piece in _pieces(letters).items():
        kinds = [kind for kind in PRINTED_LETTERS[letters[first]] if len(shapes[kind][0]) == len(piece)]
        way = tuple((n // SIDE - first // SIDE, n % SIDE - first % SIDE) for n in sorted(piece))
        if not kinds or not any(way in ways_round(shape) for shape in shapes[kinds[0]]):
            where = f"the {letters[first]} in line {first // SIDE + 1}, column {first % SIDE + 1}"
            raise Wrong(f"{where} is drawn as no tile that can be printed there")
        tiles.append((kinds[0], way, first))
    return tiles


# -- what a map must have


def _shapes_of(values: Values) -> dict[Kind, tuple[Cells, ...]]:
    """The shapes of every kind by a file; those it cannot change as they are."""
    fixed = {tile.kind: tuple(map(cells_of, tile.shapes)) for tile in ROWS}
    return {kind: values.get(f"tiles.{TILE_NAMES[kind]}.shape", shapes) for kind, shapes in fixed.items()}


def _has_place_for_hall(letters: str, size: int) -> bool:
    """Whether City Hall can be placed in the zone (SU2)."""
    land = [i for i, letter in enumerate(letters) if letter in ".fE" and max(divmod(i, SIDE)) < size]
    corners = (0, 1, SIDE, SIDE + 1)
    return any(i % SIDE < SIDE - 1 and all(i + n in land for n in corners) for i in land)


def _check_map(board: Board, letters: str, values: Values) -> None:
    """A map that can be played on."""
    printed = _printed(letters, _shapes_of(values))
    if len(printed) > PRINTED_TILES:
        raise Wrong(f"{len(printed)} tiles are printed, at most {PRINTED_TILES} are possible")
    counts = Counter(letters[first] for _, _, first in printed)
    standard = "".join("".join(row) for row in _drawings()[board])
    for letter in ONLY_ONE:
        if counts[letter] != (letter in standard):
            raise Wrong(f"the tile {letter} must be drawn once")
    size = values["zone.start"] if _grows(board) else SIDE
    if not counts["H"] and not _has_place_for_hall(letters, size):
        raise Wrong("the zone has no place for City Hall")


def _grows(board: Board) -> bool:
    """Whether the zone of a board grows: those of the Asian cities but Beijing do not (AS1)."""
    return board not in ASIAN or board is Board.BEIJING


@agree(*(f"maps.{name}" for name in NAMES.values()), "zone.start", *_SHAPE_KEYS)
def _maps_can_be_played(values: Values) -> None:
    """Every map, with the tiles printed on it."""
    for board, name in NAMES.items():
        try:
            _check_map(board, "".join(values[f"maps.{name}"]), values)
        except Wrong as wrong:
            raise Wrong(f"maps.{name}: {wrong}") from None


_SHAPES: Final = {tile.kind: tuple(map(cells_of, tile.shapes)) for tile in ROWS}
for _board in Board:
    _letters = "".join(ROWS_OF[_board])
    for _space, _letter in enumerate(_letters):
        _terrain = TERRAIN_OF.get(_letter, Terrain.PLAIN)
        GRID[_board, _space] = _terrain
        _add(TERRAIN[_board, _terrain], _space)
        _closed = {Terrain.WASTE, Terrain.MOUNTAIN, Terrain.SEA}
        if _terrain not in _closed and not (_board is Board.BANGKOK and _terrain is Terrain.RIVER):
            _add(BUILDABLE[_board], _space)
    GROWS[_board] = _grows(_board)
    ZONE_START[_board] = START_ZONE if GROWS[_board] else SIDE
    for _i, (_kind, _way, _first) in enumerate(_printed(_letters, _SHAPES)):
        PRINTED[_board, _i] = _kind, WAYS.index(_way), _first
