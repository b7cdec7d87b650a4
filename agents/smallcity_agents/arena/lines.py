"""Check one line of a file of results: the type, range and number of entries of every value."""

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from smallcity_env.config import Config, ConfigError
from smallcity_env.rules.tables import COLUMNS, ROWS, SEATS
from smallcity_env.rules.tables.promises import PROMISE_COUNT

from .game_stats import ROUNDS, GameStats

Check = Callable[[Any], bool]
LARGE: Final = 2**31  # no score, count or time of a game is larger
PROMISES: Final = 4  # promise, kept, special promise, kept


def problem(entry: dict[str, Any], names: Sequence[str]) -> str:
    """What is wrong with a line, in one clause; empty if it is valid."""
    if missing := [name for name in names if name not in entry]:
        return f"it has no {missing[0]}"
    if strange := [name for name in entry if name not in names]:
        return f"it has {strange[0]!r}, which is not a field of a result"
    try:
        players = Config(**entry["game"]).players
    except (ConfigError, TypeError, ValueError) as error:
        return f"its game is not valid ({error})"
    for name, check in CHECKS.items():
        if not check(entry[name]):
            return f"{name} cannot be {_short(entry[name])}"
    if wrong := _wrong_seats(entry, players):
        return wrong
    if 0 not in entry["places"] or max(entry["places"]) >= players:
        return f"places cannot be {entry['places']}"
    return _wrong_statistics(entry["books"])


def _wrong_seats(entry: dict[str, Any], players: int) -> str:
    """What is wrong with the values that have one entry per seat."""
    for name, check in BY_SEAT.items():
        if name in OPTIONAL and entry[name] is None:
            continue
        if not (isinstance(entry[name], list) and len(entry[name]) == players):
            return f"{name} must have {players} entries, one per seat"
        if wrong := [value for value in entry[name] if not check(value)]:
            return f"{name} cannot hold {_short(wrong[0])}"
    if entry["turns"] is not None and sorted(entry["turns"]) != list(range(players)):
        return f"turns cannot be {entry['turns']}"
    return ""


def _whole(low: int, high: int) -> Check:
    """Whether a value is a whole number from `low` to below `high`."""
    return lambda value: type(value) is int and low <= value < high


def _seconds(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0 <= value < LARGE


def _wholes(length: int, high: int) -> Check:
    """Whether a value is a list of this many whole numbers from 0 to below `high`."""
    return lambda value: isinstance(value, list) and len(value) == length and all(map(_whole(0, high), value))


def _word(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and bool(value)


CHECKS: Final[dict[str, Check]] = {
    "seed": _whole(0, 2**64),
    "rounds": _whole(0, ROUNDS + 1),
    "rules": _word,
    "numbers": _word,
}
BY_SEAT: Final[dict[str, Check]] = {
    "agents": _word,
    "scores": _whole(-LARGE, LARGE),
    "places": _whole(0, LARGE),
    "out": _whole(0, ROUNDS + 1),
    "promises": _wholes(PROMISES, PROMISE_COUNT + 1),
    "decisions": _whole(0, LARGE),
    "seconds": _seconds,
    "turns": _whole(0, SEATS),
    "council": _wholes(ROWS, COLUMNS + 1),
}
OPTIONAL: Final = ("turns", "council")  # not in files of earlier versions
STATISTICS: Final = {name: array.shape[1:] for name, array in vars(GameStats.blank(0)).items()}


def _wrong_statistics(books: Any) -> str:
    """What is wrong with packed statistics: every index must lie in its array."""
    if not isinstance(books, dict) or books.keys() != STATISTICS.keys():
        return "its statistics are incomplete"
    for name, shape in STATISTICS.items():
        if not isinstance(books[name], list) or not all(map(_whole(-LARGE, LARGE), books[name])):
            return f"its statistics of {name} are not whole numbers"
        if len(books[name]) % (len(shape) + 1):
            return f"its statistics of {name} are incomplete"
        rows = np.array(books[name], np.int64).reshape(-1, len(shape) + 1)
        if not ((rows[:, :-1] >= 0) & (rows[:, :-1] < shape)).all():
            return f"its statistics of {name} are out of range"
    return ""


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
