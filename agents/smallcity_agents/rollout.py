"""`rollout`: flat Monte Carlo. Candidates are simulated in many forks of the game, by sequential halving."""

from dataclasses import dataclass

from smallcity_env import batch
from smallcity_env.batch import Mask, States

from .agent import Actions, Streams, checked, where_asked
from .search.agent import SearchAgent
from .search.halving import Simulations
from .search.playouts import Values

PARALLEL = 512  # simulations at once: enough to be fast, few enough to stay in the cache


@dataclass
class Rollout(SearchAgent):
    """Plays the candidate with the best playouts."""

    label = "rollout"
    description = "flat Monte Carlo: candidates simulated in many possible futures, by sequential halving"

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The candidate with the best playouts, for each game."""
        return self.search(
            states, seats, legal, streams, self.simulate, lambda n: max(1, PARALLEL // max(n, 1))
        )

    def simulate(self, sims: Simulations) -> Values:
        """Play each candidate and a playout after it; return the value for every seat, 0 to 1 (n, SEATS)."""
        batch.step(sims.forks, sims.actions, sims.legal)
        return self.evaluate(sims.forks, sims.seats, sims.seeds, sims.legal)
