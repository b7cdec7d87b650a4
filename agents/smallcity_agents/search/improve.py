"""The improved policy of a search, for nets to learn (Gumbel MuZero, Danihelka et al., 2022)."""

from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_env.batch import Mask
from smallcity_env.rules import rng

from ..agent import Streams

VISITS, SCALE = 50.0, 0.1  # weight of the values relative to the prior, as in mctx
TEMPERATURE: Final = 2.0  # points of greedy's value that make an answer e times as likely
MIX: Final = np.uint64(0xD1342543DE82EF95)

Ints = npt.NDArray[np.int64]
Priors = npt.NDArray[np.float64]


def log_softmax(values: npt.NDArray[np.floating], legal: Mask) -> Priors:
    """Log-probabilities of the legal answers; -inf for the others."""
    masked = np.where(legal, values, -np.inf)
    masked -= masked.max(axis=1, keepdims=True)
    return np.asarray(masked - np.log(np.exp(masked).sum(axis=1, keepdims=True)))


def improved_policy(logits: Priors, legal: Mask, visits: Ints, sums: Priors) -> Priors:
    """Probabilities of the answers: the prior, updated by the values of the search.

    Unvisited answers get the mean value of the others, weighted by the prior (completed Q-values);
    values are rescaled to 0 to 1 in every game.
    """
    tried = visits > 0
    q = sums / np.maximum(visits, 1)
    weight = np.where(tried, np.exp(logits), 0)
    mean = (weight * q).sum(axis=1, keepdims=True) / np.maximum(weight.sum(axis=1, keepdims=True), 1e-12)
    completed = np.where(tried, q, mean)
    low = np.where(legal, completed, np.inf).min(axis=1, keepdims=True)
    high = np.where(legal, completed, -np.inf).max(axis=1, keepdims=True)
    rescaled = (completed - low) / np.maximum(high - low, 1e-8)
    scale = SCALE * (VISITS + visits.max(axis=1, keepdims=True))
    return np.asarray(np.exp(log_softmax(np.where(legal, logits, 0) + scale * rescaled, legal)))


def gumbel(streams: Streams, actions: int) -> Priors:
    """Gumbel noise for every answer, from the streams (n, actions)."""
    number = np.arange(1, actions + 1, dtype=np.uint64) * MIX
    bits = rng.streams(streams[:, None] ^ number).reshape(len(streams), actions)
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53
    return np.asarray(-np.log(-np.log(uniform)))
