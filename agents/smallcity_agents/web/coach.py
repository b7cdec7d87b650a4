"""The coach: what the champion expects of each answer, and the graph of a game."""

from typing import Any

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.game import Game
from smallcity_env.log import Log, replay_steps, state_of
from smallcity_env.rules.tables import Ask

from ..play import analysis
from ..play.analysis import CHAMPION


def advise(states: States) -> dict[str, Any]:
    """The champion's answer with the line it expects, and its expectation of each answer considered."""
    seen = analysis.analyse(states)
    return {
        "action": seen.best,
        "answers": {action: vars(expected) for action, expected in seen.answers.items()},
        "line": seen.line,
        "marks": [mark._asdict() for mark in seen.marks],
    }


def hint(game: Game) -> dict[str, Any]:
    """The champion's answer in words, with what it expects."""
    advice = advise(game.states)
    action = advice["action"]
    expected, words = advice.pop("answers")[action], game.describe(action)
    return advice | {"words": words, "agent": CHAMPION, "expected": expected}


def view(game: Game, seat: int | None) -> dict[str, Any]:
    """The coach's view of a game; someone watching people (-1) gets no graph, which would reveal secrets."""
    watching = seat is not None and seat < 0 and not game.over
    viewer = int(game.state["seat"]) if seat is None or seat < 0 else seat
    shown: dict[str, Any] = {"rounds": [] if watching else expectations(game.log, viewer)}
    if not game.over and seat == game.seat:
        shown |= advise(game.states)
    return shown


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
