"""Routes: paths with names in braces."""

import re
from typing import Any


class Route:
    """A path, and the function that answers it."""

    def __init__(self, path: str, endpoint: Any, methods: Any = ("GET",)) -> None:
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
        self._pattern = re.compile(re.sub(r"\{(\w+):int\}", r"(?P<\1>[0-9]+)", pattern))
        self._whole = set(re.findall(r"\{(\w+):int\}", path))
        self.endpoint, self._methods = endpoint, methods

    def match(self, scope: Any) -> dict[str, Any] | None:
        """The names in a path, if this is the route for it."""
        found = self._pattern.fullmatch(scope["path"]) if scope["method"] in self._methods else None
        if found is None:
            return None
        return {name: int(text) if name in self._whole else text for name, text in found.groupdict().items()}


class Mount:
    """Files: the browser has them without a server."""

    def __init__(self, *_: Any) -> None:
        pass
