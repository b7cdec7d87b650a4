"""The arguments of an entry: what is accepted, how it lies in the struct of a call, and the struct in C.

An array is the address of its first element and its lengths, a number is itself; all have eight bytes. A
length is a number, or a name: equal names must have equal lengths in one call.
"""

from collections.abc import Iterator, Mapping
from ctypes import addressof, c_char
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

Length = int | str
Sizes = dict[str, int]


class CallError(TypeError):
    """An argument an entry cannot take; the message names what it needs."""


@dataclass(frozen=True)
class Array:
    """An array in C order; `written` if the entry writes to it."""

    dtype: "np.dtype[Any]"
    shape: tuple[Length, ...]
    written: bool = False

    def add(self, name: str, value: Any, sizes: Sizes, words: list[int]) -> None:
        """Add the address and lengths of an array, if it is as it should be."""
        if not self._fits(value, sizes):
            raise CallError(f"{name} must be {self}, not {_kind_of(value)}")
        words.append(_address(value))
        words.extend(value.shape)

    def _fits(self, value: Any, sizes: Sizes) -> bool:
        if not isinstance(value, np.ndarray) or value.ndim != len(self.shape):
            return False
        if value.dtype is not self.dtype and value.dtype != self.dtype:
            return False
        flags = value.flags
        if not (flags.carray or (flags.c_contiguous and flags.aligned and not self.written)):
            return False
        for wanted, length in zip(self.shape, value.shape, strict=True):
            if (sizes.setdefault(wanted, length) if wanted.__class__ is str else wanted) != length:
                return False
        return True

    def fields(self, name: str) -> Iterator[tuple[str, str]]:
        """The fields of the struct, with their C types."""
        yield name, f"{'' if self.written else 'const '}{_c_type(self.dtype)} *"
        for axis in range(len(self.shape)):
            yield f"{name}_{axis}", "int64_t "

    def source(self, name: str, scope: dict[str, Any]) -> str:
        """The expression that rebuilds the array from the struct `c`, in a function translated by numba."""
        scope[f"{name}_at"] = scope["array_at"](self.dtype, len(self.shape))
        lengths = [str(n) if isinstance(n, int) else f"c.{name}_{i}" for i, n in enumerate(self.shape)]
        return f"{name}_at(c.{name}, ({', '.join(lengths)},))"

    def __str__(self) -> str:
        kind = "records" if self.dtype.names else str(self.dtype)
        written = ", writable" if self.written else ""
        return f"an array of {kind} ({', '.join(map(str, self.shape))}) in C order{written}"


@dataclass(frozen=True)
class Number:
    """A whole number, or a float."""

    kind: type

    c_types: ClassVar = {int: "int64_t ", float: "double "}

    def add(self, name: str, value: Any, sizes: Sizes, words: list[int]) -> None:
        """Add the number."""
        if isinstance(value, bool) or not isinstance(value, int if self.kind is int else (int, float)):
            raise CallError(f"{name} must be {self}, not {value!r}")
        words.append(int(value) if self.kind is int else int(np.float64(value).view(np.int64)))

    def fields(self, name: str) -> Iterator[tuple[str, str]]:
        """The field of the struct."""
        yield name, self.c_types[self.kind]

    def source(self, name: str, scope: dict[str, Any]) -> str:
        """The expression that reads the number."""
        return f"c.{name}"

    def __str__(self) -> str:
        return "a whole number" if self.kind is int else "a number"


@dataclass(frozen=True)
class Group:
    """A named tuple of arrays, numbers and other groups."""

    kind: Any
    parts: "Mapping[str, Array | Number | Group]"

    def add(self, name: str, value: Any, sizes: Sizes, words: list[int]) -> None:
        """Add all parts."""
        if not isinstance(value, self.kind):
            raise CallError(f"{name} must be {self}, not {_kind_of(value)}")
        for (part, argument), inner in zip(self.parts.items(), value, strict=True):
            argument.add(f"{name}_{part}", inner, sizes, words)

    def fields(self, name: str) -> Iterator[tuple[str, str]]:
        """The fields of all parts."""
        for part, argument in self.parts.items():
            yield from argument.fields(f"{name}_{part}")

    def source(self, name: str, scope: dict[str, Any]) -> str:
        """The expression that rebuilds the named tuple."""
        scope[self.kind.__name__] = self.kind
        parts = [argument.source(f"{name}_{part}", scope) for part, argument in self.parts.items()]
        return f"{self.kind.__name__}({', '.join(parts)})"

    def __str__(self) -> str:
        return f"a {self.kind.__name__}"


Argument = Array | Number | Group
WHOLE, REAL = Number(int), Number(float)


def reads(dtype: npt.DTypeLike, *shape: Length) -> Array:
    """An array that an entry reads."""
    return Array(np.dtype(dtype), shape)


def writes(dtype: npt.DTypeLike, *shape: Length) -> Array:
    """An array that an entry writes to."""
    return Array(np.dtype(dtype), shape, written=True)


def group(kind: Any, **parts: Argument) -> Group:
    """A named tuple, with the arguments of its fields."""
    if tuple(parts) != kind._fields:
        raise TypeError(f"{kind.__name__} has the fields {', '.join(kind._fields)}, not {', '.join(parts)}")
    return Group(kind, parts)


def _address(array: Any) -> int:
    """Where an array lies, by the quickest way there is for it."""
    if array.size and array.flags.writeable and not array.dtype.names:
        return addressof(c_char.from_buffer(array))
    address: int = array.ctypes.data
    return address


_C_TYPES = {"b": "int", "i": "int", "u": "uint"}


def _c_type(dtype: "np.dtype[Any]") -> str:
    """The C type of the elements; records are bytes to C."""
    if dtype.kind in "iu":
        return f"{_C_TYPES[dtype.kind]}{8 * dtype.itemsize}_t"
    return {"b": "uint8_t", "f4": "float", "f8": "double"}.get(
        dtype.kind if dtype.kind == "b" else f"{dtype.kind}{dtype.itemsize}", "void"
    )


def _kind_of(value: Any) -> str:
    """A value for use in a sentence."""
    if not isinstance(value, np.ndarray):
        text = " ".join(repr(value).split())
        return text if len(text) <= 60 else f"{text[:57]}..."
    flags = value.flags
    odd = "" if flags.c_contiguous and flags.aligned else ", not in C order"
    odd += "" if flags.writeable else ", read-only"
    return f"{'records' if value.dtype.names else value.dtype} of shape {value.shape}{odd}"
