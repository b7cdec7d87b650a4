"""A finished game as one HTML page: the picture after every answer, what was done, the scores by round.

The page holds every line of SVG once (`lines`), every part of a picture as numbers of lines (`parts`),
and every picture as numbers of parts: most answers change little.
"""

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from typing import Any, Final

from .. import batch
from ..config import Config
from ..history import Entered, History, is_secret, sentences
from ..language import Listed, _, current, filled, lazy, ngettext, translated
from ..log import BadLog, Log, Step, replay_steps, state_of
from ..rules.tables import SEATS, Ask
from ..rules.tables.maps import Board
from ..rules.tables.names import board_name, module_name
from ..text import wording
from . import colours, poster
from .drawing import Drawing, Group, Symbol, define, group_head, svg_head, symbols_in, write

TEMPLATE: Final = "replay.html"
_TAG: Final = re.compile("<(?=/|!|script)", re.IGNORECASE)  # what ends a script, or begins another inside it
_IN_SCRIPT: Final = re.compile(r'\b_\("([^"]+)"')  # the texts that the template's script shows
EMPTY: Final = lazy("this log has no answers: there is nothing to show")


@dataclass
class Frame:
    """One frame of a replay: the state, the seat that acted, what it did in words, and what followed."""

    state: Any
    seat: int = -1
    words: list[str] = field(default_factory=list)
    lines: list[Entered] = field(default_factory=list)


# -- the frames of a game


def frames(log: Log, seat: int | None) -> list[Frame]:
    """The frames of a game as a seat saw it: one per answer that was not forced."""
    shown = [Frame(state_of(log.start)[0], words=[_("The game begins")])]
    behind = -1  # who is building behind a screen
    told, secrets = _told(log), list[Entered]()
    for number, step in enumerate(replay_steps(log)):
        hidden = poster.hidden(step.before, seat)
        known = step.entry.forced or (hidden and behind == step.entry.seat)
        if not known:
            shown.append(Frame(step.after, step.entry.seat))
        shown[-1].state = step.after
        if not hidden:
            shown[-1].words.append(_words(step))
        elif not known:
            shown[-1].words.append(poster.behind_a_screen(step.before))
        behind = step.entry.seat if hidden else -1
        secrets += told[number]
        screened = seat is not None and is_secret(step.after)
        shown[-1].lines += (one for one in secrets if not screened or not one.secret or one.line.seat == seat)
        secrets = [one for one in secrets if screened and one.secret and one.line.seat != seat]
    return shown


def _told(log: Log) -> dict[int, list[Entered]]:
    """The lines of the history by the answer they follow from."""
    history, told = History(), defaultdict[int, list[Entered]](list)
    history.catch_up(log)
    for one in history.lines:
        told[one.number].append(one)
    return told


def _words(step: Step) -> str:
    """An answer in words; a forced one names its seat."""
    words = wording.describe(step.before, step.entry.action)
    seat = wording.seat_name(step.entry.seat)
    return _("({seat}: {words})", seat=seat, words=words) if step.entry.forced else words


def scores_by_round(shown: list[Frame], seat: int | None) -> dict[int, list[int]]:
    """The scores at the end of every round (0 is the set-up); a seat sees no promises before the end."""
    begins: dict[int, Any] = {}
    for frame in shown:
        begins.setdefault(int(frame.state["round_no"]), frame.state)
    ends = [*list(begins.values())[1:], shown[-1].state]
    return {number: _scores(state, seat) for number, state in zip(begins, ends, strict=True)}


def _scores(state: Any, seat: int | None) -> list[int]:
    """The score of every seat, as far as this seat can see it."""
    states = state_of(state.tobytes())
    open_to_all = seat is None or state["ask"] == Ask.OVER
    scores = batch.scores(states)[0] if open_to_all else batch.visible_scores(states)
    return [int(n) for n in scores[0, : state["rules"]["players"]]]


# -- the page


class Album:
    """Many drawings that share parts, each part stored once."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.parts: dict[tuple[int, ...], int] = {}
        self.symbols: dict[str, Symbol] = {}

    def add(self, drawing: Drawing) -> list[int]:
        """Add a drawing; return the numbers of its parts."""
        self.symbols.update((symbol.name, symbol) for symbol in symbols_in(drawing.groups))
        return [self._part(group) for group in drawing.groups]

    def _part(self, group: Group) -> int:
        numbers = tuple(self.lines.setdefault(write(item), len(self.lines)) for item in group.items)
        return self.parts.setdefault(numbers, len(self.parts))


def page(log: Log, seat: int | None = None, names: Sequence[str] = ()) -> str:
    """The replay as one self-contained HTML page; `names` are those of the players, if not in the log."""
    shown, names = frames(log, seat), names or log.names
    if len(shown) == 1:
        raise BadLog(str(EMPTY))
    album = Album()
    drawings = [poster.draw(frame.state, seat, names) for frame in shown]
    scores = scores_by_round(shown, seat)
    pictures = [album.add(drawing) for drawing in drawings]
    data = {
        "lines": list(album.lines),
        "parts": list(album.parts),
        "pictures": pictures,
        "names": [group.name for group in drawings[0].groups],
        "moments": _moments(shown, names or [wording.seat_name(p) for p in range(SEATS)]),
        "rounds": list(scores),
        "scores": list(scores.values()),
        "colours": list(colours.SEAT_FACES),
        "players": list(names),
    }
    text = files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8")
    data["texts"] = {message: translated(message) for message in _IN_SCRIPT.findall(text)}
    values = {
        "LANGUAGE": current(),
        "TITLE": escape(_title(log, seat)),
        "LOG": _escaped(log) if seat is None else "",
        "PICTURE": _empty(drawings[0], album),
        "DATA": _TAG.sub(r"\\u003c", json.dumps(data, separators=(",", ":"))),
    }

    return filled(text, **values)


def _escaped(log: Log) -> str:
    """The log, with every secret of the game, as text of the page that no other value is filled into."""
    return escape(log.to_text()).replace("@", "&#64;")


def _moments(shown: list[Frame], names: Sequence[str]) -> list[list[Any]]:
    """For every picture: the round, the seat that acted, what it did, and what followed from it."""
    moments = []
    for before, frame in zip([shown[0], *shown], shown, strict=False):
        came = [list(sentence) for sentence in sentences(frame.lines, names)]
        moments.append([int(before.state["round_no"]), frame.seat, frame.words, came])
    return moments


def _title(log: Log, seat: int | None) -> str:
    """The configuration of the game, and the seat whose view it is."""
    state = state_of(log.start)[0]
    config = Config.of(state)
    boards = Listed(map(board_name, dict.fromkeys(map(Board, state["rules"]["board"][: config.players]))))
    named = ", ".join(module_name(module).replace("_", " ") for module in config.modules)
    modules = named or _("no modules")
    players = ngettext("{n} player", "{n} players", config.players)
    words = _("{players} on {boards}, {modules}", players=players, boards=boards, modules=modules)
    return (
        words if seat is None else _("{game}, as {player} saw it", game=words, player=wording.seat_name(seat))
    )


def _empty(drawing: Drawing, album: Album) -> str:
    """The picture without its parts."""
    groups = "".join(f"{group_head(group)}</g>" for group in drawing.groups)
    return f"{svg_head(drawing)}<defs>{''.join(map(define, album.symbols.values()))}</defs>{groups}</svg>"
