"""The memory of compiled code: arrays it borrows from Python, and arrays apart from those of other threads.

Numba counts a reference for every array a kernel passes on or indexes, by an atomic addition: that took a
sixth of the time of a short simulation. Python holds all arrays of an entry until it returns.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.extending import intrinsic

from smallcity_env.rules._jit import JIT  # compiled again if this file changes: it is part of every entry

LINE: Final = 64  # bytes of a cache line


def apart(shape: tuple[int, ...], kind: npt.DTypeLike) -> Any:
    """Zeros that share no cache line with other arrays: two threads that write to one wait for each other."""
    length = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.zeros(length + 2 * LINE, np.uint8)[LINE : LINE + length].view(kind).reshape(shape)


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An array, or every array of a tuple, without the counter of its owner."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        array.meminfo = cgutils.get_null_value(array.meminfo.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        for i, part in enumerate(kind):
            inner = _without_owner(context, builder, part, builder.extract_value(value, i))
            value = builder.insert_value(value, inner, i)
    return value


@intrinsic
def _borrow(_typing: Any, kind: Any) -> Any:
    """Emit the same value without owners."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _without_owner(context, builder, signature.args[0], args[0])

    return kind(kind), code


def _same(value: Any) -> Any:
    """The same in Python."""
    return value


borrowed: Any = _borrow if JIT else _same  # an array or a named tuple of arrays that outlive the call
