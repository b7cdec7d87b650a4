"""PettingZoo's own classic games, as returned by `env()`: chess and connect four.

A run is a whole game, played by the same loop as our environment, with an observation and a mask at every
decision.
"""

import os
from importlib import import_module
from typing import Final

from ..measure import Case, Ready
from ..ours import aec_run

FILES: Final = {  # the module of each game, and the packages it needs
    "connect_four": ("pettingzoo.classic.connect_four.connect_four", ("pettingzoo", "pygame")),
    "chess": ("pettingzoo.classic.chess.chess", ("pettingzoo", "pygame", "chess")),
}


def cases() -> list[Case]:
    """Two games."""
    return [_case(name, file, needs) for name, (file, needs) in FILES.items()]


def _case(name: str, file: str, needs: tuple[str, ...]) -> Case:
    def prepare() -> Ready:
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        return aec_run(import_module(file).env())

    return Case(
        f"pettingzoo/{name}", "PettingZoo", f"PettingZoo {name.replace('_', ' ')}, env()",
        "whole games from Python, an observation and a mask each", prepare, needs=needs,
    )  # fmt: skip
