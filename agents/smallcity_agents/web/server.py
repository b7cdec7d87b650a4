"""The server: pages, tables, answers, events, help and replays."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from smallcity_env.log import Log
from smallcity_env.refusal import Refused
from smallcity_env.render.replay import page

from . import setup, views
from .acting import REFUSALS, Acting, form_of, refusal
from .lobby import MOST_TABLES, Lobby, Room
from .numbers import OtherNumbers
from .replays import Replay
from .safety import REPLAY_POLICY, Guard
from .table import HOT_SEAT, WATCHER

STATIC: Final = Path(__file__).parent / "static"
RATE: Final = 60.0  # requests a second from one address
HEARTBEAT: Final = 20.0  # seconds between comments on a quiet stream of events


def application(
    folder: Path, rate: float = RATE, most: int = MOST_TABLES, host: str = "127.0.0.1"
) -> Starlette:
    """The server of the tables in a folder."""
    lobby, others = Lobby(folder, most), OtherNumbers(folder, host)
    api = Api(lobby, others)
    routes = [
        Route("/", _page),
        Route("/t/{token}", _page),
        Route("/r/{token}", _page),
        Route("/api/setup", api.setup),
        Route("/api/pieces", api.pieces),
        Route("/api/check", api.check, methods=["POST"]),
        Route("/api/numbers", api.numbers, methods=["POST"]),
        Route("/api/tables", api.begin, methods=["POST"]),
        Route("/api/view/{token}", api.view),
        Route("/api/events/{token}", api.events),
        Route("/api/places/{token}/{build:int}", api.places),
        Route("/api/hint/{token}", api.hint),
        Route("/api/coach/{token}", api.coach),
        Route("/api/log/{token}", api.log),
        Route("/api/share/{token}", api.share),
        Route("/api/replays", api.replay_log, methods=["POST"]),
        Route("/api/replays/{token}", api.replay_view),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    refusals: dict[Any, Callable[..., Any]] = dict.fromkeys(REFUSALS, _refused)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.gather(others.close(), lobby.close())

    around = [Middleware(Guard, rate=rate), Middleware(Acting, lobby=lobby)]
    app = Starlette(routes=routes, middleware=around, exception_handlers=refusals, lifespan=lifespan)
    app.state.lobby = lobby
    return app


class Json(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes that are sent."""
        return msgspec.json.encode(content)


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


def _refused(request: Request, error: Exception) -> Response:
    status, sentence = refusal(error)
    return Json(sentence, status)


async def _form(request: Request) -> dict[str, Any]:
    return form_of(await request.body())


class Api:
    """What the page asks for."""

    def __init__(self, lobby: Lobby, others: OtherNumbers) -> None:
        self.lobby, self.others = lobby, others

    async def _room(self, request: Request) -> tuple[Room, str]:
        token = request.path_params["token"]
        return await self.lobby.room(token), token

    # -- set-up

    async def setup(self, request: Request) -> Response:
        """The choices of the set-up page."""
        return Json(setup.choices())

    async def pieces(self, request: Request) -> Response:
        """Rules and pictures of the pieces."""
        return Json(views.pieces())

    async def check(self, request: Request) -> Response:
        """What is wrong with a set-up, if anything."""
        try:
            setup.config_of(await _form(request))
        except (Refused, ValueError) as error:
            return Json({"wrong": str(error)})
        return Json({"wrong": ""})

    async def numbers(self, request: Request) -> Response:
        """The port of the server that plays with a file of numbers, 0 for this one; refuses a wrong file."""
        form = await _form(request)
        return Json({"port": await self.others.port(str(form.get("text", "")))})

    async def begin(self, request: Request) -> Response:
        """Begin a game; returns the links of its seats."""
        room = await self.lobby.open(await _form(request))
        links = [{"token": token, "seat": seat} for token, seat in room.table.links.items()]
        return Json({"links": links, "watcher": WATCHER, "hot_seat": HOT_SEAT})

    # -- playing

    async def view(self, request: Request) -> Response:
        """What a link shows now."""
        room, token = await self._room(request)
        return Json(room.table.view(token, _number(request, "lifted")))

    async def events(self, request: Request) -> Response:
        """What a link shows, now and after every change it can see."""
        room, token = await self._room(request)
        stream = _events(room, token, _number(request, "lifted"))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def places(self, request: Request) -> Response:
        """Every way to place a tile."""
        room, token = await self._room(request)
        return Json(room.table.placements(token, request.path_params["build"]))

    # -- help

    async def hint(self, request: Request) -> Response:
        """What the champion would answer."""
        room, token = await self._room(request)
        return Json(await self.lobby.help.run(room.table.hint(token)))

    async def coach(self, request: Request) -> Response:
        """The coach's view."""
        room, token = await self._room(request)
        return Json(await self.lobby.help.run(room.table.coached(token)))

    # -- replays

    async def log(self, request: Request) -> Response:
        """The log of a game that is over."""
        room, _ = await self._room(request)
        return PlainTextResponse(_finished(room).to_text())

    async def share(self, request: Request) -> Response:
        """A replay as one HTML file: of a game that is over, or of a log."""
        token, seat = request.path_params["token"], _number(request, "seat")
        if token in self.lobby.replays:
            html = await self.lobby.help.run(self.lobby.replay(token).html, seat)
        else:
            html = await self.lobby.help.run(page, _finished(await self.lobby.room(token)), seat)
        headers = {
            "Content-Disposition": 'attachment; filename="smallcity.html"',
            "Content-Security-Policy": REPLAY_POLICY,
        }
        return Response(html, media_type="text/html", headers=headers)

    async def replay_log(self, request: Request) -> Response:
        """Open a replay of a log, or of a game that is over."""
        form = await _form(request)
        if "token" in form:
            log = _finished(await self.lobby.room(str(form["token"])))
        else:
            log = Log.from_text(str(form.get("log", "")))
        return Json({"token": self.lobby.keep(await self.lobby.help.run(Replay, log))})

    async def replay_view(self, request: Request) -> Response:
        """One step of a replay."""
        replay = self.lobby.replay(request.path_params["token"])
        step = _number(request, "step") or 0
        return Json(await self.lobby.help.run(replay.view, step, _number(request, "seat")))


async def _events(room: Room, token: str, lifted: int | None) -> AsyncIterator[bytes]:
    """Views as server-sent events; symbols are sent once, boroughs as they change."""
    room.listeners += 1
    sent, last, boroughs = set[str](), b"", list[Any]()
    try:
        while not room.ended:
            changes = room.table.changes, room.table.wrong
            view = room.table.view(token, lifted)
            symbols, known, boroughs = view.pop("symbols", {}), boroughs, view.get("boroughs", [])
            body = msgspec.json.encode(view)
            if body != last:
                new = {name: svg for name, svg in symbols.items() if name not in sent}
                sent, last = sent | set(new), body
                yield b"data: %s\n\n" % msgspec.json.encode(view | _news(boroughs, known) | {"symbols": new})
            async with room.changed:
                if changes == (room.table.changes, room.table.wrong) and not room.ended:
                    try:
                        await asyncio.wait_for(room.changed.wait(), HEARTBEAT)
                    except TimeoutError:
                        yield b": still here\n\n"
    finally:
        room.listeners -= 1


def _news(boroughs: list[Any], known: list[Any]) -> dict[str, Any]:
    """The boroughs of a view, null for those unchanged since the last view."""
    if not boroughs or not known:
        return {}
    return {"boroughs": [None if now == was else now for now, was in zip(boroughs, known, strict=True)]}


def _finished(room: Room) -> Log:
    """The log of a game; while it is played it holds secrets."""
    if not room.table.game.over:
        raise Refused("the log is open when the game is over: until then it holds secrets")
    return room.table.match.log


def _number(request: Request, name: str) -> int | None:
    """A whole number of the query, None if it is not given."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() else None
