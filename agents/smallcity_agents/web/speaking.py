"""The language of each request: as the reader has switched, as --lang says, or as their browser prefers."""

from http.cookies import CookieError, SimpleCookie
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from smallcity_env import language

COOKIE: Final = "language"


class Speaking:
    """Answer every request in its reader's language; what it calls, in threads too, speaks it as well."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = dict(scope.get("headers", ()))
        with language.use(_spoken(headers)):
            await self.app(scope, receive, send)


def _spoken(headers: dict[bytes, bytes]) -> str:
    """The language of a request."""
    switched = _cookie(headers.get(b"cookie", b"").decode("latin-1"))
    if switched in language.LANGUAGES:
        return switched
    wished = headers.get(b"accept-language", b"").decode("latin-1")
    return language.asked_for or language.accepted([wish.partition(";")[0] for wish in wished.split(",")])


def _cookie(header: str) -> str:
    """What the page remembers, empty if nothing."""
    try:
        cookie = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""
