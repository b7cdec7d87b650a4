"""What the net sees: an observation and greedy's value of every answer, and both decoded.

    codes, playing, scalars, greedy_logits = features.decode(features.inputs(states, seats, legal))

Every space has one code of each of `LAYERS`; the net has an embedding for each code. The codes of the layer
`mark` come from scalars: they mark the space, the tile or the godzilla the question is about.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import Mask, Seen, States
from smallcity_env.rules import layout
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.layout import BOROUGH_SIZE, OFFSETS, SEAT_SIZE
from smallcity_env.rules.observe import THINGS
from smallcity_env.rules.tables import SEATS, SIDE, SPACES
from smallcity_env.rules.tables.tiles import KINDS

from ..evaluation.weights import ROW_BY_PLAYERS, search_weights
from ..greedy import answer_values

PARTS: Final = 9  # spaces of the largest tile
STATES: Final = 256  # eight conditions, one bit each
MARKS: Final = ("anchor", "space", "head", "tail")
LAYERS: Final = {  # name: number of codes
    "tile": KINDS,
    "part": PARTS + 1,
    "thing": THINGS + 1,
    "state": STATES,
    "mark": len(MARKS) + 1,
}
SCALARS: Final = OFFSETS["borough+0.tile"]  # numbers before the boroughs
INPUTS: Final = layout.SIZE + ACTIONS  # numbers of an observation, then greedy's logits
FAR_BELOW: Final = -20.0  # points below the best answer that are as bad as any more

_SCALES: Final = np.array([KINDS - 1, PARTS, THINGS, STATES - 1], np.float32)
_MARK: Final = list(LAYERS).index("mark")
_PLAYING: Final = OFFSETS["seat+0.playing"] + SEAT_SIZE * np.arange(SEATS)
_HERE: Final = OFFSETS["asked_borough"]  # the borough asked about is the viewer's own

Codes = npt.NDArray[np.uint8]


class Features(NamedTuple):
    """Decoded observations."""

    codes: Codes  # (n, SEATS, SPACES, layers)
    playing: npt.NDArray[np.bool_]  # (n, SEATS): seats in the game, clockwise from the viewer
    scalars: Seen  # (n, SCALARS)
    greedy_logits: Seen  # (n, ACTIONS): points below greedy's best answer


def inputs(states: States, seats: npt.ArrayLike, legal: Mask) -> Seen:
    """Observations and greedy's logits for the seats asked (n, INPUTS)."""
    seen = np.zeros((len(states), INPUTS), np.float32)
    seen[:, : layout.SIZE] = batch.observe(states, seats)
    seen[:, layout.SIZE :] = greedy_logits(states, np.asarray(seats, np.int64), legal)
    return seen


def greedy_logits(states: States, seats: npt.NDArray[np.int64], legal: Mask) -> Seen:
    """How many points greedy rates each legal answer below the best one (n, ACTIONS); 0 for the others."""
    asked = np.broadcast_to(seats, len(states)).copy()
    rows, chance = ROW_BY_PLAYERS[states["rules"]["players"]], np.zeros(len(states), np.uint64)
    _, values = answer_values(states, asked, legal, chance, search_weights(), rows)
    best = np.where(legal, values, -np.inf).max(axis=1, keepdims=True)
    return np.where(legal, np.maximum(values - best, FAR_BELOW), 0).astype(np.float32)


def decode(seen: Seen) -> Features:
    """Decode what `inputs` returned."""
    n = len(seen)
    if seen.shape != (n, INPUTS):
        raise ValueError(f"the net takes an array (n, {INPUTS}), not {seen.shape}")
    boroughs = seen[:, SCALARS : layout.SIZE].reshape(n, SEATS, len(_SCALES), SPACES)
    codes = np.zeros((n, SEATS, SPACES, len(LAYERS)), np.uint8)
    codes[..., :_MARK] = (boroughs * _SCALES[:, None] + 0.5).swapaxes(2, 3)
    scalars = seen[:, :SCALARS]
    for k, name in enumerate(MARKS):
        _mark(codes, scalars, name, k + 1)
    return Features(codes, scalars[:, _PLAYING] > 0, scalars, seen[:, layout.SIZE :])


def _mark(codes: Codes, scalars: Seen, name: str, code: int) -> None:
    """Mark a space of the viewer's own borough that scalars name by row and column."""
    place = np.rint(scalars[:, OFFSETS[name] : OFFSETS[name] + 2] * SIDE).astype(np.int64)
    known = place[:, 0] > 0
    if name == "space":
        known &= scalars[:, _HERE] > 0
    rows = np.flatnonzero(known)
    at = (place[rows, 0] - 1) * SIDE + place[rows, 1] - 1
    codes[rows, 0, at, _MARK] = code


assert len(_SCALES) * SPACES == BOROUGH_SIZE
