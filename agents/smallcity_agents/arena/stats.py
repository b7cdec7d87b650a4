"""Results as arrays: one row for every seat of every game.

    >>> from smallcity_agents.arena import stats
    >>> seats = stats.load("runs/arena.jsonl")        # doctest: +SKIP
    >>> seats.of("greedy").votes.mean(axis=0)         # by round; nan: no game got there  # doctest: +SKIP

Counts are per round; tracks (votes, pollution, money) are values at the end of a round. A round that a seat
did not play, because its game was over or it was eliminated, is `nan` in tracks and 0 in counts; `played`
tells which rounds it played.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .game_stats import ROUNDS, TRACKS, GameStats
from .results import Result, read, unpack

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
NONE = 0  # number of no promise


@dataclass(frozen=True)
class Seats:
    """n seats of played games; the first axis is the seat."""

    agent: npt.NDArray[np.str_]
    seed: npt.NDArray[np.uint64]
    seat: Ints
    score: Ints
    place: Ints  # from 0
    out: Ints  # round of elimination; 0: never
    played: npt.NDArray[np.bool_]  # (n, ROUNDS); round 0 is the set-up
    promises: Ints  # (n, 4): promise, 1 if kept, special promise, 1 if kept
    votes: Floats  # (n, ROUNDS), like the next two
    pollution: Floats
    money: Floats
    sources: Ints  # (n, ROUNDS, VoteSource): votes
    cards: Ints  # (n, ROUNDS)
    built: Ints  # (n, ROUNDS, KINDS), like the next two: tiles built, tiles gone, spaces ruined
    gone: Ints
    ruined: Ints
    eaten: Ints  # (n, ROUNDS), like the next two: people, materials, citizens
    spoiled: Ints
    died: Ints

    def __len__(self) -> int:
        return len(self.agent)

    def where(self, rows: npt.NDArray[Any]) -> "Seats":
        """Select seats by index or mask."""
        return Seats(*(getattr(self, column.name)[rows] for column in fields(self)))

    def of(self, agent: str) -> "Seats":
        """The seats of one agent."""
        return self.where(self.agent == agent)

    @property
    def agents(self) -> list[str]:
        """The agents, in order of first appearance."""
        return list(dict.fromkeys(self.agent.tolist()))


def load(path: str | Path) -> Seats:
    """All seats in a file of results."""
    return seats(read(Path(path)))


def seats(results: Sequence[Result]) -> Seats:
    """All seats of these games."""
    at = np.array([(g, p) for g, result in enumerate(results) for p in range(len(result.agents))], np.int64)
    game, seat = at.reshape(-1, 2).T
    stats = unpack([result.stats for result in results])
    out = _flat(result.out for result in results)
    rounds = np.array([result.rounds for result in results], np.int64)[game]
    last = np.where(out > 0, out, rounds)
    played = np.arange(ROUNDS) <= last[:, None]
    tracks = (np.where(played, stats.tracks[game, t, seat], np.nan) for t in range(len(TRACKS)))
    return Seats(
        np.array([name for result in results for name in result.agents], np.str_),
        np.array([result.seed for result in results], np.uint64)[game],
        seat,
        _flat(result.scores for result in results),
        _flat(result.places for result in results),
        out,
        played,
        _flat(result.promises for result in results).reshape(len(at), -1),
        *tracks,
        *(getattr(stats, column.name)[game, seat] for column in fields(GameStats) if column.name != "tracks"),
    )


def _flat(lists: Iterable[Sequence[Any]]) -> Ints:
    """One row for each seat."""
    return np.array([entry for by_seat in lists for entry in by_seat], np.int64)


# -- means by agent or by round


def by_agent(counts: npt.NDArray[Any], who: Seats) -> Floats:
    """Mean counts (n, ROUNDS, things) per game: (things, agents)."""
    sums = counts.sum(axis=1)
    return np.array([sums[who.agent == agent].mean(axis=0) for agent in who.agents]).T


def by_round(counts: npt.NDArray[Any], who: Seats) -> Floats:
    """Mean counts (n, ROUNDS, things) per round, over the seats that played it: (things, ROUNDS)."""
    playing = np.maximum(who.played.sum(axis=0), 1)
    means: Floats = (counts * who.played[:, :, None]).sum(axis=0).T / playing
    return means


def one_hot(values: Ints, things: int) -> Ints:
    """Values (n, ROUNDS) as counts (n, ROUNDS, things)."""
    return np.asarray(values[:, :, None] == np.arange(things), np.int64)


@dataclass(frozen=True)
class Kept:
    """How often a promise was held and kept."""

    number: int
    held: int
    kept: int


def promises(who: Seats) -> list[Kept]:
    """All promises held, by number."""
    held = who.promises.reshape(-1, 2)
    numbers = np.unique(held[held[:, 0] != NONE, 0])
    return [Kept(int(n), int((held[:, 0] == n).sum()), int(held[held[:, 0] == n, 1].sum())) for n in numbers]
