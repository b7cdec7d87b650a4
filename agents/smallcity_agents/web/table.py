"""A table: one game in the browser, its seats and their secret links, and the agents who answer at it."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import msgspec
import numpy as np

from smallcity_env.batch import IllegalAction
from smallcity_env.game import Game
from smallcity_env.language import current
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from smallcity_env.rules.tables import SEATS, Ask, Phase

from .. import refuse_own
from ..play.automatic import SWITCHES
from ..play.match import HUMAN, CannotUndo, Match
from ..play.movers import Plan
from . import coach, guide, placing, setup, views
from .forms import LARGEST_SEED, NewTable, Stale, Unknown
from .store import Row, Store
from .thinking import Thinkers

WATCHER: Final = -1  # as a seat: sees what is public, or everything if only agents play
HOT_SEAT: Final = -2  # as a seat: all people at one screen, in turn
TOKEN_BYTES: Final = 18
QUIET: Final = (Ask.HOME, Ask.TURN)
SPEEDS: Final = {"slow": 1.2, "normal": 0.5, "fast": 0.12, "instant": 0.0}  # seconds between agents' answers
_log = logging.getLogger(__name__)


class StoredGame(msgspec.Struct):
    """What has been played at a table, as it is stored."""

    names: list[str]
    streams: list[int]  # of the agents' chance
    begun: list[int]  # length of the log before each of a person's answers
    answers: list[int]  # all that were not forced
    undone: dict[int, int]  # number of answers each person has undone
    automatic: dict[str, bool]
    notice: str = ""  # to everyone at the table
    guided: bool = False  # a first game


class Table:
    """A game, who may see and answer what, who listens, and the task in which agents answer."""

    def __init__(self, name: str, match: Match, links: dict[str, int], start: bytes) -> None:
        self.name, self.match, self.links, self.start = name, match, links, start
        self.owner = name  # whose turn it is to think: the address that began the table, if it is known
        self.changes = 0  # number of changes; never sent, as it would reveal secret builds
        self.undone: dict[int, int] = {}
        self.notice = ""
        self.guided = False
        self.wrong = ""  # why the game cannot go on: an agent has failed
        self.listeners = 0
        self.speed = SPEEDS["normal"]
        self.settled = asyncio.Event()  # no agent is asked
        self.settled.set()
        self.changed = asyncio.Event()  # set at the next change, and then replaced
        self.ended = False  # with the server
        self._saved = 0  # the changes on disk
        self._given: Counter[int | None] = Counter()  # answers of each seat
        self._counted = 0  # of the log
        self._views: tuple[Game, int, str, dict[Any, dict[str, Any]]] = (match.game, -1, "", {})

    @classmethod
    def begin(cls, form: NewTable) -> "Table":
        """Set up a table by a form."""
        names, config = setup.players_of(form), setup.config_of(form)
        seed = secrets.randbelow(LARGEST_SEED) if form.seed is None else form.seed
        match = Match.begin(Game(config, seed), names, seed)
        for name in SWITCHES:
            match.automatic.switch(name, form.automatic)
        table = cls(secrets.token_hex(8), match, _links(match, form.hot_seat), match.game.save())
        table.guided = form.guided and len(match.people) == 1
        return table

    # -- disk

    def row(self) -> Row:
        """The table as it is stored."""
        played = StoredGame(
            names=self.match.names,
            streams=self.match.streams.ravel().tolist(),
            begun=self.match.begun,
            answers=[entry.action for entry in self.game.log.entries if not entry.forced],
            undone=self.undone,
            automatic=self.automatic(),
            notice=self.notice,
            guided=self.guided,
        )
        links = msgspec.json.encode(self.links)
        return Row(self.name.encode(), links, self.start, msgspec.json.encode(played))

    @classmethod
    def load(cls, row: Row) -> "Table":
        """A table as it was stored; everything is checked, and every answer is played again."""
        if why := msgspec.json.decode(row.played, type=dict[str, Any]).get("damaged"):
            raise Unknown(str(why))
        played = msgspec.json.decode(row.played, type=StoredGame)
        game, links = Game.load(row.start), msgspec.json.decode(row.links, type=dict[str, int])
        if not (len(played.names) == game.config.players and len(played.streams) == SEATS):
            raise ValueError("its players are not listed")
        refuse_own(played.names, "this table", [HUMAN, *setup.OFFERED], "--agent")
        for action in played.answers:
            game.step(action)
        match = Match(game, played.names, np.array(played.streams, np.uint64).reshape(1, -1))
        match.begun = [number for number in played.begun if 0 <= number < len(game.log)]
        for name in SWITCHES:
            match.automatic.switch(name, played.automatic.get(name, True))
        table = cls(row.name.decode(), match, links, row.start)
        table.undone, table.notice, table.guided = played.undone, played.notice, played.guided
        return table

    def open(self, store: Store, thinkers: Thinkers) -> None:
        """Begin to play: agents answer if they are asked."""
        self._store, self._thinkers = store, thinkers
        self._let_agents_answer()

    async def save(self) -> None:
        """Wait until the table is on disk as it is now."""
        if (changes := self.changes) != self._saved:
            await self._store.put(self.row())
            self._saved = max(changes, self._saved)

    @property
    def idle(self) -> bool:
        """Whether nobody would notice that the table is loaded again from disk."""
        return self.settled.is_set() and not self.listeners and self.changes == self._saved

    # -- seats

    @property
    def game(self) -> Game:
        """The game."""
        return self.match.game

    def automatic(self) -> dict[str, bool]:
        """Which automatic answers are switched on."""
        return {name: getattr(self.match.automatic, name) for name in SWITCHES}

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

    def switch(self, token: str, name: str, on: bool) -> None:
        """Switch a kind of automatic answers on or off, for every person at the table."""
        if self.links[token] == WATCHER or name not in SWITCHES:
            raise Refused(f"a person switches {' or '.join(SWITCHES)} on or off")
        self.match.automatic.switch(name, on)
        self.changes += 1

    def set_speed(self, token: str, speed: str) -> None:
        """Set the speed of the agents; that of someone watching people is only for their own page."""
        if speed not in SPEEDS:
            raise Refused(f"a speed is {', '.join(SPEEDS)}")
        if self.links[token] != WATCHER or not self.match.people:
            self.speed = SPEEDS[speed]

    def undo(self, token: str) -> None:
        """Undo the last answer of this seat."""
        seat = self.links[token]
        if seat not in (HOT_SEAT, self.match.last_to_answer):
            raise CannotUndo("your answer cannot be undone: another player has answered since")
        by = self.match.last_to_answer
        self.match.undo()
        self._counted = 0
        self._given.clear()
        self.undone[by] = self.undone.get(by, 0) + 1
        self.changes += 1

    def rematch(self) -> NewTable:
        """The same table again: everybody moves on by a seat, boards stay; refused before the end."""
        if not self.game.over:
            raise Refused("a rematch begins when the game is over")
        config, names = self.game.config, self.match.names
        return NewTable(
            players=[names[-1], *names[:-1]],
            modules=list(config.modules),
            boards=list(config.boards),
            victory=config.victory,
            advanced=config.advanced,
            stockholm=config.stockholm,
            edition=config.godzilla_rules,
            automatic=all(self.automatic().values()),
            hot_seat=HOT_SEAT in self.links.values(),
        )

    # -- agents

    async def change(self, work: Callable[[], None], wait: bool) -> None:
        """Change the table, let agents answer (`wait`: until they have), and wait until it is on disk."""
        work()
        self._let_agents_answer()
        self.announce()
        if wait:
            await self.settled.wait()
        await self.save()

    def announce(self) -> None:
        """Tell everyone who listens that something has changed."""
        self.changed.set()
        self.changed = asyncio.Event()

    def _let_agents_answer(self) -> None:
        """Let agents answer in the background, if they are asked."""
        self._answer_automatically()
        if self.settled.is_set() and self.match.answers_itself and not self.ended:
            self.settled.clear()
            self._task = asyncio.create_task(self._agents_answer())

    async def _agents_answer(self) -> None:
        """Let agents answer in turn, no faster than people can watch; a failure ends this game only."""
        try:
            while not self.wrong and not self.ended and self.match.answers_itself:
                changes = self.changes
                answer, streams = await self._thinkers.answer(self.match, self.owner)
                if changes == self.changes:  # else a person has undone what this answers
                    self.match.streams = streams
                    await self._watched(self._agent_answers(answer))
        except Exception as error:
            _log.exception("the table %s has failed", self.name)
            self.wrong = f"this game cannot go on: {error}"
        finally:
            self.settled.set()
            self.announce()
        await self.save()

    async def _watched(self, visible: bool) -> None:
        """Let everyone who listens see an answer of an agent."""
        if self.listeners and self.speed:
            self.announce()
            await asyncio.sleep(self.speed if visible else 0)

    def _agent_answers(self, answer: int) -> bool:
        """Apply an agent's answer; return whether there was something to see."""
        ask, phase, seat = self.game.ask, self.game.phase, self.game.seat
        self.game.step(answer)
        self.changes += 1
        self._answer_automatically()
        moved = ask not in QUIET and answer != actions.NO
        hidden = phase in (Phase.BUILD, Phase.SETUP) and seat not in self.match.people and self.match.people
        return moved and not hidden

    def _answer_automatically(self) -> None:
        """Give a person's automatic answers before anybody sees the question."""
        while not self.wrong and (answer := self.match.automatic_answer()) is not None:
            self.game.step(answer)
            self.changes += 1

    def end(self) -> None:
        """Release everyone waiting at the table."""
        self.ended = True
        self.settled.set()
        self.announce()

    # -- what is sent

    async def shown(self, token: str, lifted: int | None) -> dict[str, Any]:
        """What a link shows now; nothing is shown that a killed server would forget."""
        view = self.view(token, lifted)
        await self.save()
        return view

    def view(self, token: str, lifted: int | None = None) -> dict[str, Any]:
        """What a link shows now; at a hot seat a curtain, unless the person asked has lifted it."""
        seat, link = self.seat_of(token), self.links[token]
        hot = link == HOT_SEAT and len(self.match.people) > 1 and not self.game.over
        curtain = hot and seat == self.game.seat and lifted != seat
        *drawn, shown = self._views
        if drawn[0] is not self.game or drawn[1:] != [self.changes, self.wrong]:
            self._views = self.game, self.changes, self.wrong, (shown := {})
        key = (link, curtain, current())
        if key not in shown:  # many may watch, and a view takes milliseconds
            shown[key] = self._view(seat, link, curtain)
        return dict(shown[key])

    def _view(self, seat: int | None, link: int, curtain: bool) -> dict[str, Any]:
        common = {"version": self.version(seat), "names": self.match.names, "wrong": self.wrong, "link": link}
        if curtain:
            return common | {"curtain": seat}
        undo = self.match.undone() if self.match.last_to_answer == seat else ""
        shown = views.table_view(self.game, seat, self.match.history, undo)
        if self.notice:
            shown["news"].append([WATCHER, self.notice])
        told = {"undo": undo, "automatic": self.automatic(), "guided": self.guided}
        return common | shown | told

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

    def hint(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the champion's answer and its reasons, to run in a thread."""
        self._answering(token, self.version(self.game.seat))
        game = self.game.clone()
        return lambda: coach.hint(game)

    def guide(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes what the guide says to the person asked."""
        self._answering(token, self.version(self.game.seat))
        match = replace(self.match, game=self.game.clone(), begun=list(self.match.begun))
        return lambda: guide.guide(match)

    def coached(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the coach's view: expected scores by answer, and by seat and round."""
        game, seat = self.game.clone(), self.seat_of(token)
        return lambda: coach.view(game, seat)


def _links(match: Match, hot_seat: bool) -> dict[str, int]:
    """A token for each person, or one for all of them, and one to watch."""
    seats = [HOT_SEAT] if hot_seat and match.people else match.people
    return {secrets.token_urlsafe(TOKEN_BYTES): seat for seat in [*seats, WATCHER]}
