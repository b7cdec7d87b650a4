"""Where a tile can lie on the empty map, from the drawings of its shapes (section 2)."""

from functools import cache
from typing import Any

from smallcity_env.rules.tables import SIDE
from smallcity_env.rules.tables.shapes import WAYS
from smallcity_env.rules.tables.tiles import TILES, Kind
from tests.reference.position import ROW_OF, Cells

SHAPES = {  # section 2
    "O1": "#",
    "I2": "##",
    "I3": "###",
    "L3": "## #.",
    "I4": "####",
    "L4": "### #..",
    "T4": "### .#.",
    "O4": "## ##",
    "I5": "#####",
    "P5": "## ## #.",
    "R8": "#### ####",
    "Q9": "### ### ###",
}


@cache
def placements(kind: Kind) -> tuple[Cells, ...]:
    """Every place of the map where a tile can lie, whichever way round."""
    everywhere = set()
    for shape in {turned for name in ROW_OF[kind].shapes for turned in _turned(SHAPES[name])}:
        down, right = max(r for r, _ in shape), max(c for _, c in shape)
        for row in range(SIDE - down):
            for col in range(SIDE - right):
                everywhere.add(frozenset((row + r) * SIDE + col + c for r, c in shape))
    return tuple(sorted(everywhere, key=sorted))


def _turned(drawing: str) -> list[frozenset[tuple[int, int]]]:
    """A drawing turned and mirrored, pushed into the top left corner."""
    lines = drawing.split()
    drawings = []
    for _side in range(2):
        lines = [line[::-1] for line in lines]
        for _quarter in range(4):
            lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
            drawings.append({(r, c) for r, line in enumerate(lines) for c, x in enumerate(line) if x == "#"})
    return [frozenset(cells) for cells in drawings]


def covered_by(state: Any, way: int) -> Cells:
    """The spaces the tile asked for would cover, lying the way-th way round."""
    first = int(state["anchor"])
    offsets = WAYS[TILES[int(state["kind"])]["way"][way]]
    return frozenset(first + SIDE * row + col for row, col in offsets)
