"""The action space: Gymnasium's Discrete, with faster sampling of legal actions."""

from collections.abc import Callable
from ctypes import c_void_p, cast
from functools import cache
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from ..rules import draw
from ..rules._jit import code_of
from ..rules.actions import ACTIONS


class Actions(Discrete):
    """`Discrete(ACTIONS)` whose `sample(mask)` draws the same actions in a small part of the time."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(ACTIONS, seed)
        self._source = Source()

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action; with a mask (int8), one of those it marks with 1."""
        if mask.__class__ is _ARRAY and probability is None:
            source = self._source
            if source.generator is not self._np_random:
                source.look_up(self.np_random)
            try:
                drawn = source.draw(mask, source.function, source.state)
            except TypeError:  # no mask of int8 in one piece
                drawn = _NONE
            if drawn != _NONE:
                return _IDS[drawn]
        return super().sample(mask, probability)  # nothing is allowed, or the mask is not as it should be


class Source:
    """Where compiled code finds the random bits of a generator; a copy looks up its own."""

    generator: object = "not looked up"

    def look_up(self, generator: np.random.Generator) -> None:
        """Store the addresses of a generator, which is kept for as long as they are."""
        bits = generator.bit_generator.ctypes
        self.draw, self.state = draw_code(), int(bits.state_address)
        self.function = cast(bits.next_uint32, c_void_p).value
        self.generator = generator

    def __reduce__(self) -> Any:
        return Source, ()


@cache
def draw_code() -> Callable[..., int]:
    """The compiled function that draws an action."""
    draw.draw(np.zeros(ACTIONS, np.int8), 0, 0)  # loads it, or compiles it once
    return code_of(draw.draw)


_IDS: list[np.int64] = list(np.arange(ACTIONS))
_ARRAY, _NONE = np.ndarray, draw.NONE
