"""What players do: the lines of an answer."""

from collections.abc import Callable, Iterator
from typing import Final

from ..language import lazy, lazy_n
from ..rules import actions
from ..rules.actions import space_name
from ..rules.tables import Ask, Card, Pay, Phase, Row
from ..rules.tables.cards import ADVANCE_COST, DIFFICULTIES
from ..rules.tables.names import ROW_NAMES, card_name, tile_title
from ..rules.tables.tiles import TILES, Kind
from ..text.grid import COLUMNS
from ..text.wording import covered
from .lines import Gains, Later, Line, added, spaces_words
from .steps import Step

Lines = Iterator[Line]


def deeds(step: Step) -> Lines:
    """The lines of an answer; none if it is not worth telling."""
    if tell := _DEEDS.get(step.ask):
        yield from tell(step)


# -- set-up and Phase 1


def _difficulty(step: Step) -> Lines:
    worth = DIFFICULTIES[int(step.after["borough"][step.seat]["difficulty"])]
    yield Line(step.seat, lazy("Promised something worth {points} points", points=worth))


def _card(step: Step) -> Lines:
    card = Card(int(actions.CARD_OF[step.action]))
    yield Line(step.seat, lazy("Took the card {card}", card=Later(_card_title, card)))
    yield from _growth(step)


def _card_title(card: Card) -> str:
    return card_name(card).capitalize()


def _growth(step: Step) -> Lines:
    """The zone has grown; an Opera House does not survive it (RB2)."""
    if step.change(step.seat, "zone_side"):
        size = int(step.after["borough"][step.seat]["zone_side"])
        yield Line(step.seat, lazy("The zone grew to {size} x {size}", size=size), step.own)
    before, after = step.boroughs(step.seat)
    if before["built"][Kind.OPERA] > after["built"][Kind.OPERA]:
        yield Line(step.seat, lazy("The growing zone tore the Opera House down"))


def _support(step: Step) -> Lines:
    yield Line(step.seat, lazy("Help of the Supporter"), step.own)


def _street(step: Step) -> Lines:
    host = int(step.before["host"])
    where = spaces_words(step.after["borough"][host]["mayor"])
    yield Line(step.seat, lazy("Laid the Mayor's street on {spaces} ({player})", spaces=where), {}, host)


def _speech(step: Step) -> Lines:
    where = spaces_words(step.after["borough"][step.seat]["mayor"])
    yield Line(step.seat, lazy("The Mayor speaks on {spaces}", spaces=where))


def _engineer(step: Step) -> Lines:
    if step.action == actions.OLD_EFFECT:
        yield Line(step.seat, lazy("The Engineer keeps the factories clean"))


def _clean(step: Step) -> Lines:
    yield Line(
        step.seat, lazy("The Engineer removed the Radiation on {space}", space=space_name(step.action))
    )


# -- building


def _what(step: Step) -> Lines:
    if step.action == actions.ENLARGE:
        yield from _growth(step)


def _where(step: Step) -> Lines:
    """A Power Plant stands as soon as its first column is named (PP2)."""
    kind = Kind(int(step.before["kind"]))
    if TILES[kind]["plant"]:
        new = int(step.new(step.seat, "powered"))
        columns = " ".join(letter for col, letter in enumerate(COLUMNS) if new >> col & 1)
        tile = Later(tile_title, kind)
        yield Line(step.seat, lazy("Built {tile} above {columns}", tile=tile, columns=columns), step.own)


def _way(step: Step) -> Lines:
    """A tile is laid; Bangkok's flood plain pays for being covered (AS7)."""
    state = step.before
    tile = Later(tile_title, Kind(int(state["kind"])))
    spaces = covered(state, Ask.WAY, step.action - actions.WAY)
    how = (bool(state["upgrade"]), bool(state["council_size"]))
    if state["warehouse_due"]:
        text = lazy("{tile} came with it, on {spaces}", tile=tile, spaces=spaces)
    elif how == (True, True):
        text = lazy("The council upgraded to {tile} on {spaces}", tile=tile, spaces=spaces)
    elif how == (False, True):
        text = lazy("The council built {tile} on {spaces}", tile=tile, spaces=spaces)
    elif how == (True, False):
        text = lazy("Upgraded to {tile} on {spaces}", tile=tile, spaces=spaces)
    else:
        text = lazy("Built {tile} on {spaces}", tile=tile, spaces=spaces)
    flood: Gains = {"money": paid} if (paid := step.change(step.seat, "flood")) > 0 else {}
    yield Line(step.seat, text, added(step.own, flood, -1))
    if flood:
        yield Line(step.seat, lazy("The flood plain is covered"), flood)


# -- Phases 3 and 4


def _move(step: Step) -> Lines:
    if step.ask is Ask.MOVE and actions.SEAT <= step.action < actions.SEAT + step.players:
        yield Line(step.seat, lazy("Sent a Tourist abroad ({player})"), {}, step.action - actions.SEAT)
    elif step.action != actions.NO:
        yield Line(step.seat, lazy_n("Moved {n} citizen", "Moved {n} citizens", 1), key="moved")


def _park(step: Step) -> Lines:
    spaces = spaces_words(step.new(step.seat, "tiled"))
    yield Line(step.seat, lazy("A park grew onto {spaces}", spaces=spaces))


def _trade(step: Step) -> Lines:
    yield Line(
        step.seat, lazy("Traded in the shop at {space}", space=space_name(step.before["space"])), step.own
    )


def _store(step: Step) -> Lines:
    """A product is stored, or the council's reward."""
    host = int(step.before["product_from"]) - 1
    if step.phase is not Phase.INCOME:
        yield Line(step.seat, lazy("Reward of the council"), step.own)
    elif host < 0:
        yield Line(step.seat, lazy("Own factories"), step.own, key="made")
    else:
        yield Line(step.seat, lazy("Factories abroad ({player})"), step.own, host, f"made {host}")


def _stone(step: Step) -> Lines:
    yield Line(step.seat, lazy("Factories by the mountain"), step.own, key="stone")


def _salary(step: Step) -> Lines:
    paid = step.action == actions.YES
    yield Line(step.seat, lazy("Paid the Doctor") if paid else lazy("The unpaid Doctor left"), step.own)


def _revive(step: Step) -> Lines:
    where = space_name(step.action)
    yield Line(step.seat, lazy("The Doctor revived the citizen buried at {space}", space=where))


# -- Phases 6 to 8


def _dies(step: Step) -> Lines:
    yield Line(step.seat, lazy("The citizen at {space} died", space=space_name(step.action)))


def _grave(step: Step) -> Lines:
    yield Line(step.seat, lazy("The dead citizen is buried at {space}", space=space_name(step.action)))


def _pay(step: Step) -> Lines:
    """An advance in the council: its price, then its reward."""
    row = Row(int(step.before["council_row"]))
    column = int(step.after["borough"][step.seat]["council"][row])
    price: Gains = {}
    if track := {Pay.MONEY: "money", Pay.VOTES: "votes"}.get(Pay(step.action - actions.PAY)):
        price = {track: -int(ADVANCE_COST[column])}
    advanced = lazy("Advanced in the council: {row}, column {column}", row=ROW_NAMES[row], column=column)
    yield Line(step.seat, advanced, price)
    if reward := added(step.own, price, -1):
        yield Line(step.seat, lazy("Reward of the council"), reward)
    yield from _citizens(step)


def _citizens(step: Step) -> Lines:
    """The citizens of the Tourism row, perhaps a Doctor (P7.6, D2)."""
    came = int(step.before["reserve"][step.seat]) - int(step.after["reserve"][step.seat])
    if came > 0:
        text = lazy_n("{n} citizen came from the reserve", "{n} citizens came from the reserve", came)
        yield Line(step.seat, text)
    if step.change(step.seat, "doctor") > 0:
        yield Line(step.seat, lazy("A Doctor came to the Clinic"))


def _pilgrim(step: Step) -> Lines:
    where = space_name(step.action)
    yield Line(step.seat, lazy("The citizen at {space} became the Pilgrim", space=where))


_DEEDS: Final[dict[Ask, Callable[[Step], Lines]]] = {
    Ask.DIFFICULTY: _difficulty, Ask.CARD: _card, Ask.SUPPORT: _support, Ask.STREET_WAY: _street,
    Ask.SPEECH_WAY: _speech, Ask.ENGINEER: _engineer, Ask.CLEAN: _clean, Ask.WHAT: _what,
    Ask.WHERE: _where, Ask.WAY: _way, Ask.MOVE: _move, Ask.HOME: _move, Ask.PARK_GROWS: _park,
    Ask.TAKE_FROM: _trade, Ask.STORE: _store, Ask.STONE: _stone, Ask.SALARY: _salary,
    Ask.REVIVE: _revive, Ask.DIES: _dies, Ask.GRAVE: _grave, Ask.PAY: _pay, Ask.DOCTOR: _citizens,
    Ask.PILGRIM: _pilgrim,
}  # fmt: skip
