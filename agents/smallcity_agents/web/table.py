"""A table: one game in the browser, its seats and their secret links, on disk after every answer."""

import json
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from smallcity_env import files
from smallcity_env.batch import IllegalAction
from smallcity_env.game import Game
from smallcity_env.log import Log
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase

from ..play.analysis import CHAMPION
from ..play.automatic import SWITCHES
from ..play.match import CannotUndo, Match
from ..play.movers import Plan
from . import placing, setup, views
from .coach import advise, costliest, expectations
from .journal import Record

WATCHER: Final = -1  # as a seat: sees what is public, or everything if only agents play
HOT_SEAT: Final = -2  # as a seat: all people at one screen, in turn
TOKEN_BYTES: Final = 18
QUIET: Final = (Ask.HOME, Ask.TURN)


class Stale(Refused):
    """An answer to an earlier question."""


@dataclass
class Table:
    """A game, and who may see and answer what."""

    match: Match
    links: dict[str, int]  # token: seat, WATCHER or HOT_SEAT
    path: Path
    changes: int = 0  # number of changes; never sent, as it would reveal secret builds
    undone: dict[int, int] = field(default_factory=dict)  # number of answers each person has undone
    wrong: str = ""  # why the game cannot go on: an agent has failed
    _about: str = ""  # the links and settings on disk
    _saved: int = -1  # the changes on disk
    _recorded: int = 0  # length of the log in the journal

    _given: Counter[int | None] = field(default_factory=Counter)  # answers of each seat
    _counted: int = 0  # of the log

    def __post_init__(self) -> None:
        self._recorded = len(self.game.log)

    @classmethod
    def begin(cls, form: dict[str, Any], folder: Path) -> "Table":
        """Set up a table by a form."""
        names, config = setup.players_of(form), setup.config_of(form)
        seed = setup.seed_of(form, secrets.randbits(40))
        match = Match.begin(Game(config, seed), names, seed)
        for name in SWITCHES:
            match.automatic.switch(name, form.get("automatic", True) is True)
        table = cls(
            match, _links(match, form.get("hot_seat") is True), folder / f"{secrets.token_hex(8)}.table"
        )
        table.save(*table.unsaved() or ())
        return table

    # -- disk

    @property
    def name(self) -> str:
        """The name of the table in the journal."""
        return self.path.stem

    def unsaved(self) -> tuple[int, str, bytes] | None:
        """The arguments of `save`; None if nothing has changed."""
        if self.changes == self._saved:
            return None
        about = {"links": self.links, "undone": self.undone, "automatic": self.automatic()}
        return self.changes, json.dumps(about), self.match.to_bytes()

    def save(self, changes: int, about: str, game: bytes) -> None:
        """Write the table as of this change: links, settings and the game."""
        if about != self._about:
            files.write(self.path.with_suffix(".json"), about)
            self._about = about
        files.write(self.path, game)
        self._saved = changes

    def record(self) -> Record:
        """What has changed since the last record, for the journal to bring a saved table up to date."""
        log, kept = self.game.log, self._recorded
        self._recorded = len(log)
        return {
            "kept": kept,
            "answers": [entry.action for entry in log.entries[kept:] if not entry.forced],
            "begun": [number for number in self.match.begun if number >= kept],
            "streams": self.match.streams.ravel().tolist(),
            "undone": self.undone,
            "automatic": self.automatic(),
        }

    @classmethod
    def load(cls, path: Path, records: list[Record]) -> "Table":
        """Load a table, and apply its records in the journal."""
        about = json.loads(files.read_text(path.with_suffix(".json"), "the table"))
        match = Match.load(path)
        table = cls(match, {str(k): int(v) for k, v in about["links"].items()}, path)
        table._remember(about["undone"], about.get("automatic", {}))
        for record in records:
            table._play(record)
        table._recorded = len(table.game.log)
        table._saved, table.changes = 0, len(records)
        return table

    def _play(self, record: Record) -> None:
        """Apply a record."""
        match, kept = self.match, record["kept"]
        if kept > len(self.game.log):
            raise Refused(f"the table {self.name} cannot be continued: a part of the journal is missing")
        if kept < len(self.game.log):
            match.game = Game.replay(Log(self.game.log.start, self.game.log.entries[:kept]))
        for action in record["answers"]:
            match.game.step(action)
        match.begun = [number for number in match.begun if number < kept] + record["begun"]
        match.streams = np.array(record["streams"], np.uint64).reshape(1, -1)
        self._remember(record["undone"], record["automatic"])

    def automatic(self) -> dict[str, bool]:
        """Which automatic answers are switched on."""
        return {name: getattr(self.match.automatic, name) for name in SWITCHES}

    def _remember(self, undone: dict[str, int], automatic: dict[str, bool]) -> None:
        for name in SWITCHES:
            self.match.automatic.switch(name, automatic.get(name, True))
        self.undone = {int(seat): int(number) for seat, number in undone.items()}

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
        """The version of a seat's question: the number of its answers, and of those undone."""
        entries = self.game.log.entries
        self._given.update(entry.seat for entry in entries[self._counted :])
        self._counted = len(entries)
        return f"{self._given[seat]}.{self.undone.get(WATCHER if seat is None else seat, 0)}"

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
        self.changes += 1

    def move(self, token: str, version: object, plan: Plan) -> None:
        """Move several citizens; the others stay."""
        self._answering(token, version)
        self.match.move(plan, rest_stays=True)
        self.changes += 1

    def decline(self, token: str, version: object) -> None:
        """Answer no until the phase ends."""
        self._answering(token, version)
        self.match.decline()
        self.changes += 1

    def switch(self, token: str, name: object, on: bool) -> None:
        """Switch a kind of automatic answers on or off, for every person at the table."""
        if self.links[token] == WATCHER or name not in SWITCHES:
            raise Refused(f"a person switches {' or '.join(SWITCHES)} on or off")
        self.match.automatic.switch(str(name), on)
        self.changes += 1

    def undo(self, token: str) -> None:
        """Undo the last answer of this seat."""
        seat = self.links[token]
        if seat not in (HOT_SEAT, self.match.last_to_answer):
            raise CannotUndo("your answer cannot be undone: another player has answered since")
        by = self.match.last_to_answer
        self.match.undo()
        self._recorded, self._counted = min(self._recorded, len(self.game.log)), 0
        self._given.clear()
        self.undone[by] = self.undone.get(by, 0) + 1
        self.changes += 1

    def agent_answers(self, answer: int) -> bool:
        """Apply an agent's answer; return whether there was something to see."""
        ask, phase, seat = self.game.ask, self.game.phase, self.game.seat
        self.game.step(answer)
        self.changes += 1
        self.answer_automatically()
        moved = ask not in QUIET and answer != actions.NO
        hidden = phase in (Phase.BUILD, Phase.SETUP) and seat not in self.match.people and self.match.people
        return moved and not hidden

    def answer_automatically(self) -> None:
        """Give a person's automatic answers before anybody sees the question."""
        while not self.wrong and (answer := self.match.automatic_answer()) is not None:
            self.game.step(answer)
            self.changes += 1

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
        return common | shown | {"undo": undo, "automatic": self.automatic()}

    def asked(self, token: str) -> dict[str, Any]:
        """The question a link is asked, for programs: its version and the legal answers."""
        seat = self.seat_of(token)
        own = not self.game.over and seat == self.game.seat
        legal = self.game.legal().tolist() if own else []
        return {"version": self.version(seat), "legal": legal, "over": self.game.over, "wrong": self.wrong}

    def placements(self, token: str, build: int) -> list[dict[str, Any]]:
        """Every way to place a tile that is offered."""
        if self.seat_of(token) != self.game.seat or build not in self.game.legal():
            raise Stale("this tile is not offered now")
        return placing.placements(self.game, build)

    def position(self, token: str) -> tuple[Game, int | None]:
        """A copy of the game and the seat of a link, for help computed in the background."""
        return self.game.clone(), self.seat_of(token)

    def hint(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the champion's answer and its reasons, to run in a thread."""
        self._answering(token, self.version(self.game.seat))
        game, _ = self.position(token)
        return lambda: hint_of(game)

    def coached(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the coach's view: expected scores by answer, and by seat and round."""
        game, seat = self.position(token)
        return lambda: coached(game, seat)


def hint_of(game: Game) -> dict[str, Any]:
    """The champion's answer in words, with what it expects."""
    advice = advise(game.states)
    action = advice["action"]
    return {
        "action": action,
        "words": game.describe(action),
        "agent": CHAMPION,
        "expected": advice["answers"][action],
        "line": advice["line"],
    }


def coached(game: Game, seat: int | None) -> dict[str, Any]:
    """The coach's view of a game; someone watching people gets no graph, which would reveal secrets."""
    watching = seat == WATCHER and not game.over
    viewer = int(game.state["seat"]) if seat is None or seat < 0 else seat
    view: dict[str, Any] = {"rounds": [] if watching else expectations(game.log, viewer)}
    if seat is not None and seat >= 0:
        if game.over:
            view["costliest"] = [vars(decision) for decision in costliest(game.log, seat)]
        elif seat == game.seat:
            view |= advise(game.states)
    return view


def _links(match: Match, hot_seat: bool) -> dict[str, int]:
    """A token for each person, or one for all of them, and one to watch."""
    seats = [HOT_SEAT] if hot_seat and match.people else match.people
    return {secrets.token_urlsafe(TOKEN_BYTES): seat for seat in [*seats, WATCHER]}
