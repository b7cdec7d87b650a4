"""What one seat may see of a game, as JSON: pictures of the boroughs, numbers, news, the question.

A state is read only through `seen`, `supply_seen`, `known` and the seat's own turn: a test plays
whole games with states that differ only in what is hidden, and compares every byte sent.
"""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.game import Game
from smallcity_env.history import Entered, History, merged
from smallcity_env.history.ending import progress_words
from smallcity_env.language import _, current, per_language
from smallcity_env.render import drawing, poster, town
from smallcity_env.render import pieces as icon
from smallcity_env.render.drawing import Group, Use
from smallcity_env.render.ground import ground
from smallcity_env.rules import actions
from smallcity_env.rules.tables import (
    COLUMNS,
    DEATH_LEVELS,
    ELIMINATED_AT,
    MATERIALS,
    SEATS,
    SIDE,
    Ask,
    Card,
    Material,
    Phase,
    Row,
    Victory,
)
from smallcity_env.rules.tables.cards import ADVANCE_COST, DIFFICULTIES, SPECIAL_WORTH
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.names import VICTORY_NAMES, board_title, card_name
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.shapes import WAYS
from smallcity_env.rules.tables.tiles import TILES, Kind
from smallcity_env.text import pieces as tile_words
from smallcity_env.text.grid import members
from smallcity_env.text.reasons import Refusals

from ..play import view as words
from ..play.questions import CARDS, PHASES
from ..play.turn import Turn, turn
from .placing import PLACED, placements

PICTURES: Final = 1000  # kept
WALKS: Final = 8  # of godzillas sent at most


class Picture(NamedTuple):
    """A drawn borough."""

    svg: str
    symbols: dict[str, str]  # that it uses: their definitions by name


_pictures: dict[bytes, Picture] = {}
_drawing = threading.Lock()  # replays are drawn in threads


def table_view(
    game: Game, viewer: int | None, history: History, players: Sequence[str], undo: str = ""
) -> dict[str, Any]:
    """A game as a viewer sees it, who calls the players by these names; None sees everything."""
    state, until = game.state, len(game.log)
    seen = poster.seen(state, viewer)
    drawn = [picture(state, b, p) for p, b in enumerate(seen)]
    asked = not game.over and viewer is not None and game.seat == viewer
    return {
        "you": viewer,
        "over": game.over,
        "round": game.round,
        "rounds": int(state["rules"]["rounds"]),
        "phase": int(state["phase"]),
        "title": _title(game),
        "asked": -1 if game.over else game.seat,
        "host": int(state["host"]),
        "boroughs": [_borough(state, b, p, viewer, drawn[p]) for p, b in enumerate(seen)],
        "symbols": {name: svg for one in drawn for name, svg in one.symbols.items()},
        "scores": [int(n) for n in batch.visible_scores(game.states)[0, : len(seen)]],
        "circle": [int(card) for card in Card if card and state["circle"][card]],
        "supply": [int(n) for n in _supply(state, viewer)],
        "markers": int(state["markers"]),
        "players": list(players),
        "walks": [list(walk) for walk in history.walks if walk.number < until][-WALKS:],
        "roll": next((list(roll) for roll in reversed(history.rolls) if roll.number < until), None),
        "log": [_line(one, players) for one in merged(history.known(viewer, state, until))],
        "turn": _turn(game, undo) if asked else None,
        "result": result(game) if game.over else None,
    }


def _supply(state: Any, viewer: int | None) -> Any:
    """The supply of tiles; a watcher sees it as it was before the secret builds."""
    if viewer is not None and viewer < 0:
        return state["supply"] + state["took"].sum(axis=0)
    return poster.supply_seen(state, viewer)


def _title(game: Game) -> str:
    phase, rounds = str(PHASES[Phase(game.phase)]), game.state["rules"]["rounds"]
    return (
        _("Round {n} of {rounds} · {phase}", n=game.round, rounds=rounds, phase=phase)
        if game.round
        else phase
    )


def _line(one: Entered, players: Sequence[str]) -> list[Any]:
    """A line of the log: round, phase, seat, what happened, and what it changed."""
    return [one.round_no, int(one.phase), one.line.seat, one.line.words(players), one.line.gains]


# -- boroughs


def _borough(state: Any, b: Any, p: int, viewer: int | None, drawn: Picture) -> dict[str, Any]:
    """A borough as it is seen."""
    over = state["ask"] == Ask.OVER
    screened = viewer is not None and p != viewer and poster.secret(state)
    return {
        "board": board_title(Board(int(state["rules"]["board"][p]))),
        "votes": int(b["votes"]),
        "money": int(b["money"]),
        "pollution": int(b["pollution"]),
        "career": int(b["career"]),
        "reserve": int(state["reserve"][p]),
        "size": int(b["zone_side"]),
        "out": int(b["out"]),
        "powered": bool(b["powered"]),
        "card": int(b["card"]),
        "council": [int(n) for n in b["council"]],
        "materials": [int(np.bitwise_count(b["materials"][m]).sum()) for m in range(MATERIALS)],
        "screened": screened,
        "promises": list(_promises(state, p, open_=bool(over) or viewer is None or viewer == p)),
        "tiles": [list(tile) for tile in _tiles(b)],
        "people": [list(person) for person in _people(b)],
        "radiation": members(b["markers"]),
        "graves": members(b["cemetery"]),
        "godzilla": members(b["godzilla"]),
        "mayor": members(b["mayor"]),
        "goods": [[space, m] for m in range(MATERIALS) for space in members(b["materials"][m])],
        "svg": drawn.svg,
    }


def _promises(state: Any, p: int, open_: bool) -> Iterator[dict[str, Any]]:
    """The promises of a seat; of secret ones only the points."""
    b = state["borough"][p]
    for which, worth in (("promise", DIFFICULTIES[int(b["difficulty"])]), ("special", SPECIAL_WORTH)):
        if number := int(b[which]):
            promise = BY_NUMBER[number]
            told = words.promise_words(promise) if open_ else ""
            brief = words.promise_brief(promise) if open_ else ""
            progress = progress_words(state, p, number) if open_ else ""
            yield {"worth": int(worth), "words": told, "brief": brief, "progress": progress}


def _tiles(b: Any) -> Iterator[tuple[int, list[int]]]:
    """Every tile: its kind and its spaces."""
    for first in members(b["firsts"]):
        cells = WAYS[int(b["way"][first])]
        yield int(b["kind"][first]), [first + SIDE * row + col for row, col in cells]


def _people(b: Any) -> Iterator[tuple[int, int, bool]]:
    """All people on spaces: the space, the colour, and whether they have worked."""
    worked = set(members(b["worked"]))
    for colour in range(SEATS):
        for space in members(b["citizens"][colour]):
            yield space, colour, space in worked


def _groups(state: Any, b: Any, p: int) -> tuple[Group, ...]:
    """The picture of a borough; its symbols are sent separately."""
    board = Board(int(state["rules"]["board"][p]))
    return (
        Group((Use(ground(board, int(b["zone_side"])), 0, 0),)),
        Group((*town.plants(b), *town.tiles(b))),
        Group(town.things(state, b, p)),
    )


def picture(state: Any, b: Any, p: int) -> Picture:
    """The picture of a borough; the latest are cached, since most boroughs stay as they are."""
    shown = (p, state["rules"]["board"][p], state["pilgrim"], state["pilgrim_of"])
    key = current().encode() + b" %d %d %d %d " % shown + b.tobytes()
    with _drawing:
        drawn = _pictures.pop(key, None) or _draw(_groups(state, b, p))
        _pictures[key] = drawn
        while len(_pictures) > PICTURES:
            del _pictures[next(iter(_pictures))]
    return drawn


def _draw(groups: tuple[Group, ...]) -> Picture:
    symbols = {symbol.name: symbol for symbol in drawing.symbols_in(groups)}
    return Picture(
        "".join(map(drawing.write, groups)),
        {name: drawing.define(symbol) for name, symbol in symbols.items()},
    )


# -- the question


def _turn(game: Game, undo: str) -> dict[str, Any]:
    """The turn of the seat being asked."""
    asked = turn(game, undo)
    return {
        "seat": asked.seat,
        "ask": asked.ask.name,
        "question": asked.question,
        "help": asked.help,
        "count": asked.count,
        "about": {
            "seat": asked.about.seat,
            "spaces": list(asked.about.spaces),
            "kind": int(asked.about.kind),
        },
        "board": words.asked_about(game.state, asked.seat),
        "answers": [_answer(game, answer) for answer in asked.answers],
        "tray": _tray(game, asked) if asked.ask is Ask.WHAT else [],
        "placements": placements(game) if asked.ask in PLACED and game.legal()[0] < actions.BUILD else [],
        "movers": [
            {"where": m.where, "space": m.space, "goals": list(m.goals), "abroad": m.abroad}
            for m in asked.movers
        ],
        "tourists": asked.tourists,
        "undo": asked.undo,
    }


def _answer(game: Game, answer: Any) -> dict[str, Any]:
    """An answer with the space it names, if it names one."""
    label = answer.label[:1].upper() + answer.label[1:]
    card = Card(int(actions.CARD_OF[answer.action])) or None
    return {
        "action": answer.action,
        "name": actions.name(answer.action),
        "label": label,
        "effect": answer.effect,
        "follows": answer.follows,
        "space": answer.action if answer.action < actions.BUILD else None,
        "card": None if card is None else [int(card), str(CARDS[card])],
    }


def _tray(game: Game, asked: Turn) -> list[dict[str, Any]]:
    """Every build of this game: its cost, and the reason if it is not possible now."""
    why = Refusals(game.state)
    offered = {a.action: a.effect for a in asked.answers if actions.KIND_OF[a.action]}
    tray = {**dict.fromkeys(offered, ""), **{r.action: r.reason for r in asked.refused}}
    return [
        _slot(action, reason, offered.get(action, ""), why)
        for action, reason in sorted(tray.items())
        if actions.KIND_OF[action]
    ]


def _slot(action: int, reason: str, effect: str, why: Refusals) -> dict[str, Any]:
    kind = Kind(int(actions.KIND_OF[action]))
    upgrade = actions.UPGRADE <= action < actions.ENLARGE
    money, materials = why.price(kind)
    return {
        "action": action,
        "kind": int(kind),
        "upgrade": upgrade,
        "reason": reason,
        "effect": effect,
        "money": money,
        "materials": materials,
    }


# -- the end


def result(game: Game) -> dict[str, Any]:
    """The final sum of every seat: victory condition, promises, pollution, score, place."""
    places = {p: place for place, tied in enumerate(game.ranking()) for p in tied}
    return {
        "victory": str(VICTORY_NAMES[Victory(int(game.state["rules"]["victory"]))]),
        "title": game.title() if game.config.players == 1 else "",
        "seats": [
            {
                "score": score,
                "place": places[p],
                "pollution": int(game.state["borough"][p]["pollution"]),
                "promises": [[name, points] for name, points in poster.promise_points(game.state, p)],
                "out": int(game.state["borough"][p]["out"]),
            }
            for p, score in enumerate(game.scores())
        ],
    }


@per_language
def pieces() -> dict[str, Any]:
    """Every kind of tile with its rules, the cards, and the symbols of the pictures."""
    icons = [icon.ballot(), icon.coin(), icon.smoke(), icon.mayor(), icon.godzilla(), icon.radiation()]
    icons += [icon.material(material) for material in Material] + [icon.citizen(p) for p in range(SEATS)]
    tiles = {kind: town.tile_drawing(kind) for kind in Kind if kind}
    used = [*(Use(symbol, 0, 0) for symbol in icons), *tiles.values()]
    return {
        "kinds": {int(kind): _piece(kind, drawn) for kind, drawn in tiles.items()},
        "symbols": {symbol.name: drawing.define(symbol) for symbol in drawing.symbols_in(used)},
        "cards": {int(card): [card_name(card), str(CARDS[card])] for card in Card if card},
        "council": [[words.reward(row, column) for column in range(1, COLUMNS + 1)] for row in Row],
        "cost": [int(cost) for cost in ADVANCE_COST[1:]],
        "legend": _legend(),
        "phases": [str(PHASES[phase]) for phase in Phase],
        "deaths": [int(level) for level in DEATH_LEVELS],
        "eliminated": ELIMINATED_AT,
    }


def _piece(kind: Kind, drawn: Use) -> dict[str, Any]:
    """A kind of tile."""
    return {
        "title": tile_words.title(kind),
        "about": tile_words.about(kind),
        "symbol": drawn.symbol.name,
        "cells": [list(cell) for cell in town.first_way(kind)],
        "family": int(TILES[kind]["family"]),
        "level": int(TILES[kind]["level"]),
        "plant": bool(TILES[kind]["plant"]),
    }


def _legend() -> list[tuple[str, str]]:
    """What the signs mean, each with the name of its picture, or its letter."""
    shops = zip("abcd", words.SHOPS, strict=True)
    return [
        ("votes", _("votes")),
        ("money", _("money")),
        ("pollution", _("pollution: {level} ends the game for a player", level=ELIMINATED_AT)),
        ("wood", _("wood, the first space of a factory")),
        ("stone", _("stone, the second space")),
        ("metal", _("metal, the third space")),
        *((letter, gain.fill(tile=_("Shop"))) for letter, gain in shops),
        ("radiation", _("Radiation: the space cannot be used")),
    ]
