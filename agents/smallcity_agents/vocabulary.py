"""The names of the pieces and rules in force, for nets: axis by axis, in the order of their numbers."""

from collections.abc import Sequence
from typing import Final

from smallcity_env.rules.actions import ACTION_NAMES, PROMISE, space_name
from smallcity_env.rules.tables import (
    COLUMNS,
    MODULES,
    POWER_ROUNDS,
    SEATS,
    SPACES,
    Ask,
    Family,
    Material,
    Phase,
    Row,
    Victory,
    Way,
)
from smallcity_env.rules.tables.cards import CARD_NAMES, DIFFICULTIES
from smallcity_env.rules.tables.maps import NAMES as BOARD_NAMES
from smallcity_env.rules.tables.promises import PROMISE_COUNT
from smallcity_env.rules.tables.tiles import NAMES as TILE_NAMES

from .names import NONE

_PILES: Final = [f"pile {n + 1}" for n in range(len(DIFFICULTIES))]  # their worth is a number that may change


def count(last: int, first: int = 0) -> list[str]:
    """An axis of numbers: a new one is like the nearest."""
    return [str(n) for n in range(first, last + 1)]


def _answers() -> list[str]:
    """Every action; promises by pile."""
    names = list(ACTION_NAMES)
    names[PROMISE : PROMISE + len(_PILES)] = [f"promise {pile}" for pile in _PILES]
    return names


AXES: Final[dict[str, Sequence[str]]] = {
    "tile": list(TILE_NAMES.values()),
    "space": [space_name(space) for space in range(SPACES)],
    "card": [NONE, *CARD_NAMES.values()],
    "board": list(BOARD_NAMES.values()),
    "promise": [NONE, *(f"#{n + 1}" for n in range(PROMISE_COUNT))],
    "difficulty": _PILES,
    "victory": [victory.name.lower() for victory in Victory],
    "module": list(MODULES),
    "phase": [phase.name.lower() for phase in Phase],
    "question": [ask.name.lower() for ask in Ask],
    "answer": _answers(),
    "council row": [row.name.lower() for row in Row],
    "council column": count(COLUMNS),
    "material": [material.name.lower() for material in Material],
    "family": [family.name.lower() for family in Family if family >= 0],
    "heading": [way.name.lower() for way in Way],
    "rounds left": count(POWER_ROUNDS),
    "place": count(SEATS - 1),
}
