"""Sets of spaces as two 50-bit words: rows 1-5 and rows 6-10, bit = space in reading order.

`a & b`, `a | b` and `a - b` are those of Python's sets; `for space in each(a)` goes in reading order. A pair
of words lives in registers, costs no memory and makes the rules short: where a shape fits is an AND of
shifted sets, an Influence Area a dilation, "how many" a popcount. Inside records a set is `uint64[2]`:
`of(b.tiled)` reads it; `put`, `add` and `remove` write it. Every set is true, even an empty one: ask `some`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..library import before_build, kernel, ones
from .tables import SIDE, SPACES, shapes

WORD = np.uint64
HALF = SPACES // 2
ZERO = WORD(0)
ONE = WORD(1)
FULL = WORD((1 << HALF) - 1)


class Spaces(NamedTuple):
    """A set of spaces; _sets.py has the operators for compiled code."""

    top: Any
    bottom: Any

    def __and__(self, other: "Spaces") -> "Spaces":
        return Spaces(self.top & other.top, self.bottom & other.bottom)

    def __or__(self, other: "Spaces") -> "Spaces":
        return Spaces(self.top | other.top, self.bottom | other.bottom)

    def __sub__(self, other: "Spaces") -> "Spaces":
        return Spaces(self.top & ~other.top, self.bottom & ~other.bottom)


NOWHERE = Spaces(ZERO, ZERO)
EVERYWHERE = Spaces(FULL, FULL)

_ROW = WORD(SIDE)
_LAST_ROW = WORD(HALF - SIDE)
_ONE_ROW = (1 << SIDE) - 1
_ROWS = SIDE // 2
WEST_COLUMN = WORD(sum(1 << (SIDE * r) for r in range(_ROWS)))
EAST_COLUMN = WORD(int(WEST_COLUMN) << (SIDE - 1))
NOT_WEST = FULL ^ WEST_COLUMN
NOT_EAST = FULL ^ EAST_COLUMN
TOP_ROW = WORD(_ONE_ROW)

SQUARE = np.zeros((SIDE + 1, 2), np.uint64)  # the z x z square at the top left (T1)
COLUMN = np.zeros((SIDE, 2), np.uint64)
ROW = np.zeros((SIDE, 2), np.uint64)
for _space in range(SPACES):
    _r, _c = divmod(_space, SIDE)
    _half, _bit = divmod(_space, HALF)
    COLUMN[_c, _half] |= WORD(1 << _bit)
    ROW[_r, _half] |= WORD(1 << _bit)
    for _z in range(max(_r, _c) + 1, SIDE + 1):
        SQUARE[_z, _half] |= WORD(1 << _bit)


def as_set(members: Iterable[int]) -> npt.NDArray[np.uint64]:
    """A set as a table holds it; also a set of anything else that is numbered, like the kinds of tiles."""
    words = np.zeros(2, WORD)
    for member in members:
        half, bit = divmod(int(member), HALF)
        words[half] |= WORD(1 << bit)
    return words


@kernel
def of(field):
    """The set stored in a record's field."""
    return Spaces(field[0], field[1])


@kernel
def put(field, a):
    """Store a set in a record's field."""
    field[0] = a[0]
    field[1] = a[1]


@kernel
def add(field, a):
    """Add spaces to the set in a record's field."""
    field[0] |= a[0]
    field[1] |= a[1]


@kernel
def remove(field, a):
    """Remove spaces from the set in a record's field."""
    field[0] &= ~a[0]
    field[1] &= ~a[1]


@kernel
def at(space):
    """The set of one space."""
    if space < HALF:
        return Spaces(ONE << WORD(space), ZERO)
    return Spaces(ZERO, ONE << WORD(space - HALF))


@kernel
def has(a, space):
    """Whether the space is in the set."""
    if space < HALF:
        return (a[0] >> WORD(space)) & ONE != ZERO
    return (a[1] >> WORD(space - HALF)) & ONE != ZERO


@kernel
def nonempty(a):
    """Whether the set has any space."""
    return (a[0] | a[1]) != ZERO


@kernel
def overlap(a, b):
    """Whether the two share a space."""
    return ((a[0] & b[0]) | (a[1] & b[1])) != ZERO


@kernel
def inside(a, b):
    """Whether every space of the first is in the second."""
    return ((a[0] & ~b[0]) | (a[1] & ~b[1])) == ZERO


@kernel
def count(a):
    """The number of spaces."""
    return ones(a[0]) + ones(a[1])


@kernel
def first(a):
    """The first space in reading order; SPACES when there is none."""
    if a[0] != ZERO:
        return ones((a[0] & ~(a[0] - ONE)) - ONE)
    if a[1] != ZERO:
        return HALF + ones((a[1] & ~(a[1] - ONE)) - ONE)
    return SPACES


@kernel
def rest(a):
    """The set without its first space."""
    if a[0] != ZERO:
        return Spaces(a[0] & (a[0] - ONE), a[1])
    if a[1] != ZERO:
        return Spaces(ZERO, a[1] & (a[1] - ONE))
    return a


def each(a: Any) -> Any:
    """Yield the spaces of a set, or of a record's field as it was when the loop began, in reading order."""
    left = Spaces(a[0], a[1])
    while nonempty(left):
        yield first(left)
        left = rest(left)


def _register() -> None:
    from ._sets import register

    register(Spaces, each, HALF)


before_build(_register)


@kernel
def leading(a, n):
    """The first n spaces in reading order; all if there are no more."""
    left = a
    for _ in range(n):
        left = rest(left)
    return a - left


@kernel
def columns(a):
    """The columns of the set, as bits of the top row."""
    rows = a[0] | a[1]
    folded = rows
    for _ in range(_ROWS - 1):
        rows >>= _ROW
        folded |= rows
    return folded & TOP_ROW


@kernel
def nth(a, n):
    """The n-th space (from 0) in reading order."""
    for _ in range(n):
        a = rest(a)
    return first(a)


@kernel
def north(a):
    """Every space moved one up."""
    return Spaces((a[0] >> _ROW) | ((a[1] << _LAST_ROW) & FULL), a[1] >> _ROW)


@kernel
def south(a):
    """Every space moved one down."""
    return Spaces((a[0] << _ROW) & FULL, ((a[1] << _ROW) & FULL) | (a[0] >> _LAST_ROW))


@kernel
def east(a):
    """Every space moved one to the right."""
    return Spaces((a[0] & NOT_EAST) << ONE, (a[1] & NOT_EAST) << ONE)


@kernel
def west(a):
    """Every space moved one to the left."""
    return Spaces((a[0] & NOT_WEST) >> ONE, (a[1] & NOT_WEST) >> ONE)


@kernel
def beside(a):
    """Spaces orthogonally adjacent to the set and outside it."""
    return (north(a) | south(a) | east(a) | west(a)) - a


@kernel
def around(a):
    """The Influence Area of the set: one step, diagonals included, itself excluded (T2)."""
    wide = a | east(a) | west(a)
    return (wide | north(wide) | south(wide)) - a


@kernel
def _back(a, offset):
    """Every space moved `offset` places towards the start of the reading order."""
    k = WORD(offset)
    up = WORD(HALF - offset)
    return Spaces((a[0] >> k) | ((a[1] << up) & FULL), a[1] >> k)


@kernel
def _on(a, offset):
    """Every space moved `offset` places towards the end of the reading order."""
    k = WORD(offset)
    down = WORD(HALF - offset)
    return Spaces((a[0] << k) & FULL, ((a[1] << k) & FULL) | (a[0] >> down))


@kernel
def tile(way, anchor):
    """The spaces a tile covers, lying this way round with its first space on the anchor."""
    pattern = shapes.PATTERN[way]
    corner = anchor - shapes.LEFT[way]
    if corner < HALF:
        k = WORD(corner)
        return Spaces((pattern << k) & FULL, pattern >> WORD(HALF - corner))
    return Spaces(ZERO, pattern << WORD(corner - HALF))


@kernel
def fits(way, floor):
    """The anchors where a tile this way round lies wholly on the floor."""
    a = of(shapes.ANCHORS[way]) & floor
    for i in range(1, shapes.LENGTH[way]):
        a &= _back(floor, shapes.OFFSET[way, i])
    return a


@kernel
def touching(way, target):
    """The anchors (on the map or not) where a tile this way round covers a space of the target."""
    a = target
    for i in range(1, shapes.LENGTH[way]):
        a |= _back(target, shapes.OFFSET[way, i])
    return a


@kernel
def under(way, anchors):
    """The spaces that tiles this way round cover, with their first spaces on the anchors."""
    a = anchors
    for i in range(1, shapes.LENGTH[way]):
        a |= _on(anchors, shapes.OFFSET[way, i])
    return a


@kernel
def covering(way, old):
    """The anchors where a tile this way round covers every space of the old tile."""
    a = EVERYWHERE
    for space in each(old):
        a &= touching(way, at(space))
    return a
