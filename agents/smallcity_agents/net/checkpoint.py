"""Checkpoints: an npz of weights and a card that records how they were made."""

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env.rules import layout
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign

from .. import AgentError
from .features import LAYERS, SCALARS
from .model import Weights

FORMAT: Final = "smallcity-net-1"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "policy.npz"
CARD: Final = "card"


def write(path: Path, weights: Weights, card: dict[str, Any]) -> None:
    """Write weights and card atomically."""
    shapes = {"format": FORMAT, "observation": layout.SIZE, "actions": ACTIONS, "numbers": FINGERPRINT}
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        arrays: dict[str, Any] = {**weights, CARD: np.array(json.dumps(shapes | card))}
        np.savez_compressed(file, **arrays)
    part.replace(path)


def read(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Weights and card of a checkpoint; raises AgentError if it cannot be used."""
    if not path.is_file():
        raise AgentError(f"there is no checkpoint {path}: `smallcity train` writes them")
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        card: dict[str, Any] = json.loads(str(arrays.pop(CARD)))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise AgentError(f"{path} is not a checkpoint of this project") from None
    if mismatch := _mismatch(arrays, card):
        raise AgentError(f"the checkpoint {path} does not fit: {mismatch}")
    return arrays, card


def _mismatch(weights: Weights, card: dict[str, Any]) -> str:
    """Why weights do not fit this version; empty if they do."""
    if card.get("format") != FORMAT:
        return f"its format is {card.get('format')!r}, not {FORMAT!r}"
    if (card.get("observation"), card.get("actions")) != (layout.SIZE, ACTIONS):
        return f"it was made for observations of {card.get('observation')} and {card.get('actions')} actions"
    if wrong := foreign(str(card.get("numbers", STANDARD))):
        return wrong
    try:
        scalars = weights["first.weight"].shape[1] - 2 * len(weights["district.bias"])
        fits = scalars == SCALARS and all(len(weights[k]) == n for k, n in LAYERS.items() if k != "state")
    except KeyError as missing:
        return f"it has no {missing.args[0]}"
    return "" if fits else "its net was made for other observations"
