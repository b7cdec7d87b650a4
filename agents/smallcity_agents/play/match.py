"""A match of a person against agents: turns, undo, save and resume."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

import msgspec
import numpy as np
from msgspec import Meta

from smallcity_env import files, typed
from smallcity_env.batch import IllegalAction
from smallcity_env.game import BadSave, Game
from smallcity_env.history import History, is_secret
from smallcity_env.language import _
from smallcity_env.log import Log
from smallcity_env.rules import actions
from smallcity_env.rules.tables import SEATS
from smallcity_env.terminal import Refused

from .. import make, refuse_own
from ..agent import Agent, Streams
from ..arena.playing import ask, seat_streams
from . import movers
from .automatic import Automatic
from .movers import Plan
from .players import HUMAN as HUMAN

STREAMS: Final = 2**64
MAGIC: Final = b"SMALLCITY TABLE 1\n"


class Seated(msgspec.Struct):
    """The players of a saved game."""

    names: list[str]
    streams: Annotated[list[Annotated[int, Meta(ge=0)]], Meta(min_length=SEATS, max_length=SEATS)]
    begun: list[Annotated[int, Meta(ge=0)]] = []  # as in Match


class CannotUndo(ValueError):
    """An answer that cannot be undone, with the reason."""


@dataclass
class Match:
    """A game and its players; the seat named `human` is asked at the terminal."""

    game: Game
    names: list[str]
    streams: Streams
    begun: list[int] = field(default_factory=list)  # length of the log before each of a person's answers
    automatic: Automatic = field(default_factory=Automatic)
    _before: Game | None = None  # the game before the last answer of a person
    _history: History = field(default_factory=History)

    def __post_init__(self) -> None:
        self.agents: dict[int, Agent] = {p: make(n) for p, n in enumerate(self.names) if n != HUMAN}

    @classmethod
    def begin(cls, game: Game, names: Sequence[str], seed: int) -> "Match":
        """A new game."""
        return cls(game, list(names), seat_streams([seed]))

    @property
    def history(self) -> History:
        """The history of the game in words, brought up to date when it is read."""
        self._history.catch_up(self.game.log)
        return self._history

    @property
    def log(self) -> Log:
        """The log of the game, with the names of the players."""
        return replace(self.game.log, names=tuple(self.names))

    @property
    def you(self) -> int:
        """The person's seat; -1 if there is none."""
        return self.names.index(HUMAN) if HUMAN in self.names else -1

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [p for p, name in enumerate(self.names) if name == HUMAN]

    def agents_answer(self) -> None:
        """Let agents answer until a person is asked or the game is over."""
        while self.answers_itself:
            self.agent_answers()

    @property
    def answers_itself(self) -> bool:
        """Whether the current question is answered without a person."""
        if self.game.over:
            return False
        return self.game.seat in self.agents or self.automatic.answer(self.game) is not None

    def automatic_answer(self) -> int | None:
        """The automatic answer for a person; None if the person or an agent must answer."""
        return None if self.game.seat in self.agents else self.automatic.answer(self.game)

    def agent_answers(self) -> None:
        """Apply the automatic answer, or that of the agent asked."""
        answer = self.automatic_answer()
        if answer is None:
            answer = self.advice(self.agents[self.game.seat], self.streams)
        self.game.step(answer)

    def advice(self, agent: Agent, streams: Streams) -> int:
        """An agent's answer to the current question; advances the stream of the seat."""
        mask = self.game.mask()[None]
        return int(ask(agent, self.game.states, mask, streams, np.zeros(1, np.int64))[0])

    def hint(self, agent: Agent) -> int:
        """An agent's answer in the person's place; changes nothing."""
        return self.advice(agent, self.streams.copy())

    def answer(self, action: int) -> None:
        """Give a person's answer."""
        after = self.game.clone()
        after.step(action)
        self.advance(after)

    def advance(self, after: Game) -> None:
        """Advance to a later position of this game; `undo` takes it back as a whole."""
        self.begun.append(len(self.game.log))
        self._before, self.game = self.game, after

    def decline(self) -> None:
        """Answer `no` to this question and to others like it until the phase ends."""
        automatic = deepcopy(self.automatic)
        automatic.decline(self.game)
        self.answer(actions.NO)
        self.automatic = automatic

    def move(self, plan: Plan, rest_stays: bool) -> None:
        """Move several citizens in one go; they are undone together."""
        moved = self.game.clone()
        movers.apply_plan(moved, plan, rest_stays)
        if len(moved.log) == len(self.game.log):
            raise IllegalAction(_("nobody is asked to move now"))
        self.advance(moved)

    # -- undo

    def undo(self) -> None:
        """Undo a person's last answer, if it is of the same turn and revealed nothing.

        Nobody else has answered since, so the streams of the agents are as they were.
        """
        earlier = self._earlier()
        if reason := self._consequence(earlier):
            raise CannotUndo(_("your answer cannot be undone: {reason}", reason=reason))
        self.begun.pop()
        self._before = None
        self.automatic.declined.clear()
        self.game = earlier

    def undone(self) -> str:
        """What `undo` would take back, in words; empty if it is not possible."""
        try:
            earlier = self._earlier()
        except CannotUndo:
            return ""
        answer = self.game.log.entries[self.begun[-1]].action
        return "" if self._consequence(earlier) else earlier.describe(answer)

    @property
    def last_to_answer(self) -> int:
        """The person who answered last; -1: nobody yet."""
        return self.game.log.entries[self.begun[-1]].seat if self.begun else -1

    def _earlier(self) -> Game:
        """The game before the last answer of a person."""
        if not self.begun:
            raise CannotUndo(_("there is no answer of yours to undo"))
        if self._before is not None and len(self._before.log) == self.begun[-1]:
            return self._before
        log = self.game.log
        return Game.replay(Log(log.start, log.entries[: self.begun[-1]]))

    def _consequence(self, earlier: Game) -> str:
        """Why an earlier position cannot be restored; empty if it can."""
        now, then = self.game.state, earlier.state
        since = self.game.log.entries[len(earlier.log) :]
        if any(entry.seat != earlier.seat for entry in since):
            return _("another player has answered since")
        if now["stream"] != then["stream"]:
            return _("a card, a die or a street has been drawn since")
        if is_secret(then) and not is_secret(now):
            return _("the screens have been lifted since")
        if (now["round_no"], now["phase"]) != (then["round_no"], then["phase"]):
            return _("it ended your turn")
        return ""

    # -- save

    def save(self, path: Path) -> None:
        """Save the game, keeping the previous save."""
        files.write_keeping(path, self.to_bytes())

    def to_bytes(self) -> bytes:
        """The game, the players and their random streams."""
        seated = Seated(self.names, self.streams.ravel().tolist(), self.begun)
        return MAGIC + msgspec.json.encode(seated) + b"\n" + self.game.save()

    @classmethod
    def load(cls, path: Path, own: Sequence[str] = ()) -> "Match":
        """Load a saved game; refuses anything else, and custom agents that are not in `own`."""
        data = files.read_bytes(path, "the saved game")
        if not data.startswith(MAGIC):
            raise Refused(_("{file} is not a game saved by `smallcity play`", file=path))
        about, _end, saved = data[len(MAGIC) :].partition(b"\n")
        try:
            game, seated = Game.load(saved), typed.convert(typed.decode(about), Seated, "the list of players")
            if len(seated.names) != game.config.players:
                raise ValueError(f"{game.config.players} players have {len(seated.names)} names")
            if max(seated.streams) >= STREAMS:
                raise ValueError(f"streams must be below {STREAMS}, not {max(seated.streams)}")
            agents = [name for name in seated.names if name != HUMAN]
            refuse_own(agents, f"the saved game {path}", own, "--opponents")
            return cls._restored(game, seated)
        except Refused:
            raise
        except (BadSave, ValueError) as error:
            raise Refused(_("the saved game {file} cannot be used: {why}", file=path, why=error)) from None

    @classmethod
    def _restored(cls, game: Game, seated: "Seated") -> "Match":
        """Restore a match from its parts."""
        match = cls(game, seated.names, np.array(seated.streams, np.uint64).reshape(1, -1))
        match.begun = [n for n in seated.begun if n < len(game.log)]
        match.history.mark_all_reported()
        return match
