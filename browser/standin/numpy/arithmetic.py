"""Operators of arrays, and the types of their results."""

import math
import operator
from itertools import cycle, islice, repeat
from math import prod

from .arrays import BOOL, FLOAT, INT, asarray, made_of, ndarray
from .dtypes import generic, known
from .layout import broadcast_shape


def spread(value, shape):
    """The elements of an array or a number, as often as a shape has them."""
    if not isinstance(value, ndarray):
        return repeat(value, prod(shape))
    if value.shape == shape:
        return value.each()
    if value.size == 1:
        return repeat(value.item(), prod(shape))
    if shape[len(shape) - value.ndim :] == value.shape:
        return islice(cycle(value.values()), prod(shape))
    return value.broadcast(shape).values()


def type_of(value):
    """The type of an operand: Python's own numbers take that of the other one."""
    return value.dtype if isinstance(value, ndarray) else value.dtype if isinstance(value, generic) else None


_RANK = {"b": 0, "u": 1, "i": 1, "f": 2}


def promoted(a, b):
    """The type of a result."""
    one, two = type_of(a), type_of(b)
    if one is None or two is None:
        typed, number = (two, a) if one is None else (one, b)
        weak = BOOL if isinstance(number, bool) else INT if isinstance(number, int) else FLOAT
        return typed if typed is not None and _RANK[typed.kind] >= _RANK[weak.kind] else weak
    if one is two or _RANK[one.kind] > _RANK[two.kind]:
        return (
            one
            if one.kind != "f" or two.itemsize < 4 or one is two or one is FLOAT or two.kind == "b"
            else FLOAT
        )
    if _RANK[one.kind] < _RANK[two.kind]:
        return promoted(b, a)
    if one.kind == two.kind:
        return one if one.itemsize >= two.itemsize else two
    signed, unsigned = (one, two) if one.kind == "i" else (two, one)
    if signed.itemsize > unsigned.itemsize:
        return signed
    return known[f"i{2 * unsigned.itemsize}"] if unsigned.itemsize < 8 else FLOAT


def operand(value):
    """An array, or a number."""
    return asarray(value) if isinstance(value, list | tuple | range) else value


def calculated(function, a, b, kind=None):
    """A function of every pair of elements."""
    a, b = operand(a), operand(b)
    kind = kind or promoted(a, b)
    shapes = [value.shape for value in (a, b) if isinstance(value, ndarray)]
    shape = broadcast_shape(*shapes) if shapes else ()
    return made_of(map(function, spread(a, shape), spread(b, shape)), shape, kind)


def compared(function, a, b):
    if isinstance(b, str) or b is None:
        return NotImplemented
    return calculated(function, a, b, BOOL)


def divided(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


def _quotient_type(a, b):
    kind = promoted(a, b)
    return kind if kind.kind == "f" else FLOAT


NAMES = "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift"


def _operators():
    """The operators of arrays, with those for the right and those in place."""
    for name in NAMES:
        function = divided if name == "truediv" else getattr(operator, f"__{name}__")
        division = name == "truediv"

        def forward(self, other, function=function, division=division):
            return calculated(function, self, other, _quotient_type(self, other) if division else None)

        def backward(self, other, function=function, division=division):
            return calculated(function, other, self, _quotient_type(other, self) if division else None)

        def in_place(self, other, function=function):
            self[...] = calculated(function, self, other, self.dtype)
            return self

        for prefix, method in (("", forward), ("r", backward), ("i", in_place)):
            setattr(ndarray, f"__{prefix}{name}__", method)
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        function = getattr(operator, name)
        setattr(ndarray, f"__{name}__", lambda self, other, f=function: compared(f, self, other))


_operators()
