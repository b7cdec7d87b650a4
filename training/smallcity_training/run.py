"""A run folder: configuration, versions, checkpoints, curves, and the state to resume from.

config.yaml      the configuration               checkpoints/   nets, as `policy` plays them
run.json         method, command, seed, versions state.npz      everything needed to resume exactly
progress.csv     one line per update             tensorboard/   the same metrics for TensorBoard
curve.csv, .png  one line per evaluation         arrivals.csv   batches of search, as they arrive
"""

import csv
import io
import json
import platform
import shutil
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from filelock import FileLock

from smallcity_agents.net import checkpoint
from smallcity_agents.net.model import Weights
from smallcity_env import files
from smallcity_env.rules._library import library
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY, foreign
from smallcity_env.terminal import Refused

from . import state
from .config import write

STATE_FILE: Final = "state.npz"
NET_FILE: Final = "net-{:010d}.npz"


class Run:
    """One run folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.info = _read_info(folder / "run.json")
        self._lock: FileLock | None = None
        self.began = time.monotonic()
        self._writer: Any = None

    @classmethod
    def create(cls, folder: Path, method: str, config: Any, overwrite: bool = False) -> "Run":
        """A new folder; an existing run is replaced only with `overwrite`."""
        if folder.exists() and not overwrite:
            raise Refused(f"{folder} already exists: --resume continues it, --overwrite replaces it")
        if folder.exists() and not (folder / "run.json").is_file():
            raise Refused(f"{folder} is not a run folder, so it is not overwritten")
        held = _locked(folder)
        shutil.rmtree(folder, ignore_errors=True)
        info = {"method": method, "command": " ".join(["smallcity", *sys.argv[1:]]), "seed": config.seed}
        info |= {"rules": IDENTITY, "numbers": FINGERPRINT, "versions": versions(), "hours": 0.0}
        _write_json(folder / "run.json", info)  # first: a folder with it is a run, and may be overwritten
        write(config, folder / "config.yaml")
        (folder / "checkpoints").mkdir()
        run = cls(folder)
        run._lock = held
        return run

    @classmethod
    def open(cls, folder: Path, method: str) -> "Run":
        """An existing run to resume."""
        if not (folder / "run.json").is_file():
            raise Refused(f"there is no run in {folder}")
        if not (folder / STATE_FILE).is_file():
            raise Refused(f"the run in {folder} has saved nothing yet: replace it with --overwrite")
        held = _locked(folder)
        run = cls(folder)
        run._lock = held
        if run.info["method"] != method:
            raise Refused(f"the run in {folder} was made by `smallcity train {run.info['method']}`")
        if wrong := foreign(str(run.info.get("numbers", STANDARD))):
            raise Refused(f"the run in {folder} cannot be resumed: {wrong}")
        if (rules := run.info.get("rules", IDENTITY)) != IDENTITY:
            wrong = f"it plays by {rules}, this process by {IDENTITY}"
            raise Refused(f"the run in {folder} cannot be resumed: {wrong}")
        return run

    # -- checkpoints and state

    def save(self, weights: Weights, steps: int, reward: str, training_state: state.State) -> Path:
        """Write a checkpoint and the state to resume from."""
        self.hours()
        path = self.folder / "checkpoints" / NET_FILE.format(steps)
        card = {"steps": steps, "reward": reward, **self.info}
        checkpoint.write(path, weights, card | {"config": files.read_text(self.folder / "config.yaml")})
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

    def rewind(self, steps: int, *names: str) -> None:
        """Drop log lines written after the saved state; by default of progress and curve."""
        for name in names or ("progress", "curve"):
            _truncate_log(self.folder / f"{name}.csv", steps)

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
        """Append a line to a CSV log, and log the same to TensorBoard."""
        path = self.folder / f"{name}.csv"
        header = [] if path.exists() else [["steps", *metrics]]
        line = [str(steps), *(f"{x:.6g}" for x in metrics.values())]
        files.append(path, _csv([*header, line]).encode())
        for key, number in metrics.items():
            self._tensorboard().add_scalar(f"{name}/{key}", number, steps)

    def _tensorboard(self) -> Any:
        """TensorBoard's writer, created on first use."""
        if self._writer is None:
            from torch.utils.tensorboard import SummaryWriter

            self._writer = SummaryWriter(str(self.folder / "tensorboard"))
        return self._writer

    def close(self) -> None:
        """Flush TensorBoard's writer and release the folder."""
        if self._writer is not None:
            self._writer.close()
        if self._lock is not None:
            self._lock.release()


def _locked(folder: Path) -> FileLock:
    """Lock a run folder: two trainings in it would overwrite each other's state."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    return files.lock(folder, "another training")


def versions() -> dict[str, str]:
    """The versions the run was made with."""
    known = {"python": platform.python_version(), "torch": torch.__version__, "numpy": np.__version__}
    known |= {name: version(name) for name in ("stable-baselines3", "sb3-contrib")}
    return known | {"library": library.code, "machine": platform.machine()}


def read_log(folder: Path, name: str = "curve") -> list[dict[str, float]]:
    """The lines of a CSV log."""
    header, *lines = _rows(folder / f"{name}.csv") or [[]]
    return [dict(zip(header, map(float, line), strict=True)) for line in lines]


def _rows(path: Path) -> list[list[str]]:
    """The header and the intact lines of a CSV log: an interruption can leave an incomplete line."""
    text = files.read_text(path, "the log") if path.exists() else ""
    rows = list(csv.reader(text[: text.rfind("\n") + 1].splitlines()))
    return [row for row in rows if len(row) == len(rows[0]) and all(row)]


def _csv(rows: list[list[str]]) -> str:
    """Rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _write_json(path: Path, info: dict[str, Any]) -> None:
    """Write a dict as JSON."""
    files.write(path, json.dumps(info, indent=2))


def _read_info(path: Path) -> dict[str, Any]:
    """The contents of run.json."""
    try:
        info: dict[str, Any] = json.loads(files.read_text(path, "the run"))
        known = isinstance(info["method"], str) and 0 <= float(info["hours"]) < float("inf")
    except (ValueError, TypeError, KeyError, RecursionError):
        known = False
    if not known:
        raise Refused(f"{path} does not describe a training run")
    return info


def _truncate_log(path: Path, steps: int) -> None:
    """Drop lines after `steps`, and incomplete ones."""
    if rows := _rows(path):
        files.write(path, _csv([rows[0], *(row for row in rows[1:] if int(row[0]) <= steps)]))
    else:
        path.unlink(missing_ok=True)
