"""Start-up: processor seconds from a new Python process to its first decision, with and without a library."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final

import smallcity_env

STARTS: Final = 3
SHIP: Final = (sys.executable, "-m", "smallcity_env.ship", "--targets", "linux-x86_64-x86-64-v3", "--to")
FIRST_DECISION: Final = """
from smallcity_env import smallcity_v0
env = smallcity_v0.env()
env.reset(seed=0)
observation = env.last()[0]
env.step(int(observation["action_mask"].argmax()))
"""


def first_decision(cache: str, folder: str | None = None) -> float:
    """A start with this cache folder, in this working folder; byte code may be kept, as usual."""
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    used = _children()
    call = [sys.executable, "-c", FIRST_DECISION]
    subprocess.run(call, env=environment, cwd=folder, check=True, capture_output=True)
    return _children() - used


def _children() -> float:
    """Processor seconds of all finished child processes."""
    times = os.times()
    return times.children_user + times.children_system


def starts() -> dict[str, float]:
    """Build the library, start from a copy of the sources, then again; and from a new wheel."""
    with tempfile.TemporaryDirectory() as cache:
        values = {name: _from_copy(cache) for name in ("build", "second checkout")}
        values["started again"] = median(first_decision(cache) for _ in range(STARTS))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        subprocess.run([*SHIP, str(_copy(folder) / "shipped")], check=True, capture_output=True)
        first_decision(cache, folder)  # writes byte code
        return values | {"wheel": first_decision(cache, folder)}


def _from_copy(cache: str) -> float:
    """Start from a copy of the sources, without byte code."""
    with tempfile.TemporaryDirectory() as folder:
        _copy(folder)
        return first_decision(cache, folder)


def _copy(folder: str) -> Path:
    """A copy of the sources."""
    package = Path(smallcity_env.__file__).parent
    left_out = shutil.ignore_patterns("__pycache__", "shipped")
    return Path(shutil.copytree(package, Path(folder, package.name), ignore=left_out))
