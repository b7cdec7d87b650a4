"""The forward pass of the value net, compiled.

The first layer of a seat adds up the embeddings of its codes and its numbers times their weights, with ReLU.
Two more layers see the seat's own sum and that of all seats, and give three outputs: points to add to
greedy's expected score, a strength that decides the places, and a payoff to add to that of the lead.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.rules._jit import entry, kernel
from smallcity_env.rules._jit_borrowed import borrowed
from smallcity_env.rules.tables import SEATS

from ..judge.schema import FEATURES
from ..memory import apart
from .encode import write_codes, write_numbers
from .lanes import add_affine, add_rows
from .layout import GREEDY_VALUE, MOST_CODES, NUMBER_COUNT

Floats = npt.NDArray[np.float32]
ZERO = np.float32(0)
FAR = np.float32(100)  # the lead when nobody else is left, in points
SCORE, STRENGTH, PAYOFF = 0, 1, 2  # outputs for each seat
OUTPUTS = 3
SLOPE, SHIFT, PLACE_SLOPE, PAYOFF_SLOPE = 0, 1, 2, 3  # what depends on the rounds left and the players
PACES = 4


class ValueNet(NamedTuple):
    """The weights of a value net; layers are (inputs, outputs)."""

    codes: Floats  # (CODE_COUNT, width)
    numbers: Floats  # (NUMBER_COUNT, width)
    first: Floats  # (width,): bias
    own: Floats  # (width, hidden)
    everybody: Floats  # (width, hidden)
    second: Floats  # (hidden,): bias
    deep: Floats  # (hidden, hidden)
    third: Floats  # (hidden,): bias
    heads: Floats  # (hidden, OUTPUTS)
    last: Floats  # (OUTPUTS,): bias
    paces: Floats  # (POWER_ROUNDS + 1, SEATS + 1, PACES)
    weights: Any  # (1,) of greedy's judge, for its expected score


class Scratch(NamedTuple):
    """Memory for one evaluation at a time: every thread needs its own."""

    features: Any  # (1,) FEATURES
    words: npt.NDArray[np.float64]  # the same memory
    codes: npt.NDArray[np.int32]  # (MOST_CODES,) of a seat, then rows of weights to add
    numbers: Floats
    sums: Floats  # (SEATS, width)
    total: Floats  # (width,)
    hidden: Floats  # (3, hidden)
    outputs: Floats  # (SEATS, OUTPUTS): expected score, strength, payoff


def new_features() -> tuple[Any, npt.NDArray[np.float64]]:
    """A features record, and its memory as float64."""
    features = apart((1,), FEATURES)
    return features, features.view(np.ndarray).view(np.float64)


def new_scratch(net: ValueNet) -> Scratch:
    """Memory for evaluations by a net."""
    width, hidden = len(net.first), len(net.second)
    return Scratch(
        *new_features(),
        apart((MOST_CODES,), np.int32),
        apart((NUMBER_COUNT,), np.float32),
        apart((SEATS, width), np.float32),
        apart((width,), np.float32),
        apart((3, hidden), np.float32),
        apart((SEATS, OUTPUTS), np.float32),
    )


@entry
def evaluate_all(states, net, scratch, outputs, payoffs):
    """Evaluate games: all outputs (n, SEATS, OUTPUTS) and the payoff of every seat (n, SEATS)."""
    states, net, scratch, payoffs = borrowed(states), borrowed(net), borrowed(scratch), borrowed(payoffs)
    for i in range(len(states)):
        evaluate(states[i], net, scratch, payoffs[i])
        outputs[i] = scratch.outputs


@kernel
def evaluate(s, net, scratch, out):
    """Write the expected payoff of every seat, 0 to 1, as a search values the end of a game."""
    players = s.rules.players
    scratch.total[:] = ZERO
    for p in range(players):
        _sum_up(s, p, net, scratch)
    scratch.hidden[0] = net.second
    add_affine(net.everybody, scratch.total, scratch.codes, scratch.hidden[0])
    pace = net.paces[max(s.rules.rounds - s.round_no, 0), players]
    for p in range(players):
        _combine(p, net, scratch)
        scratch.outputs[p, SCORE] += pace[SHIFT]
        scratch.outputs[p, STRENGTH] += pace[PLACE_SLOPE] * scratch.outputs[p, SCORE]
    for p in range(players):
        lead = _lead(s, p, scratch.outputs)
        scratch.outputs[p, PAYOFF] += pace[PAYOFF_SLOPE] * lead
        out[p] = ZERO if s.borough[p].out > 0 else _sigmoid(scratch.outputs[p, PAYOFF])


@kernel
def _sum_up(s, p, net, scratch):
    """The first layer of a seat, and greedy's share of its expected score."""
    total = scratch.sums[p]
    total[:] = net.first
    add_rows(net.codes, scratch.codes, write_codes(s, p, scratch.codes), total)
    write_numbers(s, p, net.weights[0], scratch.features, scratch.words, scratch.numbers)
    add_affine(net.numbers, scratch.numbers, scratch.codes, total)
    _relu(total)
    everybody = scratch.total
    everybody += total
    pace = net.paces[max(s.rules.rounds - s.round_no, 0), s.rules.players]
    scratch.outputs[p, SCORE] = pace[SLOPE] * scratch.numbers[GREEDY_VALUE]


@kernel
def _combine(p, net, scratch):
    """The second and third layer of a seat; adds its outputs."""
    hidden, deep = scratch.hidden[1], scratch.hidden[2]
    hidden[:] = scratch.hidden[0]
    add_affine(net.own, scratch.sums[p], scratch.codes, hidden)
    _relu(hidden)
    deep[:] = net.third
    add_affine(net.deep, hidden, scratch.codes, deep)
    _relu(deep)
    outputs = scratch.outputs[p]
    outputs[STRENGTH:] = ZERO
    outputs += net.last
    add_affine(net.heads, deep, scratch.codes, outputs)


@kernel
def _lead(s, p, outputs):
    """The lead in expected score over the best other still in the game; alone, the score itself."""
    if s.rules.players == 1:
        return outputs[p, SCORE]
    lead = FAR
    for q in range(s.rules.players):
        if q != p and s.borough[q].out == 0:
            lead = min(lead, outputs[p, SCORE] - outputs[q, SCORE])
    return lead


@kernel
def _relu(x):
    """ReLU, in place."""
    for k in range(len(x)):
        x[k] = max(x[k], ZERO)


@kernel
def _sigmoid(x):
    """The logistic function."""
    return 1 / (1 + math.exp(-np.float64(x)))  # in double precision: the same compiled or not
