"""Checkpoints: the weights of the policy net, for the rules in force."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env.rules.tables import SIDE

from ..names import Names, fit
from ..net_file import CARD as CARD
from ..net_file import NetFile, Shapes, width
from .layout import NAMES
from .model import Weights

EMBEDDINGS: Final = ("tile", "part", "thing", "state", "mark", "place")


def read(path: Path) -> tuple[Weights, dict[str, Any]]:
    """Weights for the rules in force and card; raises AgentError if the file is damaged or no checkpoint."""
    arrays, known, card = FILE.read(path)
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


def shapes(channels: int, district: int, trunk: int, names: Names = NAMES) -> Shapes:
    """The shape of every weight of a net of this size that knows these names."""
    layers: Shapes = {
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
    every: Shapes = {name: (names.size(name), channels) for name in EMBEDDINGS}
    for name, shape in layers.items():
        every |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    return every


def _shapes(arrays: dict[str, Any], names: Names) -> Shapes:
    """The shapes for a net of the size of its `place` and of two biases."""
    channels, district, trunk = (width(arrays, name) for name in ("place", "district.bias", "first.bias"))
    return shapes(channels, district, trunk, names)


FILE: Final = NetFile(
    "checkpoint", "smallcity train", "smallcity-net-3", NAMES, _shapes,
    told={"steps": int, "reward": str, "command": str, "hours": float},
)  # fmt: skip
write: Final = FILE.write
