"""Results of games: one JSON line each in a file that only grows.

A line says which game was played (rules, seed, who sat where) and how it went: scores and places, by
seat, how many decisions each took and how long it thought, and its books (ledger.py). The key of a
game is what it was, not how it went: a game whose key is in the file is not played again.
A line that was torn by an interruption is cut off when the file is opened for writing.
"""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np

from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules import _jit
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables.in_force import FINGERPRINT, foreign
from smallcity_env.terminal import Refused

from .game_stats import Books
from .playing import Played

VERSION: Final = 1
RULES: Final = _jit.FOLDER.name[:8]  # changes with every change of the rules
Key = tuple[str, int, tuple[str, ...]]  # rules and set-up, seed, agents by seat


@dataclass(frozen=True)
class Result:
    """One game and how it went; lists are by seat."""

    game: dict[str, Any]  # what Config takes
    seed: int
    agents: list[str]
    scores: list[int]
    places: list[int]  # 0 the first; equal players share one
    out: list[int]  # the round of elimination, 0: never
    rounds: int  # how many were begun
    promises: list[list[int]]  # [number, 1 if kept] of each promise
    decisions: list[int]
    seconds: list[float]
    books: dict[str, Any] = field(repr=False)  # see `pack`
    rules: str = RULES
    numbers: str = FINGERPRINT
    version: int = VERSION

    @property
    def key(self) -> Key:
        """What makes a game the same game."""
        return key(self.game, self.seed, self.agents, self.rules)

    @property
    def config(self) -> Config:
        """The game as it was set up."""
        return Config(**self.game)


def key(game: dict[str, Any], seed: int, agents: Iterable[str], rules: str = RULES) -> Key:
    """The key of a game."""
    return f"{rules} {json.dumps(game, sort_keys=True)}", seed, tuple(agents)


def game_of(config: Config) -> dict[str, Any]:
    """A set-up as it stands in a line."""
    return json.loads(json.dumps(asdict(config)))  # type: ignore[no-any-return]  # tuples become lists


# -- from games to lines


def results(
    config: Config, seatings: list[list[str]], seeds: list[int], played: Played, books: Books
) -> Iterator[Result]:
    """The results of games that have been played."""
    scores, places = batch.scores(played.states)
    promises = _promises(played)
    for i, agents in enumerate(seatings):
        seats = slice(len(agents))
        yield Result(
            game=game_of(config),
            seed=seeds[i],
            agents=agents,
            scores=scores[i, seats].tolist(),
            places=places[i, seats].tolist(),
            out=played.states["borough"]["out"][i, seats].tolist(),
            rounds=int(played.states["round_no"][i]),
            promises=promises[i, seats].tolist(),
            decisions=played.decisions[i, seats].tolist(),
            seconds=[round(s, 6) for s in played.seconds[i, seats].tolist()],
            books=pack(books, i, len(agents)),
        )


def _promises(played: Played) -> np.ndarray[Any, Any]:
    """Numbers and verdicts, (n, SEATS, 4): promise, kept, special promise, kept."""
    columns = []
    for which in ("promise", "special"):
        without = batch.clone(played.states)
        without["borough"][which] = 0
        kept = batch.scores(played.states)[0] > batch.scores(without)[0]
        columns += [played.states["borough"][which], kept]
    return np.stack(columns, axis=2).astype(np.int64)


def pack(books: Books, i: int, players: int) -> dict[str, Any]:
    """The books of one game, what is not 0: rows of indices (as in Books, without the game) and a number."""
    packed = {}
    for name in (column.name for column in fields(Books)):
        values = getattr(books, name)[i]
        where = np.argwhere(values)
        packed[name] = np.column_stack([where, values[tuple(where.T)]]).ravel().tolist()
    return packed


def unpack(packed: list[dict[str, Any]]) -> Books:
    """The books of many games from their lines."""
    books = Books.blank(len(packed))
    for name in (column.name for column in fields(Books)):
        values = getattr(books, name)
        for i, game in enumerate(packed):
            rows = np.array(game[name], np.int64).reshape(-1, values.ndim)
            values[i][tuple(rows[:, :-1].T)] = rows[:, -1]
    return books


# -- the file


def read(path: Path) -> list[Result]:
    """Every result in a file; a torn last line is left out, anything else that is none refused."""
    try:
        text = path.read_text()
    except OSError as wrong:
        raise Refused(f"the results {path} cannot be read: {wrong.strerror}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is no file of results: it is not text") from None
    whole = text[: text.rfind("\n") + 1]
    return [_result(line, f"line {n} of {path}") for n, line in enumerate(whole.splitlines(), start=1)]


def _result(line: str, where: str) -> Result:
    """One line."""
    try:
        entry = json.loads(line)
        version = entry["version"]
    except (ValueError, TypeError, KeyError):
        raise Refused(f"{where} is no result of an arena") from None
    if version != VERSION:
        raise Refused(f"{where} was written by another version ({version}); this one reads {VERSION}")
    entry.setdefault("numbers", STANDARD)
    if wrong := foreign(str(entry["numbers"])):
        raise Refused(f"{where} does not fit: {wrong}")
    try:
        return Result(**entry)
    except TypeError:
        raise Refused(f"{where} is no result of an arena") from None


class Writer:
    """A file of results, open for one arena alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("a+")
        except OSError as wrong:
            raise Refused(f"the results {path} cannot be written: {wrong.strerror}") from None
        try:
            self._lock()
            self.known = read(path)
        except Refused:
            self._file.close()
            raise
        self._cut_torn_line()

    def _lock(self) -> None:
        """Nobody else may write as long as this file is open."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                f"another arena is writing to {self.path}: wait for it or name another file"
            ) from None

    def _cut_torn_line(self) -> None:
        """A line without its end was interrupted: its game will be played again."""
        data = self.path.read_bytes()
        self._file.truncate(data.rfind(b"\n") + 1)

    def add(self, found: Iterable[Result]) -> None:
        """Append results; once this returns they are in the file."""
        self._file.writelines(json.dumps(asdict(result), separators=(",", ":")) + "\n" for result in found)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let others write."""
        self._file.close()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()
