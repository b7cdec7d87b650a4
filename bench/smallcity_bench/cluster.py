"""What Ray costs beside a pool of processes, and what a second worker brings: `make cluster`, ten minutes.

Each executor in turn plays an arena of searches, for several rounds; all are started and warmed up before
timing starts. Ratios are taken within a round, by the clock: the machine must be free.
"""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from smallcity_agents.arena import runner
from smallcity_agents.arena.distribute import distribute
from smallcity_agents.cluster import Pool, Ray, Workers
from smallcity_env import Config
from smallcity_env.refusal import script

AGENTS: Final = ["search:sims=32", "greedy"]
GAMES: Final = 48  # in an arena
ROUNDS: Final = 6
MOST_OVERHEAD, LEAST_GAIN = 1.10, 1.8  # Ray / pool; two workers / one
MAKERS: Final[dict[str, Callable[[], Workers]]] = {
    "pool of 1": lambda: Pool(1),
    "pool of 2": lambda: Pool(2),
    "Ray with 1": lambda: Ray("local", 1),
    "Ray with 2": lambda: Ray("local", 2),
}


def rate(executor: Workers, folder: Path, games: int, seed: int) -> float:
    """Games per second of an arena of new games."""
    began, play = time.monotonic(), partial(distribute, executor)
    runner.run(Config(2), AGENTS, games, folder / f"{seed}.jsonl", seed, play=play)
    return games / (time.monotonic() - began)


def rates(seed: int) -> dict[str, float]:
    """Games per second of each executor, on the same games."""
    rates = {}
    for name, make in MAKERS.items():
        with tempfile.TemporaryDirectory() as folder:
            executor = make()
            rate(executor, Path(folder), 4 * executor.count, seed=0)
            rates[name] = rate(executor, Path(folder), GAMES, seed)
            executor.close()
    return rates | {f"bare {n}": bare_rate(n) for n in (1, 2)}


def bare_rate(processes: int, seconds: float = 3.0) -> float:
    """Loops per second of processes that only count: what a second core of this machine gives."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(_count, [0.1] * processes, chunksize=1)
        return sum(pool.map(_count, [seconds] * processes, chunksize=1)) / seconds


def _count(seconds: float) -> int:
    """The number of short loops done in some seconds by the clock."""
    until, loops = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        sum(range(10_000))
        loops += 1
    return loops


def ratios(rounds: Sequence[dict[str, float]]) -> list[str]:
    """The overhead of Ray and the gain of a second worker, beside their targets."""
    lines = []
    for n in (1, 2):
        overhead = [r[f"pool of {n}"] / r[f"Ray with {n}"] for r in rounds]
        target = f"at most {MOST_OVERHEAD:g}: {'met' if median(overhead) <= MOST_OVERHEAD else 'missed'}"
        lines.append(f"{_line(f'Ray / pool, {n} worker' + 's' * (n > 1), overhead)}, target {target}")
    for name in ("Ray with", "pool of"):
        gains = [r[f"{name} 2"] / r[f"{name} 1"] for r in rounds]
        target = f"at least {LEAST_GAIN:g}: {'met' if median(gains) >= LEAST_GAIN else 'missed'}"
        lines.append(f"{_line(f'{name} 2 / {name} 1, games a second', gains)}, target {target}")
    machine = [r["bare 2"] / r["bare 1"] for r in rounds]
    return [*lines, _line("two processes that only count / one, loops a second", machine)]


def _line(what: str, rounds: Sequence[float]) -> str:
    """The median of a ratio, the lowest and the highest."""
    return f"{what}: {median(rounds):.2f} ({min(rounds):.2f}-{max(rounds):.2f})"


def main() -> None:
    """Measure and print."""
    print(f"an arena of {GAMES} games of {' and '.join(AGENTS)}, on each executor in turn")
    rounds = []
    for number in range(ROUNDS):
        rounds.append(rates(seed=1000 + 100 * number))
        print(f"round {number + 1} of {ROUNDS}", flush=True)
    print(*ratios(rounds), sep="\n")


if __name__ == "__main__":
    sys.exit(script(main))
