"""Games played on from a thought: to the end, or some rounds and then judged. What search agents share."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.envs import rewards
from smallcity_env.rules import rng
from smallcity_env.rules.tables import SEATS

from .. import AgentError
from ..agent import Actions, Streams
from ..greedy import choose, worth
from ..judge.weights import TUNED, weights_of
from . import leaves

Values = npt.NDArray[np.float32]
GREEDY: Final = "greedy"
POLICIES: Final = (GREEDY, "random")
TO_THE_END: Final = 99  # rounds
SLOPE: Final = 12.0  # points of score by which a lead makes a win likely


@dataclass(frozen=True)
class Playouts:
    """How a thought is carried on: who answers, and for how many rounds before it is judged."""

    policy: str
    rounds: int
    leaves: str = GREEDY  # who judges: greedy's worth, or a net (leaves.py)

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise AgentError(f"there are no playouts {self.policy!r}: choose from {', '.join(POLICIES)}")
        if self.rounds < 0:
            raise AgentError(f"playouts last 0 rounds or more, not {self.rounds}")
        if self.leaves != GREEDY:
            leaves.checked(self.leaves)

    def __call__(self, states: States, viewers: Actions, seeds: Streams, legal: Mask) -> Values:
        """What the games come to for every seat, 0 to 1 (n, SEATS); the games are played on in place."""
        if self.policy == "random" and self.rounds >= TO_THE_END:
            batch.rollout(states, seeds)
        else:
            self._play(states, rng.streams(seeds), legal)
        return payoff(states, viewers, self.leaves)

    def _play(self, states: States, streams: Streams, legal: Mask) -> None:
        """Answer in all games until each has had its rounds; whoever has is asked nothing more."""
        last = states["round_no"] + self.rounds
        while True:
            legal[states["round_no"] > last] = False
            if not legal.any():
                return
            batch.step(states, self._answers(states, streams, legal), legal)

    def _answers(self, states: States, streams: Streams, legal: Mask) -> Actions:
        """An answer where one is asked for."""
        if self.policy == "random":
            return batch.pick(legal, streams)
        return choose(states, states["seat"].astype(np.int64), legal, streams, weights_of(TUNED))


def payoff(states: States, viewers: Actions, judge: str = GREEDY) -> Values:
    """What games are worth to every seat, 0 to 1: by rank and margin at the end, judged before it."""
    values = np.zeros((len(states), SEATS), np.float32)
    players = int(states["rules"]["players"][0])
    over = batch.over(states)
    for rows, value in ((np.flatnonzero(over), _result), (np.flatnonzero(~over), _judged)):
        if len(rows):
            values[rows, :players] = value(batch.take(states, rows), viewers[rows], players, judge)
    return values


def _result(states: States, viewers: Actions, players: int, judge: str) -> Values:
    """The end: half for the place, half for the margin."""
    scores, places = (found[:, :players] for found in batch.scores(states))
    out = states["borough"]["out"][:, :players] > 0
    place = rewards.final("rank", scores, places, out)
    if players == 1:
        return np.asarray(_squashed(scores), np.float32)
    return np.asarray((2 + place + _lead(scores, out)) / 4, np.float32)


def _judged(states: States, viewers: Actions, players: int, judge: str) -> Values:
    """Before the end: by the lead of the score each seat is heading for."""
    greedy = judge == GREEDY
    heading = worth(states, viewers)[:, :players] if greedy else leaves.heading(states, judge)
    out = states["borough"]["out"][:, :players] > 0
    if players == 1:
        return np.asarray(_squashed(heading), np.float32)
    return np.asarray((1 + _lead(heading, out)) / 2, np.float32)


def _lead(scores: npt.NDArray[Any], out: Mask) -> Values:
    """How far each is ahead of the best other, squashed to -1 to 1 (n, players)."""
    return np.where(out, -1, np.tanh(rewards.ahead(scores, out) / (2 * SLOPE))).astype(np.float32)


def _squashed(scores: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """A score alone, 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(scores, np.float64) / (4 * SLOPE))))
