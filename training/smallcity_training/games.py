"""The batch of games a run trains on: several variants side by side, all seats in self-play."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_agents.net.features import INPUTS, greedy_logits
from smallcity_env import batch
from smallcity_env.config import blank
from smallcity_env.envs import rewards
from smallcity_env.refusal import Refused
from smallcity_env.rules import layout, rng
from smallcity_env.rules.tables import SEATS

from .config import Stage
from .state import State

Ints = npt.NDArray[np.int64]
Rewards = npt.NDArray[np.float32]
Dones = npt.NDArray[np.bool_]


class GameBatch:
    """Games of all variants of a stage; one that ends is replaced by a new one of its variant."""

    ARRAYS: Final = ("streams", "seeds", "paid", "scores")  # all else follows from the records

    def __init__(self, stage: Stage, games: int, seed: int, with_greedy: bool) -> None:
        counts = _split_by_share([variant.share for variant in stage.variants], games)
        self.reward, self.configs = stage.reward, [variant.game() for variant in stage.variants]
        self.with_greedy = with_greedy  # whether the net sees greedy's evaluation of every answer, or zeros
        self.variants = np.repeat(np.arange(len(counts)), counts)  # of each game
        self.players = np.repeat([config.players for config in self.configs], counts)
        self.states = batch.join(blank(n, config) for n, config in zip(counts, self.configs, strict=True))
        self.seeds = rng.streams(rng.streams(np.arange(games) + seed))  # of the games that begin next
        self.streams = rng.streams(np.arange(games * SEATS) + seed).reshape(games, SEATS)  # of agents
        self.paid, self.scores = np.zeros((games, SEATS), np.bool_), np.zeros((games, SEATS), np.int64)
        self.inputs, self.legal = np.zeros((games, INPUTS), np.float32), batch.new_masks(games)
        self._begin(np.arange(games))
        self._rules = self.states["rules"].tobytes()
        self._observe()

    def _begin(self, rows: Ints) -> None:
        """Begin new games in some rows, each with the seed that follows the last one's."""
        for number, config in enumerate(self.configs):
            if len(these := rows[self.variants[rows] == number]):
                legal = batch.new_masks(len(these))
                games = batch.new(len(these), config, self.seeds[these], legal)
                batch.put(self.states, these, games)
                self.legal[these], self.scores[these] = legal, batch.visible_scores(games)
        self.paid[rows], self.seeds[rows] = False, rng.streams(self.seeds[rows])

    def _observe(self) -> None:
        """Write what the net sees of every game."""
        self.seats = self.states["seat"].astype(np.int64)
        self.inputs[:, : layout.SIZE] = batch.observe(self.states, self.seats)
        if self.with_greedy:
            self.inputs[:, layout.SIZE :] = greedy_logits(self.states, self.seats, self.legal)

    def step(self, actions: Ints) -> tuple[Rewards, Dones]:
        """Step every game; return all seats' rewards (n, SEATS) and which games ended and were replaced."""
        batch.step(self.states, actions, self.legal)
        paid = rewards.pay(self.reward, self.states, self.paid, self.scores)
        dones = batch.over(self.states)
        self._begin(np.flatnonzero(dones))
        self._observe()
        return paid, dones

    def query(self, answer: Callable[..., Any], rows: Ints) -> Any:
        """The result of `answer(states, seats, legal, streams)`, such as an agent's `act`, in some games."""
        seats = self.seats[rows]
        streams = self.streams[rows, seats]
        answers = answer(batch.take(self.states, rows), seats, self.legal[rows], streams)
        self.streams[rows, seats] = streams
        return answers

    def state_dict(self) -> State:
        """Everything needed to resume exactly; records are saved as bytes."""
        arrays = {name: getattr(self, name).copy() for name in self.ARRAYS}
        return arrays | {"records": _bytes(self.states).copy()}

    def load_state_dict(self, state: State) -> None:
        """Resume from a saved state; refuses games that are not positions of these variants."""
        for name in self.ARRAYS:
            getattr(self, name)[:] = state[name]
        _bytes(self.states)[:] = state["records"]
        batch.validate(self.states)
        if self.states["rules"].tobytes() != self._rules or batch.over(self.states).any():
            raise Refused("the training state is damaged: its games do not match its configuration")
        batch.masks(self.states, self.legal)
        self._observe()


def _bytes(states: batch.States) -> npt.NDArray[np.uint8]:
    """Records as rows of bytes, sharing memory."""
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), -1)


def _split_by_share(shares: Sequence[float], games: int) -> list[int]:
    """Split a number of games by shares that add up to 1."""
    edges = np.rint(np.cumsum([0, *shares]) * games).astype(int)
    return [int(n) for n in np.diff(edges)]
