"""The net as numpy plays it: the same numbers as training/net.py learns, without torch.

A borough is a picture of 10 x 10 spaces. The codes of a space are looked up and added, one coarse
convolution (`far`), shared by all boroughs, makes 64 numbers of each; the viewer's own, the sum of the
others' and the table make the trunk. Its answers are one number for every action. Spaces get one more:
a fine convolution (`near`) of the viewer's own borough says what each space is like, the trunk what is
looked for. The value is the reward to come.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask, Seen
from smallcity_env.tables import SEATS, SIDE, SPACES

from .sight import LAYERS, STATES, Sight, apart

Floats = npt.NDArray[np.float32]
Weights = dict[str, Floats]

CONDITIONS: Final = STATES.bit_length() - 1
BITS: Final = ((np.arange(STATES)[:, None] >> np.arange(CONDITIONS)) & 1).astype(np.float32)
STARTS: Final = np.cumsum([0, *LAYERS.values()])[:-1]  # of each layer in the table of all codes
CHUNK: Final = 256  # observations looked at in one go: keeps the pictures in the cache


class Net:
    """Weights that play: `logits, values = net(seen, legal)`."""

    def __init__(self, weights: Weights) -> None:
        self.w = weights
        layers = [weights[name] for name in LAYERS if name != "state"]
        state = BITS @ weights["state"]
        layers.insert(list(LAYERS).index("state"), state)
        self._codes = np.concatenate(layers).astype(np.float32)
        self._near, self._far = (_as_matrix(weights[f"{name}.weight"]) for name in ("near", "far"))

    def __call__(self, seen: Seen, legal: Mask) -> tuple[Floats, Floats]:
        """Numbers for every action (n, actions) and the reward each viewer expects (n,)."""
        chunks = [slice(k, k + CHUNK) for k in range(0, len(seen), CHUNK)]
        parts = [self._look(apart(seen[chunk]), legal[chunk]) for chunk in chunks]
        logits, values = zip(*parts, strict=True)
        return np.concatenate(logits), np.concatenate(values)

    def _look(self, sight: Sight, legal: Mask) -> tuple[Floats, Floats]:
        """One chunk; spaces are looked at closely only where some are legal."""
        own = self._picture(sight.codes[:, 0])
        seats = self._districts(sight, own)
        trunk = self._trunk(np.concatenate([seats[:, 0], seats[:, 1:].sum(axis=1), sight.table], axis=1))
        logits = self._linear("answer", trunk)
        pointed = np.flatnonzero(legal[:, :SPACES].any(axis=1))
        if len(pointed):
            logits[pointed, :SPACES] += self._spaces(own[pointed], trunk[pointed])
        return logits, self._linear("worth", trunk)[:, 0]

    def _spaces(self, own: Floats, trunk: Floats) -> Floats:
        """How well each space fits what is looked for (m, SPACES)."""
        fine = _relu(_convolve(own, self._near, 1) + self.w["near.bias"]).reshape(len(own), SPACES, -1)
        sought: Floats = np.matmul(fine, self._linear("seek", trunk)[:, :, None])[:, :, 0]
        return sought

    def _picture(self, codes: Any) -> Floats:
        """Pictures (m, SIDE, SIDE, channels) of boroughs: codes looked up and added."""
        found = self._codes[codes + STARTS].sum(axis=2) + self.w["place"]
        return np.asarray(found, np.float32).reshape(len(codes), SIDE, SIDE, -1)

    def _districts(self, sight: Sight, own: Floats) -> Floats:
        """What each borough is like as a whole (n, SEATS, ...); nothing for an empty seat."""
        seats = np.zeros((len(own), SEATS, len(self.w["district.bias"])), np.float32)
        seats[:, 0] = self._district(own)
        rows, who = np.nonzero(sight.playing[:, 1:])
        if len(rows):
            seats[rows, who + 1] = self._district(self._picture(sight.codes[rows, who + 1]))
        return seats

    def _district(self, pictures: Floats) -> Floats:
        coarse = _relu(_convolve(pictures, self._far, 2) + self.w["far.bias"])
        return _relu(self._linear("district", coarse.reshape(len(pictures), -1)))

    def _trunk(self, x: Floats) -> Floats:
        first = _relu(self._linear("first", x))
        return first + _relu(self._linear("second", first))

    def _linear(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"]
        return y


def _relu(x: Floats) -> Floats:
    return np.maximum(x, 0)


def _as_matrix(kernel: Floats) -> Floats:
    """A 3 x 3 convolution (out, in, 3, 3) as a matrix for patches."""
    return np.ascontiguousarray(kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel)))


def _convolve(pictures: Floats, matrix: Floats, stride: int) -> Floats:
    """A 3 x 3 convolution of pictures (m, side, side, channels), with a rim of nothing."""
    padded = np.pad(pictures, ((0, 0), (1, 1), (1, 1), (0, 0)))
    patches = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::stride, ::stride]
    m, height, width = patches.shape[:3]
    columns = patches.transpose(0, 1, 2, 4, 5, 3).reshape(m * height * width, -1)
    y: Floats = (columns @ matrix).reshape(m, height, width, -1)
    return y
