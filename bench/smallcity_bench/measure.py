"""Measuring: every case runs briefly in every round, so that noise affects all cases alike.

A figure is the median over rounds, with the lowest and the highest. Both wall-clock and processor time
(all threads of this process) are measured. On a busy machine processor time is the robust one, so
ratios of single-core cases use it, round by round.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Final, NamedTuple

ALL_CORES: Final = tuple(sorted(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else ()
CORES: Final = len(ALL_CORES) or os.cpu_count() or 1
BESIDE: Final = "beside"  # forced answers are counted separately from decisions
AMONG: Final = "among"  # decisions include forced answers, which this peer does not distinguish
UNSEEN: Final = "unseen"  # forced answers are auto-played inside and not reported
EXTRA: Final = "pip install 'smallcity-env[bench]'"


class Tally(NamedTuple):
    """What one run did."""

    done: int  # how much, in the unit of the case
    forced: int = 0  # forced answers: besides `done` or among it, by the case
    games: int = 0  # games finished


class Ready(NamedTuple):
    """A case that is set up and warmed up."""

    run: Callable[[], Any]  # the timed work
    tally: Callable[[Any], Tally]  # what a run did, counted outside the timed section


@dataclass(frozen=True)
class Case:
    """Something to be measured."""

    key: str
    group: str  # the project it belongs to
    what: str  # its name in the table
    counts: str  # what one run does and what it counts
    prepare: Callable[[], Ready]
    unit: str = "decisions"
    forced: str = BESIDE
    cores: int = 1
    needs: tuple[str, ...] = ()  # required packages

    def missing(self) -> str:
        """One sentence naming the packages this case lacks; empty if none."""
        lacking = [name for name in self.needs if find_spec(name) is None]
        return f"{', '.join(lacking)} not installed: {EXTRA}" if lacking else ""


class Round(NamedTuple):
    """One round of one case."""

    seconds: float
    cpu: float
    done: int
    forced: int
    games: int


class Spread(NamedTuple):
    """The median over rounds, the lowest and the highest."""

    median: float
    low: float
    high: float


@dataclass
class Measured:
    """A case, its set-up time, and its rounds."""

    case: Case
    setup: float = 0.0
    rounds: list[Round] = field(default_factory=list)

    def rate(self) -> Spread:
        """Work done per second by the clock."""
        return spread([r.done / r.seconds for r in self.rounds])

    def per_cpu(self) -> Spread:
        """Work done per second of processor time."""
        return spread([r.done / r.cpu for r in self.rounds])

    def figure(self) -> Spread:
        """The figure to compare: per processor second on one core, per clock second on several."""
        return self.per_cpu() if self.case.cores == 1 else self.rate()

    def games(self) -> Spread:
        """Games finished per second, on the same clock as the figure."""
        return spread([r.games / (r.cpu if self.case.cores == 1 else r.seconds) for r in self.rounds])

    def forced(self) -> float:
        """Forced answers per unit of work."""
        return sum(r.forced for r in self.rounds) / max(sum(r.done for r in self.rounds), 1)


def spread(values: Sequence[float]) -> Spread:
    """Median, lowest, highest."""
    return Spread(statistics.median(values), min(values), max(values))


@contextmanager
def on_cores(cores: int) -> Iterator[None]:
    """Pin this thread, and those it starts, to the last N processors, where the system allows it."""
    if ALL_CORES:
        os.sched_setaffinity(0, ALL_CORES[-cores:])
    try:
        yield
    finally:
        if ALL_CORES:
            os.sched_setaffinity(0, ALL_CORES)


def one_round(ready: Ready, seconds: float) -> Round:
    """Repeat a case for at least this many seconds; counting is not timed."""
    clock = cpu = 0.0
    tallies: list[Tally] = []
    while clock < seconds:
        at, used = time.perf_counter(), time.process_time()
        result = ready.run()
        cpu, clock = cpu + time.process_time() - used, clock + time.perf_counter() - at
        tallies.append(ready.tally(result))
        del result  # free the result before the next run is timed
    return Round(clock, cpu, *(sum(column) for column in zip(*tallies, strict=True)))


@dataclass
class Results:
    """Everything measured in one run."""

    measured: dict[str, Measured] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)  # the reason, by the case's name in the table
    values: dict[str, float] = field(default_factory=dict)  # values that are not rates: bytes, seconds


def measure(cases: Sequence[Case], repeats: int, seconds: float, say: Callable[[str], None]) -> Results:
    """Set every case up, then run all of them in turn, round by round."""
    results, prepared = Results(), {}
    for case in cases:
        say(f"setting up: {case.what}")
        reason = case.missing()
        if not reason:
            try:
                prepared[case.key], took = _prepare(case)
                results.measured[case.key] = Measured(case, took)
            except Exception as wrong:  # a peer that does not run here is reported as missing
                if not case.needs:
                    raise
                reason = f"{type(wrong).__name__}: {wrong}".split("\n")[0]
        if reason:
            results.missing[case.what] = reason
    for number in range(repeats):
        for key, ready in prepared.items():
            measured = results.measured[key]
            say(f"round {number + 1} of {repeats}: {measured.case.what}")
            with on_cores(measured.case.cores):
                measured.rounds.append(one_round(ready, seconds))
    return results


def steps(cases: Sequence[Case], repeats: int) -> int:
    """How many progress messages `measure` sends."""
    return len(cases) + repeats * sum(not case.missing() for case in cases)


def _prepare(case: Case) -> tuple[Ready, float]:
    """Set a case up on its cores and run it once to compile it; return it and the time this took."""
    with on_cores(case.cores):
        began = time.perf_counter()
        ready = case.prepare()
        ready.tally(ready.run())
        return ready, time.perf_counter() - began


def ratio(ours: Measured, theirs: Measured, of: str = "done") -> Spread | None:
    """The ratio of `done` or `games` per second, round by round; by processor time if both use one core.

    None if theirs is always 0: a peer whose games outlast every round has finished none.
    """
    clock = "cpu" if ours.case.cores == theirs.case.cores == 1 else "seconds"

    def rate(r: Round) -> float:
        return float(getattr(r, of) / getattr(r, clock))

    pairs = [(rate(a), rate(b)) for a, b in zip(ours.rounds, theirs.rounds, strict=True)]
    known = [a / b for a, b in pairs if b]
    return spread(known) if known else None
