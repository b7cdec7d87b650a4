"""An entry: the file of an agent's games, in a form that others can send in (docs/benchmark.md).

The first line says what was entered, every other line is a game with all its answers: whoever has the file
can replay it. Games are appended as they end, those of a block together.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from smallcity_env import __version__, files, typed
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
Word = Annotated[str, Meta(pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e]*$")]  # no control characters
Count = Annotated[int, Meta(ge=0, lt=LARGE)]
Seat = Annotated[int, Meta(ge=0, lt=SEATS)]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was entered."""

    agent: Word
    track: str
    budget: Word
    nets: dict[Word, Word]  # name or file: the beginning of its hash
    rules: str = IDENTITY
    protocol: str = VERSION
    package: Word = __version__
    format: str = FORMAT

    def differs(self, other: "Header") -> str:
        """In what two entries differ whose games cannot stand in one file; empty if in nothing."""
        names = [name for name in self.__struct_fields__ if name != "package"]
        return next((name for name in names if getattr(self, name) != getattr(other, name)), "")


class Game(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game of the agent; lists are by seat."""

    task: str
    seed: Count
    agents: list[Word]
    seat: Seat  # of the agent
    scores: list[Annotated[int, Meta(gt=-LARGE, lt=LARGE)]]
    places: list[Seat]  # 0 is first; ties share a place
    decisions: Count  # of the agent, as what follows
    seconds: Annotated[float, Meta(ge=0, lt=LARGE)]
    answers: Annotated[list[Annotated[int, Meta(ge=0, lt=ACTIONS)]], Meta(min_length=1)]  # of all, in order
    counts: dict[str, Count] = {}  # Agent.counts

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
    header = _line(lines[0], Header, f"line 1 of {path}")
    for name, here in {"format": FORMAT, "protocol": VERSION, "rules": IDENTITY}.items():
        if (made := getattr(header, name)) != here:
            raise Refused(f"{path} is of the {name} {made!r:.80}, not {here!r}")
    if header.track not in TRACKS:
        raise Refused(f"line 1 of {path}: there is no track {header.track!r:.40}")
    games = [_line(line, Game, f"line {n} of {path}") for n, line in enumerate(lines[1:], start=2)]
    for n, game in enumerate(games, start=2):
        if wrong := _wrong_game(game):
            raise Refused(f"line {n} of {path}: {wrong}")
    return header, games


def _line(line: bytes, kind: type[Line], where: str) -> Line:
    """Parse and check a line."""
    try:
        return typed.convert(typed.decode(line), kind, "it")
    except ValueError as problem:
        raise Refused(f"{where} is not a line of a benchmark entry: {problem}") from None


def _wrong_game(game: Game) -> str:
    """What is wrong with the task or the seats of a game."""
    seats = len(game.agents)
    if game.task not in TASKS:
        return f"there is no task {game.task!r:.40}"
    if not len(game.scores) == len(game.places) == seats or game.seat >= seats:
        return "agents, scores and places need an entry for every seat"
    strange = [name for p, name in enumerate(game.agents) if p != game.seat and name not in ANCHORS]
    return f"{strange[0]!r:.40} is not an anchor" if strange else ""


# -- writing


class Entry(files.Appended):
    """A file that games are added to, locked for one process."""

    def __init__(self, path: Path, header: Header) -> None:
        super().__init__(path, "another benchmark")
        self.header, self.games = header, list[Game]()
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Write the header, or read the games on file."""
        data = files.read_bytes(self.path, "the entry")
        self.truncate(data.rfind(b"\n") + 1)
        if b"\n" not in data:
            self.add(_encoded(self.header))
            return
        known, self.games = read(self.path)
        if what := self.header.differs(known):
            was, now = getattr(known, what), getattr(self.header, what)
            raise Refused(f"{self.path} has games with the {what} {was!r}, not {now!r}: use another --folder")

    def put(self, games: Iterable[Game]) -> None:
        """Append games and sync them to disk, all or none."""
        new = list(games)
        self.add(b"".join(map(_encoded, new)))
        self.games += new


def _encoded(line: Header | Game) -> bytes:
    return msgspec.json.encode(line) + b"\n"
