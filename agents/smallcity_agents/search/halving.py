"""Sequential halving: simulate all candidates equally often, drop the worse half, until one is left."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng

from ..agent import Actions, Streams
from .playouts import Values

Priors = npt.NDArray[np.float64]


@dataclass
class Simulations:
    """Candidates to simulate, each in a fork of its game."""

    games: Actions  # index in the batch
    forks: States
    seats: Actions
    actions: Actions
    seeds: Streams
    legal: Mask


Simulate = Callable[[Simulations], Values]  # play the candidates; the value for every seat, 0 to 1 (n, SEATS)


class SequentialHalving:
    """The candidates of a batch of games: visits and values.

    Every game has its own halvings, shares and forks, so it does not depend on the rest of the batch.
    """

    def __init__(
        self, states: States, seats: Actions, streams: Streams, candidates: Mask, bonus: Priors
    ) -> None:
        self.states, self.seats, self.streams = states, seats, streams
        self.candidates, self.bonus = candidates, bonus
        self.halvings = np.ceil(np.log2(self.left())).astype(np.int64)
        self.visits = np.zeros(candidates.shape, np.int64)
        self.sums = np.zeros(candidates.shape)
        self._forked = np.zeros(len(states), np.uint64)

    def run(self, simulate: Simulate, parallel: Callable[[int], int], sims: int, seconds: float) -> Actions:
        """The best candidate of each game, on a budget of `seconds` per game or, if 0, of `sims`.

        `parallel` says how many simulations of each candidate run at once, given the number of candidates.
        """
        halvings = int(self.halvings.max())
        for _ in range(halvings):
            if seconds:
                self._run_for(simulate, parallel, seconds * len(self.states) / halvings)
            else:
                self._run_share(simulate, parallel, self.shares(sims))
            self.halve()
        return np.asarray(self.means().argmax(axis=1), np.int64)

    def _run_share(self, simulate: Simulate, parallel: Callable[[int], int], left: Actions) -> None:
        """Simulate each candidate of a game as often as its share."""
        while left.any():
            now = np.minimum(left, parallel(self.open()))
            self.simulate(simulate, now)
            left -= now

    def _run_for(self, simulate: Simulate, parallel: Callable[[int], int], seconds: float) -> None:
        """Simulate until the time is up, each candidate at least once."""
        until = time.perf_counter() + seconds
        while self.open():
            self.simulate(simulate, np.full(len(self.states), parallel(self.open())))
            if time.perf_counter() >= until:
                return

    def left(self) -> Actions:
        """The number of candidates left in each game."""
        return np.asarray(self.candidates.sum(axis=1), np.int64)

    def open(self) -> int:
        """The number of candidates in all undecided games."""
        left = self.left()
        return int(left[left > 1].sum())

    def shares(self, sims: int) -> Actions:
        """Simulations of each candidate before the next halving, for each game; 0 when decided."""
        left = self.left()
        return np.where(left > 1, -(-sims // (np.maximum(self.halvings, 1) * left)), 0)

    def simulate(self, simulate: Simulate, times: Actions) -> None:
        """Simulate the candidates of each game this many times, all candidates in the same forks."""
        rows, answers = np.nonzero(self.candidates & ((self.left() > 1) & (times > 0))[:, None])
        each = np.repeat(np.arange(len(rows)), times[rows])
        games, actions = rows[each], answers[each]
        begins = np.cumsum(times[rows]) - times[rows]
        number = (np.arange(len(each)) - begins[each]).astype(np.uint64) + self._forked[games]
        self._forked += times.astype(np.uint64)
        seeds, seats = rng.streams(self.streams[games] + number), self.seats[games]
        forks = batch.fork(batch.take(self.states, games), seats, seeds)
        values = simulate(Simulations(games, forks, seats, actions, seeds, batch.masks(forks)))
        np.add.at(self.visits, (games, actions), 1)
        np.add.at(self.sums, (games, actions), values[np.arange(len(games)), seats])

    def means(self) -> npt.NDArray[np.float64]:
        """The mean value of each candidate plus its bonus; -inf for dropped ones."""
        return np.where(self.candidates, self.sums / np.maximum(self.visits, 1) + self.bonus, -np.inf)

    def halve(self) -> None:
        """Drop the worse half of the candidates in each game."""
        keep = (self.left() + 1) // 2
        place = np.argsort(np.argsort(-self.means(), axis=1, kind="stable"), axis=1, kind="stable")
        self.candidates &= place < keep[:, None]
