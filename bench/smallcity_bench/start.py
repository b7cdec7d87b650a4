"""Start-up time, with and without compiling: from a new Python process to its first decision."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

import smallcity_env
from smallcity_env.background import VARIABLE

STARTS: Final = 3
BY_CLOCK: Final = ", by the clock"
SHIP: Final = (sys.executable, "-m", "smallcity_env.ship", "--rules-only", "--to")
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


def first_decision(cache: str = "", folder: str | None = None, background: bool = False) -> Took:
    """Time from the start of Python to the first decision, with this cache folder, in this working folder.

    Byte code may be kept, as it is for most users. What compiles in the background is not counted.
    """
    environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if cache else {}), VARIABLE: f"{background:d}"}
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
    """Start with an empty cache, then from a copy of the sources, then again; and from a new wheel."""
    values = _values("first start of a checkout", first_checkout())
    with tempfile.TemporaryDirectory() as cache:
        values |= _values("first compile", second_checkout(cache))
        values |= _values("second checkout", second_checkout(cache)) | started(cache)
    return values | _values("first start of a wheel", first_of_wheel())


def first_checkout() -> Took:
    """Start from a copy of the sources with an empty cache; what compiles in the background ends with it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
        return second_checkout(cache, background=True)


def second_checkout(cache: str, background: bool = False) -> Took:
    """Start from a copy of the sources, without byte code."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=background) as folder:
        _copy_package(folder)
        return first_decision(cache, folder, background)


def first_of_wheel() -> Took:
    """The first start with the compiled files of a wheel (ship.py) and an empty cache."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        shipped = _copy_package(folder) / "shipped"
        subprocess.run([*SHIP, str(shipped)], check=True, capture_output=True)
        return first_decision(cache, folder)


def _copy_package(folder: str) -> Path:
    """A copy of the sources."""
    package = Path(smallcity_env.__file__).parent
    left_out = shutil.ignore_patterns("__pycache__", "shipped")
    return Path(shutil.copytree(package, Path(folder, package.name), ignore=left_out))


def started(cache: str = "") -> dict[str, float]:
    """Start with the rules already compiled: the median of several starts."""
    starts = [first_decision(cache) for _ in range(STARTS)]
    return _values("started again", sorted(starts)[STARTS // 2])


def _values(name: str, took: Took) -> dict[str, float]:
    return {name: took.cpu, name + BY_CLOCK: took.clock}
