"""An agent's report card: a line for every task, and one for each side of the split of rule mixes."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ..arena.report import Table, markdown_rows
from ..arena.results import Result
from ..arena.standings import half_interval, interval
from .protocol import HELD_OUT, TRAINING, VERSION, Task

Played = Mapping[Task, Sequence[Result]]

HEADS: Final = ("task", "games", "first places", "95 %", "of an even share", "score", "place", "ms/decision")


@dataclass(frozen=True)
class Line:
    """An agent's results in the games of a group."""

    group: str
    alone: bool  # solo games, in which only score and time are meaningful
    games: int  # seats of the agent
    first: float  # share of first places; ties split one
    interval: tuple[float, float]
    even: float  # first places relative to an even share of them; 1: as good as the anchor
    score: float
    score_error: float
    place: float  # from 1
    place_error: float
    seconds: float  # per decision

    def cells(self) -> list[str]:
        """The line as text."""
        low, high = self.interval
        first, even = [f"{self.first:.1%}", f"{low:.1%} - {high:.1%}"], f"{self.even:.2f}"
        score = self._mean_score()
        place = f"{self.place:.2f} ± {self.place_error:.2f}"
        time = f"{self.seconds * 1000:.1f}"
        if self.alone:
            return [self.group, f"{self.games:,}", "-", "-", "-", score, "-", time]
        return [self.group, f"{self.games:,}", *first, even, score, place, time]

    def summary(self) -> str:
        """What counts most: first places, in solo games the score."""
        low, high = self.interval
        return self._mean_score() if self.alone else f"{self.first:.0%} ({low:.0%} - {high:.0%})"

    def _mean_score(self) -> str:
        return f"{self.score:.1f} ± {self.score_error:.1f}"


def lines(agent: str, played: Played, group_of: Callable[[Task], str] = lambda t: t.group) -> list[Line]:
    """A line for every group of tasks, in order."""
    groups: dict[str, list[tuple[Task, Result]]] = defaultdict(list)
    for task, results in played.items():
        groups[group_of(task)] += [(task, result) for result in results]
    return [_line(agent, group, games) for group, games in groups.items()]


def _line(agent: str, group: str, games: Sequence[tuple[Task, Result]]) -> Line:
    """The line of a group; games on one seed of one task are not independent."""
    seats = [(t, r, p) for t, r in games for p, name in enumerate(r.agents) if name == agent]
    names = sorted({(task.name, result.seed) for task, result, _ in seats})
    block = np.array([names.index((task.name, result.seed)) for task, result, _ in seats])
    win = np.array([(r.places[p] == 0) / r.places.count(0) for _, r, p in seats])
    score = np.array([r.scores[p] for _, r, p in seats], float)
    place = np.array([r.places[p] for _, r, p in seats], float)
    seconds = sum(r.seconds[p] for _, r, p in seats)
    return Line(
        group=group,
        alone=all(task.config.players == 1 for task, _ in games),
        games=len(seats),
        first=float(win.mean()),
        interval=interval(np.bincount(block, win), np.bincount(block)),
        even=float(np.mean([w * len(r.agents) for w, (_, r, _) in zip(win, seats, strict=True)])),
        score=float(score.mean()),
        score_error=half_interval(list(zip(block.tolist(), score.tolist(), strict=True))),
        place=float(place.mean()) + 1,
        place_error=half_interval(list(zip(block.tolist(), place.tolist(), strict=True))),
        seconds=seconds / max(sum(r.decisions[p] for _, r, p in seats), 1),
    )


def compare(played: Mapping[str, Played]) -> Table:
    """A row for every agent: its first places at each number of players, in solo games its mean score."""
    rows = {agent: lines(agent, tasks, lambda task: task.column) for agent, tasks in played.items()}
    heads = ["agent", *(line.group for line in next(iter(rows.values())))]
    cells = [[agent, *(line.summary() for line in card)] for agent, card in rows.items()]
    return Table("agents compared", heads, cells)


def gap(card: Sequence[Line]) -> float | None:
    """The loss on held-out mixes, in even shares; None unless both sides were played."""
    sides = {line.group: line.even for line in card}
    return sides[TRAINING] - sides[HELD_OUT] if {TRAINING, HELD_OUT} <= set(sides) else None


def as_json(agent: str, card: Sequence[Line], rules: str, quick: bool) -> dict[str, Any]:
    """The report card as data."""
    return {
        "protocol": VERSION,
        "quick": quick,
        "agent": agent,
        "rules": rules,
        "generalisation_gap": gap(card),
        "tasks": [vars(line) for line in card],
    }


def markdown(agent: str, card: Sequence[Line], quick: bool) -> list[str]:
    """The report card as a section of a page."""
    rows = markdown_rows(list(HEADS), [line.cells() for line in card])
    title = f"## `{agent}`, {VERSION}{' (quick)' if quick else ''}"
    lost = gap(card)
    after = [] if lost is None else ["", f"Generalisation gap: {lost:.2f} of an even share."]
    return [title, "", *rows, *after, ""]
