"""The action space: Gymnasium's Discrete, with faster sampling of legal actions."""

from ctypes import c_void_p
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from ..rules.actions import ACTIONS


class Actions(Discrete):
    """`Discrete(ACTIONS)` whose `sample(mask)` draws the same actions in an eighth of the time."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(ACTIONS, seed)
        self._draws = Draws()

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action; with a mask (int8), one of those it marks with 1."""
        if mask.__class__ is _ARRAY and mask.dtype is _MARKS and mask.shape == _SHAPE and probability is None:
            marks = mask.tobytes()
            n = marks.count(1)
            if 0 < n == ACTIONS - marks.count(0):
                after = marks.split(_MARK, self._draws.below(n, self.np_random) + 1)[-1]
                return _IDS[~len(after)]
        return super().sample(mask, probability)  # nothing is allowed, or the mask is not as it should be


class Draws:
    """The same draws as `Generator.integers(n)` for small n, from the same stream, without its checks.

    It is Lemire's method on 32 bits, as in numpy (tested); a copy looks up its generator again.
    """

    def __init__(self) -> None:
        self._generator: np.random.Generator | None = None

    def below(self, n: int, generator: np.random.Generator) -> int:
        """A random number from 0 to n - 1."""
        if generator is not self._generator:
            source = generator.bit_generator.ctypes
            self._next, self._state = source.next_uint32, c_void_p(source.state_address)
            self._generator = generator
        if n == 1:
            return 0
        product: int = self._next(self._state) * n
        if product & _LOW < n:
            rejected = (_LOW + 1) % n
            while product & _LOW < rejected:
                product = self._next(self._state) * n
        return product >> _BITS

    def __reduce__(self) -> Any:
        return Draws, ()


_IDS: list[np.int64] = list(np.arange(ACTIONS))
_MARK = b"\x01"
_ARRAY, _MARKS, _SHAPE = np.ndarray, np.dtype(np.int8), (ACTIONS,)
_BITS = 32
_LOW = (1 << _BITS) - 1
