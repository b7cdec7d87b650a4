"""A random action for a mask, as Gymnasium's Discrete draws it with a generator of numpy."""

from ctypes import CFUNCTYPE, c_uint32, c_void_p

from ..library import WHOLE, emitted, kernel, reads
from ._flags import machine_code, nth, number, read
from ._library import library
from .actions import ACTIONS

NONE = -1
BITS = 32
LOW = (1 << BITS) - 1
_NEXT = CFUNCTYPE(c_uint32, c_void_p)


@emitted(machine_code("call_generator"))
def _bits(source: int, state: int) -> int:
    """The next bits of a generator, by the address of its own function."""
    drawn: int = _NEXT(source)(state)
    return drawn


@kernel
def _below(n, source, state):
    """A random number from 0 to n - 1, by Lemire's method on 32 bits, as `Generator.integers(n)` draws it."""
    if n == 1:
        return 0
    product = _bits(source, state) * n
    if product & LOW < n:
        rejected = (LOW + 1) % n
        while product & LOW < rejected:
            product = _bits(source, state) * n
    return product >> BITS


@library.entry(mask=reads("i1", ACTIONS), source=WHOLE, state=WHOLE)
def draw(mask, source, state):
    """A random action of those marked with 1; NONE if there are none, or other marks.

    `source` is the address of a generator's `next_uint32`, `state` that of its state.
    """
    others = 0
    for mark in mask:
        others |= mark & ~1
    answers = read(mask)
    n = number(answers)
    if others != 0 or n == 0:
        return NONE
    return nth(answers, _below(n, source, state))
