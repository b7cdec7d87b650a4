"""The kinds of numbers: each reads its values from a file, checks them, and writes them."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

LONGEST_SHOWN = 40  # characters of a wrong value that a message repeats


class Wrong(ValueError):
    """A value that is not allowed; the message continues a sentence begun with the number's name."""


class NumberKind(Protocol):
    """How one kind of number is read and written."""

    def read(self, raw: Any) -> Any:
        """The value as the tables use it, or Wrong."""

    def write(self, value: Any) -> str:
        """The value as TOML."""


def shown(raw: Any) -> str:
    """A wrong value, short enough for a sentence."""
    try:
        text = repr(raw)
    except ValueError:  # a number of too many digits
        return "such a number"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + " ..."


def lines_of(raw: Any) -> list[str] | None:
    """The lines of a drawing, without blank lines around it; None if it is not one."""
    if isinstance(raw, str):
        raw = raw.split("\n")
    if not isinstance(raw, list) or not all(isinstance(line, str) for line in raw):
        return None
    lines = [line.rstrip() for line in raw]
    filled = [i for i, line in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def drawing(lines: list[str]) -> str:
    """Lines as a drawing in TOML."""
    return "\n".join(['"""', *lines, '"""'])


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    low: int
    high: int

    def read(self, raw: Any) -> int:
        """In its range."""
        if type(raw) is not int or not self.low <= raw <= self.high:
            raise Wrong(f"needs a whole number from {self.low} to {self.high}, not {shown(raw)}")
        return raw

    def write(self, value: int) -> str:
        """As digits."""
        return str(value)


@dataclass(frozen=True)
class Wholes:
    """Several whole numbers: a fixed count or, with `most`, from one to that many."""

    count: int
    low: int
    high: int
    rising: bool = False
    most: int = 0

    def read(self, raw: Any) -> tuple[int, ...]:
        """All in the range, and in order if they rise."""
        fits = isinstance(raw, list) and (len(raw) == self.count or 1 <= len(raw) <= self.most)
        if not fits or not all(type(n) is int and self.low <= n <= self.high for n in raw):
            raise Wrong(f"needs {self._allowed()}, not {shown(raw)}")
        if self.rising and any(a >= b for a, b in pairwise(raw)):
            raise Wrong(f"needs numbers that rise, not {shown(raw)}")
        return tuple(raw)

    def _allowed(self) -> str:
        """What is allowed, in words."""
        many = f"1 to {self.most}" if self.most else str(self.count)
        return f"a list of {many} whole numbers from {self.low} to {self.high}"

    def write(self, value: tuple[int, ...]) -> str:
        """As a list."""
        return str(list(value))


@dataclass(frozen=True)
class Words:
    """A list of words from a fixed set, each read as its index in that set."""

    count: int
    options: tuple[str, ...]

    def read(self, raw: Any) -> tuple[int, ...]:
        """The index of each word."""
        fits = isinstance(raw, list) and len(raw) == self.count
        if not fits or not all(isinstance(word, str) and word in self.options for word in raw):
            raise Wrong(f"needs a list of {self.count} of {', '.join(self.options)}, not {shown(raw)}")
        return tuple(self.options.index(word) for word in raw)

    def write(self, value: tuple[int, ...]) -> str:
        """As a list of words."""
        return "[" + ", ".join(f'"{self.options[i]}"' for i in value) + "]"


@dataclass(frozen=True)
class Supply:
    """How many of a tile there are: a number, or one of the ways to count them by players."""

    low: int
    high: int
    by_players: tuple[tuple[str, int], ...] = ()

    def read(self, raw: Any) -> int:
        """A number, or what stands for the words."""
        words = dict(self.by_players)
        if isinstance(raw, str) and raw in words:
            return words[raw]
        if type(raw) is not int or not self.low <= raw <= self.high:
            also = "".join(f' or "{word}"' for word in words)
            raise Wrong(f"needs a whole number from {self.low} to {self.high}{also}, not {shown(raw)}")
        return raw

    def write(self, value: int) -> str:
        """As digits, or in the words."""
        words = {number: word for word, number in self.by_players}
        return f'"{words[value]}"' if value in words else str(value)
