"""Reads all tables: which game this process plays, and the refusal of anything made with other numbers."""

from typing import Final

from .. import numbers
from . import cards, expansions, maps, promises, tiles  # noqa: F401  # each declares its numbers
from .modules import MODULES

RULES_VERSION: Final = "r3"  # a new name for every change of behaviour: tests/behaviour.py
FINGERPRINT = numbers.complete()
# how games play out, whatever the sources; results, cards, datasets and training runs carry it
IDENTITY: Final = f"rules {RULES_VERSION}, numbers {FINGERPRINT}, modules {' '.join(MODULES)}"


def foreign(fingerprint: str) -> str:
    """Why something made with other numbers is refused; empty if the numbers are the same."""
    if fingerprint == FINGERPRINT:
        return ""
    return f"it was made with the numbers {fingerprint[:40]!r} and this process plays by '{FINGERPRINT}'"
