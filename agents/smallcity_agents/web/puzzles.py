"""Puzzles in the page: a position as the seat asked saw it, then the champion's answer with its numbers."""

from functools import cache
from typing import Any

from smallcity_env.history import History
from smallcity_env.refusal import Refused
from smallcity_env.text.wording import calling

from ..llm.positions import PUZZLES, SHIPPED, Position, read
from ..play import analysis, review
from ..play.players import player_names
from ..play.view import label
from . import views


@cache
def shipped() -> tuple[Position, ...]:
    """The shipped puzzles; none if they were made by other rules."""
    try:
        return read(SHIPPED[PUZZLES])[1]
    except Refused:
        return ()


def _puzzle(number: int) -> Position:
    if not 1 <= number <= len(shipped()):
        raise Refused(f"there is no puzzle {number}: there are {len(shipped())} by these rules")
    return shipped()[number - 1]


def shown(number: int) -> dict[str, Any]:
    """A puzzle as a table at which one answer is given."""
    game, history = _puzzle(number).reached(), History()
    history.catch_up(game.log)
    names = [""] * game.config.players
    players = player_names(names, game.seat)
    with calling(players):
        view = views.table_view(game, game.seat, history, players)
    view["turn"] |= {"movers": [], "placements": [], "tourists": {}, "undo": ""}
    puzzle = {"names": names, "version": "", "wrong": "", "undo": "", "automatic": {}}
    return view | puzzle | {"puzzle": number, "puzzles": len(shipped())}


def solution(number: int, action: int) -> dict[str, Any]:
    """The best answer, what each of the others costs against it, and why it is better than the one given."""
    position = _puzzle(number)
    game, best = position.reached(), position.best
    if action not in position.values:
        raise Refused(f"{action} is no answer to puzzle {number}")
    ranked = sorted(position.values, key=position.values.__getitem__, reverse=True)
    other = ranked[1] if action == best else action
    high, players = position.values[best], game.config.players
    costs = {a: round(float(analysis.points(high, position.values[a], players)), 1) for a in ranked}
    with calling(player_names([""] * players, game.seat)):
        return {
            "best": best,
            "other": other,
            "answers": [[a, label(game.state, game.seat, a), costs[a]] for a in ranked],
            "line": analysis.foreseen(game.states, best),
            "why": review.why(game.states, other, best),
        }
