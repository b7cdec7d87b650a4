"""Questions and answers in words for people."""

from collections.abc import Iterable
from typing import Any

from ..rules import actions
from ..rules.actions import space_name
from ..rules.phases import QUESTION
from ..rules.tables import SIDE, Ask, Material, Row, Store
from ..rules.tables.cards import ADVANCE_COST, RECALLED, SCALE, TRADE_MONEY, TRADE_VOTES
from ..rules.tables.counted import counted
from ..rules.tables.shapes import WAYS, WAYS_OF
from ..rules.tables.tiles import NAMES, TILES, Kind

_FROM = {Store.WAREHOUSE: "a Warehouse", Store.CITY_HALL: "City Hall", Store.PLAIN: "a plain space"}
_UNASKED = {Ask.NONE: "the game runs on", Ask.OVER: "the game is over"}


def question(state: Any) -> str:
    """The question being asked, in brief."""
    ask = Ask(state["ask"])
    return _UNASKED.get(ask) or QUESTION[ask].brief.format(**details(state))


def title(state: Any, score: int) -> str:
    """Solo: the title a score earns (SO1)."""
    reached = [name for least, name in SCALE if score >= least]
    return reached[-1] if reached and not state["borough"][0]["out"] else RECALLED


def describe(state: Any, action: int) -> str:
    """What an action means at this question, in words."""
    row, name = QUESTION[Ask(state["ask"])], actions.name(action)
    words = details(state)
    if action < actions.BUILD:
        return row.at.format(space=space_name(action), **words)
    if action == actions.NO:
        return row.no.format(**words)
    if action == actions.YES:
        return row.yes
    return _other(state, row.ask, action, name).format(**words)


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
    """A text normalised for comparison: case and white space do not matter."""
    return " ".join(text.lower().split())


def details(state: Any) -> dict[str, str]:
    """The values that the texts of questions can mention."""
    return {
        "tile": NAMES[Kind(state["kind"])],
        "here": space_name(int(state["space"])),
        "anchor": space_name(int(state["anchor"])),
        "destination": str(int(state["destination"])),
        "host": str(int(state["host"])),
        "product": Material(state["product"]).name.lower(),
        "row": Row(int(state["council_row"])).name.lower(),
        "size": str(int(state["council_size"])),
        "steps": str(int(state["steps_left"])),
    }


def _other(state: Any, ask: Ask, action: int, name: str) -> str:
    """The words for answers other than a space, yes or no."""
    if ask in (Ask.WAY, Ask.STREET_WAY, Ask.SPEECH_WAY):
        return f"{name}: {_covered(state, ask, action - actions.WAY)}"
    if ask is Ask.ROW:
        return f"advance in the row {Row(action - actions.ROW).name.lower()}"
    if ask is Ask.PAY:
        column = state["borough"][state["seat"]]["council"][state["council_row"]] + 1
        return f"{name}: {ADVANCE_COST[column]} for column {column}"
    if ask is Ask.TRADE:
        return _trade(state, action - actions.MATERIAL, name)
    if ask is Ask.TAKE_FROM:
        return f"take it from {_FROM[Store(action - actions.STORE)]}"
    if ask is Ask.MOVE:
        return "the citizen at {here} goes abroad to seat " + str(action - actions.SEAT)
    return name


def _covered(state: Any, ask: Ask, way: int) -> str:
    """The spaces a tile covers when laid this way round."""
    if ask is Ask.WAY:
        first, cells = state["anchor"], WAYS[TILES[state["kind"]]["way"][way]]
    else:
        first, cells = state["space"], WAYS[WAYS_OF["I2"][way]]
    return " ".join(space_name(int(first) + SIDE * row + col) for row, col in cells)


def _trade(state: Any, material: int, name: str) -> str:
    """What a trade brings: money on a space b, votes on a space d (P4.2)."""
    there = state["borough"][state["asked_borough"]]
    first = there["first"][state["space"]]
    cells = [int(first) + SIDE * row + col for row, col in WAYS[there["way"][first]]]
    for_money = cells.index(int(state["space"])) == 1
    gain = f"${TRADE_MONEY[material]}" if for_money else counted(int(TRADE_VOTES[material]), "vote")
    return f"trade {name} for {gain}"
