"""A small library to test with: records, sets of bits, named tuples, memory on the stack."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from smallcity_env.library import REAL, WHOLE, Library, group, kernel, ones, reads, stack, writes

TOY = np.dtype((np.record, [("weight", "i2"), ("weights", "f8", (3,))]))
toys = Library("toys", ["tests.library.toys"], lambda: [Path(__file__)])
_counts = stack((2, 3), np.int64)


class Pair(NamedTuple):
    """Two arrays."""

    x: Any
    y: Any


@kernel
def _bits(words):
    """The number of bits of all words, counted on the stack."""
    counts = _counts()
    for i in range(len(words)):
        counts[1, 2] += ones(words[i])
    return counts[1, 2]


@toys.entry(
    games=writes(TOY, "n"), words=reads("u8", "n"), factor=WHOLE, more=REAL,
    pair=group(Pair, x=reads("f8", "k"), y=writes("f4", "k", 2)),
)  # fmt: skip
def change(games, words, factor, more, pair):
    """Write to everything that can be written to."""
    for i in range(len(games)):
        games[i].weight += factor
        games[i].weights[1] += more
    for k in range(len(pair.x)):
        pair.y[k, 1] += pair.x[k] * factor
    return _bits(words)


@toys.entry(numbers=writes("i8", "n"), at=WHOLE)
def mark(numbers, at):
    """Write beyond the end, if told to; return nothing."""
    numbers[at] = 7


@toys.entry(numbers=reads("i8", "n"), flags=reads("?", 2, "n"))
def total(numbers, flags):
    """Read two arrays that must fit each other."""
    n = 0
    for i in range(len(numbers)):
        n += numbers[i] * (int(flags[0, i]) + int(flags[1, i]))
    return n
