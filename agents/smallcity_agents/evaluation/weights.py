"""Greedy's weights by style: the tuned ones, and what each personality changes."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env.refusal import Refused
from smallcity_env.rules.tables import SEATS

from .schema import WEIGHT_NAMES, WEIGHT_TABLE, WEIGHTS

FILE: Final = Path(__file__).with_name("weights.json")
START: Final = {name: start for name, start, _ in WEIGHT_TABLE}
TUNED: Final = "tuned"
VALUE: Final = "value"  # fitted to final scores, for `greedy.value`
SOLO: Final = "solo"  # tuned for solo games; used by `search`
PERSONALITIES: Final = ("builder", "industrialist", "green", "culture", "merchant")
STYLES: Final = (TUNED, "start", VALUE, SOLO, *PERSONALITIES)
VALUE_ROW: Final = 0  # of `search_weights`
ROW_BY_PLAYERS: Final = np.array([0, 1, *[2] * (SEATS - 1)])  # of `search_weights`


class StyleError(Refused, ValueError):
    """Unknown style or weight."""


def row(weights: dict[str, float]) -> Any:
    """A weights record; weights not named have their start values."""
    if unknown := set(weights) - set(WEIGHT_NAMES):
        known = ", ".join(WEIGHT_NAMES)
        raise StyleError(f"there is no weight {', '.join(sorted(unknown))}: choose from {known}")
    record = np.zeros(1, WEIGHTS)
    for name in WEIGHT_NAMES:
        record[name] = weights.get(name, START[name])
    return record


def read() -> dict[str, Any]:
    """The weights file: `styles` holds the weights, `made` how they were made."""
    content: dict[str, Any] = json.loads(FILE.read_text())
    return content


@cache
def weights_of(style: str) -> Any:
    """The weights of a style, cached: copy before changing them."""
    if style not in STYLES:
        raise StyleError(f"there is no style {style!r}: choose from {', '.join(STYLES)}")
    if style == "start":
        return row({})
    styles = read()["styles"]
    return row(styles[TUNED] | styles.get(style, {}))


@cache
def search_weights(styles: Sequence[str] = (VALUE, SOLO, TUNED)) -> Any:
    """The weights of a search, cached: a row to value leaves, then rows to play with, by players."""
    return np.concatenate([weights_of(style) for style in styles])
