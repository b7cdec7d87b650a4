"""The coach: what the strongest quick judge expects of each answer, and where a game was lost."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.game import Game
from smallcity_env.log import Log, replay_steps, state_of
from smallcity_env.rules.tables import Ask
from smallcity_env.text import wording

from .. import greedy
from ..play import view

FORKS: Final = 4  # of what is hidden, for each answer
COSTLIEST: Final = 3


def coach(states: States, seat: int, answers: list[int]) -> npt.NDArray[np.float64]:
    """The score a seat can expect after each legal answer of one game, from what it may see.

    Every answer is given in several copies that redraw what is hidden, and the results are judged by greedy's
    value function. A stronger judge replaces this one function.
    """
    rows = np.repeat(np.arange(len(answers)), FORKS)
    seeds = np.tile(np.arange(1, FORKS + 1), len(answers))
    copies = batch.fork(np.repeat(states, len(rows)), seat, seeds)
    batch.step(copies, np.array(answers)[rows], batch.masks(copies))
    expected = greedy.value(copies, seat)[:, seat]
    return np.asarray(expected.reshape(len(answers), FORKS).mean(axis=1), np.float64)


@dataclass(frozen=True)
class Decision:
    """A decision of a game with what it cost."""

    number: int  # in the log
    round_no: int
    question: str
    given: str
    better: str
    cost: float


def costliest(log: Log, seat: int) -> list[Decision]:
    """The decisions of a seat that cost the most expected points, worst first."""
    found = [
        decision
        for number, step in enumerate(replay_steps(log))
        if step.entry.seat == seat and not step.entry.forced
        for decision in _judged(number, step.before, step.entry.action)
    ]
    return sorted(found, key=lambda decision: -decision.cost)[:COSTLIEST]


def _judged(number: int, before: Any, action: int) -> list[Decision]:
    """A decision and its cost, if another answer was better."""
    states, seat = state_of(before.tobytes()), int(before["seat"])
    answers = [int(a) for a in np.flatnonzero(batch.masks(states)[0])]
    values = coach(states, seat, answers)
    cost = float(values.max() - values[answers.index(action)])
    if cost <= 0:
        return []
    best = view.label(before, seat, answers[int(values.argmax())])
    given, asked = view.label(before, seat, action), wording.question(before)
    return [Decision(number, int(before["round_no"]), asked, given, best, cost)]


def expectations(log: Log, viewer: int | None) -> list[list[float]]:
    """For every round so far and now, the score each seat can expect, as the viewer sees it."""
    rows, last = [], -1
    for step in replay_steps(log):
        if step.before["round_no"] != last:
            last = int(step.before["round_no"])
            rows.append(_expected(step.before, viewer))
    game = Game.replay(log)
    return [*rows, _expected(game.state, viewer)]


def _expected(state: Any, viewer: int | None) -> list[float]:
    states = state_of(state.tobytes())
    if state["ask"] == Ask.OVER:
        return [float(n) for n in batch.scores(states)[0][0, : state["rules"]["players"]]]
    seen = int(state["seat"]) if viewer is None else viewer
    return [round(float(n), 1) for n in greedy.value(states, seen)[0, : state["rules"]["players"]]]
