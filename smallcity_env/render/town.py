"""What is in a borough: its tiles, and on them people, materials, markers, graves and the godzilla."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np

from ..language import _, lazy, per_language
from ..rules.actions import space_name
from ..rules.tables import MATERIALS, SEATS, SIDE, Family, Material
from ..rules.tables.maps import Board
from ..rules.tables.names import tile_title
from ..rules.tables.shapes import WAYS, Cells
from ..rules.tables.tiles import NAMES, TILES, Kind
from ..text.grid import members
from . import colours as c
from . import pieces
from .drawing import Circle, Group, Item, Point, Shape, Symbol, Text, Use, box, in_language
from .glyphs import glyph
from .ground import CELL, corner, middle

INSET: Final = 2  # between a tile and the street
SHOP_LETTERS: Final = "abcd"  # C1
PAWN: Final = 0.92
STORED: Final = 0.95
TRAM: Final = int(TILES[Kind.TRAMWAY]["spaces"])
CRAFT: Final = 0.5  # scale of the small icon of what a factory space makes
NARROW: Final = 56  # letters of a name that would fit one space at font size 1
SHORT: Final = {
    Kind.METRO: lazy("Metro"), Kind.POLICE: lazy("Police"), Kind.FIRE: lazy("Fire"),
    Kind.AIRPORT_8: lazy("Airport"), Kind.AIRPORT_9: lazy("Airport"), Kind.OPERA: lazy("Opera House"),
    Kind.TRAMWAY: lazy("Tramway"), Kind.RECYCLING: lazy("Recycling"),
}  # fmt: skip


def tile_label(kind: Kind) -> str:
    """The label of a tile."""
    return str(SHORT.get(kind) or tile_title(kind))


def tiles(b: np.void) -> tuple[Item, ...]:
    """Every tile of a borough, with its name as a tooltip."""
    kinds, ways = b["kind"].tolist(), b["way"].tolist()
    return tuple(_tile(Kind(kinds[first]), ways[first], first) for first in members(b["firsts"]))


def _tile(kind: Kind, way: int, first: int) -> Group:
    """A tile at its position."""
    x, y = corner(first)
    cells = [first + SIDE * row + col for row, col in WAYS[way]]
    where = " ".join(map(space_name, cells))
    title = _("{tile}: {spaces}", tile=tile_title(kind), spaces=where)
    return Group((Use(_tile_symbol(kind, way), x, y),), title=title)


def first_way(kind: Kind) -> Cells:
    """The spaces of a tile lying the first way round; none of a power plant."""
    return WAYS[int(TILES[kind]["way"][0])] if TILES[kind]["ways"] else ()


def tile_drawing(kind: Kind, way: int = 0) -> Use:
    """A tile lying one of its ways round, for a tray of tiles; of a power plant its icon."""
    lies = TILES[kind]["ways"] > 0
    return Use(_tile_symbol(kind, int(TILES[kind]["way"][way])) if lies else glyph(kind), 0, 0)


@per_language
def _tile_symbol(kind: Kind, way: int) -> Symbol:
    """A tile in one orientation; the origin is the corner of its first space."""
    cells, paint = WAYS[way], c.paint_of(kind)
    outline = _outline(cells)
    shadow = tuple((x + 1.5, y + 2.5) for x, y in outline)
    items: list[Item] = [
        Shape(shadow, "#000000", 6, alpha=0.18),
        Shape(outline, paint.face, 6, paint.line, 1.6),
    ]
    items += _family_art(kind, cells) if TILES[kind]["family"] != Family.OTHER else _building_art(kind, cells)
    left = min(col for _, col in cells) * CELL
    right, bottom = (max(col for _, col in cells) + 1) * CELL, (cells[-1][0] + 1) * CELL
    name = in_language(f"{NAMES[kind]}-way-{way}")
    return Symbol(name, tuple(items), ((left - 4, -4), (right + 4, bottom + 4)))


def _family_art(kind: Kind, cells: Cells) -> Iterator[Item]:
    """The family's icon on every space, the level on the first, and what each space yields."""
    family, paint = TILES[kind]["family"], c.paint_of(kind)
    for i, (row, col) in enumerate(cells):
        x, y = col * CELL, row * CELL
        yield Use(glyph(kind), x + 20, y + 20)
        if family == Family.COMMERCIAL:
            yield Circle(x + 32, y + 8.5, 5.2, paint.line)
            yield Text(x + 32, y + 11.4, SHOP_LETTERS[i], 9, c.WHITE, "middle", bold=True)
        elif family == Family.FACTORY:
            yield Circle(x + 31, y + 31, 6.5, paint.art)
            yield Use(pieces.material(Material(i)), x + 31, y + 31, CRAFT)
    yield box(4, 4, 12, 12, paint.line, 3)
    yield Text(10, 13.4, str(TILES[kind]["level"]), 10, c.WHITE, "middle", bold=True)


def _building_art(kind: Kind, cells: Cells) -> Iterator[Item]:
    """The icon and name of a building, and a spot for each person or material it holds."""
    paint = c.paint_of(kind)
    x, y, scale, wide = _stage(cells)
    if TILES[kind]["rooms"] > 1 or kind in (Kind.WAREHOUSE, Kind.PORT):
        held = cells[: TILES[kind]["rooms"]] or cells
        yield from (_room(col * CELL, row * CELL, paint) for row, col in held)
    yield Use(glyph(kind), x, y - 3, scale)
    label = tile_label(kind)
    size = min(7, NARROW / len(label)) if wide == 1 else 8
    bottom = (cells[-1][0] + 1) * CELL if scale > 1 else y + CELL / 2
    yield Text(x, bottom - 5, label, size, c.INK, "middle", bold=wide > 1)


def _room(x: float, y: float, paint: c.Paint) -> Item:
    """A spot for a person or a material."""
    return box(x + 6, y + 6, CELL - 12, CELL - 12, "", 5, paint.line, 0.7, alpha=0.45)


def _stage(cells: Cells) -> tuple[float, float, float, int]:
    """The position and scale of a building's icon, and how many spaces its name may cover."""
    rows, cols = [row for row, _ in cells], [col for _, col in cells]
    if len(cells) == TRAM:  # people stand on its other spaces
        return cols[-1] * CELL + CELL / 2, rows[-1] * CELL + CELL / 2, 1, 1
    full = len(cells) == (max(rows) + 1) * (max(cols) - min(cols) + 1)
    wide = max(cols) - min(cols) + 1
    if full and max(rows) and wide > 1:
        return (min(cols) + wide / 2) * CELL, (max(rows) + 1) / 2 * CELL, 1.5, wide
    if full and wide > 1:
        return (min(cols) + wide / 2) * CELL, CELL / 2, 1, wide
    if full:
        return CELL / 2, (max(rows) + 1) / 2 * CELL, 1, 1
    row = max(rows, key=rows.count)  # the longest row of a bent tile
    inside = [col for r, col in cells if r == row]
    return (min(inside) + max(inside) + 1) / 2 * CELL, row * CELL + CELL / 2, 1, len(inside)


# -- outlines


@lru_cache(None)
def _outline(cells: Cells) -> tuple[Point, ...]:
    """The outline of a tile, slightly inside its spaces."""
    steps = {}
    for row, col in cells:
        for (dr, dc), begin, end in _SIDES:
            if (row + dr, col + dc) not in cells:
                steps[row + begin[0], col + begin[1]] = (row + end[0], col + end[1])
    start = at = min(steps)
    path: list[Corner] = []
    while not path or at != start:
        path.append(at)
        at = steps[at]
    return tuple(_inside(path, i) for i in range(len(path)) if _turns(path, i))


_SIDES: Final = (  # a neighbour, and the side towards it, clockwise, as (row, col) of its ends
    ((-1, 0), (0, 0), (0, 1)), ((0, 1), (0, 1), (1, 1)), ((1, 0), (1, 1), (1, 0)), ((0, -1), (1, 0), (0, 0)),
)  # fmt: skip
Corner = tuple[int, int]


def _ways(path: list[Corner], i: int) -> tuple[Corner, Corner]:
    """The steps into and out of a corner, as (rows, columns)."""
    before, here, after = path[i - 1], path[i], path[(i + 1) % len(path)]
    return (here[0] - before[0], here[1] - before[1]), (after[0] - here[0], after[1] - here[1])


def _turns(path: list[Corner], i: int) -> bool:
    into, out = _ways(path, i)
    return into != out


def _inside(path: list[Corner], i: int) -> Point:
    """A corner moved inwards, which is to the right on a clockwise path."""
    (row, col), (into, out) = path[i], _ways(path, i)
    down, right = into[1] + out[1], -into[0] - out[0]
    return col * CELL + right * INSET, row * CELL + down * INSET


# -- what is on the spaces


def things(state: Any, b: np.void, p: int) -> tuple[Item, ...]:
    """Graves, materials, people, markers, the Mayor and the godzilla, in this order."""
    items: list[Item] = [Use(pieces.grave(), *middle(space)) for space in members(b["cemetery"])]
    for kind in range(MATERIALS):
        sign, where = pieces.material(Material(kind)), members(b["materials"][kind])
        items += [Use(sign, *_moved(space, 0, -3), STORED) for space in where]
    items += [Use(pieces.sprout(), *_moved(n, -9, 9)) for n in members(b["growing"] | b["growing_later"])]
    items += _people(state, b, p)
    items += [Use(pieces.radiation(), *middle(space), 0.9) for space in members(b["markers"])]
    items += _mayor(members(b["mayor"]))
    if stands := members(b["godzilla"]):
        items += _godzilla(stands)
    return tuple(items)


def _moved(space: int, right: float, down: float) -> Point:
    x, y = middle(space)
    return x + right, y + down


def _people(state: Any, b: np.void, p: int) -> Iterator[Item]:
    """Citizens, Tourists, the Pilgrim, riders of the tram and the Doctor."""
    at_work = members(b["worked"])
    for colour in range(SEATS):
        pawn = pieces.citizen(colour) if colour == p else pieces.tourist(colour)
        for space in members(b["citizens"][colour]):
            pilgrim = _pilgrim(state, p) == space and colour == state["pilgrim_of"]
            at = _moved(space, *_stand(b, space))
            yield Use(pieces.citizen(colour) if pilgrim else pawn, *at, PAWN)
            if pilgrim:
                yield Use(pieces.halo(), *at, PAWN)
            if space in at_work:
                yield Use(pieces.worked(), *_moved(space, 12, 12), 0.9)
    yield from _riders(b, p)
    if b["doctor"] and b["built"][Kind.CLINIC]:
        yield Use(pieces.doctor(), *_moved(_spaces_of(b, Kind.CLINIC)[-1], 9, -5), 0.75)


def _stand(b: np.void, space: int) -> Point:
    """Where people stand on a space: above the name of a building, at home a little to the right."""
    family = TILES[int(b["kind"][b["first"][space]])]["family"]
    return (0, -4) if family == Family.OTHER else (3, 3)


def _pilgrim(state: Any, p: int) -> int:
    """The space of the Pilgrim in this borough, -1 if he is not here."""
    return int(state["pilgrim"]) - 1 if state["rules"]["board"][p] == Board.ULAANBAATAR else -1


def _spaces_of(b: np.void, kind: Kind) -> list[int]:
    """The spaces of the first tile of a kind."""
    first = next((n for n in members(b["firsts"]) if b["kind"][n] == kind), -1)
    return [] if first < 0 else [first + SIDE * row + col for row, col in WAYS[int(b["way"][first])]]


def _riders(b: np.void, p: int) -> Iterator[Item]:
    """People on the Tramway Station: one pawn per colour, with their number (NB4)."""
    cells = _spaces_of(b, Kind.TRAMWAY)
    for colour, space in zip(range(SEATS), cells, strict=False):
        if b["riders"][colour]:
            x, y = middle(space)
            yield Use(pieces.citizen(colour) if colour == p else pieces.tourist(colour), x - 3, y + 3, PAWN)
            yield Circle(x + 12, y + 10, 6.5, c.WHITE, c.INK, 1)
            yield Text(x + 12, y + 13.4, str(b["riders"][colour]), 9.5, c.INK, "middle", bold=True)


def _between(spaces: list[int]) -> Point:
    """The middle of one or two spaces."""
    places = [middle(space) for space in spaces]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _under(spaces: list[int], inset: float, fill: str, alpha: float = 1) -> Item:
    """A patch over one or two spaces, inset from their edges."""
    (left, top), (right, bottom) = corner(spaces[0]), corner(spaces[-1])
    width, height = right - left + CELL - 2 * inset, bottom - top + CELL - 2 * inset
    return box(left + inset, top + inset, width, height, fill, min(width, height) / 2, alpha=alpha)


def _mayor(spaces: list[int]) -> Iterator[Item]:
    """The Mayor between his two spaces, on a red carpet."""
    if spaces:
        yield _under(spaces, 12, "#b3374a")
        x, y = _between(spaces)
        yield Use(pieces.mayor(), x, y + 2, 1.1)


def _godzilla(spaces: list[int]) -> Iterator[Item]:
    """The godzilla over the spaces it stands on; on each of two that lie apart (G13)."""
    (row, col), (last_row, last_col) = divmod(spaces[0], SIDE), divmod(spaces[-1], SIDE)
    if last_row - row + abs(last_col - col) > 1:
        for space in spaces:
            yield from _godzilla([space])
    else:
        yield _under(spaces, 3, "#1d2b26", alpha=0.45)
        yield Use(pieces.godzilla(), *_between(spaces), 1.15 if len(spaces) > 1 else 0.8)


def spotlight(space: int) -> Iterator[Item]:
    """A ring around a space the question is about, both light and dark for contrast."""
    yield box(*corner(space), CELL, CELL, "", 8, c.WHITE, 6.5)
    yield box(*corner(space), CELL, CELL, "", 8, c.ALARM, 3)


def plants(b: np.void) -> Iterator[Item]:
    """A bolt above every powered column (PP2)."""
    for col in range(SIDE):
        if int(b["powered"]) >> col & 1:
            yield box(col * CELL + 2, -34, CELL - 4, 15, "#fbe7a1", 5, "#8a6d1f", 1)
            yield Use(glyph(Kind.PLANT_1), col * CELL + CELL / 2, -26.5, 0.55)
