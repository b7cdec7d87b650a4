"""The tables of results in the pages: which commands their games are from, and how they are shown.

A plan is a TOML file with one entry for each table: its page, the `smallcity` commands that play its games,
and one of `SHOWS`. In the page the table stands between `<!-- evidence: NAME -->` and `<!-- /evidence -->`,
below a mark that names the nets and rules it was measured with.
"""

import csv
import hashlib
import math
import re
import shlex
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from smallcity_env import files, typed
from smallcity_env.rules.tables.in_force import RULES_VERSION
from smallcity_env.terminal import Refused, words

from . import make, names_in
from .arena import balance, chart, report
from .arena.results import Result, read
from .arena.standings import Row, standings
from .benchmark import anchors
from .benchmark.card import calibration

COUNTED: Final = ("--games", "--calibrate")  # options that a share reduces, and steps=
WHERE: Final = {"arena": ["--results"], "benchmark": ["--folder"], "train": ["--overwrite", "--run"]}
BLOCK: Final = "<!-- evidence: {} -->\n", "<!-- /evidence -->"
CURVES: Final = Path("docs") / "pictures" / "learning.svg"
FINISHED: Final = "finished"  # in the folder of a training run: its report
Lines = list[str]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table: where it stands, what plays its games, and how they are shown."""

    page: str
    show: str
    commands: list[str]


class Step(msgspec.Struct, frozen=True):
    """A command of an entry, and the file of its games or the folder of its training run."""

    words: list[str]
    results: Path

    @property
    def finished(self) -> bool:
        """Whether it is a training run that has come to its end; other commands go on where they stopped."""
        return (self.results / FINISHED).exists()


def read_plan(path: Path) -> dict[str, Entry]:
    """The entries of a plan by name."""
    try:
        tables = tomllib.loads(files.read_text(path, "the plan"))
        plan = {name: typed.convert(values, Entry, name) for name, values in tables.items()}
    except ValueError as error:
        raise Refused(f"{path} is not a plan of evidence: {error}") from None
    for name, entry in plan.items():
        if entry.show not in SHOWS:
            raise Refused(f"{name} is to be shown as {entry.show!r}: choose from {', '.join(SHOWS)}")
    return plan


def shipped() -> dict[str, str]:
    """What figures depend on: the nets of the package, by the beginning of their hash, and the rules."""
    return anchors.nets() | {"rules": RULES_VERSION}


def steps(name: str, entry: Entry, folder: Path, share: float) -> list[Step]:
    """The commands of an entry, with games of today's nets in files of their own."""
    tag = hashlib.sha256(repr(sorted(shipped().items())).encode()).hexdigest()[:8]
    found, folder = [], folder / tag
    for n, command in enumerate(entry.commands):
        split = _reduced(shlex.split(command), share)
        results = folder / f"{name}-{n + 1}{'.jsonl' if split[0] == 'arena' else ''}"
        where = folder if split[0] == "benchmark" else results
        found.append(Step([*split, *WHERE[split[0]], str(where)], results))
    return found


def _reduced(command: Sequence[str], share: float) -> list[str]:
    """The words of a command with a share of its games."""

    def reduced(before: str, word: str) -> str:
        name, equals, number = word.rpartition("=")
        counted = before in COUNTED or name == "steps"
        return f"{name}{equals}{math.ceil(int(number) * share)}" if counted else word

    return [reduced(before, word) for before, word in zip(["", *command], command, strict=False)]


def table(entry: Entry, made: Sequence[Step]) -> str:
    """The mark and the table of an entry, from the games of its commands."""
    mark = ", ".join(map(" ".join, shipped().items()))
    shown = SHOWS[entry.show](made)
    return "\n".join(line if line != MARK else f"<!-- figures: {mark} -->" for line in shown) + "\n"


def write(page: Path, name: str, text: str) -> None:
    """Replace the block of this name in a page."""
    begin, end = BLOCK[0].format(name), BLOCK[1]
    old = files.read_text(page, "the page")
    if old.count(begin) != 1 or end not in old.partition(begin)[2]:
        raise Refused(f"{page} has no block {begin.strip()} ... {end}")
    before, _, rest = old.partition(begin)
    files.write(page, f"{before}{begin}\n{text}\n{end}{rest.partition(end)[2]}")


# -- how games are shown

MARK: Final = "<!-- figures -->"
SHOWN: Final = ("agent", "wins", "95 %", "score")  # of the standings


def _marked(shown: report.Table) -> Lines:
    """A table in markdown below its mark."""
    return [MARK, "", *report.markdown_rows(shown.heads, shown.rows)]


def _standings(made: Sequence[Step]) -> Lines:
    """Every set-up by itself: the standings, and who finished ahead of whom."""
    lines = Lines()
    for step in made:
        results = read(step.results)
        seeds = len({result.seed for result in results})
        lines += [f"## {words(results[0].config)}: {len(results):,} games on {seeds:,} seeds", ""]
        first, *others = report.leaders(results, standings(results))
        lines += [*_marked(_columns(first, SHOWN)), ""]
        for other in others:
            lines += [f"{other.title.capitalize()}:", "", *_marked(other), ""]
    return lines


def _columns(table: report.Table, heads: Sequence[str]) -> report.Table:
    """Some columns of a table."""
    at = [table.heads.index(head) for head in heads]
    return report.Table(table.title, list(heads), [[row[n] for n in at] for row in table.rows])


def _strength(made: Sequence[Step]) -> Lines:
    """One row a command: how the first agent of its table does against the others."""
    heads = ["agent", "against", "set-up", "games", "first", "score"]
    return _marked(report.Table("strength", heads, [_match(step) for step in made]))


def _match(step: Step) -> list[str]:
    """The row of a match: games of one table, rotated over its seats."""
    table, results = step.words[step.words.index("--table") + 1], read(step.results)
    agent, *others = (make(name).name for name in names_in(table))
    rows = {row.agent: row for row in standings(results)}
    against = f"{len(others)} x `{others[0]}`" if len(others) > 1 else f"`{others[0]}`" if others else "alone"
    first = _share(rows[agent]) if others else ""
    return [f"`{agent}`", against, words(results[0].config), f"{len(results):,}", first, _scores(rows, agent)]


def _share(row: Row) -> str:
    low, high = row.interval
    return f"{row.share:.0%} ({low * 100:.0f} - {high * 100:.0f})".replace("%", " %")


def _scores(rows: dict[str, Row], agent: str) -> str:
    """The agent's mean score, and that of the others or half its interval."""
    own, others = rows[agent], [row.score for name, row in rows.items() if name != agent]
    return f"{own.score:.1f} to {np.mean(others):.1f}" if others else f"{own.score:.1f} ± {own.errors[0]:.1f}"


def _balance(made: Sequence[Step]) -> Lines:
    """The set-ups; then, by number of players, who chose everything and what one more goes with."""
    games = [read(step.results) for step in made]
    by_players: dict[str, list[Result]] = {}
    for results in games:
        by_players.setdefault(f"{results[0].config.players} players", []).extend(results)
    compared = balance.side_by_side({name: balance.tables(found) for name, found in by_players.items()})
    overview = balance.overview({words(results[0].config): results for results in games})
    lines = Lines()
    for shown in (overview, *compared):
        lines += [f"## {shown.title.capitalize()}", "", *_marked(shown), ""]
    return lines


def _anchors(made: Sequence[Step]) -> Lines:
    """The table of the anchors that the benchmark calibrated."""
    return _marked(calibration(anchors.load(anchors.SHIPPED)))


def _cards(made: Sequence[Step]) -> Lines:
    """The comparison of report cards, from the page the benchmark writes."""
    page = Path(made[-1].words[made[-1].words.index("--markdown") + 1])
    found = re.search(r"(?:^\|.*\n)+", files.read_text(page, "the page of cards"), re.MULTILINE)
    if not found:
        raise Refused(f"{page} holds no table")
    return [MARK, "", *found[0].splitlines()]


def _learning(made: Sequence[Step]) -> Lines:
    """The curves of all runs; then one row a method: steps, win rates of the last nets, hours."""
    runs: dict[str, list[list[dict[str, float]]]] = {}
    for step in made:
        runs.setdefault(step.words[1], []).append(_curve(step.results / "curve.csv"))
    anchors = [key for key in next(iter(runs.values()))[0][0] if key.startswith("win_rate ")]
    if not chart.draw_learning(runs, anchors, CURVES):
        raise Refused(chart.NO_PICTURE)
    heads = ["method", "runs", "steps", *(f"against {key.split()[1]}" for key in anchors), "hours a run"]
    rows = [_runs(method, curves, anchors) for method, curves in runs.items()]
    return [
        f"![Win rates while training]({Path('..') / 'pictures' / CURVES.name})",
        "",
        *_marked(report.Table("learning", heads, rows)),
    ]


def _curve(path: Path) -> list[dict[str, float]]:
    """The evaluations of a training run."""
    lines = csv.DictReader(files.read_text(path, "the curve").splitlines())
    return [{key: float(value) for key, value in line.items()} for line in lines]


def _runs(method: str, curves: Sequence[Sequence[dict[str, float]]], anchors: Sequence[str]) -> list[str]:
    """The row of a method."""
    last = [curve[-1] for curve in curves]
    rates = [", ".join(f"{line[key] * 100:.0f}" for line in last) + " %" for key in anchors]
    hours = np.mean([line["hours"] for line in last])
    return [f"`{method}`", str(len(curves)), f"{last[0]['steps']:,.0f}", *rates, f"{hours:.2f}"]


SHOWS: Final[dict[str, Callable[[Sequence[Step]], Lines]]] = {
    "standings": _standings,
    "strength": _strength,
    "balance": _balance,
    "anchors": _anchors,
    "cards": _cards,
    "learning": _learning,
}
