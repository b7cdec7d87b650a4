"""Play a batch of games between agents, each with its own seating, seed and random streams.

A game does not depend on the rest of the batch: its random stream is in its record, and every seat has a
stream for its agent, both derived from the seed of the game.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import SKIP, IllegalAction, Mask, States
from smallcity_env.config import Config
from smallcity_env.rules import rng
from smallcity_env.rules.tables import SEATS

from .. import AgentError
from ..agent import Actions, Agent, Streams

NOBODY: Final = -1  # asked in a game that is over


@dataclass(frozen=True)
class Played:
    """Games played to the end."""

    states: States  # final
    answers: npt.NDArray[np.int16]  # (n, most): every decision in order, SKIP after the last
    decisions: npt.NDArray[np.int64]  # (n, SEATS): number of decisions
    seconds: npt.NDArray[np.float64]  # (n, SEATS): thinking time


class Playing:
    """Games being played, one for each seating (n, players: indices of agents) and seed."""

    def __init__(
        self, config: Config, agents: Sequence[Agent], seatings: npt.ArrayLike, seeds: npt.ArrayLike
    ) -> None:
        self.agents, self.seatings, self._key = agents, np.asarray(seatings, np.int64), object()
        n = len(self.seatings)
        self._legal, self._streams = batch.new_masks(n), seat_streams(seeds)
        self.states = batch.new(n, config, seeds, self._legal)
        self._answers: list[npt.NDArray[np.int16]] = []
        self._decisions, self._seconds = np.zeros((n, SEATS), np.int64), np.zeros((n, SEATS))

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games have ended."""
        return batch.over(self.states)

    def step(self, seatings: npt.NDArray[np.int64] | None = None) -> None:
        """Ask the agents once in every game that is not over; `seatings` replace the usual ones this time."""
        n, seated = len(self.states), self.seatings if seatings is None else seatings
        actions = np.full(n, SKIP, np.int64)
        asked = np.where(self.over, NOBODY, seated[np.arange(n), self.states["seat"]])
        for a, agent in enumerate(self.agents):
            if len(games := np.flatnonzero(asked == a)):
                seats, began = self.states["seat"][games].astype(np.int64), time.perf_counter()
                keys = [
                    (self._key, game, seat) for game, seat in zip(games.tolist(), seats.tolist(), strict=True)
                ]
                actions[games] = ask(agent, self.states, self._legal, self._streams, games, keys)
                self._decisions[games, seats] += 1
                self._seconds[games, seats] += (time.perf_counter() - began) / len(games)
        batch.step(self.states, actions, self._legal)
        self._answers.append(actions.astype(np.int16))

    def played(self, games: Actions) -> Played:
        """Some of the games, in their current state."""
        answers = np.stack(self._answers, axis=1)[games]
        return Played(batch.take(self.states, games), answers, self._decisions[games], self._seconds[games])


def play(config: Config, agents: Sequence[Agent], seatings: npt.ArrayLike, seeds: npt.ArrayLike) -> Played:
    """Play games to the end."""
    playing = Playing(config, agents, seatings, seeds)
    while not playing.over.all():
        playing.step()
    return playing.played(np.arange(len(playing.states)))


def seat_streams(seeds: npt.ArrayLike) -> Streams:
    """A random stream for the agent of every seat (n, SEATS), independent of the game's own stream."""
    chance = rng.streams(seeds)[:, None]
    each = rng.streams(chance + np.arange(1, SEATS + 1, dtype=np.uint64))
    return each.reshape(len(chance), SEATS)


def ask(
    agent: Agent,
    states: States,
    legal: Mask,
    streams: Streams,
    games: Actions,
    keys: Sequence[object] | None = None,
) -> Actions:
    """An agent's checked answers in the given games; it gets copies and advances its seats' streams."""
    seats = states["seat"][games].astype(np.int64)
    own = streams[games, seats]
    actions = answers(agent, batch.take(states, games), seats, legal[games], own, keys)
    streams[games, seats] = own
    return actions


def answers(
    agent: Agent,
    states: States,
    seats: Actions,
    legal: Mask,
    streams: Streams,
    keys: Sequence[object] | None = None,
) -> Actions:
    """An agent's checked answers in all of these games; the arrays are passed to the agent for good."""
    asked = (states, seats, legal.copy(), streams)
    actions = np.asarray(agent.act(*asked) if keys is None else agent.act_in(keys, *asked), np.int64)
    if actions.shape != seats.shape:
        raise AgentError(f"{agent.name} gave {actions.size} answers to {seats.size} questions")
    in_range = (actions >= 0) & (actions < legal.shape[1])
    illegal = np.flatnonzero(~in_range | ~legal[np.arange(len(seats)), np.where(in_range, actions, 0)])
    if len(illegal):
        raise IllegalAction(f"{agent.name} gave an illegal answer: {int(actions[illegal[0]])}")
    return actions
