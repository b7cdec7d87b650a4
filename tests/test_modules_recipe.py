"""docs/modules.md is executed: the Lighthouse is added to a copy of the project, tested and removed."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("smallcity_env", "agents", "training", "tests", "docs", "pyproject.toml")
STEP = re.compile(
    r"^(?:New file `(?P<new>[^`]+)`|In `(?P<old>[^`]+)`, after `(?P<after>[^`]+)`):\n\n"
    r"```python\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


class Step(NamedTuple):
    """A block of the recipe: a new file, or lines that go after a line of an old one."""

    path: str
    after: str  # "": a new file
    code: str

    def apply(self, project: Path) -> None:
        file = project / self.path
        if not self.after:
            assert not file.exists()
            file.write_text(self.code)
            return
        lines = file.read_text().splitlines(keepends=True)
        places = [n for n, line in enumerate(lines, start=1) if line.strip() == self.after]
        assert len(places) == 1, f"{self.path} must have one line {self.after!r}, not {len(places)}"
        lines.insert(places[0], self.code)
        file.write_text("".join(lines))

    def remove(self, project: Path) -> None:
        file = project / self.path
        if not self.after:
            file.unlink()
            return
        text = file.read_text()
        assert text.count(self.code) == 1, (self.path, self.code)
        file.write_text(text.replace(self.code, ""))


def recipe(project: Path) -> list[Step]:
    text = (project / "docs/modules.md").read_text()
    steps = [Step(m["new"] or m["old"], m["after"] or "", m["code"]) for m in STEP.finditer(text)]
    assert len(steps) == text.count("```python"), "a block does not say where it belongs"
    return steps


def files(project: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(project.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
            yield path.relative_to(project).as_posix(), path.read_bytes()


def run_tests(project: Path, *tests: str) -> "subprocess.CompletedProcess[str]":
    paths = os.pathsep.join(str(project / name) for name in (".", "agents", "training"))
    environment = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=600)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_lighthouse_can_be_added_and_removed(project: Path) -> None:
    before, steps = dict(files(project)), recipe(project)
    for step in steps:
        step.apply(project)
    own = [step.path for step in steps if step.path.startswith("tests/")]
    ran = run_tests(project, *own)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for step in reversed(steps):
        step.remove(project)
    assert dict(files(project)) == before


def test_a_question_nobody_lists_is_named_at_import(project: Path) -> None:
    for step in recipe(project):
        if "QUESTIONS" not in step.code or not step.after:
            step.apply(project)
    ran = run_tests(project, "tests/test_questions.py")
    assert ran.returncode != 0 and "no question for KEEPER" in ran.stdout + ran.stderr
