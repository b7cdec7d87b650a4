"""The rules of one game on a card of some 1,300 tokens, from the tables in force."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from smallcity_env.config import Config
from smallcity_env.rules.modules import ABOUT
from smallcity_env.rules.tables import (
    ADVANCES,
    BUILDS,
    DEATH_LEVELS,
    DISCS,
    ELIMINATED_AT,
    GROW_COST,
    HOME_VOTES,
    SMOG_ROUND,
    TOURIST_FEE,
    TOURISTS,
    Card,
    Family,
    Material,
    Row,
)
from smallcity_env.rules.tables.cards import (
    ADVANCE_COST,
    BROKEN,
    CARD_NAMES,
    CITIZEN_WORTH,
    COMMERCIAL_WORTH,
    CULTURAL_WORTH,
    DIFFICULTIES,
    FACTORY_WORTH,
    HOME_WORTH,
    MODULE,
    REAL_WORTH,
    SERVICE_WORTH,
    STORED_WORTH,
    TRADE_MONEY,
    TRADE_VOTES,
)
from smallcity_env.rules.tables.counted import counted, either
from smallcity_env.rules.tables.maps import NAMES, Board
from smallcity_env.rules.tables.modules import number_of
from smallcity_env.rules.tables.tiles import CODES, ROWS, TILES, Kind, Tile
from smallcity_env.text import pieces
from smallcity_env.text.boards import BOARD_WORDS, COUNCIL_WORDS

from ..play.view import reward

LISTED: Final = ("action_cards", "promise_cards", "new_buildings", "real_buildings")  # by what they add
PUBLIC: Final = "A public building"
FAMILIES: Final = {
    Family.RESIDENTIAL: "Homes",
    Family.COMMERCIAL: "Shops",
    Family.FACTORY: "Factories",
    Family.PARK: "Parks",
}
_STORED: Final = "/".join(str(int(n)) for n in STORED_WORTH)
VICTORIES: Final = {
    "votes": "votes",
    "economics": (
        f"money, {_STORED} for each stored wood/stone/metal, {COMMERCIAL_WORTH} for each shop space and "
        f"{FACTORY_WORTH} for each factory space"
    ),
    "population": f"{CITIZEN_WORTH} for each living citizen and {HOME_WORTH} for each home space",
    "culture": (
        f"{CULTURAL_WORTH} for each cultural, {SERVICE_WORTH} for each service and {REAL_WORTH} for each "
        "real building"
    ),
}
ANSWERING: Final = """## How to answer
A number of the list or a name (build park-1, D4); several with semicolons, used while it stays your
turn: build park-1; D4. In Phase 3 `go C3-D4 E5-1:A1` moves several citizens (1: to borough 1), and `rest`
after it keeps the others. `none` declines all such questions of the phase, `undo` takes an answer back,
`? museum` explains a piece, `?` the question."""


def rules_card(config: Config, seat: int = 0) -> str:
    """Everything a seat needs to play by a configuration."""
    board = tuple(config.boards)[seat]
    return "\n".join([*_aim(config), *_phases(config), *_tiles(config), *_more(config, board), ANSWERING])


def _aim(config: Config) -> Iterator[str]:
    """What the game is about, and what wins."""
    rounds = config.rounds or config.all_rounds
    yield "# Small City, the rules in brief"
    yield (
        f"You govern one borough for {rounds} rounds: build, move citizens, win votes. Spaces are A1 to "
        "J10; tiles lie in your zone. *Beside* means within one step, diagonals too. Score: "
        f"{VICTORIES[config.victory]}, plus a kept promise ({either(DIFFICULTIES)} as you chose; a broken "
        f"one costs {either(BROKEN)}), minus pollution. The highest score wins."
    )


def _phases(config: Config) -> Iterator[str]:
    """The phases of a round."""
    yield "## A round"
    yield f"1 Select: take an action card nobody else has: {', '.join(_cards(config))}."
    yield (
        f"2 Build, secretly: up to {BUILDS} builds, or enlarge the zone (${GROW_COST}). An upgrade lays a "
        "larger tile of its family over a smaller one for the price of the added spaces."
    )
    yield (
        "3 Move: each citizen may move once, from home to work (shop, factory, public building) or back, and "
        "acts only after moving. Citizens of City Hall move into free homes of level 1; free factory "
        f"spaces bring new ones to it. A Tourist "
        f"({counted(TOURISTS, 'citizen')} a neighbour) works in another borough for you and pays its owner "
        f"${TOURIST_FEE}."
    )
    trades = ", ".join(
        f"{material.name.lower()} ${TRADE_MONEY[material]} or {counted(int(TRADE_VOTES[material]), 'vote')}"
        for material in Material
    )
    yield f"4 Income: shops pay; factories make what City Hall or a Warehouse has room for. Trades: {trades}."
    yield "5 Vote: each citizen who went home this round votes."
    yield (
        "6 Pollution: +1 for each person in the borough and each factory space that produced, -1 for each "
        f"park space; it never falls. A citizen dies at {either(DEATH_LEVELS)}, from round {SMOG_ROUND} one "
        f"more each round in the most polluted borough. At {ELIMINATED_AT} you are out."
    )
    yield (
        f"7 Council: {counted(ADVANCES, 'advance')} of one of your {counted(DISCS, 'disc')}, paid in money "
        f"or votes (columns cost {_columns(lambda n: str(ADVANCE_COST[n]))}). "
        + " ".join(f"{row.name.capitalize()}: {_rewards(row)}." for row in Row)
    )
    yield "8 Visit: the Mayor moves on; two street spaces of his host cannot be built on."


def _cards(config: Config) -> Iterator[str]:
    """The action cards of this game."""
    numbers = {0, *(number_of(module) for module in config.modules)}
    for card in Card:
        if card and MODULE[card] in numbers:
            yield CARD_NAMES[card]


def _columns(cell: Callable[[int], str]) -> str:
    """The columns of the council board, separated by strokes."""
    return "/".join(cell(n) for n in range(1, len(ADVANCE_COST)))


def _rewards(row: Row) -> str:
    """What a row of the council brings, column by column."""
    words = f" ({COUNCIL_WORDS[row]})" if row is Row.CONSTRUCTION else ""
    return re.sub(r" (spaces?|citizens?)(?=/)", "", _columns(lambda n: reward(row, n))) + words


def _tiles(config: Config) -> Iterator[str]:
    """The tiles of this game: families level by level, then the others."""
    yield "## Tiles: code, spaces, cost, what they need and give"
    for family, name in FAMILIES.items():
        levels = [tile.kind for tile in ROWS if tile.family is family]
        prices = "/".join(pieces.cost(kind) for kind in levels)
        first, last = (pieces.criterion(kind) for kind in (levels[0], levels[-1]))
        needs = f", at level {len(levels)} {last}" if last != first else ""
        needs = f"; {first}{needs}" if first else ""
        codes = f"{CODES[levels[0]]}-{CODES[levels[-1]]}"
        yield f"{name} {codes}, level = spaces: {prices}{needs}. {_gives(family, levels[-1])}"
    yield "At most one a player of each of these, but Warehouses. (p): a public building, as City Hall is."
    lines: dict[str, list[str]] = {}
    for tile in (tile for tile in ROWS if _is_listed(tile, config)):
        lines.setdefault(_said(tile.kind), []).append(_named(tile.kind))
    yield from (f"{', '.join(named)}: {said}." for said, named in lines.items())


def _gives(family: Family, highest: Kind) -> str:
    """What the tiles of a family give."""
    if family is Family.RESIDENTIAL:
        votes = "/".join(map(str, HOME_VOTES[1:]))
        return f"A citizen who moves in gives {votes} votes by level."
    return pieces.effect(highest)


def _is_listed(tile: Tile, config: Config) -> bool:
    """Whether a tile has a line of its own in this game."""
    return tile.family is Family.OTHER and tile.built and tile.module in ("", *config.modules)


def _named(kind: Kind) -> str:
    """The title, code and size of a tile; the price of a power plant, whose size is its level."""
    row = TILES[kind]
    if row["plant"]:
        return f"{CODES[kind]} {pieces.cost(kind)}"
    public = " (p)" if pieces.effect(kind).startswith(PUBLIC) else ""
    return f"{pieces.title(kind)}{public} {CODES[kind]} {int(row['spaces'])}"


def _said(kind: Kind) -> str:
    """What a tile costs, needs and gives."""
    row, needs = TILES[kind], pieces.criterion(kind)
    if row["plant"]:
        return "power plants, which power as many columns as their level"
    gain = f"+{counted(int(row['gain']), 'vote')}" if row["gain"] else ""
    effect = pieces.effect(kind).removeprefix(PUBLIC).strip(" ;.")
    effect = effect[:1].lower() + effect[1:]
    effect = effect.partition(". One comes free")[0]  # the line of the factories says so
    return "; ".join(filter(None, [pieces.cost(kind), gain, f"needs {needs}" if needs else "", effect]))


def _more(config: Config, board: str) -> Iterator[str]:
    """What the modules and the seat's own board add."""
    special = [f"{module}: {ABOUT[module]}" for module in config.modules if module not in LISTED]
    if board != NAMES[Board.BASE_EASY]:
        words = {NAMES[which]: text for which, text in BOARD_WORDS.items()}
        special.append(f"Your board, {board}: {words[board]}")
    yield from (["## In this game", *special] if special else [])
