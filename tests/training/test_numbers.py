"""The champion fitted to ten changed numbers by one command, from the shipped net and from nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from smallcity_env import files
from tests.agents.test_names import CHANGED
from tests.interpreter import run_python

from .test_value_net import TINY

SEARCH = "search:sims=2,candidates=2,playout=none"
SMALL: dict[str, Any] = {
    "player": SEARCH,
    "evaluate_player": SEARCH,
    "anchors": ["random"],
    "search_batches": 2,
}


def smallcity(folder: Path, *words: str) -> str:
    return run_python("-m", "smallcity_env", "--numbers", str(folder / "mine.toml"), *words)


@pytest.mark.parametrize(("start", "scripted"), [("value_net", False), ("none", True)])
def test_the_champion_is_fitted_to_changed_numbers(start: str, scripted: bool, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(CHANGED)
    (tmp_path / "tiny.yaml").write_text(json.dumps(TINY | SMALL | {"start": start}))
    run, net = tmp_path / "run", tmp_path / "run" / "checkpoints" / "value-001.npz"
    said = smallcity(tmp_path, "train", "search", "--run", str(run), "--config", str(tmp_path / "tiny.yaml"))
    assert "2 iterations" in said and "play it: search:leaf_value=" in said
    assert bool(list((run / "shards").glob("000-*.npz"))) == scripted
    card = json.loads(str(files.read_arrays(net, "the value net")["card"]))
    assert card["names"]["axes"]["rounds left"][-1] == "11" and card["iteration"] == 1
    assert "has saved" not in smallcity(tmp_path, "train", "search", "--run", str(run), "--resume")
    champion = f"champion:seconds=0,sims=2,candidates=2,leaf_value={net}"
    results = str(tmp_path / "arena.jsonl")
    assert champion.partition(":")[0] in smallcity(
        tmp_path, "arena", champion, "greedy", "--games", "2", "--results", results
    )
