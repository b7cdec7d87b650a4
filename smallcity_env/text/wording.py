"""What an answer would mean at this question, in words for people."""

from collections.abc import Iterable
from typing import Any

from ..rules import actions
from ..rules.actions import space_name
from ..rules.tables import SIDE, Ask, Material, Row, Store
from ..rules.tables.cards import ADVANCE_COST, RECALLED, SCALE, TRADE_MONEY, TRADE_VOTES
from ..rules.tables.shapes import WAYS
from ..rules.tables.tiles import NAMES, TILES, Kind

_SPACE_MEANS = {
    Ask.WHERE: "lay the {tile} with its first space on {space}",
    Ask.STREET: "the Mayor's street begins at {space}",
    Ask.SPEECH: "the Mayor stands on {space} and the space beside it",
    Ask.MOVE: "the citizen at {here} goes to {space}",
    Ask.ABROAD: "the citizen at {here} goes to {space} in the borough of seat {abroad}",
    Ask.HOME: "a citizen of City Hall moves in at {space}",
    Ask.DIES: "the citizen at {space} dies",
    Ask.GRAVE: "he is buried at {space}",
    Ask.CLEAN: "remove the marker at {space}",
    Ask.REVIVE: "the citizen buried at {space} gets up",
    Ask.STONE: "the mountain stone goes to {space}",
    Ask.PARK_GROWS: "the park grows onto {space}",
    Ask.PILGRIM: "the citizen at {space} becomes the Pilgrim",
    Ask.ARRIVE: "the godzilla appears at {space}",
    Ask.ARRIVE_BESIDE: "... and at {space}",
    Ask.LEAVE: "the godzilla leaves by {space}",
}
_NO_MEANS = {
    Ask.WHAT: "build no more",
    Ask.MOVE: "the citizen at {here} stays",
    Ask.HOME: "nobody else leaves City Hall",
    Ask.TRADE: "no trade",
    Ask.ROW: "advance no disc",
    Ask.DOCTOR: "no Doctor, only citizens",
    Ask.SALARY: "the Doctor leaves",
}
_FROM = {Store.WAREHOUSE: "a Warehouse", Store.CITY_HALL: "City Hall", Store.PLAIN: "a plain space"}
_YES_MEANS = {Ask.DOCTOR: "a Doctor instead of one citizen", Ask.SALARY: "pay the Doctor"}


_QUESTIONS = {
    Ask.NONE: "the game runs on",
    Ask.DIFFICULTY: "a promise worth 6, 12 or 18?",
    Ask.WHAT: "what to build?",
    Ask.WHERE: "where to lay the {tile}?",
    Ask.WAY: "which way round does the {tile} at {anchor} lie?",
    Ask.STREET: "which street of seat {host} for the Mayor's parade?",
    Ask.STREET_WAY: "which way does the Mayor's street at {here} go?",
    Ask.CARD: "which action card?",
    Ask.SUPPORT: "money or votes from the Supporter?",
    Ask.MOVE: "where does the citizen at {here} go?",
    Ask.ABROAD: "which space of seat {abroad} for the Tourist?",
    Ask.HOME: "does a citizen leave City Hall for a home?",
    Ask.TRADE: "which material to trade at {here}?",
    Ask.TAKE_FROM: "where does the traded {product} come from?",
    Ask.PRODUCT: "which product to store first?",
    Ask.STORE: "the {product}: to a Warehouse or to City Hall?",
    Ask.TOURIST: "whose product comes home first?",
    Ask.DIES: "which citizen dies?",
    Ask.GRAVE: "where is he buried?",
    Ask.ROW: "in which row of the council does a disc advance?",
    Ask.PAY: "pay the council with money or votes?",
    Ask.SPEECH: "where in City Hall does the Mayor speak?",
    Ask.SPEECH_WAY: "which way does the Mayor stand?",
    Ask.ENGINEER: "the Engineer: clean, or the old effect?",
    Ask.CLEAN: "which Radiation marker to remove?",
    Ask.DOCTOR: "a Doctor instead of a citizen?",
    Ask.SALARY: "pay the Doctor?",
    Ask.REVIVE: "who gets up from the dead?",
    Ask.STONE: "where does the mountain stone go?",
    Ask.PARK_GROWS: "where does the park grow?",
    Ask.PILGRIM: "who becomes the Pilgrim?",
    Ask.ARRIVE: "where does the godzilla appear?",
    Ask.ARRIVE_BESIDE: "... and on which other space?",
    Ask.LEAVE: "from which space does the godzilla walk off?",
    Ask.LEAVE_WAY: "which way does the godzilla walk?",
    Ask.TURN: "which way does the godzilla turn?",
    Ask.OVER: "the game is over",
}


def question(state: Any) -> str:
    """The question being asked, in words."""
    words = {
        "tile": NAMES[Kind(state["kind"])],
        "here": space_name(int(state["space"])),
        "anchor": space_name(int(state["anchor"])),
        "abroad": str(int(state["row"])),
        "host": str(int(state["host"])),
        "product": Material(state["product"]).name.lower(),
    }
    return _QUESTIONS[Ask(state["ask"])].format(**words)


def title(state: Any, score: int) -> str:
    """Solo: what a score is worth on the scale (SO1)."""
    reached = [name for least, name in SCALE if score >= least]
    return reached[-1] if reached and not state["borough"][0]["out"] else RECALLED


def describe(state: Any, action: int) -> str:
    """The action in words, with what it refers to at this question."""
    ask = Ask(state["ask"])
    name = actions.name(action)
    words = _context(state, action)
    if action < actions.BUILD:
        meaning = _SPACE_MEANS.get(ask, "{space}")
    elif action == actions.NO:
        meaning = _NO_MEANS.get(ask, name)
    elif action == actions.YES:
        meaning = _YES_MEANS.get(ask, name)
    else:
        meaning = _other(state, ask, action, name)
    return meaning.format(**words)


def parse(state: Any, legal: Iterable[int], text: str) -> int:
    """The action a text names: any action by its name, a legal one also in the words of `describe`."""
    try:
        return actions.parse(text)
    except actions.UnknownAction:
        words = normalised(text)
        for action in legal:
            if normalised(describe(state, action)) == words:
                return action
        raise


def normalised(text: str) -> str:
    """A text as it is compared: case and white space do not matter."""
    return " ".join(text.lower().split())


def _context(state: Any, action: int) -> dict[str, str]:
    """The things a meaning can speak of."""
    return {
        "tile": NAMES[Kind(state["kind"])],
        "space": space_name(action) if action < actions.BUILD else "",
        "here": space_name(int(state["space"])),
        "abroad": str(int(state["row"])),
    }


def _other(state: Any, ask: Ask, action: int, name: str) -> str:
    """Answers that are neither a space nor yes or no."""
    if ask in (Ask.WAY, Ask.STREET_WAY, Ask.SPEECH_WAY):
        return f"{name}: {_covered(state, ask, action - actions.WAY)}"
    if ask is Ask.ROW:
        return f"advance in the row {Row(action - actions.ROW).name.lower()}"
    if ask is Ask.PAY:
        column = state["borough"][state["seat"]]["council"][state["row"]] + 1
        return f"{name}: {ADVANCE_COST[column]} for column {column}"
    if ask is Ask.TRADE:
        return _trade(state, action - actions.MATERIAL, name)
    if ask is Ask.TAKE_FROM:
        return f"take it from {_FROM[Store(action - actions.STORE)]}"
    if ask is Ask.MOVE:
        return "the citizen at {here} goes abroad to seat " + str(action - actions.SEAT)
    return name


def _covered(state: Any, ask: Ask, way: int) -> str:
    """The spaces a way round covers."""
    kind, first = (state["kind"], state["anchor"]) if ask is Ask.WAY else (Kind.LIBRARY, state["space"])
    cells = WAYS[TILES[kind]["way"][way]]
    return " ".join(space_name(int(first) + SIDE * row + col) for row, col in cells)


def _trade(state: Any, material: int, name: str) -> str:
    """What a trade brings: money on a space b, votes on a space d (P4.2)."""
    there = state["borough"][state["where_"]]
    first = there["first"][state["space"]]
    cells = [int(first) + SIDE * row + col for row, col in WAYS[there["way"][first]]]
    for_money = cells.index(int(state["space"])) == 1
    gain = f"${TRADE_MONEY[material]}" if for_money else f"{TRADE_VOTES[material]} votes"
    return f"trade {name} for {gain}"
