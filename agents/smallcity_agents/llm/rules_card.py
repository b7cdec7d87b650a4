"""The rules of one game on a card of some 1,300 tokens, from the tables in force."""

from collections.abc import Callable, Iterator
from typing import Final

from smallcity_env.config import Config
from smallcity_env.language import Listed, _, joined, lazy, ngettext
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
    CITIZEN_WORTH,
    COMMERCIAL_WORTH,
    CONSTRUCTION,
    CULTURAL_WORTH,
    DIFFICULTIES,
    FACTORY_WORTH,
    HOME_WORTH,
    MODULE,
    REAL_WORTH,
    SERVICE_WORTH,
    STORED_WORTH,
    TOURISM,
    TRADE_MONEY,
    TRADE_VOTES,
)
from smallcity_env.rules.tables.counted import either
from smallcity_env.rules.tables.maps import NAMES, Board
from smallcity_env.rules.tables.modules import number_of
from smallcity_env.rules.tables.names import MATERIAL_NAMES, ROW_NAMES, board_name, card_name, module_name
from smallcity_env.rules.tables.tiles import CODES, ROWS, TILES, Kind, Tile
from smallcity_env.text import pieces
from smallcity_env.text.boards import BOARD_WORDS

from ..play.view import reward

LISTED: Final = ("action_cards", "promise_cards", "new_buildings", "real_buildings")  # by what they add
FAMILIES: Final = {
    Family.RESIDENTIAL: lazy("Homes {codes}, level = spaces: {prices}"),
    Family.COMMERCIAL: lazy("Shops {codes}, level = spaces: {prices}"),
    Family.FACTORY: lazy("Factories {codes}, level = spaces: {prices}"),
    Family.PARK: lazy("Parks {codes}, level = spaces: {prices}"),
}
_STORED: Final = "/".join(str(int(n)) for n in STORED_WORTH)
VICTORIES: Final = {
    "votes": lazy("votes"),
    "economics": lazy(
        "money, {stored} for each stored wood/stone/metal, {shop} for each shop space and {factory} for each "
        "factory space",
        stored=_STORED,
        shop=COMMERCIAL_WORTH,
        factory=FACTORY_WORTH,
    ),
    "population": lazy(
        "{citizen} for each living citizen and {home} for each home space",
        citizen=CITIZEN_WORTH,
        home=HOME_WORTH,
    ),
    "culture": lazy(
        "{cultural} for each cultural, {service} for each service and {real} for each real building",
        cultural=CULTURAL_WORTH,
        service=SERVICE_WORTH,
        real=REAL_WORTH,
    ),
}
ANSWERING: Final = lazy(
    "A number of the list or a name (build park-1, D4); several with semicolons, used while it stays your "
    "turn: build park-1; D4. In Phase 3 `go C3-D4 E5-1:A1` moves several citizens (1: to borough 1), and "
    "`rest` after it keeps the others. `none` declines all such questions of the phase, `undo` takes an "
    "answer back, `? museum` explains a piece, `?` the question."
)


def rules_card(config: Config, seat: int = 0) -> str:
    """Everything a seat needs to play by a configuration."""
    board = tuple(config.boards)[seat]
    parts = [*_aim(config), *_phases(config), *_tiles(config), *_more(config, board)]
    return "\n".join([*parts, _("## How to answer"), str(ANSWERING)])


def _aim(config: Config) -> Iterator[str]:
    """What the game is about, and what wins."""
    yield _("# Small City, the rules in brief")
    yield _(
        "You govern one borough for {rounds} rounds: build, move citizens, win votes. Spaces are A1 to J10; "
        "tiles lie in your zone. *Beside* means within one step, diagonals too. Score: {score}, plus a kept "
        "promise ({worth} as you chose; a broken one costs {broken}), minus pollution. The highest score "
        "wins.",
        rounds=config.rounds or config.all_rounds, score=VICTORIES[config.victory],
        worth=either(DIFFICULTIES), broken=either(BROKEN),
    )  # fmt: skip


def _phases(config: Config) -> Iterator[str]:
    """The phases of a round."""
    yield _("## A round")
    yield _("1 Select: take an action card nobody else has: {cards}.", cards=Listed(_cards(config)))
    yield _(
        "2 Build, secretly: up to {n} builds, or enlarge the zone (${price}). An upgrade lays a larger tile "
        "of its family over a smaller one for the price of the added spaces.",
        n=BUILDS, price=GROW_COST,
    )  # fmt: skip
    yield _(
        "3 Move: each citizen may move once, from home to work (shop, factory, public building) or back, and "
        "acts only after moving. Citizens of City Hall move into free homes of level 1; free factory spaces "
        "bring new ones to it. A Tourist ({citizens} a neighbour) works in another borough for you and pays "
        "its owner ${fee}.",
        citizens=ngettext("{n} citizen", "{n} citizens", TOURISTS), fee=TOURIST_FEE,
    )  # fmt: skip
    yield _(
        "4 Income: shops pay; factories make what City Hall or a Warehouse has room for. Trades: {trades}.",
        trades=Listed(map(_trade, Material)),
    )
    yield _("5 Vote: each citizen who went home this round votes.")
    yield _(
        "6 Pollution: +1 for each person in the borough and each factory space that produced, -1 for each "
        "park space; it never falls. A citizen dies at {levels}, from round {round} one more each round in "
        "the most polluted borough. At {out} you are out.",
        levels=either(DEATH_LEVELS), round=SMOG_ROUND, out=ELIMINATED_AT,
    )  # fmt: skip
    yield _council()
    yield _("8 Visit: the Mayor moves on; two street spaces of his host cannot be built on.")


def _trade(material: Material) -> str:
    """What a material brings."""
    name, brings = MATERIAL_NAMES[material], pieces.votes(int(TRADE_VOTES[material]))
    return _("{material} ${money} or {votes}", material=name, money=TRADE_MONEY[material], votes=brings)


def _council() -> str:
    """Phase 7, and what the rows of the council bring."""
    rows = ((str(ROW_NAMES[row]).capitalize(), _rewards(row)) for row in Row)
    return _(
        "7 Council: {advances} of one of your {discs}, paid in money or votes (columns cost {costs}). {rows}",
        advances=ngettext("{n} advance", "{n} advances", ADVANCES),
        discs=ngettext("{n} disc", "{n} discs", DISCS),
        costs=_columns(lambda n: str(ADVANCE_COST[n])),
        rows=" ".join(_("{row}: {rewards}.", row=row, rewards=brings) for row, brings in rows),
    )


def _cards(config: Config) -> Iterator[str]:
    """The action cards of this game."""
    numbers = {0, *(number_of(module) for module in config.modules)}
    for card in Card:
        if card and MODULE[card] in numbers:
            yield card_name(card)


def _columns(cell: Callable[[int], str]) -> str:
    """The columns of the council board, separated by strokes."""
    return "/".join(cell(n) for n in range(1, len(ADVANCE_COST)))


def _rewards(row: Row) -> str:
    """What a row of the council brings, column by column."""
    if row is Row.CONSTRUCTION:
        return _("a free tile of at most {sizes} spaces", sizes=_columns(lambda n: str(CONSTRUCTION[n])))
    if row is Row.TOURISM:
        return _("{numbers} citizens", numbers=_columns(lambda n: str(TOURISM[n])))
    return _columns(lambda n: reward(row, n))


def _tiles(config: Config) -> Iterator[str]:
    """The tiles of this game: families level by level, then the others."""
    yield _("## Tiles: code, spaces, cost, what they need and give")
    for family, words in FAMILIES.items():
        levels = [tile.kind for tile in ROWS if tile.family is family]
        codes = f"{CODES[levels[0]]}-{CODES[levels[-1]]}"
        line = words.fill(codes=codes, prices="/".join(map(pieces.cost, levels)))
        yield f"{joined([line, *_family_needs(levels)])}. {_gives(family, levels[-1])}"
    yield _("At most one a player of each of these, but Warehouses. (p): a public building, as City Hall is.")
    lines: dict[str, list[str]] = {}
    for tile in (tile for tile in ROWS if _is_listed(tile, config)):
        lines.setdefault(_said(tile.kind), []).append(_named(tile.kind))
    yield from (_("{tiles}: {words}.", tiles=Listed(named), words=said) for said, named in lines.items())


def _family_needs(levels: list[Kind]) -> Iterator[str]:
    """What the first and the last level of a family need around them."""
    first, last = (pieces.criterion(kind) for kind in (levels[0], levels[-1]))
    if first and last != first:
        yield _("{first}, at level {level} {last}", first=first, level=len(levels), last=last)
    elif first:
        yield first


def _gives(family: Family, highest: Kind) -> str:
    """What the tiles of a family give."""
    if family is Family.RESIDENTIAL:
        return _(
            "A citizen who moves in gives {votes} votes by level.", votes="/".join(map(str, HOME_VOTES[1:]))
        )
    return pieces.effect(highest)


def _is_listed(tile: Tile, config: Config) -> bool:
    """Whether a tile has a line of its own in this game."""
    return tile.family is Family.OTHER and tile.built and tile.module in ("", *config.modules)


def _named(kind: Kind) -> str:
    """The title, code and size of a tile; the price of a power plant, whose size is its level."""
    row = TILES[kind]
    if row["plant"]:
        return f"{CODES[kind]} {pieces.cost(kind)}"
    public = " (p)" if pieces.effect(kind).startswith(_public()) else ""
    return f"{pieces.title(kind)}{public} {CODES[kind]} {int(row['spaces'])}"


def _public() -> str:
    """How the effects of public buildings begin."""
    return str(pieces.PUBLIC).rstrip(".")


def _said(kind: Kind) -> str:
    """What a tile costs, needs and gives."""
    row, needs = TILES[kind], pieces.criterion(kind)
    if row["plant"]:
        return _("power plants, which power as many columns as their level")
    gain = [f"+{pieces.votes(int(row['gain']))}"] if row["gain"] else []
    needed = [_("needs {needs}", needs=needs)] if needs else []
    effect = pieces.effect(kind).removeprefix(_public()).strip(" ;.\u00a0")
    if kind is Kind.WAREHOUSE:  # the line of the factories says that they bring one
        effect = effect.partition(".")[0]
    return joined(filter(None, [pieces.cost(kind), *gain, *needed, effect[:1].lower() + effect[1:]]))


def _more(config: Config, board: str) -> Iterator[str]:
    """What the modules and the seat's own board add."""
    modules = [module for module in config.modules if module not in LISTED]
    special = [_("{name}: {words}", name=module_name(module), words=ABOUT[module]) for module in modules]
    which = next(which for which, name in NAMES.items() if name == board)
    if which is not Board.BASE_EASY:
        special.append(_("Your board, {board}: {words}", board=board_name(which), words=BOARD_WORDS[which]))
    yield from ([_("## In this game"), *special] if special else [])
