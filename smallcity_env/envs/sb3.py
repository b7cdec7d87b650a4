"""SmallCityVec as a VecEnv of stable-baselines3, with the masks that MaskablePPO expects."""

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import arguments
from ..refusal import needing
from .opponents import Line, Mix
from .vector import SmallCityVec

with needing("train"):
    from stable_baselines3.common.vec_env import VecEnv


class SmallCitySB3(VecEnv):
    """Many games in one process for stable-baselines3 and sb3-contrib.

    `MaskablePPO("MlpPolicy", SmallCitySB3(64, players=2, opponents="random"), n_steps=64)`

    The arguments are those of `SmallCityVec`. A rollout of sb3 stores `num_envs * n_steps` observations:
    with the default `n_steps=2048` that takes gigabytes. A game that ends is reset in the same step; its info
    holds the last observation as `terminal_observation`, the outcome (outcomes.py), `episode` as sb3's
    `Monitor` writes it (return, length, seconds since the games were made) and, with opponents, whether the
    learner won as `is_success`, of which sb3 logs the mean.
    """

    def __init__(self, num_envs: int, **kwargs: Any) -> None:
        self.games: SmallCityVec = SmallCityVec(num_envs, autoreset_mode="SameStep", copy=True, **kwargs)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._seed: int | None = None
        self.infos: dict[str, Any] = {}
        self._returns, self._began = np.zeros(num_envs), time.perf_counter()

    def reset(self) -> Any:
        """Begin new games."""
        observations, self.infos = self.games.reset(seed=self._seed)
        self._seed = None
        self._returns[:] = 0
        return observations

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seeds used by the next reset."""
        self._seed = int(np.random.default_rng().integers(2**31)) if seed is None else arguments.seed(seed)
        return [self._seed + row for row in range(self.num_envs)]

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Store the actions of the next step."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Step all games with the stored actions."""
        observations, rewards, over, _, self.infos = self.games.step(self._actions)
        self._returns += rewards
        infos: list[dict[str, Any]] = [{}] * self.num_envs  # running games share one empty dict
        for row in np.flatnonzero(over).tolist():
            infos[row] = self._final_info(row)
        self._returns[over] = 0
        return observations, rewards.astype(np.float32), over.copy(), infos

    def _final_info(self, row: int) -> dict[str, Any]:
        """The info that sb3 expects of a game that has ended, and its outcome."""
        last = self.infos["final_info"]
        info = {name: values[row].copy() for name, values in last.items() if not name.startswith("_")}
        seconds = round(time.perf_counter() - self._began, 6)
        info["episode"] = {"r": float(self._returns[row]), "l": int(info["length"]), "t": seconds}
        if self.games.opponents is not None:
            info["is_success"] = bool(info["won"][info["seat"]])
        return info | {"terminal_observation": self.infos["final_obs"][row], "TimeLimit.truncated": False}

    def set_opponents(self, opponents: Line | Mix) -> None:
        """Let others play the other seats from the next step on."""
        self.games.set_opponents(opponents)

    def close(self) -> None:
        """Nothing to close."""

    # -- the rest of the VecEnv interface

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """The masks of some games, or other opponents for all; no other method is available."""
        if method_name == "set_opponents":
            self.set_opponents(*args, **kwargs)
            return [None] * len(self._rows(indices))
        if method_name != "action_masks":
            raise AttributeError(f"the games have action_masks and set_opponents, not {method_name}")
        return self.games.action_masks()[self._rows(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the batch, repeated for every game."""
        return [getattr(self.games, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Always refused: the games are one batch."""
        raise AttributeError(f"{attr_name} cannot be set: make a new SmallCitySB3")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> npt.NDArray[np.int64]:
        return np.arange(self.num_envs)[slice(None) if indices is None else np.atleast_1d(indices)]
