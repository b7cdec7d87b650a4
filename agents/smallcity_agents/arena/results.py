"""Results of games: an append-only file with one JSON line each.

A line holds the game (rules, seed, agents by seat) and its outcome by seat: scores, places, decisions,
thinking time, and its statistics (game_stats.py, under the key `books`). The key of a game consists of the
former only: a game whose key is on file is not played again. An incomplete last line, left by an
interruption, is cut off when the file is opened for writing.
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

from .game_stats import GameStats
from .playing import Played

VERSION: Final = 1
RULES: Final = _jit.FOLDER[:8]  # a hash of the rules' sources
Key = tuple[str, int, tuple[str, ...]]  # rules and set-up, seed, agents by seat


@dataclass(frozen=True)
class Result:
    """One game and its outcome; lists are by seat."""

    game: dict[str, Any]  # arguments of Config
    seed: int
    agents: list[str]
    scores: list[int]
    places: list[int]  # 0 is first; ties share a place
    out: list[int]  # round of elimination; 0: never
    rounds: int  # begun
    promises: list[list[int]]  # [number, 1 if kept] of each promise
    decisions: list[int]
    seconds: list[float]
    books: dict[str, Any] = field(repr=False)  # statistics, see `pack`
    rules: str = RULES
    numbers: str = FINGERPRINT
    version: int = VERSION

    @property
    def key(self) -> Key:
        """Identifies a game; see `key`."""
        return key(self.game, self.seed, self.agents, self.rules)

    @property
    def config(self) -> Config:
        """The set-up of the game."""
        return Config(**self.game)


def key(game: dict[str, Any], seed: int, agents: Iterable[str], rules: str = RULES) -> Key:
    """The key of a game: equal keys are the same game."""
    return f"{rules} {json.dumps(game, sort_keys=True)}", seed, tuple(agents)


def game_of(config: Config) -> dict[str, Any]:
    """A set-up as JSON holds it."""
    return json.loads(json.dumps(asdict(config)))  # type: ignore[no-any-return]  # tuples become lists


# -- from games to lines


def results(
    config: Config, seatings: list[list[str]], seeds: list[int], played: Played, stats: GameStats
) -> Iterator[Result]:
    """The results of played games."""
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
            books=pack(stats, i),
        )


def _promises(played: Played) -> np.ndarray[Any, Any]:
    """Promise, kept, special promise, kept: (n, SEATS, 4)."""
    columns = []
    for which in ("promise", "special"):
        without = batch.clone(played.states)
        without["borough"][which] = 0
        kept = batch.scores(played.states)[0] > batch.scores(without)[0]
        columns += [played.states["borough"][which], kept]
    return np.stack(columns, axis=2).astype(np.int64)


def pack(stats: GameStats, i: int) -> dict[str, Any]:
    """The non-zero entries of one game, flattened: indices (as in GameStats, without the game) and value."""
    packed = {}
    for name in (column.name for column in fields(GameStats)):
        values = getattr(stats, name)[i]
        where = np.argwhere(values)
        packed[name] = np.column_stack([where, values[tuple(where.T)]]).ravel().tolist()
    return packed


def unpack(packed: list[dict[str, Any]]) -> GameStats:
    """The statistics of many games from their lines."""
    stats = GameStats.blank(len(packed))
    for name in (column.name for column in fields(GameStats)):
        values = getattr(stats, name)
        for i, game in enumerate(packed):
            rows = np.array(game[name], np.int64).reshape(-1, values.ndim)
            values[i][tuple(rows[:, :-1].T)] = rows[:, -1]
    return stats


# -- the file


def read(path: Path) -> list[Result]:
    """Every result in a file, without an incomplete last line; refuses lines that are no results."""
    try:
        text = path.read_text()
    except OSError as error:
        raise Refused(f"the results {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not a file of results: it is not text") from None
    complete = text[: text.rfind("\n") + 1]
    return [_result(line, f"line {n} of {path}") for n, line in enumerate(complete.splitlines(), start=1)]


def _result(line: str, where: str) -> Result:
    """Parse one line."""
    try:
        entry = json.loads(line)
        version = entry["version"]
    except (ValueError, TypeError, KeyError):
        raise Refused(f"{where} is not the result of a game") from None
    if version != VERSION:
        raise Refused(f"{where} was written by another version ({version}); this one reads {VERSION}")
    entry.setdefault("numbers", STANDARD)
    if wrong := foreign(str(entry["numbers"])):
        raise Refused(f"{where} does not fit: {wrong}")
    try:
        return Result(**entry)
    except TypeError:
        raise Refused(f"{where} is not the result of a game") from None


class Writer:
    """A file of results, locked for one arena."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: TextIO = path.open("a+")
        except OSError as error:
            raise Refused(f"the results {path} cannot be written: {error.strerror}") from None
        try:
            self._lock()
            self.known = read(path)
        except Refused:
            self._file.close()
            raise
        self._cut_incomplete_line()

    def _lock(self) -> None:
        """Lock the file until it is closed."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused(
                f"another arena is writing to {self.path}: wait for it or name another file"
            ) from None

    def _cut_incomplete_line(self) -> None:
        """Cut off a line without its end; its game will be played again."""
        data = self.path.read_bytes()
        self._file.truncate(data.rfind(b"\n") + 1)

    def add(self, new: Iterable[Result]) -> None:
        """Append results and sync them to disk."""
        self._file.writelines(json.dumps(asdict(result), separators=(",", ":")) + "\n" for result in new)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()
