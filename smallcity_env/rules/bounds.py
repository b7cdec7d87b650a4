"""The largest number at each place of an observation's vector; the smallest is always 0."""

from functools import cache

import numpy as np

from .layout import (
    LISTS,
    OFFSETS,
    SEAT_SIZE,
    SIZE,
    STOCK_SCALE,
    SUPPLY_MOST,
    TABLE_OFFSETS,
    TABLE_SIZE,
    Form,
    How,
    Seen,
)
from .limits import HIGH, MOST
from .tables import MATERIALS, SEATS, SPACES
from .tables.tiles import KINDS, TILES


@cache
def highest(form: Form) -> Seen:
    """The largest numbers of a form: 1, or of a field that is counted what its limit is scaled to."""
    unpacked = form is not Form.COMPACT
    numbers = np.ones(TABLE_SIZE if unpacked else SIZE, np.float32)
    for key, reads in LISTS.items():
        for read in reads:
            if key[0] == unpacked and read.how is How.NUMBER:
                numbers[read.at] = max(np.float32(1), np.float32(HIGH[read.word]) * np.float32(read.scale))
    offsets = TABLE_OFFSETS if unpacked else OFFSETS
    numbers[offsets["supply"] :][:KINDS] = np.maximum(1, TILES["supply"] / SUPPLY_MOST)
    for k in range(SEATS):
        numbers[offsets["seat+0.stock"] + k * SEAT_SIZE :][:MATERIALS] = SPACES / STOCK_SCALE
    return np.minimum(numbers, np.float32(MOST))
