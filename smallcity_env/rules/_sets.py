"""Sets of spaces in compiled code: what `&`, `|`, `-` and `for space in each(a)` mean for two words.

spaces.py has the pure-Python twins; here the code is emitted inline, so that no function is compiled for it.
"""

import operator
from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model, type_callable

PAIR = types.UniTuple(types.uint64, 2)
Emit = Callable[[Any, Any, Any], Any]


def register(spaces: type, each: Any, half: int) -> None:
    """Give compiled code the operators of a NamedTuple of two words, and the loop over it."""
    words = types.NamedUniTuple(types.uint64, 2, spaces)
    for symbols, emit in OPERATORS.items():
        for symbol in symbols:
            _operator(symbol, words, emit)
    _loop(each, words, half)


def _minus(builder: Any, a: Any, b: Any) -> Any:
    return builder.and_(a, builder.not_(b))


OPERATORS: dict[tuple[Any, ...], Emit] = {
    (operator.and_, operator.iand): lambda builder, a, b: builder.and_(a, b),
    (operator.or_, operator.ior): lambda builder, a, b: builder.or_(a, b),
    (operator.sub, operator.isub): _minus,
}


def _operator(symbol: Any, words: Any, emit: Emit) -> None:
    """One operator, word by word."""

    @infer_global(symbol)
    class Typing(AbstractTemplate):  # type: ignore[misc]
        key = symbol

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(words, words, words) if args == (words, words) else None

    @lower_builtin(symbol, words, words)
    def lower(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        result = args[0]
        for i in range(2):
            word = emit(builder, builder.extract_value(args[0], i), builder.extract_value(args[1], i))
            result = builder.insert_value(result, word, i)
        return result


class SpaceIterator(types.SimpleIteratorType):  # type: ignore[misc]
    """The loop over a set: a pointer to the words that are left."""

    def __init__(self) -> None:
        super().__init__("iterator over spaces", types.int64)


@register_model(SpaceIterator)
class SpaceIteratorModel(models.PrimitiveModel):  # type: ignore[misc]
    """An iterator is the address of two words."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, manager.lookup(PAIR).get_value_type().as_pointer())


def _loop(each: Any, words: Any, half: int) -> None:
    """`each` of a set, or of a record's field."""

    @type_callable(each)
    def typing(_context: Any) -> Any:
        return lambda a: SpaceIterator()

    @lower_builtin(each, words)
    def over_set(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return cgutils.alloca_once_value(builder, args[0])

    @lower_builtin(each, types.Array)
    def over_field(context: Any, builder: Any, kinds: Any, args: Any) -> Any:
        data = context.make_array(kinds.args[0])(context, builder, args[0]).data
        pair = context.get_value_type(PAIR)
        return cgutils.alloca_once_value(builder, builder.load(builder.bitcast(data, pair.as_pointer())))

    @lower_builtin("getiter", SpaceIterator)
    def start(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
        return args[0]

    @lower_builtin("iternext", SpaceIterator)
    @iternext_impl(RefType.UNTRACKED)
    def following(_context: Any, builder: Any, _signature: Any, args: Any, result: Any) -> None:
        pair = builder.load(args[0])
        top, bottom = builder.extract_value(pair, 0), builder.extract_value(pair, 1)
        zero, one = top.type(0), top.type(1)
        in_top = builder.icmp_unsigned("!=", top, zero)
        word = builder.select(in_top, top, bottom)
        space = builder.cttz(word, cgutils.false_bit)
        rest = builder.and_(word, builder.sub(word, one))
        result.set_valid(builder.icmp_unsigned("!=", word, zero))
        result.yield_(builder.add(space, builder.select(in_top, zero, top.type(half))))
        pair = builder.insert_value(pair, builder.select(in_top, rest, top), 0)
        pair = builder.insert_value(pair, builder.select(in_top, bottom, rest), 1)
        builder.store(pair, args[0])
