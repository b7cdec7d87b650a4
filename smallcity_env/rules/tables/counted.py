"""Numbers of things in words, for the texts that the tables and rules bring along."""

from collections.abc import Iterable
from typing import Any


def counted(n: int, word: str) -> str:
    """A number of things: 1 vote, 2 votes."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"


def either(numbers: Iterable[Any]) -> str:
    """Numbers to choose from: 6, 12 or 18."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last
