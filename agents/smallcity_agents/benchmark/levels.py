"""The level of an agent: where on the scale of anchors its results are most likely.

Between anchors, strength is interpolated linearly; beyond the highest it goes on with the mean slope of the
upper half, below the lowest with that of the first step. A game
counts as one comparison: the share of its opponents, all copies of one anchor, that the agent finished ahead
of. The interval is the wider, on each side, of two 95 % intervals: that of a bootstrap over seeds, since the
games on one seed share their chance, and that of the likelihood, which is right also if every game was won.
Alone, the level is that of the mean score.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arena.standings import half_interval
from .anchors import Scale
from .protocol import BOTTOM, TOP

GRID: Final = np.linspace(BOTTOM, TOP, 100 * int(TOP - BOTTOM) + 1)
DROP: Final = 1.92  # of the log-likelihood, at the ends of a 95 % interval
SAMPLES: Final = 1000  # of the bootstrap
Floats = npt.NDArray[np.float64]


class Outcome(NamedTuple):
    """What a game says about the level of an agent."""

    seed: int
    anchor: int
    ahead: float  # share of the opponents it finished ahead of
    score: float


@dataclass(frozen=True)
class Level:
    """A level with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_words(self.value)} ({_words(self.low)} - {_words(self.high)})"


def _words(level: float) -> str:
    """A level; those at an end of the scale may lie beyond it."""
    return f"{level:z.1f}" + ("+" if level >= TOP else "")


def fit(scale: Scale, outcomes: Sequence[Outcome], alone: bool) -> Level:
    """The level of an agent from its games of a task."""
    return by_score(scale, outcomes) if alone else by_places(scale, outcomes)


def strength(scale: Scale, level: npt.ArrayLike) -> Floats:
    """The strength at levels."""
    known, at = np.array(scale.strengths), np.asarray(level, float)
    below = np.minimum(at, 0) * (known[1] - known[0])
    half = len(known) // 2
    above = np.maximum(at - (len(known) - 1), 0) * (known[-1] - known[half]) / (len(known) - 1 - half)
    return np.asarray(np.interp(at, np.arange(len(known)), known) + below + above)


def by_places(scale: Scale, outcomes: Sequence[Outcome]) -> Level:
    """The most likely level against known opponents."""
    seeds, cluster = np.unique([game.seed for game in outcomes], return_inverse=True)
    single = _log_likelihood(scale, outcomes)
    by_seed = np.stack([np.bincount(cluster, column) for column in single.T], axis=1)
    total = by_seed.sum(axis=0)
    likely = GRID[total >= total.max() - DROP]
    drawn = np.random.default_rng(0).multinomial(len(seeds), [1 / len(seeds)] * len(seeds), SAMPLES)
    low, high = np.quantile(GRID[(drawn @ by_seed).argmax(axis=1)], [0.025, 0.975]).tolist()
    return Level(float(GRID[total.argmax()]), min(low, float(likely[0])), max(high, float(likely[-1])))


def _log_likelihood(scale: Scale, outcomes: Sequence[Outcome]) -> Floats:
    """Of every game (n) at every level of the grid: (n, grid)."""
    anchors = np.array([game.anchor for game in outcomes])
    ahead = np.array([game.ahead for game in outcomes])[:, None]
    lead = strength(scale, GRID) - strength(scale, anchors)[:, None]
    return np.asarray(-ahead * np.logaddexp(0, -lead) - (1 - ahead) * np.logaddexp(0, lead))


def by_score(scale: Scale, outcomes: Sequence[Outcome]) -> Level:
    """The level at which anchors have the same mean score."""
    scores = [(game.seed, game.score) for game in outcomes]
    mean, half = float(np.mean([score for _, score in scores])), half_interval(scores)
    known = strength(scale, GRID)
    if math.isnan(half):
        return Level(float(np.interp(mean, known, GRID)), BOTTOM, TOP)
    value, low, high = np.interp([mean, mean - half, mean + half], known, GRID).tolist()
    return Level(value, low, high)


def mean(levels: Sequence[Level]) -> Level:
    """The mean over tasks; their errors are independent."""
    value = float(np.mean([level.value for level in levels]))
    below = math.sqrt(sum((level.value - level.low) ** 2 for level in levels)) / len(levels)
    above = math.sqrt(sum((level.high - level.value) ** 2 for level in levels)) / len(levels)
    return Level(value, value - below, value + above)


def copeland(by_task: Sequence[Sequence[float]]) -> list[float]:
    """How many agents each agent beats, from a row of levels by task for each; a tie is half.

    One agent beats another that it has the higher level than in more tasks: a vote in which the tasks are the
    voters, so that no task counts more because its levels lie further apart.
    """
    levels = np.asarray(by_task, float)
    votes = np.sign(levels[:, None] - levels[None]).sum(axis=2)
    beaten: list[float] = (((votes > 0) + (votes == 0) / 2).sum(axis=1) - 0.5).tolist()  # not itself
    return beaten
