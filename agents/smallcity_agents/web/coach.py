"""The coach: what the champion expects of each answer, the graph of a game, and its costliest decisions."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.game import Game
from smallcity_env.log import Log, Step, replay_steps, state_of
from smallcity_env.rules.tables import Ask
from smallcity_env.text import wording

from ..play import analysis
from ..play.analysis import CHAMPION
from ..play.view import label

COSTLIEST: Final = 3
LEAST_COST: Final = 0.5  # points: less is within the error of the coach


def advise(states: States) -> dict[str, Any]:
    """The champion's answer with the line it expects, and its expectation of each answer considered."""
    seen = analysis.analyse(states)
    return {
        "action": seen.best,
        "answers": {action: vars(expected) for action, expected in seen.answers.items()},
        "line": seen.line,
    }


def hint(game: Game) -> dict[str, Any]:
    """The champion's answer in words, with what it expects."""
    advice = advise(game.states)
    action = advice["action"]
    expected, line = advice["answers"][action], advice["line"]
    words = game.describe(action)
    return {"action": action, "words": words, "agent": CHAMPION, "expected": expected, "line": line}


def view(game: Game, seat: int | None) -> dict[str, Any]:
    """The coach's view of a game; someone watching people (-1) gets no graph, which would reveal secrets."""
    watching = seat is not None and seat < 0 and not game.over
    viewer = int(game.state["seat"]) if seat is None or seat < 0 else seat
    shown: dict[str, Any] = {"rounds": [] if watching else expectations(game.log, viewer)}
    if seat is not None and seat >= 0:
        if game.over:
            shown["costliest"] = [vars(decision) for decision in costliest(game.log, seat)]
        elif seat == game.seat:
            shown |= advise(game.states)
    return shown


@dataclass(frozen=True)
class Decision:
    """A decision of a game and its cost."""

    number: int  # in the log
    round_no: int
    question: str
    given: str
    better: str
    cost: float


def costliest(log: Log, seat: int) -> list[Decision]:
    """The decisions of a seat that cost the most expected points, worst first."""
    steps = [
        (number, step)
        for number, step in enumerate(replay_steps(log))
        if step.entry.seat == seat and not step.entry.forced
    ]
    if not steps:
        return []
    states = state_of_all([step.before for _, step in steps])
    judged = analysis.judge(states, [step.entry.action for _, step in steps])
    decisions = [_decision(*step, *verdict) for step, verdict in zip(steps, judged, strict=True)]
    costly = [decision for decision in decisions if decision.cost >= LEAST_COST]
    return sorted(costly, key=lambda decision: -decision.cost)[:COSTLIEST]


def state_of_all(records: list[Any]) -> States:
    """An array of records."""
    return np.concatenate([state_of(record.tobytes()) for record in records])


def _decision(number: int, step: Step, best: int, cost: float) -> Decision:
    before, seat = step.before, step.entry.seat
    given, better = (label(before, seat, action) for action in (step.entry.action, best))
    return Decision(number, int(before["round_no"]), wording.question(before), given, better, round(cost, 1))


def expectations(log: Log, viewer: int) -> list[list[float]]:
    """For every round so far and now, the score each seat can expect, as the viewer sees it."""
    rows, last = [], -1
    for step in replay_steps(log):
        if step.before["round_no"] != last:
            last = int(step.before["round_no"])
            rows.append(_expected(step.before, viewer))
    return [*rows, _expected(Game.replay(log).state, viewer)]


def _expected(state: Any, viewer: int) -> list[float]:
    states = state_of(state.tobytes())
    if state["ask"] == Ask.OVER:
        return [float(n) for n in batch.scores(states)[0][0, : state["rules"]["players"]]]
    return analysis.standing(states, viewer)
