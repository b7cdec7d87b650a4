"""kill -9 in the middle of `train search` and `benchmark`: what is on file stays; only the rest is done."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from smallcity_agents.benchmark.entry import read
from smallcity_env import files
from smallcity_env.cli import main
from tests.training.test_value_net import TINY


def killed_when(reached: Callable[[], bool], *words: str) -> None:
    """Run a command, and kill it when something is on file."""
    process = subprocess.Popen([sys.executable, "-m", "smallcity_env", *words], stdout=subprocess.DEVNULL)
    while not reached():
        assert process.poll() is None, "it has ended before"
        time.sleep(0.01)
    process.kill()
    process.wait()


def test_learning_by_search(tmp_path: Path) -> None:
    settings = TINY | {"scripted_batches": 6, "scripted_games": 64, "epochs": 0.5}
    (tmp_path / "tiny.yaml").write_text(json.dumps(settings))  # JSON is YAML
    words = ["train", "search", "--config", str(tmp_path / "tiny.yaml"), "--run"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert main([*words, str(whole)]) == 0
    killed_when(lambda: len(list(parts.glob("shards/*.npz"))) > 1, *words, str(parts))
    kept = {path: path.stat().st_mtime_ns for path in parts.glob("shards/*.npz")}
    assert 1 < len(kept) < 7
    assert main(["train", "search", "--run", str(parts), "--resume"]) == 0
    assert all(path.stat().st_mtime_ns == time_ns for path, time_ns in kept.items())  # none was played again
    assert {p.name: p.read_bytes() for p in whole.glob("shards/*.npz")} == {
        p.name: p.read_bytes() for p in parts.glob("shards/*.npz")
    }
    for name in ("value-000.npz", "value-001.npz"):
        one, other = (files.read_arrays(run / "checkpoints" / name, "the net") for run in (whole, parts))
        assert all(np.array_equal(one[key], other[key]) for key in one if key != "card")


def test_a_benchmark(tmp_path: Path) -> None:
    file = tmp_path / "v2-observation-first.jsonl"
    words = ["benchmark", "first", "--tasks", "duel", "--folder", str(tmp_path)]
    killed_when(lambda: file.exists() and file.read_bytes().count(b"\n") > 1, *words)
    before = read(file)[1]
    assert before
    assert main([*words, "--quick"]) == 0
    after = read(file)[1]
    assert after[: len(before)] == before and len({(game.seed, game.seat) for game in after}) == len(after)
    assert file.with_suffix(".json").exists()
