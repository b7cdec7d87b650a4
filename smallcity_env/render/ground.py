"""The ground of a borough: terrain, streets and the edge of the zone; depends only on board and size."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ..rules.actions import space_name
from ..rules.spaces import HALF, SQUARE
from ..rules.tables import SIDE, SPACES, Terrain
from ..rules.tables.maps import BUILDABLE, GRID, NAMES, Board
from . import colours as c
from .drawing import Circle, Item, Point, Shape, Symbol, Text, Use, box, line, poly
from .glyphs import symbol

CELL: Final = 40
MAP: Final = CELL * SIDE
MARGIN: Final = 18  # for the letters above and the numbers on the left
_TERRAINS: Final = {
    Terrain.WASTE: c.WASTE, Terrain.SEA: c.SEA, Terrain.FLOOD: c.FLOOD,
    Terrain.DELHI: c.DELHI, Terrain.IMPERIAL: c.IMPERIAL,
}  # fmt: skip
_LAND: Final = (Terrain.WASTE, Terrain.FLOOD, Terrain.DELHI, Terrain.IMPERIAL)
_BARE: Final = (Terrain.PLAIN, Terrain.RIVER)
_BLOSSOMS: Final = ((-7, -5), (6, -8), (1, 4), (-9, 9), (10, 8))


def corner(space: int) -> Point:
    """The top left corner of a space."""
    row, col = divmod(space, SIDE)
    return col * CELL, row * CELL


def middle(space: int) -> Point:
    """The middle of a space."""
    x, y = corner(space)
    return x + CELL / 2, y + CELL / 2


@lru_cache
def ground(board: Board, size: int) -> Symbol:
    """The map of a board with a zone of this size."""
    terrain = [Terrain(int(code)) for code in GRID[board]]
    items: list[Item] = [box(-3, -3, MAP + 6, MAP + 6, c.GRID, 6), box(0, 0, MAP, MAP, c.GROUND, 3)]
    items += [*_patches(terrain, _LAND), *_lines(), *_patches(terrain, (Terrain.SEA,)), *_river(terrain)]
    items += [Use(_scenery(kind), *middle(n)) for n, kind in enumerate(terrain) if kind not in _BARE]
    items += [*_veil(size), *_edge(board, size), *_letters()]
    return Symbol(f"ground-{NAMES[board]}-{size}", tuple(items), ((-MARGIN, -MARGIN), (MAP + 6, MAP + 6)))


def _lines() -> Iterator[Item]:
    """The streets between the spaces."""
    for i in range(1, SIDE):
        yield line([(i * CELL, 4), (i * CELL, MAP - 4)], c.GRID, 1.2)
        yield line([(4, i * CELL), (MAP - 4, i * CELL)], c.GRID, 1.2)


def _patches(terrain: list[Terrain], kinds: tuple[Terrain, ...]) -> Iterator[Item]:
    """The colour of spaces with terrain; it covers the streets around them."""
    for space, kind in enumerate(terrain):
        if kind in kinds:
            x, y = corner(space)
            yield box(x - 0.7, y - 0.7, CELL + 1.4, CELL + 1.4, _TERRAINS[kind])


@lru_cache
def _scenery(kind: Terrain) -> Symbol:
    """The scenery of a terrain."""
    drawn: dict[Terrain, list[Item]] = {
        Terrain.MOUNTAIN: [
            poly(-19, 16, 3, -17, 19, 16, fill=c.ROCK, r=3),
            poly(3, -17, 19, 16, 5, 16, fill=c.ROCK_SHADE, r=2),
            poly(2.6, -16.5, 8, -5, 4, -7, 1, -3, -5, -5, fill=c.SNOW, r=1),
        ],
        Terrain.SEA: [_wave(-6, -6), _wave(6, 7)],
        Terrain.WASTE: [
            poly(-12, 9, -7, -3, 2, 0, 4, 9, fill="#a88f68", r=3),
            poly(2, 10, 6, 1, 13, 4, 14, 10, fill="#93794f", r=2),
            line([(-9, -12), (-5, -9)], "#93794f", 1.6),
        ],
        Terrain.FLOOD: [line([(x, y), (x + 8, y)], c.WATER, 1.6) for x, y in ((-9, -7), (1, 8))],
        Terrain.DELHI: [Circle(0, 0, r, "", "#dfa857", 1.4) for r in (9, 4)],
        Terrain.IMPERIAL: [Circle(x, y, 2.6, "#eeb6c4") for x, y in _BLOSSOMS],
    }
    return symbol(f"terrain-{kind.name.lower()}", *drawn.get(kind, []))


def _wave(x: float, y: float) -> Item:
    return line([(x - 8, y), (x - 4, y + 4), (x, y), (x + 4, y + 4), (x + 8, y)], c.WAVE, 1.6, 3)


def _river(terrain: list[Terrain]) -> Iterator[Item]:
    """The river: a broad line through its spaces, leaving the map at the top and the bottom."""
    water = [space for space, kind in enumerate(terrain) if kind == Terrain.RIVER]
    for width, ink in ((30, c.WATER), (5, c.WAVE)):
        for space in water:
            x, y = middle(space)
            row, col = divmod(space, SIDE)
            nexts = [n for n, fits in ((space + 1, col + 1 < SIDE), (space + SIDE, row + 1 < SIDE)) if fits]
            ends = [middle(n) for n in nexts if terrain[n] == Terrain.RIVER]
            ends += [(x, edge) for at, edge in ((0, width / 2), (SIDE - 1, MAP - width / 2)) if row == at]
            yield from (line([(x, y), end], ink, width) for end in ends)


def _veil(size: int) -> Iterator[Item]:
    """What lies outside the zone, greyed out."""
    z = size * CELL
    if size < SIDE:
        outside = ((z, 0), (MAP, 0), (MAP, MAP), (0, MAP), (0, z), (z, z))
        yield Shape(outside, c.VEIL, alpha=0.78)


def _edge(board: Board, size: int) -> Iterator[Item]:
    """The edge of the zone, around the smallest rectangle that holds it (T1)."""
    words = SQUARE[size] & BUILDABLE[board]
    bits = int(words[0]) | int(words[1]) << HALF
    spaces = [divmod(space, SIDE) for space in range(SPACES) if bits >> space & 1]
    (top, left), (bottom, right) = map(min, zip(*spaces, strict=True)), map(max, zip(*spaces, strict=True))
    x, y, width, height = left * CELL, top * CELL, (right - left + 1) * CELL, (bottom - top + 1) * CELL
    yield box(x, y, width, height, "", 6, c.WHITE, 4.5)
    yield box(x, y, width, height, "", 6, c.EDGE, 2)


def _letters() -> Iterator[Item]:
    """A to J above, 1 to 10 on the left."""
    for i in range(SIDE):
        at = i * CELL + CELL / 2
        yield Text(at, -7, space_name(i)[0], 9, c.SOFT_INK, "middle")
        yield Text(-6, at + 3, str(i + 1), 9, c.SOFT_INK, "end")
