"""Polyominoes and every way round they can lie.

A *way* is one orientation of one shape. Its offsets are counted from the tile's first space in reading
order, which is its anchor: offset = 10 x rows down + columns right, always >= 0.
"""

from typing import Final, TypeAlias

import numpy as np

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


def _ways(cells: Cells) -> list[Cells]:
    """Every different way round of a shape, turned and mirrored (tiles are double-sided)."""
    found: list[Cells] = []
    for mirrored in (cells, tuple((r, -c) for r, c in cells)):
        turned = mirrored
        for _ in range(4):
            turned = tuple((c, -r) for r, c in turned)
            if _from_anchor(turned) not in found:
                found.append(_from_anchor(turned))
    return sorted(found)


WAYS_OF: Final[dict[str, list[int]]] = {}  # shape -> its ways, as indices of WAYS
WAYS: Final[list[Cells]] = []
for _name, _drawing in DRAWINGS.items():
    _found = _ways(_cells(_drawing))
    WAYS_OF[_name] = list(range(len(WAYS), len(WAYS) + len(_found)))
    WAYS.extend(_found)

LONGEST = max(map(len, WAYS))
LENGTH = np.array([len(way) for way in WAYS], np.int64)
OFFSET = np.zeros((len(WAYS), LONGEST), np.int64)
LEFT = np.zeros(len(WAYS), np.int64)  # columns the tile reaches left of its anchor
ANCHORS = np.zeros((len(WAYS), 2), np.uint64)  # where the anchor can lie: the tile stays on the map
PATTERN = np.zeros(len(WAYS), np.uint64)  # the tile pushed into the top left corner
for _i, _way in enumerate(WAYS):
    _left = -min(c for _, c in _way)
    _right = max(c for _, c in _way)
    _down = max(r for r, _ in _way)
    LEFT[_i] = _left
    OFFSET[_i, : len(_way)] = [SIDE * r + c for r, c in _way]
    PATTERN[_i] = sum(1 << (SIDE * r + c + _left) for r, c in _way)
    for _space in range(SPACES):
        _r, _c = divmod(_space, SIDE)
        if _c >= _left and _c + _right < SIDE and _r + _down < SIDE:
            _half, _bit = divmod(_space, SPACES // 2)
            ANCHORS[_i, _half] |= np.uint64(1 << _bit)
