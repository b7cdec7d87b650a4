"""docs/changes.md is executed: each of its thirteen changes is made in a copy of the project and tested."""

import re
from pathlib import Path

import pytest

from tests.four_players import GAMES
from tests.recipes import ROOT, copy_project, run_module, run_tests, steps

TEXT = (ROOT / "docs/changes.md").read_text()
SECTIONS = dict(re.findall(r"^## \d+\. ([^\n]+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))


def test_there_are_thirteen() -> None:
    assert len(SECTIONS) == 13


@pytest.mark.parametrize("change", SECTIONS)
def test_the_change_takes_these_lines(change: str, tmp_path: Path) -> None:
    project = copy_project(tmp_path)
    blocks = steps(SECTIONS[change])
    for step in blocks:
        step.apply(project)
    own = [step.path for step in blocks if step.path.startswith("tests/")]
    assert own
    ran = run_tests(project, *own)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_games_of_four_are_the_same_with_a_fifth_seat(tmp_path: Path) -> None:
    """Every position, question, mask and score of whole games, in words."""
    project = copy_project(tmp_path)
    for step in steps(SECTIONS["A fifth player"]):
        step.apply(project)
    told = run_module(project, "tests.four_players")
    assert len(told.splitlines()) == len(GAMES) and told == run_module(ROOT, "tests.four_players")


def test_a_table_too_short_for_a_fifth_player_is_named(tmp_path: Path) -> None:
    project = copy_project(tmp_path)
    for step in steps(SECTIONS["A fifth player"]):
        if "godzillas.figures" not in step.code:
            step.apply(project)
    ran = run_tests(project, "tests/test_five.py")
    assert (
        ran.returncode != 0 and "godzillas.figures needs a list of 5 whole numbers" in ran.stdout + ran.stderr
    )
