"""The batch of games a run trains on: several variants side by side, all seats in self-play."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_agents.agent import Agent
from smallcity_agents.net.features import INPUTS, greedy_logits
from smallcity_env import batch
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.refusal import Refused
from smallcity_env.rules import layout, rng
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from .config import Stage, Variant
from .state import State

Ints = npt.NDArray[np.int64]
Rewards = npt.NDArray[np.float32]
Dones = npt.NDArray[np.bool_]


class VariantVec(SmallCityVec):
    """Games of one variant."""

    ARRAYS: Final = ("_streams", "_paid", "_scores")  # all else follows from the records

    def __init__(self, games: int, variant: Variant, reward: str) -> None:
        super().__init__(
            games,
            config=variant.game(),
            reward=reward,
            observation="compact",
            illegal="raise",
            autoreset_mode="SameStep",
        )
        self._rules = self._states["rules"][:1].copy()

    def state_dict(self) -> State:
        """Everything needed to resume exactly; records are saved as bytes."""
        arrays = {name: getattr(self, name).copy() for name in self.ARRAYS}
        return arrays | {"records": _bytes(self._states).copy()}

    def load_state_dict(self, state: State) -> None:
        """Resume from a saved state."""
        for name in self.ARRAYS:
            getattr(self, name)[:] = state[name]
        _bytes(self._states)[:] = state["records"]
        self._check()
        self._recount()
        self._begun = True

    def _recount(self) -> None:
        """Recompute from the records and streams what steps keep track of."""
        self._chance[:] = rng.streams(self._streams)
        self._masks[:] = batch.masks(self._states, self._legal)
        out = self._states["borough"]["out"][:, : self._shape[1]] > 0
        self._viewers[:] = self._states["seat"]
        self._left[:] = self._gone[:] = np.where(batch.over(self._states), self._players, out.sum(axis=1))
        self._mark_ended(self._ended)

    def _check(self) -> None:
        """Refuse games that are not positions of this variant."""
        batch.validate(self._states)
        same = self._states["rules"].tobytes() == self._rules.tobytes() * self.num_envs
        if not same or batch.over(self._states).any():
            raise Refused("the training state is damaged: its games do not match its configuration")

    @property
    def states(self) -> batch.States:
        """The records of all games."""
        return self._states


class GameBatch:
    """All variants of a stage as one batch."""

    def __init__(self, stage: Stage, games: int, seed: int, with_greedy: bool) -> None:
        counts = _split_by_share([variant.share for variant in stage.variants], games)
        variants = zip(counts, stage.variants, strict=True)
        self.parts = [VariantVec(n, variant, stage.reward) for n, variant in variants]
        edges = np.cumsum([0, *counts])
        self.slices = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self.with_greedy = with_greedy  # whether the net sees greedy's evaluation of every answer, or zeros
        self.players = np.repeat([variant.players for variant in stage.variants], counts)
        self.inputs = np.zeros((games, INPUTS), np.float32)
        self.legal = np.zeros((games, ACTIONS), np.bool_)
        self.seats = np.zeros(games, np.int64)
        self.streams = rng.streams(np.arange(games * SEATS) + seed).reshape(games, SEATS)
        for part, rows in zip(self.parts, self.slices, strict=True):
            self._gather(part, rows, *part.reset(seed=seed + rows.start))

    def _gather(self, part: VariantVec, rows: slice, observations: Any, infos: dict[str, Any]) -> None:
        """Copy one variant's observations, masks and seats into the batch."""
        self.inputs[rows, : layout.SIZE], self.legal[rows] = observations, infos["action_mask"]
        self.seats[rows] = infos["seat"]
        if self.with_greedy:
            self.inputs[rows, layout.SIZE :] = greedy_logits(part.states, self.seats[rows], self.legal[rows])

    def step(self, actions: Ints) -> tuple[Rewards, Dones]:
        """Step every game; return all seats' rewards (n, SEATS) and which games ended and were reset (n,)."""
        rewards, dones = np.zeros((len(actions), SEATS), np.float32), np.zeros(len(actions), np.bool_)
        for part, rows in zip(self.parts, self.slices, strict=True):
            observations, _, dones[rows], _, infos = part.step(actions[rows])
            rewards[rows, : part.config.players] = infos["rewards"]
            self._gather(part, rows, observations, infos)
        return rewards, dones

    def act(self, agent: Agent, rows: Ints) -> Ints:
        """An agent's actions in some games."""
        actions = np.empty(len(rows), np.int64)
        self.query(agent.act, rows, actions)
        return actions

    def query(self, answer: Callable[..., Any], rows: Ints, out: Any) -> None:
        """Write the result of `answer(states, seats, legal, streams)` for some games to the rows of `out`."""
        for part, where in zip(self.parts, self.slices, strict=True):
            here = (rows >= where.start) & (rows < where.stop)
            if here.any():
                games = rows[here]
                seats = self.seats[games]
                streams = self.streams[games, seats]
                states = batch.take(part.states, games - where.start)
                out[here] = answer(states, seats, self.legal[games], streams)
                self.streams[games, seats] = streams

    def state_dict(self) -> State:
        """Everything needed to resume exactly."""
        variants = {f"variant {k}": part.state_dict() for k, part in enumerate(self.parts)}
        return {"streams": self.streams.copy()} | variants

    def load_state_dict(self, state: State) -> None:
        """Resume from a saved state; what the net sees is computed again."""
        self.streams[:] = state["streams"]
        for k, (part, rows) in enumerate(zip(self.parts, self.slices, strict=True)):
            part.load_state_dict(state[f"variant {k}"])
            seats = part.states["seat"]
            seen = batch.observe(part.states, seats)
            self._gather(part, rows, seen, {"action_mask": part.action_masks(), "seat": seats})


def _bytes(states: batch.States) -> npt.NDArray[np.uint8]:
    """Records as rows of bytes, sharing memory."""
    return states.view(np.ndarray).view(np.uint8).reshape(len(states), -1)


def _split_by_share(shares: Sequence[float], games: int) -> list[int]:
    """Split a number of games by shares that add up to 1."""
    edges = np.rint(np.cumsum([0, *shares]) * games).astype(int)
    return [int(n) for n in np.diff(edges)]
