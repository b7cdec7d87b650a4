"""Polyominoes and every way round they can lie, those of the game first, then those of a file of numbers.

A *way* is one orientation of one shape. Its offsets are counted from the tile's first space in reading
order, which is its anchor: offset = 10 x rows down + columns right, always >= 0.
"""

from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, TypeAlias

import numpy as np

from ..numbers import Wrong
from ..numbers.kinds import drawing, lines_of
from . import SIDE, SPACES

DRAWINGS: Final = {
    "O1": ["#"],
    "I2": ["##"],
    "I3": ["###"],
    "L3": ["##", "# "],
    "I4": ["####"],
    "L4": ["###", "#  "],
    "T4": ["###", " # "],
    "O4": ["##", "##"],
    "I5": ["#####"],
    "P5": ["##", "##", "# "],
    "D6": ["##", "##", "##"],
    "R8": ["####", "####"],
    "Q9": ["###", "###", "###"],
}

Cells: TypeAlias = tuple[tuple[int, int], ...]


def _cells(drawing: list[str]) -> Cells:
    """The spaces of a drawing, as (row, column)."""
    return tuple((r, c) for r, line in enumerate(drawing) for c, x in enumerate(line) if x == "#")


def _from_anchor(cells: Cells) -> Cells:
    """The same shape in reading order, counted from its first space."""
    row, col = min(cells)
    return tuple(sorted((r - row, c - col) for r, c in cells))


def ways_round(cells: Cells) -> list[Cells]:
    """Every different way round of a shape, turned and mirrored (tiles are double-sided)."""
    ways: list[Cells] = []
    for mirrored in (cells, tuple((r, -c) for r, c in cells)):
        rotated = mirrored
        for _ in range(4):
            rotated = tuple((c, -r) for r, c in rotated)
            if _from_anchor(rotated) not in ways:
                ways.append(_from_anchor(rotated))
    return sorted(ways)


WAYS_OF: Final[dict[str, list[int]]] = {}  # shape -> its ways, as indices of WAYS
WAYS: Final[list[Cells]] = []
MOST_WAYS = 255  # the record keeps a way in one byte, enough even if every tile is redrawn
LONGEST = 9  # spaces of a tile
LONGEST_SIDE = 5  # of a tile: its pattern lies within half a borough
WAYS_OF_TILE = 9  # at most: `way 1` to `way 9` are the answers

LENGTH = np.zeros(MOST_WAYS, np.int64)
OFFSET = np.zeros((MOST_WAYS, LONGEST), np.int64)
LEFT = np.zeros(MOST_WAYS, np.int64)  # columns the tile reaches left of its anchor
WIDTH = np.zeros(MOST_WAYS, np.int64)  # columns it covers: a tile in one piece leaves none out
ANCHORS = np.zeros((MOST_WAYS, 2), np.uint64)  # where the anchor can lie: the tile stays on the map
PATTERN = np.zeros(MOST_WAYS, np.uint64)  # the tile pushed into the top left corner


def _add_way(way: Cells) -> int:
    """Write one way round into the tables."""
    i = len(WAYS)
    WAYS.append(way)
    left, right = -min(c for _, c in way), max(c for _, c in way)
    down = max(r for r, _ in way)
    LENGTH[i], LEFT[i], WIDTH[i] = len(way), left, left + right + 1
    OFFSET[i, : len(way)] = [SIDE * r + c for r, c in way]
    PATTERN[i] = sum(1 << (SIDE * r + c + left) for r, c in way)
    for space in range(SPACES):
        r, c = divmod(space, SIDE)
        if c >= left and c + right < SIDE and r + down < SIDE:
            half, bit = divmod(space, SPACES // 2)
            ANCHORS[i, half] |= np.uint64(1 << bit)
    return i


for _name, _drawing in DRAWINGS.items():
    WAYS_OF[_name] = [_add_way(way) for way in ways_round(_cells(_drawing))]
_NAMES: Final = {WAYS[ways[0]]: name for name, ways in WAYS_OF.items()}


# -- shapes in a file of numbers


def _drawn(shape: Cells) -> list[str]:
    """A shape as lines, `.` beside it."""
    left = min(c for _, c in shape)
    wide, high = max(c for _, c in shape) - left + 1, max(r for r, _ in shape) + 1
    return ["".join("#" if (r, c + left) in shape else "." for c in range(wide)) for r in range(high)]


def named(shape: Cells) -> str:
    """The name of a shape; a new one is named by its drawing and joins the tables."""
    if shape not in _NAMES:
        _NAMES[shape] = name = "/".join(_drawn(shape))
        WAYS_OF[name] = [_add_way(way) for way in ways_round(shape)]
    return _NAMES[shape]


def cells_of(name: str) -> Cells:
    """A shape by its name."""
    return WAYS[WAYS_OF[name][0]]


def _in_one_piece(cells: Cells) -> bool:
    """Whether all spaces are connected by their sides."""
    reached, todo = set(), [cells[0]]
    while todo:
        r, c = todo.pop()
        reached.add((r, c))
        beside = ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
        todo += [cell for cell in beside if cell in cells and cell not in reached]
    return len(reached) == len(cells)


@dataclass(frozen=True)
class Shapes:
    """The shapes of a tile of `low` to `high` spaces, drawn with `#`; separated by blank lines."""

    low: int
    high: int

    def read(self, raw: Any) -> tuple[Cells, ...]:
        """The shapes, each the same whichever way round it was drawn."""
        lines = lines_of(raw)
        if not lines or not set("".join(lines)) <= set("#. "):
            raise Wrong("needs a drawing of # for the spaces of the tile and . for those beside it")
        blocks = [list(block) for drawn, block in groupby(lines, key=lambda line: "#" in line) if drawn]
        if not blocks:
            raise Wrong("needs a drawing with at least one #")
        shapes = [self._shape(block) for block in blocks]
        if len(set(shapes)) < len(shapes) or len(set(map(len, shapes))) > 1:
            raise Wrong("needs drawings of different shapes with the same number of spaces")
        if sum(len(ways_round(shape)) for shape in shapes) > WAYS_OF_TILE:
            raise Wrong(f"can lie in more than {WAYS_OF_TILE} ways")
        return tuple(shapes)

    def _shape(self, lines: list[str]) -> Cells:
        """One shape."""
        cells = _cells(lines)
        if not self.low <= len(cells) <= self.high:
            size = str(self.low) if self.low == self.high else f"{self.low} to {self.high}"
            raise Wrong(f"needs a drawing of {size} spaces, not of {len(cells)}")
        if not _in_one_piece(cells):
            raise Wrong("needs a drawing in one piece")
        shape = ways_round(cells)[0]
        if max(map(len, (_drawn(shape), _drawn(shape)[0]))) > LONGEST_SIDE:
            raise Wrong(f"needs a drawing of at most {LONGEST_SIDE} spaces in a line")
        return shape

    def write(self, value: tuple[Cells, ...]) -> str:
        """As a drawing."""
        return drawing("\n\n".join("\n".join(_drawn(shape)) for shape in value).split("\n"))
