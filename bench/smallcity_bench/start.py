"""Start-up time, with and without compiling: from a new Python process to its first decision."""

import os
import subprocess
import sys
import tempfile
import time
from typing import Final, NamedTuple

STARTS: Final = 3
BY_CLOCK: Final = ", by the clock"
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


def first_decision(cache: str = "") -> Took:
    """Time from the start of Python to the first decision; `cache` overrides the cache folder."""
    environment = {**os.environ, **({"XDG_CACHE_HOME": cache} if cache else {})}
    began, used = time.perf_counter(), _children()
    subprocess.run([sys.executable, "-c", FIRST_DECISION], env=environment, check=True, capture_output=True)
    return Took(_children() - used, time.perf_counter() - began)


def _children() -> float:
    """Processor seconds of all finished child processes."""
    times = os.times()
    return times.children_user + times.children_system


def compiled() -> dict[str, float]:
    """Start with an empty cache, then with the filled one."""
    with tempfile.TemporaryDirectory() as cache:
        return {**_values("first compile", first_decision(cache)), **started(cache)}


def started(cache: str = "") -> dict[str, float]:
    """Start with the rules already compiled: the median of several starts."""
    starts = [first_decision(cache) for _ in range(STARTS)]
    return _values("started again", sorted(starts)[STARTS // 2])


def _values(name: str, took: Took) -> dict[str, float]:
    return {name: took.cpu, name + BY_CLOCK: took.clock}
