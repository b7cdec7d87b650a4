"""Small City: the board game as a reinforcement-learning environment."""

import gymnasium

from .batch import IllegalAction
from .config import MODULES, Config, ConfigError
from .game import BadSave, Game
from .log import BadLog, Log
from .rules import actions
from .rules.actions import ACTIONS, UnknownAction
from .rules.tables import Ask, Phase

__all__ = [
    "ACTIONS",
    "MODULES",
    "Ask",
    "BadLog",
    "BadSave",
    "Config",
    "ConfigError",
    "Game",
    "IllegalAction",
    "Log",
    "Phase",
    "UnknownAction",
    "actions",
]
__version__ = "0.1.0"

gymnasium.register(
    "SmallCity-v0",
    entry_point="smallcity_env.envs.gymnasium:SmallCity",
    vector_entry_point="smallcity_env.envs.vector:SmallCityVec",
)
