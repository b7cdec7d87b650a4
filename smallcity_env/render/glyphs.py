"""The icons on the tiles: one per family and building, 40 x 40, centred on the origin."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from ..rules.tables import Family
from ..rules.tables.tiles import ROWS, TILES, Kind
from .colours import INK, WHITE, Paint, paint_of
from .drawing import Circle, Item, Shape, Symbol, arc, box, line, poly

HALF: Final = 20.0
Glyph = Callable[[Paint], list[Item]]


def symbol(name: str, *items: Item, reach: float = HALF) -> Symbol:
    """A symbol centred on the origin."""
    return Symbol(name, items, ((-reach, -reach), (reach, reach)))


@lru_cache
def glyph(kind: Kind) -> Symbol:
    """The icon of a tile."""
    family = Family(int(TILES[kind]["family"]))
    if family is not Family.OTHER:
        return symbol(family.name.lower(), *_FAMILIES[family](paint_of(kind)))
    name = kind.name.lower().replace("_8", "").replace("_9", "").replace("_", "-")
    paint = paint_of(kind)
    if outlines := _ICONS.get(kind):
        return symbol(name, *(poly(*outline, fill=paint.art) for outline in outlines))
    return symbol(name, *_BUILDINGS.get(kind, _plain)(paint))


def _plain(paint: Paint) -> list[Item]:
    """A building without an icon of its own."""
    return [box(-8, -8, 16, 16, paint.art, 2, paint.line, 1.5)]


_ICONS: Final = {tile.kind: tile.icon for tile in ROWS if tile.icon}  # of expansions that bring their own


# -- families


def _home(paint: Paint) -> list[Item]:
    return [
        box(3.5, -11, 3, 7, paint.line),
        box(-8, -4, 16, 12, paint.art, 1),
        poly(-11, -3, 0, -13, 11, -3, fill=paint.line, r=2),
        box(-2, 1.5, 4.5, 6.5, paint.line, 0.5),
    ]


def _shop(paint: Paint) -> list[Item]:
    stripes = [box(-10 + 5 * i, -9, 5, 6, WHITE if i % 2 else paint.line, 0.5) for i in range(4)]
    scallops = [Circle(-7.5 + 5 * i, -3, 2.5, WHITE if i % 2 else paint.line) for i in range(4)]
    return [
        box(-9, -5, 18, 13, paint.art, 1),
        box(-7, 0.5, 6, 5, paint.face),
        box(2, 0, 5, 8, paint.line, 0.5),
        *scallops, *stripes,
    ]  # fmt: skip


_SAW: Final = (-10, 8, -10, -2, -5, -6, -5, -2, 0, -6, 0, -2, 5, -6, 5, -2, 10, -2, 10, 8)


def _factory(paint: Paint) -> list[Item]:
    return [
        Circle(8.5, -14, 2.2, paint.art, alpha=0.55),
        Circle(11.5, -16.5, 2.8, paint.art, alpha=0.4),
        box(5.5, -12, 4, 12, paint.art),
        poly(*_SAW, fill=paint.art, r=0.5),
        box(-7, 2, 3.5, 3, paint.face), box(-1.5, 2, 3.5, 3, paint.face), box(4, 2, 3.5, 3, paint.face),
    ]  # fmt: skip


def _park(paint: Paint) -> list[Item]:
    leaf, light = paint.art, "#5a9c4a"
    return [
        box(-6.2, 2, 2.4, 8, "#7a5230", 0.5), box(4.8, 3, 2.4, 7, "#7a5230", 0.5),
        Circle(-5, -3, 7, leaf), Circle(-7, -5, 3, light),
        poly(6, -9, 11.5, 5, 0.5, 5, fill=leaf, r=2), poly(6, -6, 8.5, 1, 3.5, 1, fill=light, r=1),
    ]  # fmt: skip


_FAMILIES: Final[dict[Family, Glyph]] = {
    Family.RESIDENTIAL: _home,
    Family.COMMERCIAL: _shop,
    Family.FACTORY: _factory,
    Family.PARK: _park,
}

# -- buildings


def _temple(paint: Paint) -> list[Item]:
    columns = [box(-8 + 5 * i, -3, 2.6, 8, paint.art) for i in range(4)]
    return [
        poly(-11, -4, 0, -11, 11, -4, fill=paint.art, r=1), *columns,
        box(-11, 5.5, 22, 2.5, paint.art, 0.5),
    ]  # fmt: skip


def _hall(paint: Paint) -> list[Item]:
    return [
        line([(0, -12), (0, -18)], paint.line, 1.4),
        poly(0, -18.5, 8, -16.2, 0, -13.8, fill="#d1495b"),
        *_temple(Paint(paint.face, paint.line, paint.art)),
    ]


def _school(paint: Paint) -> list[Item]:
    return [
        box(-9, -3, 18, 10, paint.art, 1),
        poly(-5, -3, 0, -10, 5, -3, fill=paint.art, r=1),
        Circle(0, -3.5, 2, paint.line),
        box(-6.5, 0, 3, 3, paint.face), box(3.5, 0, 3, 3, paint.face), box(-1.6, 1.5, 3.2, 5.5, paint.line),
    ]  # fmt: skip


def _library(paint: Paint) -> list[Item]:
    return [
        poly(0, -6, -11, -8, -11, 5, 0, 7, fill=paint.art, r=1.5),
        poly(0, -6, 11, -8, 11, 5, 0, 7, fill=WHITE, r=1.5),
        *(line([(-8.5, y), (-2.5, y + 1)], paint.face, 1) for y in (-4, -1, 2)),
        *(line([(2.5, y + 1), (8.5, y)], paint.face, 1) for y in (-4, -1, 2)),
    ]


def _metro(paint: Paint) -> list[Item]:
    m = line([(-5, 4), (-5, -5), (0, 1), (5, -5), (5, 4)], paint.line, 2.6)
    return [Circle(0, 0, 10.5, paint.art, paint.line, 1.6), m]


def _clinic(paint: Paint) -> list[Item]:
    return [
        box(-9, -9, 18, 18, WHITE, 3),
        box(-2.4, -6.5, 4.8, 13, "#c8324a", 0.8),
        box(-6.5, -2.4, 13, 4.8, "#c8324a", 0.8),
    ]


def _university(paint: Paint) -> list[Item]:
    return [
        poly(-7, 0, 7, 0, 7, 6, 0, 9, -7, 6, fill=paint.line, r=2),
        poly(0, -9, 14, -2.5, 0, 4, -14, -2.5, fill=paint.art, r=1),
        line([(11, -2), (11, 6)], "#f2b705", 1.4), Circle(11, 7, 1.8, "#f2b705"),
    ]  # fmt: skip


def _police(paint: Paint) -> list[Item]:
    star = [point for i in range(5) for point in (*arc(0, -1, 5.5, 72 * i - 90, 72 * i - 90)[:1],
            *arc(0, -1, 2.3, 72 * i - 54, 72 * i - 54)[:1])]  # fmt: skip
    return [
        poly(-9, -9, 0, -11.5, 9, -9, 9, 1, 0, 11, -9, 1, fill="#2f4d86", r=3),
        Shape(tuple(star), "#f2d477"),
    ]


def _fire(paint: Paint) -> list[Item]:
    return [
        poly(0, -13, 6, -5, 9, 2, 6, 9, 0, 11, -6, 9, -9, 2, -6, -3, -3, -5, fill="#c7361c", r=4),
        poly(1, -4, 5, 4, 3, 9, -2, 9, -5, 4, fill="#f6b93b", r=3),
    ]


def _crate(x: float, y: float, paint: Paint) -> list[Item]:
    return [
        box(x, y, 9, 9, "#e6d6b8", 1, paint.line, 1),
        line([(x + 1.5, y + 1.5), (x + 7.5, y + 7.5)], paint.line, 1),
        line([(x + 7.5, y + 1.5), (x + 1.5, y + 7.5)], paint.line, 1),
    ]


def _warehouse(paint: Paint) -> list[Item]:
    return [poly(-13, -4, 0, -12, 13, -4, 13, 9, -13, 9, fill=paint.art, r=1),
            box(-9.5, -2, 19, 11, paint.face), *_crate(-9, 0, paint), *_crate(0.5, 0, paint)]  # fmt: skip


def _refinery(paint: Paint) -> list[Item]:
    return [
        box(-10, -6, 9, 14, paint.art, 3), box(1, -2, 9, 10, paint.art, 3),
        line([(-5.5, -6), (-5.5, -10), (5.5, -10), (5.5, -2)], paint.art, 1.8, 2),
        box(-10, 0, 9, 2, paint.face), box(1, 3, 9, 2, paint.face),
    ]  # fmt: skip


def _anchor(paint: Paint) -> list[Item]:
    return [
        Circle(0, -9, 2.8, "", paint.art, 2),
        line([(0, -6), (0, 9)], paint.art, 2.4),
        line([(-5, -3), (5, -3)], paint.art, 2.2),
        line(arc(0, 0, 9, 15, 165), paint.art, 2.4),
    ]


def _plane(paint: Paint) -> list[Item]:
    return [
        poly(-1.8, -10, 0, -15, 1.8, -10, 2, 10, 0, 13, -2, 10, fill=WHITE, r=1.6, stroke=INK, width=0.8),
        poly(-2, -4, -14, 4, -14, 7, -2, 3, fill=WHITE, r=1, stroke=INK, width=0.8),
        poly(2, -4, 14, 4, 14, 7, 2, 3, fill=WHITE, r=1, stroke=INK, width=0.8),
        poly(-1, 8, -6, 12, -6, 14, 0, 12, 6, 14, 6, 12, 1, 8, fill=WHITE, r=0.6, stroke=INK, width=0.8),
    ]


def _bank(paint: Paint) -> list[Item]:
    dollar = line([(4, -4), (-1, -5.5), (-4, -3), (4, 2.5), (1, 5.5), (-4, 4)], INK, 2, 3)
    return [Circle(0, 0, 11, "#f2c84b", "#8a6d1f", 1.6), line([(0, -8), (0, 8)], INK, 1.4), dollar]


def _recycling(paint: Paint) -> list[Item]:
    arrows: list[Item] = []
    for start in (-80, 40, 160):
        body = line(arc(0, 0, 8.5, start, start + 70), paint.art, 3.2)
        (x, y), *_, (px, py) = arc(0, 0, 8.5, start + 70, start + 105)
        dx, dy = (py - y) * 0.7, (x - px) * 0.7
        arrows += [body, poly(x + dx, y + dy, px, py, x - dx, y - dy, fill=paint.art)]
    return arrows


def _tram(paint: Paint) -> list[Item]:
    return [
        line([(-4, -12), (4, -12)], paint.line, 1.4), line([(0, -12), (0, -8)], paint.line, 1.4),
        box(-8, -9, 16, 15, paint.art, 3, paint.line, 1.2), box(-5.5, -6, 11, 6, paint.face, 1),
        Circle(-4.5, 3, 1.4, paint.line), Circle(4.5, 3, 1.4, paint.line),
        line([(-10, 9), (10, 9)], paint.line, 1.6),
    ]  # fmt: skip


def _big_ben(paint: Paint) -> list[Item]:
    return [
        box(-4.5, -6, 9, 16, paint.art), poly(-5.5, -6, 0, -16, 5.5, -6, fill=paint.line, r=0.5),
        Circle(0, -1, 3.6, WHITE, paint.line, 1),
        line([(0, -3.2), (0, -1), (1.6, 0)], paint.line, 0.9),
        box(-6, 9, 12, 2, paint.line),
    ]  # fmt: skip


def _opera(paint: Paint) -> list[Item]:
    sails = [
        Shape((*arc(x, 6, r, 180, 275), (x + r * 0.35, 6)), WHITE, 0, paint.line, 1)
        for x, r in ((-1, 14), (4, 11), (9, 8))
    ]
    return [*sails, box(-16, 6, 32, 3, paint.line, 1)]


def _monastery(paint: Paint) -> list[Item]:
    roofs = [poly(-w, y, -w + 4, y - 5, w - 4, y - 5, w, y, fill="#a8442f", r=1)
             for w, y in ((8, -6), (10, 0))]  # fmt: skip
    top = Circle(0, -12.5, 1.6, "#f2b705")
    return [box(-6, -6, 12, 15, paint.art), *roofs, box(-2, 3, 4, 6, paint.line), top]


def _bolt(paint: Paint) -> list[Item]:
    return [poly(2, -12, -7, 2, -1, 2, -3, 12, 7, -3, 1, -3, fill="#f2b705", stroke=INK, width=1)]


_BUILDINGS: Final[dict[Kind, Glyph]] = {
    Kind.CITY_HALL: _hall, Kind.SCHOOL: _school, Kind.LIBRARY: _library, Kind.MUSEUM: _temple,
    Kind.METRO: _metro, Kind.CLINIC: _clinic, Kind.UNIVERSITY: _university, Kind.POLICE: _police,
    Kind.FIRE: _fire, Kind.WAREHOUSE: _warehouse, Kind.REFINERY: _refinery, Kind.HARBOR: _anchor,
    Kind.AIRPORT_8: _plane, Kind.AIRPORT_9: _plane, Kind.BANK: _bank, Kind.RECYCLING: _recycling,
    Kind.TRAMWAY: _tram, Kind.BIG_BEN: _big_ben, Kind.OPERA: _opera, Kind.PORT: _anchor,
    Kind.MONASTERY: _monastery, Kind.PLANT_1: _bolt, Kind.PLANT_2: _bolt, Kind.PLANT_3: _bolt,
}  # fmt: skip
