"""All tables of a server: found by their links, loaded when needed, kept in memory while they are used."""

import asyncio
import logging
from pathlib import Path
from typing import Final

import msgspec

from smallcity_env.language import _
from smallcity_env.refusal import Refused

from . import stored
from .forms import REFUSALS, NewTable, Unknown
from .replays import Replay
from .store import DAMAGED, Row, Store
from .table import Table
from .thinking import Thinkers, Threads

MOST_TABLES: Final = 1000
MOST_LOADED: Final = 200  # tables in memory, unless more are in use
MOST_REPLAYS: Final = 50
MOST_OWN_REPLAYS: Final = 10  # of one address
_log = logging.getLogger(__name__)


class Lobby:
    """The tables by their links."""

    def __init__(self, folder: Path, most: int = MOST_TABLES) -> None:
        self.store, self.most = Store(folder), most
        self.thinkers, self.help = Thinkers(), Threads()
        self._tables: dict[str, Table] = {}  # in memory, the least recently used first
        self._names: dict[str, str] = {}  # of the tables by their links
        for row in self.store.rows():
            self._names |= _links(row)
        self.replays: dict[str, Replay] = {}

    async def open(self, form: NewTable, owner: str) -> Table:
        """Set up a new table."""
        if len(set(self._names.values())) >= self.most:
            raise Refused(f"this server keeps {self.most} games: start it with a larger --most")
        table = await asyncio.to_thread(Table.begin, form)
        table.owner = owner
        await self.store.put(stored.row_of(table))
        self._names |= dict.fromkeys(table.links, table.name)
        return self._enter(table)

    async def table(self, token: str) -> Table:
        """The table a link leads to."""
        name = self._names.get(token)
        if name is None:
            aside = ", ".join(self.store.kept_aside())
            damaged = f": games were damaged, and are kept on the server ({aside})" if aside else ""
            raise Unknown(f"this link leads to no game{damaged}")
        if (found := self._tables.pop(name, None)) is not None:
            self._tables[name] = found  # the most recently used is last
            return found
        return await self._load(name)

    async def _load(self, name: str) -> Table:
        """Load a table; one that makes no sense is left as it is, and refused."""
        try:
            table = await asyncio.to_thread(stored.load, self.store.row(name))
        except Unknown:
            raise
        except (*REFUSALS, OverflowError) as wrong:
            raise Unknown(f"{DAMAGED}: {wrong}") from None
        return self._tables.get(name) or self._enter(table)

    def _enter(self, table: Table) -> Table:
        """Keep a table in memory, and let one go that nobody uses."""
        if len(self._tables) >= MOST_LOADED:
            if (unused := next((name for name, one in self._tables.items() if one.idle), None)) is not None:
                del self._tables[unused]
        self._tables[table.name] = table
        table.open(self.store, self.thinkers)
        return table

    def end(self) -> None:
        """Release everyone who listens or waits, before the server ends."""
        self.help.end()
        for table in self._tables.values():
            table.end()

    async def close(self) -> None:
        """Write what is not on disk yet."""
        try:
            await asyncio.gather(*(table.save() for table in self._tables.values()))
        finally:
            await self.store.close()

    # -- replays

    def keep(self, replay: Replay, owner: str) -> str:
        """Keep a replay, instead of the oldest of its address or of all if there are many."""
        own = [token for token, one in self.replays.items() if one.owner == owner]
        if len(own) >= MOST_OWN_REPLAYS:
            del self.replays[own[0]]
        elif len(self.replays) >= MOST_REPLAYS:
            del self.replays[next(iter(self.replays))]
        replay.owner = owner
        self.replays[replay.token] = replay
        return replay.token

    def replay(self, token: str) -> Replay:
        """A replay by its link."""
        if token not in self.replays:
            raise Unknown(_("this replay is no longer kept: open the log again"))
        return self.replays[token]


def _links(row: Row) -> dict[str, str]:
    """The links of a stored table, each with the name of the table."""
    name = row.name.decode(errors="replace")
    try:
        return dict.fromkeys(msgspec.json.decode(row.links, type=dict[str, int]), name)
    except ValueError as wrong:
        _log.warning("the table %s cannot be found by its links: %s", name, wrong)
        return {}
