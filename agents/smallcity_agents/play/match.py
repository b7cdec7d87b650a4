"""A match of a person against agents: turns, undo, save and resume."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.game import BadSave, Game
from smallcity_env.rules.tables import SEATS
from smallcity_env.terminal import Refused

from .. import make, refuse_own
from ..agent import Agent, Streams
from ..arena.playing import ask, seat_streams
from .history import History, is_secret

HUMAN: Final = "human"
MAGIC: Final = b"SMALLCITY TABLE 1\n"


class CannotUndo(ValueError):
    """An answer that cannot be undone; the message says why."""


@dataclass
class Match:
    """A game and its players; the seat named `human` is asked at the terminal."""

    game: Game
    names: list[str]
    streams: Streams
    history: History = field(default_factory=History)
    _before: list[tuple[Game, Streams]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._agents: dict[int, Agent] = {p: make(n) for p, n in enumerate(self.names) if n != HUMAN}
        self.history.follow(self.game)

    @classmethod
    def begin(cls, game: Game, names: Sequence[str], seed: int) -> "Match":
        """A new game."""
        return cls(game, list(names), seat_streams([seed]))

    @property
    def you(self) -> int:
        """The person's seat; -1 if there is none."""
        return self.names.index(HUMAN) if HUMAN in self.names else -1

    def agents_answer(self) -> None:
        """Let agents answer until the person is asked or the game is over."""
        while not self.game.over and self.game.seat != self.you:
            self.agent_answers()

    def agent_answers(self) -> None:
        """Let the asked agent answer."""
        self.game.step(self.advice(self._agents[self.game.seat], self.streams))
        self.history.follow(self.game)

    def advice(self, agent: Agent, streams: Streams) -> int:
        """An agent's answer to the current question; advances the stream of the seat."""
        mask = self.game.mask()[None]
        return int(ask(agent, self.game.states, mask, streams, np.zeros(1, np.int64))[0])

    def hint(self, agent: Agent) -> int:
        """An agent's answer in the person's place; changes nothing."""
        return self.advice(agent, self.streams.copy())

    def answer(self, action: int) -> None:
        """Give the person's answer."""
        self._before.append((self.game.clone(), self.streams.copy()))
        self.game.step(action)
        self.history.follow(self.game)

    # -- undo

    def undo(self) -> None:
        """Undo the person's last answer, if it is of the same turn and revealed nothing."""
        if not self._before:
            raise CannotUndo("there is no answer of yours to undo")
        game, streams = self._before[-1]
        if reason := self._consequence(game):
            raise CannotUndo(f"your answer cannot be undone: {reason}")
        self._before.pop()
        self.game, self.streams = game, streams
        self.history.follow(game)

    def _consequence(self, earlier: Game) -> str:
        """Why an earlier position cannot be restored; empty if it can."""
        now, then = self.game.state, earlier.state
        since = self.game.log.entries[len(earlier.log) :]
        if any(entry.seat != self.you for entry in since):
            return "another player has answered since"
        if now["stream"] != then["stream"]:
            return "a card, a die or a street has been drawn since"
        if is_secret(then) and not is_secret(now):
            return "the screens have been lifted since"
        if (now["round_no"], now["phase"]) != (then["round_no"], then["phase"]):
            return "it ended your turn"
        return ""

    # -- save

    def save(self, path: Path) -> None:
        """Save the game, the players and their random streams."""
        about = {"names": self.names, "streams": [int(n) for n in self.streams.ravel()]}
        data = MAGIC + json.dumps(about).encode() + b"\n" + self.game.save()
        files.write_keeping(path, data)

    @classmethod
    def load(cls, path: Path, own: Sequence[str] = ()) -> "Match":
        """Load a saved game; refuses anything else, and agents of the user's that are not in `own`."""
        data = files.read_bytes(path, "the saved game")
        if not data.startswith(MAGIC):
            raise Refused(f"{path} is not a game saved by `smallcity play`")
        about, _, saved = data[len(MAGIC) :].partition(b"\n")
        try:
            game, (names, streams) = Game.load(saved), _players(about)
            if len(names) != game.config.players:
                raise ValueError(f"{game.config.players} players have {len(names)} names")
            refuse_own(
                [name for name in names if name != HUMAN], f"the saved game {path}", own, "--opponents"
            )
            return cls._restored(game, names, streams)
        except Refused:
            raise
        except (BadSave, ValueError) as error:
            raise Refused(f"the saved game {path} cannot be used: {error}") from None

    @classmethod
    def _restored(cls, game: Game, names: list[str], streams: Streams) -> "Match":
        """Restore a match from its parts."""
        match = cls(game, names, streams)
        match.history.mark_all_reported()
        return match


def _players(about: bytes) -> tuple[list[str], Streams]:
    """The names and streams of a saved game; raises ValueError for anything else."""
    try:
        found: Any = json.loads(about)
        names, streams = found["names"], found["streams"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ValueError("its players are not listed") from None
    if not (isinstance(names, list) and HUMAN in names and all(isinstance(name, str) for name in names)):
        raise ValueError(f"a player must be {HUMAN}, the others agents")
    if not (isinstance(streams, list) and len(streams) == SEATS and all(map(_is_stream, streams))):
        raise ValueError(f"its players need {SEATS} random streams")
    return names, np.array(streams, np.uint64).reshape(1, -1)


def _is_stream(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 64
