"""What compiled code does with memory that plain loops do not: fetch a game early, write a set as numbers."""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ._jit import JIT, kernel
from .limits import word_of
from .schema import STATE_BYTES
from .tables import SPACES

HALF = SPACES // 2
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
    """Begin to fetch a game that is needed next, without the boroughs as they are shown behind screens."""
    for offset in range(0, SCREENED, LINE):
        _fetch_line(s, offset)
    for offset in range(AFTER, STATE_BYTES, LINE):
        _fetch_line(s, offset)


@intrinsic
def _store_bits(_typing: Any, out: Any, at: Any, word: Any, value: Any) -> Any:
    """Emit one choice and one store for all bits of a word."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, (values, at, word, value) = signature.args[0], args
        number = context.get_value_type(array.dtype)
        numbers = ir.VectorType(number, HALF)
        bits = builder.bitcast(builder.trunc(word, ir.IntType(HALF)), ir.VectorType(_FLAG, HALF))
        one = builder.insert_element(ir.Constant(numbers, ir.Undefined), value, _INT(0))
        every = builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(_INT, HALF), [_INT(0)] * HALF))
        place = builder.gep(context.make_array(array)(context, builder, values).data, [at])
        chosen = builder.select(bits, every, ir.Constant(numbers, None))
        builder.store(chosen, builder.bitcast(place, numbers.as_pointer()), align=array.dtype.bitwidth // 8)

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
