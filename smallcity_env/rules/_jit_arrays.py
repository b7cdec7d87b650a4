"""How an entry reads the arrays it is called with: in place, and checked.

Numba makes a counted reference to every array and frees it after the call: with eight arrays, this took a
fifth of a microsecond. A caller keeps its arrays for as long as the call takes, and entries return none, so
nothing is counted here. What numba leaves to its dispatch on types (layout, dimensions, dtype) is compared
instead, in a few instructions. All records have one number: the dtype of games is for the caller to check.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.pythonapi import NativeValue, _boxers, _unboxers
from numba.np.numpy_support import as_dtype

_BYTE, _INT = ir.IntType(8), ir.IntType(32)
_HEAD, _POINTER = object.__basicsize__, np.dtype(np.intp).itemsize
# where numpy's headers have the fields of an array and of its dtype, in bytes
_DIMENSIONS = _HEAD + _POINTER
_DTYPE, _FLAGS = _HEAD + 5 * _POINTER, _HEAD + 6 * _POINTER
_BYTE_ORDER, _NUMBER = _HEAD + _POINTER + 2, _HEAD + _POINTER + 4
_ROOM = ir.ArrayType(ir.IntType(64), 5 + 2 * 64)  # numba's array, with numpy's most dimensions
_LAYOUTS = {"C": 0x1, "F": 0x2, "A": 0}
_ALIGNED, _WRITEABLE = 0x100, 0x400


@contextmanager
def borrowed_arrays() -> Iterator[None]:
    """Compile what Python calls so that it borrows its arrays, and returns none."""
    from numba.core import boxing  # registers numba's own; not needed where everything is compiled already

    counted, returned = boxing.unbox_array, boxing.box_array
    _unboxers.functions[types.Array], _boxers.functions[types.Array] = _borrow, _refuse
    try:
        yield
    finally:
        _unboxers.functions[types.Array], _boxers.functions[types.Array] = counted, returned


def _refuse(kind: Any, _value: Any, _c: Any) -> None:
    """Nobody would keep what a view of a borrowed array shows."""
    raise TypeError(f"an entry returns no arrays, such as {kind}")


def _borrow(kind: Any, given: Any, c: Any) -> NativeValue:
    """Emit the reading of one array, or a TypeError."""
    with c.builder.goto_entry_block():
        room = c.builder.alloca(_ROOM)
    reader = ir.FunctionType(_INT, [given.type, room.type])
    read = cgutils.get_or_insert_function(c.builder.module, reader, "numba_adapt_ndarray")
    array = c.builder.bitcast(room, c.context.get_value_type(kind).as_pointer())
    unfit = cgutils.alloca_once_value(c.builder, cgutils.true_bit)
    with c.builder.if_then(cgutils.is_null(c.builder, c.builder.call(read, [given, room]))):
        c.builder.store(c.builder.not_(_fits(kind, given, c.builder)), unfit)
    refused = c.builder.load(unfit)
    with c.builder.if_then(refused, likely=False):
        c.pyapi.err_set_string("PyExc_TypeError", "not an array of the type this was compiled for")
    return NativeValue(c.builder.load(array), is_error=refused)


def _fits(kind: Any, given: Any, builder: Any) -> Any:
    """Emit the comparison of an array with the type it should have."""
    dtype, described = as_dtype(kind.dtype), _field(builder, given, _DTYPE, _BYTE.as_pointer())
    flags = _INT(_LAYOUTS[kind.layout] | _ALIGNED * kind.aligned | _WRITEABLE * kind.mutable)
    pairs = [
        (_field(builder, given, _DIMENSIONS, _INT), _INT(kind.ndim)),
        (builder.and_(_field(builder, given, _FLAGS, _INT), flags), flags),
        (_field(builder, described, _NUMBER, _INT), _INT(dtype.num)),
        (_field(builder, described, _BYTE_ORDER, _BYTE), _BYTE(ord(dtype.byteorder))),
    ]
    same = cgutils.true_bit
    for found, right in pairs:
        same = builder.and_(same, builder.icmp_unsigned("==", found, right))
    return same


def _field(builder: Any, header: Any, offset: int, kind: Any) -> Any:
    """Emit the reading of a field of a header."""
    place = builder.gep(header, [_INT(offset)])
    return builder.load(builder.bitcast(place, kind.as_pointer()))
