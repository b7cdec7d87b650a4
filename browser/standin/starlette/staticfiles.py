"""Files of a folder, which the browser has without a server."""

from typing import Any


class StaticFiles:
    """The files of a folder."""

    def __init__(self, **_: Any) -> None:
        pass
