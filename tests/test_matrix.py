"""Whatever is changed, everybody still sits at the table: changes of docs/changes.md x tests/users.py."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from smallcity_env.rules.numbers import VARIABLE
from tests.recipes import copy_project, steps
from tests.test_changes import SECTIONS
from tests.users import USERS

ROUNDS = "[rounds]\nall = 1\npower_plants = 1\n"  # so that whole games are quick in plain Python
TEN = """
[zone]
grow = 3
[limits]
warehouses = 2
tourists = 2
[money]
shop = 19
trade = [3, 4, 6]
[council]
finance = [2, 4, 6, 8]
[tiles.harbor]
money = 5
[tiles.library]
money = 1
[cards]
supporter_votes = 3
[scores]
cultural = 9
"""


class Change(NamedTuple):
    """A section of docs/changes.md or numbers, and a game in which they matter."""

    game: dict[str, Any]
    section: str = ""
    numbers: str = ""


CHANGES = {
    "one cost": Change({"players": 2}, numbers="[tiles.harbor]\nmoney = 5\n"),
    "ten numbers": Change({"players": 2}, numbers=TEN),
    "a new card": Change({"players": 2, "modules": ["almoner"]}, "A card"),
    "a new tile": Change({"players": 2, "modules": []}, "A tile of five spaces"),
    "a new board": Change({"players": 2, "modules": [], "boards": ["island"] * 2}, "A board"),
    "a new victory": Change({"players": 2, "modules": [], "victory": "gardens", "advanced": True},
                            "A victory condition"),
    "a fifth player": Change({"players": 5}, "A fifth player"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_everybody_plays_and_learns(name: str, tmp_path: Path) -> None:
    change, project = CHANGES[name], tmp_path / "project"
    copy_project(project)
    for step in steps(SECTIONS.get(change.section, "")):
        step.apply(project)
    (project / "mine.toml").write_text(ROUNDS + change.numbers)
    paths = os.pathsep.join(str(project / part) for part in (".", "agents", "training"))
    own = {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", VARIABLE: str(project / "mine.toml")}
    command = [sys.executable, "-m", "tests.users", json.dumps(change.game), str(tmp_path)]
    ran = subprocess.run(command, cwd=project, env=os.environ | own, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == {}, ran.stderr
    assert all(f"{user}: " in ran.stderr for user in USERS)
