"""The forward pass of the net, compiled: game by game and always in the same order.

So an answer never depends on the other games of a batch, as it would with matrix products, and zeros (most
of the scalars, most of the trunk) cost nothing.
"""

from collections import namedtuple
from typing import Any

import numpy as np
import numpy.typing as npt

from smallcity_env.library import Group, group, kernel, reads, writes
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS, SIDE, SPACES

from ..memory import memory, record
from .sums import ONE, ZERO, add, add_affine, copy, relu

Floats = npt.NDArray[np.float32]


def _layer(inputs: str, outputs: int | str) -> Group:
    """An affine layer; the inputs of a convolution are the channels of 3 x 3 spaces."""
    return group(Layer, weight=reads("f4", inputs, outputs), bias=reads("f4", outputs))


Layer = namedtuple("Layer", ("weight", "bias"))
LAYERS = record(
    "Layers",
    codes=reads("f4", "codes", "channels"),  # embeddings of all codes, kind after kind
    starts=reads("i8", "kinds"),  # where each kind begins
    place=reads("f4", SPACES, "channels"),
    near=_layer("nine", "channels"),
    far=_layer("nine", "far"),
    district=_layer("encoded", "district"),
    first=_layer("joined", "trunk"),
    second=_layer("trunk", "trunk"),
    seek=_layer("trunk", "channels"),
    answer=_layer("trunk", ACTIONS),
    greedy_weight=_layer("trunk", 1),
    value=_layer("trunk", 1),
)
SCRATCH = record(  # memory for one game at a time
    "Scratch",
    own=writes("f4", SPACES, "channels"),
    picture=writes("f4", SPACES, "channels"),
    coarse=writes("f4", "encoded"),  # the inputs of `district`
    other=writes("f4", "district"),
    inputs=writes("f4", "joined"),  # of the trunk
    first=writes("f4", "trunk"),
    second=writes("f4", "trunk"),
    fine=writes("f4", "channels"),
    query=writes("f4", "channels"),
    weight=writes("f4", 1),  # of greedy's logits
)


def new_scratch(w: Any) -> Any:
    """Memory for a net."""
    sizes = {"channels": w.place.shape[1], "district": len(w.district.bias), "trunk": len(w.first.bias)}
    return memory(SCRATCH, **sizes, encoded=len(w.district.weight), joined=len(w.first.weight))


@library.long_entry(
    w=LAYERS, scratch=SCRATCH, codes=reads("u1", "n", SEATS, SPACES, "kinds"),
    playing=reads("?", "n", SEATS), scalars=reads("f4", "n", "scalars"),
    greedy_logits=reads("f4", "n", ACTIONS), legal=reads("?", "n", ACTIONS),
    logits=writes("f4", "n", ACTIONS), values=writes("f4", "n"),
)  # fmt: skip
def forward(w, scratch, codes, playing, scalars, greedy_logits, legal, logits, values):
    """Write the logits of every action and the reward each viewer expects; model.py has the architecture.

    Spaces that are not legal skip the fine convolution: their logit is that of `answer` alone.
    """
    district, inputs = len(w.district.bias), scratch.inputs
    for i in range(len(codes)):
        _embed(w, codes[i, 0], scratch.own)
        _encode(w, scratch.own, scratch.coarse, inputs[:district])
        inputs[district : 2 * district] = ZERO
        for p in range(1, SEATS):
            if playing[i, p]:
                _embed(w, codes[i, p], scratch.picture)
                _encode(w, scratch.picture, scratch.coarse, scratch.other)
                add(scratch.other, ONE, inputs[district : 2 * district])
        copy(scalars[i], inputs[2 * district :])
        _trunk(w, inputs, scratch.first, scratch.second)
        _affine(w.answer, scratch.first, logits[i])
        _affine(w.value, scratch.first, values[i : i + 1])
        _affine(w.seek, scratch.first, scratch.query)
        _affine(w.greedy_weight, scratch.first, scratch.weight)
        add(greedy_logits[i], scratch.weight[0], logits[i])
        for space in range(SPACES):
            if legal[i, space]:
                _convolve(w.near, scratch.own, space, scratch.fine)
                logits[i, space] += _dot(scratch.fine, scratch.query)


@kernel
def _embed(w, codes, picture):
    """Sum the embeddings of the codes of every space of a borough."""
    for space in range(SPACES):
        copy(w.place[space], picture[space])
        for k in range(len(w.starts)):
            add(w.codes[w.starts[k] + codes[space, k]], ONE, picture[space])


@kernel
def _encode(w, picture, coarse, out):
    """Encode a borough: a 3 x 3 convolution with stride 2, then a dense layer."""
    channels, at = len(w.far.bias), 0
    for row in range(0, SIDE, 2):
        for col in range(0, SIDE, 2):
            _convolve(w.far, picture, row * SIDE + col, coarse[at : at + channels])
            at += channels
    _affine(w.district, coarse, out)
    relu(out)


@kernel
def _trunk(w, inputs, first, second):
    """Two dense layers with a residual connection; the result is in `first`."""
    _affine(w.first, inputs, first)
    relu(first)
    _affine(w.second, first, second)
    relu(second)
    add(second, ONE, first)


@kernel
def _affine(layer, x, out):
    """x times the weights plus the bias; zeros of x are skipped."""
    copy(layer.bias, out)
    add_affine(layer.weight, x, out)


@kernel
def _convolve(layer, picture, space, out):
    """A 3 x 3 convolution at one space, zero-padded, and ReLU."""
    copy(layer.bias, out)
    row, col, channels = space // SIDE, space % SIDE, picture.shape[1]
    for down in range(3):
        for right in range(3):
            r, c = row + down - 1, col + right - 1
            if 0 <= r < SIDE and 0 <= c < SIDE:
                begin = (down * 3 + right) * channels
                for channel in range(channels):
                    add(layer.weight[begin + channel], picture[r * SIDE + c, channel], out)
    relu(out)


@kernel
def _dot(a, b):
    """The dot product."""
    total = ZERO
    for k in range(len(a)):
        total += a[k] * b[k]
    return total
