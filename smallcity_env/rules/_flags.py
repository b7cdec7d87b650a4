"""The flags of a mask as bits, 64 at a time: counting and choosing answers takes a few instructions."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ._jit import JIT, kernel, ones
from .actions import ACTIONS

WORD = np.uint64
ONE = WORD(1)
BITS = 64
WHOLE = ACTIONS // BITS  # words that are full
WORDS = WHOLE + (ACTIONS % BITS > 0)
LAST = ACTIONS - BITS  # where 64 flags begin that end with the last action
SHARED = WORD(BITS * WORDS - ACTIONS)  # number of those that belong to the previous word


@intrinsic
def _load(_typing: Any, flags: Any, start: Any) -> Any:
    """Emit one load of 64 flags and their comparison with zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        vector = ir.VectorType(ir.IntType(8), BITS)
        place = builder.bitcast(builder.gep(data, [args[1]]), vector.as_pointer())
        truth = builder.icmp_unsigned("!=", builder.load(place, align=1), ir.Constant(vector, None))
        return builder.bitcast(truth, ir.IntType(BITS))

    return types.uint64(flags, types.int64), code


def _packed(flags: Any, start: int) -> Any:
    """The same in Python."""
    packed = np.packbits(flags[start : start + BITS], bitorder="little")
    return WORD(int.from_bytes(packed.tobytes(), "little"))


_bits: Any = _load if JIT else _packed


@kernel
def _word(legal, k):
    """The flags of the actions from 64 k on."""
    if k < WHOLE:
        return _bits(legal, BITS * k)
    return _bits(legal, LAST) >> SHARED


@kernel
def how_many(legal):
    """The number of legal answers."""
    n = 0
    for k in range(WORDS):
        n += ones(_word(legal, k))
    return n


@kernel
def chosen(legal, n):
    """The n-th legal answer, from 0; -1 if there are fewer."""
    for k in range(WORDS):
        bits = _word(legal, k)
        here = ones(bits)
        if n < here:
            for _ in range(n):
                bits &= bits - ONE
            return BITS * k + ones((bits & ~(bits - ONE)) - ONE)
        n -= here
    return -1
