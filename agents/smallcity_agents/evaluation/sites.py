"""Value sites: homes need public buildings and no factories nearby (P2.5).

Also single spaces: streets, graves, stones, parks that grow, the Mayor's speech.
"""

from smallcity_env.library import kernel
from smallcity_env.rules.borough import cells, crowd, influence_of
from smallcity_env.rules.modules.mayor import ACROSS, DOWN
from smallcity_env.rules.modules.moments import total
from smallcity_env.rules.placing import site
from smallcity_env.rules.spaces import NOWHERE, around, at, beside, count, each, of, overlap, tile
from smallcity_env.rules.tables import SPACES, Family
from smallcity_env.rules.tables.tiles import TILES, Kind

MAX_PUBLICS = 4  # public buildings are counted up to here
SIDES = (ACROSS, DOWN)


@kernel
def influence(b):
    """Land influenced by at least 1, 2, 3, 4 public buildings; empty land; land beside factories."""
    here = site(b)
    one = two = three = four = NOWHERE
    for t in each(here.public):
        hit = around(cells(b, t))
        four |= three & hit
        three |= two & hit
        two |= one & hit
        one |= hit
    return one, two, three, four, here.land, here.by_factories


@kernel
def home_land(b):
    """Empty land fit for a residence."""
    one, _, _, _, open_land, shadow = influence(b)
    return (one & open_land) - shadow


@kernel
def quality(spaces, sets):
    """The quality of some land: each space counts once per public building, up to four."""
    one, two, three, four, _, _ = sets
    n = count(spaces & one) + count(spaces & two)
    return n + count(spaces & three) + count(spaces & four)


@kernel
def home_quality(spaces, sets):
    """The quality of the empty land away from factories."""
    return quality((spaces & sets[-2]) - sets[-1], sets)


@kernel
def publics_near(spaces, sets):
    """The number of public buildings that influence a tile, up to four."""
    one, two, three, four, _, _ = sets
    n = 0  # in plain Python, numpy's bools would add up to one
    n += overlap(spaces, one)
    n += overlap(spaces, two)
    n += overlap(spaces, three)
    return n + overlap(spaces, four)


_of_expansions = total("site_value", "s, b, kind, near")  # expansions value the sites of their own tiles


@kernel
def site_value(s, p, b, kind, spaces, w, sets):
    """The value of a tile on these spaces: its neighbourhood less the land it takes."""
    row = TILES[kind]
    open_land, shadow = sets[-2], sets[-1]
    near = around(spaces)
    value = w.site_snug * count(beside(spaces) - open_land)
    if row.family == Family.RESIDENTIAL:
        return value + _home_site(b, spaces, near, w, sets)
    value -= w.site_land * home_quality(spaces, sets)
    if kind == Kind.CITY_HALL:
        return value + w.site_middle * count(near & of(b.zone))
    if row.public != 0:
        homes = of(b.family[Family.RESIDENTIAL])
        raised = (near & (open_land | homes)) - shadow
        return value + w.site_raise * (count(raised) + quality(raised, sets))
    if row.family == Family.COMMERCIAL:
        return value + w.site_market * count(near & of(b.family[Family.RESIDENTIAL]))
    factories = of(b.family[Family.FACTORY])
    if row.family == Family.FACTORY or (row.council != 0 and row.family == Family.OTHER):
        value += w.site_cluster * count(near & factories)
    if row.family == Family.FACTORY:
        spoilt = (near - shadow) & open_land
        value -= w.site_shadow * (count(spoilt & sets[0]) + quality(spoilt, sets))
        supplied = influence_of(b, Kind.REFINERY) | influence_of(b, Kind.HARBOR)
        value += w.site_cluster * count(spaces & supplied)
    return value + _of_expansions(s, b, kind, near)


@kernel
def _home_site(b, spaces, near, w, sets):
    """A residence: public buildings, room to grow, homes and shops nearby."""
    open_land, shadow = sets[-2], sets[-1]
    value = w.site_public * publics_near(spaces, sets)
    value += w.site_grow * count((beside(spaces) & open_land) - shadow)
    neighbours = of(b.family[Family.RESIDENTIAL]) | of(b.family[Family.COMMERCIAL])
    return value + w.site_shops * count(near & neighbours)


# -- single spaces


@kernel
def land(space, w, sets):
    """The value of a space of land: its fitness for homes, and open neighbours."""
    here = at(space)
    return w.site_land * quality(here - sets[-1], sets) + w.site_snug * count(beside(here) & sets[-2])


@kernel
def street(space, sets):
    """The host's land a street would block, and that around it."""
    near = at(space) | around(at(space))
    return home_quality(at(space), sets) * SPACES + home_quality(near, sets)


@kernel
def street_way(s, way, sets):
    """The host's land it would block this way."""
    return home_quality(tile(SIDES[way], s.space), sets)


@kernel
def listeners(b, spaces):
    """People, homes and shops around some spaces of City Hall, for the Mayor's speech (M4)."""
    homes = of(b.family[Family.RESIDENTIAL]) | of(b.family[Family.COMMERCIAL])
    return count(around(spaces) & (crowd(b) | homes))


@kernel
def listeners_way(s, way):
    """His listeners this way."""
    return listeners(s.borough[s.host], tile(SIDES[way], s.space))
