"""Random legal play: the loops shared by all that is measured."""

from random import Random
from typing import Any

import numpy as np

from .. import batch
from ..config import Config
from ..rng import streams
from ..tables import Ask
from .measure import Tally


class Turning:
    """A batch that never ends: a game that is over gives its place to a new one."""

    def __init__(self, games: int, config: Config) -> None:
        self.legal = batch.new_masks(games)
        self.states = batch.new(games, config, np.arange(games), self.legal)
        self.spare, self.spare_legal = batch.clone(self.states), self.legal.copy()
        self.asked = self.states["ask"]
        self.streams = streams(np.arange(games))

    def play(self, steps: int) -> Tally:
        """So many random decisions in every game, in turn with `batch.pick` and `batch.step`."""
        forced = ended = 0
        for _ in range(steps):
            forced += int(batch.step(self.states, batch.pick(self.legal, self.streams), self.legal).sum())
            over = (self.asked == Ask.OVER).nonzero()[0]
            if len(over):
                ended += len(over)
                self._begin_again(over)
        return Tally(steps * len(self.states), forced, ended)

    def _begin_again(self, over: Any) -> None:
        """New games in the places of those that are over, with chance of their own."""
        chance = self.states["stream"][over]
        self.states[over], self.legal[over] = self.spare[over], self.spare_legal[over]
        self.states["stream"][over] = chance


def midgame(games: int, config: Config) -> batch.States:
    """Games at half their usual length."""
    start = batch.new(games, config, np.arange(games))
    usual = batch.rollout(batch.clone(start), np.arange(games))[:, 0].mean()
    legal, turned = batch.masks(start), streams(np.arange(games))
    for _ in range(int(usual) // 2):
        batch.step(start, batch.pick(legal, turned), legal)
    return start[~batch.over(start)]


def aec_game(env: Any, seed: int, chance: Random) -> Tally:
    """A whole game of a PettingZoo AEC environment, with an observation and a mask at every decision."""
    env.reset(seed=seed)
    done = forced = 0
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.step(None)
            continue
        choices = observation["action_mask"].nonzero()[0]
        env.step(int(choices[int(chance.random() * len(choices))]))
        done += 1
        forced += len(choices) == 1
    return Tally(done - forced, forced, 1)
