"""A game as terminal output: a summary of each round, the boroughs side by side, the result."""

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from .game import Game
from .history import Round, sentences
from .language import _, lazy
from .render import poster
from .rules.tables import SEATS, Victory
from .rules.tables.names import VICTORY_NAMES
from .rules.tables.tiles import CODES, TILES
from .text.wording import seat_name

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


def round_lines(played: Round, width: int, ink: Ink) -> list[str]:
    """The summary of a round: its number, and for every seat its tracks and what it did."""
    players = range(played.after["rules"]["players"])
    names = [seat_name(p) for p in players]
    host = _("Mayor at seat {p}", p=played.before["host"])
    name = _("Round {n}", n=played.number) if played.number else _("Set-up")
    first, *others = TRACKS.values()
    head = f"{name}{first:>{21 - len(name)}}" + "".join(f"{track:>10}" for track in others) + f"   {host}"
    lines = [ink(head, "bold")]
    for p in players:
        tracks = [played.track(p, track) for track in TRACKS]
        start = (
            f"  {seat_name(p):<9}" + "".join(f"{now:>5}{_moved(moved):>5}" for now, moved in tracks) + "   "
        )
        told = sentences((one for one in played.lines if one.line.seat == p), names)
        story = ". ".join(sentence for _seat, sentence in told) or _("nothing")
        wrapped = textwrap.wrap(start + story, max(width, 80), subsequent_indent=" " * len(start))
        lines += [ink.seat(p, wrapped[0]), *wrapped[1:]]
    return lines


def _moved(steps: int) -> str:
    """How far a track moved; empty if it did not."""
    return f"{steps:+}" if steps else ""


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
            gained = sum(points for _, points in poster.promise_points(game.state, p))
            dirt = int(game.state["borough"][p]["pollution"])
            parts = f"{scores[p] - gained + dirt:>12}{gained:>+12}{-dirt:>12}"
            lines.append(ink.seat(p, f"{place:>5}   {seat_name(p):<9}{scores[p]:>6} ={parts}"))
            lines += [f"        {note}" for note in _notes(game, p)]
        place += len(tied)
    if game.config.players == 1:
        words = _("Playing solo, {n} points earn the title: {title}", n=scores[0], title=game.title())
        lines += ["", words]
    return lines


def _notes(game: Game, p: int) -> Iterator[str]:
    """Elimination, and every promise kept or broken."""
    borough = game.state["borough"][p]
    if borough["out"]:
        yield _("out in round {n}", n=borough["out"])
    for name, points in poster.promise_points(game.state, p):
        yield _("kept '{promise}'", promise=name) if points > 0 else _("broke '{promise}'", promise=name)
