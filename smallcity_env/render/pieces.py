"""The wooden pieces: people, materials, markers, graves, the Mayor and the godzilla."""

from functools import lru_cache

from ..rules.tables import Material
from .colours import GOLD, INK, MATERIAL_INKS, SEAT_FACES, SEAT_LINES, SEAT_TEXTS, SNOW, WHITE
from .drawing import Circle, Item, Shape, Symbol, Text, arc, box, line, poly
from .glyphs import symbol


def _pawn(face: str, edge: str) -> list[Item]:
    """A citizen: a head on a bell, with a white rim to stand out on any tile."""
    body = (-7.5, 9.5, -6, 3, -2.5, -2, 2.5, -2, 6, 3, 7.5, 9.5)
    return [
        poly(*body, fill=WHITE, r=2, stroke=WHITE, width=4),
        Circle(0, -5, 5.2, WHITE, WHITE, 4),
        poly(*body, fill=face, r=2, stroke=edge, width=1),
        Circle(0, -5, 4.8, face, edge, 1),
    ]


@lru_cache
def citizen(p: int) -> Symbol:
    """A citizen of a seat, with its number."""
    number = Text(0, 8.2, str(p), 8.5, SEAT_TEXTS[p], "middle", bold=True)
    return symbol(f"citizen-{p}", *_pawn(SEAT_FACES[p], SEAT_LINES[p]), number)


@lru_cache
def tourist(p: int) -> Symbol:
    """A Tourist: a citizen with a hat and a suitcase."""
    return symbol(
        f"tourist-{p}",
        *citizen(p).items,
        line([(-6.5, -7.5), (6.5, -7.5)], INK, 2),
        box(-4, -12, 8, 4.5, INK, 1.5),
        box(5, 3, 8.5, 6.5, "#8a5a2b", 1, WHITE, 1),
        line([(7.6, 3), (7.6, 1.2), (10.9, 1.2), (10.9, 3)], "#8a5a2b", 1.2),
    )


@lru_cache
def worked() -> Symbol:
    """The mark of a citizen who worked this round."""
    tick = line([(-2, 0), (-0.5, 1.6), (2.2, -1.6)], WHITE, 1.4)
    return symbol("worked", Circle(0, 0, 4.2, GOLD, WHITE, 1), tick)


@lru_cache
def halo() -> Symbol:
    """The Pilgrim's halo."""
    return symbol("pilgrim", Circle(0, -5, 8, "", GOLD, 1.8))


@lru_cache
def doctor() -> Symbol:
    """A Doctor: white, with a cross."""
    cross: list[Item] = [box(-1.1, 0.8, 2.2, 7, "#c8324a"), box(-3.5, 3.2, 7, 2.2, "#c8324a")]
    return symbol("doctor", *_pawn("#f4f7fa", "#47606e"), *cross)


@lru_cache
def mayor() -> Symbol:
    """The Mayor: black and gold, with a top hat and a sash."""
    return symbol(
        "mayor",
        *_pawn("#2c2a3a", "#0f0e16"),
        line([(-4.5, 0), (5, 8)], GOLD, 2.6),
        line([(-7, -9), (7, -9)], "#0f0e16", 2.2),
        box(-4.2, -17, 8.4, 8, "#0f0e16", 1),
        line([(-4, -10.8), (4, -10.8)], GOLD, 1.6),
    )


@lru_cache
def material(kind: Material) -> Symbol:
    """A piece of wood, stone or metal: a log, a rock, an ingot."""
    ink = MATERIAL_INKS[kind]
    drawn: dict[Material, list[Item]] = {
        Material.WOOD: [
            box(-9, -4.5, 15, 9, ink, 4, "#5e3a12", 1),
            Circle(6, 0, 4.4, "#e3bd86", "#5e3a12", 1),
            Circle(6, 0, 1.8, "", "#a9702f", 1),
            line([(-6, -1), (-1, -1)], "#7d4f1c", 1), line([(-5, 2), (0, 2)], "#7d4f1c", 1),
        ],
        Material.STONE: [
            poly(-9, 6, -8, -2, -3, -7, 4, -6, 9, 0, 8, 6, fill=ink, r=1.5, stroke="#4f5257", width=1),
            poly(-6, -1, -2.5, -5, 2, -4.5, -1, -1, fill="#b9bcc2", r=1),
        ],
        Material.METAL: [
            poly(-10, 5, -6, -5, 6, -5, 10, 5, fill=ink, r=1, stroke="#21384f", width=1),
            poly(-6, -5, 6, -5, 4.5, -1.5, -4.5, -1.5, fill="#9dbad8", r=0.5),
        ],
    }  # fmt: skip
    return symbol(kind.name.lower(), *drawn[kind])


@lru_cache
def radiation() -> Symbol:
    """A Radiation marker: a black trefoil on yellow."""
    blades = [Shape((*arc(0, 0, 10.5, a, a + 60), *arc(0, 0, 3.6, a + 60, a)), INK) for a in (-120, 0, 120)]
    return symbol("radiation", Circle(0, 0, 13.5, "#ffd60a", INK, 1.6), *blades, Circle(0, 0, 2.2, INK))


@lru_cache
def grave() -> Symbol:
    """A cemetery space: earth, a stone and a cross."""
    return symbol(
        "grave",
        box(-17, -17, 34, 34, "#b7c4a1", 7),
        Circle(-10, 11, 3, "#8ba36f"), Circle(11, 12, 2.4, "#8ba36f"), Circle(-12, -11, 2, "#8ba36f"),
        poly(-8, 12, -8, -5, -5, -11, 5, -11, 8, -5, 8, 12, fill="#8f929c", r=4, stroke="#565964", width=1.2),
        box(-1.1, -7, 2.2, 11, WHITE, 0.5), box(-4, -4, 8, 2.2, WHITE, 0.5),
    )  # fmt: skip


@lru_cache
def godzilla() -> Symbol:
    """The godzilla, upright: teeth, spikes and a tail."""
    body = (-26, 24, -16, 20, -10, 10, -9, -4, -7, -14, 0, -21, 11, -22, 17, -17, 16, -11, 8, -9,
            8, -3, 14, -1, 13, 3, 8, 3, 9, 12, 14, 20, 14, 25, 2, 25, 0, 20, -4, 25, -12, 26)  # fmt: skip
    spikes = [(-9, -17, -3), (-12.5, -9, 5), (-13.5, 0, 12), (-17, 8, 19), (-22.5, 14, 23)]
    plates: list[Item] = [
        poly(x, (top + foot) / 2 - 2, x + 8, top - 1, x + 7, foot, fill="#e4572e", r=1, stroke=INK, width=1)
        for x, top, foot in spikes
    ]
    teeth = [poly(x, -11, x + 1.6, -8.6, x + 3.2, -11, fill=SNOW) for x in (8.5, 11.5)]
    return symbol(
        "godzilla",
        *plates,
        poly(*body, fill="#2f6b57", r=3, stroke=INK, width=1.6),
        poly(1, 4, 6, 3, 7, 12, 5, 20, 0, 17, -1, 10, fill="#8fc7a2", r=3),
        *teeth,
        Circle(9.5, -17, 2.3, "#fff2b0", INK, 0.8), Circle(10.2, -17, 1, "#b3261e"),
        reach=30,
    )  # fmt: skip


@lru_cache
def sprout() -> Symbol:
    """A park about to grow (AS5)."""
    stem = line([(0, 6), (0, -1)], "#2f6b2f", 1.8)
    leaves = [
        poly(0, 0, side * 7, -6, side * 2, -7, fill="#49a04a", r=2, stroke=WHITE, width=0.8)
        for side in (-1, 1)
    ]
    return symbol("sprout", Circle(0, 0, 9, WHITE, alpha=0.75), *leaves, stem)


# -- icons of the panels


@lru_cache
def ballot() -> Symbol:
    """Votes: a slip going into a box."""
    return symbol(
        "votes",
        box(-4, -9, 8, 9, WHITE, 0.5, INK, 1),
        line([(-2, -5.5), (-0.4, -3.8), (2.4, -7)], "#2f7d4f", 1.4),
        box(-8, -1, 16, 9, "#4a6fa5", 1.5, INK, 1), line([(-4.5, 0.6), (4.5, 0.6)], INK, 1.6),
    )  # fmt: skip


@lru_cache
def coin() -> Symbol:
    """Money."""
    s = [(2.4, -2.6), (-0.8, -3.4), (-2.6, -1.8), (2.6, 1.6), (0.8, 3.4), (-2.6, 2.6)]
    dollar: list[Item] = [line([(0, -5), (0, 5)], "#6b4d00", 1), line(s, "#6b4d00", 1.3, 2)]
    return symbol("money", Circle(0, 0, 8, "#f2c84b", "#8a6d1f", 1.2), *dollar)


@lru_cache
def smoke() -> Symbol:
    """Pollution."""
    puffs = [(-4, 2, 4.5), (3.5, 2.5, 4.8), (0, -2.5, 5)]
    rims = [Circle(x, y, r + 0.6, "#4a4a4f") for x, y, r in puffs]
    return symbol("pollution", *rims, *(Circle(x, y, r, "#8b8b92") for x, y, r in puffs))
