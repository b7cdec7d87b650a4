"""One field of a record as a line of text: `name value`, and back.

    phase build              a number with a name
    space D4                 a space; `pilgrim` and `brings` are kept as the space + 1
    reserve 6 6 5            numbers by seat or level; zeros at the end are left out
    supply park-1 25 ...     numbers by name; zeros are left out
    circle mayor planner     the entries that are present, by name
    start B2 C2              a set of spaces
    free 1 B2 C2             the same for one seat

The form of a field follows from its dtype and the tables below, so a new field of the schema
usually needs no change here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Final

import numpy as np

from ..rules.actions import space_name
from ..rules.limits import is_set, limits_of
from ..rules.schema import PADDING, WRITTEN
from ..rules.tables import SEATS, SIDE, SPACES, Ask, Card, Material, Phase, Row, Victory, Way
from ..rules.tables.maps import Board
from ..rules.tables.tiles import Kind
from .grid import COLUMNS, NotationError, add, members

Names = Mapping[int, str]


def _names(enum: type[IntEnum]) -> dict[int, str]:
    """The members of an enum as they are written."""
    return {int(member): member.name.lower().replace("_", "-") for member in enum}


def _columns(bits: int) -> str:
    """The letters of a set of columns, `none` if it is empty."""
    return "".join(letter for col, letter in enumerate(COLUMNS) if bits >> col & 1) or "none"


_SPACE: Final = {space: space_name(space) for space in range(SPACES)}
_SPACE_OR_NOWHERE: Final = {0: "nowhere"} | {space + 1: name for space, name in _SPACE.items()}
_SEAT_OR_NOBODY: Final = {0: "nobody"} | {seat + 1: str(seat) for seat in range(SEATS)}

VALUES: Final[dict[str, Names]] = {  # names of the values of a field
    "phase": _names(Phase),
    "ask": _names(Ask),
    "kind": _names(Kind),
    "card": _names(Card),
    "victory": _names(Victory),
    "board": _names(Board),
    "product": _names(Material),
    "heading": _names(Way),
    "anchor": _SPACE,
    "space": _SPACE,
    "head": _SPACE,
    "tail": _SPACE,
    "warehouse_due": _SPACE_OR_NOWHERE,
    "pilgrim": _SPACE_OR_NOWHERE,
    "next_host": _SEAT_OR_NOBODY,
    "product_from": _SEAT_OR_NOBODY,
    "sender": _SEAT_OR_NOBODY,
    "powered": {bits: _columns(bits) for bits in range(1 << SIDE)},
}
INDEX: Final[dict[str, Names]] = {  # names of the entries of a field
    "supply": _names(Kind),
    "took": _names(Kind),
    "circle": _names(Card),
    "council": _names(Row),
    "goods": _names(Material),
    "goods_abroad": _names(Material),
    "second": _names(Material),
}
THERE: Final = frozenset({"circle"})  # 0 or 1 in each entry: those that are 1 are named
WORDS: Final = {
    "round_no": "round",
    "board": "boards",
    "zone_side": "size",
    **WRITTEN,
}  # where the text differs from the schema's name
ALWAYS: Final = (  # written first, even if 0
    "players", "rounds", "victory", "round", "phase", "ask", "seat", "host",
    "money", "votes", "pollution", "career", "size", "card",
)  # fmt: skip


@dataclass(frozen=True)
class Field:
    """One field of a dtype and how it is written."""

    name: str
    word: str
    shape: tuple[int, ...]
    spaces: bool  # a set of spaces, or one by seat
    low: int
    high: int

    @cached_property
    def scalar(self) -> bool:
        """Whether it is a single number."""
        return not self.shape

    @cached_property
    def by_seat(self) -> bool:
        """Whether each seat has its own line."""
        return len(self.shape) > 1

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The value of each name."""
        return {name: number for number, name in VALUES.get(self.name, {}).items()}

    @cached_property
    def places(self) -> dict[str, int]:
        """The index of each named entry."""
        return {name: place for place, name in INDEX.get(self.name, {}).items()}


def _field(block: np.dtype[Any], name: str) -> Field:
    """How a field of the schema is written."""
    word, dtype = WORDS.get(name, name.strip("_").replace("_", "-")), block[name]
    low, high = limits_of(block, name)
    return Field(name, word, dtype.shape, is_set(dtype), low, high)


def fields_of(block: np.dtype[Any], but: Iterable[str] = ()) -> dict[str, Field]:
    """The fields of a block except `but`, by the word they are written with, main ones first."""
    names = [name for name in block.names or () if name not in but and not name.startswith(PADDING)]
    fields = sorted((_field(block, name) for name in names), key=lambda field: field.word not in ALWAYS)
    return {field.word: field for field in fields}


# -- writing


def write(fields: Iterable[Field], record: np.void) -> list[str]:
    """The lines of these fields of a record; fields that are 0 are left out."""
    lines = []
    for field in fields:
        value = record[field.name]
        if field.by_seat:
            lines += [_line(f"{field.word} {p}", _list(field, row)) for p, row in enumerate(value)]
        elif field.scalar:
            shown = value or field.word in ALWAYS
            lines.append(_line(field.word, _value(field, int(value)) if shown else ""))
        else:
            lines.append(_line(field.word, _list(field, value)))
    return [line for line in lines if line]


def _line(name: str, values: str) -> str:
    """A name and its values; empty without values."""
    return f"{name} {values}" if values else ""


def _value(field: Field, number: int) -> str:
    """A number, or its name if it has one."""
    return VALUES[field.name][number] if field.name in VALUES else str(number)


def _list(field: Field, row: Sequence[Any]) -> str:
    """The values of a list; empty if all are 0."""
    if field.spaces:
        return " ".join(map(space_name, members(row)))
    if field.places:
        named = [(name, row[place]) for name, place in field.places.items() if row[place]]
        if field.name in THERE:
            return " ".join(name for name, _there in named)
        return "  ".join(f"{name} {n}" for name, n in named)
    used = max((i + 1 for i, number in enumerate(row) if number), default=0)
    return " ".join(_value(field, int(number)) for number in row[:used])


# -- reading


def read(line: int, field: Field, words: list[str], record: np.void) -> None:
    """Write the words after a field's name into a record."""
    if field.scalar:
        record[field.name] = number(line, field, words[0])
    elif field.by_seat:
        _read_list(line, field, words[1:], record[field.name][seat_number(line, words[0])])
    else:
        _read_list(line, field, words, record[field.name])


def seat_number(line: int, word: str) -> int:
    """Parse a seat."""
    if word not in map(str, range(SEATS)):
        raise NotationError(line, f"unknown seat {word!r}; allowed are 0 to {SEATS - 1}")
    return int(word)


def number(line: int, field: Field, word: str) -> int:
    """The number a word stands for."""
    if field.numbers:
        return named(line, field.word, field.numbers, word)
    if not re.fullmatch("-?[0-9]{1,20}", word) or not field.low <= int(word) <= field.high:
        raise NotationError(
            line, f"{field.word} is {word!r}, but must be a number from {field.low} to {field.high}"
        )
    return int(word)


def named(line: int, what: str, numbers: Mapping[str, int], word: str) -> int:
    """The number of a name."""
    if word not in numbers:
        names = list(numbers)
        if len(names) >= SPACES:
            names = [*names[:2], "...", names[-1]]
        raise NotationError(line, f"unknown {what} {word!r}; allowed are {', '.join(names)}")
    return numbers[word]


def _read_list(line: int, field: Field, words: list[str], row: Any) -> None:
    """Parse the values of a list."""
    if field.spaces:
        for word in words:
            add(row, named(line, field.word, _SPACES, word))
    elif field.name in THERE:
        for word in words:
            row[named(line, field.word, field.places, word)] = 1
    elif field.places:
        for place, word in _pairs(line, field, words):
            row[place] = number(line, field, word)
    elif len(words) > len(row):
        raise NotationError(line, f"{field.word} has at most {len(row)} numbers, not {len(words)}")
    else:
        row[: len(words)] = [number(line, field, word) for word in words]


def _pairs(line: int, field: Field, words: list[str]) -> Iterator[tuple[int, str]]:
    """The indices of named entries, each with the word after it."""
    if len(words) % 2:
        raise NotationError(line, f"in {field.word} each name is followed by a number, as in {words[0]} 2")
    for name, word in zip(words[::2], words[1::2], strict=True):
        yield named(line, field.word, field.places, name), word


_SPACES: Final = {name: space for space, name in _SPACE.items()}
