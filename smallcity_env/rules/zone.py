"""The constructible zone, its edges and its growth (T1)."""

from ..library import kernel
from .spaces import COLUMN, ROW, SQUARE, of, overlap, put
from .tables import SIDE
from .tables.maps import BUILDABLE, GROWS


@kernel
def set_zone(s, p):
    """Recompute the zone from its size, the map and the tiles (T1)."""
    b = s.borough[p]
    land = of(SQUARE[b.zone_side]) & of(BUILDABLE[s.rules.board[p]])
    put(b.zone, land | of(b.tiled))


@kernel
def can_grow(s, p):
    """Whether the zone can be enlarged (P2.2, AS1)."""
    return GROWS[s.rules.board[p]] != 0 and s.borough[p].zone_side < SIDE


@kernel
def outer_edge(b):
    """The spaces along the sides of the smallest rectangle around the zone (T1)."""
    zone = of(b.zone)
    top, left = 0, 0
    while top < SIDE - 1 and not overlap(zone, of(ROW[top])):
        top += 1
    while left < SIDE - 1 and not overlap(zone, of(COLUMN[left])):
        left += 1
    return (zone & (of(ROW[top]) | of(COLUMN[left]))) | growth_edge(b)


@kernel
def growth_edge(b):
    """The spaces along its right and bottom sides, the ones it grows at (T1)."""
    zone = of(b.zone)
    bottom, right = SIDE - 1, SIDE - 1
    while bottom > 0 and not overlap(zone, of(ROW[bottom])):
        bottom -= 1
    while right > 0 and not overlap(zone, of(COLUMN[right])):
        right -= 1
    return zone & (of(ROW[bottom]) | of(COLUMN[right]))
