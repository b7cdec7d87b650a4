"""The forward pass of the net, compiled: game by game and always in the same order.

So an answer never depends on the other games of a batch, as it would with matrix products, and zeros (most
of the scalars, most of the trunk) cost nothing.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.library import Group, group, kernel, reads, writes
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.rng import advanced
from smallcity_env.rules.tables import SEATS, SIDE, SPACES

Floats = npt.NDArray[np.float32]
ZERO, ONE = np.float32(0), np.float32(1)


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


class Scratch(NamedTuple):
    """Memory for one game at a time."""

    own: Floats  # (SPACES, channels)
    picture: Floats  # (SPACES, channels)
    coarse: Floats  # the inputs of `district`
    other: Floats  # (district,)
    inputs: Floats  # of the trunk
    first: Floats  # (trunk,)
    second: Floats  # (trunk,)
    fine: Floats  # (channels,)
    query: Floats  # (channels,)
    weight: Floats  # (1,): of the opinions


def new_scratch(w: Layers) -> Scratch:
    """Memory for a net."""
    channels, district, trunk = w.place.shape[1], len(w.district.bias), len(w.first.bias)
    coarse, inputs = len(w.district.weight), len(w.first.weight)
    shapes = [(SPACES, channels)] * 2 + [(n,) for n in (coarse, district, inputs, trunk, trunk)]
    return Scratch(*(np.zeros(shape, np.float32) for shape in [*shapes, (channels,), (channels,), (1,)]))


def _layer(inputs: str, outputs: int | str) -> Group:
    return group(Layer, weight=reads("f4", inputs, outputs), bias=reads("f4", outputs))


LAYERS = group(
    Layers,
    codes=reads("f4", "codes", "channels"),
    starts=reads("i8", "kinds"),
    place=reads("f4", SPACES, "channels"),
    near=_layer("nine", "channels"),
    far=_layer("nine", "far"),
    district=_layer("coarse", "district"),
    first=_layer("inputs", "trunk"),
    second=_layer("trunk", "trunk"),
    seek=_layer("trunk", "channels"),
    answer=_layer("trunk", ACTIONS),
    opinion=_layer("trunk", 1),
    value=_layer("trunk", 1),
)
SCRATCH = group(
    Scratch,
    own=writes("f4", SPACES, "channels"),
    picture=writes("f4", SPACES, "channels"),
    coarse=writes("f4", "coarse"),
    other=writes("f4", "district"),
    inputs=writes("f4", "inputs"),
    first=writes("f4", "trunk"),
    second=writes("f4", "trunk"),
    fine=writes("f4", "channels"),
    query=writes("f4", "channels"),
    weight=writes("f4", 1),
)


@library.long_entry(
    w=LAYERS, scratch=SCRATCH, codes=reads("u1", "n", SEATS, SPACES, "kinds"),
    playing=reads("?", "n", SEATS), scalars=reads("f4", "n", "scalars"), opinions=reads("f4", "n", ACTIONS),
    legal=reads("?", "n", ACTIONS), logits=writes("f4", "n", ACTIONS), values=writes("f4", "n"),
)  # fmt: skip
def forward(w, scratch, codes, playing, scalars, opinions, legal, logits, values):
    """Write the logits of every action and the reward each viewer expects; model.py has the architecture.

    Spaces that are not legal skip the fine convolution: their logit is that of `answer` alone.
    """
    district, inputs = len(w.district.bias), scratch.inputs
    for i in range(len(codes)):
        _embed(w, codes[i, 0], scratch.own)
        _encode(w, scratch.own, scratch.coarse, inputs[:district])
        _fill(ZERO, inputs[district : 2 * district])
        for p in range(1, SEATS):
            if playing[i, p]:
                _embed(w, codes[i, p], scratch.picture)
                _encode(w, scratch.picture, scratch.coarse, scratch.other)
                _add(scratch.other, ONE, inputs[district : 2 * district])
        _copy(scalars[i], inputs[2 * district :])
        _trunk(w, inputs, scratch.first, scratch.second)
        _affine(w.answer, scratch.first, logits[i])
        _affine(w.value, scratch.first, values[i : i + 1])
        _affine(w.seek, scratch.first, scratch.query)
        _affine(w.opinion, scratch.first, scratch.weight)
        _add(opinions[i], scratch.weight[0], logits[i])
        for space in range(SPACES):
            if legal[i, space]:
                _convolve(w.near, scratch.own, space, scratch.fine)
                logits[i, space] += _dot(scratch.fine, scratch.query)


@kernel
def _fill(x, out):
    """Write a number everywhere."""
    for k in range(len(out)):
        out[k] = x


@kernel
def _copy(x, out):
    """Write an array into another of the same length."""
    for k in range(len(out)):
        out[k] = x[k]


@kernel
def _embed(w, codes, picture):
    """Sum the embeddings of the codes of every space of a borough."""
    for space in range(SPACES):
        _copy(w.place[space], picture[space])
        for k in range(len(w.starts)):
            _add(w.codes[w.starts[k] + codes[space, k]], ONE, picture[space])


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
    _add(second, ONE, first)


@kernel
def _affine(layer, x, out):
    """x times the weights plus the bias; zeros of x are skipped."""
    _copy(layer.bias, out)
    for i in range(len(x)):
        if x[i] != ZERO:
            _add(layer.weight[i], x[i], out)


@kernel
def _convolve(layer, picture, space, out):
    """A 3 x 3 convolution at one space, zero-padded, and ReLU."""
    _copy(layer.bias, out)
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


@library.entry(streams=writes("u8", "n"))
def advance(streams):
    """Advance random streams by one step each."""
    for i in range(len(streams)):
        streams[i] = advanced(streams[i])
