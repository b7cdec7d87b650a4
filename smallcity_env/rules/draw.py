"""A random action for a mask, as Gymnasium's Discrete draws it with a generator of numpy."""

from ctypes import CFUNCTYPE, c_uint32, c_void_p
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ._flags import nth, number, read
from ._jit import JIT, entry, kernel
from .actions import ACTIONS

NONE = -1
BITS = 32
LOW = (1 << BITS) - 1
_NEXT = CFUNCTYPE(c_uint32, c_void_p)


@intrinsic
def _call(_typing: Any, source: Any, state: Any) -> Any:
    """Emit the call of a generator's own function, by its address."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(BITS), [pointer]).as_pointer()
        drawn = builder.call(builder.inttoptr(args[0], kind), [builder.inttoptr(args[1], pointer)])
        return builder.zext(drawn, ir.IntType(2 * BITS))

    return types.int64(types.int64, types.int64), code


def _called(source: int, state: int) -> int:
    """The same in Python."""
    drawn: int = _NEXT(source)(state)
    return drawn


_bits: Any = _call if JIT else _called


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


@entry
def draw(mask, source, state):
    """A random action of those marked with 1; NONE if there are none, or other marks.

    `source` is the address of a generator's `next_uint32`, `state` that of its state.
    """
    if len(mask) != ACTIONS:
        return NONE
    others = 0
    for mark in mask:
        others |= mark & ~1
    answers = read(mask)
    n = number(answers)
    if others != 0 or n == 0:
        return NONE
    return nth(answers, _below(n, source, state))
