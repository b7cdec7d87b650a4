"""What a game is worth to a player, 0 to 1: what searches maximise, and value nets learn."""

import math

from ..library import kernel
from . import scoring
from .tables import Ask

POINTS = 24.0  # twice the lead that makes a win likely
RANGE = 2  # from -1, the last place or a hopeless lead, to 1
USUAL = 60.0  # points of a good solo game
FAR = 10**6  # more than any score


@kernel
def payoff(s, p, scores):
    """Half for place, half for lead; before the end for the lead in expected scores; alone for the score."""
    if s.rules.players == 1:
        return alone(s, scores[0])
    if s.ask == Ask.OVER:
        return (RANGE + by_place(s, p) + by_lead(s, p, scores)) / (RANGE + RANGE)
    return (1 + by_lead(s, p, scores)) / RANGE


@kernel
def alone(s, score):
    """A solo score, squashed to 0 to 1; 0 for an eliminated player."""
    return 0.0 if s.borough[0].out > 0 else 1 / (1 + math.exp((USUAL - score) / POINTS))


@kernel
def by_lead(s, p, scores):
    """The lead, squashed to -1 to 1; -1 if out."""
    return -1.0 if s.borough[p].out > 0 else math.tanh(lead(s, p, scores) / POINTS)


@kernel
def lead(s, p, scores):
    """How far a seat is ahead of the best other one still in the game; far without one."""
    ahead = scores[p] + FAR
    for q in range(s.rules.players):
        if q != p and s.borough[q].out == 0:
            ahead = min(ahead, scores[p] - scores[q])
    return ahead


@kernel
def by_place(s, p):
    """+1 for first place down to -1 for last; ties share the mean."""
    others, ahead, behind = s.rules.players - 1, 0, 0
    for q in range(s.rules.players):
        ahead += scoring.beats(s, q, p)
        behind += scoring.beats(s, p, q)
    return 1 - (others + ahead - behind) / others
