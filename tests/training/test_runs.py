"""Run folders and the commands: nothing is lost or overwritten unasked, and refusals are clear."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from smallcity_agents import AgentError, make
from smallcity_agents.net import checkpoint
from smallcity_env.cli import main
from smallcity_training.evaluation import match
from smallcity_training.run import curve

from .tiny import TINY, begun, resumed

ENDLESS = TINY | {"steps": 10**7, "checkpoint_every": 300, "evaluate_every": 10**7, "opponents": ["first"]}


def started(folder: Path) -> "subprocess.Popen[str]":
    """A run that would go on for hours, with some checkpoints written."""
    (folder / "tiny.yaml").write_text(yaml.safe_dump(ENDLESS))
    words = ["train", "ppo", "--config", str(folder / "tiny.yaml"), "--run", str(folder / "run")]
    code = f"import sys; from smallcity_env.cli import main; sys.exit(main({words!r}))"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    while len(list((folder / "run").glob("checkpoints/*.npz"))) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def test_a_killed_run_leaves_a_checkpoint_that_plays_and_a_run_that_goes_on(tmp_path: Path) -> None:
    process = started(tmp_path)
    process.kill()
    process.communicate()
    newest = sorted((tmp_path / "run" / "checkpoints").glob("*.npz"))[-1]
    agent = make(f"policy:checkpoint={newest}")
    assert match(agent, make("random"), games=2).score > -100
    rest = resumed("ppo", tmp_path / "run")
    before = rest.steps
    rest.learn(until=before + 100)
    assert rest.steps > before >= 300


def test_ctrl_c_finishes_the_update_and_keeps_it(tmp_path: Path) -> None:
    process = started(tmp_path)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130 and "--resume` goes on" in said
    last = int(curve(tmp_path / "run", "progress")[-1]["steps"])
    assert resumed("ppo", tmp_path / "run").steps == last


def test_a_run_says_what_made_it(tmp_path: Path) -> None:
    learner = begun("imitate", tmp_path / "run", steps=200, teacher="first", seed=5)
    learner.learn()
    files = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"config.yaml", "run.json", "progress.csv", "curve.csv", "curve.png", "kept.pt"} <= files
    assert list((tmp_path / "run" / "tensorboard").iterdir())
    _, card = checkpoint.read(learner.run.checkpoints()[-1])
    assert (card["way"], card["seed"], card["reward"]) == ("imitate", 5, "score")
    assert card["versions"]["torch"] and "teacher: first" in card["config"] and card["hours"] > 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["way"] == "imitate"


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing of an earlier run lies about."""
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command says that is not carried out."""
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_nothing_is_overwritten_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(TINY | {"steps": 100, "teacher": "first"}))
    words = ["train", "imitate", "--config", str(tmp_path / "config.yaml"), "--run", str(tmp_path / "run")]
    assert main(words) == 0
    assert "--resume to go on, --overwrite to begin anew" in refused(capsys, *words)
    assert main([*words, "--overwrite"]) == 0
    assert "was made by `smallcity train imitate`" in refused(
        capsys, "train", "ppo", "--run", str(tmp_path / "run"), "--resume"
    )
    (tmp_path / "mine").mkdir()
    assert "is no run" in refused(capsys, *words[:-1], str(tmp_path / "mine"), "--overwrite")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["train", "magic"], "choose from ppo, imitate, value"),
        (["train", "ppo", "--config", "nowhere.yaml"], "there is no configuration nowhere.yaml"),
        (["train", "ppo", "--set", "stepps=3"], "PPO has no stepps: there are seed"),
        (["train", "ppo", "--set", "steps"], "--set takes KEY=VALUE, not 'steps'"),
        (["train", "ppo", "--run", "nowhere", "--resume"], "there is no run in nowhere"),
        (["train", "ppo", "--resume", "--set", "steps=3"], "--resume stands alone"),
        (["train", "ppo", "--set", "start=nowhere.npz"], "there is no checkpoint nowhere.npz"),
        (["train", "imitate", "--set", "teacher=nobody"], "there is no agent 'nobody'"),
        (["evaluate", "nowhere.npz"], "there is no checkpoint nowhere.npz"),
    ],
)
@pytest.mark.usefixtures("in_an_empty_folder")
def test_what_cannot_be_done_is_said_in_one_sentence(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(capsys, *words)
    assert not Path("runs").exists()  # nothing is left of a run that never began


def test_a_foreign_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    path.write_bytes(b"no weights at all")
    with pytest.raises(AgentError, match="is not a checkpoint of this project"):
        make(f"policy:checkpoint={path}")
    learner = begun("imitate", tmp_path / "run", steps=100, teacher="first")
    learner.learn()
    arrays, card = checkpoint.read(learner.run.checkpoints()[-1])
    checkpoint.write(path, arrays, card | {"actions": 7})
    with pytest.raises(AgentError, match="does not fit: it was made for observations of 2197 and 7 actions"):
        make(f"policy:checkpoint={path}")
    checkpoint.write(path, {name: a for name, a in arrays.items() if name != "district.bias"}, card)
    with pytest.raises(AgentError, match=r"it has no district\.bias"):
        make(f"policy:checkpoint={path}")


def test_a_checkpoint_of_another_size_is_no_start(tmp_path: Path) -> None:
    learner = begun("imitate", tmp_path / "run", steps=100, teacher="first")
    learner.learn()
    with pytest.raises(AgentError, match="another size"):
        begun("ppo", tmp_path / "next", start=str(learner.run.checkpoints()[-1]), net={"channels": 5})


@pytest.mark.usefixtures("in_an_empty_folder")
def test_evaluate_shows_the_arenas_table(capsys: pytest.CaptureFixture[str]) -> None:
    learner = begun("imitate", Path("run"), steps=100, teacher="first")
    learner.learn()
    learner.run.checkpoints()[-1].rename("net.npz")
    assert main(["evaluate", "net.npz", "--against", "random,first", "--games", "4"]) == 0
    shown = capsys.readouterr().out
    assert "imitate, 256 steps" in shown and "policy:checkpoint=net.npz" in shown and "95 %" in shown
    assert Path("runs/evaluate-net.png").exists()
    assert len(Path("runs/evaluate-net.jsonl").read_text().splitlines()) >= 8
