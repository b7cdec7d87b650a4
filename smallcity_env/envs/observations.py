"""Observations as environments hand them out: their space, and the buffers the rules write them into."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from .. import batch
from ..rules import actions, layout

Int8s: TypeAlias = npt.NDArray[np.int8]
Ints: TypeAlias = npt.NDArray[np.int64]
MASK = "action_mask"


def observation_space() -> spaces.Space[Any]:
    """The space of one seat's observation."""
    return spaces.Box(-layout.BOUND, layout.BOUND, (layout.SIZE,), np.float32)


def mask_space() -> spaces.Box:
    """The space of an action mask."""
    return spaces.Box(0, 1, (actions.ACTIONS,), np.int8)


def keyed(space: spaces.Space[Any], key: str | None) -> spaces.Space[Any]:
    """A space of observations, or with a key the Dict of an observation and its mask."""
    return space if key is None else spaces.Dict({key: space, MASK: mask_space()})


class Observations:
    """The observations of many games, written in place; `arrays` is what users receive."""

    def __init__(self, games: int, key: str | None, masks: Int8s) -> None:
        self.space: spaces.Space[Any] = keyed(observation_space(), key)
        self.seen: batch.Seen = np.zeros((games, layout.SIZE), np.float32)
        self.arrays: Any = self.seen if key is None else {key: self.seen, MASK: masks}

    def write(self, states: batch.States, seats: Ints) -> None:
        """Write what one seat of every game may see."""
        batch.observe(states, seats, self.seen)

    def write_rows(self, rows: Ints, states: batch.States, seats: Ints) -> None:
        """The same for some of the games only."""
        self.seen[rows] = batch.observe(states, seats)


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
