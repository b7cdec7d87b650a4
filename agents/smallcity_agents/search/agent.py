"""The base of `rollout` and `mcts`: options, proposals, sequential halving at the root, evaluation."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng

from .. import AgentError
from ..agent import Actions, Agent, Streams
from ..greedy import answer_values
from ..policy import net_of, priors
from . import leaves
from .halving import Priors, SequentialHalving, Simulate
from .playouts import GREEDY, Playouts

MOST_SIMS = 1_000_000  # per decision
LARGEST = 1_000_000  # of weights and temperatures, and seconds
PRIOR_FLOOR = 1e-4  # added to a net's probabilities before the logarithm


@dataclass
class SearchAgent(Agent):
    """The options of a search; its budget is `sims` or, if given, `seconds` per decision."""

    sims: int = 256  # simulations per decision, approximately
    seconds: float = 0.0  # per decision; 0: use sims
    width: int = 12  # candidates: the answers with the highest priors
    playouts: str = "greedy"
    rounds: int = 1  # of a playout after the current round; 99: to the end of the game; -1: no playout
    proposals: str = GREEDY  # where priors come from: greedy, policy or a checkpoint
    trust: float = 0.04  # weight of the log-probability of a net's proposals in the value of an answer
    leaves: str = GREEDY  # evaluates unfinished games: greedy, value_net, policy or the file of a net

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sims < 1 or self.width < 1 or min(self.seconds, self.trust) < 0:
            raise AgentError(f"{self.label} needs sims and width of at least 1, no negative seconds or trust")
        if self.sims > MOST_SIMS or not usable(self.seconds, self.trust):
            raise AgentError(f"{self.label} has at most {MOST_SIMS:,} sims, and finite seconds and trust")
        self.evaluate = Playouts(self.playouts, self.rounds, self.leaves)
        if self.proposals != GREEDY:
            net_of(leaves.path_of(self.proposals))  # refuses a missing checkpoint at once

    def search(
        self,
        states: States,
        seats: Actions,
        legal: Mask,
        streams: Streams,
        simulate: Simulate,
        parallel: Callable[[int], int],
    ) -> Actions:
        """The best candidate of each game by sequential halving; advances the streams."""
        streams[:] = rng.streams(streams)
        prior, bonus = self._propose(states, seats, legal, streams)
        candidates = top(prior, legal, self.width)
        root = SequentialHalving(states, seats, streams, candidates, bonus, simulate, parallel)
        return root.run(self.sims, self.seconds)

    def _propose(
        self, states: States, seats: Actions, legal: Mask, streams: Streams
    ) -> tuple[Priors, Priors]:
        """The prior of each answer, and the bonus added to its simulated value."""
        if self.proposals == GREEDY:
            return prior(states, seats, legal, streams), np.zeros(legal.shape)
        probabilities, _ = priors(states, seats, legal, leaves.path_of(self.proposals))
        log_prior = np.log(probabilities + PRIOR_FLOOR)
        return log_prior, self.trust * log_prior


def usable(*amounts: float) -> bool:
    """Whether all are finite, not negative and not so large that they overflow."""
    return all(0 <= amount <= LARGEST for amount in amounts)


def prior(
    states: States,
    seats: Actions,
    legal: Mask,
    streams: Streams,
    weights: Any | None = None,
    which: Actions | None = None,
) -> Priors:
    """Greedy's value of each answer; the one greedy would choose ranks first."""
    favourite, values = answer_values(states, seats, legal, streams.copy(), weights, which)
    values[np.arange(len(states)), favourite] += 1
    return values


def top(prior: Priors, legal: Mask, width: int) -> npt.NDArray[np.bool_]:
    """The `width` legal answers with the highest priors in each game."""
    order = np.argsort(-np.where(legal, prior, -np.inf), axis=1, kind="stable")
    highest = np.zeros(legal.shape, np.bool_)
    np.put_along_axis(highest, order[:, :width], True, axis=1)
    return highest & legal
