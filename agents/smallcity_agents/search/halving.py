"""Sequential halving: simulate all candidates equally often, drop the worse half, until one is left."""

import time
from abc import ABC, abstractmethod
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


class Halving(ABC):
    """The candidates of a batch of games: visits and values.

    Every game has its own halvings and shares, so it does not depend on the rest of the batch.
    """

    def __init__(self, candidates: Mask, bonus: Priors) -> None:
        self.candidates, self.bonus = candidates, bonus
        self.halvings = np.ceil(np.log2(self.left())).astype(np.int64)
        self.visits = np.zeros(candidates.shape, np.int64)
        self.sums = np.zeros(candidates.shape)

    @abstractmethod
    def simulate(self, times: Actions) -> None:
        """Simulate the candidates of each game this many times; games with one candidate are skipped."""

    @abstractmethod
    def at_once(self) -> int:
        """The number of simulations of each candidate between two checks of the clock."""

    def run(self, sims: int, seconds: float) -> Actions:
        """The best candidate of each game, on a budget of `seconds` per game or, if 0, of `sims`."""
        halvings = int(self.halvings.max())
        for _ in range(halvings):
            if seconds:
                self._run_for(seconds / halvings)
            else:
                self._run_share(self.shares(sims))
            self.halve()
        return np.asarray(self.means().argmax(axis=1), np.int64)

    def _run_share(self, left: Actions) -> None:
        """Simulate each candidate of a game as often as its share."""
        while left.any():
            now = np.minimum(left, self.at_once())
            self.simulate(now)
            left -= now

    def _run_for(self, seconds: float) -> None:
        """Simulate until every undecided game has had its time, every candidate at least once."""
        spent, now = 0.0, time.perf_counter()  # by each of them
        while undecided := int((self.left() > 1).sum()):
            self.simulate(np.full(len(self.candidates), self.at_once()))
            before, now = now, time.perf_counter()
            spent += (now - before) / undecided
            if spent >= seconds:
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

    def means(self) -> npt.NDArray[np.float64]:
        """The mean value of each candidate plus its bonus; -inf for dropped ones."""
        return np.where(self.candidates, self.sums / np.maximum(self.visits, 1) + self.bonus, -np.inf)

    def halve(self) -> None:
        """Drop the worse half of the candidates in each game."""
        keep = (self.left() + 1) // 2
        place = np.argsort(np.argsort(-self.means(), axis=1, kind="stable"), axis=1, kind="stable")
        self.candidates &= place < keep[:, None]


@dataclass
class Simulations:
    """Candidates to simulate, each in a fork of its game."""

    games: Actions  # index in the batch
    forks: States
    seats: Actions
    actions: Actions
    seeds: Streams
    legal: Mask


Simulate = Callable[[Simulations], Values]  # returns the value for every seat, 0 to 1 (n, SEATS)


class SequentialHalving(Halving):
    """Simulations in forks of the games, a batch of them at a time.

    `parallel` maps the number of candidates to the number of simulations of each that run at once.
    """

    def __init__(
        self,
        states: States,
        seats: Actions,
        streams: Streams,
        candidates: Mask,
        bonus: Priors,
        play: Simulate,
        parallel: Callable[[int], int],
    ) -> None:
        super().__init__(candidates, bonus)
        self.states, self.seats, self.streams = states, seats, streams
        self._play, self._parallel = play, parallel
        self._forked = np.zeros(len(states), np.uint64)

    def at_once(self) -> int:
        """The number of simulations of each candidate that run at once."""
        return self._parallel(self.open())

    def simulate(self, times: Actions) -> None:
        """Simulate the candidates of each game this many times, all candidates in the same forks."""
        rows, answers = np.nonzero(self.candidates & ((self.left() > 1) & (times > 0))[:, None])
        each = np.repeat(np.arange(len(rows)), times[rows])
        games, actions = rows[each], answers[each]
        begins = np.cumsum(times[rows]) - times[rows]
        number = (np.arange(len(each)) - begins[each]).astype(np.uint64) + self._forked[games]
        self._forked += times.astype(np.uint64)
        seeds, seats = rng.streams(self.streams[games] + number), self.seats[games]
        forks = batch.fork(batch.take(self.states, games), seats, seeds)
        values = self._play(Simulations(games, forks, seats, actions, seeds, batch.masks(forks)))
        np.add.at(self.visits, (games, actions), 1)
        np.add.at(self.sums, (games, actions), values[np.arange(len(games)), seats])
