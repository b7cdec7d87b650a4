"""Measuring: every case runs for a moment in every round, so that noise hits all alike.

A figure is the median of its rounds with the lowest and the highest. Time is taken twice: by the clock,
and by the processor (all threads of this process). On a machine with other work the second is the
robust one, and ratios of cases that run on one core are made of it, round by round.
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
BESIDE: Final = "beside"  # forced answers are counted, but not as decisions
AMONG: Final = "among"  # this peer's decisions hold forced answers that cannot be told apart
UNSEEN: Final = "unseen"  # forced answers are taken inside and not told
EXTRA: Final = "pip install 'smallcity-env[bench]'"


class Tally(NamedTuple):
    """What one run did."""

    done: int  # in the unit of the case
    forced: int = 0  # answers that were the only ones: beside `done` or among it, as the case says
    games: int = 0  # played to their end


class Ready(NamedTuple):
    """A case set up and warmed up."""

    run: Callable[[], Any]  # the work being timed
    tally: Callable[[Any], Tally]  # what a run did, counted after the clock has stopped


@dataclass(frozen=True)
class Case:
    """Something to be measured."""

    key: str
    group: str  # whose it is
    what: str  # one line in the table
    counts: str  # what one run does and what is counted
    prepare: Callable[[], Ready]
    unit: str = "decisions"
    forced: str = BESIDE
    cores: int = 1
    needs: tuple[str, ...] = ()  # packages to import

    def missing(self) -> str:
        """The packages this case lacks, in one sentence; empty if none."""
        lacking = [name for name in self.needs if find_spec(name) is None]
        return f"{', '.join(lacking)} not installed: {EXTRA}" if lacking else ""


class Round(NamedTuple):
    """One moment of one case."""

    seconds: float
    cpu: float
    done: int
    forced: int
    games: int


class Spread(NamedTuple):
    """The median of the rounds, the lowest and the highest."""

    median: float
    low: float
    high: float


@dataclass
class Measured:
    """A case, how long it took to set up, and its rounds."""

    case: Case
    setup: float = 0.0
    rounds: list[Round] = field(default_factory=list)

    def rate(self) -> Spread:
        """Done a second by the clock."""
        return spread([r.done / r.seconds for r in self.rounds])

    def per_cpu(self) -> Spread:
        """Done in a second of processor time."""
        return spread([r.done / r.cpu for r in self.rounds])

    def figure(self) -> Spread:
        """The one to compare: by the processor on one core, by the clock on several."""
        return self.per_cpu() if self.case.cores == 1 else self.rate()

    def games(self) -> Spread:
        """Games ended, in the time of the figure."""
        return spread([r.games / (r.cpu if self.case.cores == 1 else r.seconds) for r in self.rounds])

    def forced(self) -> float:
        """Forced answers for each thing done."""
        return sum(r.forced for r in self.rounds) / max(sum(r.done for r in self.rounds), 1)


def spread(values: Sequence[float]) -> Spread:
    """Median, lowest, highest."""
    return Spread(statistics.median(values), min(values), max(values))


@contextmanager
def on_cores(cores: int) -> Iterator[None]:
    """Keep this thread, and those it starts, on the last so many processors, where the system can."""
    if ALL_CORES:
        os.sched_setaffinity(0, ALL_CORES[-cores:])
    try:
        yield
    finally:
        if ALL_CORES:
            os.sched_setaffinity(0, ALL_CORES)


def one_round(ready: Ready, seconds: float) -> Round:
    """Run again and again for at least so long; what was done is counted while the clocks stand still."""
    clock = cpu = 0.0
    tallies: list[Tally] = []
    while clock < seconds:
        at, used = time.perf_counter(), time.process_time()
        result = ready.run()
        cpu, clock = cpu + time.process_time() - used, clock + time.perf_counter() - at
        tallies.append(ready.tally(result))
        del result  # what a run made does not stay in memory while the next one is timed
    return Round(clock, cpu, *(sum(column) for column in zip(*tallies, strict=True)))


@dataclass
class Sitting:
    """Everything measured in one sitting."""

    measured: dict[str, Measured] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)  # by what the table calls it: why
    values: dict[str, float] = field(default_factory=dict)  # what is not a rate: bytes, seconds


def measure(cases: Sequence[Case], repeats: int, seconds: float, say: Callable[[str], None]) -> Sitting:
    """Set every case up, then run all of them in turn, round by round."""
    sitting, prepared = Sitting(), {}
    for case in cases:
        say(f"setting up: {case.what}")
        reason = case.missing()
        if not reason:
            try:
                prepared[case.key], took = _prepare(case)
                sitting.measured[case.key] = Measured(case, took)
            except Exception as wrong:  # a peer that does not run here is named, never guessed
                if not case.needs:
                    raise
                reason = f"{type(wrong).__name__}: {wrong}".split("\n")[0]
        if reason:
            sitting.missing[case.what] = reason
    for number in range(repeats):
        for key, ready in prepared.items():
            measured = sitting.measured[key]
            say(f"round {number + 1} of {repeats}: {measured.case.what}")
            with on_cores(measured.case.cores):
                measured.rounds.append(one_round(ready, seconds))
    return sitting


def steps(cases: Sequence[Case], repeats: int) -> int:
    """How often `measure` will say something."""
    return len(cases) + repeats * sum(not case.missing() for case in cases)


def _prepare(case: Case) -> tuple[Ready, float]:
    """Set a case up on its cores and run it once, compiling what it compiles; says how long it took."""
    with on_cores(case.cores):
        began = time.perf_counter()
        ready = case.prepare()
        ready.tally(ready.run())
        return ready, time.perf_counter() - began


def ratio(ours: Measured, theirs: Measured, of: str = "done") -> Spread | None:
    """How many times as much of `done` or `games`, round by round: by processor time on one core each.

    None if theirs is never more than 0: a peer whose games outlast every round has ended none.
    """
    clock = "cpu" if ours.case.cores == theirs.case.cores == 1 else "seconds"

    def rate(r: Round) -> float:
        return float(getattr(r, of) / getattr(r, clock))

    pairs = [(rate(a), rate(b)) for a, b in zip(ours.rounds, theirs.rounds, strict=True)]
    known = [a / b for a, b in pairs if b]
    return spread(known) if known else None
