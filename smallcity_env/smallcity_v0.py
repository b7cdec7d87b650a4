"""Small City for PettingZoo: `from smallcity_env import smallcity_v0; env = smallcity_v0.env()`."""

from collections.abc import Mapping
from typing import Any, Unpack

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from .arguments import ArgumentError, shown
from .config import Config, ConfigArguments
from .envs.options import Illegal, Observing
from .envs.pettingzoo import Observation, raw_env

__all__ = ["env", "parallel_env", "raw_env"]


env = raw_env  # needs no wrappers: it checks order, bounds and legality itself


def parallel_env(
    *,
    config: Config | None = None,
    reward: str = "rank",
    observation: Observing = "compact",
    observation_key: str = "observation",
    illegal: Illegal = "terminate",
    render_mode: str | None = None,
    **variant: Unpack[ConfigArguments],
) -> ParallelEnv[str, Observation, int | None]:
    """The same game for the parallel API; `raw_env` describes its arguments.

    All seats act at every step, but only the action of the seat being asked counts: the one whose mask is
    not all 0, in `infos` also `active_agent`.
    """
    turns = raw_env(
        config=config,
        reward=reward,
        observation=observation,
        observation_key=observation_key,
        illegal=illegal,
        render_mode=render_mode,
        **variant,
    )
    return _Parallel(turns)


class _Parallel(turn_based_aec_to_parallel_wrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, but refuses actions that lack the one of the seat being asked."""

    def step(self, actions: Any) -> Any:
        asked = self.aec_env.agent_selection
        if self.agents and not (isinstance(actions, Mapping) and asked in actions):
            raise ArgumentError(f"actions must be a dict with that of {asked!r}, not {shown(actions)}")
        return super().step(actions)
