"""Search the root of a batch of games by sequential halving, with simulations in compiled code.

All candidates are simulated equally often, then the worse half is dropped, until one is left. Every game has
its own halvings, so it does not depend on the rest of the batch, and a fixed number of trees, grown
separately and merged at the root; threads share the trees among them, which does not change the result. With
Gumbel noise (Danihelka et al., 2022) the candidates are a sample without replacement, and the improved policy
is the training target of a net.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from math import ceil, log2
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from ..agent import Actions, Streams
from .improve import Priors
from .schema import new_work
from .simulate import simulate
from .stopping import Chunks
from .tree import Forest, new_forest

if TYPE_CHECKING:
    from .agent import Search

CHUNK: Final = 64  # simulations of a tree between two checks of the clock
AT_ONCE: Final = 1024  # ... of all trees: compiled code ignores signals, and this takes a tenth of a second
FADE: Final = 50  # visits of the most visited candidate after which priors count half
TIMED_ROOM: Final = 1 << 17  # edges of a tree when time is the only limit; pages are touched as it grows


class Root:
    """The candidates of a batch of games: visits and values."""

    def __init__(
        self,
        states: States,
        seats: Actions,
        streams: Streams,
        candidates: Mask,
        bonus: Priors,
        options: "Search",
    ) -> None:
        self.states, self.candidates, self.bonus, self.options = states, candidates, bonus, options
        self.halvings = np.ceil(np.log2(self.left())).astype(np.int64)
        self.trees = options.trees
        self.sims = -(-options.sims // self.trees)  # of each tree
        n = len(states) * self.trees
        self.games = np.repeat(np.arange(len(states)), self.trees)  # of every tree
        self.seats = np.asarray(seats, np.int64)[self.games]
        tree = np.tile(np.arange(self.trees, dtype=np.uint64), len(states))
        self.streams = rng.streams(streams[self.games] ^ (tree << np.uint64(32)))
        most = self.sims + 2 * int(self.left().max())  # every simulation adds an edge
        self.forest = new_forest(n, TIMED_ROOM if options.seconds else most)
        self.tree_visits, self.tree_sums = np.zeros((n, ACTIONS), np.int64), np.zeros((n, ACTIONS, SEATS))
        self._parts = _equal_parts(n, min(options.threads, n))  # the trees of each thread
        self._work = [new_work(options.net) for _ in self._parts]
        self._forests = [Forest(*(array[part] for array in self.forest)) for part in self._parts]
        self._forked = np.zeros(n, np.uint64)
        self._chunks = Chunks()
        self._merge()

    # -- sequential halving

    def best(self) -> Actions:
        """Spend the budget; return the best candidate of each game.

        Every halving has the same time, so a decision between few candidates takes less of it.
        """
        halvings = int(self.halvings.max())
        seconds = self.options.seconds / max(halvings, ceil(log2(self.options.candidates)), 1)
        for _ in range(halvings):
            if seconds:
                self._run_for(seconds)
            else:
                self._run_share(self.shares())
            self.halve()
        return np.asarray(self.means().argmax(axis=1), np.int64)

    def _run_share(self, left: Actions) -> None:
        """Simulate each candidate of a game as often as its share."""
        while left.any():
            now = np.minimum(left, self._at_once())
            self.simulate(now)
            left -= now

    def _run_for(self, seconds: float) -> None:
        """Simulate until every undecided game has had its time, every candidate at least once."""
        spent, now = 0.0, time.perf_counter()  # by each of them
        while undecided := int((self.left() > 1).sum()):
            self.simulate(np.full(len(self.candidates), self._at_once()))
            before, now = now, time.perf_counter()
            spent += (now - before) / undecided
            if spent >= seconds:
                return

    def _at_once(self) -> int:
        """The number of simulations of each candidate in one call: fewer if the clock is to be checked."""
        most = AT_ONCE * len(self._parts) // self.trees
        if self.options.seconds:
            most = min(CHUNK * len(self.games), AT_ONCE)
        left = self.left()
        return max(1, most // max(int(left[left > 1].sum()), 1))

    def left(self) -> Actions:
        """The number of candidates left in each game."""
        return np.asarray(self.candidates.sum(axis=1), np.int64)

    def shares(self) -> Actions:
        """Simulations of each candidate before the next halving, for each game; 0 when decided."""
        left = self.left()
        return np.where(left > 1, -(-self.sims // (np.maximum(self.halvings, 1) * left)), 0)

    def means(self) -> npt.NDArray[np.float64]:
        """The mean value of each candidate plus its fading bonus; -inf for dropped ones."""
        fade = 1 / (1 + self.visits.max(axis=1, keepdims=True) / FADE)
        values = self.sums / np.maximum(self.visits, 1) + fade * self.bonus
        return np.where(self.candidates, values, -np.inf)

    def halve(self) -> None:
        """Drop the worse half of the candidates in each game."""
        keep = (self.left() + 1) // 2
        place = np.argsort(np.argsort(-self.means(), axis=1, kind="stable"), axis=1, kind="stable")
        self.candidates &= place < keep[:, None]

    # -- simulations

    def simulate(self, times: Actions) -> None:
        """Simulate the candidates of each undecided game this many times in each of its trees."""
        number = np.arange(int(times.max()), dtype=np.uint64) + (self.streams + self._forked)[:, None]
        seeds = rng.streams(number).reshape(number.shape)
        each = np.where(self.left() > 1, times, 0)[self.games]
        self._forked += each.astype(np.uint64)
        candidates = np.ascontiguousarray(self.candidates[self.games])
        rows = (self.games, self.seats, seeds, each, candidates, self.tree_visits, self.tree_sums)
        given = (self.options.settings, self.options.weights, self.options.net, self.states)

        def run(forest: Forest, work: Any, part: slice) -> None:
            simulate(forest, work, *given, *(array[part] for array in rows))

        before = self.sums
        _in_threads(run, self._forests, self._work, self._parts)
        self._merge()
        if self.options.seconds:
            self._chunks.add(self.sums - before, each[:: self.trees])
            self.candidates &= ~self._chunks.beaten(self.means())

    def _merge(self) -> None:
        """Sum over the trees of every game."""
        shape = (len(self.states), self.trees)
        self.visits = self.tree_visits.reshape(*shape, ACTIONS).sum(axis=1)
        self.seat_sums = self.tree_sums.reshape(*shape, ACTIONS, SEATS).sum(axis=1)
        games, own = np.arange(len(self.states)), self.seats.reshape(shape)[:, 0]
        self.sums = self.seat_sums[games, :, own]

    # -- results

    def sample(self, noise: Priors) -> Actions:
        """The candidate with the highest value plus noise, among all that were simulated."""
        values = self.sums / np.maximum(self.visits, 1) + noise
        tried = (self.visits > 0) | self.candidates
        return np.asarray(np.where(tried, values, -np.inf).argmax(axis=1), np.int64)

    def outcomes(self) -> npt.NDArray[np.float64]:
        """The mean outcome of every candidate for every seat (n, ACTIONS, SEATS); nan without a visit."""
        visits = self.visits[:, :, None]
        return np.where(visits > 0, self.seat_sums / np.maximum(visits, 1), np.nan)


def _equal_parts(n: int, parts: int) -> list[slice]:
    """The numbers below n, divided into equal parts as far as possible."""
    return [slice(a, b) for a, b in pairwise(np.linspace(0, n, parts + 1, dtype=int))]


def _in_threads(run: Callable[..., None], *parts: list[Any]) -> None:
    """Run every part, each on its own thread if there are several; the first on this one."""
    (first, *others) = zip(*parts, strict=True)
    waiting = [_pool(len(others)).submit(run, *part) for part in others]
    run(*first)
    for other in waiting:
        other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads, reused by all searches."""
    return ThreadPoolExecutor(threads)
