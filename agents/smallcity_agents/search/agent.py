"""`search`: a tree search compiled from root to leaf; `champion`, `mcts`, `rollout`: settings of it.

Priors are greedy's values of the answers, or logits of the value net, which learns them from searches. The
root is searched by sequential halving over the answers with the highest priors. Below it grows a tree:
answers enter in the order of their priors, more of them the more often their question is visited
(progressive widening), and are selected by UCB. Each simulation starts from a fork of the game, which
resamples chance and everything the seat cannot see; its leaf is valued at once or after a short playout.

Three models of the other seats: each maximises its own value (max-n); all minimise the searcher's (paranoid);
each gives the answer of highest prior in every fork (priors). The last is a best response to whoever plays by
those priors, up to the depth of the tree; who searches as well departs from them, and is answered less well.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments, batch
from smallcity_env.batch import SKIP, Mask, States, take
from smallcity_env.language import marked
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS

from .. import AgentError
from ..agent import Actions, Agent, Streams, checked, where_asked
from ..evaluation.weights import ROW_BY_PLAYERS, SOLO, TUNED, VALUE, search_weights
from ..greedy import answer_values
from ..value_net import model
from .improve import TEMPERATURE, Priors, gumbel, improved_policy, log_softmax
from .line import line_of
from .plan import ANY, FREE, Plan
from .root import Root
from .schema import MAX_DEPTH, MAX_N, PARANOID, PRIORS, SETTINGS

GREEDY: Final = "greedy"
MOST_SIMS, MOST_TREES = 1_000_000, 1024  # per decision; of threads, too
LARGEST: Final = 1_000_000  # of weights, temperatures and seconds: far larger ones overflow
PLAYOUTS: Final = {  # rounds after the current one, and how many more in solo games; -1: none
    "auto": (0, 1),
    "none": (-1, 0),
    "round": (0, 0),
    "next-round": (1, 0),
}
OTHERS: Final = {"max-n": MAX_N, "paranoid": PARANOID, "priors": PRIORS}


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
        tree = self._game(game) * self.root.trees
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
    description = marked("a max-n tree search in compiled code; the value net evaluates its leaves")
    styles: ClassVar = (VALUE, SOLO, TUNED)  # of greedy: for leaves, and to play with, by players
    cheats: ClassVar = False  # by searching the game as it is
    sims: int = 256  # simulations per decision, approximately
    seconds: float = 0.0  # per decision at most, less for a clear one; 0: use sims
    candidates: int = 12  # the answers with the highest priors
    playout: str = "auto"  # that greedy plays after a leaf: one of PLAYOUTS
    leaf_value: str = model.VALUE_NET  # evaluates unfinished games: greedy, value_net or a value net's file
    c_ucb: float = 0.03
    widening: float = 0.5
    others: str = "max-n"  # what the other seats do in the tree: one of OTHERS
    depth: int = MAX_DEPTH  # answers of a simulation in its tree, at most
    prior_net: float = 0.0  # weight of the net's priors, 0 to 1; greedy's have the rest
    prior_weight: float = 0.01  # of the log-probability of the priors in the value of an answer
    noise: float = 0.0  # of Gumbel noise in the choice of candidates; 1: sampled from the prior
    temperature: float = 0.0  # of the choice among the candidates by value; 0: the best
    trees: int = 1  # grown separately and merged at the root
    threads: int = 1  # that share the trees
    opening: str = FREE  # a style of greedy that plays the first rounds, to see what its plan is worth
    difficulty: int = ANY  # of the promise it always chooses, if there is one left; 0: as it likes

    def __post_init__(self) -> None:
        super().__post_init__()
        if min(self.sims, self.candidates, self.depth, self.trees, self.threads) < 1:
            raise AgentError(f"{self.label} needs sims, candidates, depth, trees and threads of at least 1")
        if self.sims > MOST_SIMS or max(self.trees, self.threads) > MOST_TREES:
            most = f"{MOST_SIMS:,} sims, {MOST_TREES:,} trees and {MOST_TREES:,} threads"
            raise AgentError(f"{self.label} has at most {most}")
        amounts = (self.seconds, self.c_ucb, self.widening, self.prior_weight, self.noise, self.temperature)
        if not all(0 <= amount <= LARGEST for amount in amounts):
            most = f"nor more than {LARGEST:,}"
            raise AgentError(f"the options of {self.label} cannot be negative, infinite or nan, {most}")
        if self.playout not in PLAYOUTS:
            raise AgentError(f"there is no playout {self.playout!r}: choose from {', '.join(PLAYOUTS)}")
        if self.others not in OTHERS:
            raise AgentError(f"there are no others {self.others!r}: choose from {', '.join(OTHERS)}")
        by_net, depth = self.leaf_value != GREEDY, min(self.depth, MAX_DEPTH)
        if not 0 <= self.prior_net <= by_net:
            raise AgentError(f"prior_net of {self.label} must be 0 to 1, and 0 without a value net")
        leaf = (*PLAYOUTS[self.playout], by_net)
        tree = (self.prior_net > 0, OTHERS[self.others], self.cheats)
        self.settings = np.array([(self.c_ucb, self.widening, depth, *leaf, *tree)], SETTINGS)
        self.net = model.named(self.leaf_value) if by_net else model.blank()
        self.weights = search_weights(self.styles)
        self.plan = Plan(self.opening, self.difficulty)

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The candidate with the best tree, for each game, where the plan has no answer."""
        actions = self.plan.answers(states, seats, legal, streams)
        open_ = np.flatnonzero(actions == SKIP)
        if len(open_):
            drawn = streams[open_]
            actions[open_] = self.search(take(states, open_), seats[open_], legal[open_], drawn).actions
            streams[open_] = drawn
        return actions

    @checked
    def search(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Searched:
        """Search every game; advances the streams."""
        if not len(states) or not legal.any(axis=1).all():
            raise AgentError(f"{self.label} searches games in which there is a legal answer")
        forks = states if self.cheats else batch.fork(states, seats, streams)
        if (legal > batch.masks(forks)).any():  # compiled code plays what the mask marks, and checks nothing
            raise AgentError(f"{self.label} was given the masks of other games: they mark illegal answers")
        streams[:] = rng.streams(streams)
        logits = log_softmax(self.prior(forks, seats, legal, streams), legal)
        noisy = logits + self.noise * gumbel(streams, ACTIONS)
        bonus = self.prior_weight * np.where(legal, noisy, 0)
        root = Root(states, seats, streams, top(noisy, legal, self.candidates), bonus, self)
        best = root.best()
        if self.temperature:
            best = root.sample(self.temperature * gumbel(rng.streams(streams), ACTIONS))
        policy = improved_policy(logits, legal, root.visits, root.sums)
        return Searched(best, policy, root.visits, root.outcomes(), root)

    def prior(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Priors:
        """Logits of the answers in forks, by greedy and by the net; greedy's favourite gains a point."""
        which = ROW_BY_PLAYERS[states["rules"]["players"]]
        favourite, values = answer_values(states, seats, legal, streams.copy(), self.weights, which)
        values[np.arange(len(states)), favourite] += 1
        logits = values / TEMPERATURE
        if self.prior_net:
            learned = model.priors(states, seats, legal, self.net, self.weights)
            logits += self.prior_net * (learned - logits)
        return logits


@dataclass
class Champion(Search):
    """The strongest settings, up to 0.1 s per decision."""

    label = "champion"
    description = marked("the strongest agent: `search` for up to 0.1 s a decision")
    seconds: float = 0.1


@dataclass
class Mcts(Search):
    """Greedy's leaves, after playouts of a round more."""

    label = "mcts"
    description = marked("a tree search by greedy alone: its playouts and its evaluation of leaves")
    styles: ClassVar = (VALUE, TUNED, TUNED)
    playout: str = "next-round"
    leaf_value: str = GREEDY
    prior_weight: float = 0.0


@dataclass
class Rollout(Mcts):
    """The same without a tree."""

    label = "rollout"
    description = marked(
        "flat Monte Carlo: candidates simulated in many possible futures, by sequential halving"
    )
    depth: int = 1


@dataclass
class AllSeeing(Search):
    """Sees promises and what is built behind screens; it is in no list, so no visitor can name it."""

    label = "smallcity_agents.search.agent.AllSeeing"
    description = "search that cheats, to measure what hidden information is worth"
    cheats = True


def top(prior: Priors, legal: Mask, n: int) -> npt.NDArray[np.bool_]:
    """The n legal answers with the highest priors in each game."""
    order = np.argsort(-np.where(legal, prior, -np.inf), axis=1, kind="stable")
    highest = np.zeros(legal.shape, np.bool_)
    np.put_along_axis(highest, order[:, :n], True, axis=1)
    return highest & legal
