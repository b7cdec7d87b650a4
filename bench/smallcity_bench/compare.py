"""Compare two versions: `smallcity bench --compare REV`.

The sources of a revision are unpacked into a temporary folder. Each version runs in its own process
(`python -m smallcity_bench.compare CASE ...`), with the cases of this bench that both can run. They take
turns, case by case and round by round, so that noise affects both alike. A ratio is taken within one round,
by processor time on one core and by the clock on several; the interval is the 95 % bootstrap confidence
interval of the median ratio, from resampled rounds.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from smallcity_env.refusal import Refused

from .measure import Ready, Round, Spread, one_round, prepared, spread
from .ours import cases as our_cases

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ("smallcity_env", "agents", "training")
USUAL: Final = (
    "rollout/godzillas/4/1", "rollout/all/4/1", "rollout/godzillas/4/4096/2", "step/", "vector/godzillas/4/",
    "vector/planes/", "aec/godzillas/4", "fork/godzillas/4", "playouts/",
)  # fmt: skip
SLOWER: Final = 0.95  # a ratio below which a version is slower
RESAMPLED: Final = 2000
HEAD: Final = ("case", "now / before", "lowest - highest", "95 % of medians", "verdict")
Say = Callable[[str], None]


class Compared(NamedTuple):
    """One case: how many times as fast as before."""

    what: str
    ratio: Spread
    interval: tuple[float, float]

    @property
    def verdict(self) -> str:
        """Faster or slower only if the whole interval is."""
        low, high = self.interval
        return "slower" if high < SLOWER else "faster" if low > 1 / SLOWER else "the same"

    def row(self) -> tuple[str, ...]:
        """A line of the table."""
        median, *ends = (f"{ratio:.3f}" for ratio in self.ratio)
        likely = " - ".join(f"{ratio:.3f}" for ratio in self.interval)
        return self.what, median, " - ".join(ends), likely, self.verdict


class Version:
    """The cases of one version, in its own process."""

    def __init__(self, process: Any) -> None:
        self.process = process
        self.cases = self.answer()  # those that this version runs: name and number of cores

    def answer(self) -> Any:
        """What the process says next."""
        if line := self.process.stdout.readline():
            return json.loads(line)
        raise Refused("one of the versions does not run the cases of this bench; its error is above")

    def round(self, case: str, seconds: float) -> Round:
        """One round of one case."""
        print(case, seconds, file=self.process.stdin, flush=True)
        return Round(*self.answer())


def compare(revision: str, cases: Sequence[str], repeats: int, seconds: float, say: Say) -> list[Compared]:
    """The ratios of the sources here to those of a revision."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(revision, Path(folder))
        with _running(ROOT, cases) as now, _running(Path(folder), cases) as before:
            return _rounds(now, before, repeats, seconds, say)


def unpack(revision: str, folder: Path) -> None:
    """Write the sources of a revision into a folder."""
    call = ["git", "archive", "--format=tar", "--end-of-options", revision, *SOURCES]
    try:
        sources = subprocess.run(call, cwd=ROOT, check=True, capture_output=True).stdout
    except FileNotFoundError:
        raise Refused("comparing with a revision needs git") from None
    except subprocess.CalledProcessError:
        raise Refused(f"there is no revision {revision!r} in {ROOT}, or it is not a git repository") from None
    with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
        archive.extractall(folder, filter="data")


@contextmanager
def _running(folder: Path, cases: Sequence[str]) -> Iterator[Version]:
    paths = [folder, folder / "agents", folder / "training", ROOT / "bench"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONSAFEPATH": "1"}
    call, pipe = [sys.executable, "-m", "smallcity_bench.compare", *cases], subprocess.PIPE
    started = subprocess.Popen(call, env=environment, cwd=folder, stdin=pipe, stdout=pipe, text=True)
    with started:  # closes its pipes, which ends it
        yield Version(started)


def _rounds(now: Version, before: Version, repeats: int, seconds: float, say: Say) -> list[Compared]:
    """Take turns; the version that goes first alternates by round."""
    pairs: dict[str, list[tuple[Round, Round]]] = {key: [] for key in now.cases if key in before.cases}
    if not pairs or before.cases.keys() - now.cases.keys():
        raise Refused("this version does not run what the other does, or they have no case in common")
    for number in range(repeats):
        for key, rounds in pairs.items():
            say(f"round {number + 1} of {repeats}: {now.cases[key]['what']}")
            order = (now, before) if number % 2 else (before, now)
            played = {version: version.round(key, seconds) for version in order}
            rounds.append((played[now], played[before]))
    named = {key: now.cases[key] for key in pairs}
    return [compared(case["what"], pairs[key], by_clock=case["cores"] > 1) for key, case in named.items()]


def compared(what: str, rounds: Sequence[tuple[Round, Round]], by_clock: bool = False) -> Compared:
    """The ratios of pairs of rounds."""
    ratios = [now.rate(by_clock) / before.rate(by_clock) for now, before in rounds]
    resamples = np.random.default_rng(0).choice(ratios, (RESAMPLED, len(ratios)))
    low, high = np.quantile(np.median(resamples, axis=1), (0.025, 0.975))
    return Compared(what, spread(ratios), (low, high))


def serve(keys: Sequence[str]) -> None:
    """One side: set the cases up, then answer every line of stdin, a case and seconds, with a round of it."""
    cases = {case.key: case for case in our_cases() if case.key in keys}
    ready: dict[str, Ready] = {}
    for key, case in cases.items():
        try:
            ready[key] = prepared(case)
        except Exception as error:  # this version cannot run it
            print(f"{case.what}: not in {Path.cwd()} ({type(error).__name__}: {error})", file=sys.stderr)
    known = {key: {"what": cases[key].what, "cores": cases[key].cores} for key in ready}
    print(json.dumps(known), flush=True)
    for line in sys.stdin:
        key, seconds = line.split()
        print(json.dumps(one_round(cases[key], ready[key], float(seconds))), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1:])
