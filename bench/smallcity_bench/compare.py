"""Compare two versions: `smallcity bench --compare REV`.

The sources of a revision are unpacked into a temporary folder. Each version runs in its own process,
with the cases of this bench that both can run. They take turns, case by case and round by round, so that
noise affects both alike. A ratio is taken within one round, by processor time on one core and
by the clock on several; the interval is the 95 % bootstrap confidence interval of the median ratio, from
resampled rounds.
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
from typing import IO, Any, Final, NamedTuple

import numpy as np

from smallcity_env.refusal import Refused

from .measure import Round, Spread

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ("smallcity_env", "agents", "training")
USUAL: Final = (
    "rollout/godzillas/4/1", "rollout/all/4/1", "rollout/godzillas/4/4096/2", "step/", "vector/godzillas/4/",
    "vector/planes/", "aec/godzillas/4", "fork/godzillas/4", "playouts/",
)  # fmt: skip
SLOWER: Final = 0.95  # a ratio below which a version is slower
RESAMPLED: Final = 2000
HEAD: Final = ("case", "now / before", "lowest - highest", "95 % of medians", "verdict")


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


class Version:
    """The cases of one version, in its own process."""

    def __init__(self, folder: Path, cases: Sequence[str]) -> None:
        paths = [folder, folder / "agents", folder / "training", ROOT / "bench"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "PYTHONSAFEPATH": "1"}
        call = [sys.executable, "-m", "smallcity_bench.rounds", *cases]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            call, env=environment, cwd=folder, stdin=pipe, stdout=pipe, text=True
        )
        self.cases: dict[str, dict[str, Any]] = {}  # the prepared ones: name and number of cores

    def set_up(self) -> None:
        """Wait until all cases are set up."""
        self.cases = self._answer()

    def round(self, case: str, seconds: float) -> Round:
        """One round of one case."""
        print(case, seconds, file=self._stdin, flush=True)
        return Round(*self._answer())

    def close(self) -> None:
        """Close the pipes, which ends the process."""
        with self._process:
            pass

    @property
    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise Refused("one of the versions does not run the cases of this bench; its error is above")
        return json.loads(line)


def compare(
    revision: str, cases: Sequence[str], repeats: int, seconds: float, say: Callable[[str], None]
) -> list[Compared]:
    """The ratios of the sources here to those of a revision."""
    with tempfile.TemporaryDirectory() as folder:
        unpack(revision, Path(folder))
        with _running(ROOT, cases) as now, _running(Path(folder), cases) as before:
            return _rounds(now, before, repeats, seconds, say)


def unpack(revision: str, folder: Path) -> None:
    """Write the sources of a revision into a folder."""
    sources = git("archive", "--format=tar", f"{_commit(revision)}", *SOURCES)
    with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
        archive.extractall(folder, filter="data")


def _commit(revision: str) -> str:
    try:
        return git("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    except subprocess.CalledProcessError:
        raise Refused(f"there is no revision {revision!r} in {ROOT}, or it is not a git repository") from None


def git(*words: str) -> bytes:
    """The output of a git command."""
    try:
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout
    except FileNotFoundError:
        raise Refused("comparing with a revision needs git") from None


@contextmanager
def _running(folder: Path, cases: Sequence[str]) -> Iterator[Version]:
    version = Version(folder, cases)
    try:
        version.set_up()
        yield version
    finally:
        version.close()


def _rounds(
    now: Version, before: Version, repeats: int, seconds: float, say: Callable[[str], None]
) -> list[Compared]:
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

    def rate(r: Round) -> float:
        return r.done / (r.seconds if by_clock else r.cpu)

    ratios = np.array([rate(now) / rate(before) for now, before in rounds])
    resamples = np.random.default_rng(0).choice(ratios, (RESAMPLED, len(ratios)))
    low, high = np.quantile(np.median(resamples, axis=1), (0.025, 0.975))
    return Compared(
        what, Spread(float(np.median(ratios)), float(ratios.min()), float(ratios.max())), (low, high)
    )


def rows(results: Sequence[Compared]) -> list[tuple[str, ...]]:
    """The table."""
    return [_row(result) for result in results]


def _row(result: Compared) -> tuple[str, ...]:
    median, low, high = (f"{ratio:.3f}" for ratio in result.ratio)
    likely = " - ".join(f"{ratio:.3f}" for ratio in result.interval)
    return result.what, median, f"{low} - {high}", likely, result.verdict
