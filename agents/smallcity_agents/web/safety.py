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

from .forms import shortened

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
LARGEST_BODY: Final = 20_000  # bytes
LARGEST_BODIES: Final = {"/api/replays": 500_000, "/api/numbers": 100_000}  # a long game's log has 200,000
CLIENTS: Final = 4096  # addresses whose rates are tracked
BURST: Final = 10  # seconds' worth of requests that may come at once
OWN_SITES: Final = ("same-origin", "none", "same-site")  # as browsers say where a request comes from


class Guard:
    """Refuse unknown hosts, foreign origins, large bodies and too many requests; set the headers."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self.app, self.limit = app, Limit(rate, BURST * rate)

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

        app = self.app if not status else JSONResponse({"wrong": shortened(reason)}, status)
        await app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[int, str]:
        """The status and the reason of a refusal; 0 if there is none."""
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, path = headers.get("host", ""), scope["path"]
        if [name for name, _ in scope["headers"]].count(b"host") != 1 or not known_host(host):
            return 421, f"this server does not answer for the host {host!r}"
        foreign = headers.get("sec-fetch-site", "none") not in OWN_SITES and path.startswith("/api/")
        if foreign or headers.get("origin", f"http://{host}") not in (f"http://{host}", f"https://{host}"):
            return 403, "requests from other sites are refused"
        if scope["method"] == "POST" and (wrong := _wrong_body(headers, path)) is not None:
            return wrong
        if not self.limit.allows(who(scope)):
            return 429, "too many requests: wait a second"
        return 0, ""


def _wrong_body(headers: dict[str, str], path: str) -> tuple[int, str] | None:
    """Why the body of a request is refused."""
    if headers.get("content-type", "").partition(";")[0] != "application/json":
        return 415, "requests must be JSON"
    length, most = headers.get("content-length", ""), LARGEST_BODIES.get(path, LARGEST_BODY)
    if not (length.isascii() and length.isdecimal()):
        return 411, "requests must say how long they are"
    if int(length[:20]) > most:
        return 413, f"requests to {path} may have {most:,} bytes, not {int(length[:20]):,}"
    return None


@lru_cache
def known_host(header: str) -> bool:
    """Whether a Host header names this machine: an address, localhost or its own name."""
    try:
        name = (urlsplit(f"//{header}").hostname or "") if header else ""
        if name in ("localhost", socket.gethostname().lower()):
            return True
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def who(scope: Scope) -> str:
    """The address a request comes from."""
    return sender((scope.get("client") or ("", 0))[0])


@lru_cache
def sender(address: str) -> str:
    """An address as limits count it: the whole network of an IPv6 address, which one person has to spare."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((address, 64), strict=False)) if parsed.version == 6 else address


class Limit:
    """A limit on how often each address may do something: some at once, and then so many a second."""

    def __init__(self, rate: float, at_once: float) -> None:
        self.rate, self.most = rate, at_once
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count one more; return whether it is within the limit."""
        now = time.monotonic()
        left, at = self._buckets.pop(address, (self.most, now))
        left = min(self.most, left + (now - at) * self.rate)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        while len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return left >= 1
