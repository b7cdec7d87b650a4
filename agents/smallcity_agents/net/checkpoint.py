"""Checkpoints: an npz of weights and a card that records how they were made."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.arguments import shown
from smallcity_env.refusal import Refused
from smallcity_env.rules import layout
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import SIDE, SPACES
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign

from .. import AgentError
from .features import LAYERS, SCALARS
from .model import CONDITIONS, Weights

FORMAT: Final = "smallcity-net-2"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "policy.npz"
CARD: Final = "card"
LARGEST: Final = 1000.0  # of a weight: far larger ones overflow, and every answer looks the same
ABOUT: Final = {"steps": int, "reward": str, "command": str, "hours": float}  # what every card tells


def write(path: Path, weights: Weights, card: dict[str, Any]) -> None:
    """Write weights and card atomically."""
    made_for = {"format": FORMAT, "observation": layout.SIZE, "actions": ACTIONS, "numbers": FINGERPRINT}
    arrays: dict[str, Any] = {**weights, CARD: np.array(json.dumps(made_for | card))}
    files.write_arrays(path, arrays, compressed=True)


def read(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Weights and card of a checkpoint; raises AgentError if it cannot be used."""
    if not files.is_file(path):
        raise AgentError(f"there is no checkpoint {path}: `smallcity train` writes them")
    try:
        arrays = files.read_arrays(path, "the checkpoint")
        card = json.loads(str(arrays.pop(CARD)))
    except Refused as wrong:
        raise AgentError(str(wrong)) from None
    except (ValueError, KeyError, RecursionError):
        raise AgentError(f"{path} is not a checkpoint of this project") from None
    if mismatch := _other_game(card) or _other_net(arrays):
        raise AgentError(f"the checkpoint {path} does not fit: {mismatch}")
    return arrays, card


def _other_game(card: Any) -> str:
    """Why a card does not fit this version; empty if it does."""
    if not isinstance(card, dict):
        return "its card is not a mapping"
    if card.get("format") != FORMAT:
        return f"its format is {card.get('format')!r}, not {FORMAT!r}"
    if (card.get("observation"), card.get("actions")) != (layout.SIZE, ACTIONS):
        seen, answers = shown(card.get("observation")), shown(card.get("actions"))
        return f"it was made for observations of {seen} and {answers} actions"
    if wrong := foreign(str(card.get("numbers", STANDARD))):
        return wrong
    for name, kind in ABOUT.items():
        if type(card.get(name)) is not kind:
            return f"its card must tell {name} as {kind.__name__}, not {card.get(name)!r}"
        if kind is not str and not 0 <= card[name] < np.inf:
            return f"its card tells {card[name]} {name}"
    return ""


def _other_net(weights: dict[str, Any]) -> str:
    """Why arrays are not the weights of a net; its size is that of `place` and of two biases."""
    expected = shapes(*(_width(weights, name) for name in ("place", "district.bias", "first.bias")))
    if missing := [name for name in expected if name not in weights]:
        return f"it has no {missing[0]}"
    for name, shape in expected.items():
        array = weights[name]
        if array.shape != shape or array.dtype != np.float32:
            return f"{name} must be float32 {shape}, not {array.dtype} {array.shape}"
        if not (np.abs(array) <= LARGEST).all():
            return f"{name} is not finite, or has a number beyond {LARGEST:g}"
    strange = sorted(weights.keys() - expected.keys())
    return f"it holds {strange[0]!r}, which is not a weight of a net" if strange else ""


def _width(weights: dict[str, Any], name: str) -> int:
    """The last dimension of an array, at least 1."""
    array = weights.get(name)
    return max(array.shape[-1], 1) if array is not None and array.ndim else 1


def shapes(channels: int, district: int, trunk: int) -> dict[str, tuple[int, ...]]:
    """The shape of every weight of a net of this size."""
    rows = LAYERS | {"state": CONDITIONS, "place": SPACES}
    layers: dict[str, tuple[int, ...]] = {
        "near": (channels, channels, 3, 3),
        "far": (channels, channels, 3, 3),
        "district": (district, channels * (SIDE // 2) ** 2),
        "first": (trunk, 2 * district + SCALARS),
        "second": (trunk, trunk),
        "seek": (channels, trunk),
        "answer": (ACTIONS, trunk),
        "opinion": (1, trunk),
        "value": (1, trunk),
    }
    every: dict[str, tuple[int, ...]] = {name: (n, channels) for name, n in rows.items()}
    for name, shape in layers.items():
        every |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return every
