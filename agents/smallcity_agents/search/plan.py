"""Answers a search is made to give: the promise it chooses, and a greedy style that plays its first rounds.

So the arena measures what a plan is worth in strong hands, whether or not the search would choose it:
`arena search:opening=industrialist search:opening=culture`, `arena search:difficulty=18 search`.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import SKIP, Mask, States, take
from smallcity_env.rules.actions import PROMISE
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.cards import DIFFICULTIES

from .. import AgentError
from ..agent import Actions, Streams
from ..evaluation.weights import STYLES, weights_of
from ..greedy import answer_values

OPENING: Final = 3  # rounds
FREE: Final = ""  # no opening
ANY: Final = 0  # no difficulty


@dataclass(frozen=True)
class Plan:
    """An opening and a difficulty; without both, no answer is given."""

    opening: str
    difficulty: int
    weights: Any = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if self.opening not in (FREE, *STYLES):
            raise AgentError(f"there is no opening {self.opening!r}: choose from {', '.join(STYLES)}")
        if self.difficulty not in (ANY, *DIFFICULTIES):
            known = ", ".join(map(str, DIFFICULTIES))
            raise AgentError(f"there is no promise worth {self.difficulty}: choose from {known}")
        object.__setattr__(self, "weights", weights_of(self.opening) if self.opening else None)

    def answers(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The answer in each game, SKIP where the plan has none; the streams are not advanced."""
        actions = np.full(len(states), SKIP, np.int64)
        opened = np.flatnonzero(self._opens(states))
        if len(opened):
            asked = (take(states, opened), seats[opened], legal[opened], streams[opened])
            actions[opened] = answer_values(*asked, self.weights)[0]
        if self.difficulty:
            promise = PROMISE + DIFFICULTIES.index(self.difficulty)
            actions[(states["ask"] == Ask.DIFFICULTY) & legal[:, promise]] = promise
        return actions

    def _opens(self, states: States) -> npt.NDArray[np.bool_]:
        """Where the opening answers; the promise is no part of it."""
        early = (states["round_no"] <= OPENING) & (states["ask"] != Ask.DIFFICULTY)
        return np.asarray(early & bool(self.opening))
