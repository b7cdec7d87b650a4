"""Numbers of the Winter and Godzillas expansions (sections 14 and 15)."""

from ..numbers import Values, Whole, Wholes, Wrong, agree, number
from . import SEATS
from .modules import EXPANSIONS

# godzillas
WAKE_ROUND = number("godzillas.wake_round", 5, "G2 [S] from this round they wake", Whole(1, 99))
DIE = number("godzillas.die", 6, "G2 [S] sides of the die", Whole(1, 20))
MARKERS = number("godzillas.markers", 40, "C4 [S] Radiation markers", Whole(0, 400))
GODZILLAS = (
    0,
    *number("godzillas.figures", (1, 1, 2, 3), "C4 [S] by players", Wholes(SEATS, 1, 9)),
)
METAL_AND_STONE = 3  # the factory level whose last two spaces it prefers (G3)
CLEANED = number("godzillas.cleaned", 2, "G11 [S] markers the Engineer removes", Whole(1, 9))

# doctors, Mayor, action cards
DOCTORS = number("doctors.figures", 1, "C4 [S] a player", Whole(0, 9))
SALARY = number("doctors.salary", 2, "D3 [S] money, each round", Whole(0, 50))
LISTENERS = number("mayor.listeners", 6, "M4 [S] votes at most", Whole(0, 50))
SPECIALIST_VOTES = number("specialists.votes", 2, "AC2 [S] Physician, Artist: a citizen", Whole(0, 20))
PHYSICIAN_LEVEL = number("specialists.factory_level", 3, "AC2 [S] of the Physician's factories", Whole(1, 3))

# terrain boards
PLAIN_STONES = number("terrain.stones", 24, "C3 [S] on plain spaces of all boroughs together", Whole(0, 400))
RIVER_MATERIALS = number("terrain.river", 1, "TB2 [S] material for a river space covered", Whole(0, 9))

# Asian cities
SEOUL_POLLUTION = number("asian.seoul_pollution", 7, "AS3 [S] at the start", Whole(0, 999))
TOKYO_RESIDUAL = number("asian.tokyo_residual", 5, "AS5 [S] pollution, each round", Whole(0, 50))
BEIJING_ADVANCES = number("asian.beijing_advances", 2, "AS6 [S] of discs in Phase 7", Whole(1, 4))
_ROUNDS = Wholes(3, 1, 99, most=9, rising=True)
FLOOD_ROUNDS = number("asian.flood_rounds", (2, 4, 6), "AS7 [S] Bangkok's plain is flooded", _ROUNDS)
FLOOD_MONEY = number("asian.flood_money", 1, "AS7 [S] for a flood-plain space covered", Whole(0, 20))
HARBOR_RIVER = number("asian.harbor_river", 2, "AS7 [S] river spaces of Bangkok's Harbor", Whole(1, 4))
DELHI_FIRST, DELHI_LAST = number(
    "asian.delhi_rounds", (5, 8), "AS8 [S] from and to this round citizens die", Wholes(2, 1, 99, rising=True)
)
DELHI_DEATHS = number("asian.delhi_deaths", 1, "AS8 [S] in each of them", Whole(0, 9))

# new buildings, real buildings
BANK_SAVES = number("bank.saves", 1, "NB2 [S] money, on a commercial build", Whole(0, 20))
BANK_LEAST_PRICE = number("bank.least_price", 0, "NB2 [S] with Bank and Mediator", Whole(0, 1))
RESIDENCES_SAVED = number("bank.residences", 1, "NB2 [S] fewer that a commercial tile needs", Whole(0, 4))
BANK_INCOME = number("bank.income", 2, "NB2 [S] money, for one who worked there", Whole(0, 20))
RECYCLERS = number("recycling.citizens", 10, "NB3 [S] active citizens it asks for", Whole(0, 50))
RECYCLED = number("recycling.pollution", 5, "NB3 [S] pollution it takes off", Whole(0, 50))
PASSENGERS = number("tramway.passengers", 1, "NB5 [S] citizens it brings each round", Whole(0, 9))
BEN_PARKS = number("big-ben.parks", 5, "RB1 [S] park spaces around it", Whole(0, 8))
BEN_ADVANCES = number("big-ben.advances", 1, "RB1 [S] free ones, each Phase 7", Whole(0, 4))
OPERA_VOTES = number("opera.votes", 3, "RB3 [S] for a citizen who heard it", Whole(0, 50))

# power plants
PLANTS_IN_HAND = 1  # of each level, a player (PP2)


for _expansion in EXPANSIONS.values():
    for _number in _expansion.numbers:
        number(_number.key, _number.standard, _number.note, _number.kind)


@agree("asian.seoul_pollution", "pollution.eliminated")
def _seoul_can_be_played(values: Values) -> None:
    """Nobody is out before the first round (AS3, P6.2)."""
    if values["asian.seoul_pollution"] >= values["pollution.eliminated"]:
        raise Wrong("asian.seoul_pollution must be below pollution.eliminated")


@agree("godzillas.figures")
def _every_host_has_one(values: Values) -> None:
    """All players but one can be hosts in a round, and one who plays alone (G2)."""
    for players, figures in enumerate(values["godzillas.figures"], start=1):
        if figures < players - 1:
            raise Wrong(f"godzillas.figures must be at least {players - 1} for {players} players")
