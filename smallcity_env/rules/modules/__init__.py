"""Which module acts when: the one file that connects the expansions to the phases.

Phases call these functions and never a module itself; a module never calls a phase. A moment that expansions
take part in by a function of its name is made by moments.py; the rest is plain ifs.
"""

from typing import Any

import numpy as np

from ...language import Text
from ...library import dispatch, kernel
from ..questions import Question
from ..spaces import NOWHERE, as_set, of
from ..tables import ADVANCES, MODULES, Card, every
from ..tables.expansions import BEIJING_ADVANCES, TOKYO_RESIDUAL
from ..tables.maps import SORT, Board, Sort
from ..tables.modules import CARDS, TILES
from ..tables.promises import MODULE as PROMISE_MODULE
from ..tables.tiles import MODULE as TILE_MODULE
from ..tables.tiles import Kind
from ..zone import set_zone
from . import (
    asian,
    doctors,
    godzillas,
    mayor,
    new_buildings,
    pilgrim,
    power_plants,
    terrain,
    trample,
)
from .moments import FILES, allowed, event, narrowed, one_by_one, total

QUESTIONS: list[Question] = [
    *(row for file in FILES.values() for row in getattr(file, "QUESTIONS", [])),
    *trample.QUESTIONS,
    *terrain.QUESTIONS,
    *asian.QUESTIONS,
    *pilgrim.QUESTIONS,
]
ABOUT: dict[str, Text] = {name: file.ABOUT for name, file in FILES.items() if hasattr(file, "ABOUT")}
every(MODULES, ABOUT, "ABOUT")


def _texts(name: str) -> dict[Any, Text]:
    """What the files of the expansions say under a name."""
    return {key: words for file in FILES.values() for key, words in getattr(file, name, {}).items()}


CARD_HELP: dict[Card, Text] = _texts("CARD_HELP")  # what their action cards do
TILE_HELP: dict[Kind, Text] = _texts("TILE_HELP")  # what their tiles are good for
TILE_NEEDS: dict[Kind, Text] = _texts("TILE_NEEDS")  # what their tiles need around them
every((Card[name] for name in CARDS), CARD_HELP, "CARD_HELP")
every((Kind[tile.kind] for tile in TILES), TILE_HELP, "TILE_HELP")


# -- set-up and Phase 1


played = dispatch(  # whether a module, by its number from 1, is played; 0: no module
    "s, module",
    "module",
    {n: [f"return s.rules.{module} != 0"] for n, module in enumerate(MODULES, start=1)},
    {},
    last="return True",
)


@kernel
def deals_promise(s, number):
    """Whether a promise is dealt in this game: 33-36 with New Buildings, 37-38 with Power Plants,
    39-42 with New Promise Cards (PC1)."""
    return played(s, PROMISE_MODULE[number])


set_up = event("set_up", "s")  # what the modules add to the supply
lay_cards = event("lay_cards", "s")  # the circle of the new action cards (AC1)
speech = mayor.speech  # the Mayor variant's arrival (M1)
may_invite = mayor.may_invite  # whether card A may be taken (M3)
takes_card = event("takes_card", "s, p, card")  # what a card does at once: the Engineer cleans (G11)
_grown = event("grown", "s, p")  # what does not survive a larger zone (RB2)


@kernel
def enlarge(s, p):
    """The zone grows by one size."""
    s.borough[p].zone_side += 1
    _grown(s, p)
    set_zone(s, p)


# -- building


@kernel
def in_play(s, kind):
    """Whether a kind of tile belongs to this game."""
    return played(s, TILE_MODULE[kind])


_OFFERED = np.array([as_set(np.flatnonzero(n == TILE_MODULE)) for n in range(len(MODULES) + 1)])
_WITH_TILES = np.array(sorted({*TILE_MODULE}), TILE_MODULE.dtype)


_attainable = narrowed("attainable", "s, p, kinds")


@kernel
def kinds_in_play(s, p):
    """The set of the kinds of tiles that belong to this game, without some that a player cannot build now."""
    kinds = NOWHERE
    for module in _WITH_TILES:
        if played(s, module):
            kinds |= of(_OFFERED[module])
    return _attainable(s, p, kinds)


_allowed = allowed("allows", "s, p, kind")  # one Airport of either size (C6)


@kernel
def may_have(s, p, kind):
    """Whether a tile of this game that is paid for in Phase 2 may be built by this player."""
    return not asian.park_limits(s, p, kind) and _allowed(s, p, kind)


@kernel
def offers(s, p, kind):
    """Whether a tile that is paid for in Phase 2 may ever be built by this player in this game."""
    return in_play(s, kind) and may_have(s, p, kind)


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


_meeting = narrowed("meeting", "s, p, kind, way, spots")


@kernel
def meeting(s, p, kind, way, spots):
    """The criteria of the modules' own tiles and cities."""
    if kind == Kind.HARBOR:
        return asian.harbor_spots(s, p, way, spots)
    if kind == Kind.PARK_1 and s.rules.board[p] == Board.TOKYO:
        return asian.park_spots(s, p, way, spots)
    return _meeting(s, p, kind, way, spots)


enough_stand = allowed("enough_stand", "s, p, kind")  # what a tile needs is there, wherever (NB1, NB3)
residences_saved = total("residences_saved", "s, b")  # fewer that a commercial tile needs (NB2)
bank_saves = total("bank_saves", "s, p, family")  # money, on a commercial build (NB2)
rough = terrain.rough  # whether a place must be paid for one by one (TB2, TB4)
costly = terrain.costly  # where that can cost anything
river = terrain.river  # where it costs a material (TB2)
river_material = terrain.river_material  # ... and which
may_cover = terrain.may_cover  # stones under a new tile (TB4)
terrain_price = terrain.price  # materials for river spaces (TB2)
covers = asian.covers  # a tile has newly covered these spaces (AS7)


@kernel
def needs_power(s, kind):
    """Whether a tile needs powered columns: every one but City Hall (PP3)."""
    return s.rules.power_plants != 0 and kind != Kind.CITY_HALL


@kernel
def has_power(s, p):
    """Whether anything but a plant and City Hall can be built (PP3)."""
    return s.rules.power_plants == 0 or s.borough[p].powered != 0


@kernel
def powered(s, p, kind, spaces):
    """Those of the spaces that give a tile on them power, if it needs any (PP3)."""
    if needs_power(s, kind):
        return spaces & power_plants.powered_columns(s.borough[p])
    return spaces


powered_spots = power_plants.powered_spots  # where a tile covers a powered column (PP3)
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
    """Apply what follows when a citizen has moved onto a space (AS5)."""
    if s.rules.board[k] == Board.TOKYO:
        asian.enters(s, k, space)


passengers = event("passengers", "s, p")  # Phase 3 D (NB5)
end_of_move = asian.next_park  # the very end of Phase 3: Tokyo's parks grow (AS5)
bank_income = total("bank_income", "s, k, workers")  # of those who worked in a Bank (NB2)
opera_votes = total("opera_votes", "s, p, workers")  # of those who heard the opera (RB3)
opera = event("opera", "s, p, workers")  # ... who then go home


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
salary, SALARIES = one_by_one("salary", "s")  # Phase 4 step 4 (D3), one question after the other
votes = total("votes", "s, p")  # those of Phase 5 that modules add (AC2, AC3, M4)


# -- Phase 6


@kernel
def godzillas_wake(s):
    """Break and wake (G1, G2); return whether anybody tramples."""
    return s.rules.godzillas != 0 and godzillas.roll_hosts(s)


next_walk = godzillas.next_walk  # the walks, one after another (G6)


@kernel
def never_pollutes(s, p):
    """Whether a borough never pollutes: Delhi (AS8)."""
    return s.rules.board[p] == Board.DELHI


certain_deaths = asian.certain_deaths  # Delhi's (AS8)


noise = total("noise", "s, p")  # pollution by an Airport's noise (NB1)
recycled = total("recycled", "s, p")  # pollution removed by the Recycling Center (NB3)


@kernel
def residual(s, p):
    """Tokyo's residual pollution (AS5)."""
    return TOKYO_RESIDUAL if s.rules.board[p] == Board.TOKYO else 0


_leaves = event("leaves_game", "s, p")


@kernel
def leaves_game(s, p):
    """Remove an eliminated player's godzilla and Pilgrim (P6.2)."""
    _leaves(s, p)
    pilgrim.leaves_game(s, p)


# -- Phases 7 and 8


@kernel
def paid_advances(s, p):
    """How many paid advances a player has: one, in Beijing two (P7.1, AS6)."""
    return BEIJING_ADVANCES if s.rules.board[p] == Board.BEIJING else ADVANCES


free_advances = total("free_advances", "s, p")  # Big Ben's (RB1)


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
