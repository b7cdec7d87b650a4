"""`mcts`: a tree search in which every seat seeks its own best (max-n).

At the root the answers are tried out as `rollout` tries them, the worse half given up again and again.
Below it grows a tree: answers come into it in the order greedy likes them, more of them the more often
their question is met (progressive widening), and what did well is followed more often. Each walk starts
from a fork of the game: chance is drawn anew, and so is everything the seat cannot see.
"""

from dataclasses import dataclass

import numpy as np

from smallcity_env import batch
from smallcity_env.rules.actions import ACTIONS

from .agent import Actions
from .greedy import choose
from .judge.weights import TUNED, weights_of
from .rollout import Rollout, Tries
from .search import tree
from .search.playouts import Values

LEAVES = 4  # walks below each answer at the same time
ROOM = 1 << 13  # answers in a tree when only the clock sets the limit


@dataclass
class Mcts(Rollout):
    """Searches a tree; the budget is `sims` or, if given, `seconds` a decision."""

    label = "mcts"
    description = "a max-n tree search over possible futures, with progressive widening"
    explore: float = 0.03
    widen: float = 0.5

    def together(self, answers: int) -> int:
        """Few: walks that go down together do not learn from one another."""
        return LEAVES

    def begin(self, games: int) -> None:
        """A new tree for each game."""
        self.forest = tree.Forest(games, ROOM if self.seconds else 2 * self.sims + self.width)

    def carry_on(self, tries: Tries) -> Values:
        """Walk down the trees, play on from where they end, and let the trees learn from it."""
        walks, paths = self._descend(tries)
        worths = self.evaluate(tries.forks, tries.seats, tries.seeds, tries.legal)
        tree.learn(self.forest.edges, walks, paths, worths)
        return worths

    def _descend(self, tries: Tries) -> tuple[np.ndarray, Actions]:
        """Take answers until every walk has left its tree; the walks, and the answers on their way."""
        forest, n = self.forest, len(tries.games)
        walks = np.zeros(n, tree.WALK)
        walks["tree"] = tries.games
        paths, values = np.zeros((n, tree.DEEPEST), np.int64), np.zeros((n, ACTIONS))
        actions = tries.actions.copy()
        while True:
            tree.walk(forest.nodes, forest.edges, forest.sizes, tries.forks, tries.legal, values,
                      self.explore, self.widen, walks, paths, actions)  # fmt: skip
            batch.step(tries.forks, actions, tries.legal)
            tree.arrive(forest.nodes, forest.edges, forest.sizes, tries.forks, tries.legal, self.widen,
                        walks, paths)  # fmt: skip
            if (walks["at"] < 0).all():
                return walks, paths
            self._judge(tries, np.flatnonzero(walks["grows"]), values)

    def _judge(self, tries: Tries, rows: Actions, values: np.ndarray) -> None:
        """What greedy thinks of the answers where another one may be tried: their order."""
        forks, found = batch.take(tries.forks, rows), np.zeros((len(rows), ACTIONS))
        seats, streams = forks["seat"].astype(np.int64), tries.seeds[rows]
        choose(forks, seats, tries.legal[rows], streams, weights_of(TUNED), values=found)
        values[rows] = found
