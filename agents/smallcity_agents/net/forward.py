"""The forward pass of the net, compiled: game by game and always in the same order.

So an answer never depends on the other games of a batch, as it would with matrix products, and zeros (most
of the scalars, most of the trunk) cost nothing.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.rules._jit import entry, kernel
from smallcity_env.rules.rng import advanced
from smallcity_env.rules.tables import SEATS, SIDE, SPACES

Floats = npt.NDArray[np.float32]
ZERO = np.float32(0)


class Layer(NamedTuple):
    """An affine layer."""

    weight: Floats  # (inputs, outputs); inputs of a convolution are the channels of 3 x 3 spaces
    bias: Floats


class Layers(NamedTuple):
    """The weights of a net as `forward` takes them."""

    codes: Floats  # embeddings of all codes, kind after kind
    starts: npt.NDArray[np.int64]  # where each kind begins
    place: Floats
    near: Layer
    far: Layer
    district: Layer
    first: Layer
    second: Layer
    seek: Layer
    answer: Layer
    opinion: Layer
    value: Layer


@entry
def forward(w, codes, playing, scalars, opinions, legal, logits, values):
    """Write the logits of every action and the reward each viewer expects; model.py has the architecture.

    Spaces that are not legal skip the fine convolution: their logit is that of `answer` alone.
    """
    channels, district, trunk = w.place.shape[1], len(w.district.bias), len(w.first.bias)
    own, picture = np.empty((SPACES, channels), np.float32), np.empty((SPACES, channels), np.float32)
    coarse, other = np.empty(len(w.district.weight), np.float32), np.empty(district, np.float32)
    inputs = np.empty(len(w.first.weight), np.float32)
    first, second = np.empty(trunk, np.float32), np.empty(trunk, np.float32)
    fine, query = np.empty(channels, np.float32), np.empty(channels, np.float32)
    weight = np.empty(1, np.float32)  # of the opinions
    for i in range(len(codes)):
        _embed(w, codes[i, 0], own)
        _encode(w, own, coarse, inputs[:district])
        inputs[district : 2 * district] = ZERO
        for p in range(1, SEATS):
            if playing[i, p]:
                _embed(w, codes[i, p], picture)
                _encode(w, picture, coarse, other)
                inputs[district : 2 * district] += other
        inputs[2 * district :] = scalars[i]
        _trunk(w, inputs, first, second)
        _affine(w.answer, first, logits[i])
        _affine(w.value, first, values[i : i + 1])
        _affine(w.seek, first, query)
        _affine(w.opinion, first, weight)
        _add(opinions[i], weight[0], logits[i])
        for space in range(SPACES):
            if legal[i, space]:
                _convolve(w.near, own, space, fine)
                logits[i, space] += _dot(fine, query)


@kernel
def _embed(w, codes, picture):
    """Sum the embeddings of the codes of every space of a borough."""
    for space in range(SPACES):
        picture[space] = w.place[space]
        for k in range(len(w.starts)):
            picture[space] += w.codes[w.starts[k] + codes[space, k]]


@kernel
def _encode(w, picture, coarse, out):
    """Encode a borough: a 3 x 3 convolution with stride 2, then a dense layer."""
    channels, at = len(w.far.bias), 0
    for row in range(0, SIDE, 2):
        for col in range(0, SIDE, 2):
            _convolve(w.far, picture, row * SIDE + col, coarse[at : at + channels])
            at += channels
    _affine(w.district, coarse, out)
    _relu(out)


@kernel
def _trunk(w, inputs, first, second):
    """Two dense layers with a residual connection; the result is in `first`."""
    _affine(w.first, inputs, first)
    _relu(first)
    _affine(w.second, first, second)
    _relu(second)
    first += second


@kernel
def _affine(layer, x, out):
    """x times the weights plus the bias; zeros of x are skipped."""
    out[:] = layer.bias
    for i in range(len(x)):
        if x[i] != ZERO:
            _add(layer.weight[i], x[i], out)


@kernel
def _convolve(layer, picture, space, out):
    """A 3 x 3 convolution at one space, zero-padded, and ReLU."""
    out[:] = layer.bias
    row, col, channels = space // SIDE, space % SIDE, picture.shape[1]
    for down in range(3):
        for right in range(3):
            r, c = row + down - 1, col + right - 1
            if 0 <= r < SIDE and 0 <= c < SIDE:
                begin = (down * 3 + right) * channels
                for channel in range(channels):
                    _add(layer.weight[begin + channel], picture[r * SIDE + c, channel], out)
    _relu(out)


@kernel
def _add(weights, x, out):
    """Add x times the weights."""
    for k in range(len(out)):
        out[k] += x * weights[k]


@kernel
def _relu(x):
    """ReLU, in place."""
    for k in range(len(x)):
        x[k] = max(x[k], ZERO)


@kernel
def _dot(a, b):
    """The dot product."""
    total = ZERO
    for k in range(len(a)):
        total += a[k] * b[k]
    return total


@entry
def advance(streams):
    """Advance random streams by one step each."""
    for i in range(len(streams)):
        streams[i] = advanced(streams[i])
