"""All tables of a server: found by their links, loaded from disk when needed, played on by agents."""

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

from smallcity_env.refusal import Refused

from .replays import Replay
from .table import Table

T = TypeVar("T")
MOST_TABLES: Final = 1000
MOST_REPLAYS: Final = 50
SPEEDS: Final = {"slow": 1.2, "normal": 0.5, "fast": 0.12, "instant": 0.0}  # seconds between agents' answers
_log = logging.getLogger(__name__)


class Unknown(Refused):
    """A link that leads to no table."""


class Room:
    """A table while the server runs: who listens, and the task in which agents answer."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.changed = asyncio.Condition()
        self.busy = asyncio.Lock()
        self.listeners = 0
        self.speed = SPEEDS["normal"]
        self.task: asyncio.Task[None] | None = None

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run something on the table in a thread, one thing at a time."""
        async with self.busy:
            return await asyncio.to_thread(work, *args)

    async def change(self, work: Callable[..., T], *args: Any) -> T:
        """Change the table, tell everybody, and let agents answer."""
        done = await self.run(work, *args)
        await self.announce()
        self.let_agents_answer()
        return done

    async def announce(self) -> None:
        """Tell the listeners that something has changed."""
        async with self.changed:
            self.changed.notify_all()

    def let_agents_answer(self) -> None:
        """Let agents answer in the background, if they are asked."""
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._agents_answer())

    async def _agents_answer(self) -> None:
        """One answer after the other, no faster than people can see; a failure ends this game only."""
        try:
            while not self.table.wrong and self.table.match.answers_itself:
                visible = await self.run(self.table.agent_answers)
                if self.listeners and self.speed:
                    await self.announce()
                    await asyncio.sleep(self.speed if visible else 0)
        except Exception as error:
            _log.exception("the table %s has failed", self.table.path.name)
            self.table.wrong = f"this game cannot go on: {error}"
        await self.announce()


class Lobby:
    """The tables by their links."""

    def __init__(self, folder: Path, most: int = MOST_TABLES) -> None:
        self.folder, self.most = folder, most
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the links on disk are secrets
        self._rooms: dict[Path, Room] = {}
        self._paths = dict(_links_on_disk(folder))
        self.replays: dict[str, Replay] = {}

    async def open(self, form: dict[str, Any]) -> Room:
        """Set up a new table."""
        if len(set(self._paths.values())) >= self.most:
            raise Refused(f"this server keeps {self.most} games: delete some in {self.folder}")
        room = Room(await asyncio.to_thread(Table.begin, form, self.folder))
        self._rooms[room.table.path] = room
        self._paths |= dict.fromkeys(room.table.links, room.table.path)
        room.let_agents_answer()
        return room

    async def room(self, token: str) -> Room:
        """The table a link leads to."""
        path = self._paths.get(token)
        if path is None:
            raise Unknown("this link leads to no game")
        if path not in self._rooms:
            table = await asyncio.to_thread(Table.load, path)
            room = self._rooms.setdefault(path, Room(table))
            room.let_agents_answer()
        return self._rooms[path]

    def keep(self, replay: Replay) -> str:
        """Keep a replay, instead of the oldest if there are many; return its link."""
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
    """The links of all tables saved; a damaged one is left out."""
    found: list[tuple[str, Path]] = []
    for about in sorted(folder.glob("*.json")):
        try:
            links = json.loads(about.read_text())["links"]
        except (OSError, ValueError, KeyError):
            _log.warning("the table %s is damaged and left out", about.name)
            continue
        found += [(str(token), about.with_suffix(".table")) for token in links]
    return found
