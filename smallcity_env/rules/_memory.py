"""Memory operations beyond plain loops: prefetching a game, writing sets of spaces as numbers."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ._jit import JIT, kernel
from .limits import word_of
from .schema import STATE_BYTES
from .tables import SPACES

HALF = SPACES // 2
LANES = 32  # bits written at once: without AVX-512, LLVM aborts where this is no power of 2
STARTS = (0, HALF - LANES)  # two writes that overlap
LINE = 64  # bytes of a cache line
_BYTE, _FLAG, _INT, _WORD = (ir.IntType(bits) for bits in (8, 1, 32, 64))
_READ, _SECOND_CACHE, _DATA = (_INT(n) for n in (0, 2, 1))
SCREENED, AFTER = (2 * word_of(name) for name in ("shown", "waiting"))  # between: boroughs behind screens


@intrinsic
def _prefetch(_typing: Any, game: Any, offset: Any) -> Any:
    """Emit the fetch of one line of a record into the second cache."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        place = builder.gep(builder.bitcast(args[0], _BYTE.as_pointer()), [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [place.type, _INT, _INT, _INT])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fetch, [place, _READ, _SECOND_CACHE, _DATA])

    return types.none(game, types.int64), code


def _nothing(game: Any, offset: int) -> None:
    """The same in Python."""


_fetch_line: Any = _prefetch if JIT else _nothing


@kernel
def fetch(s):
    """Prefetch the game needed next, without the boroughs shown in place of those behind screens."""
    for offset in range(0, SCREENED, LINE):
        _fetch_line(s, offset)
    for offset in range(AFTER, STATE_BYTES, LINE):
        _fetch_line(s, offset)


def _filled(builder: Any, value: Any, lanes: int) -> Any:
    """Emit a vector with a value in every lane."""
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, lanes), [_INT(0)] * lanes))


@intrinsic
def _store_bits(_typing: Any, out: Any, at: Any, word: Any, value: Any) -> Any:
    """Emit a choice and a store for all bits of a word, in two parts."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, (values, at, word, value) = signature.args[0], args
        number = context.get_value_type(array.dtype)
        numbers, every = ir.VectorType(number, LANES), _filled(builder, value, LANES)
        data = context.make_array(array)(context, builder, values).data
        for start in STARTS:
            part = builder.trunc(builder.lshr(word, _WORD(start)), ir.IntType(LANES))
            bits = builder.bitcast(part, ir.VectorType(_FLAG, LANES))
            chosen = builder.select(bits, every, ir.Constant(numbers, None))
            place = builder.bitcast(builder.gep(data, [builder.add(at, _WORD(start))]), numbers.as_pointer())
            builder.store(chosen, place, align=array.dtype.bitwidth // 8)

    return types.none(out, types.int64, types.uint64, out.dtype), code


def _write_bits(out: Any, at: int, word: Any, value: Any) -> None:
    """The same in Python."""
    for space in range(HALF):
        out[at + space] = value if int(word) >> space & 1 else 0


write_half: Any = _store_bits if JIT else _write_bits


@kernel
def write_set(out, at, field, value):
    """Write a value on every space of a set, 0 on the others."""
    write_half(out, at, field[0], value)
    write_half(out, at + HALF, field[1], value)


# -- codes: a byte for each space, to which sets add; each half in a vector of its own

VECTOR = 64  # spaces of a half, and some more
PART = 16  # numbers written at once
PARTS = (*range(0, HALF - PART, PART), HALF - PART)  # the last two overlap
_CODES = ir.VectorType(_BYTE, VECTOR)
_FLOAT = ir.FloatType()


@intrinsic
def _make_codes(_typing: Any) -> Any:
    """Emit room for the codes of two halves."""

    def code(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(_CODES, 2))
        builder.store(ir.Constant(ir.ArrayType(_CODES, 2), None), room)
        return builder.bitcast(room, _BYTE.as_pointer())

    return types.CPointer(types.uint8)(), code  # type: ignore[attr-defined]


def _place(builder: Any, codes: Any, half: Any) -> Any:
    """The codes of one half."""
    return builder.gep(builder.bitcast(codes, _CODES.as_pointer()), [half])


@intrinsic
def _add_to_codes(_typing: Any, codes: Any, half: Any, word: Any, amount: Any) -> Any:
    """Emit one addition to the codes of the spaces whose bits are set."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        codes, half, word, amount = args
        place, nothing = _place(builder, codes, half), ir.Constant(_CODES, None)
        every = _filled(builder, builder.trunc(amount, _BYTE), VECTOR)
        added = builder.select(builder.bitcast(word, ir.VectorType(_FLAG, VECTOR)), every, nothing)
        builder.store(builder.add(builder.load(place), added), place)

    return types.none(codes, types.int64, types.uint64, types.int64), code


@intrinsic
def _store_codes(_typing: Any, out: Any, at: Any, codes: Any, half: Any, whole: Any) -> Any:
    """Emit the division of all codes of a half and their stores.

    A product with the reciprocal and one step towards the quotient takes a third of a division's time. For
    the codes and wholes there are, it is the quotient, to the bit (tested).
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values, at, codes, half, whole = args
        data = context.make_array(signature.args[0])(context, builder, values).data
        all_codes, numbers = builder.load(_place(builder, codes, half)), ir.VectorType(_FLOAT, PART)
        wholes, parts = (_filled(builder, n, PART) for n in (whole, builder.fdiv(_FLOAT(1.0), whole)))
        kind = ir.FunctionType(numbers, [numbers] * 3)
        multiply_add = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{PART}f32")
        for start in PARTS:
            lanes = ir.Constant(ir.VectorType(_INT, PART), [_INT(start + lane) for lane in range(PART)])
            part = builder.uitofp(builder.shuffle_vector(all_codes, all_codes, lanes), numbers)
            guess = builder.fmul(part, parts)
            left = builder.call(multiply_add, [builder.fneg(guess), wholes, part])
            place = builder.bitcast(builder.gep(data, [builder.add(at, _WORD(start))]), numbers.as_pointer())
            builder.store(builder.call(multiply_add, [left, parts, guess]), place, align=4)

    return types.none(out, types.int64, codes, types.int64, types.float32), code


def _zero_codes() -> Any:
    """The same three in Python."""
    return np.zeros((2, VECTOR), np.uint8)


def _count_codes(codes: Any, half: int, word: Any, amount: int) -> None:
    for space in range(HALF):
        codes[half, space] += amount * (int(word) >> space & 1)


def _divide_codes(out: Any, at: int, codes: Any, half: int, whole: Any) -> None:
    out[at : at + HALF] = codes[half, :HALF].astype(np.float32) / np.float32(whole)


new_codes: Any = _make_codes if JIT else _zero_codes
_add_half: Any = _add_to_codes if JIT else _count_codes
_write_half_codes: Any = _store_codes if JIT else _divide_codes


@kernel
def add_code(codes, field, amount):
    """Add an amount to the code of every space of a set."""
    _add_half(codes, 0, field[0], amount)
    _add_half(codes, 1, field[1], amount)


@kernel
def write_codes(out, at, codes, whole):
    """Write the codes of all spaces, as parts of a whole."""
    _write_half_codes(out, at, codes, 0, whole)
    _write_half_codes(out, at + HALF, codes, 1, whole)
