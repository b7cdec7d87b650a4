"""SmallCityVec as a VecEnv of stable-baselines3, with the masks that MaskablePPO expects."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from .. import arguments
from .vector import SmallCityVec


class SmallCitySB3(VecEnv):
    """Many games in one process for stable-baselines3 and sb3-contrib.

    `MaskablePPO("MlpPolicy", SmallCitySB3(64, players=2, opponents="random"), n_steps=64)`

    The arguments are those of `SmallCityVec`. A rollout of sb3 stores `num_envs * n_steps` observations:
    with the default `n_steps=2048` that takes gigabytes. A game that ends is reset in the same step; its info
    holds the last observation as `terminal_observation`, and its return and length as `episode`.
    """

    def __init__(self, num_envs: int, **kwargs: Any) -> None:
        self.games: SmallCityVec = SmallCityVec(num_envs, autoreset_mode="SameStep", copy=True, **kwargs)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._seed: int | None = None
        self.infos: dict[str, Any] = {}
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)

    def reset(self) -> Any:
        """Begin new games."""
        observations, self.infos = self.games.reset(seed=self._seed)
        self._seed = None
        self._returns[:], self._lengths[:] = 0, 0
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
        self._lengths += 1
        infos: list[dict[str, Any]] = [{}] * self.num_envs  # running games share one empty dict
        for row in np.flatnonzero(over).tolist():
            infos[row] = self._final_info(row)
        self._returns[over], self._lengths[over] = 0, 0
        return observations, rewards.astype(np.float32), over.copy(), infos

    def _final_info(self, row: int) -> dict[str, Any]:
        """The info that sb3 expects of a game that has ended."""
        return {
            "terminal_observation": self.infos["final_obs"][row],
            "TimeLimit.truncated": False,
            "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": 0.0},
        }

    def close(self) -> None:
        """Nothing to close."""

    # -- the rest of the VecEnv interface

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """The masks of all games; no other method is available."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have the method action_masks, not {method_name}")
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
