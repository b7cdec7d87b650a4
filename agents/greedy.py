"""`greedy`: the answer that is worth most by a readable evaluation (agents/judge)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env.actions import ACTIONS
from smallcity_env.batch import Mask, States
from smallcity_env.tables import SEATS

from .agent import Actions, Agent, Streams
from .judge import choose_all, worth_all
from .judge.schema import FIGURES
from .weights import STYLES, weights_of


def _figures() -> Any:
    """Room for the figures of a city, and of the same city after an answer."""
    return np.zeros(2, np.dtype((np.record, FIGURES)))


@dataclass
class Greedy(Agent):
    """Plays the answer that is worth most to its city; `style` is a personality."""

    label = "greedy"
    description = "the answer worth most by a readable evaluation of the city; style=" + "|".join(STYLES)
    style: str = "tuned"

    def __post_init__(self) -> None:
        self.weights = weights_of(self.style)

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The best answer of each game."""
        return choose(states, seats, legal, streams, self.weights, np.zeros(len(states), np.int64))


def choose(
    states: States, seats: Actions, legal: Mask, streams: Streams, weights: Any, which: Actions
) -> Actions:
    """The best answer of each game, judged by the row of the weights that is its own."""
    chosen = np.zeros(len(states), np.int64)
    choose_all(states, seats, legal, weights, which, _figures(), np.zeros(ACTIONS), streams, chosen)
    return chosen


def worth(states: States, viewers: npt.ArrayLike, style: str = "tuned") -> npt.NDArray[np.float32]:
    """The score each seat is heading for, (n, 4), from what the viewer of each game may see."""
    out = np.zeros((len(states), SEATS), np.float32)
    who = np.array(np.broadcast_to(np.asarray(viewers, np.int64), len(states)))
    worth_all(states, who, weights_of(style), _figures(), out)
    return out
