"""Where the time of a rollout goes, by phase and question.

Many games are played at random. Those being asked the same question are taken together, a few at a time
so that they stay in the cache, and the processor time of three calls is taken: writing the mask, choosing,
and answering with all that follows until the next question. An empty call is timed too and subtracted. The
sum of all parts is then set against a real rollout of the very same games.
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

TOGETHER: Final = 64  # games of a call: their records fit into the second cache
MICRO: Final = 1e6
EMPTY_CALLS: Final = 1000


@dataclass
class Cost:
    """What a question has cost: seconds of each of the three calls, decisions and forced answers."""

    mask: float = 0.0
    choose: float = 0.0
    answer: float = 0.0
    decisions: int = 0
    forced: int = 0

    @property
    def total(self) -> float:
        """Of the three together."""
        return self.mask + self.choose + self.answer


class Profile(NamedTuple):
    """The costs by phase and question, and what a rollout of the same games took."""

    costs: dict[tuple[Phase, Ask], Cost]
    games: int
    rollout: float  # seconds
    rolled: tuple[int, int]  # decisions and forced answers of the rollout

    @property
    def total(self) -> float:
        """Seconds of all parts."""
        return sum(cost.total for cost in self.costs.values())


def profile(games: int, config: Config, say: Callable[[str], None]) -> Profile:
    """Roll games out, then play the same ones, answer by answer, in parts."""
    with on_cores(1):
        seeds = np.arange(games)
        say("rolling out")
        start = batch.new(games, config, seeds)
        began = time.process_time()
        counts = batch.rollout(batch.clone(start), seeds)
        rollout = time.process_time() - began
        say("taking it apart")
        costs = _play(start, streams(seeds), _empty_call())
        decisions, forced = (int(n) for n in counts.sum(axis=0))
        return Profile(costs, games, rollout, (decisions, forced))


def _play(states: batch.States, turned: Any, empty: float) -> dict[tuple[Phase, Ask], Cost]:
    """Play all games, always the question most of them are at."""
    costs: dict[tuple[Phase, Ask], Cost] = {}
    phases, asks = states["phase"], states["ask"]
    while (asks != Ask.OVER).any():
        waiting = Counter(zip(phases.tolist(), asks.tolist(), strict=True))
        phase, ask = max((key for key in waiting if key[1] != Ask.OVER), key=lambda key: waiting[key])
        where = ((phases == phase) & (asks == ask)).nonzero()[0]
        cost = costs.setdefault((Phase(phase), Ask(ask)), Cost())
        for first in range(0, len(where), TOGETHER):
            _take(states, where[first : first + TOGETHER], turned, cost, empty)
    return costs


def _take(states: batch.States, where: Any, turned: Any, cost: Cost, empty: float) -> None:
    """One answer of each of some games, timed."""
    part, legal = batch.clone(states[where]), batch.new_masks(len(where))
    clock = [time.thread_time()]
    batch.masks(part, legal)
    clock.append(time.thread_time())
    options = legal.sum(axis=1)
    chance, clock[2:] = turned[where], [time.thread_time()]
    actions = batch.pick(legal, chance)
    clock.append(time.thread_time())
    # the one command that answers without taking the forced answers that follow
    batch.answer(part, actions, legal)
    clock.append(time.thread_time())
    states[where] = part
    turned[where] = np.where(options > 1, chance, turned[where])  # in a rollout only choices turn it
    cost.mask += max(clock[1] - clock[0] - empty, 0)
    cost.choose += max(clock[3] - clock[2] - empty, 0)
    cost.answer += max(clock[4] - clock[3] - empty, 0)
    cost.decisions += int((options > 1).sum())
    cost.forced += int((options == 1).sum())


def _empty_call() -> float:
    """Seconds of a call that has nothing to do."""
    nothing, masks = np.zeros(0, STATE), batch.new_masks(0)
    began = time.thread_time()
    for _ in range(EMPTY_CALLS):
        batch.masks(nothing, masks)
    return (time.thread_time() - began) / EMPTY_CALLS


HEAD: Final = (
    "phase", "question", "share", "mask", "choose", "answer, and what follows", "us each", "decisions a game",
    "forced a game",
)  # fmt: skip


def rows(found: Profile) -> list[tuple[str, ...]]:
    """A line for each phase and question, the dearest first, and their sum."""
    ordered = sorted(found.costs.items(), key=lambda item: -item[1].total)
    lines = [_row(phase.name.lower(), ask.name.lower(), cost, found) for (phase, ask), cost in ordered]
    return [*lines, *_by_phase(found), _row("all", "", _sum(list(found.costs.values())), found)]


def _by_phase(found: Profile) -> list[tuple[str, ...]]:
    """A line for each phase."""
    phases = sorted({phase for phase, _ in found.costs})
    sums = {p: _sum([cost for (phase, _), cost in found.costs.items() if phase == p]) for p in phases}
    return [_row(p.name.lower(), "all of the phase", cost, found) for p, cost in sums.items()]


def _sum(costs: list[Cost]) -> Cost:
    """All of them together."""
    return Cost(
        sum(c.mask for c in costs), sum(c.choose for c in costs), sum(c.answer for c in costs),
        sum(c.decisions for c in costs), sum(c.forced for c in costs),
    )  # fmt: skip


def _row(phase: str, question: str, cost: Cost, found: Profile) -> tuple[str, ...]:
    parts = (f"{part / found.total:.1%}" for part in (cost.total, cost.mask, cost.choose, cost.answer))
    each = number(MICRO * cost.total / max(cost.decisions + cost.forced, 1))
    return (
        phase, question, *parts, each, number(cost.decisions / found.games), number(cost.forced / found.games)
    )  # fmt: skip


def closing(found: Profile) -> str:
    """How the parts compare with the whole."""
    decisions, forced = found.rolled
    return (
        f"A rollout of these {found.games:,} games, {decisions:,} decisions and {forced:,} forced answers, "
        f"took {number(MICRO * found.rollout / decisions)} us a decision; the parts add up to "
        f"{found.total / found.rollout:.0%} of it."
    )
