"""The panel of a player: name, tracks, card, people, materials, discs and promises."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final, NamedTuple

import numpy as np

from ..language import _, lazy
from ..rules.tables import DEATH_LEVELS, ELIMINATED_AT, MATERIALS, ROWS, Ask, Card, Material
from ..rules.tables.cards import DIFFICULTIES
from ..rules.tables.maps import Board
from ..rules.tables.names import board_name, card_name
from ..rules.tables.promises import BY_NUMBER
from ..text.grid import members
from . import colours as c
from . import pieces, town
from .drawing import Circle, Group, Item, Symbol, Text, Use, box, line
from .ground import MAP, ground

WIDTH: Final = 632
HEIGHT: Final = 474
_MAP_X, _MAP_Y = 30, 58
_SIDE_X: Final = _MAP_X + MAP + 18  # the column of numbers
_SIDE_WIDTH: Final = WIDTH - _SIDE_X - 14


class View(NamedTuple):
    """What the picture of one borough shows: the game, the seat, the borough, and what is visible of it."""

    state: Any
    p: int
    b: np.void
    screened: bool  # whether the viewer sees it as it was before the secret builds
    promises: bool  # whether the viewer may know them
    name: str = ""  # of the player
    spots: tuple[int, ...] = ()  # the spaces the question is about
    kept: tuple[int, ...] = ()  # at the end of the game: the points of each promise
    score: str = ""  # and the sum
    won: bool = False


def panel(view: View, x: float, y: float) -> Iterator[Group]:
    """The groups of a panel: frame, ground, tiles, things and numbers, each with a name."""
    name, at = f"seat-{view.p}", (x + _MAP_X, y + _MAP_Y)
    board = Board(int(view.state["rules"]["board"][view.p]))
    b = view.b
    yield Group(tuple(_frame(view)), x, y, f"{name}-frame")
    yield Group((Use(ground(board, int(b["zone_side"])), 0, 0),), *at, f"{name}-ground")
    yield Group((*town.plants(b), *town.tiles(b)), *at, f"{name}-tiles")
    things = (*town.things(view.state, b, view.p), *chain.from_iterable(map(town.spotlight, view.spots)))
    yield Group(things, *at, f"{name}-things")
    yield Group(tuple(_veil(view)), *at, f"{name}-screen")
    yield Group(tuple(_numbers(view)), x, y, f"{name}-numbers")


def _frame(view: View) -> Iterator[Item]:
    """The panel itself, in the seat's colour while it is asked, with the name of seat and board."""
    p = view.p
    asked = view.state["seat"] == p and view.state["ask"] != Ask.OVER
    yield box(2, 4, WIDTH, HEIGHT, c.SHADE, 14)
    yield box(0, 0, WIDTH, HEIGHT, c.CARD, 14, c.SEAT_FACES[p] if asked else c.SHADE, 4 if asked else 1.5)
    yield Circle(_SIDE_X + 15, 30, 15, c.SEAT_FACES[p], c.SEAT_LINES[p], 1.5)
    yield Text(_SIDE_X + 15, 36.5, str(p), 18, c.SEAT_TEXTS[p], "middle", bold=True)
    if not view.name:
        yield Text(_SIDE_X + 38, 29, _("Seat {p}", p=p), 17, c.INK, bold=True)
    board = board_name(Board(int(view.state["rules"]["board"][p]))).replace("-", " ")
    yield Text(_SIDE_X + 38, 43, board, 11, c.SOFT_INK)
    if view.name:
        yield Text(_MAP_X, 17, view.name, 13, c.SEAT_LINES[p], bold=True)
    if view.state["host"] == p:
        yield Use(pieces.mayor(), WIDTH - 24, 34, 1.1)


def _veil(view: View) -> Iterator[Item]:
    """The veil over a borough that is eliminated or behind a screen."""
    if view.b["out"]:
        yield box(0, 0, MAP, MAP, "#3a3a3f", 8, alpha=0.55)
        yield box(MAP / 2 - 130, MAP / 2 - 26, 260, 52, c.ALARM, 10)
        words = _("Out in round {n}", n=view.b["out"])
        yield Text(MAP / 2, MAP / 2 + 8, words, 24, c.WHITE, "middle", bold=True)
    if view.screened:
        yield box(0, -36, 190, 17, c.INK, 8, alpha=0.85)
        yield Text(95, -24, _("behind its screen: as last shown"), 10.5, c.WHITE, "middle")


# -- the column of numbers


def _numbers(view: View) -> Iterator[Item]:
    """Tracks, card, people, materials, discs, promises."""
    b = view.b
    yield from _big(56, pieces.ballot(), _("votes"), int(b["votes"]))
    yield from _big(90, pieces.coin(), _("money"), int(b["money"]))
    yield from _big(124, pieces.smoke(), _("pollution"), int(b["pollution"]))
    yield from _pollution_bar(158, int(b["pollution"]))
    yield from _card(188, int(b["card"]))
    yield from _people(230, view)
    yield from _goods(292, b)
    yield from _discs(330, view)
    yield from _promises(404, view)


def _big(y: float, sign: Symbol, word: str, value: int) -> Iterator[Item]:
    """One track: its icon, its name and a large number."""
    yield Use(sign, _SIDE_X + 12, y + 15, 1.1)
    yield Text(_SIDE_X + 30, y + 19.5, word, 12.5, c.SOFT_INK)
    yield Text(_SIDE_X + _SIDE_WIDTH, y + 24, str(value), 26, c.INK, "end", bold=True)


def _pollution_bar(y: float, level: int) -> Iterator[Item]:
    """The pollution bar, with the levels at which citizens die."""
    yield box(_SIDE_X, y, _SIDE_WIDTH, 8, "#e6dfd0", 4)
    if level > 0:
        part = min(level, ELIMINATED_AT) / ELIMINATED_AT * _SIDE_WIDTH
        yield box(_SIDE_X, y, max(part, 8), 8, c.ALARM if level >= DEATH_LEVELS[-1] else "#6d6d75", 4)
    for death in DEATH_LEVELS:
        x = _SIDE_X + death / ELIMINATED_AT * _SIDE_WIDTH
        yield line([(x, y - 2), (x, y + 10)], c.INK, 1.2)
        yield Text(x, y + 19, str(death), 8, c.SOFT_INK, "middle")


def _card(y: float, card: int) -> Iterator[Item]:
    """The action card taken this round."""
    yield Text(_SIDE_X, y + 13, _("card"), 11, c.SOFT_INK)
    if card:
        word = card_name(Card(card)).capitalize()
        yield box(_SIDE_X + 36, y - 2, _SIDE_WIDTH - 36, 22, "#efe3c4", 6, "#c9b785", 1)
        middle = _SIDE_X + 36 + (_SIDE_WIDTH - 36) / 2
        yield Text(middle, y + 13.5, word, 12, c.INK, "middle", bold=True)
    else:
        yield Text(_SIDE_X + _SIDE_WIDTH, y + 13, _("none yet"), 11, c.FAINT, "end")


def _people(y: float, view: View) -> Iterator[Item]:
    """Citizens in the borough, abroad, in the Career Center, in the reserve, dead."""
    state, b, p = view.state, view.b, view.p
    home = len(members(b["citizens"][p])) + int(b["riders"][p])
    counts = [
        (_("in the borough"), home),
        (_("Career Center"), int(b["career"])),
        (_("reserve"), int(state["reserve"][p])),
        (_("dead"), len(members(b["cemetery"]))),
    ]
    yield Use(pieces.citizen(p), _SIDE_X + 11, y + 21, 1.15)
    for i, (word, count) in enumerate(counts):
        yield Text(_SIDE_X + 30, y + 5 + 15 * i, word, 11, c.SOFT_INK)
        yield Text(_SIDE_X + _SIDE_WIDTH, y + 5 + 15 * i, str(count), 12, c.INK, "end", bold=True)


def _goods(y: float, b: np.void) -> Iterator[Item]:
    """The amount of each material in the borough."""
    step = _SIDE_WIDTH / MATERIALS
    for kind in range(MATERIALS):
        x = _SIDE_X + step * kind
        count = len(members(b["materials"][kind]))
        yield Use(pieces.material(Material(kind)), x + 10, y + 12, 0.95)
        yield Text(x + 24, y + 17, str(count), 13, c.INK if count else c.FAINT, bold=True)


def _discs(y: float, view: View) -> Iterator[Item]:
    """The positions of the council discs."""
    b = view.b
    yield Text(_SIDE_X, y + 6, _("council"), 11, c.SOFT_INK)
    for row in range(ROWS):
        x, top = _SIDE_X + 6 + (row % 2) * 68, y + 22 + 24 * (row // 2)
        column = int(b["council"][row])
        ink = c.SEAT_FACES[view.p] if column else "#e6dfd0"
        yield Circle(x, top, 8, ink, c.SEAT_LINES[view.p] if column else c.FAINT, 1)
        if column:
            yield Text(x, top + 4, str(column), 11, c.SEAT_TEXTS[view.p], "middle", bold=True)
        yield Text(x + 12, top + 4, str(SHORT_ROWS[row]), 10, c.INK if column else c.FAINT)


SHORT_ROWS: Final = (lazy("finance"), lazy("supplies"), lazy("building"), lazy("tourism"))


def _promises(y: float, view: View) -> Iterator[Item]:
    """The promises, or only their worth if they are secret; at the end what they brought, and the score."""
    lines = list(_promise_words(view))
    for i, (name, worth) in enumerate(lines):
        broken, hidden = bool(view.kept) and view.kept[i] <= 0, not view.promises
        face, edge = ("#f7dfdc", c.ALARM) if broken else ("#e9eef5", "#b7c3d6")
        yield box(_SIDE_X, y + 23 * i, _SIDE_WIDTH, 20, face, 6, edge, 1)
        yield Text(_SIDE_X + 7, y + 14 + 23 * i, name, 11, c.SOFT_INK if hidden else c.INK)
        yield Text(_SIDE_X + _SIDE_WIDTH - 7, y + 14 + 23 * i, worth, 11, c.INK, "end", bold=True)
    if view.score:
        yield box(_SIDE_X, y + 46, _SIDE_WIDTH, 20, c.GOLD if view.won else c.SHADE, 6)
        size = min(11.5, 250 / len(view.score))  # a long sum still fits
        yield Text(_SIDE_X + _SIDE_WIDTH / 2, y + 60.5, view.score, size, c.INK, "middle", bold=True)


def _promise_words(view: View) -> Iterator[tuple[str, str]]:
    """The name and worth of each promise; at the end whether it was kept, and its points."""
    own = view.state["borough"][view.p]
    numbers = [int(own[which]) for which in ("promise", "special") if own[which]]
    if view.kept:
        yield from ((str(BY_NUMBER[n].name), _verdict(p)) for n, p in zip(numbers, view.kept, strict=True))
        return
    if own["promise"]:
        worth = str(DIFFICULTIES[int(own["difficulty"])])
        name = str(BY_NUMBER[int(own["promise"])].name) if view.promises else _("secret promise")
        yield name, worth
    if own["special"]:
        special = BY_NUMBER[int(own["special"])]
        yield str(special.name) if view.promises else _("secret special"), str(special.worth)


def _verdict(points: int) -> str:
    """Whether a promise was kept, and its points."""
    gained = f"{points:+}"
    return _("kept {points}", points=gained) if points > 0 else _("broken {points}", points=gained)
