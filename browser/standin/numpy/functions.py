"""Functions of arrays."""

import builtins
import math
import operator
from itertools import accumulate
from types import SimpleNamespace

from .arithmetic import calculated, operand, promoted, spread
from .arrays import BOOL, FLOAT, INT, array, asarray, from_bytes, made_of, ndarray
from .dtypes import _BITS, dtype, void
from .layout import broadcast_shape


def zeros(shape, dtype=float, order=None):
    return ndarray(shape, dtype)


empty = zeros


def full(shape, value, dtype=None):
    made = ndarray(shape, dtype or asarray([value]).dtype)
    made[...] = value
    return made


def ones(shape, dtype=float):
    return full(shape, 1, dtype)


def arange(*given, dtype=None):
    numbers = range(*map(int, given))
    return array(list(numbers), dtype or INT)


def linspace(start, stop, num, dtype=float):
    step = (stop - start) / (num - 1)
    numbers = [*(start + n * step for n in range(num - 1)), stop]
    return array([math.floor(n) for n in numbers] if dtype is int else numbers, dtype)


def ascontiguousarray(given, dtype=None):
    made = asarray(given, dtype)
    return made if made._whole else made.copy()


def frombuffer(data, kind=float):
    return ndarray(memoryview(data).nbytes // dtype(kind).itemsize, kind, data)


def shape(given):
    return given.shape if isinstance(given, ndarray) else asarray(given).shape


def ndim(given):
    if isinstance(given, int | float | void):
        return 0
    return given.ndim if isinstance(given, ndarray) else asarray(given).ndim


def iterable(given):
    return hasattr(given, "__iter__")


def atleast_1d(given):
    given = asarray(given)
    return given if given.shape else given.reshape(1)


def broadcast_to(given, shape):
    return asarray(given).broadcast(shape)


def moveaxis(given, source, target):
    order = [n for n in range(given.ndim) if n != source % given.ndim]
    order.insert(target % given.ndim, source % given.ndim)
    return given.transpose(order)


def concatenate(parts, axis=0):
    parts = [asarray(part) for part in parts]
    kind = parts[0].dtype
    for part in parts[1:]:
        kind = kind if kind.names else promoted(ndarray(0, kind), part)
    if axis:
        moved = concatenate([moveaxis(part, axis, 0) for part in parts])
        return moveaxis(moved, 0, axis)
    data = b"".join(part.tobytes() if part.dtype is kind else part.astype(kind).tobytes() for part in parts)
    return from_bytes(data, kind, (builtins.sum(map(len, parts)), *parts[0].shape[1:]))


def stack(parts, axis=0):
    made = array([asarray(part) for part in parts])
    return moveaxis(made, 0, axis) if axis else made


def where(condition, yes, no):
    condition, yes, no = asarray(condition), operand(yes), operand(no)
    shape = broadcast_shape(*(part.shape for part in (condition, yes, no) if isinstance(part, ndarray)))
    parts = zip(*(spread(part, shape) for part in (condition, yes, no)), strict=True)
    return made_of([a if chosen else b for chosen, a, b in parts], shape, promoted(yes, no))


def flatnonzero(given):
    return asarray(given).ravel().nonzero()[0]


def isin(given, wanted):
    given, wanted = asarray(given), {*asarray(list(wanted)).values()}
    return made_of([value in wanted for value in given.values()], given.shape, BOOL)


def repeat(given, times, axis=None):
    given = asarray(given)
    return given[[n for n in range(len(given)) for _ in range(times)]]


def tile(given, times):
    given = asarray(given)
    return from_bytes(given.tobytes() * times, given.dtype, (len(given) * times,))


def pad(given, widths):
    before, after = widths
    values = [0] * before + given.values() + [0] * after
    return array(values, given.dtype)


def prod(given, dtype=None):
    return math.prod(asarray(given).values() if len(given) else ())


def _method(name):
    """A method of arrays as a function of whatever can be one."""
    return lambda given, *options, **named: getattr(asarray(given), name)(*options, **named)


all, any, argmax, clip, max, mean, min, sum = map(
    _method, ("all", "any", "argmax", "clip", "max", "mean", "min", "sum")
)


def _by_row(function, given, axis, kind):
    """A function of the elements along an axis that returns as many."""
    moved = moveaxis(given, axis, -1)
    length, values = moved.shape[-1], moved.values()
    rows = (values[n : n + length] for n in range(0, len(values), length or 1))
    made = from_bytes(kind.packed([value for row in rows for value in function(row)]), kind, moved.shape)
    return moveaxis(made, -1, axis)


def cumsum(given, axis=None):
    given = asarray(given)
    kind = INT if given.dtype.kind in "bi" else given.dtype
    return _by_row(accumulate, given.ravel() if axis is None else given, axis or 0, kind)


def argsort(given, axis=-1, kind=None):
    return _by_row(lambda row: sorted(range(len(row)), key=row.__getitem__), asarray(given), axis, INT)


def _along(given, indices, axis):
    """The index that takes elements along an axis."""
    axis %= given.ndim
    grid = []
    for n, length in enumerate(given.shape):
        inner = [1] * given.ndim
        inner[n] = length
        grid.append(indices if n == axis else arange(length).reshape(inner))
    return tuple(grid)


def take_along_axis(given, indices, axis):
    return given[_along(given, indices, axis)]


def put_along_axis(given, indices, values, axis):
    given[_along(given, indices, axis)] = values


def subtract(a, b):
    return calculated(operator.sub, a, b)


def maximum(a, b):
    return calculated(builtins.max, a, b)


def minimum(a, b):
    return calculated(builtins.min, a, b)


def _each(function, given, kind=None):
    """A function of every element."""
    if not isinstance(given, ndarray):
        return function(given)
    kind = kind or (given.dtype if given.dtype.kind == "f" else FLOAT)
    return made_of([function(value) for value in given.values()], given.shape, kind)


def _exp(value):
    try:
        return math.exp(value)
    except OverflowError:
        return math.inf


def _log(function):
    return lambda value: function(value) if value > 0 else (-math.inf if value == 0 else math.nan)


def exp(given):
    return _each(_exp, given)


def log(given):
    return _each(_log(math.log), given)


def log2(given):
    return _each(_log(math.log2), given)


def sqrt(given):
    return _each(math.sqrt, given)


def ceil(given):
    return _each(lambda value: float(math.ceil(value)), given)


def rint(given):
    return _each(lambda value: float(round(value)), given)


def arctanh(given):
    return _each(math.atanh, given)


def abs(given):
    return given.__abs__()


def nan_to_num(given, nan=0.0):
    return _each(lambda value: nan if value != value else value, given)


def bitwise_count(given):
    return _each(int.bit_count, given, dtype("uint8"))


def unpackbits(given, axis=None, count=None, bitorder="big"):
    given = asarray(given)
    bits = [[byte >> (n if bitorder == "little" else 7 - n) & 1 for n in range(8)] for byte in given.values()]
    made = array(bits, dtype("uint8")).reshape(*given.shape[:-1], 8 * given.shape[-1])
    return made if count is None else made[..., :count]


def iinfo(kind):
    kind = dtype(kind)
    bits = _BITS[kind.char]
    low, high = (0, 2**bits - 1) if kind.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return SimpleNamespace(min=low, max=high)


class errstate:
    """Warnings of arithmetic, of which there are none."""

    def __init__(self, **_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


_OURS = [name for name, value in globals().items() if getattr(value, "__module__", "") == __name__]
__all__ = [name for name in _OURS if not name.startswith("_")]
