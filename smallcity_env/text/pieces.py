"""What a tile is: size, cost, criterion and what it gives, from the tables of the rules."""

from collections.abc import Iterator
from typing import Final

from ..rules.modules import TILE_HELP, TILE_NEEDS
from ..rules.tables import (
    CLINIC_SAVES,
    HALL_SPACES,
    HARBOR_LEVEL,
    HOME_VOTES,
    MUSEUM_FEE,
    REFINERY_LEVEL,
    SHOP_MONEY,
    SHOP_VOTES,
    UNIVERSITY_VOTES,
    Family,
    Material,
)
from ..rules.tables.counted import counted as counted
from ..rules.tables.tiles import CODES, NAMES, ROWS, TILES, Kind

_TITLES: Final = {
    Kind.METRO: "Metro Station", Kind.POLICE: "Police Station", Kind.FIRE: "Fire Station",
    **{tile.kind: tile.title for tile in ROWS if tile.title},
}  # fmt: skip
_HIGHEST_FACTORY: Final = max(tile.level for tile in ROWS if tile.family is Family.FACTORY)


def _needed_from(level: int) -> str:
    """Which factories need a building (P2.8)."""
    if level > _HIGHEST_FACTORY:
        return "No factory needs it."
    return f"Factories of level {level}{' and more' * (level < _HIGHEST_FACTORY)} need one beside them."


_EFFECTS: Final = {
    Kind.WAREHOUSE: "Stores a material on each of its spaces. One comes free with every new factory.",
    Kind.REFINERY: _needed_from(REFINERY_LEVEL),
    Kind.HARBOR: _needed_from(HARBOR_LEVEL),
    Kind.SCHOOL: "A public building.",
    Kind.LIBRARY: "A public building.",
    Kind.MUSEUM: f"A public building people visit; a Tourist there pays its owner ${MUSEUM_FEE}.",
    Kind.METRO: "A public building; your citizens travel to any borough.",
    Kind.CLINIC: f"A public building; a citizen who works there prevents {counted(CLINIC_SAVES, 'death')}.",
    Kind.UNIVERSITY: (
        f"A public building; a citizen who studies there gives {counted(UNIVERSITY_VOTES, 'vote')}."
    ),
    Kind.POLICE: "A public building.",
    Kind.FIRE: "A public building.",
    Kind.CITY_HALL: f"Citizens live and materials lie here, {HALL_SPACES} in all. A public building.",
    Kind.PORT: "Doubles the products of factories beside it and stores materials.",
    Kind.MONASTERY: "The Pilgrim's goal.",
    **TILE_HELP,
}
_NEEDS: Final = {
    Kind.WAREHOUSE: "a factory beside it",
    Kind.REFINERY: "a factory beside it",
    Kind.HARBOR: "a space on the edge of the zone",
    Kind.POLICE: "the Construction row of the council",
    Kind.FIRE: "the Construction row of the council",
    **TILE_NEEDS,
}


def title(kind: Kind) -> str:
    """The name of a tile as a heading."""
    return _TITLES.get(kind, NAMES[kind].replace("-", " ").title())


def about(kind: Kind) -> str:
    """Everything to know about a tile in a few sentences.

    >>> about(Kind.SCHOOL)
    'School (Sc): 1 space, costs 1 wood, +2 votes at once, one a player. A public building.'
    """
    return f"{title(kind)} ({CODES[kind]}): {', '.join(_facts(kind))}. {effect(kind)}".strip()


def _facts(kind: Kind) -> Iterator[str]:
    row = TILES[kind]
    if row["plant"]:
        yield f"powers {counted(int(row['level']), 'column')}"
    else:
        yield counted(int(row["spaces"]), "space")
    if guests := people_spaces(kind):
        yield guests
    if price := cost(kind):
        yield f"costs {price}"
    if row["gain"]:
        yield f"+{counted(int(row['gain']), 'vote')} at once"
    if needs := criterion(kind):
        yield f"needs {needs}"
    if row["limit"]:
        yield "one a player" if row["limit"] == 1 else f"at most {row['limit']} a player"


def people_spaces(kind: Kind) -> str:
    """How many people a building has room for; empty where it follows from the level, or has no limit."""
    row = TILES[kind]
    if row["family"] != Family.OTHER or not row["rooms"] or kind is Kind.TRAMWAY:
        return ""
    return counted(int(row["rooms"]), "people space")


def cost(kind: Kind) -> str:
    """What a tile costs; empty if nothing is paid for it."""
    *most, last = [*_prices(kind)] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _prices(kind: Kind) -> Iterator[str]:
    row = TILES[kind]
    if row["money"]:
        yield f"${row['money']}"
    if row["votes"]:
        yield counted(int(row["votes"]), "vote")
    for material in Material:
        if row["materials"][material]:
            yield f"{row['materials'][material]} {material.name.lower()}"


def criterion(kind: Kind) -> str:
    """What a tile needs around it."""
    row, level = TILES[kind], int(TILES[kind]["level"])
    family = Family(int(row["family"]))
    if family is Family.RESIDENTIAL:
        some = "a public building" if level == 1 else f"{level} different public buildings"
        return f"{some} and no factory beside it"
    if family is Family.COMMERCIAL:
        return "a home beside it" if level == 1 else f"{level} homes beside it"
    if family is Family.FACTORY:
        works = ["a Refinery"] * (level >= REFINERY_LEVEL) + ["a Harbor"] * (level >= HARBOR_LEVEL)
        return f"{' and '.join(works) or 'nothing'} and no home beside it".removeprefix("nothing and ")
    return _NEEDS.get(kind, "")


def effect(kind: Kind) -> str:
    """What a tile is good for."""
    row, level = TILES[kind], int(TILES[kind]["level"])
    match Family(int(row["family"])):
        case Family.RESIDENTIAL:
            return f"A citizen who moves in gives {counted(HOME_VOTES[level], 'vote')} in Phase 5."
        case Family.COMMERCIAL:
            pay = (f"${SHOP_MONEY}", "a trade for money", counted(SHOP_VOTES, "vote"), "a trade for votes")
            earned = [f"{what} on space {label}" for what, label in zip(pay, "abcd", strict=True)]
            return f"A citizen who works there earns {', '.join(earned[:level])}."
        case Family.FACTORY:
            made = ", ".join(material.name.lower() for material in list(Material)[:level])
            return f"Each space makes a material ({made}) and pollution. A new one brings a Warehouse."
        case Family.PARK:
            return "Each space removes 1 pollution a round."
    return _EFFECTS[kind]
