"""The promises: what each asks for at the end of the game (section 13)."""

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final

import numpy as np

from ...language import Text, lazy
from ..numbers import NUMBERS, Whole, Wrong, number
from ..numbers.kinds import shown
from . import SIDE, Victory
from .cards import DIFFICULTIES, SPECIAL_WORTH
from .declare import PromiseCard
from .modules import EXPANSIONS, added, number_of
from .modules import TILES as DECLARED
from .tiles import Kind


class Metric(IntEnum):
    """What promises count in a borough; scoring.py says how."""

    NOTHING = 0
    POLLUTION = 1
    USABLE_PARKS = 2
    SCHOOL = 3
    LIBRARY = 4
    HOMES = 5
    MONEY = 6
    LIVING = 7
    FACTORY_SPACES = 8
    GAPS = 9  # spaces of the first FILLED_SQUARE x FILLED_SQUARE that should have a tile and have none
    COMMERCIAL_SPACES = 10
    CULTURAL = 11
    HIGHEST_HOME = 12
    MATERIALS = 13
    GRAVES = 14
    TILE_SPACES = 15
    VOTES = 16
    TOWERS = 17  # residential tiles of TOWER_LEVEL or more
    UNIVERSITY = 18
    MUSEUM_GUESTS = 19
    POLICE = 20
    FIRE = 21
    AIRPORT = 22
    BANK = 23
    RECYCLING = 24
    TRAMWAY = 25
    PLANTS = 26
    POWERED = 27
    FACTORIES_3 = 28
    TRAM_RIDERS = 29
    vars().update(added(vars(), (tile.kind for tile in DECLARED if tile.later)))


STANDING = np.zeros(len(Metric), np.int64)  # the Kind of metrics that ask for one building
for _metric, _kind in (
    (Metric.SCHOOL, Kind.SCHOOL),
    (Metric.LIBRARY, Kind.LIBRARY),
    (Metric.UNIVERSITY, Kind.UNIVERSITY),
    (Metric.POLICE, Kind.POLICE),
    (Metric.FIRE, Kind.FIRE),
    (Metric.BANK, Kind.BANK),
    (Metric.RECYCLING, Kind.RECYCLING),
    (Metric.TRAMWAY, Kind.TRAMWAY),
    (Metric.FACTORIES_3, Kind.FACTORY_3),
    *((Metric[tile.kind], Kind[tile.kind]) for tile in DECLARED if tile.later),
):
    STANDING[_metric] = _kind

TOWER_LEVEL = number("promises.tower", 3, "section 13 [R] a home of this level is a tower", Whole(1, 5))
FILLED_SQUARE = number(
    "promises.square", 7, "section 13 [S] promise 8: spaces across and down to be filled", Whole(1, SIDE)
)
NO_LIMIT = 30_000
NEEDS = 2  # at most, a promise


@dataclass(frozen=True)
class Need:
    """A metric and the range it must lie in."""

    metric: Metric
    low: int = -NO_LIMIT
    high: int = NO_LIMIT


def _least(metric: Metric, low: int = 1) -> Need:
    return Need(metric, low=low)


def _most(metric: Metric, high: int) -> Need:
    return Need(metric, high=high)


@dataclass(frozen=True)
class Promise:
    """A promise card. A special one belongs to a victory condition, 39-42 to every one."""

    number: int
    name: Text
    worth: int
    needs: tuple[Need, ...]
    victory: Victory | None = None
    any_victory: bool = False
    module: str = ""  # dealt only with this module

    @property
    def special(self) -> bool:
        """Whether it is dealt only in the advanced game."""
        return self.victory is not None or self.any_victory


def _special(number: int, name: Text, victory: Victory, *needs: Need) -> Promise:
    return Promise(number, name, SPECIAL_WORTH, needs, victory)


RULEBOOK: Final = range(33, 39)  # the others are reconstructed

_M, _V = Metric, Victory
_STANDARD: Final = [
    Promise(1, lazy("Clean Air"), 6, (_most(_M.POLLUTION, 12),)),
    Promise(2, lazy("Green Belt"), 6, (_least(_M.USABLE_PARKS, 6),)),
    Promise(3, lazy("Read and Write"), 6, (_least(_M.SCHOOL), _least(_M.LIBRARY))),
    Promise(4, lazy("Homes"), 6, (_least(_M.HOMES, 10),)),
    Promise(5, lazy("Savings"), 6, (_least(_M.MONEY, 12),)),
    Promise(6, lazy("Newcomers"), 6, (_least(_M.LIVING, 6),)),
    Promise(7, lazy("Industry"), 12, (_least(_M.FACTORY_SPACES, 5),)),
    Promise(8, Text(f"{FILLED_SQUARE} x {FILLED_SQUARE}"), 18, (_most(_M.GAPS, 5),)),
    Promise(9, lazy("Downtown"), 12, (_least(_M.COMMERCIAL_SPACES, 6),)),
    Promise(10, lazy("Culture for All"), 12, (_least(_M.CULTURAL, 3),)),
    Promise(11, lazy("High Rise"), 12, (_least(_M.HIGHEST_HOME, 4), _least(_M.TOWERS, 2))),
    Promise(12, lazy("Stockpile"), 12, (_least(_M.MATERIALS, 5),)),
    Promise(13, lazy("Nobody Left Behind"), 12, (_most(_M.GRAVES, 0), _least(_M.LIVING, 6))),
    Promise(14, lazy("Skyline"), 18, (_least(_M.HIGHEST_HOME, 4), _least(_M.HOMES, 14))),
    Promise(15, lazy("Metropolis"), 18, (_least(_M.TILE_SPACES, 46),)),
    Promise(16, lazy("Golden Age"), 18, (_least(_M.VOTES, 65), _most(_M.POLLUTION, 30))),
    _special(17, lazy("Ballot {n}"), _V.VOTES, _least(_M.VOTES, 40)),
    _special(18, lazy("Ballot {n}"), _V.VOTES, _least(_M.VOTES, 50)),
    _special(19, lazy("Ballot {n}"), _V.VOTES, _least(_M.VOTES, 60)),
    _special(20, lazy("Ballot {n}"), _V.VOTES, _least(_M.VOTES, 70)),
    _special(21, lazy("Vault"), _V.ECONOMICS, _least(_M.MONEY, 20)),
    _special(22, lazy("Exchange"), _V.ECONOMICS, _least(_M.COMMERCIAL_SPACES, 10)),
    _special(23, lazy("Mills"), _V.ECONOMICS, _least(_M.FACTORY_SPACES, 8)),
    _special(24, lazy("Yard"), _V.ECONOMICS, _least(_M.MATERIALS, 6)),
    _special(25, lazy("Crowd"), _V.POPULATION, _least(_M.LIVING, 12)),
    _special(26, lazy("Suburb"), _V.POPULATION, _least(_M.HOMES, 14)),
    _special(27, lazy("Towers"), _V.POPULATION, _least(_M.TOWERS, 2)),
    _special(28, lazy("No Graves"), _V.POPULATION, _most(_M.GRAVES, 0)),
    _special(29, lazy("Campus"), _V.CULTURE, _least(_M.UNIVERSITY)),
    _special(30, lazy("Gallery"), _V.CULTURE, _least(_M.MUSEUM_GUESTS, 2)),
    _special(31, Text("{n}"), _V.CULTURE, _least(_M.CULTURAL, 6)),
    _special(32, lazy("Order"), _V.CULTURE, _least(_M.POLICE), _least(_M.FIRE)),
]


# -- promises in a file of numbers


_METRICS: Final = {metric.name.lower().replace("_", "-"): metric for metric in Metric if metric}
_NEED: Final = re.compile(r"\s*([a-z0-9-]+)\s*(>=|<=)\s*(\d{1,5})\s*")


class Needs:
    """What a promise asks for: one or two sentences like `votes >= 60`."""

    def read(self, raw: Any) -> tuple[Need, ...]:
        """The metrics and their ranges."""
        if not isinstance(raw, list) or not 1 <= len(raw) <= NEEDS:
            raise Wrong(f'needs a list of one or two like "votes >= 60", not {shown(raw)}')
        return tuple(map(self._need, raw))

    def _need(self, raw: Any) -> Need:
        """One of them."""
        parts = _NEED.fullmatch(raw) if isinstance(raw, str) else None
        if parts is None or int(parts[3]) > NO_LIMIT:
            like = '"votes >= 60" or "pollution <= 30"'
            raise Wrong(f"needs one like {like}, up to {NO_LIMIT}, not {shown(raw)}")
        if parts[1] not in _METRICS:
            raise Wrong(f"counts {parts[1]!r}: choose from {', '.join(_METRICS)}")
        least = parts[2] == ">="
        return (_least if least else _most)(_METRICS[parts[1]], int(parts[3]))

    def write(self, value: tuple[Need, ...]) -> str:
        """As a list of sentences."""
        names = {metric: name for name, metric in _METRICS.items()}
        least = [need.low > -NO_LIMIT for need in value]
        sentences = [
            f'"{names[need.metric]} {">=" if low else "<="} {need.low if low else need.high}"'
            for need, low in zip(value, least, strict=True)
        ]
        return f"[{', '.join(sentences)}]"


_SPELLED: Final = (
    lazy("None"), lazy("One"), lazy("Two"), lazy("Three"), lazy("Four"),
    lazy("Five"), lazy("Six"), lazy("Seven"), lazy("Eight"), lazy("Nine"),
)  # fmt: skip


def _in_force(promise: Promise) -> Promise:
    """A promise with the numbers of a file, if there is one."""
    key, rule = f"promises.{promise.number}", f"section 13 [{'S' if promise.number in RULEBOOK else 'R'}]"
    worth = promise.worth
    if not promise.special:
        pile = NUMBERS["promises.worth"].standard.index(promise.worth) + 1
        note = f"section 13 [R] {_english(promise.name)}: its worth"
        pile = number(f"{key}.pile", pile, note, Whole(1, len(DIFFICULTIES)))
        worth = DIFFICULTIES[pile - 1]
    needs = number(
        f"{key}.needs", promise.needs, f"{rule} {_english(_name(promise, promise.needs))}", Needs()
    )
    return replace(promise, name=_name(promise, needs), worth=worth, needs=needs)


def _name(promise: Promise, needs: tuple[Need, ...]) -> Text:
    """The name of a promise, with the number it asks for where the name says it."""
    bound = needs[0].low if needs[0].low > -NO_LIMIT else needs[0].high
    if promise.name.message == "{n}" and bound < len(_SPELLED):
        return _SPELLED[bound]
    return Text(promise.name.message, n=bound) if "{n}" in promise.name.message else promise.name


def _english(name: Text) -> str:
    """A name as files of numbers have it."""
    return name.message.format(**name.values)


def _declared(card: PromiseCard, module: str) -> Promise:
    """A promise of an expansion."""
    needs, special = Needs().read(list(card.needs)), card.worth == 0
    worth = SPECIAL_WORTH if special else card.worth
    return Promise(card.number, card.name, worth, needs, any_victory=special, module=module)


_CARDS: Final = [(card, module) for module, expansion in EXPANSIONS.items() for card in expansion.promises]
_ALL: Final = [*_STANDARD, *(_declared(card, module) for card, module in _CARDS)]
PROMISES: Final = [_in_force(promise) for promise in sorted(_ALL, key=lambda promise: promise.number)]
PROMISE_COUNT = len(PROMISES)
BY_NUMBER: Final = {promise.number: promise for promise in PROMISES}

ANY_VICTORY = len(Victory)
PILE = np.full(PROMISE_COUNT + 1, -1)  # 0, 1, 2: the pile by worth; -1: a special promise
CONDITION = np.full(PROMISE_COUNT + 1, -1)  # the Victory of a special one, ANY_VICTORY for all
MODULE = np.zeros(PROMISE_COUNT + 1, np.int64)  # the number of the module it is dealt with
METRIC = np.zeros((PROMISE_COUNT + 1, NEEDS), np.int64)
LOW = np.zeros((PROMISE_COUNT + 1, NEEDS), np.int64)
HIGH = np.zeros((PROMISE_COUNT + 1, NEEDS), np.int64)
for _promise in PROMISES:
    MODULE[_promise.number] = number_of(_promise.module)
    if _promise.special:
        CONDITION[_promise.number] = ANY_VICTORY if _promise.any_victory else _promise.victory
    else:
        PILE[_promise.number] = DIFFICULTIES.index(_promise.worth)
    for _i, _need in enumerate(_promise.needs):
        METRIC[_promise.number, _i] = _need.metric
        LOW[_promise.number, _i] = _need.low
        HIGH[_promise.number, _i] = _need.high
