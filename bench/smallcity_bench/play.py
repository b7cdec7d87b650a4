"""Random legal play: the loops shared by all cases."""

from typing import Any

import numpy as np

from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules.rng import streams

from .measure import Tally

LONG = 200  # steps: nearly a game; beyond that, more and more games of a batch are over


class Recorded:
    """Random games with recorded answers, so that replaying them times nothing but `batch.step`."""

    def __init__(self, games: int, config: Config) -> None:
        self.masks = batch.new_masks(games)
        self.start = batch.new(games, config, np.arange(games), self.masks)
        states, legal, random_streams = batch.clone(self.start), self.masks.copy(), streams(np.arange(games))
        self.answers: list[Any] = []  # of every step; SKIP in games that are over
        self.forced = 0
        while len(self.answers) < LONG and not batch.over(states).all():
            self.answers.append(batch.pick(legal, random_streams))
            self.forced += int(batch.step(states, self.answers[-1], legal).sum())
        self.decisions = sum(int((answers != batch.SKIP).sum()) for answers in self.answers)
        self.ended = int(batch.over(states).sum())

    def play(self) -> Tally:
        """Replay the games from their first question."""
        states, legal = batch.clone(self.start), self.masks.copy()
        for answers in self.answers:
            batch.step(states, answers, legal)
        return Tally(self.decisions, self.forced, self.ended)


def midgame(games: int, config: Config) -> batch.States:
    """Games at half their usual length."""
    start = batch.new(games, config, np.arange(games))
    usual = batch.rollout(batch.clone(start), np.arange(games))[:, 0].mean()
    legal, random_streams = batch.masks(start), streams(np.arange(games))
    for _ in range(int(usual) // 2):
        batch.step(start, batch.pick(legal, random_streams), legal)
    return start[~batch.over(start)]


def aec_game(env: Any, seed: int) -> Tally:
    """A whole game of a PettingZoo AEC environment, in the loop of PettingZoo's documentation."""
    env.reset(seed=seed)
    masks = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        action = None
        if not (terminated or truncated):
            masks.append(observation["action_mask"])
            action = env.action_space(agent).sample(masks[-1])
        env.step(action)
    forced = int((np.stack(masks).sum(axis=1) == 1).sum())
    return Tally(len(masks) - forced, forced, 1)
