"""The action space: Gymnasium's Discrete, with faster sampling of legal actions."""

from collections.abc import Callable
from ctypes import c_void_p, cast
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from ..rules import draw
from ..rules.actions import ACTIONS


class Actions(Discrete):
    """`Discrete(ACTIONS)` whose `sample(mask)` draws the same actions in a small part of the time."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(ACTIONS, seed)
        self._bits = RandomBits()

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action; with a mask (int8), one of those it marks with 1."""
        bits = self._bits
        try:
            bits.marks[:] = mask  # refuses other dtypes and shapes, sooner than numpy could tell
        except (TypeError, ValueError):
            return super().sample(mask, probability)
        if bits.generator is not self._np_random:
            bits.look_up(self.np_random)
        if probability is None and (drawn := bits.draw()) != _NONE:
            return _IDS[drawn]
        return super().sample(mask, probability)  # nothing is allowed, or there are other marks


class RandomBits:
    """Where compiled code finds a mask and the random bits of a generator; a copy looks up its own."""

    generator: object = "not looked up"
    draw: Callable[[], int]

    def __init__(self) -> None:
        self.mask = np.zeros(ACTIONS, np.int8)
        self.marks: Any = self.mask.data

    def look_up(self, generator: np.random.Generator) -> None:
        """Bind the compiled function to a generator, which is kept for as long as its address is."""
        bits = generator.bit_generator.ctypes
        function = cast(bits.next_uint32, c_void_p).value
        self.draw = draw.draw.bind(self.mask, function, int(bits.state_address))
        self.generator = generator

    def __reduce__(self) -> Any:
        return RandomBits, ()


_IDS: list[np.int64] = list(np.arange(ACTIONS))
_NONE = draw.NONE
