"""What stands around an application."""

from typing import Any


class Middleware(tuple):  # type: ignore[type-arg]
    """A class and its options."""

    def __new__(cls, kind: Any, **options: Any) -> "Middleware":
        return super().__new__(cls, (kind, options))
