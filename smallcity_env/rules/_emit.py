"""Machine code for what plain loops are slow at: masks as bits, sets as numbers. Imported only to build.

Each has a twin in plain Python that does the same, to the bit. The last vector of a stretch overlaps the one
before it, so that none reaches beyond the end.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from .actions import ACTIONS
from .limits import MOST, WORDS, word_of
from .schema import STATE_BYTES
from .tables import SPACES

LANES = 16  # numbers scaled at once
LINE = 64  # bytes of a cache line: the widest vector
BITS = 64
FLAG_WORDS = -(-ACTIONS // BITS)
STARTS = (*range(0, ACTIONS - BITS, BITS), ACTIONS - BITS)  # where the flags of each word begin in memory
SHARED = BITS * FLAG_WORDS - ACTIONS  # number of those of the last word that belong to the previous one
HALF = SPACES // 2
SCREENED, AFTER = (2 * word_of(name) for name in ("shown", "waiting"))  # between: boroughs behind screens
_FLAG, _BYTE, _INT, _WORD = (ir.IntType(bits) for bits in (1, 8, 32, 64))
_SPACES = ir.IntType(2 * BITS)
_FLAGS = ir.VectorType(_BYTE, BITS)
_EVERY = types.UniTuple(types.uint64, FLAG_WORDS)


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any, lanes: int) -> Any:
    """Emit the address of some elements of an array, as one vector."""
    data = context.make_array(kind)(context, builder, array).data
    vector = ir.VectorType(context.get_data_type(kind.dtype), lanes)
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


@intrinsic
def load_flags(_typing: Any, legal: Any) -> Any:
    """One load for every 64 flags and their comparison with zero."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = []
        for start in STARTS:
            place = _place(context, builder, signature.args[0], args[0], _WORD(start), BITS)
            truth = builder.icmp_unsigned("!=", builder.load(place, align=1), ir.Constant(_FLAGS, None))
            words.append(builder.bitcast(truth, _WORD))
        words[-1] = builder.lshr(words[-1], _WORD(SHARED))
        return context.make_tuple(builder, signature.return_type, words)

    return _EVERY(legal), code


@intrinsic
def store_flags(_typing: Any, legal: Any, words: Any) -> Any:
    """One store for every word: a byte for each of its bits."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        words = [builder.extract_value(args[1], k) for k in range(FLAG_WORDS)]
        if FLAG_WORDS > 1 and SHARED > 0:
            before = builder.lshr(words[-2], _WORD(BITS - SHARED))
            words[-1] = builder.or_(builder.shl(words[-1], _WORD(SHARED)), before)
        for start, word in zip(STARTS, words, strict=True):
            bits = builder.bitcast(word, ir.VectorType(_FLAG, BITS))
            place = _place(context, builder, signature.args[0], args[0], _WORD(start), BITS)
            builder.store(builder.zext(bits, _FLAGS), place, align=1)

    return types.none(legal, _EVERY), code


def _set_writer(adds: bool) -> Any:
    """An intrinsic that writes a value on every space of a set and 0 on the others, or adds it there."""

    @intrinsic
    def write(_typing: Any, out: Any, at: Any, top: Any, bottom: Any, value: Any) -> Any:
        """Vectors of one cache line, chosen by the bits of the set."""

        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            (values, at, top, bottom, value), size = args, signature.args[0].dtype.bitwidth // 8
            lanes = LINE // size
            every = _filled(builder, value, lanes)
            below = builder.shl(builder.zext(bottom, _SPACES), _SPACES(HALF))
            spaces = builder.or_(builder.zext(top, _SPACES), below)
            for start in range(0, SPACES, lanes) if adds else _starts(lanes):
                part = builder.trunc(builder.lshr(spaces, _SPACES(start)), ir.IntType(lanes))
                bits = builder.bitcast(part, ir.VectorType(_FLAG, lanes))
                chosen = builder.select(bits, every, ir.Constant(every.type, None))
                index = builder.add(at, _WORD(start))
                place = _place(context, builder, signature.args[0], values, index, lanes)
                if adds:
                    chosen = builder.add(builder.load(place, align=size), chosen)
                builder.store(chosen, place, align=size)

        return types.none(out, types.int64, types.uint64, types.uint64, out.dtype), code

    return write


def _starts(lanes: int) -> tuple[int, ...]:
    """Where the vectors begin that cover all spaces; the last two overlap."""
    return (*range(0, SPACES - lanes, lanes), SPACES - lanes)


store_set, add_set = _set_writer(adds=False), _set_writer(adds=True)


@intrinsic
def add_tile(_typing: Any, parts: Any, kinds: Any, row: Any, start: Any, kind: Any) -> Any:
    """A row of bytes added to one array of codes, and a kind to another wherever the row is not 0."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        every, nothing = _filled(builder, builder.trunc(args[4], _BYTE), LINE), ir.Constant(_FLAGS, None)
        for offset in range(0, SPACES, LINE):
            index = builder.add(args[3], _WORD(offset))
            source = _place(context, builder, signature.args[2], args[2], index, LINE)
            added = builder.load(source, align=1)
            here = builder.select(builder.icmp_unsigned("!=", added, nothing), every, nothing)
            for array, amounts in ((0, added), (1, here)):
                place = _place(context, builder, signature.args[array], args[array], _WORD(offset), LINE)
                builder.store(builder.add(builder.load(place, align=1), amounts), place, align=1)

    return types.none(parts, kinds, row, types.int64, types.int64), code


@intrinsic
def scale_words(_typing: Any, out: Any, at: Any, words: Any, word: Any, scales: Any) -> Any:
    """The conversion of some words to numbers, each times its scale and at most MOST, in one vector.

    Adding 0 makes 0 of -0, which is what a negative word times 0 is.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        place, source, scale = (
            _place(context, builder, kinds[array], args[array], args[index], LANES)
            for array, index in ((0, 1), (2, 3), (4, 1))
        )
        numbers = builder.sitofp(builder.load(source, align=2), ir.VectorType(ir.FloatType(), LANES))
        scaled = builder.fmul(numbers, builder.load(scale, align=4))
        number, most = builder.fadd(scaled, ir.Constant(scaled.type, None)), ir.FloatType()(MOST)
        most = _filled(builder, most, LANES)
        least = builder.select(builder.fcmp_ordered("<", number, most), number, most)
        builder.store(least, place, align=4)

    return types.none(out, types.int64, words, types.int64, scales), code


def _filled(builder: Any, value: Any, lanes: int) -> Any:
    """Emit a vector with a value in every lane."""
    one = builder.insert_element(ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined), value, _INT(0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, lanes), None))


@intrinsic
def fetch(_typing: Any, game: Any) -> Any:
    """A prefetch of every line of a record into the second cache."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.VoidType(), [_BYTE.as_pointer(), _INT, _INT, _INT])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        record = builder.bitcast(args[0], _BYTE.as_pointer())
        for line in (*range(0, SCREENED, LINE), *range(AFTER, STATE_BYTES, LINE)):
            builder.call(prefetch, [builder.gep(record, [_WORD(line)]), _INT(0), _INT(2), _INT(1)])

    return types.none(game), code


@intrinsic
def record_words(_typing: Any, game: Any) -> Any:
    """A record as an array of int16, in place."""
    kind = types.Array(types.int16, 1, "C")

    def code(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        view = context.make_array(kind)(context, builder)
        data, size = builder.bitcast(args[0], view.data.type), _WORD(2)
        populate_array(view, data, [_WORD(WORDS)], [size], size, None)
        return view._getvalue()

    return kind(game), code


@intrinsic
def call_generator(_typing: Any, source: Any, state: Any) -> Any:
    """The call of a generator's own function, by its address."""

    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        pointer = _BYTE.as_pointer()
        kind = ir.FunctionType(_INT, [pointer]).as_pointer()
        drawn = builder.call(builder.inttoptr(args[0], kind), [builder.inttoptr(args[1], pointer)])
        return builder.zext(drawn, _WORD)

    return types.int64(types.int64, types.int64), code
