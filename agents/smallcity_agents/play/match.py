"""A match of a person against agents: turns, undo, save and resume."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env.game import BadSave, Game
from smallcity_env.terminal import Refused

from .. import make
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
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise Refused(f"the game cannot be saved in {path}: {error.strerror}") from None

    @classmethod
    def load(cls, path: Path) -> "Match":
        """Load a saved game; refuses anything else."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Refused(f"the saved game {path} cannot be read: {error.strerror}") from None
        if not data.startswith(MAGIC):
            raise Refused(f"{path} is not a game saved by `smallcity play`")
        about, _, saved = data[len(MAGIC) :].partition(b"\n")
        try:
            return cls._restored(json.loads(about), saved)
        except (BadSave, ValueError, KeyError, TypeError) as error:
            raise Refused(f"the saved game {path} cannot be used: {error}") from None

    @classmethod
    def _restored(cls, about: dict[str, Any], saved: bytes) -> "Match":
        """Restore a match from its parts."""
        game = Game.load(saved)
        match = cls(game, about["names"], np.array(about["streams"], np.uint64).reshape(1, -1))
        match.history.mark_all_reported()
        return match
