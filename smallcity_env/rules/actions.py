"""The flat action space: one id for every answer, shared by all questions. What an id means follows
from the question (`Ask`); its name never changes.

      0 ....  99   at A1 .. at J10          a space (a tile's first space, a citizen's goal, a grave ...)
    100 .... 135   build residential-1 ..   a new tile or a power plant, by kind
    136 .... 150   upgrade residential-1 .. the tile it becomes
    151            enlarge                  the zone
    152 .... 160   way 1 .. way 9           which way round, in the order of the tile's shapes
    161 .... 164   north east south west
    165 .... 174   card mayor .. artist
    175 .... 178   row finance .. tourism
    179 .... 181   wood stone metal
    182 .... 184   promise 6, 12, 18
    185 .... 188   seat 0 .. 3              abroad to, or the Tourist at, that borough
    189 .... 191   pay money, votes, nothing
    192 .... 194   store warehouse, city-hall, plain   where a product goes, or a traded material comes from
    195, 196       clean, old-effect        the Engineer's two effects
    197, 198       yes, no                  no: pass, stay, stop

Every block is a constant below; the text above is tested against them. Tiles and cards added later have ids
from LATER on, so that no id above ever changes.
"""

from typing import Final

import numpy as np

from .tables import ADDED_CARDS, MATERIALS, ROWS, SEATS, SIDE, SPACES, Material, Pay, Row, Store, Way
from .tables.cards import ALL_CARDS, CARD_NAMES, DIFFICULTIES
from .tables.tiles import BUILT_KINDS, KINDS, LATER_KINDS, NAMES, UPGRADING_KINDS, Kind

WAYS = 9

AT = 0
BUILD = AT + SPACES
UPGRADE = BUILD + len(BUILT_KINDS)
ENLARGE = UPGRADE + len(UPGRADING_KINDS)
WAY = ENLARGE + 1
HEADING = WAY + WAYS
CARD = HEADING + len(Way)
ROW = CARD + ALL_CARDS - ADDED_CARDS
MATERIAL = ROW + ROWS
PROMISE = MATERIAL + MATERIALS
SEAT = PROMISE + len(DIFFICULTIES)
PAY = SEAT + SEATS
STORE = PAY + len(Pay)
CLEAN = STORE + len(Store)
OLD_EFFECT = CLEAN + 1
YES = OLD_EFFECT + 1
NO = YES + 1
LATER = NO + 1
LATER_CARD = LATER + len(LATER_KINDS)
ACTIONS = LATER_CARD + ADDED_CARDS

BUILD_ID = np.full(KINDS, -1)  # by kind; -1: cannot be built
BUILD_ID[BUILT_KINDS] = np.arange(BUILD, UPGRADE)
BUILD_ID[LATER_KINDS] = np.arange(LATER, LATER_CARD)
UPGRADE_ID = np.full(KINDS, -1)  # by kind; -1: cannot be upgraded to
UPGRADE_ID[UPGRADING_KINDS] = np.arange(UPGRADE, ENLARGE)
KIND_OF = np.zeros(ACTIONS, np.int64)  # by action: the tile it builds, NONE for all others
KIND_OF[BUILD:ENLARGE] = np.concatenate([BUILT_KINDS, UPGRADING_KINDS])
KIND_OF[LATER:LATER_CARD] = LATER_KINDS
CARD_ID = np.array([-1, *range(CARD, ROW), *range(LATER_CARD, ACTIONS)])  # by card
CARD_OF = np.zeros(ACTIONS, np.int64)  # by action: the card it takes, NONE for all others
CARD_OF[CARD_ID[1:]] = np.arange(1, ALL_CARDS + 1)


class UnknownAction(ValueError):
    """A text that does not name an action."""


def space_name(space: int) -> str:
    """A1 .. J10: column letter, row number."""
    row, col = divmod(space, SIDE)
    return f"{chr(ord('A') + col)}{row + 1}"


def space_number(text: str) -> int:
    """The space a name like D4 stands for."""
    col, row = ord(text[:1].upper()) - ord("A"), text[1:]
    if not (0 <= col < SIDE and row.isdigit() and 1 <= int(row) <= SIDE):
        raise UnknownAction(f"{text!r} is not a space: write a column A-J and a row 1-10, like D4")
    return (int(row) - 1) * SIDE + col


def _names() -> list[str]:
    """The name of every id, in order."""
    cards = [f"card {name}" for name in CARD_NAMES.values()]
    return [
        *(f"at {space_name(space)}" for space in range(SPACES)),
        *(f"build {NAMES[Kind(kind)]}" for kind in BUILT_KINDS),
        *(f"upgrade {NAMES[Kind(kind)]}" for kind in UPGRADING_KINDS),
        "enlarge",
        *(f"way {n}" for n in range(1, WAYS + 1)),
        *(way.name.lower() for way in Way),
        *cards[: ROW - CARD],
        *(f"row {row.name.lower()}" for row in Row),
        *(material.name.lower() for material in Material),
        *(f"promise {worth}" for worth in DIFFICULTIES),
        *(f"seat {seat}" for seat in range(SEATS)),
        *(f"pay {pay.name.lower()}" for pay in Pay),
        *(f"store {store.name.lower().replace('_', '-')}" for store in Store),
        "clean",
        "old-effect",
        "yes",
        "no",
        *(f"build {NAMES[Kind(kind)]}" for kind in LATER_KINDS),
        *cards[ROW - CARD :],
    ]


ACTION_NAMES: Final = _names()
_IDS: Final = {name: i for i, name in enumerate(ACTION_NAMES)}
ALIASES: Final = {"pass": NO, "stay": NO, "stop": NO, "decline": NO}


def name(action: int) -> str:
    """The readable name of an id."""
    if not 0 <= action < ACTIONS:
        raise UnknownAction(f"{action} is not an action: ids run from 0 to {ACTIONS - 1}")
    return ACTION_NAMES[action]


def parse(text: str) -> int:
    """The id a name stands for: `build park-1`, `at D4` or just `D4`, `pass`."""
    words = " ".join(text.lower().split())
    if words in ALIASES:
        return ALIASES[words]
    if words in _IDS:
        return _IDS[words]
    spot = words.removeprefix("at ")
    if spot[:1].isalpha() and spot[1:].isdigit():
        return AT + space_number(spot)
    raise UnknownAction(f"{text!r} is not an action: try 'build park-1', 'at D4', 'pay votes' or 'no'")


_IDS.update({f"at {space_name(space)}".lower(): AT + space for space in range(SPACES)})
