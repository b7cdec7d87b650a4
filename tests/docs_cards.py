"""The reference cards of docs/cards.md, with their pictures, from the tables of the rules.

python -m tests.docs_cards    # after a change of a table, of its words or of how pictures look
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mode
from typing import Final

from smallcity_agents.play.questions import CARDS
from smallcity_agents.play.view import reward
from smallcity_env.render import board, town
from smallcity_env.render import colours as c
from smallcity_env.render.drawing import Drawing, Group, Use, box, svg
from smallcity_env.render.ground import CELL, MAP, MARGIN, corner, ground
from smallcity_env.rules.modules import ABOUT
from smallcity_env.rules.numbers import NUMBERS
from smallcity_env.rules.tables import COLUMNS, MODULES, SEATS, SIDE, Card, Family, Row, every
from smallcity_env.rules.tables.cards import ADVANCE_COST, BASE_CARDS, BROKEN
from smallcity_env.rules.tables.counted import either
from smallcity_env.rules.tables.maps import GROWS, NAMES, PRINTED, SORT_OF, ZONE_START, Board, Sort
from smallcity_env.rules.tables.modules import EXPANSIONS
from smallcity_env.rules.tables.promises import PROMISES, RULEBOOK, Promise
from smallcity_env.rules.tables.shapes import WAYS, WAYS_OF
from smallcity_env.rules.tables.tiles import FEWER, PER_PLAYER, ROWS, TILES, Kind, Tile
from smallcity_env.rules.tables.tiles import NAMES as TILE_NAMES
from smallcity_env.text import pieces
from smallcity_env.text.boards import BOARD_WORDS, COUNCIL_WORDS
from smallcity_env.text.promises import conditions
from tests.docs_cards_words import INTRODUCTION, SECTIONS

DOCS: Final = Path(__file__).parents[1] / "docs"
PAGE: Final = DOCS / "cards.md"
FOLDER: Final = DOCS / "pictures" / "cards"
FRAME: Final = 4  # pixels around a tile
GAP: Final = 10  # between the shapes of one tile


# -- pictures


def pictures() -> dict[str, str]:
    """Every picture of the page, by its name."""
    tiles = {TILE_NAMES[row.kind]: _tile_picture(row) for row in ROWS}
    boards = {f"board-{NAMES[which]}": _board_picture(which) for which in Board}
    return tiles | boards | {"council": _council_picture()}


def _tile_picture(row: Tile) -> str:
    """Every shape a tile comes in, side by side."""
    drawn, x, height = [], float(FRAME), float(CELL)
    way = 0
    for shape in row.shapes:
        cells = WAYS[int(TILES[row.kind]["way"][way])]
        left = min(col for _, col in cells)
        drawn.append(Group((town.tile_drawing(row.kind, way),), x=x - left * CELL, y=FRAME))
        x += (max(col for _, col in cells) - left + 1) * CELL + GAP
        height = max(height, (cells[-1][0] + 1) * CELL)
        way += len(WAYS_OF[shape])
    if not drawn:
        return _plant_picture(row)
    return _svg(x - GAP + FRAME, height + 2 * FRAME, pieces.title(row.kind), drawn)


def _plant_picture(row: Tile) -> str:
    """A power plant: its icon above each column it powers."""
    icons = [
        Group((box(0, 0, CELL - 4, CELL - 4, c.paint_of(row.kind).face, 6),), x=FRAME + i * CELL, y=FRAME)
        for i in range(row.level)
    ]
    icon = town.tile_drawing(row.kind).symbol
    icons += [Group((Use(icon, 18, 18),), x=FRAME + i * CELL, y=FRAME) for i in range(row.level)]
    return _svg(row.level * CELL + FRAME, CELL + FRAME, pieces.title(row.kind), icons)


def _board_picture(which: Board) -> str:
    """A board with its first zone and what is printed on it."""
    size = MAP + MARGIN + FRAME + 6
    printed = []
    for kind, way, first in PRINTED[which].tolist():
        if kind:
            x, y = corner(first)
            ways = TILES[kind]["way"].tolist()
            printed.append(Group((town.tile_drawing(Kind(kind), ways.index(way)),), x=x, y=y))
    ground_ = Group((Use(ground(which, int(ZONE_START[which])), 0, 0),))
    on_paper = Group((box(0, 0, size, size, c.PAPER, 10),))
    everything = Group((ground_, *printed), x=MARGIN + FRAME, y=MARGIN + FRAME)
    drawn = _svg(size, size, f"The board {NAMES[which]}", [on_paper, everything])
    return drawn.replace(f'width="{size}" height="{size}"', f'width="{size // 2}" height="{size // 2}"', 1)


def _council_picture() -> str:
    """The council board without discs."""
    items = tuple(board.council([]))
    return _svg(board.WIDTH + 6, board.COUNCIL_HEIGHT + 8, "The council", [Group(items, x=2, y=2)])


def _svg(width: float, height: float, title: str, groups: Iterable[Group]) -> str:
    return svg(Drawing(int(width), int(height), title, tuple(groups))) + "\n"


# -- words


def page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, *_tiles(), *_cards(), *_promises(), *_council(), *_boards(), *_modules()])


def mark(key: str) -> str:
    """Where a number comes from, as its note says: `[S]`, `[P]` or `[R]`."""
    mark = re.search(r"\[[SPR]\]", NUMBERS[key].note)
    assert mark, key
    return mark[0]


def _tiles() -> Iterator[str]:
    yield from ("## Tiles", "", SECTIONS["tiles"], "")
    for title, rows in _groups():
        yield from (f"### {title}", "", "| tile | |", "|---|---|")
        for row in rows:
            picture = f"![{pieces.title(row.kind)}](pictures/cards/{TILE_NAMES[row.kind]}.svg)"
            yield f"| {picture} | {'<br>'.join(_tile_lines(row))} |"
        yield ""


def _groups() -> Iterator[tuple[str, list[Tile]]]:
    """The tiles by the family or the box they belong to."""
    families = ("Homes", "Shops", "Factories", "Parks")
    for family, title in zip([f for f in Family if f is not Family.OTHER], families, strict=True):
        yield title, [row for row in ROWS if row.family is family]
    others = [row for row in ROWS if row.family is Family.OTHER]
    yield "Industry", [row for row in others if row.council and not row.service]
    yield "Cultural buildings", [row for row in others if row.cultural]
    yield "Service buildings", [row for row in others if row.service]
    for module in MODULES:
        if rows := [row for row in others if row.module == module]:
            yield module.replace("_", " ").capitalize(), rows
    yield "Printed or placed at set-up", [row for row in others if not row.built]


def _tile_lines(row: Tile) -> Iterator[str]:
    """The card of a tile: its name, what it costs, how many there are, what it needs and does."""
    room = f", {guests}" if (guests := pieces.people_spaces(row.kind)) else ""
    yield f"**{pieces.title(row.kind)}** (`{row.code}`), {_size(row)}{room}"
    if row.built:
        yield f"{_cost(row)}; {_supply(row)}"
    if needs := pieces.criterion(row.kind):
        yield f"Needs {needs}."
    yield pieces.effect(row.kind)


def _size(row: Tile) -> str:
    """How many spaces; the mark is that of its shape."""
    if row.plant:
        return f"powers {row.level} {'column' if row.level == 1 else 'columns'}"
    key, n = f"tiles.{TILE_NAMES[row.kind]}.shape", int(TILES[row.kind]["spaces"])
    source = f" {mark(key)}" if key in NUMBERS else ""
    return f"{n} {'space' if n == 1 else 'spaces'}{source}"


def _cost(row: Tile) -> str:
    """The price and the votes it brings, each with its mark."""
    name = TILE_NAMES[row.kind]
    if row.service:
        return "Built by the council only [P]"
    key = f"tiles.{row.family.name.lower()}.rate" if row.family is not Family.OTHER else f"tiles.{name}.money"
    votes = f", brings {row.gain} votes {mark(f'tiles.{name}.gain')}" if row.gain else ""
    return f"Costs {pieces.cost(row.kind)} {mark(key)}{votes}"


def _supply(row: Tile) -> str:
    """How many there are, and how many one player may have."""
    family = row.family is not Family.OTHER
    key = f"tiles.{row.family.name.lower() if family else TILE_NAMES[row.kind]}.supply"
    by_players = {PER_PLAYER: "one for each player", FEWER: "one fewer than players, at least one"}
    return f"{by_players.get(row.supply, f'{row.supply} in the game')} {mark(key)}"


def _cards() -> Iterator[str]:
    yield from ("## Action cards", "", SECTIONS["cards"], "", "| card | what it does | |", "|---|---|---|")
    for card in list(Card)[1:]:
        letter, source = chr(ord("A") + card - 1), "[P]" if card <= BASE_CARDS else "[S]"
        does = str(CARDS[card])
        does = does[0].upper() + does[1:]
        yield f"| **{letter} {card.name.capitalize()}** | {does}. | {source} |"
    yield ""


def _promises() -> Iterator[str]:
    yield from ("## Promises", "", SECTIONS["promises"].format(costs=either(BROKEN)), "")
    yield from (
        "| # | promise | worth | kept when, at the end, you have | dealt | |",
        "|---|---|---|---|---|---|",
    )
    for promise in PROMISES:
        source = mark(f"promises.{promise.number}.needs")
        assert (source == "[S]") == (promise.number in RULEBOOK)
        words = f"**{promise.name}** | {promise.worth} | {conditions(promise)} | {_dealt(promise)}"
        yield f"| {promise.number} | {words} | {source} |"
    yield ""


def _dealt(promise: Promise) -> str:
    """In which games a promise is dealt."""
    if promise.victory is not None:
        return f"advanced, {promise.victory.name.lower()}"
    module = promise.module.replace("_", " ")
    return f"advanced, {module}" if promise.any_victory else module or "always"


def _council() -> Iterator[str]:
    yield from ("## The council", "", "![The council board](pictures/cards/council.svg)", "")
    yield from (SECTIONS["council"], "")
    yield "| row | " + " | ".join(f"column {n}" for n in range(1, COLUMNS + 1)) + " | | |"
    yield "|---" * (COLUMNS + 3) + "|"
    costs = " | ".join(map(str, ADVANCE_COST[1:]))
    yield f"| **cost** | {costs} | in money or in votes | {mark('council.cost')} |"
    every(Row, COUNCIL_WORDS, "words of a council row")
    for row in Row:
        name = row.name.lower()
        rewards = " | ".join(reward(row, column) for column in range(1, COLUMNS + 1))
        yield f"| **{name.capitalize()}** | {rewards} | {COUNCIL_WORDS[row]} | {mark(f'council.{name}')} |"
    yield ""


def _boards() -> Iterator[str]:
    every(Board, BOARD_WORDS, "words of a board")
    titles = {Sort.BASE: "Base boards", Sort.TERRAIN: "Terrain boards", Sort.CITY: "Asian cities"}
    yield from ("## Boards", "", SECTIONS["boards"], "")
    for sort, title in titles.items():
        boards = [which for which in Board if SORT_OF[which] is sort]
        usual = mode(map(_zone, boards))
        yield from (f"### {title}", "", usual, "", "| board | |", "|---|---|")
        for which in boards:
            picture = f"![The board {NAMES[which]}](pictures/cards/board-{NAMES[which]}.svg)"
            zone = f"<br>{_zone(which)}" if _zone(which) != usual else ""
            yield f"| {picture} | **`{NAMES[which]}`**<br>{BOARD_WORDS[which]}{zone} |"
        yield ""


def _zone(which: Board) -> str:
    size = int(ZONE_START[which])
    return (
        f"Zone: {size} x {size}, growing to {SIDE} x {SIDE}."
        if GROWS[which]
        else "Zone: the whole map from the start."
    )


def _modules() -> Iterator[str]:
    yield from ("## Modules", "", SECTIONS["modules"].format(players=SEATS), "")
    yield from ("| module | what it adds | rules | |", "|---|---|---|---|")
    for module in MODULES:
        rules, _, source = EXPANSIONS[module].rules.rpartition(" ")
        yield f"| **`{module}`** | {ABOUT[module]} | {rules} | {source} |"
    yield ""


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name, picture in pictures().items():
        (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
