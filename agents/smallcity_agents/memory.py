"""Memory for threads: arrays that share no cache line with those of other threads."""

from collections import namedtuple
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.library import Argument, Group, group

LINE: Final = 64  # bytes of a cache line


def padded(shape: Sequence[int], kind: npt.DTypeLike) -> Any:
    """Zeros that share no cache line with other arrays: two threads that write to one wait for each other."""
    length = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.zeros(length + 2 * LINE, np.uint8)[LINE : LINE + length].view(kind).reshape(shape)


def record(name: str, **parts: Argument) -> Group:
    """Arrays that kernels take together, as a named tuple."""
    return group(namedtuple(name, parts), **parts)


def memory(parts: Group, **given: Any) -> Any:
    """Padded zeros for such a tuple; `given` has the lengths that have names, and parts that exist."""
    known: dict[Any, Any] = given

    def part(name: str, of: Any) -> Any:
        return known[name] if name in known else padded([known.get(n, n) for n in of.shape], of.dtype)

    return parts.kind(**{name: part(name, argument) for name, argument in parts.parts.items()})
