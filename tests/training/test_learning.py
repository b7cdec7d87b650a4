"""Every method learns something measurable, and resumes exactly where it stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from smallcity_env import batch
from smallcity_env.cli import main
from smallcity_env.rules import layout
from smallcity_training.run import read_log

from .tiny import resume, start

VALUES = {"teacher": "random", "student_share": 0.0}
SELF_PLAY = {"opponents": ["first"], "opponents_share": 0.25, "pool_share": 0.25, "pool_every": 300}
OVERRIDES: dict[str, dict[str, Any]] = {
    "ppo": SELF_PLAY,
    "imitate": {"teacher": "first"},
}


@pytest.mark.parametrize("method", OVERRIDES)
def test_a_resumed_run_ends_with_the_same_weights(method: str, tmp_path: Path) -> None:
    whole = start(method, tmp_path / "whole", steps=1500, **OVERRIDES[method])
    whole.train()
    start(method, tmp_path / "parts", steps=1500, **OVERRIDES[method]).train(until=600)
    rest = resume(method, tmp_path / "parts")
    assert 600 <= rest.steps < 1500
    rest.train()
    assert rest.steps == whole.steps and rest.finished == whole.finished
    for mine, other in ((rest.net, whole.net), (rest.ema, whole.ema)):
        for name, tensor in other.state_dict().items():
            assert torch.equal(tensor, mine.state_dict()[name]), name
    assert [line["steps"] for line in read_log(tmp_path / "parts", "progress")] == [
        line["steps"] for line in read_log(tmp_path / "whole", "progress")
    ]


def test_imitation_learns_its_teachers_actions(tmp_path: Path) -> None:
    start("imitate", tmp_path / "run", steps=6000, teacher="first", student_share=0.3).train()
    accuracy = [line["accuracy"] for line in read_log(tmp_path / "run", "progress")]
    assert np.mean(accuracy[-3:]) > max(accuracy[0] + 0.1, 0.85)


def test_a_teacher_that_searches_gives_its_improved_policy(tmp_path: Path) -> None:
    trainer = start("imitate", tmp_path / "run", steps=100, teacher="search:sims=8,candidates=3")
    games, seats = trainer.games, trainer.games.seats.copy()
    streams = games.streams[np.arange(16), seats]
    states, legal = batch.clone(games.states), games.legal.copy()
    trainer._step(0)
    expected = trainer.teacher.search(states, seats, legal, streams).policy
    assert np.allclose(trainer.targets[0], expected, atol=1e-6)
    assert (trainer.targets[0].sum(axis=1) > 0.999).all() and (trainer.targets[0] > 0.01).sum() > 16


def test_self_play_learns_to_beat_random(tmp_path: Path) -> None:
    shares = {"opponents": ["random"], "opponents_share": 0.5, "pool_share": 0.0}
    overrides = {"epochs": 4, "evaluate_games": 200, "ema_decay": 0.9}
    trainer = start("ppo", tmp_path / "run", steps=8000, **overrides, **shares)
    trainer.train()
    first, last = read_log(tmp_path / "run")
    assert (first["steps"], last["steps"]) == (0, trainer.steps)
    assert last["margin random"] > first["margin random"] + 0.5
    assert last["win_rate random"] > max(first["win_rate random"], 0.6)


def test_values_learn_how_games_end(tmp_path: Path) -> None:
    stages = [{"reward": "rank", "variants": [{"players": 2, "rounds": 2}]}]
    start(
        "imitate",
        tmp_path / "run",
        steps=10_000,
        **VALUES,
        epochs=2,
        stages=stages,
    ).train()
    explained = [line["explained_variance"] for line in read_log(tmp_path / "run", "progress")]
    assert np.mean(explained[-8:]) > max(np.mean(explained[:8]), 0) + 0.1


def test_without_a_weight_the_policy_stays_as_it_is(tmp_path: Path) -> None:
    trainer = start("imitate", tmp_path / "run", steps=600, policy_coef=0.0, **VALUES)
    before = {name: tensor.clone() for name, tensor in trainer.net.state_dict().items()}
    trainer.train()
    after = trainer.net.state_dict()
    changed = {name for name, tensor in before.items() if not torch.equal(tensor, after[name])}
    assert changed == {"value.weight", "value.bias"}


def test_the_curriculum_changes_games_and_reward(tmp_path: Path) -> None:
    stages = [
        {"until": 0.5, "reward": "score", "variants": [{"players": 2, "rounds": 1}]},
        {"until": 1.0, "reward": "rank", "variants": [{"players": 3, "rounds": 1, "share": 0.5},
                                                     {"players": 2, "modules": [], "share": 0.5}]},
    ]  # fmt: skip
    trainer = start("ppo", tmp_path / "run", steps=800, stages=stages)
    trainer.train(until=300)
    assert set(trainer.games.players) == {2}
    trainer.train()
    assert set(trainer.games.states["rules"]["players"]) == {2, 3} and trainer.games.reward == "rank"
    assert resume("ppo", tmp_path / "run").stage == 1


@pytest.mark.parametrize("weight", [0.0, 0.5])
def test_a_net_without_greedys_logits_never_sees_them(weight: float, tmp_path: Path) -> None:
    trainer = start("imitate", tmp_path / "run", steps=600, teacher="greedy", greedy_logits=weight)
    trainer.train()
    seen = resume("imitate", tmp_path / "run").games.inputs[:, layout.SIZE :]
    learnt = trainer.net.greedy_weight
    assert (seen != 0).any() == (learnt.weight != 0).any() == (learnt.bias != 0).any() == (weight > 0)


def test_opponents_decisions_are_not_trained_on(tmp_path: Path) -> None:
    shares = {"opponents": ["first"], "opponents_share": 1.0, "pool_share": 0.0}
    trainer = start("ppo", tmp_path / "run", **shares)
    trainer.update()
    rows = np.arange(trainer.config.games)
    assert 0 < trainer.steps < 0.8 * trainer.config.games * trainer.config.horizon
    assert ((trainer.opponents.owners[rows] == 0).sum(axis=1) >= 1).all()


@pytest.mark.parametrize("observation", ["compact", "planes"])
def test_sb3_trains_one_seat_and_saves_its_model(
    observation: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["steps=64", "games=4", "n_steps=8", "batch_size=16", "n_epochs=1", "evaluate_games=4"]
    small += [f"observation={observation}", "evaluate_every=32"]
    folder = str(tmp_path / "run")
    words = ["train", "sb3", "--run", folder, *(word for pair in small for word in ("--set", pair))]
    assert main(words) == 0
    assert (tmp_path / "run" / "model.zip").is_file()
    out = capsys.readouterr().out
    assert "step 0: beats random " in out and "step 64: beats random " in out
    assert [line["steps"] for line in read_log(tmp_path / "run")] == [0, 32, 64]
    assert main(["train", "sb3", "--run", folder, "--resume"]) == 2
    assert "cannot be resumed" in capsys.readouterr().err
