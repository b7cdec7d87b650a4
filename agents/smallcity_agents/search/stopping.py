"""Early decisions of a timed search: candidates that are clearly worse than the best one are dropped.

Candidates are simulated in the same forks, a chunk of simulations at a time. How the difference between two
of them varies from chunk to chunk tells how certain the difference of their means is.
"""

from typing import Final

import numpy as np

from smallcity_env.batch import Mask

from ..agent import Actions
from .improve import Priors

FEWEST: Final = 10  # chunks before a candidate may be dropped
CERTAIN: Final = 4.0  # standard errors that make a difference certain


class Chunks:
    """What every chunk of simulations added to the candidates of a batch of games."""

    def __init__(self) -> None:
        self._sums: list[Priors] = []
        self._times: list[Actions] = []

    def add(self, sums: Priors, times: Actions) -> None:
        """Add a chunk: sums of values (n, ACTIONS), and how often each candidate of a game was simulated."""
        self._sums.append(sums)
        self._times.append(times)

    def beaten(self, means: Priors) -> Mask:
        """The candidates whose means are certainly below the highest of their game."""
        if len(self._sums) < FEWEST:
            return np.zeros(means.shape, np.bool_)
        times, best = np.array(self._times)[:, :, None], means.argmax(axis=1)[None, :, None]
        sums = np.array(self._sums)
        lead = np.take_along_axis(sums, best, axis=2) - sums
        total = np.maximum(times.sum(axis=0), 1)
        error = np.sqrt(((lead - times * lead.sum(axis=0) / total) ** 2).sum(axis=0)) / total
        return np.asarray(means < means.max(axis=1, keepdims=True) - CERTAIN * error)
