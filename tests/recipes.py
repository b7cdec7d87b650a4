"""Recipes of the docs, executed: each block says which file of a copy of the project it belongs in."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
COPIED = ("smallcity_env", "agents", "training", "tests", "docs", "pyproject.toml")
STEP = re.compile(
    r"^(?:New file `(?P<new>[^`]+)`|In `(?P<old>[^`]+)`, (?P<how>after|replace) `(?P<line>[^`]+)`):\n\n"
    r"```(?:python|toml)\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Step(NamedTuple):
    """A block of a recipe: a new file, or lines that go after a line of an old one or replace it."""

    path: str
    how: str  # "": a new file
    line: str
    code: str

    def apply(self, project: Path) -> None:
        file = project / self.path
        if not self.how:
            assert not file.exists()
            file.write_text(self.code)
            return
        lines = file.read_text().splitlines(keepends=True)
        places = [n for n, line in enumerate(lines) if line.strip() == self.line]
        assert len(places) == 1, f"{self.path} must have one line {self.line!r}, not {len(places)}"
        lines[places[0]] = self.code if self.how == "replace" else lines[places[0]] + self.code
        file.write_text("".join(lines))

    def remove(self, project: Path) -> None:
        """Take out what was added; what was replaced stays."""
        file = project / self.path
        if not self.how:
            file.unlink()
            return
        text = file.read_text()
        assert text.count(self.code) == 1, (self.path, self.code)
        file.write_text(text.replace(self.code, ""))


def steps(text: str) -> list[Step]:
    """The blocks of a recipe."""
    blocks = [
        Step(m["new"] or m["old"], m["how"] or "", m["line"] or "", m["code"]) for m in STEP.finditer(text)
    ]
    assert len(blocks) == text.count("```python") + text.count("```toml"), (
        "a block does not say where it belongs"
    )
    return blocks


def copy_project(to: Path) -> Path:
    """A copy of the project's code, tests and pages."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, to / name)
    return to


def run_tests(project: Path, *tests: str) -> "subprocess.CompletedProcess[str]":
    """Run tests of a copy, in plain Python."""
    return _run(project, "pytest", "-q", "-n0", "-p", "no:cacheprovider", *tests)


def run_module(project: Path, module: str) -> str:
    """Run a module of a copy, in plain Python; return what it prints."""
    ran = _run(project, module)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def _run(project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    paths = os.pathsep.join(str(project / name) for name in (".", "agents", "training"))
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=1800)
