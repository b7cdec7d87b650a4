"""The log of a game: where it began and every answer, as text that people can read, and back, checked.

    smallcity log 1
    numbers 1f0c3a5e                         the numbers it was played by, if not the standard ones

    smallcity position 1
    ...                                      the position it began with (notation.py), chance included

    answers 374
    seat 2 where: at C3
    seat 3 where: at D4 (only answer)
    ...

`Log.from_text` refuses what is no log; `retell` plays it again and refuses what the rules refuse.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from . import batch
from .rules import actions
from .rules.numbers import STANDARD
from .rules.schema import STATE
from .rules.tables import Ask
from .rules.tables.in_force import FINGERPRINT, foreign
from .text import notation

TITLE: Final = "smallcity log 1"
COUNT: Final = "answers"
NUMBERS: Final = "numbers"
ONLY: Final = " (only answer)"
_LINE: Final = re.compile(rf"seat (\d) ([a-z_]+): (.+?)({re.escape(ONLY)})?")
_ASKS: Final = {ask.name.lower(): ask for ask in Ask}


class BadLog(ValueError):
    """A text that is no log, or a log of a game that the rules do not allow."""


class Entry(NamedTuple):
    """One line of the log: who answered which question how, and whether it was the only answer."""

    seat: int
    ask: Ask
    action: int
    forced: bool

    def __str__(self) -> str:
        mark = ONLY if self.forced else ""
        return f"seat {self.seat} {self.ask.name.lower()}: {actions.name(self.action)}{mark}"


@dataclass
class Log:
    """A game as it was played: the state it began with, chance included, and every answer."""

    start: bytes
    entries: list[Entry] = field(default_factory=list)

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))

    def __len__(self) -> int:
        return len(self.entries)

    def to_text(self) -> str:
        """The whole log as text that people can read; `from_text` reads it back, exactly."""
        position = notation.to_text(state_of(self.start)[0])
        own = "" if FINGERPRINT == STANDARD else f"{NUMBERS} {FINGERPRINT}\n"
        return f"{TITLE}\n{own}\n{position}\n{COUNT} {len(self)}\n{self}\n"

    @classmethod
    def from_text(cls, text: str) -> "Log":
        """A log from its text; refused with the line that is wrong."""
        lines = text.splitlines()
        if not lines or lines[0].strip() != TITLE:
            raise BadLog(f"this is no log of a game: a log begins with '{TITLE}'")
        cut = next((i for i, row in enumerate(lines) if row.split()[:1] == [COUNT]), len(lines))
        if lines[1:] and lines[1].split()[:1] == [NUMBERS]:
            _refuse_foreign(lines[1])
            lines[1] = ""
        else:
            _refuse_foreign(STANDARD)
        start = _position(lines[1:cut])
        return cls(start, _entries(lines, cut))


def state_of(data: bytes) -> batch.States:
    """One state from its bytes."""
    return np.frombuffer(bytearray(data), np.uint8).view(STATE)


def _refuse_foreign(line: str) -> None:
    """A game of other numbers is another game."""
    if wrong := foreign(line.split()[-1]):
        raise BadLog(f"this log cannot be played again: {wrong}")


def _position(lines: list[str]) -> bytes:
    """The position a log begins with; a blank line stands for the title, so that lines count right."""
    try:
        return notation.from_text("\n".join(["", *lines])).tobytes()
    except notation.NotationError as wrong:
        raise BadLog(str(wrong)) from None


def _entries(lines: list[str], cut: int) -> list[Entry]:
    """Every answer; as many as the log says there are."""
    if cut == len(lines):
        raise BadLog(f"this log is cut short: the line '{COUNT} ...' is missing")
    said = lines[cut].split()[1:]
    if len(said) != 1 or not said[0].isdecimal():
        raise BadLog(f"line {cut + 1}: after {COUNT} comes how many there are")
    numbered = enumerate(lines[cut + 1 :], start=cut + 2)
    found = [_entry(number, line.strip()) for number, line in numbered if line.strip()]
    if len(found) != int(said[0]):
        raise BadLog(f"this log is not whole: it should have {said[0]} answers and has {len(found)}")
    return found


def _entry(number: int, line: str) -> Entry:
    """One answer."""
    parts = _LINE.fullmatch(line)
    if parts is None:
        raise BadLog(f"line {number}: an answer reads like 'seat 0 where: at C3', not {line[:60]!r}")
    seat, ask, name, only = parts.groups()
    if ask not in _ASKS:
        raise BadLog(f"line {number}: there is no question {ask!r}")
    try:
        action = actions.parse(name)
    except actions.UnknownAction as wrong:
        raise BadLog(f"line {number}: {wrong}") from None
    return Entry(int(seat), _ASKS[ask], action, bool(only))


# -- the game again


class Step(NamedTuple):
    """An answer with the state it was given in and the one it led to."""

    before: np.record
    entry: Entry
    after: np.record


def retell(log: Log) -> Iterator[Step]:
    """The game again, answer by answer; refused where it does not follow the rules."""
    states = state_of(log.start)
    legal = batch.masks(states)
    for number, entry in enumerate(log.entries, start=1):
        before = states[0].copy()
        _check(number, entry, before, bool(legal[0, entry.action]))
        batch.answer_one(states, entry.action)
        batch.masks(states, legal)
        yield Step(before, entry, states[0].copy())


def _check(number: int, entry: Entry, state: np.record, legal: bool) -> None:
    """The answer was given by whom it was asked, to what was asked, and is allowed."""
    seat, ask = int(state["seat"]), Ask(state["ask"])
    if ask is Ask.OVER:
        raise BadLog(f"answer {number} of this log comes after the end of the game")
    if (seat, ask) != (entry.seat, entry.ask):
        asked = f"'{ask.name.lower()}' of seat {seat}"
        raise BadLog(f"answer {number} of this log, '{entry}', does not fit: the question is {asked}")
    if not legal:
        raise BadLog(f"answer {number} of this log, '{entry}', is not allowed there")
