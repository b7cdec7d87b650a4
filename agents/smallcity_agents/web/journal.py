"""The journal: the answers of all games in append-only files, synced for many answers at once.

A table on disk is as of its last save; the records of the journal bring it up to date. When
its files have grown large, a new one is started; the old ones are removed when their tables are saved.
"""

import asyncio
import logging
import zlib
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import msgspec

from smallcity_env import files

LARGE: Final = 1 << 24  # bytes after which a new file is begun
WHO: Final = "another `smallcity web`"
_log = logging.getLogger(__name__)
Record = dict[str, Any]


class Journal:
    """Records of tables: added in memory, on disk after `commit`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = files.lock(folder / "journal", WHO)
        self._old = sorted(folder.glob("*.journal"))
        self.records = _read(self._old)  # of tables not loaded since the start
        self.size = sum(path.stat().st_size for path in self._old)  # bytes of all files
        self._number = int(self._old[-1].stem) if self._old else 0
        self._syncing = asyncio.Lock()
        self._next: asyncio.Task[None] | None = None  # the sync that will write what is added now
        self._lines: list[bytes] = []
        self._begin()

    def _begin(self) -> None:
        """Begin a new file."""
        self._number += 1
        self._file = files.Appended(self.folder / f"{self._number:08}.journal", WHO)

    def add(self, table: str, record: Record) -> None:
        """Add a record of a table; `commit` waits until it is on disk."""
        text = msgspec.json.encode([table, record])
        self._lines.append(b"%08x %s\n" % (zlib.crc32(text), text))

    async def commit(self) -> None:
        """Wait until everything added so far is on disk; one sync serves all waiting callers."""
        if self._next is None:
            self._next = asyncio.create_task(self._sync())
        await asyncio.shield(self._next)

    async def _sync(self) -> None:
        """Write everything added until the previous sync has ended."""
        async with self._syncing:
            lines, self._lines, self._next = self._lines, [], None
            if not lines:
                return
            try:
                await asyncio.to_thread(self._file.add, b"".join(lines))
            except BaseException:
                self._lines = lines + self._lines  # writing a record twice does no harm
                raise
            self.size += sum(map(len, lines))

    async def rotate(self) -> None:
        """Start a new file; `forget` removes the old ones once their tables are saved."""
        await self.commit()
        async with self._syncing:
            self._old.append(self._file.path)
            self._file.close()
            self.size = 0
            self._begin()

    def forget(self) -> None:
        """Remove the old files."""
        while self._old:
            self._old.pop().unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file, and remove it if it is empty."""
        empty = not self._file.path.stat().st_size
        self._file.close()
        if empty:
            self._file.path.unlink(missing_ok=True)
        self._lock.release()


def _read(paths: list[Path]) -> dict[str, list[Record]]:
    """The records of each table, in order, without damaged lines."""
    records: dict[str, list[Record]] = defaultdict(list)
    for path in paths:
        for line in files.read_bytes(path, "the journal").splitlines():
            checksum, _, text = line.partition(b" ")
            if checksum != b"%08x" % zlib.crc32(text):
                _log.warning("a line of %s is damaged and left out", path)
                continue
            table, record = msgspec.json.decode(text)
            records[table].append(record)
    return records
