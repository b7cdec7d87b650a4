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
    for tests in (own, ["tests/lighthouse.py"]):
        ran = run_tests(project, *tests)
        assert ran.returncode == 0, ran.stdout + ran.stderr
    for step in reversed(blocks):
        step.remove(project)
    assert dict(files(project)) == before


def test_an_expansion_is_one_file_and_one_line(project: Path) -> None:
    outside = [step for step in recipe(project) if not step.path.startswith("tests/")]
    assert [(step.path, len(step.code.splitlines())) for step in outside if step.how] == [
        ("smallcity_env/rules/tables/modules.py", 1)
    ]
    assert [step.path for step in outside if not step.how] == ["smallcity_env/rules/modules/lighthouse.py"]


@pytest.mark.parametrize(
    ("left_out", "named"),
    [
        ("QUESTIONS = [", "no question for KEEPER"),
        ("EXPANSION = Expansion(", "lighthouse.py declares no EXPANSION"),
        ("ABOUT = ", "no ABOUT for lighthouse"),
        ("TILE_HELP = {", "no TILE_HELP for LIGHTHOUSE"),
    ],
)
def test_what_an_expansion_forgets_is_named_at_import(project: Path, left_out: str, named: str) -> None:
    for step in recipe(project):
        step._replace(code=step.code.replace(left_out, f"OTHER{left_out}")).apply(project)
    ran = run_tests(project, "tests/test_questions.py")
    assert ran.returncode != 0 and named in ran.stdout + ran.stderr
