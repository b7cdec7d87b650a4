"""`level:1` to `level:10`: opponents for people, from a beginner to the champion.

The lower levels use greedy's value of every answer, each with its own style. The higher ones
search, deeper with every level. All choose by a softmax over the values of the answers, colder with every
level: close answers vary, and a much worse one is never chosen.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from smallcity_env.batch import Mask, States
from smallcity_env.language import marked
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS

from . import AgentError, make
from .agent import Actions, Agent, Streams, checked, where_asked
from .evaluation.weights import TUNED, weights_of
from .greedy import answer_values
from .search.improve import gumbel

WORST: Final = 3.0  # temperatures below the best answer: worse ones are never chosen


@dataclass(frozen=True)
class WithoutSearch:
    """Plays by greedy's evaluation."""

    style: str
    temperature: float  # points
    description: str

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """A sample of the good answers by greedy's evaluation."""
        _, values = answer_values(states, seats, legal, streams, weights_of(self.style))
        streams[:] = rng.streams(streams)
        values = np.where(legal, values, -np.inf)
        good = values >= values.max(axis=1, keepdims=True) - WORST * self.temperature
        noisy = values + self.temperature * gumbel(streams, ACTIONS)
        return np.asarray(np.where(good, noisy, -np.inf).argmax(axis=1), np.int64)


@dataclass(frozen=True)
class WithSearch:
    """Plays by search."""

    search: str  # made when it plays: its net is read then
    description: str

    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """A good answer by search."""
        return _made(self.search).act(states, seats, legal, streams)


_made = cache(make)


LEVELS: Final = (
    WithoutSearch("green", 0.65, marked("loves parks, and answers what looks good")),
    WithoutSearch("builder", 0.35, marked("builds homes first, and answers what looks good")),
    WithoutSearch(TUNED, 0.18, marked("plays soundly, but wavers in close decisions")),
    WithoutSearch(TUNED, 0.0, marked("plays soundly and never wavers: greedy")),
    WithSearch(
        "search:sims=4,candidates=2,temperature=0.023", marked("compares two answers, and often wavers")
    ),
    WithSearch(
        "search:sims=4,candidates=2,temperature=0.008", marked("compares two answers, and seldom wavers")
    ),
    WithSearch("search:sims=12,candidates=4", marked("compares four answers")),
    WithSearch("search:sims=40,candidates=8", marked("plans ahead and considers what the others will do")),
    WithSearch("search:sims=160", marked("plans further ahead")),
    WithSearch("champion", marked("the champion")),
)


@dataclass
class Level(Agent):
    """An opponent of a level from 1 to 10."""

    label = "level"
    description = marked("level:1, a beginner, to level:10, the champion")
    number: int = 5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.number <= len(LEVELS):
            raise AgentError(f"levels are 1 to {len(LEVELS)}, not {self.number}")

    @property
    def name(self) -> str:
        """The name `make` takes: `level:3`."""
        return f"{self.label}:{self.number}"

    @checked
    @where_asked
    def act(self, states: States, seats: Actions, legal: Mask, streams: Streams) -> Actions:
        """The answers of the level."""
        return LEVELS[self.number - 1].act(states, seats, legal, streams)
