"""`mcts`: a tree search in which every seat maximises its own value (max-n).

The root is searched by sequential halving. Below it grows a tree: answers enter in the order greedy ranks
them, more of them the more often their question is visited (progressive widening), and are selected by UCB.
Each simulation starts from a fork of the game, which resamples chance and everything the seat cannot see.
"""

from dataclasses import dataclass

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules.actions import ACTIONS

from . import AgentError
from .agent import Actions, Streams, checked, where_asked
from .greedy import answer_values
from .search import tree
from .search.agent import SearchAgent, usable
from .search.halving import Simulations
from .search.playouts import Values

PARALLEL = 4  # simulations of each candidate at once: few, as they do not learn from one another
ROOM = 1 << 13  # edges of a tree when time is the only limit


@dataclass
class Mcts(SearchAgent):
    """Plays the candidate with the best tree."""

    label = "mcts"
    description = "a max-n tree search over possible futures, with progressive widening"
    explore: float = 0.03
    widen: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not usable(self.explore, self.widen):
            raise AgentError(f"explore and widen of {self.label} must be finite and not negative")

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The candidate with the best tree, for each game."""
        room = 2 * self.sims + min(self.width, ACTIONS)
        self.forest = tree.new_forest(len(states), ROOM if self.seconds else room)
        return self.search(states, seats, legal, streams, self.simulate, lambda n: PARALLEL)

    def simulate(self, sims: Simulations) -> Values:
        """Descend each tree, play on from its leaf, and back up the value for every seat (n, SEATS)."""
        descents, paths = self._descend(sims)
        values = self.evaluate(sims.forks, sims.seats, sims.seeds, sims.legal)
        tree.backup(self.forest.edges, descents, paths, values)
        return values

    def _descend(self, sims: Simulations) -> tuple[np.ndarray, Actions]:
        """Select answers until every simulation has left its tree; return the descents and their edges."""
        n = len(sims.games)
        descents = np.zeros(n, tree.DESCENT)
        descents["tree"] = sims.games
        paths, values = np.zeros((n, tree.MAX_DEPTH), np.int64), np.zeros((n, ACTIONS))
        actions = sims.actions.copy()
        while True:
            tree.select(self.forest, sims.forks, sims.legal, values, self.explore, self.widen,
                        descents, paths, actions)  # fmt: skip
            batch.step(sims.forks, actions, sims.legal)
            tree.expand(self.forest, sims.forks, sims.legal, self.widen, descents, paths)
            if (descents["at"] < 0).all():
                return descents, paths
            rows = np.flatnonzero(descents["expandable"])
            forks = batch.take(sims.forks, rows)
            seats = forks["seat"].astype(np.int64)
            values[rows] = answer_values(forks, seats, sims.legal[rows], sims.seeds[rows])[1]
