"""Arrays that an entry borrows from its caller: references to them are not counted.

Numba counts every array a kernel passes on or indexes, by an atomic addition that waits for all stores before
it: that took a sixth of the time of a short simulation. Python holds all arguments of an entry until it
returns, so there is nothing to count.
"""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic

from ._jit import JIT


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An array, or every array of a tuple, without the object that counts its references."""
    if isinstance(kind, types.Array):
        array = context.make_array(kind)(context, builder, value)
        for owner in ("meminfo", "parent"):
            setattr(array, owner, cgutils.get_null_value(getattr(array, owner).type))
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
