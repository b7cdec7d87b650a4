"""Decode an observation for the net: codes of every space of every borough, and scalars.

    codes, playing, scalars = features.decode(batch.observe(states, seats))

Every space has one code of each of `LAYERS`; the net has an embedding for each code. The codes of the layer
`mark` come from scalars: they mark the space, the tile or the godzilla the question is about.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Seen
from smallcity_env.rules import layout
from smallcity_env.rules.layout import BOROUGH_SIZE, OFFSETS, SEAT_SIZE
from smallcity_env.rules.observe import THINGS
from smallcity_env.rules.tables import SEATS, SIDE, SPACES
from smallcity_env.rules.tables.tiles import KINDS

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


def decode(seen: Seen) -> Features:
    """Decode observations (n, layout.SIZE)."""
    n = len(seen)
    if seen.shape != (n, layout.SIZE):
        raise ValueError(f"observations are an array (n, {layout.SIZE}), not {seen.shape}")
    boroughs = seen[:, SCALARS:].reshape(n, SEATS, len(_SCALES), SPACES)
    codes = np.zeros((n, SEATS, SPACES, len(LAYERS)), np.uint8)
    codes[..., :_MARK] = (boroughs * _SCALES[:, None] + 0.5).swapaxes(2, 3)
    scalars = seen[:, :SCALARS]
    for k, name in enumerate(MARKS):
        _mark(codes, scalars, name, k + 1)
    return Features(codes, scalars[:, _PLAYING] > 0, scalars)


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
