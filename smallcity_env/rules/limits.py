"""The limits of every number of the record, for texts that are parsed and records that are validated.

Sets of spaces have no line here. `LOW` and `HIGH` hold the limits of every word (int16) of the record.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from .schema import BOROUGH, PADDING, RULES, STATE
from .tables import (
    ADDED_QUESTIONS,
    BUILDS,
    CITIZENS,
    MATERIALS,
    MODULES,
    POWER_ROUNDS,
    RESERVE,
    ROWS,
    SEATS,
    SIDE,
    SPACES,
    Ask,
    Card,
    Phase,
    Victory,
    Way,
    every,
)
from .tables import COLUMNS as COUNCIL_COLUMNS
from .tables.cards import CONSTRUCTION, DIFFICULTIES
from .tables.expansions import BEN_ADVANCES, CLEANED, DIE, DOCTORS, GODZILLAS, MARKERS
from .tables.maps import BOARDS
from .tables.modules import FIELDS
from .tables.promises import PROMISE_COUNT
from .tables.shapes import MOST_WAYS
from .tables.tiles import KINDS

PLENTY = 1 << 14  # of money, votes, pollution: more than any game has, and adding to it cannot overflow
MOST = 4  # of a number in an observation: larger ones are cut off, but games stay below 2
_TILES = 255  # of a kind
_PEOPLE = CITIZENS + RESERVE
_SPACE, _SPACE_OR_NONE = (0, SPACES - 1), (0, SPACES)
_SEAT, _SEAT_OR_NONE = (0, SEATS - 1), (0, SEATS)
_FLAG = (0, 1)

LIMITS: Final[dict[str, tuple[int, int]]] = {
    # rules
    "players": (1, SEATS),
    "rounds": (1, POWER_ROUNDS),
    "victory": (0, len(Victory) - 1),
    "board": (0, BOARDS - 1),
    **dict.fromkeys(("advanced", "stockholm", "godzillas_2016"), _FLAG),
    # boroughs
    "first": _SPACE,
    "way": (0, MOST_WAYS - 1),
    "built": (0, SPACES),
    **dict.fromkeys(("money", "votes", "pollution", "flood"), (0, PLENTY)),
    **dict.fromkeys(("pollution_made", "busy_factories"), (0, PLENTY)),
    "career": (0, _PEOPLE),
    "zone_side": (0, SIDE),
    "hall": _SPACE,
    "out": (0, POWER_ROUNDS),
    "card": (0, len(Card) - 1),
    "council": (0, COUNCIL_COLUMNS),
    "difficulty": (0, len(DIFFICULTIES) - 1),
    "promise": (0, PROMISE_COUNT),
    "special": (0, PROMISE_COUNT),
    "cleaned": _FLAG,
    "doctor": _FLAG,
    "riders": (0, _PEOPLE),
    "powered": (0, (1 << SIDE) - 1),
    "plants": (0, SIDE),
    **{field.name: (field.low, field.high) for field in FIELDS},
    # the game
    "round_no": (0, POWER_ROUNDS),
    "phase": (0, len(Phase) - 1),
    "ask": (0, len(Ask) - 1),
    **dict.fromkeys(("seat", "host", "asked_borough", "pilgrim_of"), _SEAT),
    **dict.fromkeys(("next_host", "product_from", "sender"), _SEAT_OR_NONE),
    "part": (0, 3),
    "turn": (-1, SEATS),
    "stage": (0, 5 + ADDED_QUESTIONS),  # Phase 4: one for each salary
    "supply": (0, _TILES),
    "took": (-_TILES, _TILES),
    "reserve": (0, _PEOPLE),
    "godzillas": (0, max(GODZILLAS)),
    "doctors": (0, SEATS * DOCTORS),
    "circle": _FLAG,
    "kind": (0, KINDS - 1),
    **dict.fromkeys(("upgrade", "enlarged", "architect_used", "hosts", "stayed"), _FLAG),
    **dict.fromkeys(("anchor", "space", "head", "tail"), _SPACE),
    **dict.fromkeys(("warehouse_due", "pilgrim"), _SPACE_OR_NONE),
    "council_size": (0, int(max(CONSTRUCTION))),
    "builds": (0, BUILDS),
    "destination": _SEAT,
    "council_row": (0, ROWS - 1),
    "tourism_column": (0, COUNCIL_COLUMNS),
    "advances": (0, COUNCIL_COLUMNS),
    "free_advances": (0, BEN_ADVANCES),
    **dict.fromkeys(("waiting_riders", "sent"), (0, _PEOPLE)),
    **dict.fromkeys(("goods", "goods_abroad", "second"), (0, SPACES)),
    "product": (0, MATERIALS - 1),
    "deaths": (0, _PEOPLE),
    "die": (0, DIE),
    "steps_left": (0, DIE),
    "to_clean": (0, CLEANED),
    "heading": (0, len(Way) - 1),
    "returned": (0, 2),
}
MARKERS_LIMITS: Final = (0, MARKERS)  # in the supply; in a borough `markers` is a set of spaces

_ANY = (int(np.iinfo(np.int16).min), int(np.iinfo(np.int16).max))
_WORD, _LONG = np.dtype(np.int16), np.dtype(np.uint64)
_TOP_OF_SET = (0, 3)  # the last of the four words of 50 spaces


def is_set(dtype: "np.dtype[Any]") -> bool:
    """Whether a field is a set of spaces, or several."""
    return dtype.base == _LONG and dtype.shape[-1:] == (2,)


def limits_of(block: "np.dtype[Any]", name: str) -> tuple[int, int]:
    """The limits of a field of a block; for the stream, those of its type."""
    if name == "markers":
        return MARKERS_LIMITS
    if block == RULES and name in MODULES:  # godzillas and doctors are numbers of the game too
        return _FLAG
    info = np.iinfo(block[name].base)
    return LIMITS.get(name, (int(info.min), int(info.max)))


def _words(block: "np.dtype[Any]", path: str = "") -> Iterator[tuple[str, int, int]]:
    """Every word of a block with its field and limits; a word shared by two fields counts for the second."""
    half = 0  # 1: a field of bytes has ended in the middle of a word
    for name in block.names or ():
        dtype = block[name]
        n = int(np.prod(dtype.shape, dtype=int))
        if dtype.base.names:
            for i in range(n):
                index = f" {i}" if dtype.shape else ""
                yield from _words(dtype.base, f"{name}{index}, ")
        elif dtype.base == _LONG:
            top = _TOP_OF_SET if is_set(dtype) else _ANY
            for limits in (_ANY, _ANY, _ANY, top) * n:
                yield f"{path}{name}", *limits
        elif dtype.base == _WORD:
            yield from ((f"{path}{name}", *limits_of(block, name)) for _ in range(n))
        else:  # bytes by space or kind, checked with the tiles; those that fill a gap are 0
            limits = (0, 0) if name.startswith(PADDING) and not half else _ANY
            words, half = divmod(half + dtype.itemsize, _WORD.itemsize)
            yield from ((f"{path}{name}", *limits) for _ in range(words))


def _numbers(block: "np.dtype[Any]") -> list[str]:
    """The fields of a block that need limits."""
    plain = [name for name in block.names or () if not block[name].base.names and not is_set(block[name])]
    return [name for name in plain if not name.startswith(PADDING) and name not in ("stream", "markers")]


every([*(set(_numbers(RULES)) - set(MODULES)), *_numbers(BOROUGH), *_numbers(STATE)], LIMITS, "limits")

_TABLE: Final = list(_words(STATE))
WORDS = len(_TABLE)
assert WORDS * _WORD.itemsize == STATE.itemsize


def word_of(field: str) -> int:
    """The first word of a field of the game."""
    fields = STATE.fields
    assert fields is not None
    return int(fields[field][1]) // _WORD.itemsize


WORD_NAMES: Final = [name for name, _low, _high in _TABLE]
LOW = np.array([low for _name, low, _high in _TABLE], np.int16)
HIGH = np.array([high for _name, _low, high in _TABLE], np.int16)


def _dtype_of(name: str) -> "np.dtype[Any]":
    """The type of a field by its name in the table, as `borough 2, money`."""
    block, _, field = name.rpartition(", ")
    record = {"": STATE, "rules": RULES}.get(block, BOROUGH)
    return record[field]


def sentence(word: int, number: int) -> str:
    """What is wrong with a word that is outside its limits."""
    name, low, high = _TABLE[word]
    if is_set(_dtype_of(name)):
        return f"{name} has a space that is not on the board"
    return f"{name} is {number}, but must be {low} to {high}"
