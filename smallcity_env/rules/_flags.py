"""The flags of a mask as bits, 64 in a word: counting, choosing and writing answers take a few steps each."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..library import emitted, kernel, ones
from .actions import ACTIONS
from .spaces import HALF

WORD = np.uint64
ONE = WORD(1)
BITS = 64
WORDS = -(-ACTIONS // BITS)
NONE = (WORD(0),) * WORDS  # no answer
_SPLIT, _REST = WORD(HALF), WORD(BITS - HALF)  # where the lower half of a borough begins, within two words
_BEHIND = 2  # the first word without spaces


def machine_code(name: str) -> Callable[[], Any]:
    """What makes an intrinsic of _emit.py, which only builds import."""

    def make() -> Any:
        from . import _emit

        return getattr(_emit, name)

    return make


@emitted(machine_code("load_flags"))
def read(legal: Any) -> Any:
    """The answers of a mask."""
    padded = np.zeros(BITS * WORDS, np.bool_)
    padded[:ACTIONS] = legal
    return tuple(np.packbits(padded, bitorder="little").view("<u8"))


@emitted(machine_code("store_flags"))
def write(legal: Any, answers: Any) -> None:
    """Write the mask of the answers."""
    legal[:] = np.unpackbits(np.array(answers, "<u8").view(np.uint8), bitorder="little")[:ACTIONS]


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
