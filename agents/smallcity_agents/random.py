"""`random`: any legal answer, each as likely as the others."""

from dataclasses import dataclass

from smallcity_env import batch
from smallcity_env.batch import Mask, States

from .agent import Actions, Agent, Streams


@dataclass
class Random(Agent):
    """Plays any legal answer."""

    label = "random"
    description = "any legal answer, each as likely as the others"

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """A legal answer for each game."""
        return batch.pick(legal, streams)
