"""What is printed on the cardboard: sizes and the names of things. No logic lives here."""

from enum import IntEnum

SIDE = 10  # a borough is SIDE x SIDE spaces (T1)
SPACES = SIDE * SIDE
SEATS = 4
START_ZONE = 7
GROW_COST = 2  # P2.2
BUILDS = 3  # P2.2

CITIZENS = 14  # of each colour in play at the start (C5)
RESERVE = 6  # more of each colour, in the common reserve (C5)
HALL_START = 3  # citizens in each City Hall at the start (SU2)
WAREHOUSES = 3  # at most, a player

ROUNDS = 8
POWER_ROUNDS = 9
START_MONEY = (4, 6, 8, 10)  # by turn order (SU4)
POWER_START_MONEY = (8, 10, 12, 14)

TOURIST_FEE = 1  # P4.1, to the host
MUSEUM_FEE = 2
SHOP_MONEY = 3  # P4.2, a commercial space a
SHOP_VOTES = 4  # P4.2, a commercial space c
UNIVERSITY_VOTES = 2  # P5.1

DEATH_LEVELS = (25, 50, 75)  # P6.3
ELIMINATED_AT = 100  # P6.2
SMOG_ROUND = 5  # from this round the most polluted borough loses one more citizen (P6.3)

DISCS = 2  # SU5
COLUMNS = 4
TOURISTS = 1  # a player sends to each neighbour a round (P3.2)
METRO_TOURISTS = 2  # with a Metro Station, to every other borough


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
    # Phase 4
    TRADE = 12
    PRODUCT = 13
    STORE = 14
    TOURIST = 15
    # Phase 6
    DIES = 16
    GRAVE = 17
    # Phase 7
    ROW = 18
    PAY = 19
    # the Winter modules
    SPEECH = 20
    SPEECH_WAY = 21
    ENGINEER = 22
    CLEAN = 23
    DOCTOR = 24
    SALARY = 25
    REVIVE = 26
    STONE = 27
    PARK_GROWS = 28
    PILGRIM = 29
    ARRIVE = 30
    ARRIVE_BESIDE = 31
    LEAVE = 32
    LEAVE_WAY = 33
    TURN = 34
    OVER = 35


class Family(IntEnum):
    """The four families that upgrade; OTHER is every other building."""

    RESIDENTIAL = 0
    COMMERCIAL = 1
    FACTORY = 2
    PARK = 3
    OTHER = 4


UPGRADING = 4  # families that upgrade: the first four


class Place(IntEnum):
    """Kinds of place people move between (P3.1). NOBODY: a tile without people spaces."""

    NOBODY = 0
    RESIDENTIAL = 1
    COMMERCIAL = 2
    FACTORY = 3
    PARK = 4
    MUSEUM = 5
    CLINIC = 6
    UNIVERSITY = 7
    RECYCLING = 8
    TRAMWAY = 9
    OPERA = 10
    CITY_HALL = 11
    MONASTERY = 12


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
    """Where a product goes when both have room (P4.3)."""

    WAREHOUSE = 0
    CITY_HALL = 1


class Way(IntEnum):
    """Compass directions of a godzilla's walk."""

    NORTH = 0
    EAST = 1
    SOUTH = 2
    WEST = 3
