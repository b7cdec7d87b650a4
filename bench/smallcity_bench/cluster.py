"""The cost of a cluster: Ray against a pool of processes, two workers against one, bytes per game and update.

    make cluster                                           # the two ratios, in ten minutes
    PYTHONPATH=bench python -m smallcity_bench.cluster     # all figures of docs/cluster.md

Each kind of executor in turn plays an arena of searches, for several rounds; all are started and warmed up
before timing starts. Ratios are taken within a round. On a busy machine compare processor seconds, of
this process and its descendants (Linux only), not games per second.
"""

import argparse
import multiprocessing
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from smallcity_agents.arena import runner
from smallcity_agents.arena.distribute import Setup, distribute, play_chunk
from smallcity_agents.arena.schedule import schedule
from smallcity_agents.cluster import Pool, Ray, Workers
from smallcity_env import Config
from smallcity_env.refusal import needing, script

CONFIG: Final = Config(2)
AGENTS: Final = ["search:sims=32", "greedy"]
FIXTURES: Final = 32
ON_ONE_CORE: Final = {"random": 512, "greedy": 512, "rollout:sims=16": 32, "search:sims=32": 32}  # games
MOST_OVERHEAD, LEAST_GAIN = 1.10, 1.8  # Ray / pool; two workers / one
BARE_SECONDS: Final = 3.0


class Cost(NamedTuple):
    """The cost of an arena."""

    rate: float  # games per second; loops of bare processes
    processor_seconds: float  # per game or loop

    def __str__(self) -> str:
        return f"{self.rate:.2f} games/s, {self.processor_seconds:.3f} processor seconds a game"


def processor_seconds() -> float:
    """The processor seconds of this process and its living descendants."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            stats[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    ours, before = {os.getpid()}, 0
    while len(ours) > before:
        before = len(ours)
        ours |= {pid for pid, fields in stats.items() if int(fields[1]) in ours}
    return sum(int(field) for pid in ours for field in stats[pid][11:13]) / os.sysconf("SC_CLK_TCK")


def cost(executor: Workers, folder: Path, games: int, seed: int) -> Cost:
    """The cost of an arena of new games."""
    began, used = time.monotonic(), processor_seconds()
    runner.run(CONFIG, AGENTS, games, folder / f"{seed}.jsonl", seed, play=partial(distribute, executor))
    return Cost(games / (time.monotonic() - began), (processor_seconds() - used) / games)


def costs(makers: dict[str, Callable[[], Workers]], games: int, seed: int) -> dict[str, Cost]:
    """The cost of each executor, on the same games."""
    costs = {}
    for name, make in makers.items():
        with tempfile.TemporaryDirectory() as folder:
            executor = make()
            cost(executor, Path(folder), 4 * executor.count, seed=0)
            costs[name] = cost(executor, Path(folder), games, seed)
            executor.close()
    return costs | {f"bare {n}": bare_cost(n) for n in (1, 2)}


def bare_cost(processes: int, seconds: float = BARE_SECONDS) -> Cost:
    """Loops per second of processes that only count: what a second core of this machine gives."""
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pool.map(_count, [0.1] * processes, chunksize=1)
        loops = sum(pool.map(_count, [seconds] * processes, chunksize=1))
    return Cost(loops / seconds, seconds * processes / loops)


def _count(seconds: float) -> int:
    """The number of short loops done in some seconds by the clock."""
    until, loops = time.monotonic() + seconds, 0
    while time.monotonic() < until:
        sum(range(10_000))
        loops += 1
    return loops


def core_rates(folder: Path) -> dict[str, float]:
    """Two-player games per processor second, by agent."""
    rates = {}
    for name, games in ON_ONE_CORE.items():
        names = [name, "first"] if name != "greedy" else [name, "builder"]
        runner.run(CONFIG, names, 2, folder / "warm.jsonl")
        began = time.process_time()
        runner.run(CONFIG, names, games, folder / "alone.jsonl", seed=1000)
        rates[name] = games / (time.process_time() - began)
    return rates


def game_bytes() -> tuple[int, int]:
    """Bytes sent to a worker per game, and bytes of the result sent back."""
    setup = Setup(CONFIG, tuple(AGENTS))
    fixtures = schedule(len(AGENTS), CONFIG.players, FIXTURES)
    chunk = play_chunk(setup, fixtures)
    return len(pickle.dumps((setup, fixtures))) // FIXTURES, len(pickle.dumps(chunk)) // FIXTURES


def update_costs(games: int, horizon: int) -> dict[str, float]:
    """Seconds and bytes of a PPO rollout and of learning from it."""
    with needing("train"):
        from smallcity_training import streams
    import torch

    config = streams.PPOConfig(games=games, horizon=horizon, streams=1, opponents_share=0.0, pool_share=0.0)
    learner = streams.StreamPPO(streams.NoRun(), config)  # type: ignore[arg-type]
    learner.publish()
    snapshot = learner.snapshots[0]
    rollout = streams.play_stream(snapshot, learner.tasks[0])  # compiles
    took, rollout = _timed(lambda: streams.play_stream(snapshot, streams.Task(0, 0, rollout.state)))
    tensors = {name: torch.from_numpy(array) for name, array in rollout.data.items()}
    decisions = len(rollout.data["actions"])
    learnt, _ = _timed(lambda: learner.learn(tensors, torch.arange(decisions).numpy()))
    sizes = {"weights": snapshot.net, "decisions": rollout.data, "state": rollout.state}
    megabytes = {f"MB of {name}": len(pickle.dumps(value)) / 1e6 for name, value in sizes.items()}
    return {"decisions": decisions, "seconds to play": took, "seconds to learn": learnt} | megabytes


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor seconds a call took, and its result."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


MAKERS: Final[dict[str, Callable[[], Workers]]] = {
    "pool of 1": lambda: Pool(1),
    "pool of 2": lambda: Pool(2),
    "Ray with 1": lambda: Ray("local", 1),
    "Ray with 2": lambda: Ray("local", 2),
}
Round = dict[str, Cost]  # by executor


class Ratio(NamedTuple):
    """A ratio in every round, and a bound on its median."""

    what: str
    rounds: list[float]
    bound: float = 0.0  # 0: none
    at_most: bool = False

    def __str__(self) -> str:
        middle = median(self.rounds)
        words = f"{self.what}: {middle:.2f} ({min(self.rounds):.2f}-{max(self.rounds):.2f})"
        if not self.bound:
            return words
        met = middle <= self.bound if self.at_most else middle >= self.bound
        sign = "at most" if self.at_most else "at least"
        return f"{words}, target {sign} {self.bound:g}: {'met' if met else 'missed'}"


def ratios(rounds: Sequence[Round]) -> list[Ratio]:
    """The overhead of Ray and the gain of a second worker, by the clock and in processor seconds."""
    result = []
    for workers in (1, 2):
        pairs = [(r[f"Ray with {workers}"], r[f"pool of {workers}"]) for r in rounds]
        times = [pool.rate / ray.rate for ray, pool in pairs]
        processor = [ray.processor_seconds / pool.processor_seconds for ray, pool in pairs]
        what = f"Ray / pool, {workers} worker{'s' * (workers > 1)}"
        result.append(Ratio(f"{what}, time by the clock", times, MOST_OVERHEAD, at_most=True))
        result.append(Ratio(f"{what}, processor seconds", processor, MOST_OVERHEAD, at_most=True))
    for one, two in (("Ray with 1", "Ray with 2"), ("pool of 1", "pool of 2")):
        gains = [r[two].rate / r[one].rate for r in rounds]
        result.append(Ratio(f"{two} / {one}, games a second", gains, LEAST_GAIN))
    machine = [r["bare 2"].rate / r["bare 1"].rate for r in rounds]
    return [*result, Ratio("two processes that only count / one, loops a second", machine)]


def measure(games: int, repeats: int) -> list[Round]:
    """Play the same arena on every executor, in several rounds; print the costs."""
    rounds = []
    for number in range(repeats):
        rounds.append(costs(MAKERS, games, seed=1000 + 100 * number))
        print(f"round {number + 1} of {repeats}", flush=True)
    for name in MAKERS:
        print(f"{name}:", Cost(*(median(values) for values in zip(*(r[name] for r in rounds), strict=True))))
    return rounds


def print_parts() -> None:
    """Print the bytes and rates behind the estimates of docs/cluster.md."""
    sent, received = game_bytes()
    print(f"a game: {sent:,} bytes to the worker, {received:,} back", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        rates = {name: round(rate, 3) for name, rate in core_rates(Path(folder)).items()}
    print("games/s on a core:", rates, flush=True)
    print("a rollout:", {name: round(value, 3) for name, value in update_costs(64, 64).items()}, flush=True)


def main() -> None:
    """Print the figures of docs/cluster.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=48, help="in an arena (default 48)")
    parser.add_argument("--repeats", type=int, default=6, help="rounds (default 6)")
    parser.add_argument("--ratios", action="store_true", help="only the two ratios")
    args = parser.parse_args()
    if not args.ratios:
        print_parts()
    print(f"an arena of {args.games} games of {' and '.join(AGENTS)}, on each executor in turn")
    print(*ratios(measure(args.games, args.repeats)), sep="\n")


if __name__ == "__main__":
    sys.exit(script(main))
