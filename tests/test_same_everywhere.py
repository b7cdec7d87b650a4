"""Jitted, in plain Python, bounds-checked and in parallel: the same games, byte for byte."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fingerprints import GAMES, line, rollouts

ROOT = Path(__file__).parent.parent


def elsewhere(*names: str, **env: str) -> list[str]:
    """What another interpreter says about some games."""
    told = subprocess.run(
        [sys.executable, "-m", "tests.fingerprints", *names],
        env=os.environ | env,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


@pytest.mark.parametrize("name", GAMES)
def test_plain_python_plays_the_same_game(name):
    assert elsewhere(name, NUMBA_DISABLE_JIT="1") == [line(name)]


def test_bounds_checked_code_plays_the_same_games():
    assert elsewhere(*GAMES, NUMBA_BOUNDSCHECK="1") == [line(name) for name in GAMES]


def test_another_interpreter_plays_the_same_games():
    assert elsewhere(*GAMES) == [line(name) for name in GAMES]


@pytest.mark.parametrize("name", GAMES)
def test_two_threads_play_the_same_games(name):
    assert rollouts(name, n=101, threads=2) == rollouts(name, n=101)
