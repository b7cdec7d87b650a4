"""Small City for Gymnasium: one seat learns, agents play the others."""

from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space
from gymnasium.vector import AutoresetMode

from .. import arguments
from ..batch import IllegalAction
from ..config import Config, ConfigArguments
from .configs import Given
from .observations import row_of
from .opponents import Line, Mix
from .options import RENDER_MODES, Illegal, Observing, checked_mode
from .rendering import Rendered, render_state
from .vector import SmallCityVec


class SmallCity(gymnasium.Env[Any, np.int64]):
    """One seat learns, agents play the others.

    `gymnasium.make("SmallCity-v0", players=2, opponents="random")`

    An observation is what the learner's seat may see when it is asked: `"compact"`, one vector of numbers, or
    `"planes"`, a Dict of planes and a vector (docs/observations.md). An action is an id of the flat action
    space; the mask of legal actions is in `info["action_mask"]` (int8, as `action_space.sample` takes it) and
    returned by `action_masks()` (bool). `observation_key="observations"` puts both into one Dict, the
    observation under this name and the mask as `action_mask`.

    An episode ends when the game is over or the learner is eliminated; its last info has the outcome
    (outcomes.py). An illegal action ends it too, with a reward of -1 and `info["illegal_action"]`; with
    `illegal="raise"` it raises `IllegalAction` and changes nothing.

    `opponents` are names, agents or functions (opponents.py); `set_opponents` replaces them. With `seat=None`
    the learner's seat rotates from game to game; `seat=0` fixes it. The game is configured by `config` or by
    the arguments of `Config`, or drawn from `configs` (configs.py). Rewards: rewards.py.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        *,
        config: Config | None = None,
        configs: Given | None = None,
        reward: str = "rank",
        opponents: Line | Mix = "random",
        seat: int | None = None,
        observation: Observing = "compact",
        observation_key: str | None = None,
        illegal: Illegal = "terminate",
        render_mode: str | None = None,
        **variant: Unpack[ConfigArguments],
    ) -> None:
        self.render_mode: str | None = checked_mode(render_mode)
        self.games: SmallCityVec = SmallCityVec(
            config=config,
            configs=configs,
            reward=reward,
            opponents=opponents,
            seat=seat,
            observation=observation,
            observation_key=observation_key,
            illegal=illegal,
            autoreset_mode=AutoresetMode.DISABLED,
            **variant,
        )
        self.observation_space: Space[Any] = self.games.single_observation_space
        self.action_space: Space[Any] = self.games.single_action_space
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin a new game, at the learner's first question."""
        super().reset(seed=None if seed is None else arguments.seed(seed))
        observations, infos = self.games.reset(seed=seed, options=options)
        self._over = False
        return row_of(observations, 0), _first(infos)

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer; the opponents play until the learner is asked again or the episode has ended."""
        if self._over:
            raise IllegalAction("the game is over or has not begun: call reset before step")
        try:
            answers = np.array([action])
        except ValueError:  # lists of lists
            answers = np.array([arguments.action(action)])
        observations, rewards, over, _, infos = self.games.step(answers)
        self._over = bool(over[0])
        return row_of(observations, 0), float(rewards[0]), self._over, False, _first(infos)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask of legal actions."""
        mask: npt.NDArray[np.bool_] = self.games.action_masks()[0].copy()
        return mask

    def set_opponents(self, opponents: Line | Mix) -> None:
        """Let others play the other seats from the next step on."""
        self.games.set_opponents(opponents)

    def render(self) -> Rendered:
        """The table as the learner sees it: text, pixels, or printed in mode human."""
        return render_state(self.render_mode, self.games.state(0), self.games.viewer(0))


def _first(infos: dict[str, Any]) -> dict[str, Any]:
    """The infos of the only game, copied."""
    return {key: value[0].copy() for key, value in infos.items() if not key.startswith("_")}
