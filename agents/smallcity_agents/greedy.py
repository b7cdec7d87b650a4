"""`greedy`: the answer that is worth most by a readable evaluation (agents/judge), and its personalities."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, States
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from .agent import Actions, Agent, Streams
from .judge import judge_all
from .judge.schema import FIGURES
from .judge.weights import TUNED, WORTH, weights_of

_FIGURES = np.dtype((np.record, FIGURES))  # made once: numba looks each new dtype over again
_NO_WORTHS = np.zeros((0, SEATS), np.float32)
_NO_MASKS = np.zeros((0, ACTIONS), np.bool_)


def _figures() -> Any:
    """Room for the figures of a city, and of the same city after an answer."""
    return np.zeros(2, _FIGURES)


def choose(
    states: States,
    seats: Actions,
    legal: Mask,
    streams: Streams,
    weights: Any,
    which: Actions | None = None,
    values: npt.NDArray[np.float64] | None = None,
) -> Actions:
    """The best answer of each game, judged by the row `which` of the weights; all values in `values`.

    SKIP where no answer is legal.
    """
    chosen = np.zeros(len(states), np.int64)
    rows = np.zeros(len(states), np.int64) if which is None else which
    scratch = np.zeros((1, ACTIONS)) if values is None else values
    judge_all(states, seats, legal, weights, rows, _figures(), scratch, streams, chosen, _NO_WORTHS)
    return chosen


def worth(states: States, viewers: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """The score each seat is heading for, (n, 4), from what the viewer of each game may see."""
    return worth_by(states, viewers, weights_of(WORTH))


def worth_by(states: States, viewers: npt.ArrayLike, weights: Any) -> npt.NDArray[np.float32]:
    """The same by other weights."""
    n = len(states)
    out = np.zeros((n, SEATS), np.float32)
    who = np.array(np.broadcast_to(np.asarray(viewers, np.int64), n))
    rows, streams = np.zeros(n, np.int64), np.zeros(0, np.uint64)
    judge_all(states, who, _NO_MASKS, weights, rows, _figures(), np.zeros((1, ACTIONS)), streams, rows, out)
    return out


@dataclass
class Greedy(Agent):
    """Plays the answer that is worth most to its city; `style` is a personality."""

    label = "greedy"
    description = "the answer worth most by a readable evaluation of the city"
    style: str = TUNED

    def __post_init__(self) -> None:
        self.weights = weights_of(self.style)

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The best answer of each game."""
        return choose(states, seats, legal, streams, self.weights)


@dataclass
class Builder(Greedy):
    """Homes, and more homes."""

    label = "builder"
    description = "greedy with a love of residences"
    style: str = "builder"


@dataclass
class Industrialist(Greedy):
    """Factories and what they make."""

    label = "industrialist"
    description = "greedy with a love of factories"
    style: str = "industrialist"


@dataclass
class Green(Greedy):
    """Parks and clean air."""

    label = "green"
    description = "greedy with a love of parks"
    style: str = "green"


@dataclass
class Culture(Greedy):
    """Schools, museums, a university."""

    label = "culture"
    description = "greedy with a love of cultural buildings"
    style: str = "culture"


@dataclass
class Merchant(Greedy):
    """Shops and money."""

    label = "merchant"
    description = "greedy with a love of shops"
    style: str = "merchant"
