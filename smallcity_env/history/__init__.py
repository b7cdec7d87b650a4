"""The history of a game: who did what, what followed from it and why, limited to what a seat may know.

history = History()
history.catch_up(game.log)
for one in merged(history.known(seat)):
    print(one.round_no, one.phase, one.line.said(names))
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from ..language import lazy
from ..log import Entry, Log, state_of
from ..rules.tables import SEATS, Ask, Phase
from .causes import causes, lost
from .deeds import deeds
from .ending import final_lines
from .godzillas import Roll, Walk, rolled, trampling, walked
from .lines import Entered, Gains, Line, added, merged
from .steps import Step, steps

__all__ = ["Entered", "Gains", "History", "Line", "Round", "is_secret", "merged", "sentences"]


@dataclass(frozen=True)
class Round:
    """What happened in one round; round 0 is the set-up."""

    number: int
    before: np.void
    after: np.void
    lines: list[Entered]

    def track(self, p: int, name: str) -> tuple[int, int]:
        """Where a seat stands on a track, and how far it moved."""
        now = int(self.after["borough"][p][name])
        return now, now - int(self.before["borough"][p][name])


class History:
    """Records a game answer by answer, including forced ones."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._reported: dict[int, set[int]] = defaultdict(set)  # lines, by seat
        self._forget()

    def _forget(self) -> None:
        self.entries.clear()
        self.lines: list[Entered] = []
        self.rounds: list[Round] = []  # completed
        self.walks: list[Walk] = []
        self.rolls: list[Roll] = []

    def catch_up(self, log: Log) -> None:
        """Catch up with a game; starts over after an undo."""
        if not self.entries or self.entries != log.entries[: len(self.entries)]:
            self._unreport(log.entries)
            self._forget()
            self._states = state_of(log.start)
            self._before = self._states[0].copy()
        for entry in log.entries[len(self.entries) :]:
            self._add(entry)

    def _unreport(self, entries: list[Entry]) -> None:
        """After an undo: what follows from other answers now has not been reported."""
        pairs = enumerate(zip(self.entries, entries, strict=False))
        same = next((n for n, (old, new) in pairs if old != new), len(entries))
        for seat, seen in self._reported.items():
            self._reported[seat] = {i for i in seen if i < len(self.lines) and self.lines[i].number < same}

    def _add(self, entry: Entry) -> None:
        """Add an answer."""
        number = len(self.entries)
        self.entries.append(entry)
        taken = list(steps(self._states, entry.action))
        for step in taken:
            place = (number, int(step.before["round_no"]), step.phase, is_secret(step.before))
            self.lines += (Entered(*place, line) for line in lines_of(step))
            if roll := rolled(number, step):
                self.rolls.append(roll)
        if walk := walked(number, taken):
            self.walks.append(walk)
        after = self._states[0]
        if after["round_no"] != self._before["round_no"] or after["ask"] == Ask.OVER:
            self.rounds.append(self.open_round())
            self._before = after.copy()

    def open_round(self) -> Round:
        """What has happened in this round so far."""
        number = int(self._before["round_no"])
        lines = [one for one in self.lines if one.round_no == number]
        return Round(number, self._before, self._states[0].copy(), lines)

    def fork(self) -> "History":
        """A copy, to be told what follows in a copy of the game."""
        other = copy(self)
        for name, value in vars(self).items():
            setattr(other, name, copy(value))
        return other

    def known(self, you: int | None, state: Any = None, until: int | None = None) -> list[Entered]:
        """The lines a seat may know, including its own; None knows all.

        An earlier moment is given by its state and the number of answers until then.
        """
        now = self._states[0] if state is None else state
        answers = len(self.entries) if until is None else until
        return [one for one in self.lines if one.number < answers and not _hides(now, one, you)]

    def news(self, you: int) -> list[Entered]:
        """The lines that you may know and that have not been reported to you yet."""
        reported, now = self._reported[you], self._states[0]
        new = [i for i, one in enumerate(self.lines) if i not in reported and not _hides(now, one, you)]
        reported.update(new)
        return [self.lines[i] for i in new]

    def mark_all_reported(self) -> None:
        """Mark everything so far as reported."""
        for seat in range(SEATS):
            self._reported[seat].update(range(len(self.lines)))


def is_secret(state: Any) -> bool:
    """Whether the boroughs are behind screens."""
    return bool(state["phase"] == Phase.BUILD or (state["phase"] == Phase.SETUP and state["part"] == 0))


def _hides(state: Any, one: Entered, you: int | None) -> bool:
    """Whether a line is still behind the screen of another player."""
    if you is None or one.line.seat == you or not one.secret:
        return False
    return is_secret(state) and bool(one.round_no == state["round_no"])


def sentences(entered: Iterable[Entered], names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """A seat and a sentence for each run of lines about one seat."""
    for seat, run in groupby((one.line for one in merged(entered)), key=lambda line: line.seat):
        yield seat, ". ".join(line.said(names) for line in run)


def lines_of(step: Step) -> Iterator[Line]:
    """Everything a step did, each line with its cause; together they are all that changed."""
    if step.after["ask"] == Ask.OVER:
        yield from final_lines(step.after)
        return
    told = [*trampling(step), *(deeds(step) if step.ask else causes(step)), *lost(step)]
    yield from told
    for p in range(step.players):
        rest = step.gains[p]
        for line in told:
            rest = added(rest, line.gains, -1) if line.seat == p else rest
        if rest:
            yield Line(p, lazy("Other rules"), rest)
