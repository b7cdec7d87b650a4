"""What one seat may see, and nothing else, as numbers from about 0 to 1 (the index table: layout.py).

Hidden from a seat: others' promises, what others build behind their screens (P2.1, SU2), the tiles they
take from the supply for it and the question they are asked meanwhile, the random stream, and cards not
dealt. Everything else is open.
"""

import numpy as np

from ._jit import kernel
from ._memory import add_code, new_codes, write_codes
from .layout import (
    BOROUGH_SIZE,
    NUMBER_COUNT,
    NUMBERS,
    OFFSETS,
    READ_COUNT,
    READS,
    SEAT_SIZE,
    SUPPLY_MOST,
    TABLE_OFFSETS,
    TABLE_SIZE,
    Form,
    How,
    View,
)
from .phases.screens import secret
from .planes import SIZE as PLANES_SIZE
from .planes import see_board, see_question
from .planes import see_borough as see_planes
from .spaces import each
from .storage import stock
from .supply import supply_seen
from .tables import COLUMNS, MATERIALS, ROWS, SEATS, SIDE, SPACES
from .tables.shapes import LENGTH, MOST_WAYS, OFFSET
from .tables.tiles import KINDS


def _both(name):
    """Where a stretch begins in the compact form, and in the others."""
    return np.array([OFFSETS[name], TABLE_OFFSETS[name]])


PROMISE, SPECIAL, SUPPLY = _both("promise"), _both("special"), _both("supply")
PLAYING, BOARD, COUNCIL = (_both(f"seat+0.{name}") for name in ("playing", "board", "council"))
STOCK, POWERED = _both("seat+0.stock"), _both("seat+0.powered")
TILE, PART, THING, CONDITION = (OFFSETS[f"borough+0.{name}"] for name in ("tile", "part", "thing", "state"))

SUPPLY_SCALE = np.float32(1 / SUPPLY_MOST)
STOCK_SCALE = 1 / 10
COUNCIL_SCALE = 1 / COLUMNS
KIND_NUMBER = (np.arange(KINDS) * (1 / (KINDS - 1))).astype(np.float32)  # by kind
PART_SCALE = 1 / 9
PART_NUMBER = np.zeros((MOST_WAYS, SPACES), np.float32)  # by way round and distance from the first space
for _way in range(MOST_WAYS):
    for _part in range(LENGTH[_way]):
        PART_NUMBER[_way, OFFSET[_way, _part]] = (_part + 1) * PART_SCALE
THINGS = SEATS + SEATS + MATERIALS
WORKED = SEATS  # added to a citizen who worked
FIRST_MATERIAL = SEATS + SEATS + 1
CEMETERY, MARKER, GODZILLA, MAYOR, FRESH, GROWING, LATER, ZONE = (1 << bit for bit in range(8))
ALL_THINGS, ALL_BITS = np.float32(THINGS), np.float32(ZONE + ZONE - 1)


@kernel
def observe(s, words, viewer, form, out, planes):
    """Write a seat's observation of one game, in one of the forms."""
    out[:] = 0
    unpacked, view = int(form != Form.COMPACT), View.OPEN
    if secret(s):
        view = View.BUILDING if s.seat == viewer else View.WAITING
    _see_table(s, words, viewer, view, out, unpacked)
    if form == Form.PLANES:
        planes[:] = 0
    for k in range(s.rules.players):
        p = (viewer + k) % s.rules.players
        b = s.shown[p] if view != View.OPEN and k > 0 else s.borough[p]
        _see_player(b, s.rules.board[p], out, k * SEAT_SIZE, unpacked)
        if form == Form.COMPACT:
            _see_borough(s, b, viewer, out, k * BOROUGH_SIZE)
        elif form == Form.VECTOR:
            _see_planes(s, p, b, viewer, view, out, TABLE_SIZE + k * PLANES_SIZE)
        elif form == Form.PLANES:
            _see_planes(s, p, b, viewer, view, planes, k * PLANES_SIZE)


@kernel
def _see_table(s, words, viewer, view, out, unpacked):
    """Write the table, and the viewer's own secrets."""
    _read_fields(s, words, viewer, view, out, unpacked)
    if view != View.OPEN:
        _see_supply(s, viewer, out, SUPPLY[unpacked])
    own = s.borough[viewer]
    out[PROMISE[unpacked] + own.promise] = 1
    out[SPECIAL[unpacked] + own.special] = 1


@kernel
def _see_planes(s, p, b, viewer, view, out, at):
    """Write the planes of the borough of seat p."""
    see_planes(s, b, viewer, out, at)
    see_board(s.rules.board[p], out, at)
    if view != View.WAITING:
        see_question(s, p, out, at)


@kernel
def _read_fields(s, words, viewer, view, out, unpacked):
    """Write every number that is a single field of the record, by the reading tables."""
    players = s.rules.players
    numbers = NUMBERS[unpacked, view, players, viewer]
    for i in range(NUMBER_COUNT[unpacked, view, players, viewer]):
        out[numbers[i].at] = words[numbers[i].word] * numbers[i].scale
    reads = READS[unpacked, view, players, viewer]
    for i in range(READ_COUNT[unpacked, view, players, viewer]):
        _write(out, reads[i], words[reads[i].word] - reads[i].shift, viewer, players)


@kernel
def _write(out, read, value, viewer, players):
    """Write one field as numbers: one-hot, a seat relative to the viewer, or a space."""
    if value < 0:
        return
    if read.how == How.ONE_HOT:
        out[read.at + value] = 1
    elif read.how == How.SEAT:
        out[read.at + (value - viewer) % players] = 1
    elif read.how == How.SPACE:
        out[read.at] = (value // SIDE + 1) * read.scale
        out[read.at + 1] = (value % SIDE + 1) * read.scale


@kernel
def _see_supply(s, viewer, out, at):
    """Write the supply as the viewer sees it while all build in secret (P2.1)."""
    for kind in range(KINDS):
        out[at + kind] = supply_seen(s, viewer, kind) * SUPPLY_SCALE


@kernel
def _see_player(b, board, out, at, unpacked):
    """Write what is computed from several fields of a borough."""
    out[at + PLAYING[unpacked]] = 1
    out[at + BOARD[unpacked] + board] = 1
    for row in range(ROWS):
        out[at + COUNCIL[unpacked] + row] = b.council[row] * COUNCIL_SCALE
    for material in range(MATERIALS):
        out[at + STOCK[unpacked] + material] = stock(b, material) * STOCK_SCALE
    for column in range(SIDE):
        out[at + POWERED[unpacked] + column] = (b.powered >> column) & 1


@kernel
def _see_borough(s, b, viewer, out, at):
    """Write the spaces of a borough: tiles, things, and their state."""
    for space in each(b.tiled):
        t = b.first[space]
        out[at + TILE + space] = KIND_NUMBER[b.kind[t]]
        out[at + PART + space] = PART_NUMBER[b.way[t], space - t]
    _see_things(s, b, viewer, out, at + THING)
    _see_condition(b, out, at + CONDITION)


@kernel
def _see_things(s, b, viewer, out, at):
    """Write citizens and materials."""
    codes = new_codes()
    for p in range(s.rules.players):
        add_code(codes, b.citizens[p], 1 + (p - viewer) % s.rules.players)
    add_code(codes, b.worked, WORKED)
    for material in range(MATERIALS):
        add_code(codes, b.materials[material], FIRST_MATERIAL + material)
    write_codes(out, at, codes, ALL_THINGS)


@kernel
def _see_condition(b, out, at):
    """Write what is true of each space: one bit each."""
    codes = new_codes()
    add_code(codes, b.cemetery, CEMETERY)
    add_code(codes, b.markers, MARKER)
    add_code(codes, b.godzilla, GODZILLA)
    add_code(codes, b.mayor, MAYOR)
    add_code(codes, b.fresh, FRESH)
    add_code(codes, b.growing, GROWING)
    add_code(codes, b.growing_later, LATER)
    add_code(codes, b.zone, ZONE)
    write_codes(out, at, codes, ALL_BITS)
