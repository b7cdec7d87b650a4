"""Make position tasks: questions of games over rule mixes, players, rounds and kinds, valued by a search."""

import json
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from smallcity_env import batch, files
from smallcity_env.batch import States
from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.refusal import Refused
from smallcity_env.rules.tables import Ask

from .. import make
from ..arena.results import game_of
from ..benchmark import mixes
from ..play.analysis import compare
from ..play.match import Match
from .positions import HELD_OUT, Card, Position, line_of, read

SIMS: Final = 512  # of each answer
STAKE: Final = 0.03  # of a win: smaller differences are within the noise of the search
STRONGEST: Final = 6  # level that plays the games
TRIED: Final = 6  # questions of a game, each of another kind
DIGITS: Final = 4  # of a value


Maker: TypeAlias = Callable[[Card, int], Iterator[list[Position]]]  # positions of each game from a number on


def make_more(path: Path, card: Card, count: int, maker: Maker) -> Iterator[int]:
    """Append positions until a file has so many; yield how many it has. Stopped, it goes on where it was."""
    file = files.Appended(path, "another command")
    try:
        known = _known(file, path, card)
        have, done = len(known), known[-1].game + 1 if known else 0
        games = maker(card, done)
        while have < count:
            made = next(games)[: count - have]
            file.add(_lines(made))
            have += len(made)
            yield have
    finally:
        file.close()
        read.cache_clear()


def _known(file: files.Appended, path: Path, card: Card) -> list[Position]:
    """The positions of a file but those of its last game, which is made again: it may be incomplete."""
    if b"\n" not in files.read_bytes(path, "the positions"):
        file.truncate(0)
        file.add(_first_line(card))
    read.cache_clear()
    before, known = read(path)
    if before != card:
        raise Refused(f"{path} has positions of another kind: name another file, or give its own options")
    whole = [position for position in known if position.game != known[-1].game]
    file.truncate(len(_first_line(card)) + len(_lines(whole)))
    return whole


def _lines(positions: list[Position]) -> bytes:
    """The lines of some games."""
    games = groupby(positions, key=attrgetter("game"))
    return "".join(line_of([*game]) for _, game in games).encode()


def _first_line(card: Card) -> bytes:
    return (json.dumps(msgspec.to_builtins(card)) + "\n").encode()


def of_mixes(card: Card, first: int) -> Iterator[list[Position]]:
    """The positions of games over rule mixes."""
    games = mixes.sample(card.seed, card.split == HELD_OUT)
    for number, config in enumerate(islice(games, first, None), start=first):
        yield positions_of(number, config, card)


def positions_of(number: int, config: Config, card: Card) -> list[Position]:
    """The positions of one game."""
    chance = np.random.default_rng([card.seed, number])
    seed = int(chance.integers(1 << 31))
    levels = [f"level:{n}" for n in chance.integers(1, STRONGEST + 1, config.players)]
    match = Match.begin(Game(config, seed), [make(name).name for name in levels], seed)
    asked: dict[Ask, list[tuple[int, States]]] = {}
    while not match.game.over:
        asked.setdefault(match.game.ask, []).append((len(match.game.log), match.game.states.copy()))
        match.agent_answers()
    kinds = chance.permutation(sorted(asked))[:TRIED]
    drawn = [asked[Ask(kind)][int(chance.integers(len(asked[Ask(kind)])))] for kind in kinds]
    entries = match.game.log.entries
    found = zip(drawn, values(batch.join([states for _, states in drawn]), card.sims), strict=True)
    return [
        Position(number, game_of(config), seed, [e.action for e in entries[:at] if not e.forced], worth)
        for (at, _), worth in found
        if max(worth.values()) - min(worth.values()) >= card.stake
    ]


def values(states: States, sims: int) -> list[dict[int, float]]:
    """What every legal answer is worth to the seats asked, each from so many simulations."""
    rows, pairs = _pairs(batch.masks(states))
    found: list[dict[int, float]] = [{} for _ in states]
    for row, pair, worth in zip(rows, pairs, compare(batch.take(states, rows), pairs, sims), strict=True):
        found[row] |= {int(a): round(float(value), DIGITS) for a, value in zip(pair, worth, strict=True)}
    return [dict(sorted(worth.items())) for worth in found]


def _pairs(masks: batch.Mask) -> tuple[Any, Any]:
    """The legal answers of every game in pairs; of an odd number, the last meets the first."""
    rows, pairs = list[int](), list[Any]()
    for row, mask in enumerate(masks):
        legal = np.flatnonzero(mask)
        legal = np.append(legal, legal[: len(legal) % 2])
        rows += [row] * (len(legal) // 2)
        pairs += legal.reshape(-1, 2).tolist()
    return np.array(rows), np.array(pairs)
