"""Simulate the learner of `streams.py` and its queue, to find where training stops scaling.

    python -m smallcity_training.learner_queue --cores 1 10 100 1000

Cores play rollouts, one after another; there are more streams than cores, so that no core waits while the
learner trains. Rollouts cross the learner's network link one at a time and wait; the learner takes half
as many as there are streams, trains on them, and drops those older than `max_lag` updates. A rollout whose
machine dies is played again. Times are inputs: measure them first (docs/cluster.md says how).
"""

import argparse
import heapq
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

SPREAD: Final = 0.15  # std of the time of a rollout, relative to it


@dataclass(frozen=True)
class Costs:
    """The measured costs of one rollout."""

    decisions: int = 4096  # the learner trains on
    play_seconds: float = 4.0  # on one core
    learn_seconds: float = 2.0  # of the learner, all epochs
    megabytes: float = 8.0  # sent to the learner
    link: float = 1250.0  # MB/s of the learner's network: 10 Gbit/s
    deaths: float = 0.0  # per core and hour
    streams: int = 2  # per core
    max_lag: int = 4


@dataclass(frozen=True)
class Outcome:
    """The result of a simulation."""

    cores: int
    decisions_per_second: float  # trained on
    playing: float  # share of the cores' time spent on rollouts that were used
    learning: float  # share of the learner's time
    link: float  # share of the link's time
    lag: float  # mean, in updates, of the rollouts that arrived
    dropped: float  # share of the rollouts


def simulate(costs: Costs, cores: int, updates: int = 200, seed: int = 0) -> Outcome:
    """Run the learner for some updates."""
    cluster, streams = _Cluster(costs, cores, seed), cores * costs.streams
    for _ in range(streams):
        cluster.submit(0.0, version=0)
    now, used, lags = 0.0, 0, list[int]()
    for version in range(updates):
        fresh = 0
        while fresh < -(-streams // 2):
            arrived, began = cluster.next()
            now = max(now, arrived)  # the learner may be busy until later
            cluster.submit(now, version)
            lags.append(version - began)
            fresh += lags[-1] <= costs.max_lag
        used += fresh
        now += fresh * costs.learn_seconds
    busy = used / now
    return Outcome(
        cores,
        busy * costs.decisions,
        busy * costs.play_seconds / cores,
        busy * costs.learn_seconds,
        len(lags) * costs.megabytes / costs.link / now,
        float(np.mean(lags)),
        1 - used / len(lags),
    )


class _Cluster:
    """Cores and the link to the learner."""

    def __init__(self, costs: Costs, cores: int, seed: int) -> None:
        self.costs, self.random = costs, np.random.default_rng(seed)
        self.free, self.link_free = [0.0] * cores, 0.0
        self.playing: list[tuple[float, int]] = []  # when a rollout ends, and its version

    def submit(self, now: float, version: int) -> None:
        """Give a rollout to the core that is free first."""
        ends = max(heapq.heappop(self.free), now) + self._seconds()
        heapq.heappush(self.free, ends)
        heapq.heappush(self.playing, (ends, version))

    def next(self) -> tuple[float, int]:
        """The time at which the next rollout has crossed the link, and its version."""
        ended, version = heapq.heappop(self.playing)
        self.link_free = max(ended, self.link_free) + self.costs.megabytes / self.costs.link
        return self.link_free, version

    def _seconds(self) -> float:
        """How long a rollout takes, including restarts after a core's death."""
        needed = max(float(self.random.normal(1, SPREAD)), 0.1) * self.costs.play_seconds
        spent, deaths = 0.0, self.costs.deaths
        while deaths and (life := float(self.random.exponential(3600 / deaths))) < needed:
            spent += life
        return spent + needed


def table(costs: Costs, cores: list[int]) -> list[str]:
    """A Markdown table with a line per number of cores."""
    lines = ["| cores | decisions/s | cores busy | learner busy | link busy | mean lag | dropped |"]
    lines.append("|---:|---:|---:|---:|---:|---:|---:|")
    for o in (simulate(costs, n) for n in cores):
        shares = f"{o.playing:.0%} | {o.learning:.0%} | {o.link:.0%} | {o.lag:.1f} | {o.dropped:.0%}"
        lines.append(f"| {o.cores:,} | {o.decisions_per_second:,.0f} | {shares} |")
    return lines


def main() -> None:
    """Print the table for the costs on the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 10, 100, 1000])
    for name, value in vars(Costs()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    args = vars(parser.parse_args())
    cores = args.pop("cores")
    print(*table(replace(Costs(), **args), cores), sep="\n")


if __name__ == "__main__":
    main()
