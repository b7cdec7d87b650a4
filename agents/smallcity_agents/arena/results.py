"""Results of games: an append-only file with one JSON line each.

A line holds the game (rules, seed, agents by seat) and its outcome by seat: scores, places, decisions,
thinking time, and its statistics (game_stats.py, under the key `books`). The key of a game consists of the
former only: a game whose key is on file is not played again. Every line is checked when it is read; an
incomplete last line, left by an interruption, is cut off when the file is opened for writing.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
import numpy as np
from msgspec import Meta

from smallcity_env import batch, files, typed
from smallcity_env.arguments import shown
from smallcity_env.config import Config, ConfigError
from smallcity_env.rules.numbers import STANDARD
from smallcity_env.rules.tables import COLUMNS, ROWS
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY, foreign
from smallcity_env.rules.tables.promises import PROMISE_COUNT
from smallcity_env.terminal import Refused

from .game_stats import ROUNDS, GameStats
from .playing import Played

VERSION: Final = 1
DIGEST: Final = 12  # hexadecimal digits
LARGE: Final = 2**31  # no score, count or time of a game is larger
SEEDS: Final = 2**64
Key = tuple[str, int, tuple[str, ...]]  # rules and set-up, seed, agents by seat
Int = Annotated[int, Meta(gt=-LARGE, lt=LARGE)]
Count = Annotated[int, Meta(ge=0, lt=LARGE)]
Round = Annotated[int, Meta(ge=0, le=ROUNDS)]
Promises = Annotated[list[Annotated[int, Meta(ge=0, le=PROMISE_COUNT)]], Meta(min_length=4, max_length=4)]
Council = Annotated[list[Annotated[int, Meta(ge=0, le=COLUMNS)]], Meta(min_length=ROWS, max_length=ROWS)]


PACKED: Final = msgspec.defstruct("Packed", [(column.name, list[Int]) for column in fields(GameStats)])


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One game and its outcome; lists are by seat."""

    game: dict[str, Any]  # arguments of Config
    seed: Annotated[int, Meta(ge=0)]
    agents: list[str]
    scores: list[Int]
    places: list[Count]  # 0 is first; ties share a place
    out: list[Round]  # round of elimination; 0: never
    rounds: Round  # begun
    promises: list[Promises]  # promise, 1 if kept, special promise, 1 if kept
    decisions: list[Count]
    seconds: list[Annotated[float, Meta(ge=0, lt=LARGE)]]
    stats: dict[str, Any] = msgspec.field(name="books")  # see `pack`
    turns: list[Count] | None = None  # place in the first turn order; None in files of earlier versions
    council: list[Council] | None = None  # the final column of a disc in each row, 0: none; None as above
    rules: str = IDENTITY
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


def key(game: dict[str, Any], seed: int, agents: Iterable[str], rules: str = IDENTITY) -> Key:
    """The key of a game: equal keys are the same game."""
    return f"{rules} {json.dumps(game, sort_keys=True)}", seed, tuple(agents)


def game_of(config: Config) -> dict[str, Any]:
    """A set-up as JSON holds it."""
    game: dict[str, Any] = json.loads(json.dumps(asdict(config)))  # tuples become lists
    return game if config.rounds else {name: value for name, value in game.items() if name != "rounds"}


def as_json(result: Result) -> dict[str, Any]:
    """The values of a line."""
    values: dict[str, Any] = msgspec.to_builtins(result)
    return values


def digest(results: Iterable[Result]) -> str:
    """A hash of games and their outcomes without thinking times: the same wherever they were played."""
    lines = [json.dumps(as_json(result) | {"seconds": []}, sort_keys=True) for result in results]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:DIGEST]


# -- from games to lines


def results(
    config: Config, seatings: list[list[str]], seeds: list[int], played: Played, stats: GameStats
) -> Iterator[Result]:
    """The results of played games."""
    scores, places = batch.scores(played.states)
    promises, hosts = _promises(played), batch.new(len(seeds), config, seeds)["host"].astype(int)
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
            stats=pack(stats, i),
            turns=((np.arange(config.players) - hosts[i]) % config.players).tolist(),
            council=played.states["borough"]["council"][i, seats].tolist(),
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
    """Every game in a file once, without an incomplete last line; refuses lines that are not results."""
    return _parse(files.read_bytes(path, "the results"), path)


def _parse(data: bytes, path: Path) -> list[Result]:
    """The results in the complete lines of a file; of games with the same key, the first."""
    lines, rest = data[: _complete(data)].splitlines(), data[_complete(data) :]
    if rest and not rest.startswith(b"{"):  # not torn from a line of ours: this is another file
        raise Refused(f"line {len(lines) + 1} of {path} is not the result of a game")
    by_key: dict[Key, Result] = {}
    for n, line in enumerate(lines, start=1):
        result = _result(line, f"line {n} of {path}")
        by_key.setdefault(result.key, result)
    return list(by_key.values())


def _complete(data: bytes) -> int:
    """The size of the complete lines: a last line without its end was interrupted."""
    return data.rfind(b"\n") + 1


def _result(line: bytes, where: str) -> Result:
    """Parse and check one line."""
    try:
        entry = typed.decode(line)
        version = entry["version"]
    except (ValueError, TypeError, KeyError):
        raise Refused(f"{where} is not the result of a game") from None
    if version != VERSION:
        raise Refused(f"{where} was written by another version ({shown(version)}); this one reads {VERSION}")
    entry = {"numbers": STANDARD, "rules": ""} | entry
    if wrong := foreign(str(entry["numbers"])):
        raise Refused(f"{where} does not fit: {wrong}")
    try:
        result = typed.convert(entry, Result, "it")
        _check(result)
    except ValueError as problem:
        raise Refused(f"{where} is not the result of a game: {problem}") from None
    return result


def _check(result: Result) -> None:
    """Raise ValueError if the values of a line contradict each other."""
    try:
        players = result.config.players
    except (ConfigError, TypeError) as error:
        raise ValueError(f"its game is not valid ({error})") from None
    for name in ("agents", "scores", "places", "out", "promises", "decisions", "seconds", "turns", "council"):
        if (values := getattr(result, name)) is not None and len(values) != players:
            raise ValueError(f"{name} must have {players} entries, one per seat")
    if result.seed >= SEEDS:
        raise ValueError(f"seed must be below {SEEDS}, not {shown(result.seed)}")
    for word in (*result.agents, result.rules, result.numbers):
        if not word or not word.isprintable():
            raise ValueError(f"a name must be printable, not {shown(word)}")
    if 0 not in result.places or max(result.places) >= players:
        raise ValueError(f"places cannot be {result.places}")
    if result.turns is not None and sorted(result.turns) != list(range(players)):
        raise ValueError(f"turns cannot be {result.turns}")
    try:
        _check_stats(result.stats)
    except ValueError as wrong:
        raise ValueError(f"its statistics do not fit: {wrong}") from None


def _check_stats(packed: dict[str, Any]) -> None:
    """Raise ValueError unless every index of packed statistics lies in its array."""
    typed.convert(packed, PACKED, "it")
    for name, array in vars(GameStats.blank(0)).items():
        if len(packed[name]) % array.ndim:
            raise ValueError(f"{name} is incomplete")
        rows = np.array(packed[name], np.int64).reshape(-1, array.ndim)
        if not ((rows[:, :-1] >= 0) & (rows[:, :-1] < array.shape[1:])).all():
            raise ValueError(f"{name} is out of range")


class Writer(files.Appended):
    """A file of results, locked for one arena; `known` are the games already in it."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "another arena")
        try:
            data = files.read_bytes(path, "the results")
            self.known = _parse(data, path)
            self.truncate(_complete(data))
        except BaseException:
            self.close()
            raise

    def put(self, new: Iterable[Result]) -> None:
        """Append results and sync them to disk."""
        if lines := [msgspec.json.encode(result) + b"\n" for result in new]:
            self.add(b"".join(lines))
