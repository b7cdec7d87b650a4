"""Observations as environments hand them out: their space, and the buffers the rules write them into."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import batch
from ..rules import actions, layout, planes
from ..rules.layout import Buffers, Form
from ..rules.tables import SIDE

Int8s: TypeAlias = npt.NDArray[np.int8]
Ints: TypeAlias = npt.NDArray[np.int64]
MASK = "action_mask"


class Observations:
    """The observations of many games, written in place; `arrays` is what users receive."""

    def __init__(self, games: int, form: Form, players: int) -> None:
        self.buffers: Buffers = batch.new_observations(games, form, players)
        numbers = self.buffers.vector.shape[1]
        self.space: spaces.Space[Any] = spaces.Box(-layout.BOUND, layout.BOUND, (numbers,), np.float32)
        self.arrays: Any = self.buffers.vector
        if form is Form.PLANES:
            shape = (players * planes.COUNT, SIDE, SIDE)
            board = spaces.Box(0, 1, shape, np.uint8)
            self.space = spaces.Dict({"planes": board, "vector": self.space})
            self.arrays = {"planes": self.buffers.planes.reshape(games, *shape), "vector": self.arrays}

    def add_masks(self, key: str, masks: Int8s) -> None:
        """Put observations and masks into one Dict, the observations under a key."""
        self.space, self.arrays = with_mask(self.space, key), {key: self.arrays, MASK: masks}

    def write(self, states: batch.States, seats: Ints) -> None:
        """Write what one seat of every game may see."""
        batch.observe(states, seats, self.buffers)

    def write_rows(self, rows: Ints, states: batch.States, seats: Ints) -> None:
        """The same for some of the games only."""
        form, vector, board = self.buffers
        some = Buffers(form, np.empty_like(vector[rows]), np.empty_like(board[rows]))
        batch.observe(states, seats, some)
        vector[rows], board[rows] = some.vector, some.planes


def with_mask(space: spaces.Space[Any], key: str) -> spaces.Dict:
    """The space of an observation, under a key, and its mask."""
    return spaces.Dict({key: space, MASK: spaces.Box(0, 1, (actions.ACTIONS,), np.int8)})


def copied(arrays: Any) -> Any:
    """An array, or a Dict of arrays, copied."""
    if isinstance(arrays, dict):
        return {name: copied(value) for name, value in arrays.items()}
    return arrays.copy()


def row_of(arrays: Any, row: int) -> Any:
    """The observation of one game, copied."""
    if isinstance(arrays, dict):
        return {name: row_of(value, row) for name, value in arrays.items()}
    return arrays[row].copy()
