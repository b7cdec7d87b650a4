"""Checkpoints: an npz of weights and a card that records how they were made."""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.refusal import Refused
from smallcity_env.rules.tables import SIDE
from smallcity_env.rules.tables.in_force import FINGERPRINT

from .. import AgentError
from ..names import Names, fit, from_json, tell_news, to_json
from .layout import NAMES
from .model import Weights

FORMAT: Final = "smallcity-net-3"
SHIPPED: Final = Path(__file__).parents[1] / "data" / "policy.npz"
CARD: Final = "card"
LARGEST: Final = 1000.0  # of a weight: far larger ones overflow, and every answer looks the same
EMBEDDINGS: Final = ("tile", "part", "thing", "state", "mark", "place")
ABOUT: Final = {"steps": int, "reward": str, "command": str, "hours": float}  # what every card tells


def write(path: Path, weights: Weights, card: dict[str, Any]) -> None:
    """Write weights and card atomically."""
    card = {"numbers": FINGERPRINT} | card | {"format": FORMAT, "names": to_json(NAMES)}
    files.write_arrays(path, {**weights, CARD: np.array(json.dumps(card))}, compressed=True)


def read(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Weights for the rules in force and card; raises AgentError if the file is damaged or no checkpoint."""
    if not files.is_file(path):
        raise AgentError(f"there is no checkpoint {path}: `smallcity train` writes them")
    try:
        arrays = files.read_arrays(path, "the checkpoint", files.LARGEST_NET)
        card = json.loads(str(arrays.pop(CARD)))
    except Refused as wrong:
        raise AgentError(str(wrong)) from None
    except (ValueError, KeyError, RecursionError):
        raise AgentError(f"{path} is not a checkpoint of this project") from None
    try:
        _check_card(card)
        known = from_json(card.get("names"), NAMES.tables)
        _check_weights(arrays, known)
    except ValueError as damage:
        raise AgentError(f"the checkpoint {path} cannot be used: {damage}") from None
    tell_news("the net", path, known, NAMES)
    return _for_rules_in_force(arrays, known), card


def _for_rules_in_force(arrays: Weights, known: Names) -> Weights:
    """The weights of a net that has one for everything in the rules in force."""
    weights = dict(arrays)
    for name in EMBEDDINGS:
        weights[name] = fit(arrays[name], name, known, NAMES, mean=True)
    for name in ("answer.weight", "answer.bias"):
        weights[name] = fit(arrays[name], "answer", known, NAMES, mean=True)
    first, boroughs = arrays["first.weight"], 2 * len(arrays["district.bias"])
    scalars = fit(first[:, boroughs:].T, "scalars", known, NAMES, mean=False)
    weights["first.weight"] = np.concatenate([first[:, :boroughs], scalars.T], axis=1)
    return weights


def _check_card(card: Any) -> None:
    """Raise ValueError if a card does not say what every card says."""
    if not isinstance(card, dict):
        raise ValueError("its card is not a mapping")
    if card.get("format") != FORMAT:
        raise ValueError(f"its format is {card.get('format')!r}, not {FORMAT!r}")
    for name, kind in ABOUT.items():
        if type(card.get(name)) is not kind:
            raise ValueError(f"its card must tell {name} as {kind.__name__}, not {card.get(name)!r}")
        if kind is not str and not 0 <= card[name] < np.inf:
            raise ValueError(f"its card tells {card[name]} {name}")


def _check_weights(weights: dict[str, Any], names: Names) -> None:
    """Raise ValueError if arrays are not a net's weights; its size is that of `place` and of two biases."""
    channels, district, trunk = (_width(weights, name) for name in ("place", "district.bias", "first.bias"))
    expected = shapes(channels, district, trunk, names)
    if missing := [name for name in expected if name not in weights]:
        raise ValueError(f"it has no {missing[0]}")
    for name, shape in expected.items():
        array = weights[name]
        if array.shape != shape or array.dtype != np.float32:
            raise ValueError(f"{name} must be float32 {shape}, not {array.dtype} {array.shape}")
        if not (np.abs(array) <= LARGEST).all():
            raise ValueError(f"{name} is not finite, or has a number beyond {LARGEST:g}")
    if strange := sorted(weights.keys() - expected.keys()):
        raise ValueError(f"it holds {strange[0]!r}, which is not a weight of a net")


def _width(weights: dict[str, Any], name: str) -> int:
    """The last dimension of an array, at least 1."""
    array = weights.get(name)
    return max(array.shape[-1], 1) if array is not None and array.ndim else 1


def shapes(channels: int, district: int, trunk: int, names: Names = NAMES) -> dict[str, tuple[int, ...]]:
    """The shape of every weight of a net of this size that knows these names."""
    layers: dict[str, tuple[int, ...]] = {
        "near": (channels, channels, 3, 3),
        "far": (channels, channels, 3, 3),
        "district": (district, channels * (SIDE // 2) ** 2),
        "first": (trunk, 2 * district + names.size("scalars")),
        "second": (trunk, trunk),
        "seek": (channels, trunk),
        "answer": (names.size("answer"), trunk),
        "opinion": (1, trunk),
        "value": (1, trunk),
    }
    every: dict[str, tuple[int, ...]] = {name: (names.size(name), channels) for name in EMBEDDINGS}
    for name, shape in layers.items():
        every |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return every
