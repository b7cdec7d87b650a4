"""docs/modules.md is executed: the Lighthouse is added to a copy of the project, tested and removed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recipes import Step, copy_project, run_tests, steps


def recipe(project: Path) -> list[Step]:
    return steps((project / "docs/modules.md").read_text())


def files(project: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(project.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
            yield path.relative_to(project).as_posix(), path.read_bytes()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return copy_project(tmp_path)


def test_the_lighthouse_can_be_added_and_removed(project: Path) -> None:
    before, blocks = dict(files(project)), recipe(project)
    for step in blocks:
        step.apply(project)
    own = [step.path for step in blocks if step.path.startswith("tests/")]
    ran = run_tests(project, *own)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    for step in reversed(blocks):
        step.remove(project)
    assert dict(files(project)) == before


def test_a_question_nobody_lists_is_named_at_import(project: Path) -> None:
    for step in recipe(project):
        if "QUESTIONS" not in step.code or not step.how:
            step.apply(project)
    ran = run_tests(project, "tests/test_questions.py")
    assert ran.returncode != 0 and "no question for KEEPER" in ran.stdout + ran.stderr
