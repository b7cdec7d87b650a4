"""What a tile is: size, cost, criterion and what it gives, from the tables of the rules."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..language import Listed, Text, _, lazy, lazy_n, ngettext
from ..rules.modules import TILE_HELP, TILE_NEEDS
from ..rules.tables import (
    CLINIC_SAVES,
    HALL_SPACES,
    HOME_VOTES,
    MUSEUM_FEE,
    NEEDS_HARBOR,
    NEEDS_REFINERY,
    SHOP_MONEY,
    SHOP_VOTES,
    UNIVERSITY_VOTES,
    Family,
    Material,
)
from ..rules.tables.counted import both
from ..rules.tables.names import MATERIAL_NAMES, dollars, tile_title
from ..rules.tables.tiles import CODES, TILES, Kind


def _needed_by(needs: Any) -> Text:
    """Which factories need a building (P2.8)."""
    levels = np.flatnonzero(needs).tolist()
    if not levels:
        return lazy("No factory needs it.")
    return lazy("Factories of level {levels} need one beside them.", levels=Listed(levels))


PUBLIC: Final = lazy("A public building.")
_EFFECTS: Final = {
    Kind.WAREHOUSE: lazy("Stores a material on each of its spaces. One comes free with every new factory."),
    Kind.REFINERY: _needed_by(NEEDS_REFINERY),
    Kind.HARBOR: _needed_by(NEEDS_HARBOR),
    Kind.SCHOOL: PUBLIC,
    Kind.LIBRARY: PUBLIC,
    Kind.MUSEUM: lazy(
        "A public building people visit; a Tourist there pays its owner ${fee}.", fee=MUSEUM_FEE
    ),
    Kind.METRO: lazy("A public building; your citizens travel to any borough."),
    Kind.CLINIC: lazy_n(
        "A public building; a citizen who works there prevents {n} death.",
        "A public building; a citizen who works there prevents {n} deaths.",
        CLINIC_SAVES,
    ),
    Kind.UNIVERSITY: lazy_n(
        "A public building; a citizen who studies there gives {n} vote.",
        "A public building; a citizen who studies there gives {n} votes.",
        UNIVERSITY_VOTES,
    ),
    Kind.POLICE: PUBLIC,
    Kind.FIRE: PUBLIC,
    Kind.CITY_HALL: lazy(
        "Citizens live and materials lie here, {n} in all. A public building.", n=HALL_SPACES
    ),
    Kind.PORT: lazy("Doubles the products of factories beside it and stores materials."),
    Kind.MONASTERY: lazy("The Pilgrim's goal."),
    **TILE_HELP,
}
_NEEDS: Final = {
    Kind.WAREHOUSE: lazy("a factory beside it"),
    Kind.REFINERY: lazy("a factory beside it"),
    Kind.HARBOR: lazy("a space on the edge of the zone"),
    Kind.POLICE: lazy("the Construction row of the council"),
    Kind.FIRE: lazy("the Construction row of the council"),
    **TILE_NEEDS,
}
_SHOP: Final = (
    lazy("${money} on space a", money=SHOP_MONEY),
    lazy("a trade for money on space b"),
    lazy_n("{n} vote on space c", "{n} votes on space c", SHOP_VOTES),
    lazy("a trade for votes on space d"),
)
title = tile_title


def about(kind: Kind) -> str:
    """Everything to know about a tile in a few sentences.

    >>> about(Kind.SCHOOL)
    'School (Sc): 1 space, costs 1 wood, +2 votes at once, one a player. A public building.'
    """
    known = {"title": title(kind), "code": CODES[kind], "facts": ", ".join(_facts(kind))}
    return _("{title} ({code}): {facts}. {effect}", effect=effect(kind), **known).strip()


def votes(n: int) -> str:
    """A number of votes."""
    return ngettext("{n} vote", "{n} votes", n)


def spaces(n: int) -> str:
    """A number of spaces."""
    return ngettext("{n} space", "{n} spaces", n)


def _facts(kind: Kind) -> Iterator[str]:
    row = TILES[kind]
    if row["plant"]:
        yield ngettext("powers {n} column", "powers {n} columns", int(row["level"]))
    else:
        yield spaces(int(row["spaces"]))
    if guests := people_spaces(kind):
        yield guests
    if price := cost(kind):
        yield _("costs {price}", price=price)
    if row["gain"]:
        yield ngettext("+{n} vote at once", "+{n} votes at once", int(row["gain"]))
    if needs := criterion(kind):
        yield _("needs {needs}", needs=needs)
    if limit := int(row["limit"]):
        yield _("one a player") if limit == 1 else _("at most {n} a player", n=limit)


def people_spaces(kind: Kind) -> str:
    """How many people a building has room for; empty where it follows from the level, or has no limit."""
    row = TILES[kind]
    if row["family"] != Family.OTHER or not row["rooms"] or kind is Kind.TRAMWAY:
        return ""
    return ngettext("{n} people space", "{n} people spaces", int(row["rooms"]))


def cost(kind: Kind) -> str:
    """What a tile costs; empty if nothing is paid for it."""
    prices = [*_prices(kind)]
    return str(both(prices)) if prices else ""


def _prices(kind: Kind) -> Iterator[str]:
    row = TILES[kind]
    if row["money"]:
        yield dollars(int(row["money"]))
    if row["votes"]:
        yield votes(int(row["votes"]))
    for material in Material:
        if row["materials"][material]:
            yield f"{row['materials'][material]} {MATERIAL_NAMES[material]}"


def criterion(kind: Kind) -> str:
    """What a tile needs around it."""
    row, level = TILES[kind], int(TILES[kind]["level"])
    family = Family(int(row["family"]))
    if family is Family.RESIDENTIAL:
        return ngettext(
            "a public building and no factory beside it",
            "{n} different public buildings and no factory beside it",
            level,
        )
    if family is Family.COMMERCIAL:
        return ngettext("a home beside it", "{n} homes beside it", level)
    if family is Family.FACTORY:
        return _factory_needs(level)
    return str(_NEEDS.get(kind, ""))


def _factory_needs(level: int) -> str:
    """What a factory needs around it (P2.8)."""
    refinery, harbor = NEEDS_REFINERY[level], NEEDS_HARBOR[level]
    if refinery and harbor:
        return _("a Refinery and a Harbor and no home beside it")
    if refinery:
        return _("a Refinery and no home beside it")
    return _("a Harbor and no home beside it") if harbor else _("no home beside it")


def effect(kind: Kind) -> str:
    """What a tile is good for."""
    row, level = TILES[kind], int(TILES[kind]["level"])
    match Family(int(row["family"])):
        case Family.RESIDENTIAL:
            return ngettext(
                "A citizen who moves in gives {n} vote in Phase 5.",
                "A citizen who moves in gives {n} votes in Phase 5.",
                HOME_VOTES[level],
            )
        case Family.COMMERCIAL:
            return _("A citizen who works there earns {pay}.", pay=Listed(_SHOP[:level]))
        case Family.FACTORY:
            made = Listed(MATERIAL_NAMES[material] for material in list(Material)[:level])
            return _(
                "Each space makes a material ({made}) and pollution. A new one brings a Warehouse.", made=made
            )
        case Family.PARK:
            return _("Each space removes 1 pollution a round.")
    return str(_EFFECTS[kind])
