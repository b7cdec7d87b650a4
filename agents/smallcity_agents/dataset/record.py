"""Play games between agents and record every decision as the deciding seat saw it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.config import Config
from smallcity_env.envs import rewards

from .. import make
from ..arena.playing import play
from ..arena.schedule import Fixture

Arrays = dict[str, npt.NDArray[Any]]


def record(config: Config, agents: Sequence[str], fixtures: Sequence[Fixture]) -> Arrays:
    """The arrays of some games (card.py describes them), in order of the fixtures."""
    seeds = [fixture.seed for fixture in fixtures]
    seating = np.array([fixture.seating for fixture in fixtures], np.int8)
    played = play(config, [make(name) for name in agents], seating, seeds)
    decisions = _decisions(config, seeds, played.answers)
    results = batch.results(played.states)
    paid = rewards.final("rank", results, config.players)
    game, seat = decisions.pop("game"), decisions["seat"]
    last = _last_of_each(game, seat)
    return decisions | {
        "last": last,
        "reward": np.where(last, paid[game, seat], 0).astype(np.float32),
        "start": np.searchsorted(game, np.arange(len(seeds) + 1)),
        "final_observation": _final(played.states, config.players),
        "seed": np.array(seeds),
        "agent": seating,
        "score": results.scores[:, : config.players],
        "place": results.places[:, : config.players].astype(np.int8),
    }


def _decisions(config: Config, seeds: list[int], answers: npt.NDArray[np.int16]) -> Arrays:
    """Replay games in lockstep and record every question with its answer, sorted by game."""
    legal = batch.new_masks(len(seeds))
    states = batch.new(len(seeds), config, seeds, legal)
    steps = []
    for actions in answers.T:
        rows = np.flatnonzero(actions != batch.SKIP)
        seats = states["seat"][rows]
        seen = batch.observe(batch.take(states, rows), seats)
        steps.append((rows, seats.astype(np.int8), seen, legal[rows], actions[rows]))
        batch.step(states, actions, legal)
    names = ("game", "seat", "observation", "action_mask", "action")
    columns = [np.concatenate(column) for column in zip(*steps, strict=True)]
    order = np.argsort(columns[0], kind="stable")
    return {name: column[order] for name, column in zip(names, columns, strict=True)}


def _last_of_each(game: npt.NDArray[Any], seat: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether a decision is its seat's last of its game."""
    pairs = np.stack([game, seat], axis=1)[::-1]
    _, first = np.unique(pairs, axis=0, return_index=True)
    last = np.zeros(len(game), np.bool_)
    last[len(game) - 1 - first] = True
    return last


def _final(states: States, players: int) -> npt.NDArray[np.float32]:
    """What every seat may see at the end (n, players, SIZE)."""
    return np.stack([batch.observe(states, seat) for seat in range(players)], axis=1)
