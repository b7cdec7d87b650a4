"""Play games between agents and record every decision as the deciding seat saw it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.config import Config
from smallcity_env.envs import rewards
from smallcity_env.envs.options import Observing, checked_form
from smallcity_env.rules.tables import SIDE

from .. import make
from ..arena.playing import play
from ..arena.schedule import Fixture

Arrays = dict[str, npt.NDArray[Any]]


def record(
    config: Config,
    agents: Sequence[str],
    fixtures: Sequence[Fixture],
    observation: Observing = "compact",
    reward: str = "rank",
) -> Arrays:
    """The arrays of some games (card.py describes them), in order of the fixtures."""
    seeds = [fixture.seed for fixture in fixtures]
    seating = np.array([fixture.seating for fixture in fixtures], np.int8)
    played = play(config, [make(name) for name in agents], seating, seeds)
    decisions = _decisions(config, seeds, played.answers, observation, reward)
    scores, places = (table[:, : config.players] for table in batch.scores(played.states))
    game, seat = decisions.pop("game"), decisions["seat"]
    seats = [_seen(played.states, p, config.players, observation) for p in range(config.players)]
    final = {f"final_{name}": np.stack([seen[name] for seen in seats], axis=1) for name in seats[0]}
    return decisions | {
        "last": _last_of_each(game, seat),
        "start": np.searchsorted(game, np.arange(len(seeds) + 1)),
        **final,
        "seed": np.array(seeds),
        "agent": seating,
        "score": scores,
        "place": places.astype(np.int8),
    }


def _decisions(
    config: Config, seeds: list[int], answers: npt.NDArray[np.int16], observation: Observing, reward: str
) -> Arrays:
    """Replay games in lockstep and record every question with its answer and reward, sorted by game."""
    legal = batch.new_masks(len(seeds))
    states = batch.new(len(seeds), config, seeds, legal)
    steps: list[dict[str, Any]] = []
    ledger = _Ledger(states, config.players, reward)
    for actions in answers.T:
        rows = np.flatnonzero(actions != batch.SKIP)
        seats = states["seat"][rows]
        seen = _seen(batch.take(states, rows), seats, config.players, observation)
        asked = {"game": rows, "seat": seats.astype(np.int8), "action_mask": legal[rows]}
        ledger.decide(rows, seats)
        steps.append(seen | asked | {"action": actions[rows]})
        batch.step(states, actions, legal)
        ledger.pay(states)
    columns = {name: np.concatenate([step[name] for step in steps]) for name in steps[0]}
    columns["reward"] = ledger.rewards()
    order = np.argsort(columns["game"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


class _Ledger:
    """The reward of every decision: all that its seat is paid until its next decision or the end."""

    def __init__(self, states: States, players: int, reward: str) -> None:
        self.name, shape = reward, (len(states), players)
        self.ended, self.visible = np.zeros(shape, np.bool_), batch.visible_scores(states)[:, :players]
        self.latest = np.full(
            shape, -1
        )  # each seat's latest decision; what is paid before the first is left out
        self.decisions, self.paid = 0, list[tuple[Any, Any]]()

    def decide(self, games: Any, seats: Any) -> None:
        """Number the decisions of a step."""
        self.latest[games, seats] = self.decisions + np.arange(len(games))
        self.decisions += len(games)

    def pay(self, states: States) -> None:
        """Pay what the step is worth to each seat."""
        paid = rewards.pay(self.name, states, self.ended, self.visible)
        due = (paid != 0) & (self.latest >= 0)
        self.paid.append((self.latest[due], paid[due]))

    def rewards(self) -> npt.NDArray[np.float32]:
        """The reward of every decision, in the order they were made."""
        rows, paid = (np.concatenate(column) for column in zip(*self.paid, strict=True))
        return np.bincount(rows, paid, self.decisions).astype(np.float32)


def _seen(states: States, seats: Any, players: int, observation: Observing) -> Arrays:
    """What one seat of each game may see."""
    buffers = batch.new_observations(len(states), checked_form(observation), players)
    batch.observe(states, seats, buffers)
    seen: Arrays = {"observation": buffers.vector}
    if buffers.planes.shape[1]:
        seen["planes"] = buffers.planes.reshape(len(states), -1, SIDE, SIDE)
    return seen


def _last_of_each(game: npt.NDArray[Any], seat: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Whether a decision is its seat's last of its game."""
    pairs = np.stack([game, seat], axis=1)[::-1]
    _, first = np.unique(pairs, axis=0, return_index=True)
    last = np.zeros(len(game), np.bool_)
    last[len(game) - 1 - first] = True
    return last
