"""The protection of the server: headers, hosts, origins, sizes and rates."""

import ipaddress
import socket
import time
from collections import OrderedDict
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
REPLAY_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
)
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_ROWS: Final = [
    (name.lower().encode(), value.encode())
    for name, value in {"Content-Security-Policy": POLICY, **HEADERS}.items()
]
LARGEST_BODY: Final = 2_000_000  # bytes: a log of a long game has a tenth of it
CLIENTS: Final = 4096  # addresses whose rates are tracked


class Guard:
    """Refuse unknown hosts, foreign origins, large bodies and too many requests; set the headers."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app, self.limit = app, Limit(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, reason = self._refusal(scope)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                set_already = {name for name, _ in message["headers"]}
                message["headers"] += [row for row in _ROWS if row[0] not in set_already]
            await send(message)

        app = self.app if not status else JSONResponse({"wrong": reason}, status)
        await app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str]:
        """The status and the reason of a refusal; 0 if there is none."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if not known_host(host):
            return 421, f"this server does not answer for the host {host!r}"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return 403, "requests from other sites are refused"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none", "same-site"):
            if scope["path"].startswith("/api/"):
                return 403, "requests from other sites are refused"
        if scope["method"] == "POST":
            if (wrong := _wrong_body(headers)) is not None:
                return wrong
        client = scope.get("client") or ("", 0)
        if not self.limit.allows(client[0]):
            return 429, "too many requests: wait a second"
        return 0, ""


def _wrong_body(headers: dict[str, str]) -> tuple[int, str] | None:
    """Why the body of a request is refused."""
    if headers.get("content-type", "").partition(";")[0] != "application/json":
        return 415, "requests must be JSON"
    length = headers.get("content-length", "")
    if not length.isdecimal():
        return 411, "requests must say how long they are"
    if int(length) > LARGEST_BODY:
        return 413, f"requests may have {LARGEST_BODY:,} bytes, not {int(length):,}"
    return None


@lru_cache
def known_host(header: str) -> bool:
    """Whether a Host header names this machine: an address, localhost or its own name."""
    name = (urlsplit(f"//{header}").hostname or "") if header else ""
    if name in ("localhost", socket.gethostname().lower()):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Limit:
    """A limit on requests per second from each address, with bursts of ten times as many."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count a request; return whether it is within the rate."""
        now, most = time.monotonic(), 10 * self.rate
        left, at = self._buckets.pop(address, (most, now))
        left = min(most, left + (now - at) * self.rate)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        while len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 1
