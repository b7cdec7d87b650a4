"""Players' requests: answers, moves, undo, switches. They bypass Starlette's routes, for speed."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send

from smallcity_env.batch import IllegalAction
from smallcity_env.log import BadLog
from smallcity_env.refusal import Refused

from ..play.match import CannotUndo
from .lobby import SPEEDS, Lobby, Room, Unknown
from .table import Stale

MOST_ANSWERS: Final = 4  # in one gesture: what, where, which way, and one more
REFUSALS: Final = (Refused, BadLog, CannotUndo, IllegalAction, ValueError)
_PARTS: Final = 4  # of a path /api/answer/TOKEN: nothing, api, answer, TOKEN
_JSON: Final = (b"content-type", b"application/json")


class Acting:
    """POST /api/{what}/{token}: answer, move, decline, undo, switch or set the speed."""

    def __init__(self, app: ASGIApp, lobby: Lobby) -> None:
        self.app, self.lobby = app, lobby

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry out a player's request; pass all others on."""
        path = scope["path"].split("/") if scope["type"] == "http" and scope["method"] == "POST" else []
        if len(path) != _PARTS or path[1] != "api":
            await self.app(scope, receive, send)
            return
        try:
            status, content = 200, await self._act(path[2], path[3], form_of(await _body(receive)))
        except REFUSALS as error:
            status, content = refusal(error)
        body = msgspec.json.encode(content)
        headers = [_JSON, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _act(self, what: str, token: str, form: dict[str, Any]) -> dict[str, Any]:
        """Change a table; return the next question if requested."""
        room = await self.lobby.room(token)
        await _change(room, what, token, form)
        self.lobby.tidy()
        return room.table.asked(token) if form.get("next") is True else {}


async def _change(room: Room, what: str, token: str, form: dict[str, Any]) -> None:
    table, version, wait = room.table, form.get("version"), form.get("next") is True
    if what == "answer":
        await room.change(table.answer, token, version, _answers(form), wait=wait)
    elif what == "move":
        await room.change(table.move, token, version, _plan(form), wait=wait)
    elif what == "decline":
        await room.change(table.decline, token, version, wait=wait)
    elif what == "undo":
        await room.change(table.undo, token)
    elif what == "switch":
        await room.change(table.switch, token, form.get("name"), form.get("on") is True)
    elif what == "speed" and str(form.get("speed")) in SPEEDS:
        room.speed = SPEEDS[str(form["speed"])]
    else:
        raise Refused(f"there is nothing to do called {what!r}")


def refusal(error: Exception) -> tuple[int, dict[str, str]]:
    """The status of a refusal, and why in one sentence."""
    status = 404 if isinstance(error, Unknown) else 409 if isinstance(error, Stale) else 400
    return status, {"wrong": str(error)}


async def _body(receive: Receive) -> bytes:
    """The body of a request; its size was checked."""
    parts, more = [], True
    while more:
        message = await receive()
        more = message.get("more_body", False)
        parts.append(message.get("body", b""))
    return b"".join(parts)


def form_of(body: bytes) -> dict[str, Any]:
    """The JSON object of a request."""
    try:
        form = msgspec.json.decode(body)
    except RecursionError:
        form = None
    if not isinstance(form, dict):
        raise Refused("a request must be a JSON object")
    return form


def _answers(form: dict[str, Any]) -> list[int]:
    """The answers of a request."""
    answers = form.get("answers")
    if not isinstance(answers, list) or not 1 <= len(answers) <= MOST_ANSWERS:
        raise Refused(f"a request brings 1 to {MOST_ANSWERS} answers")
    if not _whole(answers):
        raise Refused("an answer is the number of an action")
    return answers


def _plan(form: dict[str, Any]) -> dict[tuple[int, int], list[int]]:
    """The moves of a request: [borough, space, answer, answer ...] for each citizen."""
    moves = form.get("moves")
    if not isinstance(moves, list) or not all(
        isinstance(move, list) and len(move) >= 3 and _whole(move) for move in moves
    ):
        raise Refused("moves are lists of a borough, a space and answers")
    return {(move[0], move[1]): move[2:] for move in moves}


def _whole(values: Sequence[object]) -> bool:
    """Whether all values are whole numbers."""
    return all(type(value) is int for value in values)
