"""The OpenEnv environment: its validator accepts the package and the server, and no text depends on a secret.

`make ecosystem` runs these: OpenEnv needs an older `mcp`, so it has an environment of its own.
"""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from smallcity_env import Config
from tests.interpreter import ROOT
from tests.test_secret_builds import CONFIGS, asked_alike

from .test_words import match_of

pytest.importorskip("openenv")
pytestmark = pytest.mark.filterwarnings("ignore")  # warnings of other people's libraries

from openenv.core import GenericEnvClient  # noqa: E402

from smallcity_agents.llm import tasks  # noqa: E402
from smallcity_agents.llm.openenv_env import SmallCityAction, SmallCityEnvironment  # noqa: E402
from smallcity_agents.llm.session import Session  # noqa: E402

from .doors import PORT, serving  # noqa: E402

OPENENV = str(Path(sys.executable).with_name("openenv"))


def test_the_validator_accepts_the_package() -> None:
    words = [
        OPENENV,
        "validate",
        str(ROOT / "recipes" / "openenv_smallcity"),
        "--level",
        "static",
        "--skip-build",
    ]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and "Verdict: PASS" in done.stdout, done.stdout


def test_the_validator_accepts_the_server_and_a_client_plays() -> None:
    with serving():
        words = [OPENENV, "validate", "--url", f"http://127.0.0.1:{PORT}"]
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode == 0 and "Verdict: PASS" in done.stdout, done.stdout
        with GenericEnvClient(base_url=f"http://127.0.0.1:{PORT}").sync() as client:
            assert client.reset(split="train", index=0).observation["text"].startswith("# Small City")
            result = client.step({"reply": "1"})
            assert result.done and 0 <= result.reward <= 1
            for wrong in ({"task": "x"}, {"split": "x"}, {"index": -1}, {"level": "a"}, {"castle": 1}):
                with pytest.raises(RuntimeError, match="Server error"):
                    client.reset(**wrong)


def test_trl_trains_through_its_environment_interface() -> None:
    pytest.importorskip("trl")
    assert import_module("trl_grpo").check()


def test_every_kind_of_task_is_numbered() -> None:
    env = SmallCityEnvironment()
    for split in env.list_splits():
        listed = env.list_tasks(split["name"])
        assert len(listed) == env.num_tasks(split["name"]) and {task["kind"] for task in listed} == {
            *tasks.BEGIN
        }
        kinds = {task["kind"]: task["index"] for task in listed}
        for kind, index in kinds.items():
            env.reset(split=split["name"], index=index)
            assert env.state.task["kind"] == kind
    with pytest.raises(IndexError):
        env.get_task("train", 10**6)


@pytest.mark.parametrize("config", CONFIGS[:3], ids=range(3))
def test_what_a_model_is_told_depends_on_no_secret(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for seat, *worlds, _ in asked_alike(config):
        told = []
        for states in worlds:
            session = Session(match_of(states, seat))
            monkeypatch.setitem(tasks.BEGIN, tasks.GAME, begun(session))
            env = SmallCityEnvironment()
            first = env.reset(task="game")
            told.append(
                [first.model_dump_json(), env.step(SmallCityAction(reply="castle")).model_dump_json()]
            )
            told[-1].append(env.state.model_dump_json())
        assert told[0] == told[1]
        compared += 1
    assert compared


def begun(session: Session) -> Any:
    """How a task that is a given session begins."""
    return lambda task: (session, lambda: session.over, lambda: 0.0)
