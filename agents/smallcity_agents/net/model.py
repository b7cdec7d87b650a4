"""The net as it plays: the same numbers as training/net.py learns, without torch.

A borough is a picture of 10 x 10 spaces. The codes of a space are looked up and added, one coarse
convolution (`far`), shared by all boroughs, makes 64 numbers of each; the viewer's own, the sum of the
others' and the table make the trunk. Its answers are one number for every action. Legal spaces get one more:
a fine convolution (`near`) of the viewer's own borough says what each space is like, the trunk what is
looked for. The value is the reward to come.
"""

from typing import Final

import numpy as np

from smallcity_env.batch import Mask, Seen
from smallcity_env.rules.actions import ACTIONS

from .features import LAYERS, STATES, apart
from .forward import Floats, Layer, Layers, look

Weights = dict[str, Floats]

CONDITIONS: Final = STATES.bit_length() - 1
BITS: Final = ((np.arange(STATES)[:, None] >> np.arange(CONDITIONS)) & 1).astype(np.float32)
STARTS: Final = np.cumsum([0, *LAYERS.values()])[:-1]  # of each layer in the table of all codes
CHUNK: Final = 256  # observations taken apart in one go: keeps them in the cache


class Net:
    """Weights that play: `logits, values = net(seen, legal)`."""

    def __init__(self, weights: Weights) -> None:
        known = weights | {"state": BITS @ weights["state"]}
        self._layers = Layers(
            np.concatenate([known[name] for name in LAYERS]).astype(np.float32),
            STARTS,
            weights["place"],
            *(_convolution(weights, name) for name in ("near", "far")),
            *(_linear(weights, name) for name in ("district", "first", "second", "seek", "answer", "worth")),
        )

    def __call__(self, seen: Seen, legal: Mask) -> tuple[Floats, Floats]:
        """Numbers for every action (n, actions) and the reward each viewer expects (n,)."""
        logits, values = np.empty((len(seen), ACTIONS), np.float32), np.empty(len(seen), np.float32)
        for k in range(0, len(seen), CHUNK):
            part = slice(k, k + CHUNK)
            codes, playing, table = apart(seen[part])
            look(self._layers, codes, playing, table.copy(), legal[part], logits[part], values[part])
        return logits, values


def _linear(weights: Weights, name: str) -> Layer:
    """A layer of the net; what goes in comes first."""
    return Layer(np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"])


def _convolution(weights: Weights, name: str) -> Layer:
    """A 3 x 3 convolution (out, in, 3, 3) as a layer of its nine spaces."""
    kernel = weights[f"{name}.weight"]
    return Layer(
        np.ascontiguousarray(kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))), weights[f"{name}.bias"]
    )
