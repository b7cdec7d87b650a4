"""Jitted, in plain Python, bounds-checked and in parallel: the same games, byte for byte."""

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fingerprints import GAMES, line, rollouts, steps
from tests.interpreter import CHECKED, PLAIN, interpreters, run_python


def elsewhere(*names: str, env: dict[str, str] | None = None) -> list[str]:
    """The fingerprints of some games, from another process."""
    return run_python("-m", "tests.fingerprints", *names, env=env).splitlines()


@pytest.mark.parametrize("name", GAMES)
def test_plain_python_plays_the_same_game(name):
    assert elsewhere(name, env=PLAIN) == [line(name)]


def test_bounds_checked_code_plays_the_same_games():
    assert elsewhere(*GAMES, env=CHECKED) == [line(name) for name in GAMES]


def test_another_interpreter_plays_the_same_games():
    assert elsewhere(*GAMES) == [line(name) for name in GAMES]


@pytest.mark.parametrize("name", GAMES)
def test_two_threads_play_the_same_games(name):
    assert rollouts(name, n=101, threads=2) == rollouts(name, n=101)


def test_threads_with_games_of_their_own_play_the_same_games():
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(steps, GAMES)) == [steps(name) for name in GAMES]
        together = list(pool.map(lambda name: rollouts(name, n=101), [*GAMES] * 2))
    assert together == [rollouts(name, n=101) for name in GAMES] * 2


OTHERS = sorted({"3.11", "3.12", "3.13"} - {"{}.{}".format(*sys.version_info)})


@pytest.mark.parametrize("version", OTHERS)
def test_every_supported_python_that_is_installed_plays_the_same_game(version):
    pythons = interpreters(version)
    if not pythons:
        pytest.skip(f"no Python {version} with numba and pettingzoo on the path or in SMALLCITY_PYTHONS")
    for python in pythons:
        played = run_python("-m", "tests.fingerprints", "default", env=PLAIN, python=python)
        assert played == f"{line('default')}\n", python
