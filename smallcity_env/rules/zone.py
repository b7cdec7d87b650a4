"""The constructible zone, its edges and its growth (T1)."""

from ._jit import kernel
from .spaces import COLUMN, ROW, SQUARE, meet, of, put
from .tables import SIDE
from .tables.maps import BUILDABLE, GROWS


@kernel
def survey(s, p):
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
    top, left = SIDE, SIDE
    for i in range(SIDE):
        if meet(zone, of(ROW[i])):
            top = min(top, i)
        if meet(zone, of(COLUMN[i])):
            left = min(left, i)
    return (zone & (of(ROW[top]) | of(COLUMN[left]))) | growth_edge(b)


@kernel
def growth_edge(b):
    """The spaces along its right and bottom sides, the ones it grows at (T1)."""
    zone = of(b.zone)
    bottom, right = 0, 0
    for i in range(SIDE):
        if meet(zone, of(ROW[i])):
            bottom = i
        if meet(zone, of(COLUMN[i])):
            right = i
    return zone & (of(ROW[bottom]) | of(COLUMN[right]))
