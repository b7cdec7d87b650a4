"""rlcard: gin rummy in Python, two of its random agents.

A run is a whole game by its own `Env.run`, which builds an observation at every decision.
"""

from importlib import import_module
from typing import Any

from ..measure import Case, Ready, Tally


def cases() -> list[Case]:
    """Gin rummy."""
    counts = "whole games by Env.run, an observation each"
    what = "rlcard gin rummy, random agents, observation"
    return [Case("rlcard/gin-rummy", "rlcard", what, counts, _prepare, needs=("rlcard",))]


def _prepare() -> Ready:
    env = import_module("rlcard").make("gin-rummy", config={"seed": 0})
    agent = import_module("rlcard.agents").RandomAgent(env.num_actions)
    env.set_agents([agent] * env.num_players)
    return Ready(lambda: env.run(is_training=True)[0], _tally)


def _tally(trajectories: Any) -> Tally:
    """Count decisions and forced answers; a trajectory alternates states and actions."""
    asked = [states for seat in trajectories for states in seat[:-1:2]]
    forced = sum(len(state["legal_actions"]) == 1 for state in asked)
    return Tally(len(asked) - forced, forced, 1)
