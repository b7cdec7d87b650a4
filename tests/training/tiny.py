"""Configurations small enough to be trained in a test."""

from pathlib import Path
from typing import Any

from smallcity_training import config
from smallcity_training.commands.train import WAYS, _learner
from smallcity_training.run import Run

TINY: dict[str, Any] = {
    "games": 16,
    "horizon": 16,
    "minibatch": 64,
    "learning_rate": 0.003,
    "net": {"channels": 4, "district": 8, "trunk": 32},
    "evaluate_games": 2,
    "anchors": ["random"],
    "stages": [{"tables": [{"players": 2, "rounds": 1}]}],
}


def begun(way: str, folder: Path, **changes: Any) -> Any:
    """A new tiny run."""
    wanted = config.checked(WAYS[way].config, TINY | changes)
    return _learner(way)(Run.new(folder, way, wanted), wanted)


def resumed(way: str, folder: Path) -> Any:
    """The run of a folder, as it stopped."""
    run = Run.old(folder, way)
    learner = _learner(way)(run, config.read(WAYS[way].config, folder / "config.yaml"))
    learner.go_on(run.kept())
    return learner
