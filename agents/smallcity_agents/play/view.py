"""The game as one seat sees it: boroughs side by side, tracks, answers, scores."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import numpy as np

from smallcity_env import batch
from smallcity_env.language import Listed, _, joined, lazy, lazy_n, ngettext
from smallcity_env.rules import actions
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.tables import COLUMNS as COUNCIL_COLUMNS
from smallcity_env.rules.tables import (
    HOME_VOTES,
    MODULES,
    SHOP_MONEY,
    SHOP_VOTES,
    SIDE,
    Ask,
    Card,
    Family,
    Material,
    Row,
)
from smallcity_env.rules.tables.cards import (
    ADVANCE_COST,
    CONSTRUCTION,
    DIFFICULTIES,
    FINANCE,
    SUPPLIES,
    TOURISM,
)
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.names import (
    MATERIAL_NAMES,
    ROW_NAMES,
    board_name,
    card_name,
    dollars,
    tile_title,
)
from smallcity_env.rules.tables.promises import BY_NUMBER, Promise
from smallcity_env.rules.tables.shapes import WAYS
from smallcity_env.rules.tables.tiles import CODES, ROWS, TILES, Kind
from smallcity_env.show import LEGEND, Ink, side_by_side
from smallcity_env.text import wording
from smallcity_env.text.grid import COLUMNS, OUTSIDE, members
from smallcity_env.text.notation import draw
from smallcity_env.text.pieces import votes
from smallcity_env.text.promises import conditions
from smallcity_env.text.wording import normalised, seat_name

from .questions import CARDS

NOBODY: Final = -1  # as a seat: sees what everybody sees
MARK: Final = "?"  # after a space that is a legal answer
NAME: Final = 20  # letters of a player where lines are wrapped
SHOPS: Final = (
    lazy("{tile}, space a: ${money}", money=SHOP_MONEY),
    lazy("{tile}, space b: a material for money"),
    lazy_n("{tile}, space c: {n} vote", "{tile}, space c: {n} votes", SHOP_VOTES),
    lazy("{tile}, space d: a material for votes"),
)
LISTED: Final = 12  # most spaces that get a line each
MOST: Final = 100  # columns: longer lines are hard to read
LEAST: Final = 60  # columns: lines are never wrapped to fewer

# -- boroughs


def borough(state: Any, you: int, p: int) -> Any:
    """A borough as a seat sees it: its last public state while it is behind a screen (P2.1, SU2)."""
    screened = p != you and state["shown"][p].tobytes().strip(b"\0")
    return state["shown" if screened else "borough"][p]


def board_lines(
    state: Any,
    you: int,
    names: Sequence[str],
    width: int,
    ink: Ink,
    seats: Collection[int] = (),
    marked: Collection[int] = (),
) -> list[str]:
    """Boroughs side by side, as many as fit; `marked` are the spaces that are legal answers."""
    chosen, where = list(seats) or range(state["rules"]["players"]), asked_about(state, you)
    blocks = [_block(state, you, p, names[p], marked if p == where else ()) for p in chosen]
    lines: list[str] = []
    for title, tracks, *rows in side_by_side(blocks, width):
        lines += [ink(title, "bold"), tracks, *(_inked(row, ink) for row in rows), ""]
    return lines


def table_lines(state: Any, names: Sequence[str], width: int, ink: Ink) -> list[str]:
    """All boroughs as they are, for nobody in particular, and how to read them."""
    known = names or [_("player {p}", p=p) for p in range(state["rules"]["players"])]
    return [*board_lines(state, NOBODY, known, width, ink), *legend_lines(state, width, ink)]


def _block(state: Any, you: int, p: int, name: str, marked: Collection[int]) -> list[str]:
    """One borough with its title and tracks, all lines equally long."""
    seen, board = borough(state, you, p), int(state["rules"]["board"][p])
    title = f"{player(p, name)}, {board_name(Board(board))}"
    tracks = [_("votes {n}", n=seen["votes"]), f"${seen['money']}", _("pollution {n}", n=seen["pollution"])]
    if state["rules"]["power_plants"]:
        columns = "".join(c for k, c in enumerate(COLUMNS) if seen["powered"] >> k & 1)
        tracks.append(_("power {columns}", columns=columns or "-"))
    if seen["out"]:
        tracks.append(_("out in round {n}", n=seen["out"]))
    lines = [title, "   ".join(tracks), *_picture(seen, board, marked)]
    longest = max(map(len, lines))
    return [line.ljust(longest) for line in lines]


def _picture(seen: Any, board: int, marked: Collection[int]) -> list[str]:
    """Draw a borough without empty margins, answers marked."""
    letters, *rows = (line.split() for line in draw(seen, board).splitlines())
    grid = [["", *letters], *rows]
    for space in marked:
        row, col = divmod(space, SIDE)
        grid[row + 1][col + 1] += MARK
    grid = [row for row in grid if set(row[1:]) != {OUTSIDE}]
    columns = [c for c in zip(*grid, strict=True) if set(c[1:]) != {OUTSIDE}]
    widths = [max(map(len, column)) for column in columns]
    return [
        " ".join([row[0].rjust(widths[0]), *(w.ljust(n) for w, n in zip(row[1:], widths[1:], strict=True))])
        for row in zip(*columns, strict=True)
    ]


def _inked(line: str, ink: Ink) -> str:
    """Colour a line of boroughs; answers are bold."""
    if not ink.on or MARK not in line:
        return ink.picture(line)
    pieces = line.split(" ")
    return " ".join(ink(word, "bold") if word.endswith(MARK) else ink.picture(word) for word in pieces)


def legend_lines(state: Any, width: int, ink: Ink) -> list[str]:
    """How to read the pictures: everything that can appear in this game."""
    more = _("! a citizen who worked this round, ' a tile built this round, M the Mayor, ? a legal answer.")
    buildings = Listed(f"{CODES[kind]} {tile_title(kind)}" for kind in _buildings(state))
    lines = wrapped(f"{LEGEND} {more}", width)
    lines += wrapped(_("Buildings: {buildings}.", buildings=buildings), width, 2)
    return [ink(line, "dim") for line in lines]


def _buildings(state: Any) -> list[Kind]:
    """The buildings of this game that have no levels."""
    modules = ["", *(module for module in MODULES if state["rules"][module])]
    boards = {Board(int(b)) for b in state["rules"]["board"][: state["rules"]["players"]]}
    printed = {Kind.PORT: Board.SHANGHAI in boards, Kind.MONASTERY: Board.ULAANBAATAR in boards}
    rows = (tile.kind for tile in ROWS if tile.family is Family.OTHER and tile.module in modules)
    return [kind for kind in rows if not TILES[kind]["plant"] and printed.get(kind, True)]


def council_lines(state: Any, you: int, width: int, ink: Ink) -> list[str]:
    """The council board: what each column costs and brings, and where the discs are."""
    costs = [_("{n} (cost {price})", n=n, price=ADVANCE_COST[n]) for n in range(1, COUNCIL_COLUMNS + 1)]
    heads = "".join(f"{cost:>12}" for cost in costs)
    lines = [ink(_("council").ljust(14) + heads + "   " + _("discs"), "bold")]
    for row in Row:
        cells = "".join(f"{reward(row, n):>12}" for n in range(1, COUNCIL_COLUMNS + 1))
        players = range(state["rules"]["players"])
        discs = [(p, int(borough(state, you, p)["council"][row])) for p in players]
        there = ", ".join(f"{you_or_seat(p, you)} {n}" for p, n in discs if n)
        lines += wrapped(f"{ROW_NAMES[row]:<14}{cells}   {there}".rstrip(), width, 17)
    return lines


def reward(row: Row, column: int) -> str:
    """What a column of the council brings."""
    if row is Row.FINANCE:
        return dollars(int(FINANCE[column]))
    if row is Row.SUPPLIES:
        return str(MATERIAL_NAMES[Material(int(SUPPLIES[column]))])
    if row is Row.CONSTRUCTION:
        return ngettext("{n} space", "{n} spaces", int(CONSTRUCTION[column]))
    return ngettext("{n} citizen", "{n} citizens", int(TOURISM[column]))


# -- answers


def player(p: int, name: str) -> str:
    """A seat and who has it."""
    return f"{seat_name(p)} ({name})"


def you_or_seat(p: int, you: int) -> str:
    """A seat as one of the players calls it."""
    return _("you") if p == you else seat_name(p)


def asked_about(state: Any, you: int) -> int:
    """The borough in which the answers lie, if they are spaces."""
    if state["ask"] in (Ask.STREET, Ask.STREET_WAY):
        return int(state["host"])
    return int(state["destination"]) if state["ask"] == Ask.ABROAD else you


def answer_lines(
    state: Any, you: int, legal: Sequence[int], effects: Mapping[int, str], width: int
) -> list[str]:
    """The numbered answers; many spaces are listed together by what they give."""
    many = len(spaces_in(legal)) > LISTED
    listed = [(i, a) for i, a in enumerate(legal, start=1) if not many or a >= actions.BUILD]
    labels = {action: label(state, you, action) for _, action in listed}
    column = min(max(map(len, labels.values()), default=0), width // 2)  # where effects begin, if they can
    lines = _grouped(state, you, spaces_in(legal), effects, width) if many else []
    for i, action in listed:
        lines += wrapped(
            f"{i:>4}  {labels[action].ljust(column)}   {effects.get(action, '')}".rstrip(), width, 8
        )
    return lines


def _grouped(
    state: Any, you: int, spaces: Sequence[int], effects: Mapping[int, str], width: int
) -> list[str]:
    """Spaces by what they give and do, one entry for each group."""
    groups: dict[tuple[str, str], list[str]] = {}
    there = borough(state, you, asked_about(state, you))
    for space in spaces:
        what = spot(there, space)
        groups.setdefault((what, effects.get(space, "")), []).append(space_name(space))
    lines = []
    for (what, effect), names in groups.items():
        said = joined(part for part in (what, effect) if part)
        lines += wrapped(f"      {' '.join(names)}" + (f"   ({said})" if said else ""), width, 6)
    return lines


def wrapped(line: str, width: int, indent: int = 0) -> list[str]:
    """Wrap a line to the width of the terminal, at most MOST columns, 0: never; the rest is indented."""
    if not width or len(line) <= (width := min(width, MOST)):
        return [line]
    return textwrap.wrap(line, max(width, LEAST), subsequent_indent=" " * indent)


def label(state: Any, you: int, action: int) -> str:
    """An answer in words, with what it gives."""
    if action < actions.BUILD:
        there = borough(state, you, asked_about(state, you))
        what = spot(there, action)
        return space_name(action) + (f"  {what}" if what else "")
    words = wording.describe(state, action)
    if card := actions.CARD_OF[action]:
        return _("{card}: {effect}", card=words, effect=CARDS[Card(card)])
    return words


def printed(state: Any, you: int, legal: Sequence[int]) -> dict[str, int]:
    """The answers as printed in lists, hints and replays, so that each can be typed."""
    sentences = {normalised(wording.describe(state, action)): action for action in legal}
    return sentences | {normalised(label(state, you, action)): action for action in legal}


def spot(there: Any, space: int) -> str:
    """What a space gives."""
    if space not in members(there["tiled"]):
        return ""
    first = int(there["first"][space])
    kind = Kind(int(there["kind"][first]))
    cells = [first + SIDE * row + col for row, col in WAYS[int(there["way"][first])]]
    number, tile = cells.index(space), TILES[kind]
    if tile["family"] == Family.COMMERCIAL:
        return SHOPS[number].fill(tile=tile_title(kind))
    if tile["family"] == Family.FACTORY:
        return _("{tile}: {gives}", tile=tile_title(kind), gives=MATERIAL_NAMES[Material(number)])
    if tile["family"] == Family.RESIDENTIAL:
        return _("{tile}: {gives}", tile=tile_title(kind), gives=votes(HOME_VOTES[int(tile["level"])]))
    return tile_title(kind)


# -- scores


def score_lines(states: batch.States, you: int, names: Sequence[str], width: int, ink: Ink) -> list[str]:
    """Public tracks, cards and council of all seats, and your own promise."""
    state = states[0]
    seen = batch.visible_scores(states)[0]
    shown = [player(p, names[p])[: NAME if width else None] for p in range(state["rules"]["players"])]
    wide = max(map(len, shown))
    columns = zip((_("votes"), _("money"), _("pollution"), _("points")), (wide + 7, 7, 11, 8), strict=True)
    heads = "".join(head.rjust(room) for head, room in columns) + "   " + _("card, council, promise")
    lines = [ink(heads, "bold")]
    for p, name in enumerate(shown):
        b = borough(state, you, p)
        start = name.ljust(wide)
        tracks = f"{b['votes']:>7}{b['money']:>7}{b['pollution']:>11}{seen[p]:>8}   "
        first, *more = wrapped(f"{start}{tracks}{_open(state, p)}".rstrip(), width, len(start + tracks))
        lines += [ink.seat(p, first), *more]
    return [*lines, *promise_lines(state, you, width)]


def _open(state: Any, p: int) -> str:
    """The public card, council discs and difficulty of the promise of a seat."""
    b = state["borough"][p]
    parts = [card_name(Card(int(b["card"])))] if b["card"] else []
    parts += [f"{ROW_NAMES[Row(row)]} {column}" for row, column in enumerate(b["council"]) if column]
    if b["promise"]:
        parts.append(_("promised {points}", points=DIFFICULTIES[int(b["difficulty"])]))
    return ", ".join(parts)


def promise_lines(state: Any, you: int, width: int) -> list[str]:
    """Your own promises."""
    b = state["borough"][you]
    held = [int(b[which]) for which in ("promise", "special") if b[which]]
    words = (_("Your promise: {promise}", promise=promise_words(BY_NUMBER[number])) for number in held)
    return [line for promise in words for line in wrapped(promise, width, 4)]


def promise_words(promise: Promise) -> str:
    """A promise with its conditions."""
    needs = conditions(promise)
    return _("{name} ({worth}): {needs} at the end", name=promise.name, worth=promise.worth, needs=needs)


def promise_brief(promise: Promise) -> str:
    """A promise by its name alone."""
    return _("{name} ({worth})", name=promise.name, worth=promise.worth)


def spaces_in(legal: Sequence[int]) -> list[int]:
    """The answers that are spaces."""
    return [int(action) for action in np.asarray(legal) if action < actions.BUILD]
