"""`rollout`: flat Monte Carlo. Every promising answer is tried out in many possible futures, and the
worse half is given up again and again (sequential halving) until one is left.
"""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from smallcity_env import batch, rng
from smallcity_env.actions import ACTIONS
from smallcity_env.batch import Mask, States

from . import AgentError
from .agent import Actions, Agent, Streams
from .greedy import choose
from .playouts import TO_THE_END, Playouts
from .weights import TUNED, weights_of

TOGETHER = 512  # futures played at once: enough to be fast, few enough to stay in the cache


@dataclass
class Rollout(Agent):
    """Tries answers out in many possible futures; the budget is `sims` or, if given, `seconds`."""

    label = "rollout"
    description = "flat Monte Carlo: answers tried out in many possible futures, by sequential halving"
    sims: int = 256  # futures a decision
    seconds: float = 0.0  # a decision; 0: go by sims
    width: int = 12  # answers tried out: the best in greedy's eyes
    playouts: str = "greedy"
    rounds: int = TO_THE_END

    def __post_init__(self) -> None:
        if self.sims < 1 or self.width < 1 or self.seconds < 0:
            raise AgentError("rollout needs sims and width of at least 1 and no negative seconds")
        self.evaluate = Playouts(self.playouts, self.rounds)

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The answer whose futures were best, for each game."""
        streams[:] = rng.streams(streams)
        field = Field(states, seats, legal, streams, promising(states, seats, legal, streams, self.width))
        halvings = max(1, int(np.ceil(np.log2(field.most()))))
        for halving in range(halvings):
            if field.most() == 1:
                break
            self._try_out(field, halving, halvings)
            field.halve()
        return field.best()

    def _try_out(self, field: "Field", halving: int, halvings: int) -> None:
        """One share of the budget, given equally to all answers still in."""
        if self.seconds:
            until = time.perf_counter() + self.seconds * len(field.states) / halvings
            while time.perf_counter() < until:
                field.try_out(self.evaluate, max(1, TOGETHER // field.tried()))
        else:
            each = -(-self.sims // (halvings * field.most()))
            at_once = max(1, TOGETHER // field.tried())
            for done in range(0, each, at_once):
                field.try_out(self.evaluate, min(at_once, each - done))


def promising(states: States, seats: Actions, legal: Mask, streams: Streams, width: int) -> Mask:
    """The answers that look best to greedy, at most so many in each game."""
    values = np.zeros((len(states), ACTIONS))
    favourite = choose(states, seats, legal, streams.copy(), weights_of(TUNED), values=values)
    values[np.arange(len(states)), favourite] += 1
    return legal & best_of(np.where(legal, values, -np.inf), width)


def best_of(values: npt.NDArray[np.float64], width: int) -> Mask:
    """The highest values of each row, at most so many; earlier ones win ties."""
    order = np.argsort(-values, axis=1, kind="stable")
    best = np.zeros(values.shape, np.bool_)
    np.put_along_axis(best, order[:, :width], True, axis=1)
    return best


class Field:
    """Answers being tried out in a batch of games: how often, and how well they did."""

    def __init__(self, states: States, seats: Actions, legal: Mask, streams: Streams, candidates: Mask):
        self.states, self.seats, self.legal, self.streams = states, seats, legal, streams
        self.candidates = candidates
        self.times = np.zeros(candidates.shape, np.int64)
        self.sums = np.zeros(candidates.shape)
        self._future = np.uint64(0)

    def most(self) -> int:
        """How many answers are still in, in the game with most."""
        return int(self.candidates.sum(axis=1).max())

    def tried(self) -> int:
        """How many answers are tried out at once, in all games."""
        return int(self._open().sum())

    def _open(self) -> Mask:
        """The answers still in; a game with one left needs no more trying."""
        return self.candidates & (self.candidates.sum(axis=1) > 1)[:, None]

    def try_out(self, evaluate: Playouts, futures: int) -> None:
        """Try every answer in some futures: the same ones for all answers to a question."""
        rows, actions = np.nonzero(self._open())
        games, tries = np.tile(rows, futures), np.tile(actions, futures)
        number = np.repeat(np.arange(futures, dtype=np.uint64), len(rows)) + self._future
        self._future += np.uint64(futures)
        seeds = rng.streams(self.streams[games] + number)
        who = self.seats[games]
        forks = batch.fork(batch.take(self.states, games), who, seeds)
        masks = batch.masks(forks)
        batch.step(forks, tries, masks)
        values = evaluate(forks, who, seeds, masks)[np.arange(len(games)), who]
        np.add.at(self.times, (games, tries), 1)
        np.add.at(self.sums, (games, tries), values)

    def means(self) -> npt.NDArray[np.float64]:
        """How well each answer did; those given up lost."""
        return np.where(self.candidates, self.sums / np.maximum(self.times, 1), -np.inf)

    def halve(self) -> None:
        """Give up the worse half of the answers in each game."""
        left = (self.candidates.sum(axis=1) + 1) // 2
        order = np.argsort(np.argsort(-self.means(), axis=1, kind="stable"), axis=1, kind="stable")
        self.candidates &= order < left[:, None]

    def best(self) -> Actions:
        """The answer that is left."""
        return np.asarray(self.means().argmax(axis=1), np.int64)
