"""The games of a server in a SQLite database: one row for each game, replaced after every answer.

Every row has a checksum and the number of the transaction that wrote it; a file beside the database has the
number of the latest one, since SQLite takes a log that was cut off for one that ended there. A database that
is damaged is kept aside as it was, the games that are whole go on in a new one, and everyone whose game is
touched is told.
"""

import asyncio
import logging
import os
import sqlite3
import zlib
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from smallcity_env import files
from smallcity_env.refusal import Refused

NAME: Final = "games.sqlite"
WAL: Final = f"{NAME}-wal"  # SQLite's own log of transactions
LATEST: Final = "games.latest"  # the number of the latest transaction
WHO: Final = "another `smallcity web`"
LOST: Final = "The games of this server were damaged, and the last answers may be missing: a copy is kept"
DAMAGED: Final = "this game is damaged and cannot go on: a copy of it is kept on the server"
_TABLE: Final = "CREATE TABLE games (name BLOB PRIMARY KEY, links, start, played, number, checksum)"
_BROKEN: Final = (sqlite3.Error, UnicodeDecodeError)  # its messages may hold damaged names
_log = logging.getLogger(__name__)


class Row(NamedTuple):
    """A game: its links, its first position, what has been played (JSON), and the latest transaction."""

    name: bytes
    links: bytes
    start: bytes
    played: bytes
    number: int = 0

    @property
    def checksum(self) -> int:
        """The checksum of everything."""
        return zlib.crc32(b"\0".join(self[:-1]), self.number)


class Store:
    """The rows of all games; a row is on disk when `put` returns."""

    def __init__(self, folder: Path) -> None:
        files.make_private(folder)  # the links on disk are secrets
        self.folder = folder
        self._lock = files.lock(folder / NAME, WHO)
        self._waiting: dict[bytes, Row] = {}
        self._next: asyncio.Task[None] | None = None  # the transaction that will hold what waits now
        self._busy = asyncio.Lock()
        try:
            self._open()
        except (OSError, sqlite3.Error) as wrong:
            self._lock.release()
            raise self._unwritable(wrong) from None
        except BaseException:
            self._lock.release()
            raise

    def rows(self) -> Iterable[Row]:
        """All games."""
        return (Row(*row[:-1]) for row in self._db.execute("SELECT * FROM games"))

    def row(self, name: str) -> Row:
        """One game."""
        return Row(*self._db.execute("SELECT * FROM games WHERE name = ?", [name.encode()]).fetchone()[:-1])

    async def put(self, row: Row) -> None:
        """Replace a row; those that wait while another transaction is written share the next one."""
        self._waiting[row.name] = row
        if self._next is None:
            self._next = asyncio.create_task(self._commit())
        await asyncio.shield(self._next)

    async def _commit(self) -> None:
        async with self._busy:
            rows, self._waiting, self._next = self._waiting, {}, None
            await asyncio.to_thread(self._write, rows.values())

    def _write(self, rows: Iterable[Row]) -> None:
        """Write rows in one transaction, synced to disk."""
        try:
            _replace(self._db, rows, self._number + 1)
        except sqlite3.Error as wrong:
            raise self._unwritable(wrong) from None
        self._number += 1
        with suppress(OSError):  # the rows are on disk
            self._note()

    def _note(self) -> None:
        """Note the number of the latest transaction."""
        os.lseek(self._latest, 0, os.SEEK_SET)
        os.write(self._latest, b"%020d" % self._number)

    def _unwritable(self, why: Exception) -> Refused:
        return Refused(f"the games in {self.folder} cannot be written: {why}")

    async def close(self) -> None:
        """Close the database after the last transaction."""
        if self._next is not None:
            await asyncio.wait([self._next])
        async with self._busy:
            self._db.close()
            os.close(self._latest)
            self._lock.release()

    # -- damage

    def kept_aside(self) -> list[str]:
        """The names of the folders that hold damaged databases."""
        return sorted(path.name for path in self.folder.glob("damaged*"))

    def _open(self) -> None:
        """Open the database; make it if there is none, and make it again if it is damaged."""
        path = self.folder / NAME
        if any(self.folder.glob("*.table")):
            way = "finish them with the version that began them, or name another folder with --games"
            raise Refused(f"the folder {self.folder} holds games of an earlier version: {way}")
        before = {name: files.read_bytes(self.folder / name) for name in self._present()}
        if not before:
            _make(path, [], 0)
        if path.exists():
            files.refuse_shared(path)
        self._number = _number(before.get(LATEST, b""))
        if before:
            self._inspect(path, before)
        self._db = _connect(path)
        self._latest = os.open(self.folder / LATEST, os.O_CREAT | os.O_WRONLY, files.PRIVATE_FILE)
        self._note()

    def _present(self) -> list[str]:
        return [name for name in (NAME, WAL, LATEST) if (self.folder / name).exists()]

    def _inspect(self, path: Path, before: dict[str, bytes]) -> None:
        """Check the database; if it is damaged, keep it aside and go on with what is whole."""
        rows, wrong = _rows(path) if before.get(NAME) else ([], "it is empty or missing")
        whole = [Row(*row) for *row, checksum in rows if _fits(row) and Row(*row).checksum == checksum]
        latest = max((row.number for row in whole), default=0)
        if not wrong and latest < self._number:
            wrong = f"of {self._number} transactions {latest} are there"
        self._number = latest
        if not wrong and len(whole) == len(rows):
            return
        aside = files.free(self.folder / "damaged")
        for name, data in before.items():
            files.write(aside / name, data)
        _log.warning("%s was damaged (%s): it is kept in %s", path, wrong or "a checksum", aside)
        names = {row.name for row in whole}
        closed = [_closed(row, f"{DAMAGED} ({aside.name})") for row in rows if row[0] not in names]
        noted = [_noting(row, f"{LOST} ({aside.name})") if wrong else row for row in whole]
        _make(path, [*noted, *closed], self._number)


def _number(text: bytes) -> int:
    """The number in a file; 0 if there is none."""
    return int(text) if text.isdigit() else 0


def _fits(row: Sequence[Any]) -> bool:
    """Whether a row has the types of a game."""
    return [type(part) for part in row] == [bytes, bytes, bytes, bytes, int]


def _noting(row: Row, notice: str) -> Row:
    """A game with a notice to its players."""
    try:
        played = msgspec.json.decode(row.played, type=dict[str, Any])
    except ValueError:
        return row  # nobody can play it
    return row._replace(played=msgspec.json.encode(played | {"notice": notice}))


def _closed(row: Sequence[Any], why: str) -> Row:
    """A game that cannot be played, as far as it can be found by its links."""
    name, links = (part if type(part) is bytes else b"" for part in row[:2])
    return Row(name, links, b"", msgspec.json.encode({"damaged": why}))


# -- SQLite


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that syncs every transaction; any thread may use it."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.text_factory = bytes
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    return db


def _replace(db: sqlite3.Connection, rows: Iterable[Row], number: int) -> None:
    """Replace rows in a transaction with this number, all or none."""
    numbered = [row._replace(number=number) for row in rows]
    db.execute("BEGIN")
    try:
        db.executemany(
            "REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)", [(*row, row.checksum) for row in numbered]
        )
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have rolled back by itself
            db.execute("ROLLBACK")
        raise


def _make(path: Path, rows: Iterable[Row], number: int) -> None:
    """A new database in place of this one, complete or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_WRONLY, files.PRIVATE_FILE))
    with closing(_connect(part)) as db:
        db.execute(_TABLE)
        _replace(db, rows, number)
    path.with_name(WAL).unlink(missing_ok=True)  # it belongs to the database before
    part.replace(path)
    files.sync_folder(path.parent)


def _rows(path: Path) -> tuple[list[Sequence[Any]], str]:
    """All rows that can be read, and what is wrong with the database."""
    found: dict[int, Sequence[Any]] = {}
    try:
        with closing(_connect(path)) as db:
            for order in ("ASC", "DESC"):  # from both ends: a damaged page stops each
                with suppress(*_BROKEN):
                    for number, *row in db.execute(f"SELECT rowid, * FROM games ORDER BY rowid {order}"):
                        found[number] = row
            (wrong,) = db.execute("PRAGMA integrity_check(1)").fetchone()
    except _BROKEN as error:
        return list(found.values()), str(error)
    return list(found.values()), "" if wrong == b"ok" else wrong.decode(errors="replace")
