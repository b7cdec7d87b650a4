"""A table: one game in the browser, its seats and their secret links, on disk after every answer."""

import json
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from smallcity_env import files
from smallcity_env.batch import IllegalAction
from smallcity_env.game import Game
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase

from .. import make
from ..play.match import CannotUndo, Match
from ..play.movers import Plan
from . import placing, setup, views
from .coach import coach, costliest, expectations

WATCHER: Final = -1  # as a seat: sees what everybody sees, or everything if only agents play
HOT_SEAT: Final = -2  # as a seat: every person at one screen, one after the other
TOKEN_BYTES: Final = 18
HINTS: Final = "greedy"
QUIET: Final = (Ask.HOME, Ask.TURN)


class Stale(Refused):
    """An answer to a question that is no longer asked."""


@dataclass
class Table:
    """A game and who may see and answer what."""

    match: Match
    links: dict[str, int]  # token: seat, WATCHER or HOT_SEAT
    path: Path
    changes: int = 0  # how often the game has changed; never sent, it would tell of secret builds
    undone: dict[int, int] = field(default_factory=dict)  # how often each person has undone an answer
    wrong: str = ""  # why the game cannot go on: an agent has failed
    _written: str = ""  # the links and settings on disk

    @classmethod
    def begin(cls, form: dict[str, Any], folder: Path) -> "Table":
        """Set up a table by a form."""
        names, config = setup.players_of(form), setup.config_of(form)
        seed = setup.seed_of(form, secrets.randbits(40))
        match = Match.begin(Game(config, seed), names, seed)
        match.automatic.store = form.get("automatic", True) is True
        table = cls(
            match, _links(match, form.get("hot_seat") is True), folder / f"{secrets.token_hex(8)}.table"
        )
        table.save()
        return table

    # -- disk

    def save(self) -> None:
        """Write the table; a reader finds the old one or the new one, never half of one."""
        about = {"links": self.links, "undone": self.undone, "store": self.match.automatic.store}
        if (text := json.dumps(about)) != self._written:
            files.write(self.path.with_suffix(".json"), text)
            self._written = text
        files.write(self.path, self.match.to_bytes())

    @classmethod
    def load(cls, path: Path) -> "Table":
        """Load a table."""
        about = json.loads(path.with_suffix(".json").read_text())
        match = Match.load(path)
        match.automatic.store = bool(about["store"])
        undone = {int(seat): int(n) for seat, n in about["undone"].items()}
        return cls(match, {str(k): int(v) for k, v in about["links"].items()}, path, undone=undone)

    # -- seats

    @property
    def game(self) -> Game:
        """The game."""
        return self.match.game

    def seat_of(self, token: str) -> int | None:
        """The seat a token looks through; None sees everything."""
        seat = self.links[token]
        if seat == HOT_SEAT:
            people, last = self.match.people, self.match.last_to_answer
            if self.game.seat in people:
                return self.game.seat
            return last if last in people else people[0]
        return None if seat == WATCHER and not self.match.people else seat

    def version(self, seat: int | None) -> str:
        """The question a seat is asked: how much of the game it knows, and how often it has undone."""
        known = self.match.history.events if seat is None else self.match.history.known(seat)
        return f"{len(known)}.{self.undone.get(WATCHER if seat is None else seat, 0)}"

    def _answering(self, token: str, version: object) -> None:
        """Refuse an answer from another seat, or to an earlier question."""
        if self.wrong:
            raise Refused(self.wrong)
        if self.game.over:
            raise Refused("the game is over")
        if self.seat_of(token) != self.game.seat:
            raise Stale(f"it is not your turn: seat {self.game.seat} is asked")
        if version != self.version(self.game.seat):
            raise Stale("the game has moved on: this answers an earlier question")

    # -- playing

    def answer(self, token: str, version: object, answers: list[int]) -> None:
        """Give one or several answers in one go, undone together."""
        self._answering(token, version)
        after, before = self.game.clone(), len(self.game.log)
        for action in answers:
            if action not in [e.action for e in after.log.entries[before:] if e.forced]:
                if after.seat != self.game.seat or after.over:
                    raise IllegalAction("these answers do not belong together")
                after.step(action)
        self.match.advance(after)
        self._changed()

    def move(self, token: str, version: object, plan: Plan) -> None:
        """Move several citizens; the others stay."""
        self._answering(token, version)
        self.match.move(plan, rest_stays=True)
        self._changed()

    def decline(self, token: str, version: object) -> None:
        """Answer no until the phase ends."""
        self._answering(token, version)
        self.match.decline()
        self._changed()

    def undo(self, token: str) -> None:
        """Undo the last answer of this seat."""
        seat = self.links[token]
        if seat not in (HOT_SEAT, self.match.last_to_answer):
            raise CannotUndo("your answer cannot be undone: another player has answered since")
        by = self.match.last_to_answer
        self.match.undo()
        self.undone[by] = self.undone.get(by, 0) + 1
        self._changed()

    def agent_answers(self) -> bool:
        """Let one agent answer; return whether there was something to see."""
        game, before = self.game, len(self.game.log)
        phase, seat = game.phase, game.seat
        self.match.agent_answers()
        entry = self.game.log.entries[before]
        self._changed(save=not self.match.answers_itself)
        moved = entry.ask not in QUIET and entry.action != actions.NO
        hidden = phase in (Phase.BUILD, Phase.SETUP) and seat not in self.match.people and self.match.people
        return moved and not hidden

    def _changed(self, save: bool = True) -> None:
        self.match.history.follow(self.game)
        self.changes += 1
        if save:
            self.save()

    # -- what is sent

    def view(self, token: str, lifted: int | None = None) -> dict[str, Any]:
        """What a link shows now; at a hot seat a curtain, unless the person asked has lifted it."""
        seat, links = self.seat_of(token), self.links[token]
        common = {
            "version": self.version(seat),
            "names": self.match.names,
            "wrong": self.wrong,
            "link": links,
        }
        hot = links == HOT_SEAT and len(self.match.people) > 1 and not self.game.over
        if hot and seat == self.game.seat and lifted != seat:
            return common | {"curtain": seat}
        undo = self.match.undone() if self.match.last_to_answer == seat else ""
        shown = views.table_view(self.game, seat, self.match.history, undo)
        return common | shown | {"undo": undo}

    def placements(self, token: str, build: int) -> list[dict[str, Any]]:
        """Every way to place a tile that is offered."""
        if self.seat_of(token) != self.game.seat or build not in self.game.legal():
            raise Stale("this tile is not offered now")
        return placing.placements(self.game, build)

    def hint(self, token: str) -> dict[str, Any]:
        """What a quick agent would answer."""
        self._answering(token, self.version(self.game.seat))
        action = self.match.hint(make(HINTS))
        return {"action": action, "words": self.game.describe(action), "agent": HINTS}

    def coached(self, token: str) -> dict[str, Any]:
        """The coach's view: expected scores of the answers, and of all seats round by round."""
        seat = self.seat_of(token)
        found: dict[str, Any] = {"rounds": expectations(self.game.log, None if seat == WATCHER else seat)}
        if seat is not None and seat >= 0 and seat == self.game.seat and not self.game.over:
            legal = [int(action) for action in self.game.legal()]
            values = coach(self.game.states, seat, legal)
            found["answers"] = {a: round(float(v), 1) for a, v in zip(legal, values, strict=True)}
        if self.game.over and seat is not None and seat >= 0:
            found["costliest"] = [vars(decision) for decision in costliest(self.game.log, seat)]
        return found


def _links(match: Match, hot_seat: bool) -> dict[str, int]:
    """A token for each person, or one for all of them, and one to watch."""
    seats = [HOT_SEAT] if hot_seat and match.people else match.people
    return {secrets.token_urlsafe(TOKEN_BYTES): seat for seat in [*seats, WATCHER]}
