"""What changes in a city's figures when a tile is built, upgraded or paid for."""

from smallcity_env.rules._jit import kernel
from smallcity_env.rules.borough import contaminated
from smallcity_env.rules.prices import price
from smallcity_env.rules.spaces import both, first, has, of, rest, some
from smallcity_env.rules.tables import MATERIALS, UPGRADING, WAREHOUSES, Card, Family, Place
from smallcity_env.rules.tables.tiles import TILES, Kind

from .figures import WORK_AT
from .schema import Work

STORED = 2  # materials a Warehouse stores


@kernel
def raise_tile(g, kind):
    """A new tile stands: what can be done with it."""
    row = TILES[kind]
    _spaces(g, kind, 1)
    g.tiled += row.spaces
    g.empty -= row.spaces
    g.gaps -= min(row.spaces, g.gaps)
    g.publics += row.public
    g.votes += row.gain
    if kind == Kind.RESIDENTIAL_1 and g.waiting > 0:
        g.waiting -= 1
        g.active += 1
        g.at_home += 1
        g.hall_room += 1
    brings = row.family == Family.FACTORY or kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9
    if kind == Kind.WAREHOUSE or (brings and g.built[Kind.WAREHOUSE] < WAREHOUSES):
        g.store += STORED
    if brings and g.built[Kind.WAREHOUSE] < WAREHOUSES:
        raise_tile_free(g)


@kernel
def raise_tile_free(g):
    """The Warehouse that comes along (P2.9)."""
    spaces = TILES[Kind.WAREHOUSE].spaces
    g.built[Kind.WAREHOUSE] += 1
    g.tiled += spaces
    g.empty -= spaces
    g.gaps -= min(spaces, g.gaps)


@kernel
def raise_upgrade(g, kind, old):
    """A tile of kind `old` becomes this one."""
    added = TILES[kind].spaces - TILES[old].spaces
    _spaces(g, old, -1)
    _spaces(g, kind, 1)
    g.tiled += added
    g.empty -= added
    g.gaps -= min(added, g.gaps)


@kernel
def _spaces(g, kind, sign):
    """Its people spaces, parks and counts come, or go."""
    row = TILES[kind]
    g.built[kind] += sign
    if row.family < UPGRADING:
        g.spread[row.family] += sign * row.spaces
    if row.family == Family.RESIDENTIAL:
        g.homes[row.level] += sign * row.level
    elif row.family == Family.PARK:
        g.parks += sign * row.spaces
    elif row.family == Family.COMMERCIAL or row.family == Family.FACTORY:
        work = Work.SHOP_A + 0 if row.family == Family.COMMERCIAL else Work.WOOD + 0
        for i in range(row.level):
            g.rooms[work + i] += sign
        if row.family == Family.FACTORY:
            g.jobs += sign * row.level
    elif kind == Kind.BANK:
        g.rooms[Work.BANK] += 1
    elif row.place == Place.RECYCLING:
        g.rooms[Work.RECYCLING] = 1
    elif row.place != Place.NOBODY and WORK_AT[row.place] >= 0:
        g.rooms[WORK_AT[row.place]] += row.rooms


@kernel
def pay_for(s, p, kind, added, g):
    """Money, votes and materials a build costs; the Architect saves the dearest (P1.3 B)."""
    row = TILES[kind]
    g.money -= price(s, p, kind, added)
    g.votes -= row.votes
    saves = s.borough[p].card == Card.ARCHITECT and row.cultural != 0 and s.cultured == 0
    for i in range(MATERIALS):
        material = MATERIALS - 1 - i
        n = row.materials[material]
        if n > 0 and saves:
            saves = False
            n -= 1
        g.goods[material] -= n
        g.store += n


@kernel
def oldest(b, kind):
    """The kind an upgrade to this one would cover: the highest that will do."""
    best = Kind.NONE + 0
    row = TILES[kind]
    tiles = both(of(b.firsts), of(b.family[row.family]))
    while some(tiles):
        t = first(tiles)
        tiles = rest(tiles)
        lower = TILES[b.kind[t]].level < row.level and not has(of(b.fresh), t)
        if lower and b.kind[t] > best and not contaminated(b, t):
            best = b.kind[t] + 0
    return best
