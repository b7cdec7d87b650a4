"""Which module acts when: the one file that connects the expansions to the phases, in plain ifs.

Phases call these functions and never a module itself; a module never calls a phase. To remove an
expansion, delete its file, its fields in the schema and its lines here.
"""

from .._jit import dispatch, kernel
from ..borough import works
from ..spaces import NOWHERE
from ..tables import ADVANCES, MODULES, Family
from ..tables.expansions import BANK_SAVES, BEIJING_ADVANCES, BEN_ADVANCES, RESIDENCES_SAVED, TOKYO_RESIDUAL
from ..tables.maps import SORT, Board, Sort
from ..tables.tiles import MODULE, Kind
from ..zone import survey
from . import (
    action_cards,
    asian,
    doctors,
    godzilla,
    mayor,
    new_buildings,
    pilgrim,
    power_plants,
    promise_cards,
    real_buildings,
    terrain,
    trample,
)

QUESTIONS = [
    *mayor.QUESTIONS,
    *godzilla.QUESTIONS,
    *trample.QUESTIONS,
    *doctors.QUESTIONS,
    *terrain.QUESTIONS,
    *asian.QUESTIONS,
    *pilgrim.QUESTIONS,
]


# -- set-up and Phase 1


@kernel
def set_up(s):
    """What the modules add to the supply."""
    if s.rules.godzillas:
        godzilla.set_up(s)
    if s.rules.doctors:
        doctors.set_up(s)
    if s.rules.power_plants:
        power_plants.set_up(s)


deals_promise = promise_cards.deals  # whether a promise is in this game (PC1)


@kernel
def lay_cards(s):
    """The circle of the new action cards (AC1)."""
    if s.rules.action_cards:
        action_cards.lay_cards(s)


speech = mayor.speech  # the Mayor variant's arrival (M1)
may_invite = mayor.may_invite  # whether card A may be taken (M3)


@kernel
def engineer(s):
    """Ask whether the Engineer cleans (G11)."""
    if s.rules.godzillas:
        godzilla.engineer(s)


@kernel
def enlarge(s, p):
    """The zone grows by one size; an Opera House does not survive it (RB2)."""
    s.borough[p].zone_side += 1
    real_buildings.demolish(s, p)
    survey(s, p)


# -- building


in_play = dispatch(  # (s, kind): whether a kind of tile belongs to this game
    "s, kind",
    "MODULE[kind]",
    {n: [f"return s.rules.{module} != 0"] for n, module in enumerate(MODULES, start=1)},
    {"MODULE": MODULE},
    last="return True",
)


@kernel
def offers(s, p, kind):
    """Whether a tile that is paid for in Phase 2 may ever be built by this player in this game."""
    if not in_play(s, kind) or asian.park_limits(s, p, kind):
        return False
    return not s.rules.new_buildings or new_buildings.offers(s.borough[p], kind)


park_limits = asian.park_limits  # Tokyo's parks (AS5)


@kernel
def ground(s, p, kind, upgrade, land):
    """Where the spaces of a tile may lie, beyond P2.3."""
    sort = SORT[s.rules.board[p]]
    if sort == Sort.TERRAIN:
        return terrain.ground(s, p, kind, land)
    if sort == Sort.CITY:
        return asian.ground(s, p, kind, upgrade, land)
    return land


@kernel
def river_harbor(s, p):
    """Whether the Harbor lies on a river instead of an edge (AS7)."""
    return s.rules.board[p] == Board.BANGKOK


@kernel
def meeting(s, p, kind, way, spots):
    """The criteria of the modules' own tiles and cities."""
    if kind == Kind.HARBOR:
        return asian.harbor_spots(s, p, way, spots)
    if kind == Kind.PARK_1 and s.rules.board[p] == Board.TOKYO:
        return asian.park_spots(s, p, way, spots)
    if s.rules.new_buildings:
        spots = new_buildings.meeting(s, p, kind, way, spots)
    if s.rules.real_buildings:
        spots = real_buildings.meeting(s, p, kind, way, spots)
    return spots


@kernel
def _bank(s, b):
    """Whether an uncontaminated Bank helps (NB2)."""
    return b.built[Kind.BANK] > 0 and works(b, Kind.BANK)


@kernel
def residences_saved(s, b):
    """How many residences fewer a commercial tile needs (NB2)."""
    return RESIDENCES_SAVED if _bank(s, b) else 0


@kernel
def bank_saves(s, p, family):
    """How much less money a commercial build costs (NB2)."""
    commercial = family == Family.COMMERCIAL
    return BANK_SAVES if commercial and _bank(s, s.borough[p]) else 0


rough = terrain.rough  # whether a place must be paid for one by one (TB2, TB4)
may_cover = terrain.may_cover  # stones under a new tile (TB4)
terrain_price = terrain.price  # materials for river spaces (TB2)
covers = asian.covers  # a tile has newly covered these spaces (AS7)


@kernel
def brings_warehouse(kind):
    """Whether a tile comes with a Warehouse, as a Factory does (NB1)."""
    return kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9


@kernel
def needs_power(s, kind):
    """Whether a tile needs powered columns: every one but City Hall (PP3)."""
    return s.rules.power_plants != 0 and kind != Kind.CITY_HALL


powered_columns = power_plants.powered_columns  # the spaces of powered columns (PP3)
legal_plants = power_plants.legal_plants  # the plants that can be built (PP2)
plant_legal = power_plants.may_build  # whether one of them is this one
plant_at_hand = power_plants.within_reach
plant_price = power_plants.price


@kernel
def plant_spots(s):
    """The columns for the plant asked for (PP2)."""
    return power_plants.spots(s, s.seat, s.kind)


build_plant = power_plants.build  # a plant is built (PP2)


# -- Phases 3 to 5


@kernel
def enters(s, k, space):
    """Settle that a citizen has moved onto a space (AS5)."""
    if s.rules.board[k] == Board.TOKYO:
        asian.enters(s, k, space)


@kernel
def passengers(s, p):
    """Phase 3 D (NB5)."""
    if s.rules.new_buildings:
        new_buildings.passengers(s, p)


end_of_move = asian.next_park  # the very end of Phase 3: Tokyo's parks grow (AS5)


@kernel
def bank_income(s, p, k, workers):
    """Who worked in a Bank (NB2)."""
    if s.rules.new_buildings:
        new_buildings.bank_income(s, p, k, workers)


@kernel
def opera(s, p, workers):
    """Who heard the opera (RB3)."""
    if s.rules.real_buildings:
        real_buildings.opera(s, p, workers)


@kernel
def shipped(s, k, busy):
    """Factory spaces the Shanghai port doubles (AS2)."""
    if s.rules.board[k] == Board.SHANGHAI:
        return asian.shipped(s.borough[k], busy)
    return NOWHERE


@kernel
def flown(s, k, busy):
    """Factory spaces an Airport doubles, where the port does not (NB1, RU2)."""
    if s.rules.new_buildings:
        return new_buildings.flown(s.borough[k], busy) - shipped(s, k, busy)
    return NOWHERE


@kernel
def stone_spaces(s, k, busy):
    """Factory spaces beside a mountain (TB3)."""
    if terrain.rough(s, k):
        return terrain.stone_spaces(s, k, busy)
    return NOWHERE


next_stone = terrain.next_stone  # mountain stones, after all other products (TB3)


@kernel
def salary(s):
    """Phase 4 step 4 (D3)."""
    if s.rules.doctors:
        doctors.salary(s)


@kernel
def votes(s, p):
    """Votes of Phase 5 that modules add (AC2, AC3, M4)."""
    n = action_cards.votes(s, p) if s.rules.action_cards else 0
    if s.rules.mayor:
        n += mayor.votes(s, p)
    return n


# -- Phase 6


@kernel
def godzillas_wake(s):
    """Break and wake (G1, G2); return whether anybody tramples."""
    return s.rules.godzillas != 0 and godzilla.roll_hosts(s)


godzillas_done = godzilla.next_walk  # the walks, one after the other (G6)


@kernel
def never_pollutes(s, p):
    """Whether a borough never pollutes: Delhi (AS8)."""
    return s.rules.board[p] == Board.DELHI


certain_deaths = asian.certain_deaths  # Delhi's (AS8)


@kernel
def noise(s, p):
    """Pollution by an Airport's noise (NB1)."""
    return new_buildings.noise(s.borough[p]) if s.rules.new_buildings else 0


@kernel
def recycled(s, p):
    """Pollution removed by the Recycling Center (NB3)."""
    return new_buildings.recycled(s, p) if s.rules.new_buildings else 0


@kernel
def residual(s, p):
    """Tokyo's residual pollution (AS5)."""
    return TOKYO_RESIDUAL if s.rules.board[p] == Board.TOKYO else 0


@kernel
def leaves_game(s, p):
    """Remove an eliminated player's godzilla and Pilgrim (P6.2)."""
    if s.rules.godzillas:
        godzilla.leaves_game(s, p)
    pilgrim.leaves_game(s, p)


# -- Phases 7 and 8


@kernel
def paid_advances(s, p):
    """How many paid advances a player has: one, in Beijing two (P7.1, AS6)."""
    return BEIJING_ADVANCES if s.rules.board[p] == Board.BEIJING else ADVANCES


@kernel
def free_advances(s, p):
    """How many free advances a player has: Big Ben's (RB1)."""
    ben = s.rules.real_buildings != 0 and works(s.borough[p], Kind.BIG_BEN)
    return BEN_ADVANCES if ben else 0


@kernel
def doctor_waits(s, p):
    """Whether the Tourism row may bring a Doctor (D2)."""
    return s.rules.doctors != 0 and doctors.waits(s, p)


doctor_arrives = doctors.arrives  # a Doctor comes (D2)


@kernel
def visit(s):
    """The start of Phase 8: the Pilgrim comes back, the next one goes (AS9)."""
    pilgrim.comes_back(s)
    pilgrim.sends(s)
