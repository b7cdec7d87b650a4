"""The net for play: the architecture of smallcity_training/net.py, without torch.

A borough is a picture of 10 x 10 spaces, the sum of the embeddings of its codes. A coarse convolution (`far`)
and a dense layer, shared by all boroughs, encode each of them; the viewer's own encoding, the sum of the
others' and the scalars are the input of the trunk. Its head `answer` gives a logit for every action. To the
logits of legal spaces is added the dot product of a query of the trunk (`seek`) with a fine convolution
(`near`) of the viewer's own borough, and to all logits greedy's value of the answer, with a weight that
depends on the position (`greedy_weight`; in files `opinion`). The value is the reward to come.
"""

from typing import Any, Final

import numpy as np

from smallcity_env.batch import Mask, Seen
from smallcity_env.rules.actions import ACTIONS

from .features import LAYERS, STATES, decode
from .forward import LAYERS as GROUP
from .forward import Floats, Layer, forward, new_scratch

Weights = dict[str, Floats]

CONDITIONS: Final = STATES.bit_length() - 1
BITS: Final = ((np.arange(STATES)[:, None] >> np.arange(CONDITIONS)) & 1).astype(np.float32)
STARTS: Final = np.cumsum([0, *LAYERS.values()])[:-1]  # of each layer among all codes
DENSE: Final = ("district", "first", "second", "seek", "answer", "opinion", "value")
CHUNK: Final = 256  # observations decoded at once: they stay in the cache


class Net:
    """A net ready to play: `logits, values = net(seen, legal)`."""

    def __init__(self, weights: Weights) -> None:
        embeddings = weights | {"state": BITS @ weights["state"]}
        self._layers = GROUP.kind(
            np.concatenate([embeddings[name] for name in LAYERS]).astype(np.float32),
            STARTS,
            weights["place"],
            *(_convolution(weights, name) for name in ("near", "far")),
            *(_linear(weights, name) for name in DENSE),
        )

    def __call__(self, seen: Seen, legal: Mask) -> tuple[Floats, Floats]:
        """Logits (n, actions) and the reward each viewer expects (n,)."""
        logits, values = np.empty((len(seen), ACTIONS), np.float32), np.empty(len(seen), np.float32)
        for k in range(0, len(seen), CHUNK):
            part = slice(k, k + CHUNK)
            codes, playing, *numbers = decode(seen[part])
            scalars, greedy_logits = (array.copy() for array in numbers)
            arrays = (codes, np.ascontiguousarray(playing), scalars, greedy_logits, legal[part])
            forward(self._layers, new_scratch(self._layers), *arrays, logits[part], values[part])
        return logits, values


def _linear(weights: Weights, name: str) -> Any:
    """A dense layer (out, in), transposed."""
    return Layer(np.ascontiguousarray(weights[f"{name}.weight"].T), weights[f"{name}.bias"])


def _convolution(weights: Weights, name: str) -> Any:
    """A 3 x 3 convolution (out, in, 3, 3) as a dense layer of its nine spaces."""
    kernel = weights[f"{name}.weight"]
    return Layer(
        np.ascontiguousarray(kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))), weights[f"{name}.bias"]
    )
