"""Run mutants: python -m tests.mutation TARGET [--count N] [--seconds S] [--results FILE]

The tests are collected once, kernels in plain Python, and each mutant is a fork of that process in which the
code of one function is replaced. First every test runs once, to learn its time and the functions it calls. A
mutant then meets the tests that call its function, quickest first, for at most so many seconds of their usual
time. Results are appended to a file, one JSON line each: what is on file is not run again.
"""

import argparse
import functools
import importlib
import inspect
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

import pytest

from .mutants import Mutant, mutants, mutated

ROOT = Path(__file__).parents[2]
PATIENCE = 2  # times the usual time of the tests, and seconds, until a mutant counts as hanging
SURVIVED, KILLED, HANGS, UNREACHED = "survived", "killed", "hangs", "unreached"


class Target(NamedTuple):
    """Files to change, and the tests that should notice."""

    files: Sequence[str]  # patterns, from the root
    tests: Sequence[str]
    kernels: bool = True  # compiled kernels cannot be changed: the tests run in plain Python


RULES = "smallcity_env/rules"
KERNELS = [
    "borough", "people", "placing", "prices", "scoring", "spaces", "storage", "supply", "turns", "zone",
]  # fmt: skip
ENVS = ["env", "gym", "handed_out", "opponents", "outcomes", "rewards", "vector", "vector_wrappers"]
COMPILED = ["root", "simulate", "improve", "agent"]
ARENA, SEARCH = "agents/smallcity_agents/arena", "agents/smallcity_agents/search"
RULES_FILES = [
    f"{RULES}/phases/*.py", f"{RULES}/modules/*.py", *(f"{RULES}/{name}.py" for name in KERNELS),
]  # fmt: skip
TARGETS = {
    "rules": Target(RULES_FILES, ["tests/rulebook"]),
    "sets": Target([f"{RULES}/spaces.py"], ["tests/test_sets.py"]),
    "golden": Target(RULES_FILES, ["tests/test_golden.py"]),
    "hidden": Target(
        [f"{RULES}/{name}.py" for name in ("determinize", "observe", "payoff", "step", "why_not")],
        [f"tests/test_{name}.py" for name in ("masks", "observe", "secrecy", "secret_builds", "why_not")],
    ),
    "envs": Target(
        ["smallcity_env/envs/*.py"],
        [f"tests/test_{name}.py" for name in ENVS],
        kernels=False,
    ),
    "web": Target(
        ["agents/smallcity_agents/web/*.py"],
        [f"tests/web/test_{name}.py" for name in ("api", "secrecy", "store", "tables")],
        kernels=False,
    ),
    "statistics": Target(
        [f"{ARENA}/{name}.py" for name in ("schedule", "standings", "stats")],
        [f"tests/agents/test_{name}.py" for name in ("schedule", "standings", "stats")],
    ),
    "search": Target(
        [f"{SEARCH}/tree.py", f"{SEARCH}/improve.py", f"{SEARCH}/line.py"],
        ["tests/agents/test_tree.py", "tests/agents/test_improve.py"],
    ),
    "compiled_search": Target(
        [f"{SEARCH}/{name}.py" for name in COMPILED],
        [f"tests/agents/test_{name}.py" for name in ("champion", "improve", "options", "search")],
    ),
    "value_net": Target(
        ["agents/smallcity_agents/value_net/*.py"],
        [f"tests/agents/test_{name}.py" for name in ("value_net", "value_net_inputs", "priors", "champion")],
    ),
}


class Estimate:
    """One line of progress a step, with the time left: the package is not imported before the tests are."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done, self.began = steps, 0, time.monotonic()

    def __call__(self, what: str) -> None:
        """A step is done."""
        self.done += 1
        left = (time.monotonic() - self.began) / self.done * (self.steps - self.done) / 60
        print(f"{self.done} of {self.steps}, {left:.0f} min left: {what}", file=sys.stderr, flush=True)


class Known(NamedTuple):
    """A test: its time and the functions it calls."""

    seconds: float
    functions: frozenset[tuple[str, str]]  # file and name


class Run:
    """A pytest plugin that runs mutants in place of the tests."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.paths = [path for pattern in TARGETS[args.target].files for path in sorted(ROOT.glob(pattern))]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Learn the tests, then run the mutants."""
        known = self._learnt(session)
        todo = self._todo()
        progress = Estimate(len(todo))
        for mutant in todo:
            outcome = self._outcome(session, known, mutant)
            self._record(mutant, outcome)
            progress(f"{outcome}, {mutant}")
        return True

    def _todo(self) -> list[Mutant]:
        """A sample of the mutants, without those on file."""
        every = [mutant for path in self.paths for mutant in mutants(path, ROOT)]
        sample = random.Random(self.args.seed).sample(every, min(self.args.count, len(every)))
        entries = results(self.args.results)
        done = {(e["key"], e["target"]) for e in entries if e["outcome"] == KILLED or not self.args.again}
        if self.args.survivors_of:
            sample = [mutant for mutant in every if mutant.key in self._survivors()]
        if self.args.only:
            sample = [mutant for mutant in every if any(text in str(mutant) for text in self.args.only)]
        return [mutant for mutant in sample if (mutant.key, self.args.target) not in done]

    def _survivors(self) -> set[str]:
        """The mutants that survived another target."""
        entries = results(self.args.results)
        return {e["key"] for e in entries if e["target"] == self.args.survivors_of and e["outcome"] != KILLED}

    def _record(self, mutant: Mutant, outcome: str) -> None:
        entry = {"target": self.args.target, "outcome": outcome, "key": mutant.key, "mutant": str(mutant)}
        with self.args.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    # -- what each test calls

    def _learnt(self, session: pytest.Session) -> dict[str, Known]:
        """Every test's time and functions, from file or by running it."""
        path = self.args.results.with_suffix(f".{self.args.target}.tests.json")
        if self.args.again or not path.is_file():
            progress, lines = Estimate(len(session.items)), []
            for item in session.items:
                lines.append(in_child(functools.partial(self._traced, item), self.args.slowest))
                progress(item.nodeid)
            path.write_text(json.dumps([json.loads(line) for line in lines if line.startswith("[")]))
        entries = json.loads(path.read_text())
        return {name: Known(t, frozenset(map(tuple, calls))) for name, t, calls in entries}

    def _traced(self, item: pytest.Item) -> str:
        """Run one test; its name, time and functions as JSON, empty if it fails."""
        files, calls = {str(path) for path in self.paths}, set()

        def trace(frame: FrameType, event: str, arg: Any) -> None:
            if frame.f_code.co_filename in files:
                calls.add(frame.f_code)

        began = time.process_time()
        threading.settrace(trace)  # of new threads: a test client serves in one
        sys.settrace(trace)
        passed = passes([item])
        sys.settrace(None)
        names = [(Path(code.co_filename).relative_to(ROOT).as_posix(), code.co_qualname) for code in calls]
        return json.dumps([item.nodeid, time.process_time() - began, sorted(names)]) if passed else ""

    # -- one mutant

    def _outcome(self, session: pytest.Session, known: dict[str, Known], mutant: Mutant) -> str:
        """What the tests say about a mutant."""
        where = (mutant.file, mutant.function)
        items = [i for i in session.items if i.nodeid in known and where in known[i.nodeid].functions]
        items.sort(key=lambda item: known[item.nodeid].seconds)
        total, chosen = 0.0, []
        for item in items:
            total += known[item.nodeid].seconds
            if total <= self.args.seconds or not chosen:
                chosen.append(item)
        if not chosen:
            return UNREACHED
        limit = PATIENCE * (min(total, self.args.seconds) + PATIENCE)
        return in_child(lambda: self._tried(mutant, chosen), limit) or HANGS

    def _tried(self, mutant: Mutant, items: Sequence[pytest.Item]) -> str:
        """Replace the code of the function and run the tests."""
        try:
            function_of(mutant).__code__ = mutated(ROOT / mutant.file, mutant)
            return SURVIVED if passes(items) else KILLED
        except BaseException:
            return KILLED


def function_of(mutant: Mutant) -> Any:
    """The function of a mutant, without its decorators."""
    parts = Path(mutant.file).with_suffix("").parts
    packages = parts[1:] if parts[0] in ("agents", "training", "bench") else parts
    found: Any = importlib.import_module(".".join(packages).removesuffix(".__init__"))
    for part in mutant.function.split("."):
        found = inspect.getattr_static(found, part)
    found = getattr(found, "fget", None) or getattr(found, "__func__", found)
    function = inspect.unwrap(found)
    assert isinstance(function.__code__, CodeType)
    return function


def passes(items: Sequence[pytest.Item]) -> bool:
    """Run tests until one fails."""
    for item in items:
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        if item.session.testsfailed:
            return False
    return True


def in_child(call: Callable[[], str], limit: float) -> str:
    """What a call returns in a fork of this process; empty if it dies or takes more than `limit` seconds."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        devnull = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(devnull, stream)
        signal.setitimer(signal.ITIMER_PROF, limit)  # ends the process after so much time of the processor
        os.write(writing, call().encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        answer = file.read().decode()
    os.waitpid(pid, 0)
    return answer


def results(path: Path) -> list[dict[str, str]]:
    """The last line of every mutant and target in a file of results."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    entries = [json.loads(line) for line in lines]
    return list({(entry["key"], entry["target"]): entry for entry in entries}.values())


def report(path: Path) -> str:
    """How many mutants of each target met which end, and the survivors."""
    entries = results(path)
    lines = []
    for target in TARGETS:
        ends = [entry["outcome"] for entry in entries if entry["target"] == target]
        if ends:
            counts = ", ".join(f"{ends.count(end)} {end}" for end in dict.fromkeys(sorted(ends)))
            lines.append(f"{target}: {len(ends)} mutants, {counts}")
    lines += [
        f"  {e['target']}, {e['outcome']}: {e['mutant']}"
        for e in entries
        if e["outcome"] in (SURVIVED, UNREACHED)
    ]
    return "\n".join(lines)


def main() -> None:
    """Parse the options and run."""
    parser = argparse.ArgumentParser(description="Change one operator at a time; see whether a test fails.")
    parser.add_argument("target", choices=[*TARGETS, "report"])
    parser.add_argument("--count", type=int, default=100, help="mutants in the sample (default 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default 0)")
    parser.add_argument("--seconds", type=float, default=30, help="of tests for a mutant (default 30)")
    parser.add_argument("--slowest", type=float, default=3, help="seconds of a test (default 3)")
    parser.add_argument("--again", action="store_true", help="run survivors again, after tests were added")
    parser.add_argument("--survivors-of", metavar="TARGET", help="run the survivors of another target")
    named = "mutants whose line in the report contains one of these"
    parser.add_argument("--tests", nargs="+", help="instead of all tests of the target")
    parser.add_argument("--only", nargs="+", metavar="TEXT", help=named)
    parser.add_argument("--results", type=Path, default=Path("runs/mutation.jsonl"))
    args = parser.parse_args()
    args.results.parent.mkdir(parents=True, exist_ok=True)
    if args.target != "report":
        if TARGETS[args.target].kernels:
            os.environ["NUMBA_DISABLE_JIT"] = "1"
        tests = args.tests or TARGETS[args.target].tests
        pytest.main(["-q", "-p", "no:cacheprovider", *tests], [Run(args)])
    print(report(args.results))
