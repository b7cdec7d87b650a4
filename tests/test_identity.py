"""Which rules a file belongs to is told by how they behave, not by how they are written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from smallcity_agents.arena import results, runner
from smallcity_agents.commands.stats import grouped
from smallcity_env import MODULES, Config
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import VARIABLE
from smallcity_env.rules.tables.in_force import IDENTITY, RULES_VERSION
from tests.recipes import copy_project, steps
from tests.test_changes import SECTIONS

SAYS = (
    "from smallcity_agents import cluster; from smallcity_env.rules.tables import in_force;"
    "assert cluster.IDENTITY.startswith(in_force.IDENTITY); print(in_force.IDENTITY)"
)


def says(project: Path, numbers: str = "") -> str:
    """The identity of a copy of the project."""
    paths = os.pathsep.join(str(project / name) for name in (".", "agents"))
    env = {**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", VARIABLE: numbers}
    return subprocess.check_output([sys.executable, "-c", SAYS], cwd=project, env=env, text=True).strip()


def test_only_rules_numbers_and_modules_are_the_identity(tmp_path: Path) -> None:
    assert f"rules {RULES_VERSION}, numbers standard, modules {' '.join(MODULES)}" == IDENTITY
    project = copy_project(tmp_path)
    for file in (project / "smallcity_env/rules/scoring.py", project / "agents/smallcity_agents/greedy.py"):
        file.write_text(file.read_text().replace('"""', '"""Corrected: ', 1) + "\n# a comment\n")
    assert says(project) == IDENTITY
    (project / "mine.toml").write_text("money.shop = 19")
    assert says(project, "mine.toml") not in (IDENTITY, says(project))
    for step in steps(SECTIONS["A card"]):
        step.apply(project)
    assert says(project) == f"{IDENTITY} almoner"


def named(path: Path, rules: str) -> list[results.Result]:
    """The results of a file whose lines name other rules."""
    lines = [json.loads(line) | {"rules": rules} for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return results.read(path)


def test_results_of_other_rules_are_told_apart(tmp_path: Path) -> None:
    path, config = tmp_path / "arena.jsonl", Config(2, ())
    played = runner.run(config, ["random", "first"], 2, path)
    assert {result.rules for result in played} == {IDENTITY}
    assert [" (other rules: 01234567)" in name for name in grouped(named(path, "01234567"))] == [True]
    assert named(path, "{0} {strange}")[0].rules == "{0} {strange}"


def test_a_training_run_by_other_rules_is_not_resumed(tmp_path: Path) -> None:
    run = pytest.importorskip("smallcity_training.run")
    (tmp_path / "run.json").write_text(json.dumps({"method": "ppo", "hours": 0, "rules": "rules r1"}))
    (tmp_path / run.STATE_FILE).touch()
    with pytest.raises(Refused, match=f"cannot be resumed: it plays by rules r1, this process by {IDENTITY}"):
        run.Run.open(tmp_path, "ppo")
