"""The weights of the judge by personality: the tuned ones, and an emphasis over them for each style."""

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from .schema import WEIGHT_NAMES, WEIGHT_TABLE, WEIGHTS

FILE: Final = Path(__file__).with_name("weights.json")
START: Final = {name: start for name, start, _ in WEIGHT_TABLE}
TUNED: Final = "tuned"
WORTH: Final = "worth"  # fitted to how games end: for `agents.greedy.worth`
STYLES: Final = (TUNED, "start", WORTH, "builder", "industrialist", "green", "culture", "merchant")


class StyleError(ValueError):
    """A personality that is none."""


def row(weights: dict[str, float]) -> Any:
    """Weights as the judge takes them; those not named are as at the start."""
    if unknown := set(weights) - set(WEIGHT_NAMES):
        known = ", ".join(WEIGHT_NAMES)
        raise StyleError(f"there is no weight {', '.join(sorted(unknown))}: say some of {known}")
    made = np.zeros(1, WEIGHTS)
    for name in WEIGHT_NAMES:
        made[name] = weights.get(name, START[name])
    return made


def read() -> dict[str, Any]:
    """The weights file: `made` says how weights came about, `styles` holds them."""
    found: dict[str, Any] = json.loads(FILE.read_text())
    return found


@cache
def weights_of(style: str) -> Any:
    """The weights of a personality, read once; copy them to change them."""
    if style not in STYLES:
        raise StyleError(f"there is no style {style!r}: choose from {', '.join(STYLES)}")
    if style == "start":
        return row({})
    styles = read()["styles"]
    return row(styles[TUNED] | styles.get(style, {}))
