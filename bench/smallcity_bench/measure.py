"""Measuring: every case runs briefly in every round, so that noise affects all cases alike.

A figure is the median over rounds, with the lowest and the highest: per second of processor time (all threads
of this process), which is robust on a busy machine, or by the clock if a case uses several cores.
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


class Tally(NamedTuple):
    """What one run did."""

    done: int  # how much, in the unit of the case
    games: int = 0  # games finished


class Ready(NamedTuple):
    """A case that is set up and warmed up."""

    run: Callable[[], Any]  # the timed work
    tally: Callable[[Any], Tally] = lambda tally: tally  # what a run did, counted outside the timed section


@dataclass(frozen=True)
class Case:
    """Something to be measured."""

    key: str
    what: str  # its name in the table
    prepare: Callable[[], Ready]
    unit: str = "decisions"
    cores: int = 1
    needs: tuple[str, ...] = ()  # required packages
    like: str = ""  # the case of ours that does the same kind of work

    def missing(self) -> str:
        """One sentence naming the packages this case lacks; empty if none."""
        lacking = [name for name in self.needs if find_spec(name) is None]
        if not lacking:
            return ""
        from smallcity_env.refusal import install  # versions to compare with may not have it

        return f"{', '.join(lacking)} not installed: {install('bench')}"


class Round(NamedTuple):
    """One round of one case."""

    seconds: float
    cpu: float
    done: int
    games: int

    def rate(self, by_clock: bool, of: str = "done") -> float:
        """Work done, or games finished, per second."""
        return float(getattr(self, of) / (self.seconds if by_clock else self.cpu))


class Spread(NamedTuple):
    """The median over rounds, the lowest and the highest."""

    median: float
    low: float
    high: float


@dataclass
class Measured:
    """A case and its rounds."""

    case: Case
    rounds: list[Round] = field(default_factory=list)

    def figure(self, of: str = "done") -> Spread:
        """Work done, or games finished, per second."""
        return spread([r.rate(self.case.cores > 1, of) for r in self.rounds])


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


def prepared(case: Case) -> Ready:
    """Set a case up on its cores and run it once to compile it."""
    with on_cores(case.cores):
        ready = case.prepare()
        ready.tally(ready.run())
        return ready


def one_round(case: Case, ready: Ready, seconds: float) -> Round:
    """Repeat a case on its cores for at least this many seconds; counting is not timed."""
    clock = cpu = 0.0
    tallies: list[Tally] = []
    with on_cores(case.cores):
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
    results, ready = Results(), dict[str, Ready]()
    for case in cases:
        say(f"setting up: {case.what}")
        reason = case.missing()
        try:
            if not reason:
                ready[case.key] = prepared(case)
                results.measured[case.key] = Measured(case)
        except Exception as wrong:  # a peer that does not run here is reported as missing
            if not case.needs:
                raise
            reason = f"{type(wrong).__name__}: {wrong}".split("\n")[0]
        if reason:
            results.missing[case.what] = reason
    for number in range(repeats):
        for key, measured in results.measured.items():
            say(f"round {number + 1} of {repeats}: {measured.case.what}")
            measured.rounds.append(one_round(measured.case, ready[key], seconds))
    return results


def ratio(ours: Measured, theirs: Measured, of: str = "done") -> Spread | None:
    """The ratio of `done` or `games` per second, round by round; by processor time if both use one core.

    None if theirs is always 0: a peer whose games outlast every round has finished none.
    """
    by_clock = max(ours.case.cores, theirs.case.cores) > 1
    pairs = zip(ours.rounds, theirs.rounds, strict=True)
    rates = [(a.rate(by_clock, of), b.rate(by_clock, of)) for a, b in pairs]
    known = [a / b for a, b in rates if b]
    return spread(known) if known else None
