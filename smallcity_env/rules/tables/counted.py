"""Numbers of things in words."""

from collections.abc import Iterable
from typing import Any

from ...language import Listed, Text, lazy


def counted(n: int, word: str) -> str:
    """A number of things for developers, in English: 1 vote, 2 votes."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def either(things: Iterable[Any]) -> Text:
    """Things to choose from: 6, 12 or 18."""
    *most, last = things
    return lazy("{most} or {last}", most=Listed(most), last=last) if most else Listed([last])


def both(things: Iterable[Any]) -> Text:
    """All of some things: 2, 4 and 6."""
    *most, last = things
    return lazy("{most} and {last}", most=Listed(most), last=last) if most else Listed([last])
