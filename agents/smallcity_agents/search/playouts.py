"""Playouts: games played to the end, or for some rounds and then evaluated."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, States
from smallcity_env.rules import rng
from smallcity_env.rules.tables import SEATS

from .. import AgentError
from ..agent import Actions, Streams
from ..evaluation.weights import TUNED, weights_of
from ..greedy import choose, value
from . import leaves
from .outcome import write_payoffs

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


def payoff(states: States, viewers: Actions, judge: str = GREEDY) -> Values:
    """The payoff of every seat (n, SEATS), 0 to 1: evaluated by greedy or a net before the end of a game."""
    players = int(states["rules"]["players"][0])
    values, scores = np.zeros((len(states), SEATS), np.float32), np.zeros((len(states), SEATS))
    rows = np.flatnonzero(~batch.over(states))
    by_net = len(rows) and judge != GREEDY and leaves.is_value_net(judge)
    if by_net:
        expected = leaves.forecast(batch.take(states, rows), judge)
        scores[rows] = expected.scores
    elif len(rows):
        scores[rows, :players] = _expected_scores(batch.take(states, rows), viewers[rows], players, judge)
    write_payoffs(states, scores, values)
    if by_net and players > 1:
        values[rows] = expected.payoffs
    return values


def _expected_scores(states: States, viewers: Actions, players: int, judge: str) -> npt.NDArray[np.floating]:
    """The final scores (n, players) that greedy or a policy net expects."""
    return value(states, viewers)[:, :players] if judge == GREEDY else leaves.expected_scores(states, judge)
