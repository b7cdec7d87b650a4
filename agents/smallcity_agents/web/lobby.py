"""All tables of a server: found by their links, loaded from disk when needed, continued by agents."""

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from smallcity_env import files
from smallcity_env.refusal import Refused

from .journal import LARGE, Journal
from .replays import Replay
from .table import Table
from .thinking import Thinkers, Threads

MOST_TABLES: Final = 1000
MOST_REPLAYS: Final = 50
SPEEDS: Final = {"slow": 1.2, "normal": 0.5, "fast": 0.12, "instant": 0.0}  # seconds between agents' answers
_log = logging.getLogger(__name__)


class Unknown(Refused):
    """A link without a table."""


class Room:
    """A table in the running server: its listeners, and the task in which agents answer."""

    def __init__(self, table: Table, journal: Journal, thinkers: Thinkers) -> None:
        self.table, self.journal, self.thinkers = table, journal, thinkers
        self.changed = asyncio.Condition()
        self.listeners = 0
        self.speed = SPEEDS["normal"]
        self.settled = asyncio.Event()  # no agent is asked
        self.settled.set()
        self.ended = False  # with the server
        self.task: asyncio.Task[None] | None = None

    async def change(self, work: Callable[..., None], *args: Any, wait: bool = False) -> None:
        """Change the table, notify listeners, let agents answer (`wait`: for them too) and commit to disk."""
        work(*args)
        self.let_agents_answer()
        if self.settled.is_set() or not wait:
            self._record()
        await self.announce()
        if wait:
            await self.settled.wait()
        await self.journal.commit()

    def _record(self) -> None:
        self.journal.add(self.table.name, self.table.record())

    async def announce(self) -> None:
        """Tell the listeners that something has changed."""
        if self.listeners:
            async with self.changed:
                self.changed.notify_all()

    def let_agents_answer(self) -> None:
        """Let agents answer in the background, if they are asked."""
        self.table.answer_automatically()
        if self.settled.is_set() and self.table.match.answers_itself:
            self.settled.clear()
            self.task = asyncio.create_task(self._agents_answer())

    async def _agents_answer(self) -> None:
        """Let agents answer in turn, no faster than people can watch; a failure ends this game only."""
        table = self.table
        try:
            while not table.wrong and table.match.answers_itself:
                changes, answer = table.changes, await self.thinkers.answer(table.match)
                if changes != table.changes:
                    continue  # a person has undone what this answers
                visible = table.agent_answers(answer)
                if self.listeners and self.speed:
                    await self.announce()
                    await asyncio.sleep(self.speed if visible else 0)
        except Exception as error:
            _log.exception("the table %s has failed", table.name)
            table.wrong = f"this game cannot go on: {error}"
        self._record()
        self.settled.set()
        await self.announce()
        await self.journal.commit()

    async def end(self) -> None:
        """Release everyone waiting at the table."""
        self.ended = True
        self.settled.set()
        await self.announce()


class Lobby:
    """The tables by their links."""

    def __init__(self, folder: Path, most: int = MOST_TABLES) -> None:
        self.folder, self.most = folder, most
        files.make_folder(folder, 0o700)  # the links on disk are secrets
        self.journal, self.thinkers, self.help = Journal(folder), Thinkers(), Threads()
        self._rooms: dict[Path, Room] = {}
        self._paths = dict(_links_on_disk(folder))
        self._tidying: asyncio.Task[None] | None = None
        self.replays: dict[str, Replay] = {}

    async def open(self, form: dict[str, Any]) -> Room:
        """Set up a new table."""
        if len(set(self._paths.values())) >= self.most:
            raise Refused(f"this server keeps {self.most} games: delete some in {self.folder}")
        table = await asyncio.to_thread(Table.begin, form, self.folder)
        self._paths |= dict.fromkeys(table.links, table.path)
        return self._enter(table)

    async def room(self, token: str) -> Room:
        """The table a link leads to."""
        path = self._paths.get(token)
        if path is None:
            raise Unknown("this link leads to no game")
        return self._rooms.get(path) or await self._load(path)

    async def _load(self, path: Path) -> Room:
        """Load a table and its records in the journal."""
        table = await asyncio.to_thread(Table.load, path, self.journal.records.get(path.stem, []))
        return self._rooms.get(path) or self._enter(table)

    def _enter(self, table: Table) -> Room:
        room = self._rooms[table.path] = Room(table, self.journal, self.thinkers)
        room.let_agents_answer()
        return room

    # -- disk

    def tidy(self) -> None:
        """Save tables in the background when the journal is large."""
        if self.journal.size > LARGE and (self._tidying is None or self._tidying.done()):
            self._tidying = asyncio.create_task(self.save())

    async def save(self) -> None:
        """Save every table in the journal, and start a new journal."""
        await self.journal.rotate()
        for name in list(self.journal.records):
            if (path := self.folder / f"{name}.table").exists() and path not in self._rooms:
                try:
                    await self._load(path)
                except (Refused, ValueError, KeyError) as error:
                    _log.warning("the table %s is damaged and left out: %s", name, error)
        self.journal.records.clear()
        for room in list(self._rooms.values()):
            if (parts := room.table.unsaved()) is not None:
                await asyncio.to_thread(room.table.save, *parts)
        self.journal.forget()

    async def end(self) -> None:
        """Release everyone who listens or waits, before the server ends."""
        self.help.end()
        for room in list(self._rooms.values()):
            await room.end()

    async def close(self) -> None:
        """Commit what is not on disk yet; the next server brings tables up to date from the journal."""
        if self._tidying is not None:
            self._tidying.cancel()
        try:
            await self.journal.commit()
        finally:
            self.journal.close()

    def keep(self, replay: Replay) -> str:
        """Keep a replay, dropping the oldest if there are many; return its link."""
        if len(self.replays) >= MOST_REPLAYS:
            self.replays.pop(next(iter(self.replays)))
        self.replays[replay.token] = replay
        return replay.token

    def replay(self, token: str) -> Replay:
        """A replay by its link."""
        if token not in self.replays:
            raise Unknown("this replay is no longer kept: open the log again")
        return self.replays[token]


def _links_on_disk(folder: Path) -> list[tuple[str, Path]]:
    """The links of all saved tables, except damaged ones."""
    tables: list[tuple[str, Path]] = []
    for about in sorted(folder.glob("*.json")):
        try:
            links = json.loads(about.read_text())["links"]
        except (OSError, ValueError, KeyError):
            _log.warning("the table %s is damaged and left out", about.name)
            continue
        tables += [(str(token), about.with_suffix(".table")) for token in links]
    return tables
