"""An application: routes, what stands around them, and refusals."""

from types import SimpleNamespace
from typing import Any

from .requests import Request
from .responses import Response
from .routing import Route


class Starlette:
    """Routes with the middleware around them; `exception_handlers` answer what routes raise."""

    def __init__(
        self, routes: Any = (), middleware: Any = (), exception_handlers: Any = None, lifespan: Any = None
    ) -> None:
        self._routes = [route for route in routes if isinstance(route, Route)]
        self._handlers = exception_handlers or {}
        self.state = SimpleNamespace()
        self._whole: Any = self._answer
        for kind, options in reversed(middleware):
            self._whole = kind(self._whole, **options)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._whole(scope, receive, send)

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        response = await self._response(scope, receive)
        await response(scope, receive, send)

    async def _response(self, scope: Any, receive: Any) -> Any:
        for route in self._routes:
            if (found := route.match(scope)) is not None:
                request = Request(scope, receive, found)
                try:
                    return await route.endpoint(request)
                except tuple(self._handlers) as error:
                    handler = next(h for kind, h in self._handlers.items() if isinstance(error, kind))
                    return await handler(request, error)
        return Response("Not Found", 404, media_type="text/plain")
