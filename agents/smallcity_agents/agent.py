"""What an agent is: it answers for a whole batch of games, and sees only what its seats may see."""

import dataclasses
from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, States

Actions = npt.NDArray[np.int64]
Streams = npt.NDArray[np.uint64]


@dataclasses.dataclass
class Agent(ABC):
    """One way to play. Its fields are the options of its name: `rollout:sims=100,playouts=greedy`."""

    label: ClassVar[str]  # its short name
    description: ClassVar[str]  # in one line

    @property
    def name(self) -> str:
        """The name that makes this agent again: the options that are not the default are in it."""
        given = [
            f"{field.name}={getattr(self, field.name)}"
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{self.label}:{','.join(given)}" if given else self.label

    @abstractmethod
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """An answer for each game, whose question is put to its seat.

        `legal` holds the masks; no game is over. Every game has a random stream of the agent's own,
        turned in place: so a game goes the same way whichever batch it is played in. The states are
        the real ones and are not changed: look with `batch.observe` or plan with `batch.fork`.
        """
