"""uvicorn, set up to bound what each address holds open, to end at once and to collect garbage rarely."""

import asyncio
import gc
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .lobby import Lobby
from .safety import sender

PATIENCE: Final = 1  # seconds for requests that do not end by themselves
SLOWEST: Final = 10.0  # seconds until a request must have arrived
LARGEST_HEAD: Final = 32_768  # bytes
CONNECTIONS: Final = 64  # of one address
MOST_FILES: Final = 65_536
SPARE: Final = 100  # files besides connections
FULL: Final = (
    b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: 35\r\n\r\n" + b'{"wrong":"too many open requests"}\n'
)
THRESHOLDS: Final = 20_000, 50, 50  # of garbage collection: open games are many live small objects


class Connection(HttpToolsProtocol):
    """A connection that must bring its requests in time, with short heads; few of them for one address."""

    most: int  # of one address
    most_of_all: int
    counted: Counter[str]  # by address
    _slow: asyncio.TimerHandle | None = None
    _has_head = False  # the head of the latest request is complete
    _head = 0  # bytes of it so far, if it is not

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse a connection too many."""
        super().connection_made(transport)
        self._address = sender(self.client[0] if self.client else "")
        self.counted[self._address] += 1
        self._wait()
        if self.counted[self._address] > self.most or self.counted.total() > self.most_of_all:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._stop_waiting()
        self.counted.subtract([self._address])
        if not self.counted[self._address]:
            del self.counted[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Cut off a head that is too long."""
        super().data_received(data)
        self._head = 0 if self._has_head else self._head + len(data)
        if self._head > LARGEST_HEAD:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """The first byte of a request."""
        super().on_message_begin()
        self._has_head = False
        if not self._slow:
            self._wait()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        self._has_head = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._stop_waiting()
        super().on_message_complete()

    def _wait(self) -> None:
        self._slow = self.loop.call_later(SLOWEST, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._slow:
            self._slow.cancel()
            self._slow = None


def _open_files() -> int:
    """How many files this process may open: as many as the system lets it."""
    if find_spec("resource") is None:  # Windows
        return 2000
    resource = import_module("resource")
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


class Threads(ThreadPoolExecutor):
    """Threads that the end of the server does not wait for: building the library takes a minute."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Begin nothing more; what must be on disk, the lobby has waited for."""
        super().shutdown(wait=False, cancel_futures=True)


class Server(uvicorn.Server):
    """A server that releases all waiting requests before it ends."""

    def __init__(self, config: uvicorn.Config, lobby: Lobby) -> None:
        super().__init__(config)
        self.lobby = lobby

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, with threads of our own."""
        asyncio.get_running_loop().set_default_executor(Threads())
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and waiting requests, then the rest."""
        self.lobby.end()
        await super().shutdown(sockets)


def serve(app: Starlette, listening: socket.socket, connections: int = CONNECTIONS) -> None:
    """Serve until a signal ends it."""
    Connection.most, Connection.most_of_all = connections, _open_files() - SPARE
    Connection.counted = Counter()
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    Server(config, app.state.lobby).run(sockets=[listening])
