"""The whole picture of a position, with everything or as one seat sees it: `svg` and `pixels`."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from .. import arguments, batch
from ..history import ending
from ..language import _
from ..rules.schema import STATE
from ..rules.tables import SEATS, Ask, Phase, every
from ..rules.tables.counted import both
from ..rules.tables.names import PHASE_NAMES
from ..rules.tables.promises import BY_NUMBER
from ..text import wording
from . import board, drawing, paint, panels
from . import colours as c
from .drawing import Drawing, Group, Item, box

State: TypeAlias = Any  # one record of a batch: states[i]
GAP: Final = 14
_LEFT: Final = GAP
_TOP: Final = GAP + board.HEADER + GAP
_PANEL_X: Final = (_LEFT, _LEFT + panels.WIDTH + GAP)
_ROWS: Final = (SEATS + 1) // 2
_PANEL_Y: Final = tuple(_TOP + row * (panels.HEIGHT + GAP) for row in range(_ROWS))
_SIDE_X: Final = _PANEL_X[1] + panels.WIDTH + GAP
_BESIDE: Final = 4  # from this many players on, council, cards, supply and legend are beside the panels
_SEATS_AT: Final = (  # where the panels are, clockwise as people sit around a table
    ((0, 0),),
    ((0, 0), (1, 0)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 0), (1, 0), (1, 1), (0, 1)),
)
every(range(1, SEATS + 1), range(1, len(_SEATS_AT) + 1), "arrangement of the panels")


class BadSeat(arguments.ArgumentError):
    """A seat that is not in this game."""


def svg(state: State, seat: int | None = None, names: Sequence[str] = ()) -> str:
    """The position as SVG; `seat` hides what that seat may not see, `names` name the players."""
    return drawing.svg(draw(state, seat, names))


def pixels(state: State, seat: int | None = None, names: Sequence[str] = ()) -> npt.NDArray[np.uint8]:
    """The position as pixels, height x width x 3; the size depends only on the number of players."""
    return paint.pixels(draw(state, seat, names))


def draw(state: State, seat: int | None = None, names: Sequence[str] = ()) -> Drawing:
    """The position as a drawing; `seat` hides what that seat may not see, `names` name the players."""
    players = int(state["rules"]["players"])
    if seat is not None and arguments.index(seat) not in range(players):
        raise BadSeat(f"there is no seat {seat!r}: choose from {', '.join(map(str, range(players)))}")
    if names and len(names) != players:
        raise arguments.ArgumentError(f"names must be {players}, one for each seat, not {len(names)}")
    views = [_view(state, p, seat, names[p] if names else "") for p in range(players)]
    width, height = _size(players)
    question = _question(state, seat)
    groups = [Group((box(0, 0, width, height, c.PAPER),), name="table")]
    groups += _header(state, width, question)
    for view, (column, row) in zip(views, _SEATS_AT[players - 1], strict=True):
        groups += panels.panel(view, _PANEL_X[column], _PANEL_Y[row])
    groups += _blocks(state, [view.b for view in views], seat)
    return Drawing(width, height, _title(state, question), tuple(groups))


def _size(players: int) -> tuple[int, int]:
    """The size of a picture."""
    right = _SIDE_X if players < _BESIDE else _SIDE_X + board.WIDTH + GAP
    if players == 2:
        return right, _PANEL_Y[1] + board.LEGEND_HEIGHT + GAP
    return right, _PANEL_Y[(players - 1) // 2] + panels.HEIGHT + GAP


def _places(players: int) -> list[tuple[float, float]]:
    """The positions of council, cards, supply and legend."""
    tall, second = board.COUNCIL_HEIGHT + GAP, _PANEL_Y[1]
    if players == 1:
        left, right = _PANEL_X[1], _PANEL_X[1] + board.WIDTH + GAP
        return [(left, _TOP), (left, _TOP + tall), (right, _TOP + board.LEGEND_HEIGHT + GAP), (right, _TOP)]
    if players == 2:
        step = (_SIDE_X - GAP - _LEFT - board.WIDTH) / 3
        return [(_LEFT + step * i, second) for i in range(4)]
    if players == 3:
        left, right = _LEFT, _LEFT + board.WIDTH + 24
        below = second + board.LEGEND_HEIGHT + GAP
        return [(left, second), (left, second + tall), (right, below), (right, second)]
    heights = (board.COUNCIL_HEIGHT, board.CARDS_HEIGHT, board.SUPPLY_HEIGHT)
    return [(_SIDE_X, _TOP + sum(heights[:i]) + GAP * i) for i in range(4)]


def _blocks(state: State, boroughs: list[Any], seat: int | None) -> list[Group]:
    """The middle of the table."""
    blocks = {
        "council": board.council(boroughs),
        "cards": board.cards(state, boroughs),
        "supply": board.supply(state, supply_seen(state, seat)),
        "legend": board.legend(),
    }
    placed = zip(blocks.items(), _places(len(boroughs)), strict=True)
    return [Group(tuple(items), x, y, name) for (name, items), (x, y) in placed]


def _header(state: State, width: int, question: str) -> list[Group]:
    """The bar at the top."""
    asked = -1 if state["ask"] == Ask.OVER else int(state["seat"])
    items: tuple[Item, ...] = tuple(board.header(state, width - 2 * GAP, question, asked))
    return [Group(items, GAP, GAP, "header")]


def _title(state: State, question: str) -> str:
    """The description of the picture."""
    phase, number = PHASE_NAMES[Phase(int(state["phase"]))], state["round_no"]
    if state["ask"] == Ask.OVER:
        return _("Small City, round {n}, {phase}. {question}", n=number, phase=phase, question=question)
    return _(
        "Small City, round {n}, {phase}. {seat}: {question}",
        n=number, phase=phase, seat=wording.seat_name(int(state["seat"])), question=question,
    )  # fmt: skip


# -- hidden information


def secret(state: State) -> bool:
    """Whether all players are building behind their screens (P2.1, SU2)."""
    return any(state["shown"][0].tobytes())


def hidden(state: State, seat: int | None) -> bool:
    """Whether the question being asked is hidden behind another player's screen."""
    return seat is not None and seat != state["seat"] and secret(state)


def seen(state: State, seat: int | None) -> list[Any]:
    """Every borough as a seat sees it."""
    players = range(int(state["rules"]["players"]))
    return [state["shown" if _screened(state, p, seat) else "borough"][p] for p in players]


def supply_seen(state: State, seat: int | None) -> Any:
    """The supply of tiles as a seat sees it: not counting what others took in secret (P2.1)."""
    if seat is None:
        return state["supply"]
    return state["supply"] + state["took"].sum(axis=0) - state["took"][seat]


def _screened(state: State, p: int, seat: int | None) -> bool:
    """Whether a seat sees a borough as it was before the secret builds."""
    return seat is not None and p != seat and secret(state)


def _question(state: State, seat: int | None) -> str:
    """The question, or that it is hidden from this seat; at the end the winners."""
    if state["ask"] == Ask.OVER:
        return _winners(state)
    return behind_a_screen(state) if hidden(state, seat) else wording.question(state)


def behind_a_screen(state: State) -> str:
    """What others see of a player who builds in secret."""
    early = state["phase"] == Phase.SETUP
    return _("places City Hall in secret") if early else _("builds behind a screen")


def _view(state: State, p: int, seat: int | None, name: str) -> panels.View:
    """The view of one borough."""
    over = state["ask"] == Ask.OVER
    return panels.View(
        state,
        p,
        seen(state, seat)[p],
        _screened(state, p, seat),
        promises=seat is None or seat == p or bool(over),
        name=name,
        spots=() if hidden(state, seat) else tuple(_spots(state, p)),
        kept=tuple(points for _, points in promise_points(state, p)) if over else (),
        score=_score(state, p) if over else "",
        won=bool(over) and _result(state)[1][p] == 0,
    )  # fmt: skip


_ABOUT_A_PERSON: Final = (Ask.MOVE, Ask.ABROAD, Ask.TRADE, Ask.TAKE_FROM)


def _spots(state: State, p: int) -> list[int]:
    """The spaces of a borough that the question is about."""
    ask = Ask(int(state["ask"]))
    if ask in _ABOUT_A_PERSON and state["asked_borough"] == p:
        return [int(state["space"])]
    if ask is Ask.WAY and state["seat"] == p:
        return [int(state["anchor"])]
    return []


def _result(state: State) -> tuple[list[int], list[int]]:
    """The scores and places (0 is first) of all seats."""
    results = batch.scores(np.array([state], STATE))
    scores, places = ([int(n) for n in row[0, : state["rules"]["players"]]] for row in results)
    return scores, places


def promise_points(state: State, p: int) -> list[tuple[str, int]]:
    """Every promise of a seat with the points it brings or costs."""
    record = np.array([state], STATE)[0]
    return [(str(BY_NUMBER[number].name), points) for number, points in ending.promise_points(record, p)]


def _score(state: State, p: int) -> str:
    """The place of a seat and the sum of its score; in solo the title is above it."""
    scores, places = _result(state)
    promised = sum(points for _, points in promise_points(state, p))
    pollution = int(state["borough"][p]["pollution"])
    parts = f"{scores[p] - promised + pollution} {'-' if promised < 0 else '+'} {abs(promised)} - {pollution}"
    total = f"{parts} = {scores[p]}"
    return total if len(scores) == 1 else _("place {n}: {sum}", n=places[p] + 1, sum=total)


def _winners(state: State) -> str:
    """The winners and their score."""
    scores, places = _result(state)
    if len(scores) == 1:
        title = wording.title(state, scores[0])
        return _("the game is over: {n} points, {title}", n=scores[0], title=title)
    first = [p for p, place in enumerate(places) if place == 0]
    if len(first) == 1:
        who = wording.seat_name(first[0])
        return _("the game is over: {who} wins with {n} points", who=who, n=scores[first[0]])
    names = both(map(wording.seat_name, first))
    return _("the game is over: {who} win with {n} points", who=names, n=scores[first[0]])
