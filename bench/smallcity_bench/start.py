"""Start-up time, with and without a library: from a new Python process to its first decision."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

import smallcity_env

STARTS: Final = 3
BY_CLOCK: Final = ", by the clock"
SHIP: Final = (sys.executable, "-m", "smallcity_env.ship", "--targets", "linux-x86_64-x86-64-v3", "--to")
FIRST_DECISION: Final = """
from smallcity_env import smallcity_v0
env = smallcity_v0.env()
env.reset(seed=0)
observation = env.last()[0]
env.step(int(observation["action_mask"].argmax()))
"""


class Took(NamedTuple):
    """Seconds of processor time and by the clock."""

    cpu: float
    clock: float


def first_decision(cache: str = "", folder: str | None = None) -> Took:
    """Time from the start of Python to the first decision, with this cache folder, in this working folder.

    Byte code may be kept, as it is for most users.
    """
    environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if cache else {})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    call = [sys.executable, "-c", FIRST_DECISION]
    began, used = time.perf_counter(), _children()
    subprocess.run(call, env=environment, cwd=folder, check=True, capture_output=True)
    return Took(_children() - used, time.perf_counter() - began)


def _children() -> float:
    """Processor seconds of all finished child processes."""
    times = os.times()
    return times.children_user + times.children_system


def compiled() -> dict[str, float]:
    """Build the library, start from a copy of the sources, then again; and from a new wheel."""
    with tempfile.TemporaryDirectory() as cache:
        values = _values("build", second_checkout(cache))
        values |= _values("second checkout", second_checkout(cache)) | started(cache)
    return values | _values("first start of a wheel", first_of_wheel())


def second_checkout(cache: str) -> Took:
    """Start from a copy of the sources, without byte code."""
    with tempfile.TemporaryDirectory() as folder:
        _copy_package(folder)
        return first_decision(cache, folder)


def first_of_wheel() -> Took:
    """A start with the library of a wheel (ship.py) and an empty cache, once byte code is written."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        shipped = _copy_package(folder) / "shipped"
        subprocess.run([*SHIP, str(shipped)], check=True, capture_output=True)
        first_decision(cache, folder)
        return first_decision(cache, folder)


def _copy_package(folder: str) -> Path:
    """A copy of the sources."""
    package = Path(smallcity_env.__file__).parent
    left_out = shutil.ignore_patterns("__pycache__", "shipped")
    return Path(shutil.copytree(package, Path(folder, package.name), ignore=left_out))


def started(cache: str = "") -> dict[str, float]:
    """Start with the library already built: the median of several starts."""
    starts = [first_decision(cache) for _ in range(STARTS)]
    return _values("started again", sorted(starts)[STARTS // 2])


def _values(name: str, took: Took) -> dict[str, float]:
    return {name: took.cpu, name + BY_CLOCK: took.clock}
