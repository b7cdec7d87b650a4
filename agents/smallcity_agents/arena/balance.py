"""The value of choices: how often seats take a card, build a tile or enter a council row, and how they fare.

    tables = balance.tables(results)  # of games of one set-up

Seats of one table are compared with each other: a seat's *lead* is its score less the mean score of its
table. Games on one seed share their chance, so intervals are clustered by seed, as in standings.py.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.rules.tables import (
    COLUMNS,
    DEATH_LEVELS,
    ELIMINATED_AT,
    POWER_START_MONEY,
    START_MONEY,
    Card,
    Row,
)
from smallcity_env.rules.tables.cards import BASE_CARDS, CARD_NAMES, DIFFICULTIES
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import KINDS, NAMES, Kind

from . import stats
from .chart import with_error
from .report import Table
from .results import Result
from .standings import half_interval, interval
from .stats import Floats, Ints, Seats

MORE: Final = "one more"
CHOSE: Final = "seats"  # that chose it at least once
HEADS: Final = ("times a seat", CHOSE, "lead", MORE, "first", "95 %")
DANGER: Final = DEATH_LEVELS[len(DEATH_LEVELS) // 2]
PAST: Final = f"games past pollution {DANGER}"
BASE_TILES: Final = range(1, Kind.AIRPORT_8)  # shown even if nobody builds them
LEAST: Final = 10  # seeds: an interval from fewer would be too narrow
NAN: Final = math.nan
TINY: Final = 1e-9  # a rounding error


@dataclass(frozen=True)
class SeatResults:
    """How n seats fared, with all seats of every table."""

    seed: npt.NDArray[np.uint64]
    game: Ints
    lead: Floats
    win: Floats  # 1 for a first place; a shared one counts in part
    turn: Ints  # place in the first turn order, from 1; 0: unknown

    @classmethod
    def of(cls, results: Sequence[Result]) -> "SeatResults":
        """The seats of these games, in the order of stats.seats."""
        seats = [len(result.agents) for result in results]
        firsts = [np.array(result.places) == 0 for result in results]
        return cls(
            np.repeat(np.array([result.seed for result in results], np.uint64), seats),
            np.repeat(np.arange(len(results)), seats),
            np.concatenate([np.array(result.scores) - np.mean(result.scores) for result in results]),
            np.concatenate([first / first.sum() for first in firsts]),
            np.array([turn for result in results for turn in _turn_order(result)], np.int64),
        )


def _turn_order(result: Result) -> list[int]:
    """The place of each seat in the first turn order, from 1; 0: not on file."""
    return [0] * len(result.agents) if result.turns is None else [turn + 1 for turn in result.turns]


@dataclass(frozen=True)
class Choice:
    """How often something was chosen, and how the seats fared that chose it; nan: unknown."""

    times: float  # per seat and game
    share: float  # of seats that chose it at least once
    lead: float  # mean of those seats
    lead_error: float  # half the 95 % interval, like the other error
    more: float  # points that go with having one more of it than the others in the game
    more_error: float
    first: float  # share of first places among those seats
    interval: tuple[float, float]

    def cells(self) -> list[str]:
        """The columns of HEADS."""
        lead, more = _signed(self.lead, self.lead_error), _signed(self.more, self.more_error)
        return [f"{self.times:.2f}", f"{self.share:.0%}", lead, more, *_shares(self.first, self.interval)]


def choice(counts: npt.NDArray[Any], outcome: SeatResults) -> Choice:
    """The value of a choice, from how often each seat made it."""
    chose = counts > 0
    if not chose.any():
        return Choice(0.0, 0.0, NAN, NAN, NAN, NAN, NAN, (NAN, NAN))
    seed, lead = outcome.seed[chose], outcome.lead[chose]
    more, more_error = one_more(counts, outcome)
    first, within = share(outcome.win[chose], seed)
    return Choice(
        times=float(counts.mean()),
        share=float(chose.mean()),
        lead=float(lead.mean()),
        lead_error=_half(seed, lead),
        more=more,
        more_error=more_error,
        first=first,
        interval=within,
    )


def one_more(counts: npt.NDArray[Any], outcome: SeatResults) -> tuple[float, float]:
    """The slope of leads over counts, and half its 95 % interval.

    Seats are compared with those of their table, with the effect of their place in the turn order removed.
    """
    within = _centred(counts, outcome.game)
    beyond, lead = _centred(within, outcome.turn), _centred(outcome.lead, outcome.turn)
    scatter = float((beyond**2).sum())
    if scatter < TINY:
        return NAN, NAN
    slope = float((beyond * lead).sum()) / scatter
    error = _half(outcome.seed, beyond * (lead - slope * beyond)) * len(beyond) / scatter
    differing = np.unique(outcome.seed[np.abs(within) > TINY])
    return slope, error if len(differing) >= LEAST else NAN


def _centred(values: npt.NDArray[Any], groups: Ints) -> Floats:
    """Values less the mean of their group."""
    means = np.bincount(groups, values) / np.maximum(np.bincount(groups), 1)
    return np.asarray(values - means[groups], np.float64)


def share(flags: npt.NDArray[Any], seed: npt.NDArray[Any]) -> tuple[float, tuple[float, float]]:
    """The mean of flags, which may be fractions, and its 95 % interval."""
    _, at = np.unique(seed, return_inverse=True)
    return float(flags.mean()), interval(np.bincount(at, flags), np.bincount(at))


def _half(seed: npt.NDArray[Any], values: Floats) -> float:
    """Half the 95 % interval of a mean; nan with too few seeds."""
    if len(np.unique(seed)) < LEAST:
        return NAN
    return half_interval(list(zip(seed.tolist(), values.tolist(), strict=True)))


# -- tables


def overview(groups: dict[str, list[Result]]) -> Table:
    """A row for each set-up, to compare victory conditions, which a whole table shares."""
    heads = ["", "games", "score", "best over second", "promises kept", PAST, "seats eliminated"]
    rows = [[f"{n}: {name}", *_summary(results)] for n, (name, results) in enumerate(groups.items(), start=1)]
    return Table("set-ups and victory conditions", heads, rows)


def _summary(results: Sequence[Result]) -> list[str]:
    """The columns of `overview`."""
    who, seed = stats.seats(results), np.array([result.seed for result in results], np.uint64)
    margin = np.array([float(best - second) for second, best in (sorted(r.scores)[-2:] for r in results)])
    held = who.promises.reshape(-1, 2)
    return [
        f"{len(results):,}",
        with_error(float(who.score.mean()), _half(who.seed, who.score.astype(float))),
        with_error(float(margin.mean()), _half(seed, margin)),
        *_kept(held[held[:, 0] != stats.NONE, 1]),
        f"{_games_past(who, results):.0%}",
        f"{(who.out > 0).mean():.1%}",
    ]


def _games_past(who: Seats, results: Sequence[Result]) -> float:
    """The share of games in which somebody's pollution reached DANGER."""
    games = np.repeat(np.arange(len(results)), [len(result.agents) for result in results])
    return len(np.unique(games[np.nanmax(who.pollution, axis=1) >= DANGER])) / len(results)


def side_by_side(by_group: Mapping[str, Sequence[Table]]) -> list[Table]:
    """Who chose everything and, with its interval, what one more is worth: a column for each group."""
    collected: dict[str, dict[str, dict[str, str]]] = {}
    for head, group in by_group.items():
        for table in group:
            for row in table.rows if MORE in table.heads else ():
                cells = dict(zip(table.heads, row, strict=True))
                worth = f", {cells[MORE]}" if "±" in cells[MORE] else ""
                collected.setdefault(table.title, {}).setdefault(row[0], {})[head] = cells[CHOSE] + worth
    return [
        Table(
            f"{title}: {CHOSE}, {MORE}",
            ["", *by_group],
            [[name, *(cells.get(head, "-") for head in by_group)] for name, cells in rows.items()],
        )
        for title, rows in collected.items()
    ]


def tables(results: Sequence[Result]) -> list[Table]:
    """All tables about games of one set-up with two or more players."""
    who, outcome = stats.seats(results), SeatResults.of(results)
    complete = [result for result in results if result.turns and result.council]
    return [
        _cards(who, outcome),
        _tiles(who, outcome),
        *_promises(who, outcome),
        *(_council(complete) if complete else []),
        *([_turns(complete)] if complete else []),
        _elimination(who),
    ]


def _chosen(title: str, counts: Iterable[tuple[str, npt.NDArray[Any]]], outcome: SeatResults) -> Table:
    """A row for each thing, from its name and how often each seat chose it."""
    return Table(title, ["", *HEADS], [[name, *choice(own, outcome).cells()] for name, own in counts])


def _cards(who: Seats, outcome: SeatResults) -> Table:
    taken = stats.one_hot(who.cards, len(Card)).sum(axis=1)
    shown = [card for card in CARD_NAMES if card <= BASE_CARDS or taken[:, card].any()]
    return _chosen("action cards taken", ((CARD_NAMES[card], taken[:, card]) for card in shown), outcome)


def _tiles(who: Seats, outcome: SeatResults) -> Table:
    built = who.built[:, 1:].sum(axis=1)  # without printed tiles and City Hall
    shown = [Kind(k) for k in range(1, KINDS) if k in BASE_TILES or built[:, k].any()]
    return _chosen("tiles built and upgraded to", ((NAMES[kind], built[:, kind]) for kind in shown), outcome)


def _promises(who: Seats, outcome: SeatResults) -> Iterator[Table]:
    """The difficulty, which is chosen, and the promises drawn; with how often they were kept."""
    worth = np.array([BY_NUMBER[number].worth if number else 0 for number in who.promises[:, 0]])
    rows = [
        [f"difficulty {difficulty}", *_kept(who.promises[held, 1]), *choice(held, outcome).cells()]
        for difficulty in DIFFICULTIES
        for held in [worth == difficulty]
    ]
    yield Table("difficulty of the promise", ["", "kept", *HEADS], rows)
    rows = []
    for kept in stats.promises(who):
        promise, which = BY_NUMBER[kept.number], 2 * BY_NUMBER[kept.number].special
        held = who.promises[:, which] == kept.number
        name = f"{promise.number:>2} {promise.name} ({promise.worth})"
        rows.append([name, f"{kept.kept / kept.held:.0%}", *choice(held, outcome).cells()])
    yield Table("promises drawn", ["", "kept", *HEADS], rows)


def _kept(kept: Ints) -> list[str]:
    return [f"{kept.mean():.0%}" if len(kept) else "-"]


def _council(results: Sequence[Result]) -> Iterator[Table]:
    """How far the discs got: by row, where `one more` is a column, and by row and column."""
    outcome = SeatResults.of(results)
    reached = np.array([columns for result in results for columns in result.council or ()])
    names = [row.name.lower() for row in Row]
    yield _chosen("council rows: final column", ((names[row], reached[:, row]) for row in Row), outcome)
    spaces = ((row, column) for row in Row for column in range(1, COLUMNS + 1))
    ended = ((f"{names[row]} {column}", reached[:, row] == column) for row, column in spaces)
    yield _chosen("council spaces where discs ended", ended, outcome)


def _turns(results: Sequence[Result]) -> Table:
    """Whether it helps to go first: seats by their place in the turn order of round 1."""
    outcome, config = SeatResults.of(results), results[0].config
    money = POWER_START_MONEY if "power_plants" in config.modules else START_MONEY
    places = [(f"{n}, with ${money[n - 1]}", outcome.turn == n) for n in range(1, config.players + 1)]
    return _chosen("turn order of round 1", places, replace(outcome, turn=np.zeros_like(outcome.turn)))


def _elimination(who: Seats) -> Table:
    """How often pollution eliminates, and how often it nearly does."""
    last = np.where(who.out > 0, who.out, who.played.sum(axis=1) - 1)
    level = who.pollution[np.arange(len(who)), last]
    worst = np.nanmax(np.diff(who.pollution, axis=1), axis=1)
    stayed = who.out == 0
    counted = {
        f"eliminated: reached {ELIMINATED_AT}": ~stayed,
        f"stayed in, but passed the last mark before it, {DEATH_LEVELS[-1]}": stayed
        & (level >= DEATH_LEVELS[-1]),
        "stayed in, but one more round like their worst eliminates them": stayed
        & (level + worst >= ELIMINATED_AT),
    }
    rows = [
        [name, f"{int(seats.sum()):,} of {len(who):,}", *_shares(*share(seats.astype(float), who.seed), 1)]
        for name, seats in counted.items()
    ]
    return Table("elimination", ["", "seats", "share", "95 %"], rows)


# -- cells


def _signed(mean: float, error: float) -> str:
    return "-" if math.isnan(mean) else with_error(mean, error, sign="+")


def _shares(mean: float, within: tuple[float, float], digits: int = 0) -> list[str]:
    """A share and its interval."""
    low, high = within
    return ["-", "-"] if math.isnan(mean) else [f"{mean:.{digits}%}", f"{low:.{digits}%} - {high:.{digits}%}"]
