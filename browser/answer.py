"""The server of the page inside a worker of a browser: JavaScript brings the requests (worker.js)."""

import json
import math
from collections.abc import Callable, MutableMapping
from functools import cache
from pathlib import Path
from typing import Any

from smallcity_env.library.loaded import loaded
from smallcity_env.rules._library import library

FOLDER = Path(__file__).parent
GAMES = Path("/games")
HEADERS = {"host": "localhost", "content-type": "application/json"}
Send = Callable[[int, Any], bool]  # a status, or 0 and a part of the body; False: nobody listens any more


def use_library() -> None:
    """Load the compiled functions, which lie beside this file."""
    symbols = json.loads((FOLDER / "symbols.json").read_text())
    functions = loaded(FOLDER / "smallcity.so", None, symbols, shares=False, checked=False)
    library._loaded = {True: functions, False: functions}


use_library()

from starlette.applications import Starlette  # noqa: E402

from smallcity_agents.web import setup, views  # noqa: E402  # their tables are made by compiled functions
from smallcity_agents.web.server import application  # noqa: E402
from smallcity_env.game import Game  # noqa: E402
from smallcity_env.history import History  # noqa: E402


def rehearse() -> None:
    """Have in memory what the first answers need."""
    setup.choices()
    views.pieces()
    game = Game()
    views.table_view(game, game.seat, History(), [""] * game.config.players)


@cache
def app() -> Starlette:
    """The server; its games come after the memory of Python, which may be an earlier visit's."""
    GAMES.chmod(0o700)
    return application(GAMES, rate=math.inf, tables=2**31)


async def answer(method: str, path: str, language: str, body: str, send: Send) -> None:
    """Answer a request; `send` gets the status, and then the body as it comes."""
    where, _, query = path.partition("?")
    data = body.encode()
    headers = HEADERS | {"accept-language": language, "content-length": str(len(data))}
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1",
        "method": method, "scheme": "http", "path": where, "raw_path": where.encode(), "root_path": "",
        "query_string": query.encode(), "client": ("127.0.0.1", 0), "server": ("localhost", 80),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": data, "more_body": False}

    async def respond(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            send(message["status"], dict(message["headers"]).get(b"content-type", b"").decode())
        elif not send(0, bytes(message.get("body", b"")).decode()):
            raise OSError("nobody listens any more")

    await app()(scope, receive, respond)
