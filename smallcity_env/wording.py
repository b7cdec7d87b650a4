"""What an answer would mean at this question, in words for people."""

from typing import Any

from . import actions
from .actions import space_name
from .tables import SIDE, Ask, Row
from .tables.cards import ADVANCE_COST, TRADE_MONEY, TRADE_VOTES
from .tables.shapes import WAYS
from .tables.tiles import NAMES, TILES, Kind

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
_YES_MEANS = {Ask.DOCTOR: "a Doctor instead of one citizen", Ask.SALARY: "pay the Doctor"}


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
