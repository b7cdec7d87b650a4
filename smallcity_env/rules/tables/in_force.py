"""Reads all tables: the fingerprint of the numbers in force, and the refusal of anything made with others."""

from .. import numbers
from . import cards, expansions, maps, promises, tiles  # noqa: F401  # each declares its numbers

FINGERPRINT = numbers.complete()


def foreign(fingerprint: str) -> str:
    """Why something made with other numbers is refused; empty if the numbers are the same."""
    if fingerprint == FINGERPRINT:
        return ""
    return f"it was made with the numbers {fingerprint[:40]!r} and this process plays by '{FINGERPRINT}'"
