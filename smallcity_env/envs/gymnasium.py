"""Small City for Gymnasium: one seat learns, agents play the others."""

from collections.abc import Iterable, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from .. import arguments
from ..batch import IllegalAction
from ..config import DEFAULT_BOARD, EDITIONS
from .pettingzoo import RENDER_MODES, checked_mode, render_state
from .vector import SmallCityVec


class SmallCity(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One seat learns, agents play the others.

    `gymnasium.make("smallcity_env:SmallCity-v0", players=2, opponents="random")`

    An observation is what the learner's seat may see when it is asked (docs/observations.md); an action
    is an id of the flat action space; the mask of legal actions is in `info["action_mask"]` and returned
    by `action_masks()`. An illegal action raises `IllegalAction` and changes nothing. An episode ends
    when the game is over or the learner is eliminated. With `seat=None` the learner's seat rotates from
    game to game; `seat=0` fixes it. Rewards: rewards.py; everything else is as in `SmallCityVec`.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        players: int = 2,
        modules: Iterable[str] = ("godzillas",),
        boards: Iterable[str] | str = DEFAULT_BOARD,
        victory: str = "votes",
        advanced: bool = False,
        stockholm: bool = False,
        godzilla_rules: str = EDITIONS[0],
        reward: str = "rank",
        opponents: str | Sequence[str] = "random",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        game = (players, modules, boards, victory, advanced, stockholm, godzilla_rules)
        self.games = SmallCityVec(1, *game, reward, opponents, seat, copy=True)
        self.observation_space = self.games.single_observation_space
        self.action_space = self.games.single_action_space
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Begin a new game, at the learner's first question."""
        super().reset(seed=None if seed is None else arguments.seed(seed))
        observations, infos = self.games.reset(seed=seed, options=options)
        self._over = False
        return observations[0], _first(infos)

    def step(
        self, action: np.int64 | int
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer; the opponents play until the learner is asked again or the episode has ended."""
        if self._over:
            raise IllegalAction("the game is over or has not begun: call reset before step")
        observations, rewards, over, _, infos = self.games.step(np.array([action]))
        self._over = bool(over[0])
        return observations[0], float(rewards[0]), self._over, False, _first(infos)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions."""
        mask: npt.NDArray[np.bool_] = self.games.action_masks()[0].copy()
        return mask

    def render(self) -> Any:
        """The table as the learner sees it."""
        return render_state(self.render_mode, self.games.state(0), self.games.viewer(0))


def _first(infos: dict[str, Any]) -> dict[str, Any]:
    """The infos of the only game."""
    return {key: value[0] for key, value in infos.items() if not key.startswith("_")}
