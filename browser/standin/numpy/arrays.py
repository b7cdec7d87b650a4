"""Arrays of any number of dimensions over a block of bytes."""

import operator
from itertools import chain, islice
from math import prod

from .dtypes import _Sub, dtype, generic, known, void
from .layout import c_strides, offsets, total

BOOL, INT, UINT, FLOAT = (known[name] for name in ("bool", "int64", "uint64", "float64"))
FLOAT32 = known["float32"]
PART = 1 << 13  # elements of a long array that are Python's at a time: they take much memory


class Flags:
    """How an array lies in memory."""

    aligned = True

    def __init__(self, array):
        self.c_contiguous = array._whole
        self.writeable = not array._memory.readonly
        self.carray = self.c_contiguous and self.writeable


class ndarray:
    """An array of a shape, its elements at an address and distances of a block of bytes."""

    __slots__ = ("_at", "_memory", "_whole", "dtype", "shape", "size", "strides")

    def __init__(self, shape, dtype_=float, buffer=None, offset=0, strides=None):
        shape = (shape,) if isinstance(shape, int) else tuple(shape)
        kind = dtype(dtype_)
        size = prod(shape)
        if buffer is None:
            buffer = bytearray(size * kind.itemsize)
        self._fill(memoryview(buffer).cast("B"), offset, kind, shape, strides)

    def _fill(self, memory, at, kind, shape, strides):
        self._memory, self._at, self.dtype, self.shape = memory, at, kind, shape
        packed = c_strides(shape, kind.itemsize)
        self.strides = packed if strides is None else strides
        self.size = prod(shape)
        self._whole = self.strides == packed or self.size == 0 or self._is_packed(packed)

    def _is_packed(self, packed):
        lies = zip(self.shape, self.strides, packed, strict=True)
        return all(length == 1 or have == want for length, have, want in lies)

    def __class_getitem__(cls, _):
        return cls

    # -- what it is

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    @property
    def itemsize(self):
        return self.dtype.itemsize

    @property
    def flags(self):
        return Flags(self)

    @property
    def data(self):
        """The bytes, if the array is in C order."""
        return self._memory[self._at : self._at + self.nbytes]

    def __buffer__(self, _flags):
        if not self._whole:
            return memoryview(self.tobytes())
        data = self.data
        return data if self.dtype.names else data.cast(self.dtype.char)

    @property
    def ctypes(self):
        return Address(self)

    @property
    def flat(self):
        return iter(self.each())

    @property
    def T(self):
        return self.transpose()

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        if len(self.shape) == 1:
            return iter(self.values())
        return (self[n] for n in range(self.shape[0]))

    def __contains__(self, value):
        return value in self.values()

    def __bool__(self):
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __index__(self):
        if self.dtype.kind not in "iu" or self.shape:
            raise TypeError("only whole numbers are an index")
        return int(self.item())

    def __repr__(self):
        return f"array({self.tolist()})"

    def item(self, *at):
        if at:
            return self[at]
        if self.size != 1:
            raise ValueError("only an array of one element is a number")
        return self.dtype.get(self._memory, offsets(self._at, self.shape, self.strides)[0])

    def values(self):
        """Every element, in C order."""
        if self.dtype.names:
            return [self.dtype.get(self._memory, at) for at in offsets(self._at, self.shape, self.strides)]
        return self.dtype.unpacked(self.tobytes())

    def each(self):
        """Every element, in C order; of a long array a part at a time."""
        if self.size <= PART or self.dtype.names:
            return self.values()
        data, step = self.tobytes(), PART * self.dtype.itemsize
        return chain.from_iterable(self.dtype.unpacked(data[n : n + step]) for n in range(0, len(data), step))

    def tolist(self):
        values = [v.tolist() for v in self.values()] if self.dtype.names else self.values()
        if not self.shape:
            return values[0]
        for length in self.shape[:0:-1]:
            values = [values[n : n + length] for n in range(0, len(values), length)] if length else []
        return values

    def tobytes(self):
        memory, size = self._memory, self.dtype.itemsize
        if self._whole:
            return bytes(memory[self._at : self._at + self.size * size])
        shape, strides = list(self.shape), list(self.strides)
        while strides and strides[-1] == size:  # neighbours in memory: one block
            size *= shape.pop()
            strides.pop()
        return b"".join([memory[at : at + size] for at in offsets(self._at, shape, strides)])

    # -- other views

    def _view(self, at, shape, strides, kind=None):
        made = ndarray.__new__(ndarray)
        made._fill(self._memory, at, kind or self.dtype, tuple(shape), tuple(strides))
        return made

    def copy(self, order="C"):
        return from_bytes(self.tobytes(), self.dtype, self.shape)

    __copy__ = copy

    def __deepcopy__(self, _):
        return self.copy()

    def __reduce__(self):
        return from_bytes, (self.tobytes(), self.dtype, self.shape)

    def astype(self, kind, copy=True):
        kind = dtype(kind)
        if kind is self.dtype:
            return self.copy() if copy else self
        values = map(int, self.each()) if kind.kind in "iu" and self.dtype.kind == "f" else self.each()
        return from_bytes(packed(values, kind, self.size), kind, self.shape)

    def view(self, kind=None):
        if kind is None or (isinstance(kind, type) and issubclass(kind, ndarray)):
            return self
        kind = dtype(kind)
        if kind.itemsize == self.dtype.itemsize:
            return self._view(self._at, self.shape, self.strides, kind)
        length = self.shape[-1] * self.dtype.itemsize // kind.itemsize
        return self._view(self._at, (*self.shape[:-1], length), (*self.strides[:-1], kind.itemsize), kind)

    def reshape(self, *shape):
        shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else shape
        if -1 in shape:
            known_part = prod(n for n in shape if n != -1)
            shape = tuple(self.size // known_part if n == -1 else n for n in shape)
        if prod(shape) != self.size:
            raise ValueError(f"cannot reshape {self.shape} into {shape}")
        whole = self if self._whole else self.copy()
        return whole._view(whole._at, shape, c_strides(shape, whole.dtype.itemsize))

    def ravel(self):
        return self.reshape(-1)

    def transpose(self, *axes):
        axes = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes or range(self.ndim)[::-1]
        shape, strides = [self.shape[n] for n in axes], [self.strides[n] for n in axes]
        return self._view(self._at, shape, strides)

    def broadcast(self, shape):
        """The array repeated to a shape, as a view."""
        added = len(shape) - self.ndim
        strides = [0] * added
        for length, wanted, step in zip(self.shape, shape[added:], self.strides, strict=True):
            if length != wanted and length != 1:
                raise ValueError(f"could not broadcast {self.shape} to {shape}")
            strides.append(step if length == wanted else 0)
        return self._view(self._at, shape, strides)

    # -- elements

    def __getitem__(self, index):
        if isinstance(index, str):
            return self._field(index)
        if isinstance(index, int) and self.shape:
            return self._row(index)
        part, chosen, shape, size = indexed(self, index)
        if chosen is not None:
            memory = self._memory
            return from_bytes(b"".join([memory[at : at + size] for at in chosen]), self.dtype, shape)
        if part.shape or _keeps_dimensions(index):
            return part
        return part.dtype.get(part._memory, part._at)

    def _row(self, n):
        length = self.shape[0]
        if not -length <= n < length:
            raise IndexError(f"index {n} is out of bounds for axis 0 with size {length}")
        at = self._at + (n % length if n < 0 else n) * self.strides[0]
        if len(self.shape) == 1:
            return self.dtype.get(self._memory, at)
        return self._view(at, self.shape[1:], self.strides[1:])

    def _field(self, name):
        kind, at = self.dtype.fields[name]
        inner = kind.shape if isinstance(kind, _Sub) else ()
        strides = *self.strides, *c_strides(inner, kind.base.itemsize)
        return self._view(self._at + at, (*self.shape, *inner), strides, kind.base)

    def __setitem__(self, index, value):
        if isinstance(index, str):
            self._field(index)[...] = value
            return
        if isinstance(index, int) and len(self.shape) == 1 and -self.shape[0] <= index < self.shape[0]:
            at = self._at + (index % self.shape[0]) * self.strides[0]
            self.dtype.put(self._memory, at, value)
            return
        part, chosen, shape, size = indexed(self, index)
        if chosen is None:
            chosen, shape = (None if part._whole else offsets(part._at, part.shape, part.strides)), part.shape
        if isinstance(value, tuple | list) and self.dtype.names and not isinstance(value, list):
            value = from_bytes(self.dtype.packed([value]), self.dtype, ())
        given = array(value, self.dtype)
        while given.ndim > len(shape) and given.shape[0] == 1:
            given = given[0]
        data = given.broadcast(shape).tobytes()
        if chosen is None:
            part._memory[part._at : part._at + len(data)] = data
            return
        memory = self._memory
        for n, at in enumerate(chosen):
            memory[at : at + size] = data[n * size : n * size + size]

    def fill(self, value):
        self[...] = value

    # -- reductions

    def _reduced(self, function, kind, axis, keepdims):
        """A function of the elements along an axis, or of all."""
        if axis is None:
            return kind.convert(function(self.values())) if kind else function(self.values())
        if isinstance(axis, tuple):
            return self._joined(axis)._reduced(function, kind, -1, keepdims)
        axis %= self.ndim
        order = [*(n for n in range(self.ndim) if n != axis), axis]
        length, values = self.shape[axis], self.transpose(order).values()
        rows = prod(self.shape[:axis] + self.shape[axis + 1 :])
        found = [function(values[n * length : (n + 1) * length]) for n in range(rows)]
        shape = (*self.shape[:axis], *((1,) if keepdims else ()), *self.shape[axis + 1 :])
        return made_of(found, shape, kind or self.dtype)

    def _joined(self, axes):
        """The array with some axes as one, the last."""
        kept = [n for n in range(self.ndim) if n not in axes]
        return self.transpose([*kept, *axes]).reshape(*(self.shape[n] for n in kept), -1)

    def sum(self, axis=None, dtype=None, keepdims=False):
        kind = {"b": INT, "i": INT, "u": UINT, "f": self.dtype}[self.dtype.kind]
        return self._reduced(total if kind.kind == "f" else sum, kind, axis, keepdims)

    def prod(self, axis=None):
        return self._reduced(prod, self.dtype, axis, False)

    def mean(self, axis=None, keepdims=False):
        kind = self.dtype if self.dtype.kind == "f" else FLOAT
        return self._reduced(lambda row: total(row) / len(row), kind, axis, keepdims)

    def max(self, axis=None, keepdims=False, initial=None):
        return self._reduced(_extreme(max, initial), None, axis, keepdims)

    def min(self, axis=None, keepdims=False, initial=None):
        return self._reduced(_extreme(min, initial), None, axis, keepdims)

    def any(self, axis=None, keepdims=False):
        return self._reduced(any, BOOL, axis, keepdims)

    def all(self, axis=None, keepdims=False):
        return self._reduced(all, BOOL, axis, keepdims)

    def argmax(self, axis=None):
        return self._reduced(lambda row: row.index(max(row)), INT, axis, False)

    def clip(self, low, high):
        return made_of([min(max(value, low), high) for value in self.values()], self.shape, self.dtype)

    def nonzero(self):
        places = [n for n, value in enumerate(self.values()) if value]
        steps = c_strides(self.shape, 1)
        axes = zip(steps, self.shape, strict=True)
        return tuple(
            made_of([n // step % length for n in places], (len(places),), INT) for step, length in axes
        )

    def cumsum(self, axis=None):
        from .functions import cumsum

        return cumsum(self, axis)

    def argsort(self, axis=-1, kind=None):
        from .functions import argsort

        return argsort(self, axis)

    __hash__ = None

    def __neg__(self):
        return made_of([-value for value in self.values()], self.shape, self.dtype)

    def __abs__(self):
        if self.dtype.kind == "f" and self.shape:  # without the bit of the sign
            size, data = self.dtype.itemsize, self.tobytes()
            mask = int.from_bytes((b"\xff" * (size - 1) + b"\x7f") * self.size, "little")
            data = (int.from_bytes(data, "little") & mask).to_bytes(len(data), "little")
            return from_bytes(data, self.dtype, self.shape)
        return made_of([abs(value) for value in self.values()], self.shape, self.dtype)

    def __invert__(self):
        turned = operator.not_ if self.dtype is BOOL else operator.invert
        return made_of([turned(value) for value in self.values()], self.shape, self.dtype)


class Address:
    """Where an array lies, for ctypes."""

    def __init__(self, array):
        from ctypes import addressof, c_char

        memory = array._memory
        start = array._at if len(memory) > array._at else 0
        source = bytearray(1) if not len(memory) else memory
        if getattr(source, "readonly", False):
            source = memoryview(bytearray(array.tobytes()))
            start = 0
        self._kept = source
        self.data = addressof(c_char.from_buffer(source, start))


def _extreme(function, initial):
    return function if initial is None else lambda row: function([*row, initial])


def _keeps_dimensions(index):
    return index is Ellipsis or (isinstance(index, tuple) and Ellipsis in [i for i in index if i is ...])


# -- making arrays


def from_bytes(data, kind, shape):
    """An array of its own of some bytes."""
    made = ndarray.__new__(ndarray)
    made._fill(memoryview(bytearray(data)), 0, kind, tuple(shape), None)
    return made


def packed(values, kind, size):
    """The bytes of some elements; of many a part at a time."""
    if size <= PART:
        return kind.packed(list(values))
    values = iter(values)
    return b"".join(kind.packed(part) for part in iter(lambda: list(islice(values, PART)), []))


def made_of(values, shape, kind):
    """An array of its own of some elements, or the only one."""
    if shape == ():
        return kind.convert(next(iter(values)))
    return from_bytes(packed(values, kind, prod(shape)), kind, shape)


def array(given, kind=None, order=None, copy=True, subok=False, ndmin=0):
    """An array of its own of nested lists, numbers, records or another array."""
    kind = None if kind is None else dtype(kind)
    if isinstance(given, ndarray):
        return given.astype(kind or given.dtype)
    if isinstance(given, void):
        return from_bytes(given.tobytes(), given.dtype, ())
    if isinstance(given, memoryview | bytes | bytearray):
        given = list(given)
    if kind and isinstance(given, list) and given and all(_alike(part, given[0], kind) for part in given):
        data = b"".join([part.tobytes() for part in given])
        return from_bytes(data, kind, (len(given), *given[0].shape))
    shape, values = flattened(given, kind)
    kind = kind or common(values)
    if kind.names and values and isinstance(values[0], void):
        return from_bytes(b"".join(value.tobytes() for value in values), kind, shape)
    return from_bytes(kind.packed(values), kind, shape)


def _alike(part, first, kind):
    return isinstance(part, ndarray) and part.dtype is kind and part.shape == first.shape


def flattened(given, kind):
    """The shape and the elements of nested lists."""
    if isinstance(given, ndarray):
        return given.shape, given.values()
    nested = list | range if kind is not None and kind.names else list | tuple | range
    if isinstance(given, void) or not isinstance(given, nested):
        return (), [given]
    parts = [flattened(part, kind) for part in given]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1:
        raise ValueError("the lists have different lengths")
    inner = shapes.pop() if shapes else ()
    return (len(parts), *inner), list(chain.from_iterable(values for _, values in parts))


def common(values):
    """The type that holds some Python values."""
    if any(isinstance(value, void) for value in values):
        return values[0].dtype
    if all(isinstance(value, bool) for value in values) and values:
        return BOOL
    if all(isinstance(value, int) for value in values) and values:
        if all(-(2**63) <= value < 2**63 for value in values):
            return INT
        return UINT
    if all(isinstance(value, int | float) for value in values):
        typed = {value.dtype for value in values if isinstance(value, generic)}
        return FLOAT32 if typed == {FLOAT32} and len(values) else FLOAT
    raise TypeError(f"no stand-in for an array of {values[:3]!r}")


def asarray(given, kind=None):
    """An array as it is, if it has the type."""
    if isinstance(given, ndarray) and (kind is None or dtype(kind) is given.dtype):
        return given
    if isinstance(given, void) and kind is None:
        made = ndarray.__new__(ndarray)
        made._fill(given._memory, given._at, given.dtype, (), None)
        return made
    return array(given, kind)


def _sub_get(self, memory, at):
    made = ndarray.__new__(ndarray)
    made._fill(memory, at, self._base, self.shape, None)
    return made


_Sub.get = _sub_get

from .indexing import indexed  # noqa: E402  # which makes arrays
