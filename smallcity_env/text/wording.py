"""Questions and answers in words for people."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..language import _, lazy, ngettext
from ..rules import actions
from ..rules.actions import space_name
from ..rules.phases import QUESTION
from ..rules.tables import SIDE, Ask, Card, Material, Pay, Row, Store, Way
from ..rules.tables.cards import (
    ADVANCE_COST,
    DIFFICULTIES,
    RECALLED,
    SCALE,
    SUPPORT_MONEY,
    SUPPORT_VOTES,
    TRADE_MONEY,
    TRADE_VOTES,
)
from ..rules.tables.names import MATERIAL_NAMES, ROW_NAMES, WAY_NAMES, card_name, tile_name, tile_title
from ..rules.tables.shapes import WAYS, WAYS_OF
from ..rules.tables.tiles import TILES, Kind

_FROM = {
    Store.WAREHOUSE: lazy("take it from a Warehouse"),
    Store.CITY_HALL: lazy("take it from City Hall"),
    Store.PLAIN: lazy("take it from a plain space"),
}
_INTO = {
    Store.WAREHOUSE: lazy("store it in a Warehouse"),
    Store.CITY_HALL: lazy("store it in City Hall"),
    Store.PLAIN: lazy("store it on a plain space"),
}
_STORES = {
    Store.WAREHOUSE: lazy("store warehouse"),
    Store.CITY_HALL: lazy("store city-hall"),
    Store.PLAIN: lazy("store plain"),
}
_PAYS = {Pay.MONEY: lazy("pay money"), Pay.VOTES: lazy("pay votes"), Pay.NOTHING: lazy("pay nothing")}
_SINGLE = {
    actions.ENLARGE: lazy("enlarge"),
    actions.CLEAN: lazy("clean"),
    actions.OLD_EFFECT: lazy("old-effect"),
    actions.YES: lazy("yes"),
    actions.NO: lazy("no"),
}
_ENGINEER = {
    actions.CLEAN: lazy("remove Radiation"),
    actions.OLD_EFFECT: lazy("clean production this round"),
}
_UNASKED = {Ask.NONE: lazy("the game runs on"), Ask.OVER: lazy("the game is over")}


def question(state: Any) -> str:
    """The question being asked, in brief."""
    ask = Ask(state["ask"])
    return str(_UNASKED.get(ask) or QUESTION[ask].brief.fill(**details(state)))


def title(state: Any, score: int) -> str:
    """Solo: the title a score earns (SO1)."""
    reached = [name for least, name in SCALE if score >= least]
    return str(reached[-1] if reached and not state["borough"][0]["out"] else RECALLED)


def shown(action: int, tile_words: Callable[[Kind], str] = tile_name) -> str:
    """An action as people type it: in English its name; `tile_words` names its tile otherwise."""
    if action in _SINGLE:
        return str(_SINGLE[action])
    if kind := Kind(int(actions.KIND_OF[action])):
        tile, upgrade = tile_words(kind), actions.UPGRADE <= action < actions.ENLARGE
        return _("upgrade {tile}", tile=tile) if upgrade else _("build {tile}", tile=tile)
    if card := actions.CARD_OF[action]:
        return _("card {card}", card=card_name(Card(int(card))))
    first, words = max((block for block in _BLOCKS.items() if block[0] <= action), key=lambda block: block[0])
    return words(action - first)


_BLOCKS: dict[int, Callable[[int], str]] = {
    actions.AT: lambda n: _("at {space}", space=space_name(n)),
    actions.WAY: lambda n: _("way {n}", n=n + 1),
    actions.HEADING: lambda n: str(WAY_NAMES[Way(n)]),
    actions.ROW: lambda n: _("row {row}", row=ROW_NAMES[Row(n)]),
    actions.MATERIAL: lambda n: str(MATERIAL_NAMES[Material(n)]),
    actions.PROMISE: lambda n: _("promise {points}", points=DIFFICULTIES[n]),
    actions.SEAT: lambda n: _("seat {p}", p=n),
    actions.PAY: lambda n: str(_PAYS[Pay(n)]),
    actions.STORE: lambda n: str(_STORES[Store(n)]),
}


_called: ContextVar[Sequence[str]] = ContextVar("called", default=())


@contextmanager
def calling(names: Sequence[str]) -> Iterator[None]:
    """Call the players by these names within a block; other threads and tasks keep theirs."""
    token = _called.set(names)
    try:
        yield
    finally:
        _called.reset(token)


def seat_name(p: int) -> str:
    """Who has a seat, or the seat by its number."""
    names = _called.get()
    return names[p] if names else _("seat {p}", p=p)


def describe(state: Any, action: int) -> str:
    """What an action means at this question, in words."""
    row = QUESTION[Ask(state["ask"])]
    words = details(state)
    if action < actions.BUILD:
        return row.at.fill(space=space_name(action), **words)
    if action == actions.NO:
        return row.no.fill(**words)
    if action == actions.YES:
        return str(row.yes)
    return _other(state, row.ask, action)


def parse(state: Any, legal: Iterable[int], text: str) -> int:
    """The action a text names: any action by its name, a legal one also in the words of `describe`."""
    try:
        return actions.parse(text)
    except actions.UnknownAction:
        words = normalised(text)
        for action in legal:
            if words in (normalised(describe(state, action)), normalised(shown(action))):
                return action
        raise


def normalised(text: str) -> str:
    """A text normalised for comparison: case, accents and white space do not matter."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("\u2019", "'"))
    return " ".join("".join(char for char in plain if not unicodedata.combining(char)).split())


def details(state: Any) -> dict[str, str]:
    """The values that the texts of questions can mention."""
    return {
        "tile": tile_title(Kind(state["kind"])),
        "here": space_name(int(state["space"])),
        "anchor": space_name(int(state["anchor"])),
        "destination": seat_name(int(state["destination"])),
        "host": seat_name(int(state["host"])),
        "product": str(MATERIAL_NAMES[Material(state["product"])]),
        "row": str(ROW_NAMES[Row(int(state["council_row"]))]),
        "room": ngettext("{n} space", "{n} spaces", int(state["council_size"])),
        "steps": ngettext("{n} step", "{n} steps", int(state["steps_left"])),
        "die": str(int(state["die"][state["seat"]])),
    }


def _other(state: Any, ask: Ask, action: int) -> str:
    """The words for answers other than a space, yes or no."""
    if ask in (Ask.WAY, Ask.STREET_WAY, Ask.SPEECH_WAY):
        return _("on {spaces}", spaces=covered(state, ask, action - actions.WAY))
    if ask is Ask.ENGINEER:
        return str(_ENGINEER[action])
    if ask is Ask.SUPPORT:
        if action == actions.PAY + Pay.MONEY:
            return _("${n} at once", n=SUPPORT_MONEY)
        return ngettext("{n} vote at once", "{n} votes at once", SUPPORT_VOTES)
    if ask is Ask.ROW:
        return _("advance in the row {row}", row=ROW_NAMES[Row(action - actions.ROW)])
    if ask is Ask.PAY:
        column = int(state["borough"][state["seat"]]["council"][state["council_row"]]) + 1
        return _payment(Pay(action - actions.PAY), column)
    if ask is Ask.TRADE:
        return _trade(state, action - actions.MATERIAL)
    if ask is Ask.TAKE_FROM:
        return str(_FROM[Store(action - actions.STORE)])
    if ask is Ask.STORE and action >= actions.STORE:
        return str(_INTO[Store(action - actions.STORE)])
    if ask is Ask.MOVE:
        here, host = space_name(int(state["space"])), seat_name(action - actions.SEAT)
        return _("the citizen at {here} goes abroad to {host}", here=here, host=host)
    return shown(action, tile_title)


def covered(state: Any, ask: Ask, way: int) -> str:
    """The names of the spaces a tile covers when laid this way round."""
    return " ".join(map(space_name, covered_spaces(state, ask, way)))


def covered_spaces(state: Any, ask: Ask, way: int) -> list[int]:
    """The spaces a tile covers when laid this way round."""
    if ask is Ask.WAY:
        first, cells = state["anchor"], WAYS[TILES[state["kind"]]["way"][way]]
    else:
        first, cells = state["space"], WAYS[WAYS_OF["I2"][way]]
    return [int(first) + SIDE * row + col for row, col in cells]


def _payment(pay: Pay, column: int) -> str:
    """How an advance to a column of the council is paid (P7.2)."""
    price = int(ADVANCE_COST[column])
    if pay is Pay.MONEY:
        return _("pay ${n} for column {column}", n=price, column=column)
    if pay is Pay.VOTES:
        return ngettext(
            "pay {n} vote for column {column}", "pay {n} votes for column {column}", price, column=column
        )
    return _("pay nothing for column {column}", column=column)


def _trade(state: Any, material: int) -> str:
    """What a trade brings: money on a space b, votes on a space d (P4.2)."""
    there = state["borough"][state["asked_borough"]]
    first = there["first"][state["space"]]
    cells = [int(first) + SIDE * row + col for row, col in WAYS[there["way"][first]]]
    name = MATERIAL_NAMES[Material(material)]
    if cells.index(int(state["space"])) == 1:
        return _("trade {material} for ${n}", material=name, n=TRADE_MONEY[material])
    return ngettext(
        "trade {material} for {n} vote",
        "trade {material} for {n} votes",
        int(TRADE_VOTES[material]),
        material=name,
    )
