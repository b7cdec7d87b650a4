"""The server: pages, tables, answers, events, help and replays."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from smallcity_env.language import _, current, filled, per_language
from smallcity_env.log import Log
from smallcity_env.refusal import Refused
from smallcity_env.rules.tables.in_force import FINGERPRINT

from . import forms, puzzles, setup, views
from .forms import REFUSALS, FormT, NewTable, form_of, refusal
from .forms import Request as Act
from .lobby import MOST_TABLES, Lobby
from .numbers import OtherNumbers
from .reading import fingerprint_of
from .replays import Replay
from .safety import REPLAY_POLICY, Guard, Limit, who
from .speaking import Speaking
from .table import HOT_SEAT, WATCHER, Table

T = TypeVar("T")
STATIC: Final = Path(__file__).parent / "static"
RATE: Final = 60.0  # requests a second from one address
TABLES: Final = 100  # that one address may begin a day
DAY: Final = 24 * 60 * 60  # seconds
MOST_DIGITS: Final = 9  # of a number in a query
HEARTBEAT: Final = 20.0  # seconds between comments on a quiet stream of events


def application(
    folder: Path,
    rate: float = RATE,
    most: int = MOST_TABLES,
    host: str = "127.0.0.1",
    tables: int = TABLES,
    net: Path | None = None,
) -> Starlette:
    """The server of the tables in a folder."""
    lobby, others = Lobby(folder, most), OtherNumbers(folder, host, net)
    api = Api(lobby, others, Limit(tables / DAY, tables))
    refusals: dict[Any, Callable[..., Any]] = dict.fromkeys((*REFUSALS, ClientDisconnect), _refused)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.gather(others.close(), lobby.close())

    around = [Middleware(Speaking), Middleware(Guard, rate=rate)]
    app = Starlette(routes=_routes(api), middleware=around, exception_handlers=refusals, lifespan=lifespan)
    app.state.lobby = lobby
    return app


def _routes(api: "Api") -> list[Any]:
    """Which address is answered by what."""
    return [
        Route("/", _page),
        Route("/t/{token}", _page),
        Route("/r/{token}", _page),
        Route("/p/{number:int}", _page),
        Route("/api/setup", api.setup),
        Route("/api/pieces", api.pieces),
        Route("/api/check", api.check, methods=["POST"]),
        Route("/api/numbers", api.numbers, methods=["POST"]),
        Route("/api/tables", api.begin, methods=["POST"]),
        Route("/api/rematch/{token}", api.rematch, methods=["POST"]),
        Route("/api/view/{token}", api.view),
        Route("/api/events/{token}", api.events),
        Route("/api/places/{token}/{build:int}", api.places),
        Route("/api/hint/{token}", api.hint),
        Route("/api/coach/{token}", api.coach),
        Route("/api/guide/{token}", api.guide),
        Route("/api/log/{token}", api.log),
        Route("/api/share/{token}", api.share),
        Route("/api/replays", api.replay_log, methods=["POST"]),
        Route("/api/replays/{token}", api.replay_view),
        Route("/api/puzzles/{number:int}", api.puzzle),
        Route("/api/puzzles/{number:int}/{answer:int}", api.solution),
        Route("/api/review/{token}", api.review),
        Route("/api/review/{token}/{number:int}", api.decision),
        Route("/api/{what}/{token}", api.act, methods=["POST"]),
        Mount("/static", StaticFiles(directory=STATIC, follow_symlink=True)),  # pages of the manual
    ]


class Json(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes that are sent."""
        return msgspec.json.encode(content)


async def _page(request: Request) -> Response:
    return HTMLResponse(_index())


@per_language
def _index() -> str:
    """The page before its scripts run."""
    return filled((STATIC / "index.html").read_text(encoding="utf-8"), LANGUAGE=current())


async def _refused(request: Request, error: Exception) -> Response:  # else it takes a thread
    status, sentence = refusal(error)
    return Json(sentence, status)


async def _form(request: Request, kind: type[FormT]) -> FormT:
    return form_of(await request.body(), kind)


class Api:
    """What the page asks for."""

    def __init__(self, lobby: Lobby, others: OtherNumbers, beginnings: Limit) -> None:
        self.lobby, self.others, self.beginnings = lobby, others, beginnings

    async def _table(self, request: Request) -> tuple[Table, str]:
        token = request.path_params["token"]
        return await self.lobby.table(token), token

    async def _computed(self, request: Request, work: Callable[..., T], *args: Any) -> T:
        """The result of slow work, in turn with that of others."""
        return await self.lobby.help.run(who(request.scope), work, *args)

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
            setup.config_of(await _form(request, NewTable))
        except (Refused, ValueError) as error:
            return Json(refusal(error)[1])
        return Json({"wrong": ""})

    async def numbers(self, request: Request) -> Response:
        """The port of the server that plays with a file of numbers, 0 for this one; refuses a wrong file."""
        text = (await _form(request, forms.Numbers)).text
        name = await self._computed(request, fingerprint_of, text)
        return Json({"port": 0 if name == FINGERPRINT else await self.others.port(name, text)})

    async def begin(self, request: Request) -> Response:
        """Begin a game; returns the links of its seats."""
        form = await _form(request, NewTable)
        setup.config_of(form)  # a form that is refused does not count
        return await self._opened(request, form)

    async def _opened(self, request: Request, form: NewTable) -> Response:
        """Begin a game; its links and players."""
        if not self.beginnings.allows(who(request.scope)):
            raise Refused(_("one address may begin {n} games a day: go on with one", n=self.beginnings.most))
        table = await self.lobby.open(form, who(request.scope))
        links = [{"token": token, "seat": seat} for token, seat in table.links.items()]
        names = table.match.names
        return Json({"links": links, "names": names, "watcher": WATCHER, "hot_seat": HOT_SEAT})

    async def rematch(self, request: Request) -> Response:
        """Begin a game at the table of one that is over; everybody moves on by a seat."""
        table, _token = await self._table(request)
        return await self._opened(request, table.rematch())

    # -- playing

    async def view(self, request: Request) -> Response:
        """What a link shows now."""
        table, token = await self._table(request)
        return Json(await table.shown(token, _number(request, "lifted")))

    async def events(self, request: Request) -> Response:
        """What a link shows, now and after every change it can see."""
        _table, token = await self._table(request)
        stream = _events(self.lobby, token, _number(request, "lifted"))
        return StreamingResponse(stream, media_type="text/event-stream")

    async def places(self, request: Request) -> Response:
        """Every way to place a tile."""
        table, token = await self._table(request)
        return Json(table.placements(token, request.path_params["build"]))

    async def act(self, request: Request) -> Response:
        """Answer, move, decline, undo, switch or set the speed; the next question if it is requested."""
        what = request.path_params["what"]
        if what not in ACTS:
            raise Refused(f"there is nothing to do called {what!r}: choose from {', '.join(ACTS)}")
        kind, act = ACTS[what]
        form = await _form(request, kind)
        table, token = await self._table(request)
        await table.change(partial(act, table, token, form), form.next)
        return Json(table.asked(token) if form.next else {})

    # -- help

    async def hint(self, request: Request) -> Response:
        """What the champion would answer."""
        table, token = await self._table(request)
        return Json(await self._computed(request, table.hint(token)))

    async def guide(self, request: Request) -> Response:
        """What the guide of a first game says."""
        table, token = await self._table(request)
        return Json(await self._computed(request, table.guide(token)))

    async def coach(self, request: Request) -> Response:
        """The coach's view."""
        table, token = await self._table(request)
        return Json(await self._computed(request, table.coached(token)))

    # -- replays

    async def log(self, request: Request) -> Response:
        """The log of a game that is over, or of a replay."""
        token = request.path_params["token"]
        if token in self.lobby.replays:
            return PlainTextResponse(self.lobby.replay(token).log.to_text())
        return PlainTextResponse(_finished(await self.lobby.table(token)).to_text())

    async def share(self, request: Request) -> Response:
        """A replay as one HTML file: of a game that is over, or of a log."""
        token, seat = request.path_params["token"], _number(request, "seat")
        if token in self.lobby.replays:
            html = await self._computed(request, self.lobby.replay(token).html, seat)
        else:
            log = _finished(await self.lobby.table(token))
            html = await self._computed(request, lambda: Replay(log).html(seat))
        headers = {
            "Content-Disposition": 'attachment; filename="smallcity.html"',
            "Content-Security-Policy": REPLAY_POLICY,
        }
        return Response(html, media_type="text/html", headers=headers)

    async def replay_log(self, request: Request) -> Response:
        """Open a replay of a log, or of a game that is over."""
        form = await _form(request, forms.NewReplay)
        if form.token is not None:
            log = _finished(await self.lobby.table(form.token))
        else:
            log = await self._computed(request, Log.from_text, form.log)
        replay = await self._computed(request, Replay, log)
        return Json({"token": self.lobby.keep(replay, who(request.scope))})

    async def replay_view(self, request: Request) -> Response:
        """One step of a replay."""
        replay = self.lobby.replay(request.path_params["token"])
        step = _number(request, "step") or 0
        return Json(await self._computed(request, replay.view, step, _number(request, "seat")))

    async def review(self, request: Request) -> Response:
        """Every decision of a seat in a replay, with its cost."""
        replay = self.lobby.replay(request.path_params["token"])
        return Json(await self._computed(request, replay.review, _number(request, "seat")))

    async def decision(self, request: Request) -> Response:
        """One of these decisions, with the better answer and why."""
        replay, number = self.lobby.replay(request.path_params["token"]), request.path_params["number"]
        return Json(await self._computed(request, replay.decision, _number(request, "seat"), number))

    # -- puzzles

    async def puzzle(self, request: Request) -> Response:
        """A position in which one answer is clearly best."""
        return Json(await self._computed(request, puzzles.shown, request.path_params["number"]))

    async def solution(self, request: Request) -> Response:
        """What is best in it, and why."""
        number, answer = request.path_params["number"], request.path_params["answer"]
        return Json(await self._computed(request, puzzles.solution, number, answer))


ACTS: Final[dict[str, tuple[type[Act], Callable[[Table, str, Any], None]]]] = {
    "answer": (forms.Answer, lambda table, token, form: table.answer(token, form.version, form.answers)),
    "move": (forms.Move, lambda table, token, form: table.move(token, form.version, form.plan)),
    "decline": (Act, lambda table, token, form: table.decline(token, form.version)),
    "undo": (forms.Undo, lambda table, token, form: table.undo(token, form.turn)),
    "substitute": (
        forms.Substitute,
        lambda table, token, form: table.substitute(token, form.seat, form.agent),
    ),
    "switch": (forms.Switch, lambda table, token, form: table.switch(token, form.name, form.on)),
    "name": (forms.Called, lambda table, token, form: table.call(token, form.name)),
    "speed": (forms.Speed, lambda table, token, form: table.set_speed(token, form.speed)),
}


async def _events(lobby: Lobby, token: str, lifted: int | None) -> AsyncIterator[bytes]:
    """Views as server-sent events; symbols are sent once, boroughs as they change."""
    table = await lobby.table(token)
    table.listeners += 1  # at once, so that the table stays in memory
    table.present[table.links[token]] += 1
    table.announce()
    sent, last, boroughs = set[str](), b"", list[Any]()
    try:
        while not table.ended:
            changed = table.changed
            view = await table.shown(token, lifted)
            symbols, known, boroughs = view.pop("symbols", {}), boroughs, view.get("boroughs", [])
            body = msgspec.json.encode(view)
            if body != last:
                new = {name: svg for name, svg in symbols.items() if name not in sent}
                sent, last = sent | set(new), body
                yield b"data: %s\n\n" % msgspec.json.encode(view | _news(boroughs, known) | {"symbols": new})
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await changed.wait()
            except TimeoutError:
                yield b": still here\n\n"
    finally:
        table.listeners -= 1
        table.present[table.links[token]] -= 1
        table.announce()


def _news(boroughs: list[Any], known: list[Any]) -> dict[str, Any]:
    """The boroughs of a view, null for those unchanged since the last view."""
    if not boroughs or not known:
        return {}
    return {"boroughs": [None if now == was else now for now, was in zip(boroughs, known, strict=True)]}


def _finished(table: Table) -> Log:
    """The log of a game; while it is played it holds secrets."""
    if not table.game.over:
        raise Refused(_("the log is open when the game is over: until then it holds secrets"))
    return table.match.log


def _number(request: Request, name: str) -> int | None:
    """A whole number of the query, None if it is not given."""
    text = request.query_params.get(name, "")
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
