"""`greedy`: the answer with the highest value by evaluation/, and its personalities."""

from dataclasses import dataclass, make_dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env import arguments
from smallcity_env.batch import Mask, States
from smallcity_env.language import marked
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from .agent import Actions, Agent, Streams, checked
from .evaluation import greedy, seat_values
from .evaluation.weights import TUNED, VALUE, weights_of


def answer_values(
    states: States,
    seats: Actions,
    legal: Mask,
    streams: Streams,
    weights: Any,
    which: Actions | None = None,
) -> tuple[Actions, npt.NDArray[np.float64]]:
    """The best answer of each game by row `which` of the weights, and the value of every answer (n, ACTIONS).

    Where no answer is legal, the best is SKIP.
    """
    chosen, values = np.zeros(len(states), np.int64), np.zeros((len(states), ACTIONS))
    rows = np.zeros(len(states), np.int64) if which is None else which
    greedy(states, seats, rows, weights, legal, streams, values, chosen)
    return chosen, values


def value(states: States, viewers: npt.ArrayLike, weights: Any = None) -> npt.NDArray[np.float32]:
    """Expected final score of each seat, (n, 4), from what the viewer of each game may see."""
    states = arguments.games(states, written=False)
    n, who = len(states), arguments.seats(viewers, states)
    out = np.zeros((n, SEATS), np.float32)
    rows = weights_of(VALUE) if weights is None else weights
    seat_values(states, who, np.zeros(n, np.int64), rows, out)
    return out


@dataclass
class Greedy(Agent):
    """Plays the answer with the highest value; `style` selects the weights."""

    label = "greedy"
    description = marked("the answer of the highest value by a readable evaluation of the city")
    style: str = TUNED

    def __post_init__(self) -> None:
        super().__post_init__()
        self.weights = weights_of(self.style)

    @checked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The best answer of each game."""
        return answer_values(states, seats, legal, streams, self.weights)[0]


def _personality(name: str, description: str) -> type[Greedy]:
    """Greedy with the style of this name."""
    body = {"label": name, "description": description, "__module__": __name__}
    return make_dataclass(name.capitalize(), [("style", str, name)], bases=(Greedy,), namespace=body)


Builder = _personality("builder", marked("greedy with a preference for residences"))
Industrialist = _personality("industrialist", marked("greedy with a preference for factories"))
Green = _personality("green", marked("greedy with a preference for parks"))
Culture = _personality("culture", marked("greedy with a preference for cultural buildings"))
Merchant = _personality("merchant", marked("greedy with a preference for shops"))
