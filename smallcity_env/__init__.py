"""Small City: the board game as a reinforcement-learning environment."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from ._version import __version__
from .registration import register

if TYPE_CHECKING:
    from .arguments import ArgumentError
    from .batch import IllegalAction, InvalidState
    from .config import MODULES, Config, ConfigError
    from .game import BadSave, Game
    from .log import BadLog, Log
    from .rules import actions
    from .rules.actions import ACTIONS, UnknownAction
    from .rules.tables import Ask, Phase

__all__ = [
    "ACTIONS",
    "MODULES",
    "ArgumentError",
    "Ask",
    "BadLog",
    "BadSave",
    "Config",
    "ConfigError",
    "Game",
    "IllegalAction",
    "InvalidState",
    "Log",
    "Phase",
    "UnknownAction",
    "__version__",
    "actions",
]

_HOMES: Final = {
    "arguments": ("ArgumentError",),
    "batch": ("IllegalAction", "InvalidState"),
    "config": ("MODULES", "Config", "ConfigError"),
    "game": ("BadSave", "Game"),
    "log": ("BadLog", "Log"),
    "rules.actions": ("ACTIONS", "UnknownAction", "actions"),
    "rules.tables": ("Ask", "Phase"),
}


def __getattr__(name: str) -> Any:
    """Import public names on first use, so that the command line can choose the numbers first."""
    for home, names in _HOMES.items():
        if name in names:
            module = import_module(f".{home}", __name__)
            value = module if home.endswith(f".{name}") else getattr(module, name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register()
