"""Somebody at the table with agents: whose turn it is, taking back, saving and going on later."""

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
from .history import Chronicle, is_secret

HUMAN: Final = "human"
MAGIC: Final = b"SMALLCITY TABLE 1\n"


class CannotUndo(ValueError):
    """Why an answer cannot be taken back, in one sentence."""


@dataclass
class Sitting:
    """One game and who plays it; seats named `human` are asked at the terminal."""

    game: Game
    names: list[str]
    streams: Streams
    chronicle: Chronicle = field(default_factory=Chronicle)
    _before: list[tuple[Game, Streams]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._agents: dict[int, Agent] = {p: make(n) for p, n in enumerate(self.names) if n != HUMAN}
        self.chronicle.follow(self.game)

    @classmethod
    def begin(cls, game: Game, names: Sequence[str], seed: int) -> "Sitting":
        """A new game."""
        return cls(game, list(names), seat_streams([seed]))

    @property
    def you(self) -> int:
        """The seat of the person; -1 without one."""
        return self.names.index(HUMAN) if HUMAN in self.names else -1

    def others_answer(self) -> None:
        """Let the agents play until the person is asked or the game is over."""
        while not self.game.over and self.game.seat != self.you:
            self.one_answers()

    def one_answers(self) -> None:
        """Let the agent that is asked answer."""
        self.game.step(self.advice(self._agents[self.game.seat], self.streams))
        self.chronicle.follow(self.game)

    def advice(self, agent: Agent, streams: Streams) -> int:
        """What an agent would answer here; it turns the stream of the seat."""
        mask = self.game.mask()[None]
        return int(ask(agent, self.game.states, mask, streams, np.zeros(1, np.int64))[0])

    def hint(self, agent: Agent) -> int:
        """What an agent would answer in your place, without consequence."""
        return self.advice(agent, self.streams.copy())

    def answer(self, action: int) -> None:
        """The person's answer."""
        self._before.append((self.game.clone(), self.streams.copy()))
        self.game.step(action)
        self.chronicle.follow(self.game)

    # -- taking back

    def undo(self) -> None:
        """Back to the last answer of the person, if it still belongs to the turn and told nothing."""
        if not self._before:
            raise CannotUndo("there is no answer of yours to take back")
        game, streams = self._before[-1]
        if wrong := self._consequence(game):
            raise CannotUndo(wrong)
        self._before.pop()
        self.game, self.streams = game, streams
        self.chronicle.follow(game)

    def _consequence(self, earlier: Game) -> str:
        """What has happened since that cannot be undone."""
        now, then = self.game.state, earlier.state
        since = self.game.log.entries[len(earlier.log) :]
        if any(entry.seat != self.you for entry in since):
            return "your answer cannot be taken back: another player has answered since"
        if now["stream"] != then["stream"]:
            return "your answer cannot be taken back: chance has spoken since (a card, a die or a street)"
        if is_secret(then) and not is_secret(now):
            return "your answer cannot be taken back: the screens have gone up since"
        if (now["round_no"], now["phase"]) != (then["round_no"], then["phase"]):
            return "your answer cannot be taken back: it ended your turn"
        return ""

    # -- saving

    def save(self, path: Path) -> None:
        """The game, the players and their chance, to go on later just so."""
        about = {"names": self.names, "streams": [int(n) for n in self.streams.ravel()]}
        data = MAGIC + json.dumps(about).encode() + b"\n" + self.game.save()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as wrong:
            raise Refused(f"the game cannot be saved in {path}: {wrong.strerror}") from None

    @classmethod
    def load(cls, path: Path) -> "Sitting":
        """A saved game; anything else is refused in one sentence."""
        try:
            data = path.read_bytes()
        except OSError as wrong:
            raise Refused(f"the saved game {path} cannot be read: {wrong.strerror}") from None
        if not data.startswith(MAGIC):
            raise Refused(f"{path} is no game saved by `smallcity play`")
        about, _, saved = data[len(MAGIC) :].partition(b"\n")
        try:
            return cls._restored(json.loads(about), saved)
        except (BadSave, ValueError, KeyError, TypeError) as wrong:
            raise Refused(f"the saved game {path} cannot be used: {wrong}") from None

    @classmethod
    def _restored(cls, about: dict[str, Any], saved: bytes) -> "Sitting":
        """A sitting from its parts."""
        game = Game.load(saved)
        sitting = cls(game, about["names"], np.array(about["streams"], np.uint64).reshape(1, -1))
        sitting.chronicle.all_told()
        return sitting
