"""Agents at the table: many games at once, each with its own seating, seed and random streams.

A game goes the same way whichever games are played beside it: its chance is a stream in its record,
and every seat has a stream for its agent, both made from the seed of the game.
"""

import time
from collections.abc import Callable, Sequence
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

NOBODY: Final = -1  # is asked in a game that is over


@dataclass(frozen=True)
class Played:
    """Games that have been played to the end."""

    states: States  # as they ended
    answers: npt.NDArray[np.int16]  # (n, most): every decision in order, SKIP after the last
    decisions: npt.NDArray[np.int64]  # (n, SEATS): how many each seat took
    seconds: npt.NDArray[np.float64]  # (n, SEATS): how long its agent thought


def play(
    config: Config,
    agents: Sequence[Agent],
    seatings: npt.ArrayLike,
    seeds: npt.ArrayLike,
    look: Callable[[States], None] = lambda states: None,
) -> Played:
    """Play one game for each seating (n, players: indices of agents) and seed; `look` sees every step."""
    at_table = np.asarray(seatings, np.int64)
    n = len(at_table)
    legal, streams = batch.new_masks(n), seat_streams(seeds)
    states = batch.new(n, config, seeds, legal)
    answers, decisions, seconds = [], np.zeros((n, SEATS), np.int64), np.zeros((n, SEATS))
    while not batch.over(states).all():
        actions = np.full(n, SKIP, np.int64)
        asked = np.where(batch.over(states), NOBODY, at_table[np.arange(n), states["seat"]])
        for a, agent in enumerate(agents):
            if len(games := np.flatnonzero(asked == a)):
                seats, began = states["seat"][games].astype(np.int64), time.perf_counter()
                actions[games] = ask(agent, states, legal, streams, games)
                decisions[games, seats] += 1
                seconds[games, seats] += (time.perf_counter() - began) / len(games)
        batch.step(states, actions, legal)
        answers.append(actions.astype(np.int16))
        look(states)
    return Played(states, np.stack(answers, axis=1), decisions, seconds)


def seat_streams(seeds: npt.ArrayLike) -> Streams:
    """A random stream for the agent of every seat, (n, SEATS), apart from the chance of the game."""
    chance = rng.streams(seeds)[:, None]
    each = rng.streams(chance + np.arange(1, SEATS + 1, dtype=np.uint64))
    return each.reshape(len(chance), SEATS)


def ask(agent: Agent, states: States, legal: Mask, streams: Streams, games: Actions) -> Actions:
    """An agent's answers in those games where it is asked; it gets copies and turns its seats' streams."""
    seats = states["seat"][games].astype(np.int64)
    own = streams[games, seats]
    actions = np.asarray(agent.act(batch.take(states, games), seats, legal[games], own), np.int64)
    streams[games, seats] = own
    if actions.shape != games.shape:
        raise AgentError(f"{agent.name} gave {actions.size} answers to {games.size} questions")
    possible = (actions >= 0) & (actions < legal.shape[1])
    wrong = np.flatnonzero(~possible | ~legal[games, np.where(possible, actions, 0)])
    if len(wrong):
        raise IllegalAction(f"{agent.name} gave an answer that is not legal: {int(actions[wrong[0]])}")
    return actions
