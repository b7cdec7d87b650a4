"""Requests."""

from typing import Any
from urllib.parse import parse_qsl


class ClientDisconnect(Exception):
    """Nobody waits for an answer."""


class Request:
    """A request: its path, its query and its body."""

    def __init__(self, scope: Any, receive: Any, path_params: dict[str, Any]) -> None:
        self.scope, self._receive, self.path_params = scope, receive, path_params
        self.query_params = dict(parse_qsl(scope["query_string"].decode()))
        self.headers = {name.decode(): value.decode() for name, value in scope["headers"]}

    async def body(self) -> bytes:
        """The whole body."""
        whole: bytes = (await self._receive())["body"]
        return whole
