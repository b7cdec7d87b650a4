"""Pixels: the shapes painted with Pillow at twice the size and scaled down, for smooth edges."""

import math
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..refusal import install
from .drawing import Circle, Drawing, Group, Item, Point, Shape, Symbol, Text, Use, corners

TWICE = 2  # supersampling factor
ROUNDING = (0.25, 0.5, 0.75)  # curve parameters at which a rounded corner is sampled
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}
BOLD = 50  # the font has no bold: letters get an outline of 1/BOLD of their size
KEPT = 1024  # cached symbols, texts and fonts


class NoPillow(ImportError):
    """Pixels need Pillow, which is not installed."""


def _pillow() -> Any:
    """Pillow, or an error that explains how to install it."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise NoPillow(f"rgb_array needs Pillow: {install('pictures')}") from None
    return Image, ImageDraw, ImageFont


def pixels(drawing: Drawing) -> npt.NDArray[np.uint8]:
    """The picture as an array of height x width x 3 bytes."""
    image, _, _ = _pillow()
    canvas = image.new("RGB", (drawing.width * TWICE, drawing.height * TWICE), "white")
    brush = Brush(canvas, TWICE, 0, 0)
    for group in drawing.groups:
        brush.paint(group)
    return np.asarray(canvas.reduce(TWICE))


class Brush:
    """Paints items on an image, scaled and translated."""

    def __init__(self, canvas: Any, scale: float, x: float, y: float) -> None:
        self.canvas: Any = canvas
        self.scale: float = scale
        self.x: float = x
        self.y: float = y
        draw = _pillow()[1].Draw
        self.solid: Any = draw(canvas)
        self.glass: Any = draw(canvas, "RGBA" if canvas.mode == "RGB" else None)

    def at(self, point: Point) -> Point:
        """The image coordinates of a point."""
        return (point[0] + self.x) * self.scale, (point[1] + self.y) * self.scale

    def paint(self, item: Item) -> None:
        """Paint an item."""
        match item:
            case Shape():
                self._shape(item)
            case Circle():
                self._circle(item)
            case Text():
                self._text(item)
            case Use():
                self._use(item)
            case Group():
                self._group(item)

    def _group(self, group: Group) -> None:
        self.x, self.y = self.x + group.x, self.y + group.y
        for item in group.items:
            self.paint(item)
        self.x, self.y = self.x - group.x, self.y - group.y

    def _shape(self, shape: Shape) -> None:
        points = [self.at(point) for point in _followed(shape)]
        draw = self.glass if shape.alpha < 1 else self.solid  # blending is slower
        if shape.fill and shape.closed:
            draw.polygon(points, fill=ink(shape.fill, shape.alpha))
        if shape.stroke:
            thick = max(1, round(shape.width * self.scale))
            joined = [*points, *points[:2]] if shape.closed else points
            draw.line(joined, fill=ink(shape.stroke, shape.alpha), width=thick, joint="curve")
            if not shape.closed and thick > TWICE:
                self._ends(points, thick / 2, ink(shape.stroke, shape.alpha))

    def _ends(self, points: list[Point], r: float, colour: Any) -> None:
        """The round ends of a line."""
        for x, y in (points[0], points[-1]):
            self.solid.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def _circle(self, circle: Circle) -> None:
        x, y = self.at((circle.x, circle.y))
        r = (circle.r + (circle.width / 2 if circle.stroke else 0)) * self.scale
        fill = ink(circle.fill, circle.alpha) if circle.fill else None
        outline = ink(circle.stroke, circle.alpha) if circle.stroke else None
        thick = max(1, round(circle.width * self.scale)) if circle.stroke else 0
        draw = self.glass if circle.alpha < 1 else self.solid
        draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=outline, width=thick)

    def _text(self, text: Text) -> None:
        size = text.size * self.scale
        sprite = _written(text.text, size, text.fill, text.anchor, size / BOLD if text.bold else 0)
        self._put(sprite, self.at((text.x, text.y)))

    def _use(self, use: Use) -> None:
        sprite = _sprite(use.symbol, round(use.scale * self.scale, 3))
        self._put(sprite, self.at((use.x, use.y)))

    def _put(self, painted: "Sprite", at: Point) -> None:
        """Paste a cached sprite onto the image."""
        sprite, left, top = painted
        place = round(at[0] + left), round(at[1] + top)
        if self.canvas.mode == "RGB":
            self.canvas.paste(sprite, place, sprite)
        else:
            self.canvas.alpha_composite(sprite, (max(0, place[0]), max(0, place[1])))


Sprite: TypeAlias = tuple[Any, float, float]  # an image, and the offset of its top left corner


@lru_cache(KEPT)
def _written(text: str, size: float, fill: str, anchor: str, stroke: float) -> Sprite:
    """A cached sprite of a text."""
    image, draw, _ = _pillow()
    font = _font(max(1, round(size)))
    left, top, right, bottom = font.getbbox(text, stroke_width=stroke, anchor=ANCHORS[anchor])
    corner = math.floor(left) - 1, math.floor(top) - 1
    red, green, blue, _ = ink(fill, 1)
    extent = math.ceil(right) - corner[0] + 1, math.ceil(bottom) - corner[1] + 1
    canvas = image.new("RGBA", extent, (red, green, blue, 0))
    place = -corner[0], -corner[1]
    draw.Draw(canvas).text(place, text, fill, font, ANCHORS[anchor], stroke_width=stroke)
    return canvas, *corner


@lru_cache(KEPT)
def _sprite(symbol: Symbol, scale: float) -> Sprite:
    """A cached sprite of a symbol."""
    (left, top), (right, bottom) = symbol.box
    size = round((right - left) * scale), round((bottom - top) * scale)
    canvas = _pillow()[0].new("RGBA", size, (0, 0, 0, 0))
    if any(isinstance(item, Shape | Circle) and item.alpha < 1 for item in symbol.items):
        return _blended(symbol, canvas, scale), left * scale, top * scale
    brush = Brush(canvas, scale, -left, -top)
    for item in symbol.items:
        brush.paint(item)
    return canvas, left * scale, top * scale


def _blended(symbol: Symbol, canvas: Any, scale: float) -> Any:
    """A symbol with transparent parts, its items composited one by one."""
    (left, top), _ = symbol.box
    for item in symbol.items:
        sheet = _pillow()[0].new("RGBA", canvas.size, (0, 0, 0, 0))
        Brush(sheet, scale, -left, -top).paint(item)
        canvas.alpha_composite(sheet)
    return canvas


@lru_cache(KEPT)
def _font(size: int) -> Any:
    """Pillow's built-in font: the same pixels everywhere."""
    return _pillow()[2].load_default(size)


@lru_cache(KEPT)
def ink(colour: str, alpha: float) -> tuple[int, int, int, int]:
    """A colour like #a1b2c3 with an opacity, as an RGBA tuple."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return red, green, blue, round(255 * alpha)


@lru_cache(4 * KEPT)
def _followed(shape: Shape) -> list[Point]:
    """The points of an outline, with rounded corners as short segments."""
    points: list[Point] = []
    for begin, corner, end in corners(shape):
        points.append(begin)
        if begin != end:
            points += [_curve(begin, corner, end, t) for t in ROUNDING]
            points.append(end)
    return points


def _curve(begin: Point, corner: Point, end: Point, t: float) -> Point:
    """A point of the curve SVG draws at the corner."""
    a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
    return a * begin[0] + b * corner[0] + c * end[0], a * begin[1] + b * corner[1] + c * end[1]
