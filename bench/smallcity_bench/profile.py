"""Where the time of a rollout goes, by phase and question.

Many games are played at random. Those being asked the same question are stepped together, a few at a time
so that they stay in the cache, and three calls are timed: writing the mask, choosing, and answering with
all that follows until the next question. The time of an empty call is subtracted. The sum of all parts is
then compared with a real rollout of the same games.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Ask, Phase

from .measure import on_cores
from .report import number

TOGETHER: Final = 64  # games per call: their records fit into the L2 cache
MICRO: Final = 1e6
EMPTY_CALLS: Final = 1000


@dataclass
class Cost:
    """The cost of a question: seconds of each of the three calls, decisions and forced answers."""

    mask: float = 0.0
    choose: float = 0.0
    answer: float = 0.0
    decisions: int = 0
    forced: int = 0

    @property
    def total(self) -> float:
        """Seconds of the three calls together."""
        return self.mask + self.choose + self.answer


class Profile(NamedTuple):
    """The costs by phase and question, and the time of a rollout of the same games."""

    costs: dict[tuple[Phase, Ask], Cost]
    games: int
    rollout: float  # seconds
    rolled: tuple[int, int]  # decisions and forced answers of the rollout

    @property
    def total(self) -> float:
        """Seconds of all parts."""
        return sum(cost.total for cost in self.costs.values())


def profile(games: int, config: Config, say: Callable[[str], None]) -> Profile:
    """Roll games out, then play the same games again with every call timed."""
    with on_cores(1):
        seeds = np.arange(games)
        say("rolling out")
        start = batch.new(games, config, seeds)
        began = time.process_time()
        counts = batch.rollout(batch.clone(start), seeds)
        rollout = time.process_time() - began
        say("timing every question")
        costs = _play(start, streams(seeds), _empty_call())
        decisions, forced = (int(n) for n in counts.sum(axis=0))
        return Profile(costs, games, rollout, (decisions, forced))


def _play(states: batch.States, random_streams: Any, empty: float) -> dict[tuple[Phase, Ask], Cost]:
    """Play all games, always answering the question that most of them are at."""
    costs: dict[tuple[Phase, Ask], Cost] = {}
    phases, asks = states["phase"], states["ask"]
    while (asks != Ask.OVER).any():
        waiting = Counter(zip(phases.tolist(), asks.tolist(), strict=True))
        phase, ask = max((key for key in waiting if key[1] != Ask.OVER), key=lambda key: waiting[key])
        where = ((phases == phase) & (asks == ask)).nonzero()[0]
        cost = costs.setdefault((Phase(phase), Ask(ask)), Cost())
        for first in range(0, len(where), TOGETHER):
            _take(states, where[first : first + TOGETHER], random_streams, cost, empty)
    return costs


def _take(states: batch.States, where: Any, random_streams: Any, cost: Cost, empty: float) -> None:
    """Answer once in each of some games, timed."""
    part, legal = batch.clone(states[where]), batch.new_masks(len(where))
    clock = [time.thread_time()]
    batch.masks(part, legal)
    clock.append(time.thread_time())
    options = legal.sum(axis=1)
    chance, clock[2:] = random_streams[where], [time.thread_time()]
    actions = batch.pick(legal, chance)
    clock.append(time.thread_time())
    # the only command that does not auto-play the forced answers that follow
    batch.answer(part, actions, legal)
    clock.append(time.thread_time())
    states[where] = part
    # in a rollout only decisions advance a stream
    random_streams[where] = np.where(options > 1, chance, random_streams[where])
    cost.mask += max(clock[1] - clock[0] - empty, 0)
    cost.choose += max(clock[3] - clock[2] - empty, 0)
    cost.answer += max(clock[4] - clock[3] - empty, 0)
    cost.decisions += int((options > 1).sum())
    cost.forced += int((options == 1).sum())


def _empty_call() -> float:
    """Seconds of a call with no games."""
    nothing, masks = np.zeros(0, STATE), batch.new_masks(0)
    began = time.thread_time()
    for _ in range(EMPTY_CALLS):
        batch.masks(nothing, masks)
    return (time.thread_time() - began) / EMPTY_CALLS


HEAD: Final = (
    "phase", "question", "share", "mask", "choose", "answer, and what follows", "us each", "decisions a game",
    "forced a game",
)  # fmt: skip


def rows(whole: Profile) -> list[tuple[str, ...]]:
    """A row per phase and question, the most expensive first, then per phase, then the total."""
    ordered = sorted(whole.costs.items(), key=lambda item: -item[1].total)
    lines = [_row(phase.name.lower(), ask.name.lower(), cost, whole) for (phase, ask), cost in ordered]
    return [*lines, *_by_phase(whole), _row("all", "", _sum(list(whole.costs.values())), whole)]


def _by_phase(whole: Profile) -> list[tuple[str, ...]]:
    """A row per phase."""
    phases = sorted({phase for phase, _ in whole.costs})
    sums = {p: _sum([cost for (phase, _), cost in whole.costs.items() if phase == p]) for p in phases}
    return [_row(p.name.lower(), "all of the phase", cost, whole) for p, cost in sums.items()]


def _sum(costs: list[Cost]) -> Cost:
    """The total of several costs."""
    return Cost(
        sum(c.mask for c in costs), sum(c.choose for c in costs), sum(c.answer for c in costs),
        sum(c.decisions for c in costs), sum(c.forced for c in costs),
    )  # fmt: skip


def _row(phase: str, question: str, cost: Cost, whole: Profile) -> tuple[str, ...]:
    parts = (f"{part / whole.total:.1%}" for part in (cost.total, cost.mask, cost.choose, cost.answer))
    each = number(MICRO * cost.total / max(cost.decisions + cost.forced, 1))
    return (
        phase, question, *parts, each, number(cost.decisions / whole.games), number(cost.forced / whole.games)
    )  # fmt: skip


def closing(whole: Profile) -> str:
    """How the sum of the parts compares with the rollout."""
    decisions, forced = whole.rolled
    return (
        f"A rollout of these {whole.games:,} games, {decisions:,} decisions and {forced:,} forced answers, "
        f"took {number(MICRO * whole.rollout / decisions)} us a decision; the parts add up to "
        f"{whole.total / whole.rollout:.0%} of it."
    )
