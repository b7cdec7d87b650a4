"""Training runs small enough for a test."""

from pathlib import Path
from typing import Any

from smallcity_training import config
from smallcity_training.commands.train import METHODS
from smallcity_training.run import Run

TINY: dict[str, Any] = {
    "games": 16,
    "horizon": 16,
    "minibatch_size": 64,
    "learning_rate": 0.003,
    "net": {"channels": 4, "district": 8, "trunk": 32},
    "evaluate_games": 2,
    "anchors": ["random"],
    "stages": [{"variants": [{"players": 2, "rounds": 1}]}],
}


def start(method: str, folder: Path, **overrides: Any) -> Any:
    """A new tiny run."""
    settings = config.parse(METHODS[method].config, TINY | overrides)
    return METHODS[method].trainer(Run.create(folder, method, settings), settings)


def resume(method: str, folder: Path) -> Any:
    """The run of a folder, as it was saved."""
    settings = config.read(METHODS[method].config, folder / "config.yaml")
    trainer = METHODS[method].trainer(Run.open(folder, method), settings)
    trainer.resume()
    return trainer
