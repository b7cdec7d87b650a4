"""Position tasks: one question each, with a strong search's value of every legal answer (docs/models.md).

A file has a card in its first line and a game with its positions in every other. The reward of an answer is
one minus its regret: 1 for the best answer, 0 for the worst.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Meta

from smallcity_env import batch, files
from smallcity_env.batch import States
from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.refusal import Refused
from smallcity_env.rules import rng
from smallcity_env.rules.tables.in_force import FINGERPRINT, IDENTITY

from ..agent import Agent
from ..arena.playing import answers

FORMAT: Final = 2
TRAIN, HELD_OUT = "train", "held-out"  # rules to train on, and rules nobody may train on
SPLITS: Final = (TRAIN, HELD_OUT)
PUZZLES: Final = "puzzles"  # for people: strong players' positions in which one answer is clearly best
DATA: Final = Path(__file__).parents[1] / "data"
SHIPPED: Final = {
    TRAIN: DATA / "positions.jsonl",
    HELD_OUT: DATA / "positions-held-out.jsonl",
    PUZZLES: DATA / "puzzles.jsonl",
}


Worth = Annotated[float, Meta(ge=0, le=1)]
Values: TypeAlias = dict[int, Worth]  # by answer


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that determines the positions of a file."""

    split: str
    seed: int  # of the rule mixes and games
    sims: int  # simulations of each answer
    stake: float  # the least difference between the best and the worst answer, as a share of a win
    players: str = "level:1 to level:6, drawn for each seat"
    rules: str = IDENTITY
    numbers: str = FINGERPRINT
    format: int = FORMAT
    margin: float = 0.0  # the least difference between the best answer and the second


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question of a game, and what each answer is worth to the seat asked, from 0 to 1."""

    game: int  # number in the file: a game has several positions
    config: dict[str, Any]
    seed: int
    answers: list[int]  # that lead to it
    values: Values

    def reached(self) -> Game:
        """The game at this question; refuses a position of other rules."""
        try:
            game = Game(Config(**self.config), self.seed)
            for action in self.answers:
                game.step(action)
        except (TypeError, ValueError) as wrong:
            raise Refused(f"this position cannot be reached: {wrong}") from None
        if game.over or [*self.values] != game.legal().tolist():
            raise Refused("this position was made by other rules: its legal answers differ")
        return game

    @property
    def best(self) -> int:
        """The best answer."""
        return max(self.values, key=self.values.__getitem__)

    def reward(self, action: int) -> float:
        """One minus the regret of an answer, as a share of what is at stake; 0 for an illegal one."""
        best, worst = max(self.values.values()), min(self.values.values())
        return (self.values[action] - worst) / (best - worst) if action in self.values else 0.0


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of a file: a game, and the number of answers that lead to each position, with its values."""

    game: int
    config: dict[str, Any]
    seed: int
    answers: list[int]  # as many as lead to the last position
    positions: list[tuple[Annotated[int, Meta(ge=0)], Values]]


@lru_cache(maxsize=4)
def read(path: Path) -> tuple[Card, tuple[Position, ...]]:
    """The card and the positions of a file, without an incomplete last line."""
    first, *lines = files.read_bytes(path, "the positions").splitlines(keepends=True) or [b""]
    lines = lines if not lines or lines[-1].endswith(b"\n") else lines[:-1]
    try:
        card = msgspec.json.decode(first, type=Card)
    except (ValueError, RecursionError):
        raise Refused(f"{path} is not a file of positions: its first line is no card") from None
    if (card.rules, card.numbers, card.format) != (IDENTITY, FINGERPRINT, FORMAT):
        raise Refused(f"the positions {path} were made by other rules or another version: make them again")
    each = (_positions(line, f"line {n} of {path}") for n, line in enumerate(lines, start=2))
    return card, tuple(chain.from_iterable(each))


def _positions(line: bytes, where: str) -> list[Position]:
    """Parse and check one line; whether its positions can be reached is found out when they are played."""
    try:
        game = msgspec.json.decode(line, type=Played)
    except (ValueError, RecursionError):
        raise Refused(f"{where} is no game with positions") from None
    if any(at > len(game.answers) or len(set(worth.values())) < 2 for at, worth in game.positions):
        raise Refused(f"{where} has no position: answers are missing, or none is better than another")
    about = game.game, game.config, game.seed
    return [Position(*about, game.answers[:at], worth) for at, worth in game.positions]


def line_of(positions: Sequence[Position]) -> str:
    """The positions of one game as a line of a file."""
    one, answers = positions[0], max((position.answers for position in positions), key=len)
    asked = [(len(position.answers), position.values) for position in positions]
    game = Played(one.game, one.config, one.seed, answers, asked)
    return json.dumps(msgspec.to_builtins(game), separators=(",", ":")) + "\n"


# -- agents


def rewards(agent: Agent, positions: Sequence[Position]) -> list[float]:
    """The reward of an agent's answer to each position."""
    states = batch.join([position.reached().states for position in positions])
    chosen = answers(agent, states, *_asked(states))
    return [position.reward(int(action)) for position, action in zip(positions, chosen, strict=True)]


def _asked(states: States) -> tuple[Any, Any, Any]:
    """The seats asked, their legal answers and fixed random streams."""
    streams = rng.streams(np.arange(len(states), dtype=np.uint64))
    return states["seat"].astype(np.int64), batch.masks(states), streams
