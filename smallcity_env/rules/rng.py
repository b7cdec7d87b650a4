"""The random stream inside a state: xorshift64, so that it needs no multiplication that overflows."""

import numpy as np
import numpy.typing as npt

from ..library import kernel

_A, _B, _C, _TOP = (np.uint64(n) for n in (13, 7, 17, 32))
_GOLDEN, _MIX1, _MIX2 = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_SHIFT1, _SHIFT2, _SHIFT3 = (np.uint64(n) for n in (30, 27, 31))


def streams(seeds: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """Well-mixed, non-zero initial streams, one per seed (splitmix64)."""
    x = np.atleast_1d(np.asarray(seeds).astype(np.uint64))
    x += _GOLDEN
    x ^= x >> _SHIFT1
    x *= _MIX1
    x ^= x >> _SHIFT2
    x *= _MIX2
    x ^= x >> _SHIFT3
    x[x == 0] = _GOLDEN
    return x


@kernel
def next_stream(stream):
    """The stream one step on."""
    stream ^= stream << _A
    stream ^= stream >> _B
    stream ^= stream << _C
    return stream


@kernel
def pick(stream, n):
    """A number from 0 to n - 1 read off a stream."""
    return np.int64(((stream >> _TOP) * np.uint64(n)) >> _TOP)


@kernel
def below(s, n):
    """Draw a number from 0 to n - 1 from the game's own stream."""
    s.stream = next_stream(s.stream)
    return pick(s.stream, n)
