"""A run folder: configuration, versions, checkpoints, curves, and the state to resume from.

config.yaml      the configuration               checkpoints/   nets, as `policy` plays them
run.json         method, command, seed, versions state.npz      everything needed to resume exactly
progress.csv     one line per update             tensorboard/   the same metrics for TensorBoard
curve.csv, .png  one line per evaluation
"""

import csv
import json
import platform
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
import torch

from smallcity_agents.net import checkpoint
from smallcity_agents.net.model import Weights
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign
from smallcity_env.terminal import Refused

from . import state
from .config import write

STATE_FILE: Final = "state.npz"
NET_FILE: Final = "net-{:010d}.npz"


class Run:
    """One run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.info: dict[str, Any] = json.loads((folder / "run.json").read_text())
        self.began = time.monotonic()
        self._writer: Any = None

    @classmethod
    def create(cls, folder: Path, method: str, config: Any, overwrite: bool = False) -> "Run":
        """A new folder; an existing run is replaced only with `overwrite`."""
        if folder.exists() and not overwrite:
            raise Refused(f"{folder} already exists: --resume continues it, --overwrite replaces it")
        if folder.exists() and not (folder / "run.json").is_file():
            raise Refused(f"{folder} is not a run folder, so it is not overwritten")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "checkpoints").mkdir(parents=True)
        write(config, folder / "config.yaml")
        info = {"method": method, "command": " ".join(["smallcity", *sys.argv[1:]]), "seed": config.seed}
        info |= {"numbers": FINGERPRINT, "versions": versions(), "hours": 0.0}
        _write_json(folder / "run.json", info)
        return cls(folder)

    @classmethod
    def open(cls, folder: Path, method: str) -> "Run":
        """An existing run to resume."""
        if not (folder / "run.json").is_file():
            raise Refused(f"there is no run in {folder}")
        if not (folder / STATE_FILE).is_file():
            raise Refused(f"the run in {folder} saved nothing yet: replace it with --overwrite")
        run = cls(folder)
        if run.info["method"] != method:
            raise Refused(f"the run in {folder} was made by `smallcity train {run.info['method']}`")
        if wrong := foreign(run.info.get("numbers", STANDARD)):
            raise Refused(f"the run in {folder} cannot be resumed: {wrong}")
        return run

    # -- checkpoints and state

    def save(self, weights: Weights, steps: int, reward: str, training_state: state.State) -> Path:
        """Write a checkpoint and the state to resume from."""
        self.hours()
        path = self.folder / "checkpoints" / NET_FILE.format(steps)
        card = {"steps": steps, "reward": reward, **self.info}
        checkpoint.write(path, weights, card | {"config": (self.folder / "config.yaml").read_text()})
        self.save_state(training_state)
        return path

    def save_state(self, training_state: state.State) -> None:
        """Write the state to resume from."""
        self.hours()
        state.save(self.folder / STATE_FILE, training_state)
        _write_json(self.folder / "run.json", self.info)

    def load_state(self) -> state.State:
        """The state saved last."""
        return state.load(self.folder / STATE_FILE)

    def rewind(self, steps: int) -> None:
        """Drop log lines written after the saved state."""
        for name in ("progress.csv", "curve.csv"):
            _truncate_log(self.folder / name, steps)

    def checkpoints(self) -> list[Path]:
        """All checkpoints, oldest first."""
        return sorted((self.folder / "checkpoints").glob("net-*.npz"))

    def hours(self) -> float:
        """Training time, over all sessions."""
        now = time.monotonic()
        self.info["hours"] += (now - self.began) / 3600
        self.began = now
        return float(self.info["hours"])

    # -- logs

    def log(self, steps: int, metrics: dict[str, float], name: str = "progress") -> None:
        """Append a line to a CSV log, and the same to TensorBoard."""
        path = self.folder / f"{name}.csv"
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(["steps", *metrics])
            writer.writerow([steps, *(f"{x:.6g}" for x in metrics.values())])
        for key, number in metrics.items():
            self._tensorboard().add_scalar(f"{name}/{key}", number, steps)

    def _tensorboard(self) -> Any:
        """TensorBoard's writer, created on first use."""
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self.folder / "tensorboard"))
        return self._writer

    def close(self) -> None:
        """Flush TensorBoard's writer."""
        if self._writer is not None:
            self._writer.close()


def versions() -> dict[str, str]:
    """The versions the run was made with."""
    known = {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__}
    known |= {name: version(name) for name in ("stable-baselines3", "sb3-contrib")}
    return known | {"numba": numba.__version__, "machine": platform.machine()}


def read_log(folder: Path, name: str = "curve") -> list[dict[str, float]]:
    """The lines of a CSV log."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{key: float(value) for key, value in line.items()} for line in csv.DictReader(file)]


def _write_json(path: Path, info: dict[str, Any]) -> None:
    """Write atomically: a killed process leaves the old file or the new one."""
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(info, indent=2))
    partial.replace(path)


def _truncate_log(path: Path, steps: int) -> None:
    """Drop lines after `steps`, and incomplete ones."""
    if path.exists():
        header, *lines = path.read_text().splitlines()
        complete = [line for line in lines if line.count(",") == header.count(",")]
        kept = [line for line in complete if int(line.split(",")[0]) <= steps]
        path.write_text("\n".join([header, *kept]) + "\n")
