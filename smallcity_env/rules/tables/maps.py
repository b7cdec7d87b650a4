"""The boards, drawn (section 16), with what is printed on them.

`.` plain  `x` waste  `^` mountain  `~` river  `#` sea  `f` flood plain  `E` Delhi  `B` Imperial Park;
printed tiles: `H` City Hall  `G` Monastery  `P` port  `c` commercial  `r` residential  `F` factory.
"""

from enum import IntEnum
from typing import Final

import numpy as np

from . import SIDE, SPACES, START_ZONE, Terrain
from .shapes import WAYS
from .tiles import ROWS, TILES, Kind

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
    """The boards, in the order drawn: two base sides, four terrain sides, eight Asian cities."""

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
ASIAN: Final = frozenset(Board(b) for b in range(Board.SHANGHAI, BOARDS))

TERRAIN_OF: Final = {
    "x": Terrain.WASTE, "^": Terrain.MOUNTAIN, "~": Terrain.RIVER, "#": Terrain.SEA,
    "f": Terrain.FLOOD, "E": Terrain.DELHI, "B": Terrain.IMPERIAL,
}  # fmt: skip
LETTER_OF: Final = {terrain: letter for letter, terrain in TERRAIN_OF.items()} | {Terrain.PLAIN: "."}
PRINTED_LETTERS: Final = {
    "H": Kind.CITY_HALL, "G": Kind.MONASTERY, "P": Kind.PORT,
    "c": Kind.COMMERCIAL_1, "r": Kind.RESIDENTIAL_1, "F": Kind.FACTORY_3,
}  # fmt: skip


def _drawings() -> list[list[str]]:
    """The rows of each board, in the order of Board."""
    boards: list[list[str]] = []
    for block in DRAWINGS.strip().split("\n\n"):
        _names, *lines = block.splitlines()
        boards.extend(list(map(list, zip(*(line.split() for line in lines), strict=True))))
    return boards


ROWS_OF: Final = _drawings()

GRID = np.zeros((BOARDS, SPACES), np.uint8)  # Terrain of every space
TERRAIN = np.zeros((BOARDS, len(Terrain), 2), np.uint64)  # ... and as sets of spaces
BUILDABLE = np.zeros((BOARDS, 2), np.uint64)  # spaces that can be built on (T1)
ZONE_START = np.zeros(BOARDS, np.int64)
GROWS = np.zeros(BOARDS, np.int64)  # AS1: the Asian cities but Beijing do not
START_POLLUTION = np.zeros(BOARDS, np.int64)
START_POLLUTION[Board.SEOUL] = 7  # AS3
PRINTED = np.zeros((BOARDS, 4, 3), np.int64)  # kind, way, first space; kind 0 ends the list


def _add(spaces: np.ndarray, space: int) -> None:
    half, bit = divmod(space, SPACES // 2)
    spaces[half] |= np.uint64(1 << bit)


def _printed(letters: str) -> list[tuple[int, int, int]]:
    """The tiles drawn on a board: a letter's neighbouring spaces are one tile."""
    todo = {i: PRINTED_LETTERS[x] for i, x in enumerate(letters) if x in PRINTED_LETTERS}
    if letters[SIDE * 2 + 5 : SIDE * 2 + 7] == "cc":  # Hong Kong's is one level-2 tile
        todo |= {SIDE * 2 + 5: Kind.COMMERCIAL_2, SIDE * 2 + 6: Kind.COMMERCIAL_2}
    found = []
    while todo:
        first = min(todo)
        kind = todo[first]
        row = next(tile for tile in ROWS if tile.kind is kind)
        for way in TILES[kind]["way"][: TILES[kind]["ways"]]:
            cells = [first + SIDE * r + c for r, c in WAYS[way]]
            if all(todo.get(cell) is kind for cell in cells):
                found.append((int(row.kind), int(way), first))
                todo = {cell: k for cell, k in todo.items() if cell not in cells}
                break
    return found


for _board in Board:
    _letters = "".join(ROWS_OF[_board])
    for _space, _letter in enumerate(_letters):
        _terrain = TERRAIN_OF.get(_letter, Terrain.PLAIN)
        GRID[_board, _space] = _terrain
        _add(TERRAIN[_board, _terrain], _space)
        _closed = {Terrain.WASTE, Terrain.MOUNTAIN, Terrain.SEA}
        if _terrain not in _closed and not (_board is Board.BANGKOK and _terrain is Terrain.RIVER):
            _add(BUILDABLE[_board], _space)
    GROWS[_board] = _board not in ASIAN or _board is Board.BEIJING
    ZONE_START[_board] = START_ZONE if GROWS[_board] else SIDE
    for _i, _tile in enumerate(_printed(_letters)):
        PRINTED[_board, _i] = _tile
