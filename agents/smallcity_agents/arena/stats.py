"""What results tell about a strategy, as arrays: one row for every seat of every game.

    >>> from agents import stats
    >>> seats = stats.load("runs/arena.jsonl")        # doctest: +SKIP
    >>> seats.of("greedy").votes.mean(axis=0)         # by round; nan: no game came so far  # doctest: +SKIP

Counts by round are those of the round itself; tracks (votes, pollution, money) stand as they did at its
end. A round that a seat did not play, because its game was over or it was eliminated before, is
`nan` in tracks and 0 in counts; `played` says which rounds it was in.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .game_stats import ROUNDS, TRACKS, Books
from .results import Result, read, unpack

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
NONE = 0  # as a promise: there was none


@dataclass(frozen=True)
class Seats:
    """n seats of games that were played; the first axis is the seat."""

    agent: npt.NDArray[np.str_]
    seed: Ints
    seat: Ints
    score: Ints
    place: Ints  # from 0
    out: Ints  # the round of elimination, 0: never
    played: npt.NDArray[np.bool_]  # (n, ROUNDS): rounds the seat was in; round 0 is the set-up
    promises: Ints  # (n, 4): number and 1 if kept, of the promise and of the special one
    votes: Floats  # (n, ROUNDS), and so are the next two
    pollution: Floats
    money: Floats
    sources: Ints  # (n, ROUNDS, Source): votes
    cards: Ints  # (n, ROUNDS)
    built: Ints  # (n, ROUNDS, KINDS): tiles laid; gone: covered or demolished; ruined: spaces marked
    gone: Ints
    ruined: Ints
    eaten: Ints  # (n, ROUNDS), and so are the next two: people, materials, citizens
    spoiled: Ints
    died: Ints

    def __len__(self) -> int:
        return len(self.agent)

    def where(self, rows: npt.NDArray[Any]) -> "Seats":
        """Some of the seats, by index or flag."""
        return Seats(*(getattr(self, column.name)[rows] for column in fields(self)))

    def of(self, agent: str) -> "Seats":
        """The seats of one agent."""
        return self.where(self.agent == agent)

    @property
    def agents(self) -> list[str]:
        """Who played, in the order of the results."""
        return list(dict.fromkeys(self.agent.tolist()))


def load(path: str | Path) -> Seats:
    """The seats of every game in a file of results."""
    return seats(read(Path(path)))


def seats(results: Sequence[Result]) -> Seats:
    """The seats of these games."""
    at = np.array([(g, p) for g, result in enumerate(results) for p in range(len(result.agents))], np.int64)
    game, seat = at.reshape(-1, 2).T
    books = unpack([result.books for result in results])
    out = _flat(result.out for result in results)
    rounds = np.array([result.rounds for result in results], np.int64)[game]
    last = np.where(out > 0, out, rounds)
    played = np.arange(ROUNDS) <= last[:, None]
    tracks = (np.where(played, books.tracks[game, t, seat], np.nan) for t in range(len(TRACKS)))
    return Seats(
        np.array([name for result in results for name in result.agents], np.str_),
        np.array([result.seed for result in results], np.int64)[game],
        seat,
        _flat(result.scores for result in results),
        _flat(result.places for result in results),
        out,
        played,
        _flat(result.promises for result in results).reshape(len(at), -1),
        *tracks,
        *(getattr(books, column.name)[game, seat] for column in fields(Books) if column.name != "tracks"),
    )


def _flat(lists: Iterable[Sequence[Any]]) -> Ints:
    """One row for each seat."""
    return np.array([entry for by_seat in lists for entry in by_seat], np.int64)


# -- tables of means: what is counted, by agent or by round


def by_agent(counts: npt.NDArray[Any], who: Seats) -> Floats:
    """Means over a whole game of counts (n, ROUNDS, things): (things, agents)."""
    sums = counts.sum(axis=1)
    return np.array([sums[who.agent == agent].mean(axis=0) for agent in who.agents]).T


def by_round(counts: npt.NDArray[Any], who: Seats) -> Floats:
    """Means of counts (n, ROUNDS, things) in every round, of the seats that were in it: (things, ROUNDS)."""
    playing = np.maximum(who.played.sum(axis=0), 1)
    means: Floats = (counts * who.played[:, :, None]).sum(axis=0).T / playing
    return means


def one_hot(values: Ints, things: int) -> Ints:
    """Values (n, ROUNDS) as counts (n, ROUNDS, things)."""
    return np.asarray(values[:, :, None] == np.arange(things), np.int64)


@dataclass(frozen=True)
class Kept:
    """How a promise fared in the hands of one agent."""

    number: int
    held: int
    kept: int


def promises(who: Seats) -> list[Kept]:
    """Every promise that was held, by number."""
    held = who.promises.reshape(-1, 2)
    numbers = np.unique(held[held[:, 0] != NONE, 0])
    return [Kept(int(n), int((held[:, 0] == n).sum()), int(held[held[:, 0] == n, 1].sum())) for n in numbers]
