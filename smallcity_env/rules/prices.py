"""What a tile costs, and whether that can be paid (P2.4, P2.10, P1.3 B and C, TB2)."""

from typing import Any, NamedTuple

from . import modules
from ._jit import inlined, kernel
from .borough import building_money
from .spaces import at, each, of, tile, touching
from .storage import stock
from .tables import MATERIALS, Card, Family, Material, Phase
from .tables.cards import LEAST_PRICE, MEDIATOR_SAVES
from .tables.expansions import BANK_LEAST_PRICE
from .tables.tiles import TILES


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
    mediator = MEDIATOR_SAVES if s.borough[p].card == Card.MEDIATOR else 0
    bank = modules.bank_saves(s, p, row.family)
    least = BANK_LEAST_PRICE if mediator > 0 and bank > 0 else LEAST_PRICE
    return max(cost - mediator - bank, least)


@kernel
def asked(s, p, kind, material):
    """How many of a material a build costs; the Architect saves the dearest one (P1.3 B)."""
    row = TILES[kind]
    n = row.materials[material]
    saves = s.borough[p].card == Card.ARCHITECT and row.cultural != 0 and s.cultured == 0
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
def payable_spots(s, p, kind, way, spots):
    """On terrain that costs materials: the spots the player can pay for (TB2, TB4)."""
    b = s.borough[p]
    costly = spots & touching(way, modules.costly(s, p))
    payable = spots - costly
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
def _stones(s, p, kind):
    """The stones a build is paid with, after the Architect (TB4)."""
    if is_free(s):
        return 0
    return asked(s, p, kind, 1)


@kernel
def is_free(s):
    """Whether the tile costs nothing: a council build (P7.5) or a Warehouse that comes along (P2.9)."""
    return s.council_size > 0 or s.brings > 0 or s.phase == Phase.SETUP
