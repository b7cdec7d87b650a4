"""Calls of the compiled functions (rules/entries.py) with the arrays of callers: converted, or refused."""

import threading
from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from . import arguments
from .arguments import ArgumentError
from .library import Entry
from .rules.entries import DONE, UNFIT, result
from .rules.tables import SEATS

States: TypeAlias = "np.ndarray[Any, Any]"
Mask: TypeAlias = npt.NDArray[np.bool_]
Ints: TypeAlias = npt.NDArray[np.int64]

MOST_KEPT: Final = 1024  # games


def change(entry: Entry, states: States, *given: Any, seats: Ints | None = None) -> int:
    """Call a function that changes games; return the first one whose action is illegal, or DONE."""
    games = arguments.games(states)
    status = call(entry, games, *given, seats=seats)
    if status == DONE:
        arguments.give_back(games, states)
    return status


def read(entry: Entry, states: States, *given: Any) -> None:
    """Call a function that only reads games."""
    call(entry, arguments.games(states, written=False), *given)


def call(entry: Entry, games: States, *given: Any, seats: Ints | None = None) -> int:
    """Call a function; refuses records that are not games, and seats without a player."""
    status: int = entry(games, *given)
    if status == UNFIT:
        raise ArgumentError(describe_misfit(games, seats))
    return status


def describe_misfit(games: States, seats: Ints | None = None) -> str:
    """One sentence about the first record that is not a game, or the first seat without a player."""
    for game, players in enumerate(games["rules"]["players"].tolist()):
        if not 0 < players <= SEATS:
            return f"game {game} is not a game: it has {players} players instead of 1 to {SEATS}"
        if seats is not None and not 0 <= seats[game] < players:
            return arguments.no_seat(int(seats[game]), game, players)
    raise AssertionError("these games fit")


def in_threads(play: Callable[[], None], workers: int, stop: threading.Event) -> None:
    """Run a function in several threads; what one of them raises stops them all."""
    from concurrent.futures import ThreadPoolExecutor  # one thread needs none, and starts sooner

    with ThreadPoolExecutor(workers) as pool:
        try:
            for thread in [pool.submit(play) for _ in range(workers)]:
                thread.result()
        except BaseException:
            stop.set()
            raise


class Repeated:
    """A function bound to two arrays of the caller and a buffer of whole numbers of its own.

    Checking arrays takes longer than a step of one game: those of the last call are not checked again. They
    are kept until then, unless they are large.
    """

    def __init__(self, entry: Entry, *order: int) -> None:
        self._entry, self._order = entry, order  # which of the three the function takes first, second, third
        self.last: tuple[Any, ...] = (None,) * 5  # the arrays, the buffer, its memory, the bound function

    def run(self, first: Any, second: Any, buffer: Ints) -> int:
        """Run with these arrays, and remember them."""
        given = (first, second, buffer)
        bound = self._entry.bind(*(given[i] for i in self._order))
        status: int = bound()
        if len(buffer) <= MOST_KEPT:
            self.last = *given, buffer.data, bound
        return status


class Results(NamedTuple):
    """How games stand for every seat, or have ended, (n, 4) each."""

    scores: Ints
    places: Ints  # 0 is first; ties share a place
    ends: Ints  # entries.OUT, OVER or 0
    leads: Ints  # over the best other seat still in the game
    ranks: npt.NDArray[np.float32]  # +1 for the first place down to -1 for the last, ties sharing the mean
    shown: Ints  # scores, or what everybody sees of them while the game goes on
    won: Ints  # 1 for the first place of a game that is over; alone: for a title (SO1)


_last_results: tuple[Any, ...] = (None,) * 6  # states, count, rows, whole results, ranks, bound function


def results_of(states: States, n: int) -> tuple[Any, ...]:
    """Room for n rows and their results, and what fills it; those of the last call if they fit."""
    global _last_results
    last, *kept = _last_results
    if last is states and n <= len(kept[1]):
        return tuple(kept)
    games, count = arguments.games(states, written=False), np.zeros(1, np.int64)
    rows = np.zeros(max(n, len(states)), np.int64)
    whole, ranks = np.zeros((6, len(rows), SEATS), np.int64), np.zeros((len(rows), SEATS), np.float32)
    bound = count, rows, whole, ranks, result.bind(games, count, rows, *whole[:4], ranks, *whole[4:])
    if games is states and len(rows) <= MOST_KEPT:
        _last_results = states, *bound
    return bound
