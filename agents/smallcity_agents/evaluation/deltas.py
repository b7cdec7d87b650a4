"""How a build, an upgrade, an enlargement or a payment changes the features of a city."""

from smallcity_env.library import kernel
from smallcity_env.rules.borough import contaminated
from smallcity_env.rules.prices import asked, price
from smallcity_env.rules.spaces import each, has, of
from smallcity_env.rules.tables import MATERIALS, WAREHOUSES, Family
from smallcity_env.rules.tables.tiles import TILES, Kind

from .features import ROOMS
from .schema import WORKPLACES, Workplace

STORED = 2  # materials a Warehouse stores


@kernel
def add_tile(g, kind):
    """Add a new tile, and the Warehouse a factory or Airport brings along (P2.9)."""
    row = TILES[kind]
    _count_tile(g, kind, 1)
    _cover(g, row.spaces)
    g.publics += row.public
    g.votes += row.gain
    if kind == Kind.RESIDENTIAL_1 and g.waiting > 0:
        g.waiting -= 1
        g.active += 1
        g.at_home += 1
        g.hall_room += 1
    brings = row.warehouse != 0 and g.built[Kind.WAREHOUSE] < WAREHOUSES
    if brings or kind == Kind.WAREHOUSE:
        g.store += STORED
    if brings:
        g.built[Kind.WAREHOUSE] += 1
        _cover(g, TILES[Kind.WAREHOUSE].spaces)


@kernel
def enlarge(b, g):
    """Make the zone one size larger."""
    g.empty += b.zone_side + b.zone_side + 1


@kernel
def _cover(g, spaces):
    """Cover this many empty spaces with tiles."""
    g.tiled += spaces
    g.empty -= spaces
    g.gaps -= min(spaces, g.gaps)


@kernel
def upgrade_tile(g, kind, old):
    """Replace a tile of kind `old` by this one."""
    _count_tile(g, old, -1)
    _count_tile(g, kind, 1)
    _cover(g, TILES[kind].spaces - TILES[old].spaces)


@kernel
def _count_tile(g, kind, sign):
    """Add (sign 1) or remove (sign -1) a tile and its people spaces."""
    row = TILES[kind]
    g.built[kind] += sign
    if row.family != Family.OTHER:
        g.spaces[row.family] += sign * row.spaces
    if row.family == Family.RESIDENTIAL:
        g.homes[row.level] += sign * row.level
    elif row.family == Family.PARK:
        g.parks += sign * row.spaces
    elif row.family == Family.FACTORY:
        g.jobs += sign * row.level
    if row.family != Family.RESIDENTIAL and row.family != Family.PARK:
        for work in range(WORKPLACES):
            g.rooms[work] += sign * ROOMS[kind, work]
        g.rooms[Workplace.RECYCLING] = min(g.rooms[Workplace.RECYCLING], 1)


@kernel
def pay_for(s, p, kind, added, g):
    """Pay for a build in money, votes and materials, which frees storage."""
    g.money -= price(s, p, kind, added)
    g.votes -= TILES[kind].votes
    for material in range(MATERIALS):
        n = asked(s, p, kind, material)
        g.goods[material] -= n
        g.store += n


@kernel
def covered_kind(b, kind):
    """The highest kind that an upgrade to this one could cover."""
    best = Kind.NONE + 0
    row = TILES[kind]
    for t in each(of(b.firsts) & of(b.family[row.family])):
        lower = TILES[b.kind[t]].level < row.level and not has(of(b.just_built), t)
        if lower and b.kind[t] > best and not contaminated(b, t):
            best = b.kind[t] + 0
    return best
