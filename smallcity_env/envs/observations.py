"""Observations of the environments: their space, and the buffers the rules write them into."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import batch
from ..arguments import ArgumentError, shown
from ..rules import actions, bounds, planes
from ..rules.layout import Buffers, Form
from ..rules.tables import SIDE

Ints: TypeAlias = npt.NDArray[np.int64]
MASK = "action_mask"


class Observations:
    """The observations of many games, written in place.

    With a key, an observation is a Dict of what is seen, under this key, and the mask of legal actions.
    """

    def __init__(
        self, games: int, form: Form, players: int, key: str | None = None, legal: batch.Mask | None = None
    ) -> None:
        self.form: Form = form
        self._players = players
        self.buffers: Buffers = batch.new_observations(games, form, players)
        self._shape = (games, players * planes.COUNT, SIDE, SIDE)
        self._key, self._legal = None if key is None else checked_key(key), legal

    def like(self, games: int, legal: batch.Mask) -> "Observations":
        """Buffers of the same form for other games."""
        return Observations(games, self.form, self._players, self._key, legal)

    @property
    def space(self) -> spaces.Space[Any]:
        """The space of the observation of one game."""
        highest = bounds.highest(self.form)
        space: spaces.Space[Any] = spaces.Box(np.zeros_like(highest), highest, dtype=np.float32)
        if self.form is Form.PLANES:
            board = spaces.Box(0, 1, self._shape[1:], np.uint8)
            space = spaces.Dict({"planes": board, "vector": space})
        return space if self._key is None else with_mask(space, self._key)

    @property
    def arrays(self) -> Any:
        """What users receive: the buffers themselves, in the structure of the space."""
        seen: Any = self.buffers.vector
        if self.form is Form.PLANES:
            seen = {"planes": self.buffers.planes.reshape(self._shape), "vector": seen}
        if self._key is None or self._legal is None:
            return seen
        return {self._key: seen, MASK: self._legal.view(np.int8)}

    def write(self, states: batch.States, seats: Ints) -> None:
        """Write what one seat of every game may see."""
        batch.observe(states, seats, self.buffers)

    def write_rows(self, rows: Ints, states: batch.States, seats: Ints) -> None:
        """Write what one seat of some games may see."""
        form, vector, board = self.buffers
        some = Buffers(form, vector[: len(rows)].copy(), board[: len(rows)].copy())
        batch.observe(states, seats, some)
        vector[rows], board[rows] = some.vector, some.planes


def checked_key(key: object) -> str:
    """The name of the observation beside its mask."""
    if not isinstance(key, str) or key == MASK:
        raise ArgumentError(f"observation_key is the name of the observation, not {shown(key)}")
    return key


def with_mask(space: spaces.Space[Any], key: str) -> spaces.Dict:
    """The space of an observation, under a key, and its mask."""
    return spaces.Dict({checked_key(key): space, MASK: spaces.Box(0, 1, (actions.ACTIONS,), np.int8)})


def copied(arrays: Any) -> Any:
    """An array, or a Dict of arrays, copied."""
    if isinstance(arrays, dict):
        return {name: copied(value) for name, value in arrays.items()}
    return arrays.copy()


def shared(arrays: Any) -> Any:
    """The arrays themselves; a Dict of them is a new one, since wrappers write into Dicts they are given."""
    return {name: shared(value) for name, value in arrays.items()} if isinstance(arrays, dict) else arrays


def row_view(arrays: Any, row: int) -> Any:
    """The observation of one game, in place."""
    if isinstance(arrays, dict):
        return {name: row_view(value, row) for name, value in arrays.items()}
    return arrays[row]


def row_of(arrays: Any, row: int) -> Any:
    """The observation of one game, copied."""
    return copied(row_view(arrays, row))


def nothing_seen(n: int) -> Buffers:
    """Buffers without columns: a step writes no observations."""
    return Buffers(int(Form.COMPACT), np.zeros((n, 0), np.float32), np.zeros((n, 0), np.uint8))
