"""An entry: the file of an agent's games, in a form that others can send in (docs/benchmark.md).

The first line says what was entered, every other line is a game with all its answers: whoever has the file
can replay it. Games are appended as they end, those of a block together.
"""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

from smallcity_env import __version__, files
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS
from smallcity_env.rules.tables.in_force import IDENTITY
from smallcity_env.terminal import Refused

from .levels import Outcome
from .protocol import ANCHORS, TASKS, VERSION
from .tracks import TRACKS

FORMAT: Final = "smallcity benchmark"
LARGE: Final = 2**31
Line = TypeVar("Line", "Header", "Game")


@dataclass(frozen=True)
class Header:
    """What was entered."""

    agent: str
    track: str
    budget: str
    nets: dict[str, str]  # name or file: the beginning of its hash
    rules: str = IDENTITY
    protocol: str = VERSION
    package: str = __version__
    format: str = FORMAT

    def differs(self, other: "Header") -> str:
        """In what two entries differ whose games cannot stand in one file; empty if in nothing."""
        names = [entry.name for entry in fields(self) if entry.name != "package"]
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


@dataclass(frozen=True)
class Game:
    """A game of the agent; lists are by seat."""

    task: str
    seed: int
    agents: list[str]
    seat: int  # of the agent
    scores: list[int]
    places: list[int]  # 0 is first; ties share a place
    decisions: int  # of the agent, as what follows
    seconds: float
    answers: list[int]  # of all seats, in order
    counts: dict[str, int] = field(default_factory=dict)  # Agent.counts

    def outcome(self) -> Outcome:
        """What it says about the level."""
        own, rest = self.places[self.seat], [place for p, place in enumerate(self.places) if p != self.seat]
        ahead = sum((own < place) + (own == place) / 2 for place in rest) / max(len(rest), 1)
        others = [name for p, name in enumerate(self.agents) if p != self.seat]
        anchor = ANCHORS.index(others[0]) if others else 0
        return Outcome(self.seed, anchor, ahead, self.scores[self.seat])


# -- reading


def read(path: Path) -> tuple[Header, list[Game]]:
    """What is in a file, without an incomplete last line; refuses what is not an entry."""
    lines = files.read_bytes(path, "the entry").split(b"\n")[:-1]
    if not lines:
        raise Refused(f"{path} is not an entry of the benchmark: it is empty")
    header = _line(lines[0], Header, HEADER, f"line 1 of {path}")
    for name, here in {"format": FORMAT, "protocol": VERSION, "rules": IDENTITY}.items():
        if (made := getattr(header, name)) != here:
            raise Refused(f"{path} is of the {name} {made!r:.80}, not {here!r}")
    games = [_line(line, Game, GAME, f"line {n} of {path}") for n, line in enumerate(lines[1:], start=2)]
    for n, game in enumerate(games, start=2):
        if wrong := _wrong_seats(game):
            raise Refused(f"line {n} of {path}: {wrong}")
    return header, games


def _line(line: bytes, kind: type[Line], checks: dict[str, Callable[[Any], bool]], where: str) -> Line:
    """Parse and check a line."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Refused(f"{where} is not a line of a benchmark entry")
    if data.keys() != checks.keys():
        odd = sorted(data.keys() ^ checks.keys())[0]
        raise Refused(f"{where} {'lacks' if odd in checks else 'has an unknown'} {odd!r:.40}")
    if wrong := next((name for name, check in checks.items() if not check(data[name])), ""):
        raise Refused(f"{where}: {wrong} cannot be {data[wrong]!r:.60}")
    return kind(**data)


def _wrong_seats(game: Game) -> str:
    """What is wrong with the seats of a game."""
    seats = len(game.agents)
    if not len(game.scores) == len(game.places) == seats or game.seat >= seats:
        return "agents, scores and places need an entry for every seat"
    strange = [name for p, name in enumerate(game.agents) if p != game.seat and name not in ANCHORS]
    return f"{strange[0]!r:.40} is not an anchor" if strange else ""


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value < high


def _all(check: Callable[[Any], bool], most: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and 0 < len(value) <= most and all(map(check, value))


def _text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _texts(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values())) and all(map(_text, value))


HEADER: Final[dict[str, Callable[[Any], bool]]] = {
    "agent": _text,
    "track": lambda value: value in TRACKS,
    "budget": _text,
    "nets": _texts,
    "rules": _text,
    "protocol": _text,
    "package": _text,
    "format": _text,
}
GAME: Final[dict[str, Callable[[Any], bool]]] = {
    "task": lambda value: isinstance(value, str) and value in TASKS,
    "seed": _whole(0, LARGE),
    "agents": _all(_text, SEATS),
    "seat": _whole(0, SEATS),
    "scores": _all(_whole(-LARGE, LARGE), SEATS),
    "places": _all(_whole(0, SEATS), SEATS),
    "decisions": _whole(0, LARGE),
    "seconds": lambda value: type(value) in (int, float) and math.isfinite(value) and 0 <= value < LARGE,
    "answers": _all(_whole(0, ACTIONS), LARGE),
    "counts": lambda value: isinstance(value, dict) and all(map(_whole(0, LARGE), value.values())),
}


# -- writing


class Entry:
    """A file that games are added to, locked for one process."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path, self.header, self.games = path, header, list[Game]()
        self._file = files.Appended(path, "another benchmark")
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Write the header, or read the games on file."""
        data = files.read_bytes(self.path, "the entry")
        self._file.truncate(data.rfind(b"\n") + 1)
        if b"\n" not in data:
            self._file.add(_encoded(self.header))
            return
        known, self.games = read(self.path)
        if what := self.header.differs(known):
            was, now = getattr(known, what), getattr(self.header, what)
            raise Refused(f"{self.path} has games with the {what} {was!r}, not {now!r}: use another --folder")

    def add(self, games: Iterable[Game]) -> None:
        """Append games and sync them to disk, all or none."""
        new = list(games)
        self._file.add(b"".join(map(_encoded, new)))
        self.games += new

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()

    def __enter__(self) -> "Entry":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()


def _encoded(line: Header | Game) -> bytes:
    return (json.dumps(asdict(line), separators=(",", ":")) + "\n").encode()
