"""uvicorn, set up to end at once and to collect garbage rarely."""

import gc
import socket
from typing import Final

import uvicorn
from starlette.applications import Starlette

from .lobby import Lobby

PATIENCE: Final = 1  # seconds for requests that do not end by themselves
THRESHOLDS: Final = 20_000, 50, 50  # of garbage collection: open games are many live small objects


class Server(uvicorn.Server):
    """A server that releases all waiting requests before it ends."""

    def __init__(self, config: uvicorn.Config, lobby: Lobby) -> None:
        super().__init__(config)
        self.lobby = lobby

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and waiting requests, then the rest."""
        await self.lobby.end()
        await super().shutdown(sockets)


def serve(app: Starlette, listening: socket.socket) -> None:
    """Serve until a signal ends it."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    Server(config, app.state.lobby).run(sockets=[listening])
