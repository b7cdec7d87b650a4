"""An agent's report card: its level in every task and over all, with what it cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec
import numpy as np

from ..arena.report import Table, markdown_rows
from . import levels
from .anchors import ALONE, AnchorTable
from .entry import Game, Header
from .levels import Level
from .protocol import ANCHORS, HELD_OUT, TASKS, TRAINING, WAVE, WAVES

HEADS: Final = ("task", "games", "seeds", "level", "score", "ms/decision")
OVERALL: Final = "all"


@dataclass(frozen=True)
class Line:
    """An agent's results in a task."""

    task: str
    games: int
    seeds: int
    level: Level
    score: float
    seconds: float  # per decision
    counts: dict[str, int]

    def cells(self) -> list[str]:
        """The line as text."""
        score, time = f"{self.score:.1f}", f"{self.seconds * 1000:.2f}"
        return [self.task, f"{self.games:,}", str(self.seeds), str(self.level), score, time, *self._counts()]

    def _counts(self) -> list[str]:
        return [f"{count:,}" for count in self.counts.values()]


@dataclass(frozen=True)
class Card:
    """The lines of an entry, and the line over all its tasks."""

    header: Header
    lines: list[Line]
    overall: Line

    @property
    def whole(self) -> bool:
        """Whether the whole protocol was played."""
        return len(self.lines) == len(TASKS) and all(line.seeds == WAVE * WAVES for line in self.lines)

    @property
    def gap(self) -> float | None:
        """How many levels are lost on held-out mixes; None unless both sides were played."""
        sides = {line.task: line.level.value for line in self.lines}
        return sides[TRAINING] - sides[HELD_OUT] if {TRAINING, HELD_OUT} <= set(sides) else None

    def sentences(self) -> list[str]:
        """What the card says."""
        header, tasks = self.header, "all tasks" if len(self.lines) == len(TASKS) else "these tasks"
        paid = f", {header.budget}" if header.budget else ""
        track = f"track {header.track}{paid}"
        said = [f"{header.agent} plays like level {self.overall.level} in {tasks} ({track})."]
        if self.gap is not None:
            said.append(f"Generalisation gap: {self.gap:+z.1f} levels from training mixes to held-out ones.")
        rest = "This is a part of the protocol: without --quick and --tasks the same command plays the rest."
        return said if self.whole else [*said, rest]

    def rows(self) -> list[list[str]]:
        """The head and all lines as text."""
        heads = [*HEADS, *self.overall.counts]
        return [heads, *(line.cells() for line in [*self.lines, self.overall])]

    def as_json(self) -> dict[str, Any]:
        """The card as data."""
        values: dict[str, Any] = msgspec.to_builtins(self)
        return values | {"whole": self.whole, "generalisation_gap": self.gap}

    def markdown(self) -> list[str]:
        """The card as a section of a page."""
        heads, *rows = self.rows()
        return [f"## `{self.header.agent}`", "", *self.sentences(), "", *markdown_rows(heads, rows), ""]


def card(header: Header, games: Sequence[Game], table: AnchorTable) -> Card:
    """The report card of an entry."""
    by_task = {name: [game for game in games if game.task == name] for name in TASKS}
    lines = [_line(name, played, table) for name, played in by_task.items() if played]
    mean = levels.mean([line.level for line in lines])
    seeds, score = sum(line.seeds for line in lines), float(np.mean([line.score for line in lines]))
    return Card(header, lines, Line(OVERALL, len(games), seeds, mean, score, *_cost(games)))


def _line(name: str, games: Sequence[Game], table: AnchorTable) -> Line:
    """The line of a task."""
    task, outcomes = TASKS[name], [game.outcome() for game in games]
    level = levels.fit(table.scales[task.scale], outcomes, task.alone)
    score = float(np.mean([game.scores[game.seat] for game in games]))
    return Line(name, len(games), len({game.seed for game in games}), level, score, *_cost(games))


def _cost(games: Sequence[Game]) -> tuple[float, dict[str, int]]:
    """Seconds per decision, and the sums of what is counted."""
    seconds = sum(game.seconds for game in games) / max(sum(game.decisions for game in games), 1)
    names = dict.fromkeys(name for game in games for name in game.counts)
    return seconds, {name: sum(game.counts.get(name, 0) for game in games) for name in names}


def compare(cards: Mapping[str, Card]) -> Table:
    """A row for every agent, best first: its levels, their mean, and how many agents it beats (Copeland)."""
    each = sorted(cards.values(), key=lambda card: -card.overall.level.value)
    found = [{line.task: line.level.value for line in card.lines} for card in each]
    tasks = [task for task in TASKS if all(task in levels_of for levels_of in found)]
    by_task = [[levels_of[task] for task in tasks] for levels_of in found]
    rows = [
        [card.header.agent, str(card.overall.level), f"{wins:g} of {len(each) - 1}"]
        + [f"{value:z.1f}" for value in values]
        + [card.header.track, f"{card.overall.games:,}"]
        for card, values, wins in zip(each, by_task, levels.copeland(by_task), strict=True)
    ]
    return Table("agents compared", ["agent", "mean", "beats", *tasks, "track", "games"], rows)


def calibration(table: AnchorTable) -> Table:
    """What the scale rests on: how often each anchor finished ahead of the one below it, and scores alone."""
    rows = [[name] for name in ANCHORS]
    for name, scale in table.scales.items():
        found = scale.measured
        cells = [
            f"{value:.1f} ± {(high - low) / 2:.1f}"
            if name == ALONE
            else f"{value:.0%} ({low:.0%} - {high:.0%})"
            for value, (low, high) in zip(found.values, found.intervals, strict=True)
        ]
        for row, cell in zip(rows, [""] * (len(rows) - len(cells)) + cells, strict=True):
            row.append(cell)
    return Table("anchors, each against the one below it", ["anchor", *table.scales], rows)


def training_runs(cards: Sequence[Card]) -> str:
    """The levels of several training runs of one method, in a sentence."""
    values = [card.overall.level.value for card in cards]
    spread = f"{min(values):.1f} to {max(values):.1f}"
    return f"{len(values)} training runs: level {np.mean(values):.1f} in the mean, from {spread}."
