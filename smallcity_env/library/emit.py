"""Machine code that numba has no name for, as intrinsics. Imported only to build."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

_WORD = ir.IntType(64)


def array_at(dtype: "np.dtype[Any]", dimensions: int) -> Any:
    """An intrinsic that makes an array of the memory at an address, with these lengths."""
    kind = types.Array(from_dtype(dtype), dimensions, "C")

    @intrinsic  # type: ignore[untyped-decorator]
    def array(_typing: Any, address: Any, shape: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            lengths = [builder.extract_value(args[1], axis) for axis in range(dimensions)]
            return _array(
                context, builder, kind, builder.inttoptr(args[0], ir.IntType(8).as_pointer()), lengths
            )

        return kind(types.int64, types.UniTuple(types.int64, dimensions)), code

    return array


def _array(context: Any, builder: Any, kind: Any, place: Any, lengths: list[Any]) -> Any:
    """Emit an array in C order that nobody owns."""
    array = context.make_array(kind)(context, builder)
    step = size = _WORD(context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides: list[Any] = []
    for length in reversed(lengths):
        strides.insert(0, step)
        step = builder.mul(step, length)
    populate_array(array, builder.bitcast(place, array.data.type), lengths, strides, size, None)
    return array._getvalue()


@intrinsic  # type: ignore[untyped-decorator]
def struct_at(_typing: Any, address: Any) -> Any:
    """The record a pointer points to."""

    def code(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
        return args[0]

    return address.dtype(address), code


@intrinsic  # type: ignore[untyped-decorator]
def status(_typing: Any, value: Any) -> Any:
    """What an entry returned as a whole number; 0 for nothing."""

    def code(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
        return _WORD(0) if isinstance(value, types.NoneType) else args[0]

    return types.int64(value if isinstance(value, types.NoneType) else types.int64), code


@intrinsic  # type: ignore[untyped-decorator]
def popcount(_typing: Any, word: Any) -> Any:
    """The processor's popcount instruction."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), code


def stack_array(shape: tuple[int, ...], dtype: "np.dtype[Any]") -> Any:
    """An intrinsic that returns zeros on the stack."""
    kind = types.Array(from_dtype(dtype), len(shape), "C")

    @intrinsic  # type: ignore[untyped-decorator]
    def zeros(_typing: Any) -> Any:
        def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            room = ir.ArrayType(context.get_data_type(kind.dtype), int(np.prod(shape)))
            place = cgutils.alloca_once(builder, room)
            builder.store(ir.Constant(room, None), place)
            return _array(context, builder, kind, place, [_WORD(n) for n in shape])

        return kind(), code

    return zeros
