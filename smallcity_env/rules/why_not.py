"""Why a tile cannot be built: the refusals behind the mask of Ask.WHAT, told apart (P2.2 - P2.10, P7.5, PP2).

A build is refused here exactly when the mask leaves it out: the same kernels decide, this file only asks
which of them said no.
"""

from enum import IntEnum
from typing import Final

from ..library import kernel
from . import modules
from .borough import building_money, cells, contaminated
from .placing import (
    enough_stand,
    forbidden,
    has_spot,
    may_build,
    meeting,
    old_tile_will_do,
    site,
)
from .prices import asked, is_free, price, purse
from .spaces import NOWHERE, covering, each, fits, has, nonempty, of
from .supply import at_hand
from .tables import BUILDS as BUILDS_A_TURN
from .tables import GROW_COST, MATERIALS, SIDE, Phase
from .tables.tiles import BOUGHT_KINDS, COUNCIL_KINDS, KINDS, PLANT_KINDS, TILES, UPGRADING_KINDS
from .turns import mover
from .zone import can_grow

UPGRADES: Final = KINDS  # where the upgrades begin
ENLARGE: Final = KINDS + KINDS
BUILDS: Final = ENLARGE + 1  # everything that can be asked for
MONEY: Final = BUILDS  # where the prices of new tiles begin: money, then each material
MATERIAL: Final = MONEY + KINDS
LINES: Final = MATERIAL + MATERIALS * KINDS


class Reason(IntEnum):
    """Why a build is refused; NONE: it is allowed. From ROOM on, each comes after the one before it."""

    NONE = 0
    ABSENT = 1  # never offered in this game or phase
    TURN = 2  # no build left, or the zone was enlarged (P2.2)
    LIMIT = 3  # a player has no more of them (C6)
    SUPPLY = 4
    MONEY = 5
    VOTES = 6
    MATERIAL = 7
    SIZE = 8  # larger than the council builds (P7.5)
    NO_OLD_TILE = 9  # no smaller tile of the family to upgrade
    JUST_BUILT = 10  # ... only such as were built this round
    CONTAMINATED = 11
    GROWN = 12  # the zone is as large as it can be
    ROOM = 13  # the shape fits nowhere
    GROUND = 14  # ... on ground this tile may cover
    INFLUENCED = 15  # ... away from factories or homes
    POWER = 16  # ... below a power plant (PP3)
    CRITERION = 17  # ... influenced by what it needs
    TERRAIN = 18  # ... where the material for the ground can be paid (TB2)


@kernel
def explain(s, out):
    """The Reason of every new tile, upgrade and the enlargement for the player whose turn it is."""
    p = mover(s)
    out[:] = Reason.ABSENT
    _write_prices(s, p, out)
    here = site(s.borough[p])
    if s.phase == Phase.BUILD:
        for kind in BOUGHT_KINDS:
            out[kind] = _why_not_bought(s, p, kind, here)
        for kind in PLANT_KINDS:
            out[kind] = _why_no_plant(s, p, kind)
        out[ENLARGE] = _why_not_larger(s, p)
    else:
        for kind in COUNCIL_KINDS:
            out[kind] = _why_not_by_council(s, p, kind, here)
    for kind in UPGRADING_KINDS:
        if TILES[kind].level > 1:
            out[UPGRADES + kind] = _why_no_upgrade(s, p, kind, here)


@kernel
def _write_prices(s, p, out):
    """What every new tile costs this player now, wherever it lies."""
    for kind in range(KINDS):
        row = TILES[kind]
        plant = row.plant != 0
        out[MONEY + kind] = modules.plant_price(s, p, kind) if plant else price(s, p, kind, row.spaces)
        for material in range(MATERIALS):
            out[MATERIAL + KINDS * material + kind] = asked(s, p, kind, material)


# -- new tiles


@kernel
def _why_not_bought(s, p, kind, here):
    """A tile paid for in Phase 2."""
    if not modules.in_play(s, kind) or modules.park_limits(s, p, kind):
        return Reason.ABSENT
    if s.builds == 0 or s.enlarged != 0:
        return Reason.TURN
    if not modules.offers(s, p, kind):
        return Reason.LIMIT
    return _why_not_new(s, p, kind, here)


@kernel
def _why_not_by_council(s, p, kind, here):
    """A tile the Construction row builds."""
    if modules.park_limits(s, p, kind):
        return Reason.ABSENT
    if TILES[kind].spaces > s.council_size:
        return Reason.SIZE
    return _why_not_new(s, p, kind, here)


@kernel
def _why_not_new(s, p, kind, here):
    """A new tile that is offered."""
    if not may_build(s, p, kind, purse(s.borough[p])):
        return _why_refused(s, p, kind)
    if not has_spot(s, p, kind, False, here):
        return _why_no_spot(s, p, kind, here)
    return Reason.NONE


@kernel
def _why_refused(s, p, kind):
    """Limits, supply and price."""
    b = s.borough[p]
    row = TILES[kind]
    if row.limit > 0 and b.built[kind] >= row.limit:
        return Reason.LIMIT
    if not at_hand(s, p, kind):
        return Reason.SUPPLY
    if price(s, p, kind, row.spaces) > building_money(b):
        return Reason.MONEY
    return Reason.VOTES if row.votes > b.votes else Reason.MATERIAL


@kernel
def _why_no_spot(s, p, kind, here):
    """The last requirement that leaves no place for a new tile, whichever way round."""
    row = TILES[kind]
    reason = Reason.ROOM
    for i in range(row.ways):
        way = row.way[i]
        lost = _furthest(s, p, kind, False, way, NOWHERE, fits(way, here.land), here)
        if lost > reason:
            reason = lost
    return reason


@kernel
def _furthest(s, p, kind, upgrade, way, old, spots, here):
    """The requirement at which the last of these spots is lost."""
    b = s.borough[p]
    if not nonempty(spots):
        return Reason.ROOM
    ground = modules.ground(s, p, kind, upgrade, here.land) | old
    spots &= fits(way, ground)
    if not nonempty(spots):
        return Reason.GROUND
    spots &= fits(way, ground - forbidden(kind, here))
    if not nonempty(spots):
        return Reason.INFLUENCED
    if modules.needs_power(s, kind):
        spots &= modules.powered_spots(b, way)
        if not nonempty(spots):
            return Reason.POWER
    if not enough_stand(s, p, kind, here) or not nonempty(meeting(s, p, kind, way, spots, here)):
        return Reason.CRITERION
    return Reason.TERRAIN


# -- upgrades


@kernel
def _why_no_upgrade(s, p, kind, here):
    """An upgrade, in Phase 2 or by the council."""
    if modules.park_limits(s, p, kind):
        return Reason.ABSENT
    if s.phase == Phase.BUILD and (s.builds == 0 or s.enlarged != 0):
        return Reason.TURN
    if TILES[kind].level > (SIDE if s.phase == Phase.BUILD else s.council_size):
        return Reason.SIZE
    if not _may_upgrade(s, p, kind, here):
        return _why_not_upgraded(s, p, kind, here)
    if not has_spot(s, p, kind, True, here):
        return _why_no_spot_over(s, p, kind, here)
    return Reason.NONE


@kernel
def _may_upgrade(s, p, kind, here):
    """The cheap refusals for an upgrade: supply and an old tile that will do."""
    for t in each(here.upgradable & of(s.borough[p].family[TILES[kind].family])):
        if old_tile_will_do(s, p, kind, t):
            return at_hand(s, p, kind)
    return False


@kernel
def _why_not_upgraded(s, p, kind, here):
    """Why no old tile will do: money, if one would for more of it."""
    b = s.borough[p]
    reason = Reason.NO_OLD_TILE
    for t in each(of(b.firsts) & of(b.family[TILES[kind].family])):
        if has(here.upgradable, t) and old_tile_will_do(s, p, kind, t):
            return Reason.SUPPLY
        if TILES[b.kind[t]].level < TILES[kind].level:
            if has(of(b.just_built), t):
                reason = Reason.JUST_BUILT
            elif contaminated(b, t):
                reason = Reason.CONTAMINATED
            elif not is_free(s):
                return Reason.MONEY
    return reason


@kernel
def _why_no_spot_over(s, p, kind, here):
    """The last requirement that leaves no place for an upgrade of any tile that would do."""
    b = s.borough[p]
    row = TILES[kind]
    reason = Reason.ROOM
    for t in each(here.upgradable & of(b.family[row.family])):
        if old_tile_will_do(s, p, kind, t):
            old = cells(b, t)
            for i in range(row.ways):
                way = row.way[i]
                spots = fits(way, here.land | old) & covering(way, old)
                lost = _furthest(s, p, kind, True, way, old, spots, here)
                if lost > reason:
                    reason = lost
    return reason


# -- plants and the zone


@kernel
def _why_no_plant(s, p, kind):
    """A power plant (PP2)."""
    if not modules.in_play(s, kind):
        return Reason.ABSENT
    if modules.plant_legal(s, p, kind):
        return Reason.NONE
    if not modules.plant_at_hand(s, p, kind):
        return Reason.SUPPLY
    if modules.plant_price(s, p, kind) > building_money(s.borough[p]):
        return Reason.MONEY
    return Reason.ROOM


@kernel
def _why_not_larger(s, p):
    """The enlargement of the zone (P2.2)."""
    if not can_grow(s, p):
        return Reason.GROWN
    if s.builds != BUILDS_A_TURN or s.enlarged != 0:
        return Reason.TURN
    return Reason.NONE if s.borough[p].money >= GROW_COST else Reason.MONEY
