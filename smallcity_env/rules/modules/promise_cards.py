"""New promise cards: which promises are in the game (PC1, section 13)."""

import numpy as np

from .._jit import kernel
from ..tables.promises import PROMISE_COUNT, PROMISES

ALWAYS, WITH_BUILDINGS, WITH_PLANTS, WITH_CARDS = range(4)
_NEEDS = {
    "": ALWAYS,
    "new_buildings": WITH_BUILDINGS,
    "power_plants": WITH_PLANTS,
    "promise_cards": WITH_CARDS,
}
NEEDS = np.zeros(PROMISE_COUNT + 1, np.int64)
for _promise in PROMISES:
    NEEDS[_promise.number] = _NEEDS[_promise.module]


@kernel
def deals(s, number):
    """Whether a promise is dealt in this game: 33-36 with New Buildings, 37-38 with Power Plants,
    39-42 with New Promise Cards (PC1)."""
    need = NEEDS[number]
    if need == WITH_BUILDINGS:
        return s.rules.new_buildings != 0
    if need == WITH_PLANTS:
        return s.rules.power_plants != 0
    if need == WITH_CARDS:
        return s.rules.promise_cards != 0
    return True
