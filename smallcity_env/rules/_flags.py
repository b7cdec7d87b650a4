"""The flags of a mask as bits, 64 in a word: counting, choosing and writing answers take a few steps each."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ._jit import JIT, kernel, ones
from .actions import ACTIONS
from .spaces import HALF

WORD = np.uint64
ONE = WORD(1)
BITS = 64
WORDS = -(-ACTIONS // BITS)
NONE = (WORD(0),) * WORDS  # no answer
STARTS = (*range(0, ACTIONS - BITS, BITS), ACTIONS - BITS)  # where the flags of each word begin in memory
SHARED = BITS * WORDS - ACTIONS  # number of those of the last word that belong to the previous one
_SPLIT, _REST = WORD(HALF), WORD(BITS - HALF)  # where the lower half of a borough begins, within two words
_BEHIND = 2  # the first word without spaces
_FLAGS = ir.VectorType(ir.IntType(8), BITS)
_EVERY = types.UniTuple(types.uint64, WORDS)


def _place(context: Any, builder: Any, array: Any, flags: Any, start: int) -> Any:
    """Emit the address of 64 flags of a mask."""
    data = context.make_array(array)(context, builder, flags).data
    return builder.bitcast(builder.gep(data, [ir.IntType(64)(start)]), _FLAGS.as_pointer())


@intrinsic
def _load(_typing: Any, legal: Any) -> Any:
    """Emit one load for every 64 flags and their comparison with zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = []
        for start in STARTS:
            flags = builder.load(_place(context, builder, signature.args[0], args[0], start), align=1)
            truth = builder.icmp_unsigned("!=", flags, ir.Constant(_FLAGS, None))
            words.append(builder.bitcast(truth, ir.IntType(BITS)))
        words[-1] = builder.lshr(words[-1], words[-1].type(SHARED))
        return context.make_tuple(builder, signature.return_type, words)

    return _EVERY(legal), code


@intrinsic
def _store(_typing: Any, legal: Any, words: Any) -> Any:
    """Emit one store for every word: a byte for each of its bits."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = [builder.extract_value(args[1], k) for k in range(WORDS)]
        shared = words[0].type(SHARED)
        if WORDS > 1 and SHARED > 0:
            before = builder.lshr(words[-2], words[0].type(BITS - SHARED))
            words[-1] = builder.or_(builder.shl(words[-1], shared), before)
        for start, word in zip(STARTS, words, strict=True):
            bits = builder.bitcast(word, ir.VectorType(ir.IntType(1), BITS))
            place = _place(context, builder, signature.args[0], args[0], start)
            builder.store(builder.zext(bits, _FLAGS), place, align=1)

    return types.none(legal, _EVERY), code


def _packed(legal: Any) -> Any:
    """The words of a mask, in Python."""
    padded = np.zeros(BITS * WORDS, np.bool_)
    padded[:ACTIONS] = legal
    return tuple(np.packbits(padded, bitorder="little").view("<u8"))


def _unpacked(legal: Any, words: Any) -> None:
    """Write a mask, in Python."""
    legal[:] = np.unpackbits(np.array(words, "<u8").view(np.uint8), bitorder="little")[:ACTIONS]


read: Any = _load if JIT else _packed  # (legal): the answers of a mask
write: Any = _store if JIT else _unpacked  # (legal, answers): the mask of the answers


@kernel
def with_spaces(answers, spaces):
    """The answers and a set of spaces, which are the first actions."""
    top = answers[0] | spaces[0] | (spaces[1] << _SPLIT)
    return (top, answers[1] | (spaces[1] >> _REST)) + answers[_BEHIND:]


@kernel
def number(answers):
    """The number of answers."""
    n = 0
    for word in answers:
        n += ones(word)
    return n


@kernel
def nth(answers, n):
    """The n-th answer, from 0; -1 if there are fewer."""
    start = 0
    for word in answers:
        here = ones(word)
        if n < here:
            bits = word
            for _ in range(n):
                bits &= bits - ONE
            return start + ones((bits & ~(bits - ONE)) - ONE)
        n -= here
        start += BITS
    return -1
