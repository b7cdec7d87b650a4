"""What a tile costs, and whether that can be paid (P2.4, P2.10, P1.3 B and C, TB2)."""

from typing import Any, NamedTuple

import numpy as np

from ..library import inlined, kernel
from . import modules
from .borough import building_money
from .spaces import NOWHERE, as_set, at, each, nonempty, of, tile, touching
from .storage import stock
from .tables import MATERIALS, UPGRADING, Card, Family, Material, Phase
from .tables.cards import LEAST_PRICE, MEDIATOR_SAVES
from .tables.expansions import BANK_LEAST_PRICE, RIVER_MATERIALS
from .tables.tiles import KINDS, TILES

FAMILY, LEVEL, COSTS = TILES["family"], TILES["level"], TILES["materials"]
COST = np.where(FAMILY == Family.OTHER, TILES["money"], TILES["rate"] * TILES["spaces"])
UPGRADED = (FAMILY != Family.OTHER) & (FAMILY[:, None] == FAMILY) & (LEVEL[:, None] < LEVEL)  # old, new
MOST_MONEY, MOST_MATERIAL = int(COST.max()), int(COSTS.max())


def _kinds(which: Any) -> Any:
    """The set of the kinds that are true."""
    return as_set(np.flatnonzero(which))


# the kinds that cost no more: new tiles by money and by each material, upgrades by the old tile and money
BY_MONEY = np.array([_kinds(money >= COST) for money in range(MOST_MONEY + 1)])
BY_MATERIAL = np.array(
    [[_kinds(n >= COSTS[:, material]) for n in range(MOST_MATERIAL + 1)] for material in range(MATERIALS)]
)
LARGER_BY_MONEY = np.array(
    [
        [_kinds(UPGRADED[old] & (money >= COST - COST[old])) for money in range(MOST_MONEY + 1)]
        for old in range(KINDS)
    ]
)


class Purse(NamedTuple):
    """What a player can pay a build with; found once for all the builds of a mask."""

    money: Any
    votes: Any
    materials: Any


@kernel
def purse(b):
    """The money for builds, the votes and the materials of a borough."""
    return Purse(
        building_money(b),
        b.votes + 0,
        (stock(b, Material.WOOD), stock(b, Material.STONE), stock(b, Material.METAL)),
    )


@inlined
def price(s, p, kind, added):
    """The money a build costs, with the Mediator (P1.3 C) and the Bank (NB2)."""
    row = TILES[kind]
    cost = row.rate * added if row.family != Family.OTHER else row.money
    if cost == 0:
        return 0
    mediator = MEDIATOR_SAVES if s.borough[p].card == Card.MEDIATOR and row.cultural == 0 else 0
    bank = modules.bank_saves(s, p, row.family)
    least = BANK_LEAST_PRICE if mediator > 0 and bank > 0 else LEAST_PRICE
    return max(cost - mediator - bank, least)


@kernel
def asked(s, p, kind, material):
    """How many of a material a build costs; the Architect saves the dearest one (P1.3 B)."""
    row = TILES[kind]
    n = row.materials[material]
    saves = s.borough[p].card == Card.ARCHITECT and row.cultural != 0 and s.architect_used == 0
    if n == 0 or not saves:
        return n
    for dearer in range(material + 1, MATERIALS):
        if row.materials[dearer] > 0:
            return n
    return n - 1


@inlined
def payable(s, p, kind, means):
    """Whether money, votes and materials pay for a new tile on plain ground."""
    row = TILES[kind]
    if price(s, p, kind, row.spaces) > means.money or row.votes > means.votes:
        return False
    for material in range(MATERIALS):
        if asked(s, p, kind, material) > means.materials[material]:
            return False
    return True


@kernel
def most_money(s, p, means):
    """What a player can pay for if every saving counts in full, as an index of the tables above."""
    if is_free(s):
        return MOST_MONEY
    mediator = MEDIATOR_SAVES if s.borough[p].card == Card.MEDIATOR else 0
    bank = modules.bank_saves(s, p, Family.OTHER)
    for family in range(UPGRADING):
        bank = max(bank, modules.bank_saves(s, p, family))
    return min(max(means.money, 0) + mediator + bank, MOST_MONEY)


@kernel
def within_means(s, p, means, money):
    """The kinds a player may be able to pay for with `most_money`; exact prices refuse more (`payable`)."""
    kinds = of(BY_MONEY[money])
    if is_free(s):
        return kinds
    saved = 1 if s.borough[p].card == Card.ARCHITECT else 0
    for material in range(MATERIALS):
        kinds &= of(BY_MATERIAL[material, min(means.materials[material] + saved, MOST_MATERIAL)])
    return kinds


@kernel
def larger_within_means(b, tiles, money):
    """The kinds that one of the tiles may become, as far as `most_money` may be able to pay for it."""
    kinds = NOWHERE
    for t in each(tiles):
        kinds |= of(LARGER_BY_MONEY[b.kind[t], money])
    return kinds


@kernel
def payable_spots(s, p, kind, way, spots, one):
    """On terrain that costs materials: the spots the player can pay for (TB2, TB4).

    If one is enough, those where the ground costs nothing will do.
    """
    b = s.borough[p]
    costly = spots & touching(way, modules.costly(s, p))
    payable = spots - costly
    if one and nonempty(payable):
        return payable
    for anchor in each(costly):
        covered = tile(way, anchor) - of(b.tiled)
        ok = modules.may_cover(s, p, covered, _stones(s, p, kind))
        for material in range(MATERIALS):
            need = modules.terrain_price(s, p, covered, material)
            if need > 0 and not is_free(s):
                ok = ok and need + asked(s, p, kind, material) <= stock(b, material)
        if ok:
            payable |= at(anchor)
    return payable


@kernel
def dear_ground(s, p, kind):
    """The river, if the player cannot pay for even one of its spaces (TB2)."""
    b, material = s.borough[p], modules.river_material(s, p)
    if material < 0 or is_free(s):
        return NOWHERE
    if RIVER_MATERIALS + asked(s, p, kind, material) <= stock(b, material):
        return NOWHERE
    return modules.river(s, p) - of(b.tiled)


@kernel
def _stones(s, p, kind):
    """The stones a build is paid with, after the Architect (TB4)."""
    if is_free(s):
        return 0
    return asked(s, p, kind, 1)


@kernel
def is_free(s):
    """Whether the tile costs nothing: a council build (P7.5) or a Warehouse that comes along (P2.9)."""
    return s.council_size > 0 or s.warehouse_due > 0 or s.phase == Phase.SETUP
