"""`random`: a legal answer, uniformly at random."""

from dataclasses import dataclass

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.language import marked

from .agent import Actions, Agent, Streams, checked


@dataclass
class Random(Agent):
    """Plays uniformly at random."""

    label = "random"
    description = marked("a legal answer, uniformly at random")

    @checked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """A random legal answer for each game."""
        return batch.pick(legal, streams)
