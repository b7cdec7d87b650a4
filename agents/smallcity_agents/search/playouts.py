"""Playouts: games played to the end, or for some rounds and then evaluated."""

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
from ..greedy import choose, value
from ..judge.weights import TUNED, weights_of
from . import leaves
from .schema import SLOPE

Values = npt.NDArray[np.float32]
GREEDY: Final = "greedy"
POLICIES: Final = (GREEDY, "random")
TO_THE_END: Final = 99  # rounds
NONE: Final = -1  # rounds: leaves are evaluated at once


@dataclass(frozen=True)
class Playouts:
    """The policy of playouts, their length in rounds, and the evaluation of games that are not over then."""

    policy: str
    rounds: int
    leaves: str = GREEDY  # greedy's value, or a net (leaves.py)

    def __post_init__(self) -> None:
        if self.policy not in POLICIES:
            raise AgentError(f"there are no playouts {self.policy!r}: choose from {', '.join(POLICIES)}")
        if self.rounds < NONE:
            raise AgentError(f"playouts last 0 rounds or more, or {NONE} for none at all, not {self.rounds}")
        if self.leaves != GREEDY:
            leaves.checked(self.leaves)

    def __call__(self, states: States, viewers: Actions, seeds: Streams, legal: Mask) -> Values:
        """Continue the games in place; return their value for every seat, 0 to 1 (n, SEATS)."""
        if self.policy == "random" and self.rounds >= TO_THE_END:
            batch.rollout(states, seeds)
        else:
            self._play(states, rng.streams(seeds), legal)
        return payoff(states, viewers, self.leaves)

    def _play(self, states: States, streams: Streams, legal: Mask) -> None:
        """Play every game until its rounds are over."""
        last = states["round_no"] + min(self.rounds, TO_THE_END)
        while True:
            legal[states["round_no"] > last] = False
            if not legal.any():
                return
            batch.step(states, self._answers(states, streams, legal), legal)

    def _answers(self, states: States, streams: Streams, legal: Mask) -> Actions:
        """An answer for every game still being played."""
        if self.policy == "random":
            return batch.pick(legal, streams)
        return choose(states, states["seat"].astype(np.int64), legal, streams, weights_of(TUNED))


def payoff(states: States, viewers: Actions, leaves: str = GREEDY) -> Values:
    """The value of games for every seat, 0 to 1: by place and lead at the end, evaluated before it."""
    values = np.zeros((len(states), SEATS), np.float32)
    players = int(states["rules"]["players"][0])
    over = batch.over(states)
    if len(rows := np.flatnonzero(over)):
        values[rows, :players] = _final(batch.take(states, rows), players)
    if len(rows := np.flatnonzero(~over)):
        values[rows, :players] = _estimate(batch.take(states, rows), viewers[rows], players, leaves)
    return values


def _final(states: States, players: int) -> Values:
    """At the end of a game: half for the place, half for the lead."""
    scores, places = (by_seat[:, :players] for by_seat in batch.scores(states))
    out = states["borough"]["out"][:, :players] > 0
    place = rewards.final("rank", scores, places, out)
    if players == 1:
        return np.asarray(_squashed(scores), np.float32)
    return np.asarray((2 + place + _lead(scores, out)) / 4, np.float32)


def _estimate(states: States, viewers: Actions, players: int, judge: str) -> Values:
    """Before the end: the value net's payoff, or by the lead of the expected scores."""
    if judge != GREEDY and leaves.is_value_net(judge):
        return leaves.expected_payoffs(states, judge)[:, :players]
    greedy = judge == GREEDY
    scores = value(states, viewers)[:, :players] if greedy else leaves.expected_scores(states, judge)
    out = states["borough"]["out"][:, :players] > 0
    if players == 1:
        return np.asarray(_squashed(scores), np.float32)
    return np.asarray((1 + _lead(scores, out)) / 2, np.float32)


def _lead(scores: npt.NDArray[Any], out: Mask) -> Values:
    """The lead of each seat over the best other seat, squashed to -1 to 1 (n, players)."""
    return np.where(out, -1, np.tanh(rewards.ahead(scores, out) / (2 * SLOPE))).astype(np.float32)


def _squashed(scores: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """A solo score, squashed to 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.asarray(scores, np.float64) / (4 * SLOPE))))
