"""The public interface is typed: strict mypy accepts a correct script of a user and reports mistakes."""

import os
import subprocess
import sys
from pathlib import Path

from tests.interpreter import ROOT

SCRIPT = '''
"""A user's script."""

from typing import Any

import gymnasium
import numpy as np

from smallcity_env import Config, Game, IllegalAction, __version__, actions, batch, smallcity_v0
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.vector import SmallCityVec


def play(env: smallcity_v0.raw_env) -> dict[str, float]:
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        over = terminated or truncated
        env.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
    return env.rewards


def main() -> None:
    game = Game(Config(players=2), seed=7)
    try:
        game.step("at C3")
    except IllegalAction as wrong:
        print(wrong, __version__)
    names: list[str] = [actions.name(int(action)) for action in game.legal()]
    states = batch.new(8, game.config, seeds=range(8))
    masks = batch.masks(states)
    play(smallcity_v0.env(players=3, modules=("doctors",), reward="margin", illegal="raise"))
    env: gymnasium.Env[Any, Any] = SmallCity(config=game.config, opponents=["random"])
    vec = SmallCityVec(4, players=2, autoreset_mode="SameStep", observation_key="observations")
    observations, infos = vec.reset(seed=1)
    print(names, masks.shape, env.reset(seed=1), observations, infos)


main()
'''
WRONG = """
from smallcity_env import smallcity_v0
from smallcity_env.envs.vector import SmallCityVec

smallcity_v0.env(players="two")
smallcity_v0.env(colour="red")
SmallCityVec(4, illegal="forgive")
"""


def test_strict_mypy_passes_a_users_script_and_refuses_wrong_arguments(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "wrong.py").write_text(WRONG)
    options = ["--strict", "--config-file", "", "--follow-imports", "silent", "--no-error-summary"]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "script.py", "wrong.py"],
        cwd=tmp_path,
        env=os.environ | {"MYPYPATH": f"{ROOT}:{ROOT / 'agents'}"},
        capture_output=True,
        text=True,
    )
    lines = [line.split(":")[:2] for line in checked.stdout.splitlines() if "error:" in line]
    assert lines == [["wrong.py", str(n)] for n in (5, 6, 7)], checked.stdout
