"""What a space of land is good for: homes want public buildings and no factories near (P2.5)."""

from smallcity_env.rules._jit import kernel
from smallcity_env.rules.borough import cells, contaminated, empty, influence_of
from smallcity_env.rules.spaces import (
    NOWHERE,
    around,
    beside,
    both,
    count,
    either,
    first,
    meet,
    of,
    rest,
    some,
    without,
)
from smallcity_env.rules.tables import Family
from smallcity_env.rules.tables.tiles import TILES, Kind

MOST = 4  # public buildings are told apart up to so many


@kernel
def survey(b):
    """Land by the public buildings that influence it, at least 1, 2, 3, 4; empty land; factories' shadow."""
    one = two = three = four = NOWHERE
    tiles = of(b.firsts)
    while some(tiles):
        t = first(tiles)
        tiles = rest(tiles)
        if TILES[b.kind[t]].public != 0 and not contaminated(b, t):
            hit = around(cells(b, t))
            four = either(four, both(three, hit))
            three = either(three, both(two, hit))
            two = either(two, both(one, hit))
            one = either(one, hit)
    return one, two, three, four, empty(b), around(of(b.family[Family.FACTORY]))


@kernel
def home_land(b):
    """Empty land where a residence could stand."""
    one, _, _, _, open_land, shadow = survey(b)
    return without(both(one, open_land), shadow)


@kernel
def levels(spaces, sets):
    """How good some land is: each space counts once for each public building, up to four."""
    one, two, three, four, _, _ = sets
    n = count(both(spaces, one)) + count(both(spaces, two))
    return n + count(both(spaces, three)) + count(both(spaces, four))


@kernel
def land_worth(spaces, sets):
    """What homes could be built on this land: none in a factory's shadow."""
    return levels(without(both(spaces, sets[-2]), sets[-1]), sets)


@kernel
def reached(spaces, sets):
    """How many public buildings influence a tile, up to four."""
    one, two, three, four, _, _ = sets
    return meet(spaces, one) + meet(spaces, two) + meet(spaces, three) + meet(spaces, four)


@kernel
def site(s, p, b, kind, spaces, w, sets):
    """A tile on these spaces: what it wants near it, less the land it takes."""
    row = TILES[kind]
    open_land, shadow = sets[-2], sets[-1]
    near = around(spaces)
    value = w.site_snug * count(without(beside(spaces), open_land))
    if row.family == Family.RESIDENTIAL:
        return value + _home_site(b, spaces, near, w, sets)
    value -= w.site_land * land_worth(spaces, sets)
    if kind == Kind.CITY_HALL:
        return value + w.site_middle * count(both(near, of(b.zone)))
    if row.public != 0:
        homes = of(b.family[Family.RESIDENTIAL])
        raised = without(both(near, either(open_land, homes)), shadow)
        return value + w.site_raise * (count(raised) + levels(raised, sets))
    if row.family == Family.COMMERCIAL:
        return value + w.site_market * count(both(near, of(b.family[Family.RESIDENTIAL])))
    mills = of(b.family[Family.FACTORY])
    if row.family == Family.FACTORY or (kind <= Kind.HARBOR and kind >= Kind.WAREHOUSE):
        value += w.site_cluster * count(both(near, mills))
    if row.family == Family.FACTORY:
        spoilt = both(without(near, shadow), open_land)
        value -= w.site_shadow * (count(both(spoilt, sets[0])) + levels(spoilt, sets))
        helpers = either(influence_of(b, Kind.REFINERY), influence_of(b, Kind.HARBOR))
        value += w.site_cluster * count(both(spaces, helpers))
    if kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9:
        noisy = either(of(b.family[Family.RESIDENTIAL]), of(b.family[Family.COMMERCIAL]))
        value += count(both(near, mills)) - count(both(near, noisy))
    return value


@kernel
def _home_site(b, spaces, near, w, sets):
    """A residence: public buildings that reach it, room to grow, company."""
    open_land, shadow = sets[-2], sets[-1]
    value = w.site_public * reached(spaces, sets)
    value += w.site_grow * count(without(both(beside(spaces), open_land), shadow))
    company = either(of(b.family[Family.RESIDENTIAL]), of(b.family[Family.COMMERCIAL]))
    return value + w.site_shops * count(both(near, company))
