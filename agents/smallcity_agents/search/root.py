"""Search the root of a batch of games in compiled code, on one thread or several.

Every game has a fixed number of trees, grown separately and merged at the root; threads share the trees among
them, which does not change the result. The root is searched by sequential halving over the answers with the
highest priors; with Gumbel noise (Danihelka et al., 2022) its candidates are a sample without replacement,
and the improved policy is the training target of a net.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, log2
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from ..agent import Actions, Streams
from ..evaluation.weights import search_weights
from ..value_net.forward import ValueNet
from .halving import Halving, Priors
from .schema import Work, new_work
from .simulate import simulate
from .stopping import Chunks
from .tree import Forest, new_forest

CHUNK: Final = 64  # simulations of a tree between two checks of the clock
AT_ONCE: Final = 1024  # ... of all trees: compiled code ignores signals, and this takes a tenth of a second
FADE: Final = 50  # visits of the most visited candidate after which priors count half
TIMED_ROOM: Final = 1 << 17  # edges of a tree when time is the only limit; pages are touched as it grows


@dataclass(frozen=True)
class Budget:
    """The budget of a search per game."""

    sims: int
    seconds: float = 0.0  # 0: use sims
    trees: int = 1
    threads: int = 1
    width: int = 1  # candidates that need all of the time; fewer need less


class Root(Halving):
    """The candidates of a batch of games, simulated in compiled code."""

    def __init__(
        self,
        states: States,
        seats: Actions,
        streams: Streams,
        candidates: Mask,
        bonus: Priors,
        settings: Any,
        net: ValueNet,
        budget: Budget,
    ) -> None:
        super().__init__(candidates, bonus)
        self.states, self.settings, self.net, self.budget = states, settings, net, budget
        n = len(states) * budget.trees
        self.games = np.repeat(np.arange(len(states)), budget.trees)  # of every tree
        self.seats = np.asarray(seats, np.int64)[self.games]
        tree = np.tile(np.arange(budget.trees, dtype=np.uint64), len(states))
        self.streams = rng.streams(streams[self.games] ^ (tree << np.uint64(32)))
        self.forest = new_forest(n, self._room())
        self.tree_visits, self.tree_sums = np.zeros((n, ACTIONS), np.int64), np.zeros((n, ACTIONS, SEATS))
        self._parts = _equal_parts(n, min(budget.threads, n))  # the trees of each thread
        self._work = [new_work(net) for _ in self._parts]
        self._forests = [Forest(*(array[part] for array in self.forest)) for part in self._parts]
        self._forked = np.zeros(n, np.uint64)
        self._chunks = Chunks()
        self._merge()

    def _room(self) -> int:
        """The most edges a tree can need: every simulation adds one."""
        width = int(self.left().max())
        share = -(-self.budget.sims // self.budget.trees)
        return TIMED_ROOM if self.budget.seconds else share + 2 * width

    def best(self) -> Actions:
        """Spend the budget; return the best candidate of each game.

        Every halving has the same time, so a decision between few candidates takes less of it.
        """
        halvings = int(self.halvings.max())
        most = max(halvings, ceil(log2(self.budget.width)), 1)
        return self.run(-(-self.budget.sims // self.budget.trees), self.budget.seconds * halvings / most)

    def sample(self, noise: Priors) -> Actions:
        """The candidate with the highest value plus noise, among all that were simulated."""
        values = self.sums / np.maximum(self.visits, 1) + noise
        tried = (self.visits > 0) | self.candidates
        return np.asarray(np.where(tried, values, -np.inf).argmax(axis=1), np.int64)

    def outcomes(self) -> npt.NDArray[np.float64]:
        """The mean outcome of every candidate for every seat (n, ACTIONS, SEATS); nan without a visit."""
        visits = self.visits[:, :, None]
        return np.where(visits > 0, self.seat_sums / np.maximum(visits, 1), np.nan)

    def at_once(self) -> int:
        """The number of simulations of each candidate in one call: fewer if the clock is to be checked."""
        most = AT_ONCE * len(self._parts) // self.budget.trees
        if self.budget.seconds:
            most = min(CHUNK * len(self.games), AT_ONCE)
        return max(1, most // max(self.open(), 1))

    def simulate(self, times: Actions) -> None:
        """Simulate the candidates of each game this many times in each of its trees."""
        number = np.arange(int(times.max()), dtype=np.uint64) + (self.streams + self._forked)[:, None]
        seeds = rng.streams(number).reshape(number.shape)
        each = np.where(self.left() > 1, times, 0)[self.games]
        self._forked += each.astype(np.uint64)
        candidates = np.ascontiguousarray(self.candidates[self.games])
        rows = (self.games, self.seats, seeds, each, candidates, self.tree_visits, self.tree_sums)

        def run(forest: Forest, work: Work, part: slice) -> None:
            trees = (array[part] for array in rows)
            simulate(forest, work, self.settings, search_weights(), self.net, self.states, *trees)

        before = self.sums
        _in_threads(run, self._forests, self._work, self._parts)
        self._merge()
        if self.budget.seconds:
            self._chunks.add(self.sums - before, each[:: self.budget.trees])
            self.candidates &= ~self._chunks.beaten(self.means())

    def _merge(self) -> None:
        """Sum over the trees of every game."""
        shape = (len(self.states), self.budget.trees)
        self.visits = self.tree_visits.reshape(*shape, ACTIONS).sum(axis=1)
        self.seat_sums = self.tree_sums.reshape(*shape, ACTIONS, SEATS).sum(axis=1)
        games, own = np.arange(len(self.states)), self.seats.reshape(shape)[:, 0]
        self.sums = self.seat_sums[games, :, own]

    def means(self) -> npt.NDArray[np.float64]:
        """The mean value of each candidate plus its fading bonus; -inf for dropped ones."""
        fade = 1 / (1 + self.visits.max(axis=1, keepdims=True) / FADE)
        values = self.sums / np.maximum(self.visits, 1) + fade * self.bonus
        return np.where(self.candidates, values, -np.inf)


def _equal_parts(n: int, parts: int) -> list[slice]:
    """The numbers below n, divided into equal parts as far as possible."""
    edges = np.linspace(0, n, parts + 1, dtype=int)
    return [slice(a, b) for a, b in pairwise(edges)]


def _in_threads(run: Callable[..., None], *parts: list[Any]) -> None:
    """Run every part, each on its own thread if there are several; the first on this one."""
    (first, *others) = zip(*parts, strict=True)
    if not others:
        run(*first)
        return
    waiting = [_pool(len(others)).submit(run, *part) for part in others]
    run(*first)
    for other in waiting:
        other.result()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Threads, reused by all searches."""
    return ThreadPoolExecutor(threads)
