"""The forward pass of the value net, compiled.

The first layer of a seat adds up the embeddings of its codes and its numbers times their weights, with ReLU.
Two more layers see the seat's own sum and that of all seats, and give three outputs: points to add to
greedy's expected score, a strength that decides the places, and a payoff to add to that of the lead.
priors.py has its other head.
"""

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.library import group, kernel, reads, writes
from smallcity_env.rules._library import library
from smallcity_env.rules.payoff import lead
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS

from ..evaluation.schema import FEATURES, WEIGHTS
from ..memory import memory, padded, record
from ..net.sums import ONE, ZERO, add, add_affine, copy, relu
from .encode import write_codes, write_numbers
from .layout import (
    ANSWER_COUNT,
    CODE_COUNT,
    GREEDY_VALUE,
    KNEES,
    MOST_ANSWER_CODES,
    MOST_CODES,
    NUMBER_COUNT,
    QUESTIONS,
)

Floats = npt.NDArray[np.float32]
FAR = np.float32(100)  # the largest lead, in points
SCORE, STRENGTH, PAYOFF = 0, 1, 2  # outputs for each seat
OUTPUTS = 3
SLOPE, SHIFT, PLACE_SLOPE, PAYOFF_SLOPE = 0, 1, 2, 3  # what depends on the rounds left and the players
CALIBRATED = 4


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
    calibration: Floats  # (POWER_ROUNDS + 1, SEATS + 1, CALIBRATED)
    view_own: Floats  # (width, view): what the asked seat sees of its own sum
    view_all: Floats  # (width, view): ... and of everybody's
    view_bias: Floats  # (view,)
    answers: Floats  # (ANSWER_COUNT, view)
    prior: Floats  # (view,): of a view of an answer, its logit
    knees: Floats  # (QUESTIONS, knees): ... and of greedy's value
    weights: Any  # (1,) of greedy's evaluation, for its expected score


NET = group(
    ValueNet,
    codes=reads("f4", CODE_COUNT, "width"),
    numbers=reads("f4", NUMBER_COUNT, "width"),
    first=reads("f4", "width"),
    own=reads("f4", "width", "hidden"),
    everybody=reads("f4", "width", "hidden"),
    second=reads("f4", "hidden"),
    deep=reads("f4", "hidden", "hidden"),
    third=reads("f4", "hidden"),
    heads=reads("f4", "hidden", OUTPUTS),
    last=reads("f4", OUTPUTS),
    calibration=reads("f4", POWER_ROUNDS + 1, SEATS + 1, CALIBRATED),
    view_own=reads("f4", "width", "view"),
    view_all=reads("f4", "width", "view"),
    view_bias=reads("f4", "view"),
    answers=reads("f4", ANSWER_COUNT, "view"),
    prior=reads("f4", "view"),
    knees=reads("f4", QUESTIONS, len(KNEES)),
    weights=reads(WEIGHTS, 1),
)
SCRATCH = record(  # memory for one evaluation at a time: every thread needs its own
    "Scratch",
    features=writes(FEATURES, 1),
    words=writes("f8", FEATURES.itemsize // 8),  # the same memory
    codes=writes("i4", MOST_CODES),  # of a seat: rows of weights to add
    numbers=writes("f4", NUMBER_COUNT),
    sums=writes("f4", SEATS, "width"),
    total=writes("f4", "width"),
    layers=writes("f4", 3, "hidden"),
    outputs=writes("f4", SEATS, OUTPUTS),  # expected score, strength, payoff
    views=writes("f4", 2, "view"),  # of the asked seat, and with an answer
    answer=writes("i4", MOST_ANSWER_CODES),
)


def new_features() -> tuple[Any, npt.NDArray[np.float64]]:
    """A features record, and its memory as float64."""
    features = padded((1,), FEATURES)
    return features, features.view(np.ndarray).view(np.float64)


def new_scratch(net: ValueNet) -> Any:
    """Memory for evaluations by a net."""
    features, words = new_features()
    sizes = {"width": len(net.first), "hidden": len(net.second), "view": len(net.view_bias)}
    return memory(SCRATCH, features=features, words=words, **sizes)


@library.long_entry(
    states=reads(STATE, "n"), net=NET, scratch=SCRATCH, outputs=writes("f4", "n", SEATS, OUTPUTS),
    payoffs=writes("f4", "n", SEATS),
)  # fmt: skip
def evaluate_all(states, net, scratch, outputs, payoffs):
    """Evaluate games: all outputs, and the payoff of every seat."""
    for i in range(len(states)):
        evaluate(states[i], net, scratch, payoffs[i])
        for p in range(SEATS):
            for k in range(OUTPUTS):
                outputs[i, p, k] = scratch.outputs[p, k]


@kernel
def evaluate(s, net, scratch, out):
    """Write the expected payoff of every seat, 0 to 1, as a search values the end of a game."""
    players = s.rules.players
    sum_up(s, net, scratch)
    copy(net.second, scratch.layers[0])
    add_affine(net.everybody, scratch.total, scratch.layers[0])
    scale = net.calibration[max(s.rules.rounds - s.round_no, 0), players]
    for p in range(players):
        _combine(p, net, scratch)
        scratch.outputs[p, SCORE] += scale[SHIFT]
        scratch.outputs[p, STRENGTH] += scale[PLACE_SLOPE] * scratch.outputs[p, SCORE]
    for p in range(players):
        scratch.outputs[p, PAYOFF] += scale[PAYOFF_SLOPE] * _lead(s, p, scratch.outputs)
        out[p] = ZERO if s.borough[p].out > 0 else _sigmoid(scratch.outputs[p, PAYOFF])


@kernel
def sum_up(s, net, scratch):
    """The first layer of every seat, and their sum."""
    scratch.total[:] = ZERO
    for p in range(s.rules.players):
        _sum_up_seat(s, p, net, scratch)


@kernel
def _sum_up_seat(s, p, net, scratch):
    """The first layer of a seat, and greedy's share of its expected score."""
    total = scratch.sums[p]
    copy(net.first, total)
    for i in range(write_codes(s, p, scratch.codes)):
        add(net.codes[scratch.codes[i]], ONE, total)
    write_numbers(s, p, net.weights[0], scratch.features, scratch.words, scratch.numbers)
    add_affine(net.numbers, scratch.numbers, total)
    relu(total)
    add(total, ONE, scratch.total)
    scale = net.calibration[max(s.rules.rounds - s.round_no, 0), s.rules.players]
    scratch.outputs[p, SCORE] = scale[SLOPE] * scratch.numbers[GREEDY_VALUE]


@kernel
def _combine(p, net, scratch):
    """The second and third layer of a seat; adds its outputs."""
    hidden, deep = scratch.layers[1], scratch.layers[2]
    copy(scratch.layers[0], hidden)
    add_affine(net.own, scratch.sums[p], hidden)
    relu(hidden)
    copy(net.third, deep)
    add_affine(net.deep, hidden, deep)
    relu(deep)
    outputs = scratch.outputs[p]
    outputs[STRENGTH:] = ZERO
    add(net.last, ONE, outputs)
    add_affine(net.heads, deep, outputs)


@kernel
def _lead(s, p, outputs):
    """The lead in expected score over the best other still in the game; alone, the score itself."""
    if s.rules.players == 1:
        return outputs[p, SCORE]
    return min(FAR, np.float32(lead(s, p, outputs[:, SCORE])))


@kernel
def _sigmoid(x):
    """The logistic function."""
    return 1 / (1 + math.exp(-np.float64(x)))  # in double precision: the same compiled or not
