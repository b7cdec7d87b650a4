"""Types of elements: numbers, and records of named fields."""

from array import array as _packed
from struct import Struct, pack, unpack

_BITS = {"b": 8, "h": 16, "i": 32, "q": 64, "B": 8, "H": 16, "I": 32, "Q": 64}
_CODES = {  # the names of a type of numbers: numpy's own, its letter and size, and the letter of `struct`
    "bool": ("b1", "?"),
    "int8": ("i1", "b"), "int16": ("i2", "h"), "int32": ("i4", "i"), "int64": ("i8", "q"),
    "uint8": ("u1", "B"), "uint16": ("u2", "H"), "uint32": ("u4", "I"), "uint64": ("u8", "Q"),
    "float16": ("f2", "e"), "float32": ("f4", "f"), "float64": ("f8", "d"),
}  # fmt: skip
known = {}  # types of numbers, by all their names


class dtype:
    """A type of numbers; `record_type` and `sub_type` make the others."""

    names = fields = None
    shape = ()

    def __new__(cls, kind=float, align=False):
        if isinstance(kind, dtype):
            return kind
        if isinstance(kind, list):
            return record_type(kind, align)
        if isinstance(kind, tuple):
            first, second = kind
            record_class = isinstance(first, type) and issubclass(first, void)
            return _typed_record(first, second) if record_class else sub_type(dtype(first), second)
        if isinstance(kind, str):
            kind = kind.lstrip("<=|")
        if kind not in known:
            raise TypeError(f"no stand-in for the type {kind!r}")
        return known[kind]

    def __class_getitem__(cls, _):
        return cls

    @property
    def base(self):
        return self

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"dtype({self.name!r})"

    def __eq__(self, other):
        if not isinstance(other, dtype):
            other = dtype(other)
        return self is other or (self.names is not None and self._key == other.__dict__.get("_key"))

    def __hash__(self):
        return hash(self.name)

    # -- values in memory

    def get(self, memory, at):
        """The element at an address."""
        return self._get(memory, at)[0]

    def put(self, memory, at, value):
        """Write an element."""
        self._put(memory, at, self.convert(value))

    def unpacked(self, data):
        """All elements of some bytes."""
        if self.char == "e":
            return list(unpack(f"<{len(data) // 2}e", data))
        return memoryview(data).cast(self.char).tolist()

    def packed(self, values):
        """The bytes of some elements, which wrap around as in C."""
        if self.char == "?":
            return bytes(map(bool, values))
        if self.char == "e":
            return pack(f"<{len(values)}e", *values)
        try:
            return _packed(self.char, values).tobytes()
        except (OverflowError, TypeError):
            return _packed(self.char, map(self.convert, values)).tobytes()

    def convert(self, value):
        """A number as this type holds it."""
        if self.kind == "b":
            return bool(value)
        if self.kind == "f":
            return float(value)
        bits = _BITS[self.char]
        value = int(value) & ((1 << bits) - 1)
        return value - (1 << bits) if self.kind == "i" and value >> (bits - 1) else value


def _number(name, code, char):
    """A type of numbers."""
    made = object.__new__(dtype)
    struct, size = Struct(f"={char}"), int(code[1])
    made.__dict__.update(
        name=name, kind=code[0], char=char, itemsize=size, alignment=size, descr=f"{'<|'[size == 1]}{code}",
        _get=struct.unpack_from, _put=struct.pack_into,
    )  # fmt: skip
    known[name] = known[code] = known[char] = made


for _name, (_code, _char) in _CODES.items():
    _number(_name, _code, _char)
known |= {bool: known["bool"], int: known["int64"], float: known["float64"]}


class _Record(dtype):
    """A type of records."""

    kind, char = "V", "B"

    def __new__(cls):
        return object.__new__(cls)

    def __getitem__(self, name):
        return self.fields[name][0]

    @property
    def descr(self):
        return [(name, *_described(kind)) for name, (kind, _) in self.fields.items()]

    @property
    def name(self):
        return f"void{8 * self.itemsize}"

    def get(self, memory, at):
        return self.type(memory, at, self)

    def put(self, memory, at, value):
        if isinstance(value, tuple):
            for (kind, offset), part in zip(self.fields.values(), value, strict=True):
                kind.put(memory, at + offset, part)
        else:
            memory[at : at + self.itemsize] = value.tobytes()

    def unpacked(self, data):
        whole = memoryview(bytearray(data))
        return [self.type(whole, at, self) for at in range(0, len(data), self.itemsize)]

    def packed(self, values):
        data = bytearray(len(values) * self.itemsize)
        for row, value in enumerate(values):
            self.put(memoryview(data), row * self.itemsize, value)
        return bytes(data)


def _described(kind):
    return (kind.base.descr, kind.shape) if kind.shape else (kind.descr,)


def record_type(fields, align=False):
    """A type of records with these fields: (name, type) or (name, type, shape)."""
    found, at, widest = {}, 0, 1
    for name, kind, *shape in fields:
        kind = sub_type(dtype(kind), *shape) if shape else dtype(kind)
        at += -at % kind.alignment if align else 0
        found[name] = (kind, at)
        at += kind.itemsize
        widest = max(widest, kind.alignment)
    made = _Record()
    size = at + (-at % widest if align else 0)
    key = size, tuple((name, str(kind), kind.shape, at) for name, (kind, at) in found.items())
    made.__dict__.update(
        fields=found, names=tuple(found), itemsize=size, alignment=widest if align else 1, _key=key, type=void
    )
    return made


def _typed_record(kind, block):
    """The same records under a class of their own."""
    made = _Record()
    made.__dict__.update(dtype(block).__dict__, type=kind)
    return made


class _Sub(dtype):
    """Several elements of one type, as a field of a record."""

    def __new__(cls):
        return object.__new__(cls)

    @property
    def base(self):
        return self._base

    def get(self, memory, at):
        return self._array(memory, at, self._base, self.shape)

    def put(self, memory, at, value):
        self.get(memory, at)[...] = value


def sub_type(base, shape):
    """Several elements of one type."""
    made, size = _Sub(), base.itemsize
    shape = (shape,) if isinstance(shape, int) else shape
    for length in shape:
        size *= length
    made.__dict__.update(
        _base=base, shape=tuple(shape), itemsize=size, alignment=base.alignment, kind="V", char="B",
        name=f"{base}{shape}",
    )  # fmt: skip
    return made


class void:
    """A record in memory."""

    __slots__ = ("_at", "_memory", "dtype")

    def __init__(self, memory, at, kind):
        self._memory, self._at, self.dtype = memory, at, kind

    def __getitem__(self, name):
        kind, offset = self.dtype.fields[name]
        return kind.get(self._memory, self._at + offset)

    def __setitem__(self, name, value):
        kind, offset = self.dtype.fields[name]
        kind.put(self._memory, self._at + offset, value)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        if name in void.__slots__:
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    def __iter__(self):
        return (self[name] for name in self.dtype.names)

    def __len__(self):
        return len(self.dtype.names)

    def __eq__(self, other):
        return self.tobytes() == other.tobytes()

    __hash__ = None

    def tobytes(self):
        return bytes(self._memory[self._at : self._at + self.dtype.itemsize])

    def copy(self):
        return type(self)(memoryview(bytearray(self.tobytes())), 0, self.dtype)

    __copy__ = copy

    def __deepcopy__(self, _):
        return self.copy()

    def tolist(self):
        return tuple(part.tolist() if hasattr(part, "tolist") else part for part in self)

    item = tolist


class record(void):
    """A record whose fields are attributes too."""

    __slots__ = ()


# -- single numbers: their elements are read as Python's own, these are made by name


class generic:
    """A number of one type."""

    def view(self, kind):
        """The same bytes as another type."""
        return kind(dtype(kind).unpacked(self.dtype.packed([self]))[0])

    def item(self):
        return self.dtype.convert(self)

    def astype(self, kind):
        return dtype(kind).convert(self)


class integer(int, generic):
    """A whole number."""

    def __new__(cls, value=0):
        return int.__new__(cls, cls.dtype.convert(value))

    def __and__(self, other):
        return type(self)(int(self) & other)


class floating(float, generic):
    """A real number."""

    def __new__(cls, value=0.0):
        return float.__new__(cls, cls.dtype.unpacked(cls.dtype.packed([value]))[0])


class bool_(generic):
    """True or False, as Python's own."""

    def __new__(cls, value=False):
        return bool(value)


bool_.dtype = known[bool_] = known["bool"]
known["bool"].type = bool_


def _scalar(name):
    made = type(name, (floating if name.startswith("float") else integer,), {"dtype": known[name]})
    known[name].type, known[made] = made, known[name]
    return made


scalars = {name: _scalar(name) for name in _CODES if name != "bool"}
