"""How the net looks at a game, compiled: game by game and always in the same order.

So an answer never depends on the games looked at beside it, as it would with products of whole matrices,
and what is nothing (most of the table, most of the trunk) costs nothing.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.rules._jit import entry, kernel
from smallcity_env.rules.tables import SEATS, SIDE, SPACES

Floats = npt.NDArray[np.float32]
NOTHING = np.float32(0)


class Layer(NamedTuple):
    """Numbers made of numbers."""

    weight: Floats  # (inputs, outputs); of a convolution, inputs are the channels of 3 x 3 spaces
    bias: Floats


class Layers(NamedTuple):
    """The weights of a net as the looks take them."""

    codes: Floats  # what each code stands for, all kinds of codes one after the other
    starts: npt.NDArray[np.int64]  # where each kind begins
    place: Floats
    near: Layer
    far: Layer
    district: Layer
    first: Layer
    second: Layer
    seek: Layer
    answer: Layer
    worth: Layer


@entry
def look(w, codes, playing, table, legal, logits, values):
    """Numbers for every action, and the reward each viewer expects; see net.py for how it is built.

    Spaces that are not legal are not looked at closely: their number is that of `answer` alone.
    """
    channels, district, trunk = w.place.shape[1], len(w.district.bias), len(w.first.bias)
    own, picture = np.empty((SPACES, channels), np.float32), np.empty((SPACES, channels), np.float32)
    coarse, other = np.empty(len(w.district.weight), np.float32), np.empty(district, np.float32)
    seen = np.empty(len(w.first.weight), np.float32)
    first, second = np.empty(trunk, np.float32), np.empty(trunk, np.float32)
    fine, sought = np.empty(channels, np.float32), np.empty(channels, np.float32)
    for i in range(len(codes)):
        _paint(w, codes[i, 0], own)
        _describe(w, own, coarse, seen[:district])
        seen[district : 2 * district] = NOTHING
        for p in range(1, SEATS):
            if playing[i, p]:
                _paint(w, codes[i, p], picture)
                _describe(w, picture, coarse, other)
                seen[district : 2 * district] += other
        seen[2 * district :] = table[i]
        _think(w, seen, first, second)
        _layer(w.answer, first, logits[i])
        _layer(w.worth, first, values[i : i + 1])
        _layer(w.seek, first, sought)
        for space in range(SPACES):
            if legal[i, space]:
                _around(w.near, own, space, fine)
                logits[i, space] += _fit(fine, sought)


@kernel
def _paint(w, codes, picture):
    """The picture of a borough: what its codes stand for, added up."""
    for space in range(SPACES):
        picture[space] = w.place[space]
        for k in range(len(w.starts)):
            picture[space] += w.codes[w.starts[k] + codes[space, k]]


@kernel
def _describe(w, picture, coarse, out):
    """What a borough is like as a whole: every second space with those around it."""
    channels, at = len(w.far.bias), 0
    for row in range(0, SIDE, 2):
        for col in range(0, SIDE, 2):
            _around(w.far, picture, row * SIDE + col, coarse[at : at + channels])
            at += channels
    _layer(w.district, coarse, out)
    _cut(out)


@kernel
def _think(w, seen, first, second):
    """The trunk, in `first`."""
    _layer(w.first, seen, first)
    _cut(first)
    _layer(w.second, first, second)
    _cut(second)
    first += second


@kernel
def _layer(layer, x, out):
    """Every number of `x` adds its share to all of `out`."""
    out[:] = layer.bias
    for i in range(len(x)):
        if x[i] != NOTHING:
            _add(layer.weight[i], x[i], out)


@kernel
def _around(layer, picture, space, out):
    """A 3 x 3 convolution at one space; beyond the rim is nothing."""
    out[:] = layer.bias
    row, col, channels = space // SIDE, space % SIDE, picture.shape[1]
    for down in range(3):
        for right in range(3):
            r, c = row + down - 1, col + right - 1
            if 0 <= r < SIDE and 0 <= c < SIDE:
                begin = (down * 3 + right) * channels
                for channel in range(channels):
                    _add(layer.weight[begin + channel], picture[r * SIDE + c, channel], out)
    _cut(out)


@kernel
def _add(weights, x, out):
    """Add x times the weights."""
    for k in range(len(out)):
        out[k] += x * weights[k]


@kernel
def _cut(x):
    """What is below nothing is nothing."""
    for k in range(len(x)):
        x[k] = max(x[k], NOTHING)


@kernel
def _fit(fine, sought):
    """How well a space fits what is looked for."""
    found = NOTHING
    for k in range(len(fine)):
        found += fine[k] * sought[k]
    return found
