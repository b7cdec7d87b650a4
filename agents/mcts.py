"""`mcts`: a tree search in which every seat seeks its own best (max-n).

Each walk down the tree starts from a fork of the game: chance is drawn anew and so is everything the seat
cannot see. Answers come into the tree in the order greedy likes them, more of them the more often their
question is met (progressive widening). Several walks go down together, through the same possible future:
then their answers can be compared.
"""

import time
from dataclasses import dataclass

import numpy as np

from smallcity_env import batch, rng
from smallcity_env.actions import ACTIONS
from smallcity_env.batch import Mask, States

from . import AgentError, tree
from .agent import Actions, Agent, Streams
from .greedy import choose
from .playouts import TO_THE_END, Playouts
from .weights import TUNED, weights_of

ROOM = 1 << 13  # answers in a tree when only the clock sets the limit


@dataclass
class Mcts(Agent):
    """Searches a tree; the budget is `sims` or, if given, `seconds` a decision."""

    label = "mcts"
    description = "a max-n tree search over possible futures, with progressive widening"
    sims: int = 256  # walks a decision
    seconds: float = 0.0  # a decision; 0: go by sims
    leaves: int = 8  # walks through a tree at the same time
    explore: float = 0.25
    widen: float = 1.0
    playouts: str = "greedy"
    rounds: int = TO_THE_END

    def __post_init__(self) -> None:
        if self.sims < 1 or self.leaves < 1 or self.seconds < 0:
            raise AgentError("mcts needs sims and leaves of at least 1 and no negative seconds")
        self.evaluate = Playouts(self.playouts, self.rounds)

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The answer most walks went through, for each game."""
        streams[:] = rng.streams(streams)
        visits, worths = self.search(states, seats, streams)
        return np.asarray((visits + np.clip(worths, 0, 1) / 2).argmax(axis=1), np.int64)

    def search(self, states: States, seats: Actions, streams: Streams) -> tuple[Actions, "np.ndarray"]:
        """How often every answer was tried (n, actions), and what it came to for the seat."""
        self.forest = tree.Forest(len(states), ROOM if self.seconds else self.sims + 1)
        until = time.perf_counter() + self.seconds * len(states)
        walks, future = 0, np.uint64(0)
        while time.perf_counter() < until if self.seconds else walks < self.sims:
            together = self.leaves if self.seconds else min(self.leaves, self.sims - walks)
            self._walk_down(states, seats, streams + future, together)
            walks, future = walks + together, future + np.uint64(1)
        visits, worths = np.zeros((len(states), ACTIONS), np.int64), np.full((len(states), ACTIONS), -1.0)
        tree.tally(self.forest.nodes, self.forest.edges, seats, visits, worths)
        return visits, worths

    def _walk_down(self, states: States, seats: Actions, seeds: Streams, together: int) -> None:
        """Some walks through each tree, all through the same future: down, on to the end, and back up."""
        trees = np.repeat(np.arange(len(states)), together)
        seeds, who = rng.streams(seeds[trees]), seats[trees]
        forks = batch.fork(batch.take(states, trees), who, seeds)
        legal = batch.masks(forks)
        paths, depths = self._descend(trees, forks, legal, seeds.copy())
        worths = self.evaluate(forks, who, seeds, legal)
        tree.learn(self.forest.edges, trees, paths, depths, worths)

    def _descend(self, trees: Actions, forks: States, legal: Mask, streams: Streams) -> tuple[Actions, Actions]:
        """Walk until every walk has left its tree; the answers on the way, and how many."""
        forest, n = self.forest, len(trees)
        at, depths, actions = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.int64)
        paths, values = np.zeros((n, tree.DEEPEST), np.int64), np.zeros((n, ACTIONS))
        weights = weights_of(TUNED)
        while len(rows := np.flatnonzero(at >= 0)):
            seats, found = forks["seat"][rows].astype(np.int64), np.zeros((len(rows), ACTIONS))
            choose(batch.take(forks, rows), seats, legal[rows], streams[rows], weights, values=found)
            values[rows] = found
            tree.walk(
                forest.nodes, forest.edges, forest.sizes, trees, forks, legal, values, self.explore, self.widen,
                at, paths, depths, actions,
            )  # fmt: skip
            batch.step(forks, actions, legal)
            at[batch.over(forks) | (actions == batch.SKIP)] = -1
            tree.arrive(forest.nodes, forest.edges, forest.sizes, trees, forks, at, paths, depths)
        return paths, depths
