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
REFINERY_LEVEL = 2  # a Factory of this level or higher needs a Refinery (P2.8)
HARBOR_LEVEL = 3  # ... and of this one a Harbor

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
CLINIC_SAVES = 1  # deaths a citizen who worked in the Clinic prevents (P6.3)
SMOG_ROUND = 5  # from this round the most polluted borough loses one more citizen (P6.3)

DISCS = 2  # SU5
COLUMNS = 4
ADVANCES = 1  # paid ones, each Phase 7 and with the City Councilor (P7.1, P1.3 G)
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
