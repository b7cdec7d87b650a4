"""Memory for threads: arrays apart from those of other threads."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

LINE: Final = 64  # bytes of a cache line


def apart(shape: tuple[int, ...], kind: npt.DTypeLike) -> Any:
    """Zeros that share no cache line with other arrays: two threads that write to one wait for each other."""
    length = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.zeros(length + 2 * LINE, np.uint8)[LINE : LINE + length].view(kind).reshape(shape)
