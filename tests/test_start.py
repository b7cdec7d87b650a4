"""Start-up: a game needs numpy and the rules only; registries are filled whoever is imported first."""

import pytest

import smallcity_env
from smallcity_env.rules._library import library

from .interpreter import run_python

HEAVY = "gymnasium", "pettingzoo", "numba", "llvmlite", "numpy.ma", "smallcity_env.render", "urllib.request"
GAME = """
import sys
from smallcity_env import Config, Game
game = Game(Config(players=2), seed=1)
game.step(game.legal()[0])
"""


def test_a_decision_imports_neither_environments_nor_compilers() -> None:
    library.load()  # a process that builds it needs numba
    assert run_python("-c", f"{GAME}print({{*sys.modules}} & {{*{HEAVY}}})") == "set()\n"


@pytest.mark.parametrize(
    "order", ["gymnasium, pettingzoo, smallcity_env", "smallcity_env, pettingzoo, gymnasium"]
)
def test_environments_are_registered_in_either_order(order: str) -> None:
    words = f"import {order}\nprint(gymnasium.make('SmallCity-v0', players=2).unwrapped)\n"
    words += "print(gymnasium.make_vec('SmallCity-v0', num_envs=2, players=2).num_envs)\n"
    words += "print(pettingzoo.make('aec', 'smallcity_v0'), pettingzoo.make('parallel', 'smallcity_v0'))\n"
    said = run_python("-W", "error", "-c", words)
    assert said == "<SmallCity<SmallCity-v0>>\n2\nsmallcity_v0 smallcity_v0\n"


def test_a_package_that_is_not_there_is_refused_as_ever() -> None:
    words = "import sys, smallcity_env\nsys.path[:] = []\ntry:\n    import gymnasium\n"
    words += "except ModuleNotFoundError as wrong:\n    print(wrong)"
    assert run_python("-c", words) == "No module named 'gymnasium'\n"


def test_the_package_lists_its_names_before_they_are_used() -> None:
    words = "import smallcity_env; print(*sorted({*smallcity_env.__all__} - {*dir(smallcity_env)}))"
    assert run_python("-c", words) == "\n"
    for name in smallcity_env.__all__:
        assert getattr(smallcity_env, name) is not None
