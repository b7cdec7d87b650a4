"""The net's priors, compiled: a logit for every legal answer to the question of a game.

What the asked seat sees of its own first layer and of everybody's (see forward.py) is added to the embeddings
of what is known of an answer (answers.py), with ReLU, and gives one number. Greedy's value of the answer, in
points below its best one, is added by question: small and large distances have slopes of their own.
"""

import numpy as np

from smallcity_env.library import kernel, reads, stack, writes
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.schema import STATE

from ..evaluation import evaluate_answers
from ..evaluation.schema import FEATURES, WEIGHTS
from ..net.sums import ONE, ZERO, add, add_affine, copy, relu
from .answers import write_answer
from .forward import NET, SCRATCH, sum_up
from .layout import KNEES

_features = stack(2, FEATURES)


@library.long_entry(
    states=reads(STATE, "n"), seats=reads("i8", "n"), which=reads("i8", "n"), weights=reads(WEIGHTS, "rows"),
    legal=reads("?", "n", ACTIONS), net=NET, scratch=SCRATCH, logits=writes("f8", "n", ACTIONS),
)  # fmt: skip
def write_priors(states, seats, which, weights, legal, net, scratch, logits):
    """Write the logits of the legal answers of each game; row `which` of the weights are greedy's."""
    features = _features()
    for i in range(len(states)):
        evaluate_answers(states[i], seats[i], legal[i], weights[which[i]], features, logits[i])
        weigh(states[i], seats[i], legal[i], net, scratch, logits[i])


@kernel
def weigh(s, p, legal, net, scratch, values):
    """Replace greedy's values of the legal answers by the net's logits."""
    _look(s, p, net, scratch)
    best = -np.inf
    for action in range(ACTIONS):
        if legal[action]:
            best = max(best, values[action])
    for action in range(ACTIONS):
        if legal[action]:
            below = np.float32(values[action] - best)
            values[action] = _by_value(below, net.knees[s.ask]) + _by_codes(s, p, action, net, scratch)


@kernel
def _look(s, p, net, scratch):
    """What the asked seat sees."""
    sum_up(s, net, scratch)
    view = scratch.views[0]
    copy(net.view_bias, view)
    add_affine(net.view_own, scratch.sums[p], view)
    add_affine(net.view_all, scratch.total, view)


@kernel
def _by_value(below, slopes):
    """The part of a logit that follows from greedy's value."""
    logit = ZERO
    for k in range(len(KNEES)):
        logit += slopes[k] * max(below, -KNEES[k])
    return logit


@kernel
def _by_codes(s, p, action, net, scratch):
    """The part of a logit that follows from what is known of the answer."""
    seen, logit = scratch.views[1], ZERO
    copy(scratch.views[0], seen)
    for i in range(write_answer(s, p, action, scratch.answer)):
        add(net.answers[scratch.answer[i]], ONE, seen)
    relu(seen)
    for k in range(len(seen)):
        logit += net.prior[k] * seen[k]
    return logit
