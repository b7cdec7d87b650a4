"""Memory operations beyond plain loops: prefetching a game, writing fields and sets of spaces as numbers.

What is written is emitted as vectors, with a twin in plain Python that writes the same bits. The last vector
of a stretch overlaps the one before it, so that none reaches beyond the end. The lanes of a mask are a power
of 2: without AVX-512, LLVM aborts otherwise.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from ._jit import JIT, kernel
from .limits import word_of
from .schema import STATE_BYTES
from .tables import SPACES

LINE = 64  # bytes of a cache line: the widest vector
HALF = SPACES // 2
WORD_BYTES = 8  # of a word of a set
_BYTE, _FLAG, _INT, _WORD = (ir.IntType(bits) for bits in (8, 1, 32, 64))
_FLOAT, _SPACES = ir.FloatType(), ir.IntType(2 * 64)
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


@kernel
def fetch_shown(s):
    """Prefetch the boroughs shown in place of those behind screens."""
    for offset in range(SCREENED, AFTER, LINE):
        _fetch_line(s, offset)


def _filled(builder: Any, value: Any, lanes: int) -> Any:
    """Emit a vector with a value in every lane."""
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, lanes), [_INT(0)] * lanes))


def _starts(lanes: int) -> tuple[int, ...]:
    """Where the vectors begin that cover all spaces; the last two overlap."""
    return (*range(0, SPACES - lanes, lanes), SPACES - lanes)


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any, lanes: int) -> Any:
    """Emit the address of some elements of an array, as one vector."""
    data = context.make_array(kind)(context, builder, array).data
    vector = ir.VectorType(context.get_value_type(kind.dtype), lanes)
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


def _later(builder: Any, index: Any, start: int) -> Any:
    return builder.add(index, _WORD(start))


# -- sets of spaces: a value on each of them, 0 on the others


@intrinsic
def _store_set(_typing: Any, out: Any, at: Any, top: Any, bottom: Any, value: Any) -> Any:
    """Emit choices and stores for all spaces, in vectors of one cache line."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        (values, at, top, bottom, value), size = args, signature.args[0].dtype.bitwidth // 8
        lanes = LINE // size
        every = _filled(builder, value, lanes)
        below = builder.shl(builder.zext(bottom, _SPACES), _SPACES(HALF))
        spaces = builder.or_(builder.zext(top, _SPACES), below)
        for start in _starts(lanes):
            part = builder.trunc(builder.lshr(spaces, _SPACES(start)), ir.IntType(lanes))
            bits = builder.bitcast(part, ir.VectorType(_FLAG, lanes))
            chosen = builder.select(bits, every, ir.Constant(every.type, None))
            place = _address(context, builder, signature.args[0], values, _later(builder, at, start), lanes)
            builder.store(chosen, place, align=size)

    return types.none(out, types.int64, types.uint64, types.uint64, out.dtype), code


def _write_spaces(out: Any, at: int, top: Any, bottom: Any, value: Any) -> None:
    """The same in Python."""
    spaces = int(top) | int(bottom) << HALF
    for space in range(SPACES):
        out[at + space] = value if spaces >> space & 1 else 0


_write_set: Any = _store_set if JIT else _write_spaces


@kernel
def write_set(out, at, field, value):
    """Write a value on every space of a set, 0 on the others."""
    _write_set(out, at, field[0], field[1], value)


def sets_of(count: int) -> Any:
    """A function that returns this many empty sets to work with; compiled, they lie on the stack."""

    @intrinsic
    def make_sets(_typing: Any) -> Any:
        kind = types.Array(types.uint64, 2, "C")

        def code(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
            room = cgutils.alloca_once(builder, ir.ArrayType(_WORD, 2 * count))
            builder.store(ir.Constant(ir.ArrayType(_WORD, 2 * count), None), room)
            sets = context.make_array(kind)(context, builder)
            shape, strides = ([_WORD(n) for n in pair] for pair in ((count, 2), (2 * WORD_BYTES, WORD_BYTES)))
            data = builder.bitcast(room, _WORD.as_pointer())
            populate_array(sets, data, shape, strides, _WORD(WORD_BYTES), None)
            return sets._getvalue()

        return kind(), code

    return make_sets if JIT else lambda: np.zeros((count, 2), np.uint64)


# -- codes: a byte for each space, to which sets and tiles add, in two vectors

VECTOR = 64  # spaces of the first vector; the second has the others, and more
LANES = 16  # numbers written at once
_CODES = ir.VectorType(_BYTE, VECTOR)
_UP, _DOWN = np.uint64(HALF), np.uint64(VECTOR - HALF)


@intrinsic
def _make_codes(_typing: Any) -> Any:
    """Emit room for the codes of all spaces."""

    def code(_context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(_CODES, 2))
        builder.store(ir.Constant(ir.ArrayType(_CODES, 2), None), room)
        return builder.bitcast(room, _BYTE.as_pointer())

    return types.CPointer(types.uint8)(), code  # type: ignore[attr-defined]


def _vector(builder: Any, codes: Any, half: Any) -> Any:
    """The address of one vector of codes."""
    return builder.gep(builder.bitcast(codes, _CODES.as_pointer()), [half])


def _add(builder: Any, codes: Any, half: Any, amounts: Any) -> None:
    """Emit an addition to one vector of codes."""
    place = _vector(builder, codes, half)
    builder.store(builder.add(builder.load(place), amounts), place)


@intrinsic
def _add_to_codes(_typing: Any, codes: Any, half: Any, word: Any, amount: Any) -> Any:
    """Emit one addition to the codes of the spaces whose bits are set."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        codes, half, word, amount = args
        every = _filled(builder, builder.trunc(amount, _BYTE), VECTOR)
        bits = builder.bitcast(word, ir.VectorType(_FLAG, VECTOR))
        _add(builder, codes, half, builder.select(bits, every, ir.Constant(_CODES, None)))

    return types.none(codes, types.int64, types.uint64, types.int64), code


@intrinsic
def _add_row(_typing: Any, codes: Any, marked: Any, row: Any, start: Any, amount: Any) -> Any:
    """Emit the addition of a row of bytes to codes, and of an amount to others where it is not 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        codes, marked, row, start, amount = args
        every, nothing = _filled(builder, builder.trunc(amount, _BYTE), VECTOR), ir.Constant(_CODES, None)
        for half in range(2):
            index = _later(builder, start, half * VECTOR)
            added = builder.load(_address(context, builder, signature.args[2], row, index, VECTOR), align=1)
            here = builder.icmp_unsigned("!=", added, nothing)
            _add(builder, codes, _WORD(half), added)
            _add(builder, marked, _WORD(half), builder.select(here, every, nothing))

    return types.none(codes, marked, row, types.int64, types.int64), code


def _reciprocals(builder: Any, whole: Any) -> Any:
    """Emit vectors of the reciprocal of a whole and of the rest that its bits cannot hold."""
    double = ir.DoubleType()
    exact = builder.fdiv(double(1.0), builder.fpext(whole, double))
    rough = builder.fptrunc(exact, _FLOAT)
    rest = builder.fptrunc(builder.fsub(exact, builder.fpext(rough, double)), _FLOAT)
    return (_filled(builder, number, LANES) for number in (rough, rest))


def _lanes(builder: Any, codes: Any, start: int) -> Any:
    """Emit the codes from one space on, as floats."""
    half, first = divmod(start, VECTOR)
    vector = builder.load(_vector(builder, codes, _WORD(half)))
    lanes = ir.Constant(ir.VectorType(_INT, LANES), [_INT(first + lane) for lane in range(LANES)])
    return builder.uitofp(builder.shuffle_vector(vector, vector, lanes), ir.VectorType(_FLOAT, LANES))


@intrinsic
def _store_codes(_typing: Any, out: Any, at: Any, codes: Any, whole: Any) -> Any:
    """Emit the division of all codes by a whole and their stores.

    A product with the reciprocal in two parts takes a fraction of a division's time. For all codes and
    wholes it is the quotient, to the bit (tested).
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        values, at, codes, whole = args
        rough, rest = _reciprocals(builder, whole)
        kind = ir.FunctionType(rough.type, [rough.type] * 3)
        multiply_add = cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f32")
        for start in _starts(LANES):
            part = _lanes(builder, codes, start)
            quotient = builder.call(multiply_add, [part, rough, builder.fmul(part, rest)])
            place = _address(context, builder, signature.args[0], values, _later(builder, at, start), LANES)
            builder.store(quotient, place, align=4)

    return types.none(out, types.int64, codes, types.float32), code


def _zero_codes() -> Any:
    """The same four in Python."""
    return np.zeros(2 * VECTOR, np.uint8)


def _count_codes(codes: Any, half: int, word: Any, amount: int) -> None:
    for bit in range(VECTOR):
        codes[half * VECTOR + bit] += amount * (int(word) >> bit & 1)


def _count_row(codes: Any, marked: Any, row: Any, start: int, amount: int) -> None:
    added = row[start : start + 2 * VECTOR]
    codes += added
    marked += (added != 0) * np.uint8(amount)


def _divide_codes(out: Any, at: int, codes: Any, whole: Any) -> None:
    out[at : at + SPACES] = codes[:SPACES].astype(np.float32) / np.float32(whole)


new_codes: Any = _make_codes if JIT else _zero_codes
_add_half: Any = _add_to_codes if JIT else _count_codes
add_row: Any = _add_row if JIT else _count_row
write_codes: Any = _store_codes if JIT else _divide_codes


@kernel
def add_code(codes, field, amount):
    """Add an amount to the code of every space of a set."""
    _add_half(codes, 0, field[0] | (field[1] << _UP), amount)
    _add_half(codes, 1, field[1] >> _DOWN, amount)


# -- numbers: consecutive words of a record, scaled


@intrinsic
def _store_words(_typing: Any, out: Any, at: Any, words: Any, word: Any, scales: Any) -> Any:
    """Emit the conversion of words to numbers, each times its scale, and their store.

    Adding 0 makes 0 of -0, which is what a negative word times 0 is.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arrays, indices = (args[0], args[2], args[4]), (args[1], args[3], args[1])
        kinds = (signature.args[0], signature.args[2], signature.args[4])
        place, source, scale = (
            _address(context, builder, kind, array, index, LANES)
            for kind, array, index in zip(kinds, arrays, indices, strict=True)
        )
        numbers = builder.sitofp(builder.load(source, align=2), ir.VectorType(_FLOAT, LANES))
        scaled = builder.fmul(numbers, builder.load(scale, align=4))
        builder.store(builder.fadd(scaled, ir.Constant(scaled.type, None)), place, align=4)

    return types.none(out, types.int64, words, types.int64, scales), code


def _scale_words(out: Any, at: int, words: Any, word: int, scales: Any) -> None:
    """The same in Python."""
    out[at : at + LANES] = words[word : word + LANES] * scales[at : at + LANES] + np.float32(0)


write_words: Any = _store_words if JIT else _scale_words
