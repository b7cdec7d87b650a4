"""The value of a game for every seat, 0 to 1: by place and lead at the end, by expected lead before it."""

import math

from smallcity_env.rules import scoring
from smallcity_env.rules._jit import kernel
from smallcity_env.rules.tables import Ask

from ..judge import seat_value
from ..value_net.forward import SCORE, evaluate
from .schema import SLOPE

FAR = 10.0**6  # more than any score
USUAL = 60.0  # points of a good solo game


@kernel
def write_outcome(s, viewer, settings, weights, net, work):
    """Write the value of a determinised game for every seat."""
    work.outcome[:] = 0
    if settings.net and s.ask != Ask.OVER:
        evaluate(s, net, work.scratch, work.outcome)
        if s.rules.players == 1:
            work.outcome[0] = _alone(s, work.scratch.outputs[0, SCORE])
    else:
        _by_scores(s, viewer, weights, work)


@kernel
def _by_scores(s, viewer, weights, work):
    """The value by final scores, or by those greedy expects from what the viewer may see."""
    over = s.ask == Ask.OVER
    for p in range(s.rules.players):
        if over:
            work.scores[p] = scoring.score(s, p)
        else:
            work.scores[p] = seat_value(s, p, viewer, weights, work.features[0])
    for p in range(s.rules.players):
        if s.rules.players == 1:
            work.outcome[p] = _alone(s, work.scores[0])
        elif over:
            work.outcome[p] = (2 + _by_place(s, p) + _lead(s, work.scores, p)) / 4
        else:
            work.outcome[p] = (1 + _lead(s, work.scores, p)) / 2


@kernel
def _alone(s, score):
    """A solo score, squashed to 0 to 1; 0 for an eliminated player."""
    return 0.0 if s.borough[0].out > 0 else 1 / (1 + math.exp((USUAL - score) / (2 * SLOPE)))


@kernel
def _lead(s, scores, p):
    """The lead of a seat over the best other seat still in the game, squashed to -1 to 1."""
    if s.borough[p].out > 0:
        return -1.0
    other = -FAR
    for q in range(s.rules.players):
        if q != p and s.borough[q].out == 0:
            other = max(other, scores[q])
    return math.tanh((scores[p] - other) / (2 * SLOPE))


@kernel
def _by_place(s, p):
    """+1 for first place down to -1 for last; ties share the mean."""
    place, tied = scoring.rank(s, p), 0
    for q in range(s.rules.players):
        tied += scoring.rank(s, q) == place
    return 1 - 2 * (place + (tied - 1) / 2) / (s.rules.players - 1)
