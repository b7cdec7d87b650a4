"""What is printed on the cardboard: sizes and the names of things. No logic lives here."""

from collections.abc import Container, Iterable
from enum import IntEnum
from typing import Any

import numpy as np

from ..numbers import Values, Whole, Wholes, Wrong, agree, number
from .declare import Family as Family
from .declare import Place as Place
from .modules import CARDS, QUESTIONS, added
from .modules import MODULES as MODULES

SIDE = 10  # a borough is SIDE x SIDE spaces (T1)
SPACES = SIDE * SIDE
SEATS = 4
HALL_SPACES = 4  # of City Hall
COLUMNS = 4  # of the council board

START_ZONE = number("zone.start", 7, "T1 [P] spaces it is wide and high at the start", Whole(4, SIDE))
GROW_COST = number("zone.grow", 2, "P2.2 [R] money, to enlarge it by one", Whole(0, 50))
BUILDS = number("limits.builds", 3, "P2.2 [P] builds in Phase 2", Whole(1, 9))
WAREHOUSES = number("limits.warehouses", 3, "section 2 [R] Warehouses a player has at most", Whole(1, 12))
DISCS = number("limits.discs", 2, "SU5 [P] council discs a player", Whole(1, 4))
TOURISTS = number("limits.tourists", 1, "P3.2 [P] sent to each neighbour in a round", Whole(0, 9))
METRO_TOURISTS = number("limits.metro_tourists", 2, "P3.2 [R] with a Metro Station", Whole(0, 9))
_REFINERIES = number(
    "limits.refineries", (0, 1, 0), "P2.8 [R] Refineries a Factory needs beside it, by level", Wholes(3, 0, 1)
)
_HARBORS = number(
    "limits.harbors", (0, 0, 1), "P2.8 [R] Harbors a Factory needs beside it, by level", Wholes(3, 0, 1)
)
NEEDS_REFINERY = np.array([0, *_REFINERIES])  # a Factory, by level
NEEDS_HARBOR = np.array([0, *_HARBORS])
ADVANCES = number("limits.advances", 1, "P7.1 [P] of discs, paid, in Phase 7", Whole(0, 4))

CITIZENS = number("citizens.all", 14, "C5 [P] of each colour at the start", Whole(1, 40))
RESERVE = number("citizens.reserve", 6, "C5 [R] more of each colour, in the reserve", Whole(0, 40))
HALL_START = number("citizens.hall", 3, "SU2 [P] of them in City Hall at the start", Whole(0, HALL_SPACES))

ROUNDS = number("rounds.all", 8, "E1 [S] rounds of a game", Whole(1, 20))
POWER_ROUNDS = number("rounds.power_plants", 9, "PP1 [S] rounds with the Power Plants", Whole(1, 20))
ALL_ROUNDS = np.array([ROUNDS, POWER_ROUNDS])  # without and with Power Plants

_MONEY = Wholes(SEATS, 0, 200)
START_MONEY = number("money.start", (7, 8, 8, 9), "SU4 [R] by turn order", _MONEY)
POWER_START_MONEY = number(
    "money.start_power_plants", (8, 10, 12, 14), "SU4 [S] with the Power Plants", _MONEY
)
TOURIST_FEE = number("money.tourist", 1, "P4.1 [R] to the host, for a Tourist", Whole(0, 20))
MUSEUM_FEE = number("money.museum_tourist", 2, "P4.1 [R] for one in the Museum", Whole(0, 20))
SHOP_MONEY = number("money.shop", 4, "P4.2 [R] a commercial space a", Whole(0, 20))
SHOP_VOTES = number("votes.shop", 4, "P4.2 [R] a commercial space c", Whole(0, 20))
HOME_VOTES = (
    0,
    *number("votes.home", (1, 2, 3, 4, 5), "P5.1 [R] a citizen at home, by level", Wholes(5, 0, 20)),
)
UNIVERSITY_VOTES = number("votes.university", 2, "P5.1 [R] a citizen of the University", Whole(0, 20))

ELIMINATED_AT = number("pollution.eliminated", 100, "P6.2 [P] a player is out at this level", Whole(1, 1000))
DEATH_LEVELS = number(
    "pollution.deaths", (25, 50, 75), "P6.3 [R] a citizen dies at each level", Wholes(3, 1, 1000, rising=True)
)
SMOG_ROUND = number(
    "pollution.smog_round", 5, "P6.3 [R] from this round the most polluted lose one more", Whole(1, 99)
)
CLINIC_SAVES = number("pollution.clinic", 1, "P6.3 [R] deaths a citizen in the Clinic prevents", Whole(0, 9))


@agree("citizens.hall", "citizens.all")
def _hall_has_citizens(values: Values) -> None:
    """Those in City Hall are of those in play (SU2)."""
    if values["citizens.hall"] > values["citizens.all"]:
        raise Wrong("citizens.hall cannot be more than citizens.all")


@agree("rounds.power_plants", "rounds.all")
def _power_plants_take_longest(values: Values) -> None:
    """What is kept round by round has room for the game with Power Plants (PP1)."""
    if values["rounds.power_plants"] < values["rounds.all"]:
        raise Wrong("rounds.power_plants cannot be fewer than rounds.all")


def every(wanted: Iterable[Any], given: Container[Any], what: str) -> None:
    """Refuse a table without a line for each member, and name those it lacks."""
    if missing := [getattr(key, "name", str(key)) for key in wanted if key not in given]:
        raise LookupError(f"no {what} for {', '.join(missing)}")


class Phase(IntEnum):
    """The phases of a round, in rulebook order, between the set-up and the end."""

    SETUP = 0
    SELECT = 1
    BUILD = 2
    MOVE = 3
    INCOME = 4
    VOTE = 5
    POLLUTION = 6
    COUNCIL = 7
    VISIT = 8
    OVER = 9


class Ask(IntEnum):
    """The one question a seat is being asked. NONE: the engine runs on by itself."""

    NONE = 0
    # set-up
    DIFFICULTY = 1
    # building: any phase
    WHAT = 2
    WHERE = 3
    WAY = 4
    # Phase 1
    STREET = 5
    STREET_WAY = 6
    CARD = 7
    SUPPORT = 8
    # Phase 3
    MOVE = 9
    ABROAD = 10
    HOME = 11
    # materials: Phase 4, and the council's
    TRADE = 12
    TAKE_FROM = 13
    PRODUCT = 14
    STORE = 15
    TOURIST = 16
    # Phase 6
    DIES = 17
    GRAVE = 18
    # Phase 7
    ROW = 19
    PAY = 20
    # the Winter modules
    SPEECH = 21
    SPEECH_WAY = 22
    ENGINEER = 23
    CLEAN = 24
    DOCTOR = 25
    SALARY = 26
    REVIVE = 27
    STONE = 28
    PARK_GROWS = 29
    PILGRIM = 30
    ARRIVE = 31
    ARRIVE_BESIDE = 32
    LEAVE = 33
    LEAVE_WAY = 34
    TURN = 35
    OVER = 36
    vars().update(added(vars(), QUESTIONS))


ADDED_QUESTIONS = len(Ask) - 1 - Ask.OVER  # by expansions that are not part of the project
UPGRADING = len(Family) - 1  # families that upgrade


class Material(IntEnum):
    """Raw materials, cheapest first."""

    WOOD = 0
    STONE = 1
    METAL = 2


MATERIALS = 3


class Row(IntEnum):
    """The rows of the council board (P7.4 - P7.6)."""

    FINANCE = 0
    SUPPLIES = 1
    CONSTRUCTION = 2
    TOURISM = 3


ROWS = 4


class Card(IntEnum):
    """Action cards (P1.3); NONE until one is taken."""

    NONE = 0
    MAYOR = 1
    ARCHITECT = 2
    MEDIATOR = 3
    ENGINEER = 4
    SUPPORTER = 5
    PLANNER = 6
    COUNCILOR = 7
    OPPONENT = 8
    PHYSICIAN = 9
    ARTIST = 10
    vars().update(added(vars(), CARDS))


ADDED_CARDS = len(Card) - 1 - Card.ARTIST  # by expansions that are not part of the project


class Victory(IntEnum):
    """Victory conditions (AD1)."""

    VOTES = 0
    ECONOMICS = 1
    POPULATION = 2
    CULTURE = 3


class Terrain(IntEnum):
    """What a space is before anything is built (section 16)."""

    PLAIN = 0
    WASTE = 1
    MOUNTAIN = 2
    RIVER = 3
    SEA = 4
    FLOOD = 5
    DELHI = 6
    IMPERIAL = 7


class Pay(IntEnum):
    """How a council advance is paid (P7.2); NOTHING is Big Ben's (RB1)."""

    MONEY = 0
    VOTES = 1
    NOTHING = 2


class Store(IntEnum):
    """Where a product goes (P4.3) or a traded material comes from (T7)."""

    WAREHOUSE = 0  # or the Shanghai port
    CITY_HALL = 1
    PLAIN = 2  # a plain space: only to take from


STORES = 3


class Way(IntEnum):
    """Compass directions of a godzilla's walk."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3
