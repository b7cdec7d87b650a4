"""Reports: results of an arena as tables, in text or markdown."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.rules.tables import Card
from smallcity_env.rules.tables.cards import CARD_NAMES
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import KINDS, NAMES, Kind
from smallcity_env.show import Ink

from . import chart, stats
from .game_stats import ROUNDS, SOURCES, TRACKS
from .results import Result
from .standings import Row, standings
from .stats import Floats, Seats

BY: Final = ("agent", "round")
BAR: Final = 8  # characters of the longest bar
PARTS: Final = " ▏▎▍▌▋▊▉"  # of a character
LEVELS: Final = "▁▂▃▄▅▆▇█"
BINS: Final = 16
QUANTILES: Final = {"lowest": 0, "10 %": 0.1, "half": 0.5, "90 %": 0.9, "highest": 1}


@dataclass(frozen=True)
class Table:
    """A titled table of text cells; with `values`, bars are drawn where there is room."""

    title: str
    heads: list[str]
    rows: list[list[str]]
    values: Floats | None = None  # (rows, columns): for bars


def tables(results: Sequence[Result], by: str, agents: Sequence[str] = ()) -> list[Table]:
    """All tables about games of one set-up; those after the standings can be limited to some agents."""
    shown = *leaders(results, standings(results)), *_statistics(results, by, agents)
    return [table for table in shown if table.rows]


def _statistics(results: Sequence[Result], by: str, agents: Sequence[str]) -> Iterator[Table]:
    """How the agents played."""
    who = stats.seats(results)
    who = who.where(np.isin(who.agent, agents)) if agents else who
    yield from _tracks(who)
    yield from _spread(who)
    yield _counted("where votes come from, a game", who.sources, who, by, list(SOURCES.values()))
    yield _promises(who)
    cards = stats.one_hot(who.cards, len(Card))[:, :, 1:]
    yield _counted("action cards taken, a game", cards, who, by, list(CARD_NAMES.values()))
    laid = who.built * (np.arange(ROUNDS) > 0)[None, :, None]  # without printed tiles and City Hall
    names = [NAMES[Kind(k)] for k in range(KINDS)]
    yield _counted("tiles built and upgraded to, a game", laid, who, by, names)
    yield _counted("tiles covered by upgrades or demolished, a game", who.gone, who, by, names)
    yield _counted("spaces ruined by godzillas, a game", who.ruined, who, by, ["open land", *names[1:]])
    harm = np.stack([who.eaten, who.spoiled, who.died, _eliminated(who)], axis=2)
    lost = ["people eaten", "materials trampled", "died of pollution", "eliminated"]
    yield _counted("losses, a game", harm, who, by, lost)


def leaders(results: Sequence[Result], rows: Sequence[Row]) -> Iterator[Table]:
    """The standings and the head-to-head matrix."""
    yield Table("standings", list(chart.HEADS), [chart.cells(row) for row in rows])
    names = [row.agent for row in rows]
    if len(names) > 1:
        shares = chart.matrix(results, names)
        yield Table("how often the row finished ahead of the column", ["", *names], shares)


def _eliminated(who: Seats) -> stats.Ints:
    """1 in the round a seat was eliminated."""
    eliminated = (who.out[:, None] == np.arange(ROUNDS)) & (who.out > 0)[:, None]
    return np.asarray(eliminated, np.int64)


def _tracks(who: Seats) -> Iterator[Table]:
    """Mean tracks at the end of each round."""
    last = int(np.flatnonzero(who.played.any(axis=0)).max())
    rounds = range(1, last + 1)
    for name in TRACKS:
        rows = []
        for agent in who.agents:
            track = getattr(who.of(agent), name)[:, 1 : last + 1]
            means = track.sum(axis=0, where=~np.isnan(track)) / np.maximum((~np.isnan(track)).sum(axis=0), 1)
            rows.append([agent, *(f"{mean:.1f}" for mean in means)])
        yield Table(f"{name} at the end of each round", ["", *map(str, rounds)], rows)


def _spread(who: Seats) -> Iterator[Table]:
    """The distribution of final votes, pollution and scores."""
    last = np.where(who.out > 0, who.out, who.played.sum(axis=1) - 1)
    at_end = np.arange(len(who)), last
    for name, values in {
        "votes": who.votes[at_end],
        "pollution": who.pollution[at_end],
        "scores": who.score.astype(float),
    }.items():
        edges = np.linspace(values.min(), max(values.max(), values.min() + 1), BINS + 1)
        rows = []
        for agent in who.agents:
            own = values[who.agent == agent]
            numbers = [f"{np.quantile(own, q):.0f}" for q in QUANTILES.values()]
            rows.append([agent, f"{own.mean():.1f}", *numbers, _sparks(np.histogram(own, edges)[0])])
        heads = ["", "mean", *QUANTILES, f"{edges[0]:.0f} to {edges[-1]:.0f}"]
        yield Table(f"{name} at the end, spread", heads, rows)


def _sparks(counts: npt.NDArray[Any]) -> str:
    """A histogram in one line."""
    top = max(int(counts.max()), 1)
    return "".join(LEVELS[-(-(len(LEVELS) - 1) * int(n) // top)] if n else " " for n in counts)


def _counted(title: str, counts: npt.NDArray[Any], who: Seats, by: str, names: Sequence[str]) -> Table:
    """Mean counts (n, ROUNDS, things) by agent or by round, without things that never happened."""
    if by == "round":
        played = np.flatnonzero(who.played.any(axis=0))[1:]  # without the set-up
        values, heads = stats.by_round(counts, who)[:, played], [str(n) for n in played]
        title = title.replace(", a game", ", by round")
    else:
        values, heads = stats.by_agent(counts, who), who.agents
    seen = np.flatnonzero(np.abs(values).sum(axis=1) > 0).tolist()
    rows = [[names[k], *(f"{value:.2f}" for value in values[k])] for k in seen]
    return Table(title, ["", *heads], rows, values[seen])


def _promises(who: Seats) -> Table:
    """How often each agent held and kept each promise."""
    rows = []
    by_agent = {agent: {kept.number: kept for kept in stats.promises(who.of(agent))} for agent in who.agents}
    for kept in stats.promises(who):
        promise = BY_NUMBER[kept.number]
        cells = [f"{promise.number:>2} {promise.name}", str(promise.worth)]
        for agent in who.agents:
            own = by_agent[agent].get(kept.number)
            cells.append(f"{own.kept} of {own.held}, {own.kept / own.held:.0%}" if own else "-")
        rows.append(cells)
    return Table("promises kept", ["", "worth", *who.agents], rows)


# -- as text and as markdown


def text_lines(table: Table, width: int, ink: Ink) -> list[str]:
    """A table for the terminal, with bars if they fit."""
    bars = with_bars(table) if table.values is not None and table.values.size else table
    lines = chart.aligned([bars.heads, *bars.rows])
    if max(map(len, lines)) > width:
        lines = chart.aligned([table.heads, *table.rows])
    return [ink(table.title, "bold"), ink(lines[0], "dim"), *lines[1:], ""]


def with_bars(table: Table) -> Table:
    """Add a bar after every number, all to one scale."""
    assert table.values is not None
    top = np.abs(table.values).max()
    rows = [
        [row[0], *(f"{cell} {_bar(value / top)}" for cell, value in zip(row[1:], values, strict=True))]
        for row, values in zip(table.rows, table.values, strict=True)
    ]
    heads = [table.heads[0], *(head + " " * (BAR + 1) for head in table.heads[1:])]
    return Table(table.title, heads, rows)


def _bar(share: float) -> str:
    """A bar of this share of the longest; negative ones are hollow."""
    whole, part = divmod(round(abs(share) * BAR * len(PARTS)), len(PARTS))
    if share < 0:
        return ("░" * max(round(-share * BAR), 1)).ljust(BAR)
    return ("█" * whole + PARTS[part]).strip().ljust(BAR)


def markdown(table: Table) -> list[str]:
    """A table in markdown, with its title."""
    return [f"### {table.title.capitalize()}", "", *markdown_rows(table.heads, table.rows), ""]


def markdown_rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in markdown: the first column to the left, the others to the right."""
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return [f"| {' | '.join(cells)} |" for cells in [heads, rule, *rows]]
