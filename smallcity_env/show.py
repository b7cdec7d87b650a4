"""A game as terminal output: a summary of each round, the boroughs side by side, the result."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from .game import Game
from .language import Listed, _, joined, lazy, ngettext
from .log import Entry
from .render import poster
from .rules import actions
from .rules.actions import space_name
from .rules.tables import ELIMINATED_AT, SEATS, Ask, Card, Row, Victory
from .rules.tables.names import ROW_NAMES, VICTORY_NAMES, card_name, tile_name
from .rules.tables.tiles import CODES, TILES, Kind
from .text.grid import members
from .text.wording import seat_name, shown

TRACKS = {"votes": lazy("votes"), "money": lazy("money"), "pollution": lazy("pollution")}
GAP = "    "  # between boroughs
LEGEND = lazy(
    "R1-R5 homes, C1-C4 shops, F1-F3 factories, P1-P3 parks, two letters any other building; a small letter "
    "tells tiles of one kind apart, - is outside the zone. After a colon: 0-{last} a citizen of that seat, "
    "w s m wood, stone, metal, + a grave, * radiation, Z the godzilla.",
    last=SEATS - 1,
)

# -- colours

_CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36",
}  # fmt: skip
_SEAT_INKS = ("red", "green", "yellow", "cyan", "magenta", "blue")  # more seats begin again
_FAMILY_INKS = ("yellow", "blue", "red", "green", "cyan")  # in the order of Family
_TILE_INKS = {code: _FAMILY_INKS[TILES[kind]["family"]] for kind, code in CODES.items()}


@dataclass(frozen=True)
class Ink:
    """Colours on a terminal, plain text elsewhere."""

    on: bool = False

    def __call__(self, text: str, ink: str) -> str:
        return f"\033[{_CODES[ink]}m{text}\033[0m" if self.on else text

    def seat(self, p: int, line: str) -> str:
        """A line with the name of its seat in the seat's colour."""
        name = seat_name(p)
        return line.replace(name, self(name, _SEAT_INKS[p % len(_SEAT_INKS)]), 1)

    def picture(self, line: str) -> str:
        """A line of boroughs, each word in the colour of its tile."""
        return re.sub(r"\S+", lambda word: self(word[0], _ink_of(word[0])), line)


def _ink_of(word: str) -> str:
    """The colour of one word of a borough."""
    tile, _, things = word.partition(":")
    if set(things) & {"*", "Z"}:
        return "magenta"
    return _TILE_INKS.get(tile[:2], "dim")


# -- rounds


@dataclass(frozen=True)
class Round:
    """What happened in one round; round 0 is the set-up."""

    number: int
    before: np.void
    after: np.void
    entries: list[Entry]
    dice: list[int]  # what the godzillas rolled, by seat; 0: nothing

    def of(self, p: int) -> list[Entry]:
        """The answers of one seat."""
        return [entry for entry in self.entries if entry.seat == p]

    def track(self, p: int, name: str) -> tuple[int, int]:
        """Where a seat stands on a track, and how far it moved."""
        now = int(self.after["borough"][p][name])
        return now, now - int(self.before["borough"][p][name])


def round_lines(played: Round, width: int, ink: Ink) -> list[str]:
    """The summary of a round: its number, and for every seat its tracks and what it did."""
    host = _("Mayor at seat {p}", p=played.before["host"])
    name = _("Round {n}", n=played.number) if played.number else _("Set-up")
    first, *others = TRACKS.values()
    head = f"{name}{first:>{21 - len(name)}}" + "".join(f"{track:>10}" for track in others) + f"   {host}"
    lines = [ink(head, "bold")]
    for p in range(played.after["rules"]["players"]):
        tracks = [played.track(p, track) for track in TRACKS]
        start = (
            f"  {seat_name(p):<9}" + "".join(f"{now:>5}{_moved(moved):>5}" for now, moved in tracks) + "   "
        )
        story = joined(_story(played, p)) or _("nothing")
        wrapped = textwrap.wrap(start + story, max(width, 80), subsequent_indent=" " * len(start))
        lines += [ink.seat(p, wrapped[0]), *wrapped[1:]]
    return lines


def _moved(steps: int) -> str:
    """How far a track moved; empty if it did not."""
    return f"{steps:+}" if steps else ""


def _story(played: Round, p: int) -> Iterator[str]:
    """What a seat did in a round, and what happened to it."""
    answers = [(entry.ask, entry.action) for entry in played.of(p)]
    yield from (shown(action) for ask, action in answers if ask is Ask.DIFFICULTY)
    yield from (card_name(Card(int(actions.CARD_OF[action]))) for ask, action in answers if ask is Ask.CARD)
    if (Ask.WHAT, actions.ENLARGE) in answers:
        yield _("enlarged the zone")
    if built := list(_builds(played, p)):
        yield _("built {tiles}", tiles=Listed(built))
    if abroad := [action for ask, action in answers if ask is Ask.MOVE and action in _ABROAD]:
        yield _("Tourist to {places}", places=Listed(map(shown, abroad)))
    traded = [action for ask, action in answers if ask is Ask.TRADE and action != actions.NO]
    yield from (_("traded {material}", material=shown(action)) for action in traded)
    yield from _godzilla(played, p)
    if died := sum(ask is Ask.DIES for ask, _action in answers):
        yield ngettext("a citizen dies", "{n} citizens die", died)
    if rows := [action - actions.ROW for ask, action in answers if ask is Ask.ROW and action != actions.NO]:
        yield _("council {rows}", rows=Listed(ROW_NAMES[Row(row)] for row in rows))
    if played.after["borough"][p]["out"] == played.number != 0:
        yield _("OUT: pollution reached {n}", n=ELIMINATED_AT)


_ABROAD = range(actions.SEAT, actions.SEAT + SEATS)


def _builds(played: Round, p: int) -> Iterator[str]:
    """The tiles a seat placed, each with its first space; the Warehouse of a factory is not asked for."""
    unasked = tile_name(Kind.WAREHOUSE if played.number else Kind.CITY_HALL)
    what = unasked
    for entry in played.of(p):
        if entry.ask is Ask.WHAT and (kind := actions.KIND_OF[entry.action]):
            tile = tile_name(Kind(int(kind)))
            upgrade = actions.UPGRADE <= entry.action < actions.ENLARGE
            what = _("up to {tile}", tile=tile) if upgrade else tile
        elif entry.ask is Ask.WHERE:
            yield f"{what} {space_name(entry.action)}"
            what = unasked


def _godzilla(played: Round, p: int) -> Iterator[str]:
    """Where a godzilla stands at the end of the round, and the markers it has left."""
    borough = played.after["borough"][p]
    if stands := members(borough["godzilla"]):
        spaces, die = " ".join(map(space_name, stands)), played.dice[p]
        resting = _("GODZILLA stands on {spaces}", spaces=spaces)
        walked = _("GODZILLA rolled {die}, stands on {spaces}", die=die, spaces=spaces)
        left = len(members(borough["markers"])) - len(members(played.before["borough"][p]["markers"]))
        radiation = [_("{n} radiation", n=f"{left:+}")] if left else []
        yield ", ".join([walked if die else resting, *radiation])


# -- boroughs


def side_by_side(blocks: list[list[str]], width: int) -> Iterator[list[str]]:
    """Join blocks of padded lines side by side, as many as fit into the width; yields the joined lines."""
    while blocks:
        widths = accumulate(len(block[0]) + len(GAP) for block in blocks)
        fitting = max(1, sum(total - len(GAP) <= width for total in widths))
        shown, blocks = blocks[:fitting], blocks[fitting:]
        height = max(map(len, shown))
        padded = [block + [" " * len(block[0])] * (height - len(block)) for block in shown]
        yield [GAP.join(row).rstrip() for row in zip(*padded, strict=True)]


# -- the result


def result_lines(game: Game, ink: Ink) -> list[str]:
    """Places, scores and their components; in solo the title."""
    victory = VICTORY_NAMES[Victory(int(game.state["rules"]["victory"]))]
    columns = "".join(f"{name:>12}" for name in (victory, _("promises"), _("pollution")))
    lines = [ink(_("place").ljust(8) + _("who").ljust(9) + _("score").rjust(6) + f" ={columns}", "bold")]
    scores, place = game.scores(), 1
    for tied in game.ranking():
        for p in tied:
            gained = sum(points for _, points in promise_points(game, p))
            dirt = int(game.state["borough"][p]["pollution"])
            parts = f"{scores[p] - gained + dirt:>12}{gained:>+12}{-dirt:>12}"
            notes = joined(_notes(game, p))
            lines.append(ink.seat(p, f"{place:>5}   {seat_name(p):<9}{scores[p]:>6} ={parts}   {notes}"))
        place += len(tied)
    if game.config.players == 1:
        words = _("Playing solo, {n} points earn the title: {title}", n=scores[0], title=game.title())
        lines += ["", words]
    return lines


def promise_points(game: Game, p: int) -> list[tuple[str, int]]:
    """Every promise of a seat with the points it brings or costs."""
    return poster.promise_points(game.state, p)


def _notes(game: Game, p: int) -> Iterator[str]:
    """Elimination, and every promise kept or broken."""
    borough = game.state["borough"][p]
    if borough["out"]:
        yield _("out in round {n}", n=borough["out"])
    for name, points in promise_points(game, p):
        yield _("kept '{promise}'", promise=name) if points > 0 else _("broke '{promise}'", promise=name)
