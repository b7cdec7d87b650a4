"""Weights in a file: an npz of arrays and a card that says how they were made."""

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
from .features import LAYERS, TABLE
from .model import Weights

FORMAT: Final = "smallcity-net-1"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "policy.npz"
CARD: Final = "card"


def write(path: Path, weights: Weights, card: dict[str, Any]) -> None:
    """Write weights and their card; the file is there as a whole or not at all."""
    known = {"format": FORMAT, "observation": layout.SIZE, "actions": ACTIONS, "numbers": FINGERPRINT}
    unready = path.with_suffix(".part")
    with unready.open("wb") as file:
        arrays: dict[str, Any] = {**weights, CARD: np.array(json.dumps(known | card))}
        np.savez_compressed(file, **arrays)
    unready.replace(path)


def read(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Weights and card of a file, or one sentence."""
    if not path.is_file():
        raise AgentError(f"there is no checkpoint {path}: `smallcity train` makes them")
    try:
        with np.load(path, allow_pickle=False) as found:
            arrays = {name: found[name] for name in found.files}
        card: dict[str, Any] = json.loads(str(arrays.pop(CARD)))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        raise AgentError(f"{path} is no checkpoint of this project") from None
    if wrong := _foreign(arrays, card):
        raise AgentError(f"the checkpoint {path} does not fit: {wrong}")
    return arrays, card


def _foreign(weights: Weights, card: dict[str, Any]) -> str:
    """Why weights cannot play here, or nothing."""
    if card.get("format") != FORMAT:
        return f"its format is {card.get('format')!r}, not {FORMAT!r}"
    if (card.get("observation"), card.get("actions")) != (layout.SIZE, ACTIONS):
        return f"it was made for {card.get('observation')} numbers seen and {card.get('actions')} actions"
    if wrong := foreign(str(card.get("numbers", STANDARD))):
        return wrong
    try:
        seen = weights["first.weight"].shape[1] - 2 * len(weights["district.bias"])
        fits = seen == TABLE and all(len(weights[k]) == n for k, n in LAYERS.items() if k != "state")
    except KeyError as missing:
        return f"it has no {missing.args[0]}"
    return "" if fits else "its net was made for other observations"
