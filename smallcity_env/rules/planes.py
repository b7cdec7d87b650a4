"""Observations unfolded into feature planes for convolutional nets.

    board, table = planes.unfold(batch.observe(states, seats))

`board` is (n, seats, len(PLANES), 10, 10), the viewer's own borough first; `table` (n, TABLE_SIZE) is the
rest of the vector. The planes contain nothing that is not in the vector, so nothing hidden.
"""

from typing import Final

import numpy as np

from . import layout
from ._jit import entry, kernel
from .layout import BOROUGH_SIZE, OFFSETS, SEAT_SIZE, Seen
from .observe import FIRST_MATERIAL, STATE_SCALE, THINGS, TILE_SCALE, WORKED
from .tables import SEATS, SIDE, SPACES, Family, Material, Terrain
from .tables.maps import BOARDS, GRID
from .tables.tiles import KINDS, ROWS

_LEVELS = 5
PLANES: Final = {
    **{family.name.lower(): "level / 5" for family in Family if family != Family.OTHER},
    "other": f"kind / {KINDS - 1} of every other tile",
    "public": "1: a public building",
    "part": "which space of its tile, from 1, / 9",
    **{f"citizen of seat+{k}": "1" for k in range(SEATS)},
    "worked": "1: this citizen worked",
    **{material.name.lower(): "1: in store here" for material in Material},
    **dict.fromkeys(("cemetery", "marker", "godzilla", "mayor", "fresh", "growing", "later", "zone"), "1"),
    **{terrain.name.lower(): "1: printed on the board" for terrain in Terrain if terrain},
}
COUNT: Final = len(PLANES)
TABLE_SIZE = OFFSETS["borough+0.tile"]

_AT = {name: plane for plane, name in enumerate(PLANES)}
OTHER, PUBLIC, PART_PLANE = _AT["other"], _AT["public"], _AT["part"]
CITIZEN, WORKED_PLANE, MATERIAL = _AT["citizen of seat+0"], _AT["worked"], _AT["wood"]
CONDITION, TERRAIN = _AT["cemetery"], _AT["waste"] - 1
CONDITIONS = 8  # bits of the state of a space
TILE, PART, THING, STATE = (OFFSETS[f"borough+0.{name}"] for name in ("tile", "part", "thing", "state"))
BOARD = OFFSETS["seat+0.board"]
HALF = 0.5  # to round instead of truncating

FAMILY = np.full(KINDS, OTHER)  # the plane of each kind, and what stands there
WORTH = np.arange(KINDS, dtype=np.float32) / (KINDS - 1)
IS_PUBLIC = np.zeros(KINDS, np.float32)
for _tile in ROWS:
    IS_PUBLIC[_tile.kind] = _tile.public
    if _tile.family != Family.OTHER:
        FAMILY[_tile.kind], WORTH[_tile.kind] = _tile.family, _tile.level / _LEVELS


def unfold(seen: Seen, board: Seen | None = None) -> tuple[Seen, Seen]:
    """Planes and table of observations (n, layout.SIZE); planes are written into `board` if given."""
    if seen.ndim != 2 or seen.shape[1] != layout.SIZE or seen.dtype.kind != "f":
        wrong = f"{seen.dtype} of shape {seen.shape}"
        raise ValueError(f"observations must be an array (n, {layout.SIZE}) of float32, not {wrong}")
    shape = (len(seen), SEATS, COUNT, SIDE, SIDE)
    board = np.empty(shape, np.float32) if board is None else board
    if board.shape != shape or board.dtype != np.float32 or not board.flags.carray:
        raise ValueError(f"planes are written to a contiguous array {shape} of float32")
    _unfold_all(np.require(seen, np.float32, ["C", "W"]), board.reshape(len(seen), SEATS, COUNT, SPACES))
    return board, seen[:, :TABLE_SIZE]


@entry
def _unfold_all(seen, board):
    """Unfold every borough of every observation."""
    board[:] = 0
    for i in range(len(seen)):
        for k in range(SEATS):
            _unfold(seen[i], k * BOROUGH_SIZE, board[i, k])
            _unfold_terrain(seen[i], BOARD + k * SEAT_SIZE, board[i, k])


@kernel
def _unfold(seen, at, planes):
    """The tiles, people, things and conditions of one borough."""
    for space in range(SPACES):
        kind = min(int(seen[at + TILE + space] / TILE_SCALE + HALF), KINDS - 1)
        if kind > 0:
            planes[FAMILY[kind], space] = WORTH[kind]
            planes[PUBLIC, space] = IS_PUBLIC[kind]
            planes[PART_PLANE, space] = seen[at + PART + space]
        _unfold_thing(min(int(seen[at + THING + space] * THINGS + HALF), THINGS), space, planes)
        bits = int(seen[at + STATE + space] / STATE_SCALE + HALF)
        for bit in range(CONDITIONS):
            planes[CONDITION + bit, space] = (bits >> bit) & 1


@kernel
def _unfold_thing(thing, space, planes):
    """A citizen, by his colour, or a material."""
    if thing >= FIRST_MATERIAL:
        planes[MATERIAL + thing - FIRST_MATERIAL, space] = 1
    elif thing > 0:
        planes[CITIZEN + (thing - 1) % WORKED, space] = 1
        planes[WORKED_PLANE, space] = thing > WORKED


@kernel
def _unfold_terrain(seen, at, planes):
    """What is printed on the board of one seat; nothing for an empty seat."""
    for b in range(BOARDS):
        if seen[at + b] > 0:
            for space in range(SPACES):
                if GRID[b, space] > 0:
                    planes[TERRAIN + GRID[b, space], space] = 1


def plane_table() -> str:
    """The planes, as markdown."""
    lines = ["| plane | what | value |", "|---|---|---|"]
    lines += [f"| {plane} | {name} | {value} |" for plane, (name, value) in enumerate(PLANES.items())]
    return "\n".join(lines)
