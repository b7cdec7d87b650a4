"""`rollout`: flat Monte Carlo. Every promising answer is tried out in many possible futures, and the
worse half is given up again and again (sequential halving) until one is left.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS

from . import AgentError
from .agent import Actions, Agent, Streams
from .greedy import choose
from .judge.weights import TUNED, weights_of
from .policy import net_of, priors
from .search import leaves
from .search.playouts import GREEDY, Playouts, Values

Liked = npt.NDArray[np.float64]
DOUBT = 1e-4  # no answer is thought less likely than this
TOGETHER = 512  # futures played at once: enough to be fast, few enough to stay in the cache


@dataclass
class Tries:
    """Answers to be tried out, each in a future of its own."""

    games: Actions  # which game of the batch
    forks: States
    seats: Actions
    actions: Actions
    seeds: Streams
    legal: Mask


@dataclass
class Rollout(Agent):
    """Tries answers out in many possible futures; the budget is `sims` or, if given, `seconds`."""

    label = "rollout"
    description = "flat Monte Carlo: answers tried out in many possible futures, by sequential halving"
    sims: int = 256  # futures a decision, about
    seconds: float = 0.0  # a decision; 0: go by sims
    width: int = 12  # answers tried out: those liked best
    playouts: str = "greedy"
    rounds: int = 1  # played on in a future before it is judged; 99: to the end
    proposals: str = GREEDY  # who says which answers are worth trying: greedy, policy or a checkpoint
    trust: float = 0.04  # in a net's proposals: what an answer e times as likely is worth in advance
    leaves: str = GREEDY  # who judges games not played to the end: greedy, policy or a checkpoint

    def __post_init__(self) -> None:
        if self.sims < 1 or self.width < 1 or min(self.seconds, self.trust) < 0:
            raise AgentError(f"{self.label} needs sims and width of at least 1, no negative seconds or trust")
        self.evaluate = Playouts(self.playouts, self.rounds, self.leaves)
        if self.proposals != GREEDY:
            net_of(leaves.file_of(self.proposals))  # a missing checkpoint is refused at once

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The answer whose futures were best, for each game."""
        streams[:] = rng.streams(streams)
        liked, trust = self._propose(states, seats, legal, streams)
        field = Field(states, seats, streams, best(liked, legal, self.width), trust)
        self.begin(len(states))
        halvings = int(field.halvings.max())
        for _ in range(halvings):
            if self.seconds:
                self._try_for(field, self.seconds * len(states) / halvings)
            else:
                self._try_out(field)
            field.halve()
        return field.best()

    def _propose(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> tuple[Liked, Liked]:
        """How much each answer is liked before it is tried out, and how much that counts later."""
        if self.proposals == GREEDY:
            return liked_by_greedy(states, seats, legal, streams), np.zeros(legal.shape)
        likely, _ = priors(states, seats, legal, leaves.file_of(self.proposals))
        liked = np.log(likely + DOUBT)
        return liked, self.trust * liked

    def _try_out(self, field: "Field") -> None:
        """A share of the futures, equally for all answers still in."""
        left = field.shares(self.sims)
        while left.any():
            now = np.minimum(left, self.together(field.tried()))
            field.try_out(self.carry_on, now)
            left -= now

    def _try_for(self, field: "Field", seconds: float) -> None:
        """The same by the clock; at least one future for each answer."""
        until = time.perf_counter() + seconds
        while field.tried():
            field.try_out(self.carry_on, np.full(len(field.states), self.together(field.tried())))
            if time.perf_counter() >= until:
                return

    # -- what a tree search does otherwise

    def together(self, answers: int) -> int:
        """How many futures of each answer are played at once."""
        return max(1, TOGETHER // max(answers, 1))

    def begin(self, games: int) -> None:
        """A new question in so many games."""

    def carry_on(self, tries: Tries) -> Values:
        """Give the answers and see what they come to for every seat, 0 to 1 (n, SEATS)."""
        batch.step(tries.forks, tries.actions, tries.legal)
        return self.evaluate(tries.forks, tries.seats, tries.seeds, tries.legal)


def liked_by_greedy(states: States, seats: Actions, legal: Mask, streams: Streams) -> Liked:
    """What greedy thinks of each answer; the one it would give comes first."""
    values = np.zeros((len(states), ACTIONS))
    favourite = choose(states, seats, legal, streams.copy(), weights_of(TUNED), values=values)
    values[np.arange(len(states)), favourite] += 1
    return values


def best(liked: Liked, legal: Mask, width: int) -> Mask:
    """The answers that are liked best, at most so many in each game."""
    order = np.argsort(-np.where(legal, liked, -np.inf), axis=1, kind="stable")
    found = np.zeros(legal.shape, np.bool_)
    np.put_along_axis(found, order[:, :width], True, axis=1)
    return found & legal


class Field:
    """Answers being tried out in a batch of games: how often, and how well they did.

    A game does not notice the others: its halvings, shares and futures are its own.
    """

    def __init__(
        self, states: States, seats: Actions, streams: Streams, candidates: Mask, trust: Liked
    ) -> None:
        self.states, self.seats, self.streams = states, seats, streams
        self.candidates, self.trust = candidates, trust
        self.halvings = np.ceil(np.log2(self.left())).astype(np.int64)
        self.times = np.zeros(candidates.shape, np.int64)
        self.sums = np.zeros(candidates.shape)
        self._future = np.zeros(len(states), np.uint64)

    def left(self) -> Actions:
        """How many answers are still in, for each game."""
        return np.asarray(self.candidates.sum(axis=1), np.int64)

    def tried(self) -> int:
        """How many answers are tried out at once, in all games."""
        left = self.left()
        return int(left[left > 1].sum())

    def shares(self, sims: int) -> Actions:
        """How many futures each answer gets before the next halving, for each game; none when decided."""
        left = self.left()
        return np.where(left > 1, -(-sims // (np.maximum(self.halvings, 1) * left)), 0)

    def try_out(self, carry_on: Callable[[Tries], Values], futures: Actions) -> None:
        """Try the answers of each game in some futures: the same ones for all answers to a question."""
        rows, answers = np.nonzero(self.candidates & ((self.left() > 1) & (futures > 0))[:, None])
        each = np.repeat(np.arange(len(rows)), futures[rows])
        games, actions = rows[each], answers[each]
        begins = np.cumsum(futures[rows]) - futures[rows]
        number = (np.arange(len(each)) - begins[each]).astype(np.uint64) + self._future[games]
        self._future += futures.astype(np.uint64)
        seeds, seats = rng.streams(self.streams[games] + number), self.seats[games]
        forks = batch.fork(batch.take(self.states, games), seats, seeds)
        worths = carry_on(Tries(games, forks, seats, actions, seeds, batch.masks(forks)))
        np.add.at(self.times, (games, actions), 1)
        np.add.at(self.sums, (games, actions), worths[np.arange(len(games)), seats])

    def means(self) -> npt.NDArray[np.float64]:
        """How well each answer did, and what is thought of it anyway; those given up lost."""
        return np.where(self.candidates, self.sums / np.maximum(self.times, 1) + self.trust, -np.inf)

    def halve(self) -> None:
        """Give up the worse half of the answers in each game."""
        keep = (self.left() + 1) // 2
        place = np.argsort(np.argsort(-self.means(), axis=1, kind="stable"), axis=1, kind="stable")
        self.candidates &= place < keep[:, None]

    def best(self) -> Actions:
        """The answer that is left."""
        return np.asarray(self.means().argmax(axis=1), np.int64)
