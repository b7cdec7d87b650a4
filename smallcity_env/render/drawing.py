"""The elements of a picture (shapes, circles, texts, symbols, groups) and their SVG.

A drawing is a tree of these and nothing else, so SVG (here) and pixels (paint.py) show the same.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Final, TypeAlias

from ..language import ENGLISH, current

Point: TypeAlias = tuple[float, float]
FONTS: Final = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
_ARC_STEP: Final = math.pi / 12


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon, or a polyline if not closed; its corners are rounded by up to `r`."""

    points: tuple[Point, ...]
    fill: str = ""
    r: float = 0
    stroke: str = ""
    width: float = 0
    closed: bool = True
    alpha: float = 1


@dataclass(frozen=True, slots=True)
class Circle:
    """A disc, a ring, or both."""

    x: float
    y: float
    r: float
    fill: str = ""
    stroke: str = ""
    width: float = 0
    alpha: float = 1


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text; `y` is its baseline, `x` its start, middle or end, by `anchor`."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A named drawing, defined once and used often; it extends from `box[0]` to `box[1]`."""

    name: str
    items: "tuple[Item, ...]"
    box: tuple[Point, Point]


def in_language(name: str) -> str:
    """The name of a symbol with words on it: of another one in each language."""
    return name if current() == ENGLISH else f"{name}-{current()}"


@dataclass(frozen=True, slots=True)
class Use:
    """A symbol at a position."""

    symbol: Symbol
    x: float
    y: float
    scale: float = 1


@dataclass(frozen=True, slots=True)
class Group:
    """Items that belong together: at a position, with an id for the page and a tooltip."""

    items: "tuple[Item, ...]"
    x: float = 0
    y: float = 0
    name: str = ""
    title: str = ""


Item: TypeAlias = Shape | Circle | Text | Use | Group


@dataclass(frozen=True, slots=True)
class Drawing:
    """A whole picture; `title` describes it for screen readers."""

    width: int
    height: int
    title: str
    groups: tuple[Group, ...]


# -- geometry


def box(x: float, y: float, width: float, height: float, fill: str = "", r: float = 0,
        stroke: str = "", thick: float = 0, alpha: float = 1) -> Shape:  # fmt: skip
    """A rectangle."""
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Shape(corners, fill, r, stroke, thick, alpha=alpha)


def line(points: Iterable[Point], stroke: str, width: float, r: float = 0, alpha: float = 1) -> Shape:
    """A line with round ends."""
    return Shape(tuple(points), "", r, stroke, width, closed=False, alpha=alpha)


def poly(*numbers: float, fill: str, r: float = 0, stroke: str = "", width: float = 0) -> Shape:
    """A polygon from x, y, x, y ..."""
    return Shape(tuple(zip(numbers[::2], numbers[1::2], strict=True)), fill, r, stroke, width)


def arc(x: float, y: float, r: float, start: float, end: float) -> list[Point]:
    """Points of an arc, its angles in degrees clockwise from the right."""
    first, last = math.radians(start), math.radians(end)
    steps = max(2, math.ceil(abs(last - first) / _ARC_STEP))
    angles = [first + (last - first) * i / steps for i in range(steps + 1)]
    return [(x + r * math.cos(angle), y + r * math.sin(angle)) for angle in angles]


def corners(shape: Shape) -> list[tuple[Point, Point, Point]]:
    """Every corner with the points where its rounding begins and ends: (begin, corner, end)."""
    points, n = shape.points, len(shape.points)
    rounded = []
    for i, corner in enumerate(points):
        if not shape.closed and i in (0, n - 1):
            rounded.append((corner, corner, corner))
        else:
            before, after = points[i - 1], points[(i + 1) % n]
            rounded.append((_toward(corner, before, shape.r), corner, _toward(corner, after, shape.r)))
    return rounded


def _toward(corner: Point, other: Point, r: float) -> Point:
    """The point at distance r, but at most half way, from a corner to the next."""
    dx, dy = other[0] - corner[0], other[1] - corner[1]
    length = math.hypot(dx, dy)
    part = min(r, length / 2) / length if length else 0
    return corner[0] + dx * part, corner[1] + dy * part


def symbols_in(items: Iterable[Item]) -> Iterator[Symbol]:
    """Every symbol used; nested symbols come before those that contain them."""
    for item in items:
        if isinstance(item, Group):
            yield from symbols_in(item.items)
        elif isinstance(item, Use):
            yield from symbols_in(item.symbol.items)
            yield item.symbol


# -- SVG


def svg(drawing: Drawing) -> str:
    """The picture as an SVG file."""
    body = [f"{group_head(group)}{''.join(map(write, group.items))}</g>" for group in drawing.groups]
    title = f"<title>{escape(drawing.title, quote=False)}</title>"
    return f"{svg_head(drawing)}{title}<defs>{definitions(drawing.groups)}</defs>{''.join(body)}</svg>"


def svg_head(drawing: Drawing) -> str:
    """The opening tag of a picture."""
    size = f"{drawing.width} {drawing.height}"
    width, height = size.split()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {size}" '
        f'role="img" font-family="{FONTS}" stroke-linejoin="round" stroke-linecap="round">'
    )


def definitions(groups: Iterable[Item]) -> str:
    """The definitions of all symbols used, each once."""
    symbols = {symbol.name: symbol for symbol in symbols_in(groups)}
    return "".join(define(symbol) for symbol in symbols.values())


@lru_cache(maxsize=4096)
def define(symbol: Symbol) -> str:
    """The definition of a symbol."""
    return f'<g id="{symbol.name}">{"".join(map(write, symbol.items))}</g>'


def group_head(group: Group) -> str:
    """The opening tag of a group."""
    name = f' id="{escape(group.name)}"' if group.name else ""
    moved = f' transform="translate({_n(group.x)} {_n(group.y)})"' if group.x or group.y else ""
    title = f"<title>{escape(group.title, quote=False)}</title>" if group.title else ""
    return f"<g{name}{moved}>{title}"


def write(item: Item) -> str:
    """An item as SVG."""
    match item:
        case Shape():
            return f'<path d="{_path(item)}"{_inks(item)}/>'
        case Circle():
            return f'<circle cx="{_n(item.x)}" cy="{_n(item.y)}" r="{_n(item.r)}"{_inks(item)}/>'
        case Text():
            return _text(item)
        case Use():
            return f'<use href="#{item.symbol.name}"{_place(item)}/>'
        case Group():
            return f"{group_head(item)}{''.join(map(write, item.items))}</g>"


def _n(number: float) -> str:
    """A number rounded to a tenth, as short as possible."""
    return f"{round(number, 1):g}"


def _at(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _path(shape: Shape) -> str:
    """The outline, with curves at rounded corners."""
    words: list[str] = []
    for begin, corner, end in corners(shape):
        words.append(f"{'L' if words else 'M'}{_at(begin)}")
        if begin != end:
            words.append(f"Q{_at(corner)} {_at(end)}")
    return "".join(words) + ("Z" if shape.closed else "")


def _inks(item: Shape | Circle) -> str:
    """Fill, line and opacity."""
    attributes = f' fill="{item.fill or "none"}"'
    if item.stroke:
        attributes += f' stroke="{item.stroke}" stroke-width="{_n(item.width)}"'
    return attributes + (f' opacity="{item.alpha:g}"' if item.alpha < 1 else "")


def _text(item: Text) -> str:
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    bold = ' font-weight="700"' if item.bold else ""
    place = f'x="{_n(item.x)}" y="{_n(item.y)}" font-size="{_n(item.size)}" fill="{item.fill}"'
    return f"<text {place}{anchor}{bold}>{escape(item.text, quote=False)}</text>"


def _place(item: Use) -> str:
    if item.scale != 1:
        return f' transform="translate({_at((item.x, item.y))})scale({item.scale:g})"'
    return f' x="{_n(item.x)}" y="{_n(item.y)}"'
