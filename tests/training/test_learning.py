"""Every way to train learns something that can be measured, and goes on exactly where it stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from smallcity_training.run import curve

from .tiny import begun, resumed

SELF_PLAY = {"opponents": ["first"], "opponents_share": 0.25, "pool_share": 0.25, "pool_every": 300}
CHANGES: dict[str, dict[str, Any]] = {
    "ppo": SELF_PLAY,
    "imitate": {"teacher": "first"},
    "value": {"teacher": "random"},
}


@pytest.mark.parametrize("way", CHANGES)
def test_a_run_goes_on_to_the_same_weights(way: str, tmp_path: Path) -> None:
    whole = begun(way, tmp_path / "whole", steps=1500, **CHANGES[way])
    whole.learn()
    begun(way, tmp_path / "parts", steps=1500, **CHANGES[way]).learn(until=600)
    rest = resumed(way, tmp_path / "parts")
    assert 600 <= rest.steps < 1500
    rest.learn()
    assert rest.steps == whole.steps and rest.games == whole.games
    for name, tensor in whole.net.state_dict().items():
        assert torch.equal(tensor, rest.net.state_dict()[name]), name
    assert [line["steps"] for line in curve(tmp_path / "parts", "progress")] == [
        line["steps"] for line in curve(tmp_path / "whole", "progress")
    ]


def test_imitation_comes_to_answer_like_its_teacher(tmp_path: Path) -> None:
    learner = begun("imitate", tmp_path / "run", steps=6000, teacher="first", student_share=0.3)
    learner.learn()
    agreed = [line["agreed"] for line in curve(tmp_path / "run", "progress")]
    assert agreed[0] < 0.6 and np.mean(agreed[-3:]) > 0.85


def test_self_play_learns_to_beat_random(tmp_path: Path) -> None:
    shares = {"opponents": ["random"], "opponents_share": 0.5, "pool_share": 0.0}
    learner = begun("ppo", tmp_path / "run", steps=8000, epochs=4, evaluate_games=200, average=0.9, **shares)
    learner.learn()
    learner._evaluate()
    first, last = curve(tmp_path / "run")
    assert last["margin random"] > first["margin random"] + 0.5
    assert last["wins random"] > max(first["wins random"], 0.6)


def test_a_value_net_learns_how_games_end(tmp_path: Path) -> None:
    stages = [{"reward": "rank", "tables": [{"players": 2, "rounds": 2}]}]
    learner = begun("value", tmp_path / "run", steps=10_000, teacher="random", epochs=2, stages=stages)
    learner.learn()
    explained = [line["explained"] for line in curve(tmp_path / "run", "progress")]
    assert np.mean(explained[-8:]) > max(np.mean(explained[:8]), 0) + 0.1


def test_the_curriculum_changes_games_and_reward(tmp_path: Path) -> None:
    stages = [
        {"until": 0.5, "reward": "score", "tables": [{"players": 2, "rounds": 1}]},
        {"until": 1.0, "reward": "rank", "tables": [{"players": 3, "rounds": 1, "share": 0.5},
                                                   {"players": 2, "modules": [], "share": 0.5}]},
    ]  # fmt: skip
    learner = begun("ppo", tmp_path / "run", steps=800, stages=stages)
    learner.learn(until=300)
    assert [part.config.players for part in learner.tables.parts] == [2]
    learner.learn()
    assert [part.config.players for part in learner.tables.parts] == [3, 2]
    assert learner.tables.parts[0].reward == "rank"
    assert resumed("ppo", tmp_path / "run").stage == 1
