"""`first`: the legal answer with the lowest id, a fixed reference."""

from dataclasses import dataclass

import numpy as np

from smallcity_env.batch import Mask, States
from smallcity_env.language import marked

from .agent import Actions, Agent, Streams, checked, where_asked


@dataclass
class First(Agent):
    """Plays the legal answer with the lowest id."""

    label = "first"
    description = marked("the legal answer with the lowest id, a fixed reference")

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The first legal answer of each game."""
        return np.asarray(legal.argmax(axis=1), np.int64)
