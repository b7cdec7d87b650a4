"""Action cards, the council board and the promises."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from . import Card, Victory

CARD_NAMES: Final = {card: card.name.lower() for card in Card if card}
BASE_CARDS = 8  # A-H; with the new action cards 8 of ten are laid out
ALL_CARDS = 10
MEDIATOR_SAVES = 1  # P1.3 C
SUPPORT_MONEY = 1  # P1.3 E
SUPPORT_VOTES = 2

ADVANCE_COST = np.array([0, 1, 2, 3, 4])  # by column (P7.2)
FINANCE = np.array([0, 3, 5, 7, 9])  # money (P7.4)
SUPPLIES = np.array([-1, 0, 0, 1, 2])  # the material: wood, wood, stone, metal
CONSTRUCTION = np.array([0, 1, 2, 3, 4])  # spaces of the tile built free (P7.5)
TOURISM = np.array([0, 1, 1, 2, 2])  # citizens (P7.6)

TRADE_MONEY = np.array([2, 3, 5])  # P4.2 b: wood, stone, metal
TRADE_VOTES = np.array([3, 5, 7])  # P4.2 d

DIFFICULTIES = (6, 12, 18)  # SU3
WORTH = np.array(DIFFICULTIES)
BROKEN = np.array([2, 4, 6])  # E1, by difficulty
SPECIAL_WORTH = 10
SPECIAL_BROKEN = 3

SCALE: Final = (
    (0, "Clerk"), (20, "Councillor"), (40, "Deputy"),
    (60, "Mayor"), (80, "Governor"), (100, "Legend"),
)  # fmt: skip
RECALLED: Final = "Recalled"  # SO1: below 0, or eliminated

STORED_WORTH = np.array([2, 3, 5])  # AD1 Economics, a stored wood, stone, metal
COMMERCIAL_WORTH = 3
FACTORY_WORTH = 2
CITIZEN_WORTH = 5  # AD1 Population
HOME_WORTH = 1
CULTURAL_WORTH = 8  # AD1 Culture
SERVICE_WORTH = 4
REAL_WORTH = 8


@dataclass(frozen=True)
class Promise:
    """A promise: its number, name, worth and, for a special one, whose condition it belongs to."""

    number: int
    name: str
    worth: int
    victory: Victory | None = None
    any_victory: bool = False  # 39-42 belong to every condition
    module: str = ""  # dealt only with this module

    @property
    def special(self) -> bool:
        return self.victory is not None or self.any_victory


PROMISES: Final = [
    Promise(1, "Clean Air", 6),
    Promise(2, "Green Belt", 6),
    Promise(3, "Read and Write", 6),
    Promise(4, "Homes", 6),
    Promise(5, "Savings", 6),
    Promise(6, "Newcomers", 6),
    Promise(7, "Industry", 12),
    Promise(8, "7 x 7", 18),
    Promise(9, "Downtown", 12),
    Promise(10, "Culture for All", 12),
    Promise(11, "High Rise", 12),
    Promise(12, "Stockpile", 12),
    Promise(13, "Nobody Left Behind", 12),
    Promise(14, "Skyline", 18),
    Promise(15, "Metropolis", 18),
    Promise(16, "Golden Age", 18),
    Promise(17, "Ballot 40", SPECIAL_WORTH, Victory.VOTES),
    Promise(18, "Ballot 50", SPECIAL_WORTH, Victory.VOTES),
    Promise(19, "Ballot 60", SPECIAL_WORTH, Victory.VOTES),
    Promise(20, "Ballot 70", SPECIAL_WORTH, Victory.VOTES),
    Promise(21, "Vault", SPECIAL_WORTH, Victory.ECONOMICS),
    Promise(22, "Exchange", SPECIAL_WORTH, Victory.ECONOMICS),
    Promise(23, "Mills", SPECIAL_WORTH, Victory.ECONOMICS),
    Promise(24, "Yard", SPECIAL_WORTH, Victory.ECONOMICS),
    Promise(25, "Crowd", SPECIAL_WORTH, Victory.POPULATION),
    Promise(26, "Suburb", SPECIAL_WORTH, Victory.POPULATION),
    Promise(27, "Towers", SPECIAL_WORTH, Victory.POPULATION),
    Promise(28, "No Graves", SPECIAL_WORTH, Victory.POPULATION),
    Promise(29, "Campus", SPECIAL_WORTH, Victory.CULTURE),
    Promise(30, "Gallery", SPECIAL_WORTH, Victory.CULTURE),
    Promise(31, "Six", SPECIAL_WORTH, Victory.CULTURE),
    Promise(32, "Order", SPECIAL_WORTH, Victory.CULTURE),
    Promise(33, "Airport", 12, module="new_buildings"),
    Promise(34, "Bank", 6, module="new_buildings"),
    Promise(35, "Recycling", 12, module="new_buildings"),
    Promise(36, "Tramway", 6, module="new_buildings"),
    Promise(37, "Grid", 6, module="power_plants"),
    Promise(38, "Reactor", 12, module="power_plants"),
    Promise(39, "Hub", SPECIAL_WORTH, any_victory=True, module="promise_cards"),
    Promise(40, "Trust", SPECIAL_WORTH, any_victory=True, module="promise_cards"),
    Promise(41, "Zero Waste", SPECIAL_WORTH, any_victory=True, module="promise_cards"),
    Promise(42, "Terminus", SPECIAL_WORTH, any_victory=True, module="promise_cards"),
]
PROMISE_COUNT = len(PROMISES)

ANY_VICTORY = len(Victory)
PILE = np.full(PROMISE_COUNT + 1, -1)  # 0, 1, 2: the pile by worth; -1: a special promise
CONDITION = np.full(PROMISE_COUNT + 1, -1)  # the Victory of a special one, ANY_VICTORY for all
for _promise in PROMISES:
    if _promise.special:
        CONDITION[_promise.number] = ANY_VICTORY if _promise.any_victory else _promise.victory
    else:
        PILE[_promise.number] = DIFFICULTIES.index(_promise.worth)

# What each promise asks, by its number; a name here, a line in scoring.py.
CLEAN_AIR = 10
GREEN_BELT = 6
HOMES = 8
SAVINGS = 12
NEWCOMERS = 7
INDUSTRY = 6
DOWNTOWN = 8
CULTURE_FOR_ALL = 4
HIGH_RISE = 4
STOCKPILE = 5
NOBODY_LEFT_BEHIND = 8
SKYLINE = 5
METROPOLIS = 40
GOLDEN_AGE_VOTES = 60
GOLDEN_AGE_POLLUTION = 30
BALLOTS = np.array([40, 50, 60, 70])
VAULT = 20
EXCHANGE = 10
MILLS = 8
YARD = 6
CROWD = 12
SUBURB = 14
TOWERS = 2
TOWER_LEVEL = 3
GALLERY = 2
SIX = 6
GRID = 3
REACTOR = 7
TRUST = 6
ZERO_WASTE = 30
TERMINUS = 3
