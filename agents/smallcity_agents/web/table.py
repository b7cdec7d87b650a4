"""A table: one game in the browser, its seats and their secret links, and the agents who answer at it."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from smallcity_env.batch import IllegalAction
from smallcity_env.game import Game
from smallcity_env.language import _, current
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.text.wording import calling

from ..play.automatic import SWITCHES
from ..play.match import CannotUndo, Match
from ..play.movers import Plan
from ..play.players import player_names
from . import coach, guide, placing, setup, stored, views
from .ahead import Ahead
from .forms import LARGEST_SEED, NewTable, Stale
from .store import Store
from .substitutes import Substitutes
from .thinking import Thinkers

WATCHER: Final = -1  # as a seat: sees what is public, or everything if only agents play
HOT_SEAT: Final = -2  # as a seat: all people at one screen, in turn
TOKEN_BYTES: Final = 18
QUIET: Final = (Ask.HOME, Ask.TURN)
SPEEDS: Final = {"slow": 1.2, "normal": 0.5, "fast": 0.12, "instant": 0.0}  # seconds between agents' answers
_log = logging.getLogger(__name__)


class Table:
    """A game, who may see and answer what, who listens, and the task in which agents answer."""

    def __init__(self, name: str, match: Match, links: dict[str, int], start: bytes) -> None:
        self.name, self.match, self.links, self.start = name, match, links, start
        self.owner = name  # whose turn it is to think: the address that began the table, if it is known
        self.changes = 0  # number of changes; never sent, as it would reveal secret builds
        self.undone: dict[int, int] = {}
        self.notice = ""
        self.guided = False
        self.ahead = Ahead()
        self.substitutes = Substitutes()
        self.present: Counter[int] = Counter()  # open pages, by the seat of their link
        self.own: dict[int, str] = {}
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

    def open(self, store: Store, thinkers: Thinkers) -> None:
        """Begin to play: agents answer if they are asked."""
        self._store, self._thinkers = store, thinkers
        self._let_agents_answer()

    async def save(self) -> None:
        """Wait until the table is on disk as it is now."""
        if (changes := self.changes) != self._saved:
            await self._store.put(stored.row_of(self))
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

    def at(self, token: str) -> Game:
        """The game as a link plays it: the copy in which its seat builds ahead, or the game itself."""
        seat = self.links[token]
        return (seat in self.match.people and self.ahead.game(self.game, seat)) or self.game

    def version(self, seat: int | None) -> str:
        """The version of a seat's question: the number of its answers, and of those undone."""
        entries = self.game.log.entries
        self._given.update(entry.seat for entry in entries[self._counted :] if not entry.forced)
        self._counted = len(entries)
        kept = sum(len(gesture) for gesture in self.ahead.kept.get(-1 if seat is None else seat, []))
        return f"{self._given[seat] + kept}.{self.undone.get(WATCHER if seat is None else seat, 0)}"

    def _answering(self, token: str, version: object) -> Game:
        """The game that a link answers in; refuses another seat, or an answer to an earlier question."""
        game = self.at(token)
        if self.wrong:
            raise Refused(self.wrong)
        if self.game.over:
            raise Refused(_("the game is over"))
        if self.links[token] in self.substitutes.names:
            raise Refused(_("An agent plays for you: take your seat back first."))
        if self.seat_of(token) != game.seat:
            raise Stale(
                _("it is not your turn: {player} is asked", player=self.players(None)[self.game.seat])
            )
        if version != self.version(game.seat):
            raise Stale(_("the game has moved on: this answers an earlier question"))
        return game

    # -- playing

    def answer(self, token: str, version: object, answers: list[int]) -> None:
        """Give one or several answers in one go, undone together."""
        game = self._answering(token, version)
        after, before = game.clone(), len(game.log)
        for action in answers:
            if action not in [e.action for e in after.log.entries[before:] if e.forced]:
                if after.seat != game.seat or after.over:
                    raise IllegalAction("these answers do not belong together")
                after.step(action)
        self.ahead.missed.discard(game.seat)
        if game is self.game:
            self.match.advance(after)
        else:
            self.ahead.keep(game.seat, game, after)
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

    def call(self, token: str, name: str) -> None:
        """Call a person by a name of their own."""
        if self.links[token] < 0 or not name.isprintable() or not name.strip():
            raise Refused("a person at the table can have a name of letters")
        self.own[self.links[token]] = name.strip()
        self.changes += 1

    def undo(self, token: str, turn: bool = False) -> None:
        """Undo the last answer of this seat, or all of its turn that can be undone."""
        self._undo(token)
        while turn and (self.ahead.kept.get(self.links[token]) or self._undoes(self.links[token])):
            self._undo(token)

    def _undoes(self, seat: int) -> bool:
        return seat in (HOT_SEAT, self.match.last_to_answer) and bool(self.match.undone())

    def _undo(self, token: str) -> None:
        by = self.links[token]
        if not self.ahead.undo(by):
            if by not in (HOT_SEAT, self.match.last_to_answer):
                raise CannotUndo(_("your answer cannot be undone: another player has answered since"))
            by = self.match.last_to_answer
            self.match.undo()
            self._counted = 0
            self._given.clear()
        self.undone[by] = self.undone.get(by, 0) + 1
        self.changes += 1

    def substitute(self, token: str, seat: int, agent: str) -> None:
        """Let an agent play for a person who has left, or for oneself; nobody: take one's seat back."""
        self.substitutes.change(self.match, self.links[token], seat, agent, bool(self.present[seat]))
        self.changes += 1

    def rematch(self) -> NewTable:
        """The same table again: everybody moves on by a seat, boards stay; refused before the end."""
        if not self.game.over:
            raise Refused(_("a rematch begins when the game is over"))
        hot = HOT_SEAT in self.links.values()
        return setup.again(self.game.config, self.match.names, all(self.automatic().values()), hot)

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
        ask, phase = self.game.ask, self.game.phase
        self.game.step(answer)
        self.changes += 1
        self._answer_automatically()
        moved = ask not in QUIET and answer != actions.NO
        hidden = phase in (Phase.BUILD, Phase.SETUP) and self.match.people
        return moved and not hidden

    def _answer_automatically(self) -> None:
        """Give a person's automatic answers, and those given ahead, before anybody sees the question."""
        while not self.wrong:
            if self.ahead.play(self.match):
                self.changes += 1
            elif (answer := self.match.automatic_answer()) is not None:
                self.game.step(answer)
                self.changes += 1
            else:
                return

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
            with calling(self.players(seat)):
                shown[key] = self._view(self.at(token), seat, link, curtain)
        left = [seat for seat in self.match.people if not self.present[seat]]
        return shown[key] | ({} if curtain else {"left": left})

    def _view(self, game: Game, seat: int | None, link: int, curtain: bool) -> dict[str, Any]:
        common = {"version": self.version(seat), "names": self.match.names, "wrong": self.wrong, "link": link}
        if curtain:
            return common | {"curtain": seat, "players": self.players(None)}
        history, undo = self.match.history, self.ahead.last(seat)
        if game is not self.game:
            (history := history.fork()).catch_up(game.log)
        elif self.match.last_to_answer == seat:
            undo = undo or self.match.undone()
        shown = views.table_view(game, seat, history, self.players(seat), undo)
        if self.notice:
            shown["log"].append([shown["round"], shown["phase"], WATCHER, self.notice, {}])
        return common | shown | self._told(seat, undo)

    def _told(self, seat: int | None, undo: str) -> dict[str, Any]:
        """What a view says beside the game."""
        gone = _("A tile that you had chosen is gone. Build on from here.")
        told = {
            "undo": undo,
            "automatic": self.automatic(),
            "guided": self.guided,
            "gone": gone if seat in self.ahead.missed else "",
            "substitutes": self.substitutes.names,
        }
        return told | {"turn": None} if seat in self.substitutes.names else told

    def players(self, seat: int | None) -> list[str]:
        """What the players are called by a seat."""
        return player_names(self.match.names, seat, self.own)

    def asked(self, token: str) -> dict[str, Any]:
        """The question a link is asked, for programs: its version and the legal answers."""
        seat, game = self.seat_of(token), self.at(token)
        own = not game.over and seat == game.seat
        legal = game.legal().tolist() if own else []
        return {"version": self.version(seat), "legal": legal, "over": self.game.over, "wrong": self.wrong}

    def placements(self, token: str, build: int) -> list[dict[str, Any]]:
        """Every way to place a tile that is offered."""
        game = self.at(token)
        if self.seat_of(token) != game.seat or build not in game.legal():
            raise Stale(_("this tile is not offered now"))
        return placing.placements(game, build)

    def hint(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the champion's answer and its reasons, to run in a thread."""
        game = self._answering(token, self.version(self.seat_of(token))).clone()
        return self._named(game.seat, lambda: coach.hint(game))

    def guide(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes what the guide says to the person asked; nothing to others."""
        if not self.guided or self.game.over or self.seat_of(token) != self.game.seat:
            return lambda: guide.SILENT
        match = replace(self.match, game=self.game.clone(), begun=list(self.match.begun))
        return self._named(match.game.seat, lambda: guide.guide(match))

    def coached(self, token: str) -> Callable[[], dict[str, Any]]:
        """A function that computes the coach's view: expected scores by answer, and by seat and round."""
        game, seat = self.at(token).clone(), self.seat_of(token)
        return self._named(seat, lambda: coach.view(game, seat))

    def _named(self, seat: int | None, say: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
        """The same function, which calls the players as a seat does."""
        names = self.players(seat)

        def said() -> dict[str, Any]:
            with calling(names):
                return say()

        return said


def _links(match: Match, hot_seat: bool) -> dict[str, int]:
    """A token for each person, or one for all of them, and one to watch."""
    seats = [HOT_SEAT] if hot_seat and match.people else match.people
    return {secrets.token_urlsafe(TOKEN_BYTES): seat for seat in [*seats, WATCHER]}
