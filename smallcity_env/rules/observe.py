"""What one seat may see, and nothing else, as numbers from about 0 to 1 (the index table: layout.py).

Hidden from a seat: others' promises, what others build behind their screens (P2.1, SU2), the tiles they
take from the supply for it and the question they are asked meanwhile, the random stream, and cards not
dealt. Everything else is open.
"""

from typing import Any

import numpy as np

from ..library import emitted, kernel, stack
from ._flags import machine_code
from .layout import (
    BOROUGH_SIZE,
    LANES,
    MARK_COUNT,
    MARKS,
    OFFSETS,
    PLACE_COUNT,
    PLACES,
    RUN_COUNT,
    RUNS,
    SCALES,
    SEAT_SIZE,
    SIZE,
    STOCK_SCALE,
    SUPPLY_MOST,
    TABLE_OFFSETS,
    Form,
    View,
)
from .limits import MOST
from .phases.screens import secret
from .planes import SIZE as PLANES_SIZE
from .planes import see_borough as see_planes
from .planes import write_set
from .spaces import each
from .storage import stock
from .tables import COLUMNS, MATERIALS, ROWS, SEATS, SIDE, SPACES
from .tables.shapes import LENGTH, LONGEST, MOST_WAYS, OFFSET
from .tables.tiles import KINDS
from .turns import clockwise


def _both(name):
    """Where a stretch begins in the compact form, and in the one with planes."""
    return np.array([OFFSETS[name], TABLE_OFFSETS[name]])


SUPPLY, SEAT = _both("supply"), _both("seat+0.money")
PLAYING, COUNCIL, STOCK, POWERED = (
    OFFSETS[f"seat+0.{name}"] - OFFSETS["seat+0.money"] for name in ("playing", "council", "stock", "powered")
)
TILE, PART, THING, CONDITION = (OFFSETS[f"borough+0.{name}"] for name in ("tile", "part", "thing", "state"))

SUPPLY_SCALE = np.float32(1 / SUPPLY_MOST)
MOST_NUMBER = np.float32(MOST)
STOCK_NUMBER = np.minimum(np.arange(SPACES + 1) / STOCK_SCALE, MOST).astype(np.float32)
COUNCIL_SCALE = np.float32(1 / COLUMNS)
PLACE_NUMBER = np.zeros((SPACES + 1, 2), np.float32)  # row and column, by space + 1
for _space in range(SPACES):
    PLACE_NUMBER[_space + 1] = (np.array(divmod(_space, SIDE)) + 1) * np.float32(1 / SIDE)
ZERO_NUMBER = np.float32(0)  # added, it makes 0 of -0, which a negative number times 0 is
VECTOR = 64  # codes added at once
new_codes = stack(2 * VECTOR, np.uint8)  # a number for each space, and no space after them
PART_ROW = np.zeros((MOST_WAYS, 4 * VECTOR), np.uint8)  # the parts of a tile whose first space is at SPACES
for _way in range(MOST_WAYS):
    for _part in range(LENGTH[_way]):
        PART_ROW[_way, SPACES + OFFSET[_way, _part]] = _part + 1
THINGS = SEATS + SEATS + MATERIALS
WORKED = SEATS  # added to a citizen who worked
FIRST_MATERIAL = SEATS + SEATS + 1
CEMETERY, MARKER, GODZILLA, MAYOR, JUST_BUILT, GROWING, LATER, ZONE = (1 << bit for bit in range(8))


def _reciprocal(whole):
    """1 / whole as two numbers, the first so short that its product with a code is exact.

    The sum of both products is the quotient, to the bit, and vectors of 32-bit numbers compute it.
    """
    short = (np.float32(1 / whole).view(np.uint32) & np.uint32(0xFFFFFF00)).view(np.float32)
    return short, np.float32(1 / whole - float(short))


BY_KIND, BY_PART, BY_THING, BY_BITS = (
    np.array(_reciprocal(whole)) for whole in (KINDS - 1, LONGEST, THINGS, ZONE + ZONE - 1)
)


@kernel
def observe(s, words, viewer, form, out, planes):
    """Write a seat's observation of one game, in one of the forms; seats without a player are zeros."""
    unpacked, view, players = int(form != Form.COMPACT), View.OPEN, s.rules.players
    if secret(s):
        view = View.BUILDING if s.seat == viewer else View.WAITING
    _see_table(s, words, viewer, view, out, unpacked)
    for k in range(players):
        p = clockwise(viewer, k, players)
        b = s.shown[p] if view != View.OPEN and k > 0 else s.borough[p]
        _see_player(b, out[SEAT[unpacked] + k * SEAT_SIZE :])
        if form == Form.COMPACT:
            _see_borough(s, b, viewer, out, k * BOROUGH_SIZE)
        elif form == Form.PLANES:
            see_planes(s, p, b, viewer, view, planes, k * PLANES_SIZE)
    if form == Form.COMPACT:
        out[SIZE - (SEATS - players) * BOROUGH_SIZE :] = 0
    elif form == Form.PLANES:
        planes[players * PLANES_SIZE :] = 0


@kernel
def _see_table(s, words, viewer, view, out, unpacked):
    """Write the table and the seats, and the viewer's own secrets: every field of the record by itself."""
    players = s.rules.players
    _write_numbers(words, viewer, view, players, out, unpacked)
    marks = MARKS[unpacked, view, players, viewer]
    for i in range(MARK_COUNT[unpacked, view, players, viewer]):
        _write_mark(out, marks[i], words[marks[i].word])
    places = PLACES[unpacked, view, players, viewer]
    for i in range(PLACE_COUNT[unpacked, view, players, viewer]):
        row_and_column = PLACE_NUMBER[max(words[places[i].word] - places[i].shift, -1) + 1]
        out[places[i].at] = row_and_column[0]
        out[places[i].at + 1] = row_and_column[1]
    if view != View.OPEN:
        _see_supply(s, viewer, out[SUPPLY[unpacked] :])


@emitted(machine_code("scale_words"))
def scale_words(out: Any, at: int, words: Any, word: int, scales: Any) -> None:
    """Write some words as numbers, each times its scale, at most MOST, and 0 for -0."""
    scaled = words[word : word + LANES] * scales[at : at + LANES] + ZERO_NUMBER
    out[at : at + LANES] = np.minimum(scaled, MOST)


@kernel
def _write_numbers(words, viewer, view, players, out, unpacked):
    """Write all numbers of the table and the seats, and zeros where there are none."""
    runs, scales = RUNS[unpacked, view, players, viewer], SCALES[unpacked, view, players]
    for i in range(RUN_COUNT[unpacked, view, players, viewer]):
        scale_words(out, runs[i].at, words, runs[i].word, scales)


@kernel
def _write_mark(out, mark, value):
    """Write one field as one-hot, without a branch: what marks nothing writes another 0."""
    place = mark.at + value + mark.seats * int(value < mark.first)
    out[place] = int(value >= mark.least)


@kernel
def _see_supply(s, viewer, seen):
    """Write the supply as the viewer sees it while all build in secret (P2.1): `supply_seen`, in vectors."""
    for kind in range(KINDS):
        n = s.supply[kind] - s.took[viewer, kind]
        for q in range(SEATS):
            n += s.took[q, kind]
        seen[kind] = min(np.float32(n) * SUPPLY_SCALE, MOST_NUMBER)


@kernel
def _see_player(b, seen):
    """Write what is computed from several fields of a borough, and that there is one."""
    seen[PLAYING] = 1
    for row in range(ROWS):
        seen[COUNCIL + row] = np.float32(b.council[row]) * COUNCIL_SCALE
    for material in range(MATERIALS):
        seen[STOCK + material] = STOCK_NUMBER[stock(b, material)]
    for column in range(SIDE):
        seen[POWERED + column] = np.float32((b.powered >> column) & 1)


@kernel
def _see_borough(s, b, viewer, out, at):
    """Write the spaces of a borough: tiles, things, and their state."""
    kinds, parts = new_codes(), new_codes()
    for t in each(b.firsts):
        add_tile(parts, kinds, PART_ROW[b.way[t]], SPACES - t, b.kind[t])
    _write_codes(out, at + TILE, kinds, BY_KIND)
    _write_codes(out, at + PART, parts, BY_PART)
    _see_things(s, b, viewer, out, at + THING)
    _see_condition(b, out, at + CONDITION)


@emitted(machine_code("add_tile"))
def add_tile(parts: Any, kinds: Any, row: Any, start: int, kind: int) -> None:
    """Add a row to the parts, and a kind wherever the row is not 0."""
    added = row[start : start + len(parts)]
    parts += added
    kinds += (added != 0) * np.uint8(kind)


@emitted(machine_code("add_set"))
def add_set(codes: Any, start: int, top: Any, bottom: Any, amount: int) -> None:
    """Add an amount to the code of every space of a set."""
    spaces = int(top) | int(bottom) << SPACES // 2
    for space in range(SPACES):
        codes[start + space] += amount * (spaces >> space & 1)


@kernel
def _add_code(codes, field, amount):
    """Add an amount to the code of every space of a set."""
    add_set(codes, 0, field[0], field[1], amount)


@kernel
def _write_codes(out, at, codes, part):
    """Write codes as parts of the highest."""
    for space in range(SPACES):
        code = np.float32(codes[space])
        out[at + space] = code * part[0] + code * part[1]


@kernel
def _see_things(s, b, viewer, out, at):
    """Write citizens and materials."""
    codes = new_codes()
    for k in range(s.rules.players):
        _add_code(codes, b.citizens[clockwise(viewer, k, s.rules.players)], 1 + k)
    _add_code(codes, b.worked, WORKED)
    for material in range(MATERIALS):
        _add_code(codes, b.materials[material], FIRST_MATERIAL + material)
    _write_codes(out, at, codes, BY_THING)


@kernel
def _see_condition(b, out, at):
    """Write what is true of each space: one bit each."""
    codes = new_codes()
    write_set(codes, 0, b.zone[0], b.zone[1], ZONE)
    _add_code(codes, b.cemetery, CEMETERY)
    _add_code(codes, b.markers, MARKER)
    _add_code(codes, b.godzilla, GODZILLA)
    _add_code(codes, b.mayor, MAYOR)
    _add_code(codes, b.just_built, JUST_BUILT)
    _add_code(codes, b.growing, GROWING)
    _add_code(codes, b.growing_later, LATER)
    _write_codes(out, at, codes, BY_BITS)
