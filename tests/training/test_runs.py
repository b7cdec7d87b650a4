"""Run folders and commands: nothing is lost or overwritten silently, and refusals are clear."""

import json
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from smallcity_agents import AgentError, make
from smallcity_agents.net import checkpoint
from smallcity_env import batch
from smallcity_env.cli import main
from smallcity_env.config import Config
from smallcity_env.interrupt import Terminated
from smallcity_env.rules.schema import STATE_BYTES
from smallcity_env.terminal import Refused
from smallcity_training.evaluation import match
from smallcity_training.run import _truncate_log, read_log

from ..signals import signal_in
from .tiny import TINY, resume, start

ENDLESS = TINY | {"steps": 10**7, "checkpoint_every": 300, "evaluate_every": 10**7, "opponents": ["first"]}
SAVING = {"steps": 600, "checkpoint_every": 1, "evaluate_every": 1, "opponents": ["first"], "threads": 1}
IN_AN_UPDATE = (
    "evaluation.evaluate",
    "evaluation.plot_curve",
    "opponent_pool.OpponentPool.act",
    "games.GameBatch.state_dict",
    "grad_mode.no_grad.__enter__",
    "grad_mode.no_grad.__exit__",
    "embedding._EmbeddingSum.backward",
    "adam.adam",
    "net.update_ema",
    "run.Run.log",
    "files._add",
    "run.Run._tensorboard",
    "zipfile.ZipFile._open_to_write",  # a zip file that is left open raises a ValueError
    "files._replace",
    "resume.Resumable.state_dict",
)


def launch(folder: Path) -> "subprocess.Popen[str]":
    """A run that would take hours, with two checkpoints written."""
    (folder / "tiny.yaml").write_text(yaml.safe_dump(ENDLESS))
    words = ["train", "ppo", "--config", str(folder / "tiny.yaml"), "--run", str(folder / "run")]
    code = f"import sys; from smallcity_env.cli import main; sys.exit(main({words!r}))"
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    while len(list((folder / "run").glob("checkpoints/*.npz"))) < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def test_a_killed_run_leaves_a_playable_checkpoint_and_can_be_resumed(tmp_path: Path) -> None:
    process = launch(tmp_path)
    process.kill()
    process.communicate()
    newest = sorted((tmp_path / "run" / "checkpoints").glob("*.npz"))[-1]
    agent = make(f"policy:checkpoint={newest}")
    assert match(agent, make("random"), games=2).score > -100
    rest = resume("ppo", tmp_path / "run")
    before = rest.steps
    rest.train(until=before + 100)
    assert rest.steps > before >= 300


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_is_saved_as_after_its_last_update(
    tmp_path: Path, how: signal.Signals, code: int
) -> None:
    process = launch(tmp_path)
    process.send_signal(how)
    _, message = process.communicate(timeout=20)
    assert process.returncode == code, message
    assert "--resume`" in message
    steps = resume("ppo", tmp_path / "run").steps
    assert steps == int(read_log(tmp_path / "run", "progress")[-1]["steps"])


def test_an_update_stopped_anywhere_is_done_again_in_the_same_way(tmp_path: Path) -> None:
    whole = start("ppo", tmp_path / "whole", **SAVING)
    whole.train()
    stopped = start("ppo", tmp_path / "stopped", **SAVING)
    for where in IN_AN_UPDATE:
        with pytest.raises(Terminated), signal_in(where):
            stopped.train()
        stopped = resume("ppo", tmp_path / "stopped")
        assert stopped.steps < SAVING["steps"]
    stopped.train()
    pairs = zip(whole.net.parameters(), stopped.net.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_a_run_folder_has_one_training(tmp_path: Path) -> None:
    first = start("ppo", tmp_path / "run", steps=200)
    first.train()
    again = resume("ppo", tmp_path / "run")
    with pytest.raises(Refused, match="another training is writing to"):
        resume("ppo", tmp_path / "run")
    again.run.close()
    resume("ppo", tmp_path / "run")


def test_the_end_of_a_log_that_was_torn_is_cut(tmp_path: Path) -> None:
    log = tmp_path / "progress.csv"
    log.write_text('steps,"win_rate mcts:sims=9,seconds=1"\n100,0.5\n200,0.25\n300,0.1')
    assert [line["steps"] for line in read_log(tmp_path, "progress")] == [100, 200]
    _truncate_log(log, 150)
    assert log.read_text() == 'steps,"win_rate mcts:sims=9,seconds=1"\n100,0.5\n'
    log.write_text("ste")
    _truncate_log(log, 150)
    assert not log.exists() and read_log(tmp_path, "progress") == []


def test_a_run_records_how_it_was_made(tmp_path: Path) -> None:
    trainer = start("imitate", tmp_path / "run", steps=200, teacher="first", seed=5)
    trainer.train()
    files = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"config.yaml", "run.json", "progress.csv", "curve.csv", "curve.png", "state.npz"} <= files
    assert list((tmp_path / "run" / "tensorboard").iterdir())
    _, card = checkpoint.read(trainer.run.checkpoints()[-1])
    assert (card["method"], card["seed"], card["reward"]) == ("imitate", 5, "score")
    assert card["versions"]["torch"] and "teacher: first" in card["config"] and card["hours"] > 0
    assert json.loads((tmp_path / "run" / "run.json").read_text())["method"] == "imitate"


@pytest.mark.parametrize("method", ["ppo", "imitate"])
def test_a_run_is_evaluated_first_and_last_and_says_at_which_step(method: str, tmp_path: Path) -> None:
    start(method, tmp_path / "run", steps=400, games=8).train(until=200)
    trainer = resume(method, tmp_path / "run")
    stopped = trainer.steps
    trainer.train()
    again = resume(method, tmp_path / "run")
    again.train()  # it has reached its end, and nothing is evaluated twice
    lines = read_log(tmp_path / "run")
    assert [line["steps"] for line in lines] == [0, stopped, trainer.steps]
    rates = [line["win_rate random"] for line in lines]
    for report in (trainer.report(), again.report()):
        assert f"\nstep 0: beats random {rates[0]:.0%}\n" in report
        assert f"\nstep {trainer.steps:,}: beats random {rates[-1]:.0%}\n" in report


@pytest.fixture
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run in a folder without earlier runs."""
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The message of a command that is refused."""
    assert main(words) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    return message


def test_nothing_is_overwritten_silently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(TINY | {"steps": 100, "teacher": "first"}))
    words = ["train", "imitate", "--config", str(tmp_path / "config.yaml"), "--run", str(tmp_path / "run")]
    assert main(words) == 0
    assert "--resume continues it, --overwrite replaces it" in refused(capsys, *words)
    assert main([*words, "--overwrite"]) == 0
    assert "was made by `smallcity train imitate`" in refused(
        capsys, "train", "ppo", "--run", str(tmp_path / "run"), "--resume"
    )
    (tmp_path / "mine").mkdir()
    assert "is not a run folder" in refused(capsys, *words[:-1], str(tmp_path / "mine"), "--overwrite")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["train", "magic"], "choose from ppo, imitate, search, sb3"),
        (["train", "ppo", "--config", "nowhere.yaml"], "the configuration nowhere.yaml cannot be read"),
        (["train", "ppo", "--set", "stepps=3"], "the configuration has no key stepps: choose from seed"),
        (["train", "ppo", "--set", "steps"], "--set takes KEY=VALUE, not 'steps'"),
        (["train", "ppo", "--run", "nowhere", "--resume"], "there is no run in nowhere"),
        (["train", "ppo", "--resume", "--set", "steps=3"], "leave out all other options"),
        (["train", "ppo", "--set", "start=nowhere.npz"], "there is no checkpoint nowhere.npz"),
        (["train", "imitate", "--set", "teacher=nobody"], "there is no agent 'nobody'"),
    ],
)
@pytest.mark.usefixtures("in_an_empty_folder")
def test_impossible_commands_are_refused_in_one_sentence(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert expected in refused(capsys, *words)
    assert not Path("runs").exists()  # a refused command leaves no folder


def test_a_foreign_checkpoint_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "odd.npz"
    path.write_bytes(b"no weights at all")
    with pytest.raises(AgentError, match="is not an intact npz file"):
        make(f"policy:checkpoint={path}")
    trainer = start("imitate", tmp_path / "run", steps=100, teacher="first")
    trainer.train()
    arrays, card = checkpoint.read(trainer.run.checkpoints()[-1])
    checkpoint.write(path, arrays | {"answer.bias": arrays["answer.bias"][:7]}, card)
    with pytest.raises(AgentError, match=r"answer\.bias must be float32 \(199,\), not float32 \(7,\)"):
        make(f"policy:checkpoint={path}")
    checkpoint.write(path, {name: a for name, a in arrays.items() if name != "district.bias"}, card)
    with pytest.raises(AgentError, match=r"it has no district\.bias"):
        make(f"policy:checkpoint={path}")
    old = {name.replace("value.", "worth."): array for name, array in arrays.items()}
    checkpoint.write(path, old, card)
    with pytest.raises(AgentError, match=r"it has no value\.weight"):
        make(f"policy:checkpoint={path}")


def test_a_checkpoint_of_another_size_is_refused_as_a_start(tmp_path: Path) -> None:
    trainer = start("imitate", tmp_path / "run", steps=100, teacher="first")
    trainer.train()
    with pytest.raises(AgentError, match="is not of size"):
        start("ppo", tmp_path / "next", start=str(trainer.run.checkpoints()[-1]), net={"channels": 5})


def damaged_state(folder: Path, **changes: np.ndarray) -> None:
    """Replace arrays in the saved state of a run."""
    with np.load(folder / "state.npz") as file:
        arrays = {name: file[name] for name in file.files} | changes
    np.savez(folder / "state.npz", **arrays)


def other_games() -> np.ndarray:
    """Records of games of one round, as TINY has them, but without Godzillas."""
    states = batch.new(16, Config(players=2, modules=(), rounds=1), range(16), batch.new_masks(16))
    return states.view(np.ndarray).view(np.uint8).reshape(16, -1)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"net/place": np.full((100, 4), np.nan, np.float32)}, "net/place is not finite"),
        ({"net/place": np.zeros((100, 5), np.float32)}, "net/place must be float32"),
        ({"games/streams": np.zeros((16, 4))}, "games/streams must be uint64"),
        ({"games/extra": np.zeros(3)}, "games must hold streams"),
        (
            {"games/records": np.zeros((16, STATE_BYTES), np.uint8)},
            "players is 0, but must be 1 to 4",
        ),
        ({"games/records": other_games()}, "do not match its configuration"),
        ({"values.json": np.array("{}")}, "is not a training state"),
        ({"values.json": np.array("[]")}, "is not a training state"),
    ],
)
def test_a_damaged_state_is_refused(changes: dict[str, np.ndarray], expected: str, tmp_path: Path) -> None:
    start("imitate", tmp_path / "run", steps=100, teacher="first").train()
    damaged_state(tmp_path / "run", **changes)
    with pytest.raises(Refused, match=expected):
        resume("imitate", tmp_path / "run")


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    start("imitate", tmp_path / "run", steps=100, teacher="first").train()
    (tmp_path / "run" / "state.npz").write_bytes(pickle.dumps({"steps": 3}))
    with pytest.raises(Refused, match="is not an intact npz file"):
        resume("imitate", tmp_path / "run")
