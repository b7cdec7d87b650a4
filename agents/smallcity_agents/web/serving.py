"""uvicorn with what it needs here: it ends at once, and collects garbage rarely."""

import gc
import socket
from typing import Final

import uvicorn
from starlette.applications import Starlette

from .lobby import Lobby

PATIENCE: Final = 1  # seconds for requests that do not end by themselves
COLLECTED: Final = 20_000, 50, 50  # thresholds: open games are many small objects that are no garbage


class Server(uvicorn.Server):
    """A server that lets everybody go before it ends."""

    def __init__(self, config: uvicorn.Config, lobby: Lobby) -> None:
        super().__init__(config)
        self.lobby = lobby

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and what people wait for, then the rest."""
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
    gc.set_threshold(*COLLECTED)
    Server(config, app.state.lobby).run(sockets=[listening])
