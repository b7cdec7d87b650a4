"""The log of a game: its first position and every answer, as readable text, and parsing it back.

    smallcity log 1
    numbers 1f0c3a5e                         fingerprint of the numbers used, if not the standard ones
    players human, greedy                    their names, if they are known

    smallcity position 1
    ...                                      the first position (notation.py), chance included

    answers 374
    seat 2 where: at C3
    seat 3 where: at D4 (only answer)
    ...

`Log.from_text` refuses malformed logs; `replay_steps` plays a log again and refuses illegal answers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from . import arguments, batch
from .rules import actions
from .rules.actions import ACTIONS
from .rules.numbers import STANDARD
from .rules.schema import STATE
from .rules.tables import SEATS, Ask
from .rules.tables.in_force import FINGERPRINT, foreign
from .text import notation

TITLE: Final = "smallcity log 1"
COUNT: Final = "answers"
NUMBERS: Final = "numbers"
PLAYERS: Final = "players"
BETWEEN: Final = ", "  # names
LONGEST_NAME: Final = 200
ONLY: Final = " (only answer)"
_LINE: Final = re.compile(rf"seat (\d) ([a-z_]+): (.+?)({re.escape(ONLY)})?")
_ASKS: Final = {ask.name.lower(): ask for ask in Ask}


class BadLog(ValueError):
    """A malformed log, or the log of a game that breaks the rules."""


class Entry(NamedTuple):
    """One line of the log: the seat, the question, the answer, and whether it was forced."""

    seat: int
    ask: Ask
    action: int
    forced: bool

    def __str__(self) -> str:
        mark = ONLY if self.forced else ""
        return f"seat {self.seat} {self.ask.name.lower()}: {actions.name(self.action)}{mark}"


@dataclass
class Log:
    """A game as it was played: its first state, chance included, and every answer."""

    start: bytes
    entries: list[Entry] = field(default_factory=list)
    names: tuple[str, ...] = ()  # of the players, if they are known

    def __str__(self) -> str:
        return "\n".join(map(str, self.entries))

    def __len__(self) -> int:
        return len(self.entries)

    def to_text(self) -> str:
        """The log as readable text; `from_text` reads it back exactly."""
        position = notation.to_text(state_of(self.start)[0])
        own = "" if FINGERPRINT == STANDARD else f"{NUMBERS} {FINGERPRINT}\n"
        own += f"{PLAYERS} {BETWEEN.join(self.names)}\n" if self.names else ""
        return f"{TITLE}\n{own}\n{position}\n{COUNT} {len(self)}\n{self}\n"

    @classmethod
    def from_text(cls, text: str) -> "Log":
        """Parse a log; an error names the line that is wrong."""
        lines = arguments.text(text, "a log").splitlines()
        if not lines or lines[0].strip() != TITLE:
            raise BadLog(f"this is not a game log: a log begins with '{TITLE}'")
        cut = next((i for i, row in enumerate(lines) if row.split()[:1] == [COUNT]), len(lines))
        numbers, names = _taken(lines, NUMBERS), _taken(lines, PLAYERS)
        _refuse_foreign(STANDARD if numbers is None else numbers)
        start = _position(lines[1:cut])
        return cls(start, _entries(lines, cut), _names(names, start))


def state_of(data: Any) -> batch.States:
    """One state from its bytes."""
    if not isinstance(data, bytes) or len(data) != STATE.itemsize:
        raise BadLog(f"a position of a log must be {STATE.itemsize} bytes")
    return np.frombuffer(bytearray(data), np.uint8).view(STATE)


def valid_state(data: Any) -> batch.States:
    """One state from its bytes; refuses one that is not a position of a game."""
    states = state_of(data)
    try:
        batch.validate(states)
    except batch.InvalidState as wrong:
        raise BadLog(f"this is not a position of a game: {wrong.why}") from None
    if states["ask"][0] == Ask.NONE:
        raise BadLog("this is not a position of a game: no question is being asked")
    return states


def _taken(lines: list[str], word: str) -> str | None:
    """What follows a keyword at the top of a log, or None; blanks its line."""
    for row, line in enumerate(lines[1:3], start=1):
        if line.split()[:1] == [word]:
            lines[row] = ""
            return line.strip()[len(word) :].strip()
    return None


def _names(text: str | None, start: bytes) -> tuple[str, ...]:
    """The names of the players."""
    if text is None:
        return ()
    names, players = tuple(text.split(BETWEEN)), int(state_of(start)["rules"]["players"][0])
    if len(names) != players:
        raise BadLog(f"this log names {len(names)} players, and its game has {players}")
    if not all(name.isprintable() and 0 < len(name) <= LONGEST_NAME for name in names):
        raise BadLog(f"the names of the players of this log must be words of 1 to {LONGEST_NAME} letters")
    return names


def _refuse_foreign(numbers: str) -> None:
    """Refuse a game played by other numbers."""
    if wrong := foreign(numbers):
        raise BadLog(f"this log cannot be replayed: {wrong}")


def _position(lines: list[str]) -> bytes:
    """The first position of a log; a blank line replaces the title to keep line numbers right."""
    try:
        start = notation.from_text("\n".join(["", *lines])).tobytes()
    except notation.NotationError as wrong:
        raise BadLog(str(wrong)) from None
    return valid_state(start).tobytes()


def _entries(lines: list[str], cut: int) -> list[Entry]:
    """Every answer; their number must match the log's own count."""
    if cut == len(lines):
        raise BadLog(f"this log is cut short: the line '{COUNT} ...' is missing")
    count = lines[cut].split()[1:]
    if len(count) != 1 or not count[0].isdecimal():
        raise BadLog(f"line {cut + 1}: '{COUNT}' must be followed by their number")
    numbered = enumerate(lines[cut + 1 :], start=cut + 2)
    entries = [_entry(number, line.strip()) for number, line in numbered if line.strip()]
    if len(entries) != int(count[0]):
        raise BadLog(f"this log is incomplete: it should have {count[0]} answers and has {len(entries)}")
    return entries


def _entry(number: int, line: str) -> Entry:
    """Parse one answer."""
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


# -- replaying


class Step(NamedTuple):
    """An answer with the states before and after it."""

    before: np.record
    entry: Entry
    after: np.record


def replay_steps(log: Log) -> Iterator[Step]:
    """Replay a game answer by answer; an answer that breaks the rules raises BadLog."""
    states = valid_state(log.start)
    legal = batch.masks(states)
    for number, entry in enumerate(log.entries, start=1):
        before = states[0].copy()
        _check(number, entry, before, legal[0])
        batch.answer_one(states, entry.action)
        batch.masks(states, legal)
        yield Step(before, entry, states[0].copy())


def checked_entry(number: int, entry: Any) -> Entry:
    """An answer, checked to have a possible seat, question and action."""
    if not isinstance(entry, Entry) or not isinstance(entry.ask, Ask):
        raise BadLog(f"answer {number} of this log is not an answer: {arguments.shown(entry)}")
    if arguments.index(entry.seat) not in range(SEATS) or arguments.index(entry.action) not in range(ACTIONS):
        numbers = f"seat {arguments.shown(entry.seat)}, action {arguments.shown(entry.action)}"
        raise BadLog(f"answer {number} of this log is for no seat or no action: {numbers}")
    return entry


def _check(number: int, entry: Entry, state: np.record, legal: batch.Mask) -> None:
    """Check that the answer comes from the seat asked, to the question asked, and is legal."""
    checked_entry(number, entry)
    seat, ask = int(state["seat"]), Ask(state["ask"])
    if ask is Ask.OVER:
        raise BadLog(f"answer {number} of this log comes after the end of the game")
    if (seat, ask) != (entry.seat, entry.ask):
        asked = f"'{ask.name.lower()}' of seat {seat}"
        raise BadLog(f"answer {number} of this log, '{entry}', does not fit: the question is {asked}")
    if not legal[entry.action]:
        raise BadLog(f"answer {number} of this log, '{entry}', is not legal there")
