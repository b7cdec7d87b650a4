"""`search`: a max-n tree search compiled from root to leaf, and `champion`: its strongest settings.

The root is searched by sequential halving over the answers with the highest priors; below it grows a tree as
in `mcts`. Leaves are valued at once or after a short future. A game depends neither on its batch nor on the
number of threads.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments, batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS

from . import AgentError
from .agent import Actions, Agent, Streams, checked, where_asked
from .evaluation.weights import ROW_BY_PLAYERS, search_weights
from .search.agent import LARGEST, MOST_SIMS, prior, top, usable
from .search.halving import Priors
from .search.improve import TEMPERATURE, gumbel, improved_policy, log_softmax
from .search.leaves import VALUE_NET, value_net
from .search.line import line_of
from .search.playouts import GREEDY
from .search.root import Budget, Root
from .search.schema import DECISIONS, PHASE, ROUND, SETTINGS
from .value_net import model

MOST_TREES: Final = 1024  # and threads
MOST_DIGITS: Final = 6  # of a number of decisions
FUTURES: Final = {  # unit, length, extra rounds in solo games
    "auto": (ROUND, 0, 1),
    "none": (DECISIONS, 0, 0),
    "phase": (PHASE, 0, 0),
    "round": (ROUND, 0, 0),
    "next-round": (ROUND, 1, 0),
}


@dataclass(frozen=True)
class Searched:
    """The results of a search of n games."""

    actions: Actions  # (n,) the best answers
    policy: Priors  # (n, ACTIONS) the improved policy: a target for learning
    visits: npt.NDArray[np.int64]  # (n, ACTIONS)
    values: npt.NDArray[np.float64]  # (n, ACTIONS, SEATS) mean outcomes, 0 to 1; nan without a visit

    root: Root = field(repr=False)

    def line(self, game: int, action: int, most: int = 8) -> list[int]:
        """An answer and the most visited answers after it, of all seats: what the search expects."""
        tree = self._game(game) * self.root.budget.trees
        first = arguments.whole(action, "the answer", 0, ACTIONS - 1)
        return line_of(self.root.forest.nodes[tree], self.root.forest.edges[tree], first, most)

    def value(self, game: int) -> npt.NDArray[np.float64]:
        """The expected outcome of every seat of a game after the best answer."""
        return np.asarray(self.values[self._game(game), self.actions[game]])

    def _game(self, game: int) -> int:
        """The checked number of a searched game."""
        return arguments.whole(game, "the game", 0, len(self.actions) - 1)


@dataclass
class Search(Agent):
    """Plays the candidate with the best tree; its budget is `sims` or, if given, `seconds` per decision."""

    label = "search"
    description = "a max-n tree search in compiled code; the value net evaluates its leaves"
    sims: int = 256  # simulations per decision, approximately
    seconds: float = 0.0  # per decision at most, less for a clear one; 0: use sims
    width: int = 12  # candidates: the answers with the highest priors
    future: str = "auto"  # that greedy plays after a leaf: one of FUTURES, or a number of decisions
    leaves: str = VALUE_NET  # evaluates unfinished games: greedy, value_net or the file of a value net
    explore: float = 0.03
    widen: float = 0.5
    trust: float = 0.01  # weight of the log-probability of the priors in the value of an answer
    noise: float = 0.0  # of Gumbel noise in the choice of candidates; 1: sampled from the prior
    temperature: float = 0.0  # of the choice among the candidates by value; 0: the best
    trees: int = 1  # grown separately and merged at the root
    threads: int = 1  # that share the trees

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.sims, self.width, self.trees, self.threads) < 1:
            raise AgentError(f"{self.label} needs sims, width, trees and threads of at least 1")
        if self.sims > MOST_SIMS or max(self.trees, self.threads) > MOST_TREES:
            most = f"{MOST_SIMS:,} sims, {MOST_TREES:,} trees and {MOST_TREES:,} threads"
            raise AgentError(f"{self.label} has at most {most}")
        amounts = (self.seconds, self.explore, self.widen, self.trust, self.noise, self.temperature)
        if not usable(*amounts):
            most = f"nor more than {LARGEST:,}"
            raise AgentError(f"the options of {self.label} cannot be negative, infinite or nan, {most}")
        self.settings = np.zeros(1, SETTINGS)
        by_net = self.leaves != GREEDY
        self.settings[0] = (self.explore, self.widen, *_future(self.future), by_net)
        self.net = value_net(self.leaves) if by_net else model.blank()

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The candidate with the best tree, for each game."""
        return self.search(states, seats, legal, streams).actions

    @checked
    def search(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Searched:
        """Search every game; advances the streams."""
        if not len(states) or not legal.any(axis=1).all():
            raise AgentError(f"{self.label} searches games in which there is a legal answer")
        forks = batch.fork(states, seats, streams)
        if (legal > batch.masks(forks)).any():  # compiled code plays what the mask marks, and checks nothing
            raise AgentError(f"{self.label} was given the masks of other games: they mark illegal answers")
        streams[:] = rng.streams(streams)
        which = ROW_BY_PLAYERS[states["rules"]["players"]]
        values = prior(states, seats, legal, streams, search_weights(), which)
        logits = log_softmax(values / TEMPERATURE, legal)
        noisy = logits + self.noise * gumbel(streams, ACTIONS)
        bonus = self.trust * np.where(legal, noisy, 0)
        budget = Budget(self.sims, self.seconds, self.trees, self.threads, self.width)
        candidates = top(noisy, legal, self.width)
        root = Root(states, seats, streams, candidates, bonus, self.settings, self.net, budget)
        best = root.best()
        if self.temperature:
            best = root.sample(self.temperature * gumbel(rng.streams(streams), ACTIONS))
        policy = improved_policy(logits, legal, root.visits, root.sums)
        return Searched(best, policy, root.visits, root.outcomes(), root)


@dataclass
class Champion(Search):
    """The strongest settings, up to 0.1 s per decision."""

    label = "champion"
    description = "the strongest agent: `search` for up to 0.1 s a decision"
    seconds: float = 0.1


def _future(text: str) -> tuple[int, int, int]:
    """The unit and length of a future, and its extra rounds in solo games."""
    if text.isdecimal() and len(text) <= MOST_DIGITS:
        return DECISIONS, int(text), 0
    if text not in FUTURES:
        known = ", ".join(FUTURES)
        raise AgentError(f"there is no future {text!r}: choose from {known}, or a number of decisions")
    return FUTURES[text]
