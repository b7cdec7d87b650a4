"""A line of the history of a game: whom it is about, what happened, and what it changed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from ..language import Counted, Text, _, ngettext
from ..rules.actions import space_name
from ..rules.tables import Material, Phase
from ..text.grid import members

Gains = dict[str, int]  # by track; what does not change is left out
POINTS: Final = "points"  # of the final score
TRACKS: Final = ("votes", "money", "pollution")
MATERIALS: Final = tuple(material.name.lower() for material in Material)


class Line(NamedTuple):
    """One thing that happened to a seat, and what it changed."""

    seat: int
    text: Text
    gains: Gains = {}  # noqa: RUF012 (never changed)
    about: int = -1  # the seat that the text calls {player}
    key: str = ""  # lines of a phase with the same key are told as one: numbers and gains add up

    def words(self, names: Sequence[str]) -> str:
        """What happened, in the reader's language and with the names the reader knows."""
        return self.text.fill(player=names[self.about]) if self.about >= 0 else str(self.text)

    def said(self, names: Sequence[str]) -> str:
        """What happened and what it changed: `2 at home: +2 votes`."""
        changes = ", ".join(change_words(track, change) for track, change in self.gains.items())
        words = self.words(names)
        return _("{cause}: {changes}", cause=words, changes=changes) if changes else words


class Entered(NamedTuple):
    """A line and where in the game it belongs."""

    number: int  # of the answer in the log it follows from
    round_no: int
    phase: Phase
    secret: bool  # behind a screen (P2.1, SU2)
    line: Line


class Later:
    """A value of a text that depends on the language: computed whenever it is shown."""

    def __init__(self, words: Callable[..., str], *values: Any) -> None:
        self.words, self.values = words, values

    def __format__(self, spec: str) -> str:
        return self.words(*self.values)


# -- what changes


def gains_of(before: Any, after: Any) -> Gains:
    """What has changed in a borough."""
    changes = {track: int(after[track]) - int(before[track]) for track in TRACKS}
    for material, name in zip(Material, MATERIALS, strict=True):
        changes[name] = count(after["materials"][material]) - count(before["materials"][material])
    return nonzero(changes)


def nonzero(changes: Gains) -> Gains:
    """Without what did not change."""
    return {track: change for track, change in changes.items() if change}


def added(these: Gains, those: Gains, sign: int = 1) -> Gains:
    """The sum, or the difference, of two changes."""
    return nonzero({track: these.get(track, 0) + sign * those.get(track, 0) for track in {**these, **those}})


def merged(entered: Iterable[Entered]) -> list[Entered]:
    """Lines of one seat and phase with the same key as one, at the place of the first."""
    found: dict[Any, Entered] = {}
    for number, one in enumerate(entered):
        key = (one.round_no, one.phase, one.line.seat, one.line.key or number)
        found[key] = _both(found[key], one) if key in found else one
    return list(found.values())


def _both(first: Entered, second: Entered) -> Entered:
    """Two lines as one."""
    text, other = first.line.text, second.line.text
    if isinstance(text, Counted) and isinstance(other, Counted):
        text = Counted(text.message, text.many, text.n + other.n, **text.values)
    line = first.line._replace(text=text, gains=added(first.line.gains, second.line.gains))
    return first._replace(number=second.number, line=line)


# -- in words


def count(spaces: Any) -> int:
    """The number of spaces in sets."""
    return int(np.bitwise_count(spaces).sum())


def spaces_words(spaces: Any) -> str:
    """The spaces of a set, by name."""
    return " ".join(map(space_name, members(spaces)))


def change_words(track: str, n: int) -> str:
    """A change of a track in words: +2 votes, -$3, +1 wood."""
    return _CHANGES[track](n)


_CHANGES: Final[dict[str, Callable[[int], str]]] = {
    "money": lambda n: _("{sign}${amount}", sign="-" if n < 0 else "+", amount=abs(n)),
    "votes": lambda n: ngettext("{change} vote", "{change} votes", abs(n), change=f"{n:+}"),
    "pollution": lambda n: _("{change} pollution", change=f"{n:+}"),
    "wood": lambda n: _("{change} wood", change=f"{n:+}"),
    "stone": lambda n: _("{change} stone", change=f"{n:+}"),
    "metal": lambda n: _("{change} metal", change=f"{n:+}"),
    POINTS: lambda n: ngettext("{change} point", "{change} points", abs(n), change=f"{n:+}"),
}
