"""A run's folder: configuration, versions, checkpoints, curves, and all that is needed to go on.

config.yaml      what was asked for            checkpoints/   nets, as `policy` plays them
run.json         way, command, seed, versions  kept.pt        where it stopped, to go on exactly there
progress.csv     every update                  tensorboard/   the same for TensorBoard
curve.csv, .png  every evaluation
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
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign
from smallcity_env.terminal import Refused

from . import config
from .net import Net, weights

KEPT: Final = "kept.pt"
NET: Final = "net-{:010d}.npz"


class Run:
    """One folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.about: dict[str, Any] = json.loads((folder / "run.json").read_text())
        self.began = time.monotonic()
        self._writer: Any = None

    @classmethod
    def new(cls, folder: Path, way: str, wanted: config.Common, overwrite: bool = False) -> "Run":
        """A new folder; one that is there is kept unless told otherwise."""
        if folder.exists() and not overwrite:
            raise Refused(f"{folder} is there already: say --resume to go on, --overwrite to begin anew")
        if folder.exists() and not (folder / "run.json").is_file():
            raise Refused(f"{folder} is no run, so it is not overwritten")
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "checkpoints").mkdir(parents=True)
        config.write(wanted, folder / "config.yaml")
        about = {"way": way, "command": " ".join(["smallcity", *sys.argv[1:]]), "seed": wanted.seed}
        about["numbers"] = FINGERPRINT
        _write_whole(folder / "run.json", about | {"versions": versions(), "hours": 0.0})
        return cls(folder)

    @classmethod
    def old(cls, folder: Path, way: str) -> "Run":
        """A run to go on with."""
        if not (folder / "run.json").is_file():
            raise Refused(f"there is no run in {folder}")
        if not (folder / KEPT).is_file():
            raise Refused(f"the run in {folder} stopped before it kept anything: begin anew with --overwrite")
        run = cls(folder)
        if run.about["way"] != way:
            raise Refused(f"the run in {folder} was made by `smallcity train {run.about['way']}`")
        if wrong := foreign(run.about.get("numbers", STANDARD)):
            raise Refused(f"the run in {folder} cannot go on: {wrong}")
        return run

    # -- what is kept

    def keep(self, net: Net, steps: int, reward: str, kept: dict[str, Any]) -> Path:
        """A checkpoint, and everything to go on from."""
        self.about["hours"] = round(self.hours(), 4)
        path = self.folder / "checkpoints" / NET.format(steps)
        card = {"steps": steps, "reward": reward, **self.about}
        checkpoint.write(path, weights(net), card | {"config": (self.folder / "config.yaml").read_text()})
        unready = self.folder / (KEPT + ".part")
        torch.save(kept | {"steps": steps, "hours": self.about["hours"]}, unready)
        unready.replace(self.folder / KEPT)
        _write_whole(self.folder / "run.json", self.about)
        return path

    def kept(self) -> dict[str, Any]:
        """What was kept last; lines written after that are taken back."""
        found: dict[str, Any] = torch.load(self.folder / KEPT, weights_only=False)
        self.about["hours"] = found["hours"]
        for name in ("progress.csv", "curve.csv"):
            _cut(self.folder / name, found["steps"])
        return found

    def checkpoints(self) -> list[Path]:
        """All nets, oldest first."""
        return sorted((self.folder / "checkpoints").glob("net-*.npz"))

    def hours(self) -> float:
        """How long it has been trained, all sittings together."""
        now = time.monotonic()
        self.about["hours"] += (now - self.began) / 3600
        self.began = now
        return float(self.about["hours"])

    # -- what is told

    def tell(self, steps: int, numbers: dict[str, float], name: str = "progress") -> None:
        """A line of progress or curve, also for TensorBoard."""
        path = self.folder / f"{name}.csv"
        fresh = not path.exists()
        with path.open("a", newline="") as file:
            line = csv.writer(file)
            if fresh:
                line.writerow(["steps", *numbers])
            line.writerow([steps, *(f"{x:.6g}" for x in numbers.values())])
        for key, number in numbers.items():
            self._board().add_scalar(f"{name}/{key}", number, steps)

    def _board(self) -> Any:
        """TensorBoard's writer, made when first needed."""
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self.folder / "tensorboard"))
        return self._writer

    def close(self) -> None:
        """Write out what TensorBoard still holds."""
        if self._writer is not None:
            self._writer.close()


def versions() -> dict[str, str]:
    """What the run was made with."""
    made = {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__}
    made |= {name: version(name) for name in ("stable-baselines3", "sb3-contrib")}
    return made | {"numba": numba.__version__, "machine": platform.machine()}


def curve(folder: Path, name: str = "curve") -> list[dict[str, float]]:
    """The lines of a curve."""
    path = folder / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{key: float(value) for key, value in line.items()} for line in csv.DictReader(file)]


def _write_whole(path: Path, about: dict[str, Any]) -> None:
    """Write a file so that whoever kills the run finds the old one or the new one, never half of it."""
    unready = path.with_suffix(".part")
    unready.write_text(json.dumps(about, indent=2))
    unready.replace(path)


def _cut(path: Path, steps: int) -> None:
    """Take lines back that were written after so many steps, or only in part."""
    if path.exists():
        first, *lines = path.read_text().splitlines()
        whole = [line for line in lines if line.count(",") == first.count(",")]
        kept = [line for line in whole if int(line.split(",")[0]) <= steps]
        path.write_text("\n".join([first, *kept]) + "\n")
