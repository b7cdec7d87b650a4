"""Responses."""

import json
from typing import Any


class Response:
    """A status, a type and a body."""

    media_type = ""

    def __init__(
        self, content: Any = b"", status_code: int = 200, headers: Any = None, media_type: str | None = None
    ) -> None:
        self.status_code, self.headers = status_code, headers or {}
        self.media_type = self.media_type if media_type is None else media_type
        self.body = self.render(content)

    def render(self, content: Any) -> Any:
        """The body as bytes."""
        return content.encode() if isinstance(content, str) else content

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        headers = {"content-type": self.media_type} | self.headers
        rows = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": self.status_code, "headers": rows})
        await self.send_body(send)

    async def send_body(self, send: Any) -> None:
        """The body, at once."""
        await send({"type": "http.response.body", "body": self.body})


class PlainTextResponse(Response):
    """Text."""

    media_type = "text/plain"


class JSONResponse(Response):
    """A value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode()


class HTMLResponse(Response):
    """A page."""

    media_type = "text/html"


class StreamingResponse(Response):
    """A body that comes in parts, until nobody listens any more."""

    def render(self, content: Any) -> Any:
        return content

    async def send_body(self, send: Any) -> None:
        try:
            async for part in self.body:
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except OSError:
            await self.body.aclose()
