"""Custom numbers: every number of the tables can be overridden by a file.

A table declares each number once: its key, the standard value, where it comes from, what it may be.

    GROW_COST = number("money.grow", 2, "P2.2 [R] enlarging the zone", Whole(0, 50))

The file named by SMALLCITY_NUMBERS is read before the first of them, so that tables, and kernels that
freeze them, see the values in force and nothing else. `check` judges another file by the same table.
"""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from . import toml
from .kinds import NumberKind, Supply, Whole, Wholes, Words, Wrong
from .toml import NumbersError, Source

__all__ = ["NumberKind", "NumbersError", "Supply", "Whole", "Wholes", "Words", "Wrong", "agree", "number"]

VARIABLE: Final = "SMALLCITY_NUMBERS"
STANDARD: Final = "standard"  # the fingerprint of the standard numbers
FINGERPRINT_LENGTH: Final = 8
TOPICS: Final = (
    "zone", "limits", "citizens", "rounds", "money", "votes", "pollution", "cards", "council", "scores",
    "tiles", "promises", "maps",
)  # fmt: skip

Values: TypeAlias = Mapping[str, Any]
Agreement: TypeAlias = Callable[[Values], None]


@dataclass(frozen=True)
class Number:
    """One number: its key, its standard value, its note and its kind."""

    key: str
    standard: Any
    note: str  # rule ID, [source], what it is
    kind: NumberKind


NUMBERS: Final[dict[str, Number]] = {}  # in the order of the tables
IN_FORCE: Final[dict[str, Any]] = {}
_AGREEMENTS: Final[list[tuple[Agreement, tuple[str, ...]]]] = []


_source: Source | None = None  # read at the first number
_refused: NumbersError | None = None


def choose(path: str) -> None:
    """Use the numbers of a file; once a table has been read, they must be those in force."""
    if NUMBERS and fingerprint(check(toml.read(Path(path)))) != fingerprint(IN_FORCE):
        raise NumbersError(f"{path}: this process has begun to play by other numbers; start another one")
    os.environ[VARIABLE] = str(Path(path).absolute())  # processes started by this one inherit it


def _chosen() -> Source:
    """The file named by SMALLCITY_NUMBERS, or an empty one."""
    global _source
    if _source is None:
        path = os.environ.get(VARIABLE)
        _source = toml.read(Path(path)) if path else Source(VARIABLE, "", {})
    return _source


def number(key: str, standard: Any, note: str, kind: NumberKind) -> Any:
    """Declare a number; return the value in force."""
    with _all_or_nothing():
        assert key not in NUMBERS, key
        if isinstance(kind, Wholes) or (isinstance(kind, Supply) and standard >= 0):
            _fits(key, standard, kind)
        NUMBERS[key] = Number(key, standard, note, kind)
        IN_FORCE[key] = _value(NUMBERS[key], _chosen())
    return IN_FORCE[key]


def _fits(key: str, standard: int | tuple[int, ...], kind: Wholes | Supply) -> None:
    """Refuse a table whose own numbers are too few or too small, as without a number for a fifth player."""
    try:
        kind.read(list(standard) if isinstance(standard, tuple) else standard)
    except Wrong as wrong:
        raise LookupError(f"{key} {wrong}") from None


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """Once a number is refused, refuse all others for the same reason: partial tables are unusable."""
    global _refused
    if _refused:
        raise _refused
    try:
        yield
    except NumbersError as wrong:
        _refused = wrong
        raise


def _value(declared: Number, source: Source) -> Any:
    """The value of a number in the file, or else the standard one."""
    if declared.key not in source.given:
        return declared.standard
    try:
        return declared.kind.read(source.given[declared.key])
    except Wrong as wrong:
        raise source.error(declared.key, f"{declared.key} {wrong}") from None


def agree(*keys: str) -> Callable[[Agreement], Agreement]:
    """Declare how these numbers must fit together: a function that raises Wrong where they do not.

    It is checked at once, or by `complete` if a table with one of the numbers is still to be read.
    """

    def declare(agreement: Agreement) -> Agreement:
        _AGREEMENTS.append((agreement, keys))
        if all(key in IN_FORCE for key in keys):
            with _all_or_nothing():
                _hold(agreement, keys, IN_FORCE, _chosen())
        return agreement

    return declare


def _hold(agreement: Agreement, keys: tuple[str, ...], values: Values, source: Source) -> None:
    """Check one agreement; the error points at a number of the file that its sentence names."""
    try:
        agreement(values)
    except Wrong as wrong:
        given = [key for key in keys if key in source.given]
        named = [key for key in given if key in str(wrong)]
        raise source.error((named or given or keys)[0], str(wrong)) from None


def check(source: Source) -> dict[str, Any]:
    """All numbers with those of a file, or NumbersError; does not change what is in force."""
    _refuse_strangers(source)
    values = {key: _value(declared, source) for key, declared in NUMBERS.items()}
    for agreement, keys in _AGREEMENTS:
        _hold(agreement, keys, values, source)
    return values


def _refuse_strangers(source: Source) -> None:
    """Refuse keys that are not numbers."""
    for key in source.given:
        if key not in NUMBERS:
            raise source.unknown(key, list(NUMBERS))


def complete() -> str:
    """After all tables are read, refuse unknown keys and return the fingerprint of the numbers in force."""
    _refuse_strangers(_chosen())
    for agreement, keys in _AGREEMENTS:
        _hold(agreement, keys, IN_FORCE, _chosen())
    return fingerprint(IN_FORCE)


def fingerprint(values: Values) -> str:
    """A short hash of a set of numbers; it depends on their values, not on how the file is written."""
    changed = [f"{key}={values[key]!r}" for key, number in NUMBERS.items() if values[key] != number.standard]
    if not changed:
        return STANDARD
    return hashlib.sha256("\n".join(sorted(changed)).encode()).hexdigest()[:FINGERPRINT_LENGTH]


def sections() -> dict[str, list[Number]]:
    """The numbers by the part of the key before its last word, sorted by topic."""
    parts: dict[str, list[Number]] = {}
    for declared in sorted(NUMBERS.values(), key=lambda declared: _topic(declared.key)):
        parts.setdefault(declared.key.rpartition(".")[0], []).append(declared)
    return parts


def _topic(key: str) -> tuple[int, str]:
    """The sort key of a number in the file: the topics of the base game first, then the others by name."""
    topic = key.partition(".")[0]
    return (TOPICS.index(topic), "") if topic in TOPICS else (len(TOPICS), topic)
