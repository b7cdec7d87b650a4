"""SmallCityVec as a VecEnv of stable-baselines3, with masks the way MaskablePPO asks for them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv

from .vector import SmallCityVec


class SmallCitySB3(VecEnv):
    """Many games in one process for stable-baselines3 and sb3-contrib.

    `MaskablePPO("MlpPolicy", SmallCitySB3(256, players=2, opponents="random"))`

    The arguments are those of `SmallCityVec`. A game that ends begins anew in the same step; what was
    seen at its end is `terminal_observation` in its info, and `episode` its return and length.
    """

    def __init__(self, num_envs: int, **kwargs: Any) -> None:
        self.games = SmallCityVec(num_envs, autoreset_mode="SameStep", copy=True, **kwargs)
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._seed: int | None = None
        self._returns, self._lengths = np.zeros(num_envs), np.zeros(num_envs, np.int64)

    def reset(self) -> npt.NDArray[np.float32]:
        """New games."""
        seen, self.infos = self.games.reset(seed=self._seed)
        self._seed = None
        self._returns[:], self._lengths[:] = 0, 0
        return seen

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seeds of the games from the next reset on."""
        self._seed = int(np.random.default_rng().integers(2**31)) if seed is None else seed
        return [self._seed + row for row in range(self.num_envs)]

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """What the next step answers."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Answer in all games."""
        seen, rewards, over, _, self.infos = self.games.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        said: list[dict[str, Any]] = [{}] * self.num_envs  # one empty dict for all that go on
        for row in np.flatnonzero(over).tolist():
            said[row] = self._last_words(row)
        self._returns[over], self._lengths[over] = 0, 0
        return seen, rewards.astype(np.float32), over.copy(), said

    def _last_words(self, row: int) -> dict[str, Any]:
        """What sb3 wants to know of a game that has ended."""
        return {
            "terminal_observation": self.infos["final_obs"][row],
            "TimeLimit.truncated": False,
            "episode": {"r": float(self._returns[row]), "l": int(self._lengths[row]), "t": 0.0},
        }

    def close(self) -> None:
        """Nothing to close."""

    # -- what sb3 asks its environments

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """`action_masks` of all games at once."""
        if method_name != "action_masks":
            raise AttributeError(f"the games have the method action_masks, not {method_name}")
        return self.games.action_masks()[self._rows(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the games, the same for all."""
        return [getattr(self.games, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: the games are one batch."""
        raise AttributeError(f"{attr_name} cannot be set: make a new SmallCitySB3")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> npt.NDArray[np.int64]:
        return np.arange(self.num_envs)[slice(None) if indices is None else np.atleast_1d(indices)]
