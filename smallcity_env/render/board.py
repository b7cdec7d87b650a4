"""The middle of the table: the question, the council board, the action cards, the supply, a legend."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from ..config import MODULES
from ..language import _, lazy, ngettext, per_language
from ..rules.tables import COLUMNS, ROWS, SHOP_MONEY, SHOP_VOTES, Card, Family, Material, Phase, Row, Victory
from ..rules.tables.cards import ADVANCE_COST, ALL_CARDS, CONSTRUCTION, FINANCE, SUPPLIES, TOURISM
from ..rules.tables.names import MATERIAL_NAMES, ROW_NAMES, VICTORY_NAMES, card_name, dollars, module_name
from ..rules.tables.tiles import ROWS as TILE_ROWS
from ..rules.tables.tiles import Kind
from . import colours as c
from . import pieces
from .drawing import Circle, Item, Point, Symbol, Text, Use, box, in_language, poly
from .glyphs import glyph

WIDTH: Final = 304
HEADER: Final = 78
FEW_MODULES: Final = 3  # up to this many are named
PHASES: Final = [phase for phase in Phase if phase not in (Phase.SETUP, Phase.OVER)]
ROW_OF_SQUARES, ROW_OF_PAWNS = 40, 36  # pixels, on a space of the council board


# -- the head of the picture


def header(state: Any, width: float, question: str, asked: int) -> Iterator[Item]:
    """The round, its phase, and who is asked what."""
    yield box(0, 0, width, HEADER, c.INK, 14)
    yield Text(24, 34, _round(state), 24, c.WHITE, bold=True)
    yield from _steps(state, 24, 46, width)
    yield Text(width - 24, 31, _rules(state), 11.5, "#b8b5cc", "end")
    x = 300
    if asked >= 0:
        yield Circle(x + 16, 28, 15, c.SEAT_FACES[asked], c.WHITE, 1.5)
        yield Text(x + 16, 34.5, str(asked), 18, c.SEAT_TEXTS[asked], "middle", bold=True)
    yield Text(x + 42, 34.5, question, 17, c.WHITE)


def _round(state: Any) -> str:
    match Phase(int(state["phase"])):
        case Phase.SETUP:
            return _("Set-up")
        case Phase.OVER:
            return _("End, after round {n}", n=state["round_no"])
    return _("Round {n} of {rounds}", n=state["round_no"], rounds=state["rules"]["rounds"])


def _rules(state: Any) -> str:
    """The victory condition and the modules in play."""
    rules = state["rules"]
    played = [module_name(module).replace("_", " ") for module in MODULES if rules[module]]
    if len(played) > FEW_MODULES:
        played = [_("{n} modules", n=len(played))]
    played += [_("godzillas of 2016")] * bool(rules["godzillas_2016"])
    victory = _("victory: {condition}", condition=VICTORY_NAMES[Victory(int(rules["victory"]))])
    return ", ".join([victory, *played])


_SHORT_PHASES: Final = {
    Phase.SELECT: lazy("Select"),
    Phase.BUILD: lazy("Build"),
    Phase.MOVE: lazy("Move"),
    Phase.INCOME: lazy("Income"),
    Phase.VOTE: lazy("Vote"),
    Phase.POLLUTION: lazy("Pollution"),
    Phase.COUNCIL: lazy("Council"),
    Phase.VISIT: lazy("Visit"),
}


def _steps(state: Any, x: float, y: float, width: float) -> Iterator[Item]:
    """The phases of a round, the current one highlighted."""
    step = (width - 2 * x) / len(PHASES)
    now = Phase(int(state["phase"]))
    for i, phase in enumerate(PHASES):
        lit = phase == now
        yield box(x + i * step, y, step - 6, 19, c.GOLD if lit else "#45435a", 6)
        word, ink = f"{i + 1} {_SHORT_PHASES[phase]}", c.INK if lit else "#b8b5cc"
        yield Text(x + i * step + (step - 6) / 2, y + 13.5, word, 11, ink, "middle", bold=lit)


def card_of(height: float, title: str) -> Iterator[Item]:
    """A white card with a title."""
    yield box(2, 4, WIDTH, height, c.SHADE, 14)
    yield box(0, 0, WIDTH, height, c.CARD, 14, c.SHADE, 1.5)
    yield Text(16, 26, title, 14, c.INK, bold=True)


# -- the council

COUNCIL_HEIGHT: Final = 222


def council(boroughs: list[Any]) -> Iterator[Item]:
    """The council board: the reward of each space, and the discs on it."""
    yield Use(_council_board(), 0, 0)
    for row in range(ROWS):
        for column in range(1, COLUMNS + 1):
            yield from _discs_at(boroughs, row, column, *_council_space(row, column))


@per_language
def _council_board() -> Symbol:
    """The printed council board."""
    items = list(card_of(COUNCIL_HEIGHT, _("City Council")))
    for column in range(1, COLUMNS + 1):
        x, _y = _council_space(0, column)
        price = _("costs {price}", price=ADVANCE_COST[column])
        items.append(Text(x + 21, 25, price, 8.5, c.SOFT_INK, "middle"))
    for row in range(ROWS):
        _x, y = _council_space(row, 1)
        items.append(Text(16, y + 24, str(ROW_NAMES[Row(row)]).capitalize(), 11, c.INK, bold=True))
        for column in range(1, COLUMNS + 1):
            x, _y = _council_space(row, column)
            items.append(box(x, y, 42, 40, "#f2ead8", 7, "#d8caa8", 1))
            items += _reward(row, column, x + 21, y + 14)
    return _card(in_language("council-board"), items, COUNCIL_HEIGHT)


def _card(name: str, items: Iterable[Item], height: float) -> Symbol:
    """A card with fixed content, as a symbol."""
    return Symbol(name, tuple(items), ((-2, -2), (WIDTH + 4, height + 6)))


def _council_space(row: int, column: int) -> Point:
    """The top left corner of a space of the council board."""
    return 112 + 45 * (column - 1), 36 + 45 * row


def _reward(row: int, column: int, x: float, y: float) -> Iterator[Item]:
    """The reward printed on a space of the council board (P7.4 - P7.6)."""
    match row:
        case 0:
            yield Text(x, y + 5, dollars(int(FINANCE[column])), 13, "#8a6d1f", "middle", bold=True)
        case 1:
            yield Use(pieces.material(Material(int(SUPPLIES[column]))), x, y, 0.8)
        case 2:
            size, n = min(6, ROW_OF_SQUARES // int(CONSTRUCTION[column]) - 1), int(CONSTRUCTION[column])
            for i in range(n):
                yield box(x - n * (size + 1) / 2 + i * (size + 1), y - 3, size, size, "#8a7a5c", 1)
        case _:
            n = int(TOURISM[column])
            step = min(9, ROW_OF_PAWNS / max(n, 1))
            for i in range(n):
                yield from _little_pawn(x + step * i - step / 2 * (n - 1), y)


def _little_pawn(x: float, y: float) -> Iterator[Item]:
    yield poly(x - 4, y + 6, x - 1.5, y, x + 1.5, y, x + 4, y + 6, fill="#7d7768", r=1)
    yield Circle(x, y - 2, 2.8, "#7d7768")


def _discs_at(boroughs: list[Any], row: int, column: int, x: float, y: float) -> Iterator[Item]:
    """The discs on a space of the council board."""
    here = [p for p, b in enumerate(boroughs) if b["council"][row] == column]
    for i, p in enumerate(here):
        at = x + 21 + (i - (len(here) - 1) / 2) * 10
        yield Circle(at, y + 31, 6.5, c.SEAT_FACES[p], c.SEAT_LINES[p], 1)
        yield Text(at, y + 34.2, str(p), 9, c.SEAT_TEXTS[p], "middle", bold=True)


# -- the cards

CARDS_HEIGHT: Final = 182


def cards(state: Any, boroughs: list[Any]) -> Iterator[Item]:
    """The circle of action cards: those still available, and who took the others."""
    yield from card_of(CARDS_HEIGHT, _("Action cards"))
    taken = {int(b["card"]): p for p, b in enumerate(boroughs) if b["card"]}
    for i, card in enumerate(list(Card)[1 : ALL_CARDS + 1]):
        x, y = 14 + 140 * (i % 2), 38 + 27 * (i // 2)
        there, owner = bool(state["circle"][card]), taken.get(int(card))
        face = "#efe3c4" if there else "#f3efe6"
        yield box(x, y, 136, 23, face, 6, "#c9b785" if there else "#e0d9ca", 1)
        ink = c.INK if there or owner is not None else c.FAINT
        name = f"{chr(ord('A') + i)}  {card_name(card).capitalize()}"
        yield Text(x + 8, y + 15.5, name, 11, ink, bold=there)
        if owner is not None:
            yield Circle(x + 122, y + 11.5, 8, c.SEAT_FACES[owner], c.SEAT_LINES[owner], 1)
            yield Text(x + 122, y + 15.5, str(owner), 11, c.SEAT_TEXTS[owner], "middle", bold=True)


# -- supplies

SUPPLY_HEIGHT: Final = 152
_SCARCE: Final = (
    Kind.SCHOOL, Kind.LIBRARY, Kind.MUSEUM, Kind.METRO, Kind.CLINIC, Kind.UNIVERSITY, Kind.POLICE, Kind.FIRE,
)  # fmt: skip
_OF_MODULES: Final = {tile.kind: tile.module for tile in TILE_ROWS if tile.module}


def supply(state: Any, tiles: Any) -> Iterator[Item]:
    """What is left of the scarce tiles and those of modules, and of markers, godzillas and Doctors."""
    yield from card_of(SUPPLY_HEIGHT, _("Left in the supply"))
    added = [kind for kind, module in _OF_MODULES.items() if state["rules"][module]]
    for i, kind in enumerate((*_SCARCE, *added)):
        if added:
            yield from _left(kind, int(tiles[kind]), 26 + 49 * (i % 6), 46 + 29 * (i // 6), 12)
        else:
            yield from _left(kind, int(tiles[kind]), 32 + 68 * (i % 4), 56 + 38 * (i // 4), 15)
    counted: list[tuple[Symbol, float, str]] = [
        (pieces.radiation(), 0.7, "markers"),
        (pieces.godzilla(), 0.42, "godzillas"),
        (pieces.doctor(), 0.9, "doctors"),
    ]
    for i, (sign, scale, name) in enumerate(counted):
        yield Use(sign, 32 + 92 * i, 132, scale)
        yield Text(32 + 92 * i + 20, 137, str(state[name]), 13, c.INK if state[name] else c.FAINT, bold=True)


def _left(kind: Kind, left: int, x: float, y: float, half: float) -> Iterator[Item]:
    """A tile, half its size given, and how many are left of it."""
    yield box(x - half, y - half, 2 * half, 2 * half, c.paint_of(kind).face, 6, c.paint_of(kind).line, 1)
    yield Use(glyph(kind), x, y, 0.06 * half)
    yield Text(x + half + half / 3, y + 5, str(left), 13, c.INK if left else c.FAINT, bold=True)


# -- the legend

LEGEND_HEIGHT: Final = 236


def legend() -> Iterator[Item]:
    """The legend of symbols."""
    yield Use(_legend_card(), 0, 0)


@per_language
def _legend_card() -> Symbol:
    return _card(in_language("legend-card"), _legend_items(), LEGEND_HEIGHT)


def _legend_items() -> Iterator[Item]:
    yield from card_of(LEGEND_HEIGHT, _("What is what"))
    for i, (family, name) in enumerate(_FAMILY_WORDS):
        x, y = 30 + 72 * i, 56
        paint = c.FAMILY_PAINTS[family]
        yield box(x - 15, y - 15, 30, 30, paint.face, 6, paint.line, 1.2)
        yield Use(glyph(Kind[f"{family.name}_1"]), x, y + 1, 0.85)
        yield Text(x, y + 27, str(name), 10.5, c.INK, "middle")
    yield from _paints(98)
    for i, (sign, scale, word) in enumerate(_signs()):
        x, y = 26 + 98 * (i % 3), 142 + 30 * (i // 3)
        yield Use(sign, x, y, scale)
        yield Text(x + 16, y + 4, word, 10.5, c.INK)
    shops = ngettext(
        "shops: a ${money}, b trade for $, c {n} vote, d trade for votes",
        "shops: a ${money}, b trade for $, c {n} votes, d trade for votes",
        SHOP_VOTES,
        money=SHOP_MONEY,
    )
    yield Text(16, 226, shops, 9.8, c.SOFT_INK)


_FAMILY_WORDS: Final = (
    (Family.RESIDENTIAL, lazy("home")), (Family.COMMERCIAL, lazy("shop")),
    (Family.FACTORY, lazy("factory")), (Family.PARK, lazy("park")),
)  # fmt: skip


def _paints(y: float) -> Iterator[Item]:
    """The colours of the other buildings."""
    paints = (
        (c.CULTURE, _("culture")), (c.SERVICE, _("service")), (c.WORKS, _("works")), (c.WONDER, _("special")),
    )  # fmt: skip
    for i, (paint, word) in enumerate(paints):
        x = 16 + 72 * i
        yield box(x, y, 14, 14, paint.face, 4, paint.line, 1.2)
        yield Text(x + 18, y + 11, word, 10.5, c.INK)


def _signs() -> list[tuple[Symbol, float, str]]:
    """The pieces, each with its name."""
    return [
        (pieces.citizen(0), 0.85, _("citizen")), (pieces.tourist(1), 0.85, _("Tourist")),
        (pieces.worked(), 1.3, _("worked")),
        *((pieces.material(material), 0.85, str(MATERIAL_NAMES[material])) for material in Material),
        (pieces.radiation(), 0.7, _("Radiation")), (pieces.grave(), 0.6, _("grave")),
        (pieces.mayor(), 0.8, _("Mayor")),
    ]  # fmt: skip
