"""Where a tile can go and what it costs: criteria (P2.3 - P2.10), prices, and laying it."""

from typing import Any, NamedTuple

from ..library import inlined, kernel
from . import modules
from .borough import (
    building_money,
    cells,
    clean_family,
    contaminated_tiles,
    empty,
    from_hall,
    hall_citizens,
    influence_of,
    lay,
    lift,
    of_no_family,
    printed,
    public_buildings,
    stand,
)
from .prices import asked, dear_ground, is_free, payable, payable_spots, price
from .spaces import (
    NOWHERE,
    add,
    around,
    at,
    beside,
    count,
    covering,
    each,
    first,
    fits,
    has,
    nonempty,
    of,
    overlap,
    tile,
    touching,
    under,
)
from .storage import take
from .supply import at_hand, return_tile, take_tile
from .tables import MATERIALS, NEEDS_HARBOR, NEEDS_REFINERY, WAREHOUSES, Family, Phase
from .tables.tiles import TILES, Kind
from .zone import outer_edge

# -- where


class Site(NamedTuple):
    """What every build in a borough depends on; found once for all the builds of a mask."""

    land: Any  # empty spaces of the zone
    by_homes: Any  # the Influence Area of the residences
    by_factories: Any
    upgradable: Any  # first spaces of the tiles that may become larger ones (P2.4)
    homes: Any  # ... of the uncontaminated residences
    public: Any  # ... of the uncontaminated public buildings


@kernel
def site(b):
    """The borough as a building site."""
    return _site(b, True)


@kernel
def _site_for(b, kind):
    """The borough as a building site for one kind of tile."""
    return _site(b, TILES[kind].family == Family.RESIDENTIAL)


@inlined
def _site(b, public):
    """A building site, with or without its public buildings: only residences need to know them."""
    residences, factories = of(b.family[Family.RESIDENTIAL]), of(b.family[Family.FACTORY])
    clean = of(b.firsts) - contaminated_tiles(b)
    return Site(
        empty(b),
        around(residences),
        around(factories),
        clean - of(b.just_built),
        clean & residences,
        public_buildings(b, clean & of_no_family(b)) if public else NOWHERE,
    )


@kernel
def forbidden(kind, here):
    """Spaces where the tile would be influenced by a tile it must not be influenced by (P2.5, P2.8, NB3)."""
    family = TILES[kind].family
    if family == Family.RESIDENTIAL:
        return here.by_factories
    if family == Family.FACTORY or kind == Kind.RECYCLING:
        return here.by_homes
    return NOWHERE


@kernel
def _influenced_by_one(b, buildings, way, spots):
    """The spots influenced by at least one of the buildings."""
    area = NOWHERE
    for t in each(buildings):
        area |= around(cells(b, t))
    return spots & touching(way, area)


@inlined
def _influenced_by(b, buildings, way, spots, n):
    """The spots influenced by n different buildings: a bit-sliced count (P2.5, P2.7)."""
    if n <= 1:
        return spots if n < 1 else _influenced_by_one(b, buildings, way, spots)
    near, area = NOWHERE, around(under(way, spots))
    for t in each(buildings):
        if overlap(cells(b, t), area):
            near |= at(t)
    if count(near) < n:
        return NOWHERE
    one = two = three = four = five = NOWHERE
    for t in each(near):
        hit = spots & touching(way, around(cells(b, t)))
        five |= four & hit
        four |= three & hit
        three |= two & hit
        two |= one & hit
        one |= hit
    chain = (one, two, three, four, five)
    return chain[n - 1]


@inlined
def meeting(s, p, kind, way, spots, here):
    """The spots where the tile meets the criteria of its own kind."""
    b = s.borough[p]
    row = TILES[kind]
    if row.family == Family.RESIDENTIAL:
        return _influenced_by(b, here.public, way, spots, row.level)
    if row.family == Family.COMMERCIAL:
        return _influenced_by(b, here.homes, way, spots, row.level - modules.residences_saved(s, b))
    if row.family == Family.FACTORY:
        if NEEDS_REFINERY[row.level]:
            spots &= touching(way, influence_of(b, Kind.REFINERY))
        if NEEDS_HARBOR[row.level]:
            spots &= touching(way, influence_of(b, Kind.HARBOR))
        return spots
    if kind == Kind.WAREHOUSE and s.warehouse_due > 0:
        return spots & touching(way, around(cells(b, s.warehouse_due - 1)))
    if kind == Kind.WAREHOUSE or kind == Kind.REFINERY:
        return spots & touching(way, around(clean_family(b, Family.FACTORY)))
    if kind == Kind.HARBOR and not modules.river_harbor(s, p):
        return spots & touching(way, outer_edge(b))
    return modules.meeting(s, p, kind, way, spots)


@inlined
def _suitable(s, p, build, way, spots, here):
    """Those of the spots with power, with the buildings the tile needs, and with ground that can be paid."""
    if modules.needs_power(s, build.kind):
        spots &= modules.powered_spots(s.borough[p], way)
    if nonempty(spots):
        spots = meeting(s, p, build.kind, way, spots, here)
    if nonempty(spots) and modules.rough(s, p):
        spots = payable_spots(s, p, build.kind, way, spots, build.one)
    return spots


@kernel
def old_tile_will_do(s, p, kind, t):
    """Whether the tile at t is smaller than this one (P2.4), and the added spaces can be paid."""
    b = s.borough[p]
    old, new = TILES[b.kind[t]], TILES[kind]
    if old.level >= new.level:
        return False
    return s.council_size > 0 or price(s, p, kind, new.spaces - old.spaces) <= building_money(b)


@kernel
def growing(b, here):
    """The site with only those upgradable tiles that have an empty space beside them: others cannot grow."""
    tiles, near = NOWHERE, beside(here.land)
    for t in each(here.upgradable - of_no_family(b)):
        if overlap(cells(b, t), near):
            tiles |= at(t)
    return Site(here.land, here.by_homes, here.by_factories, tiles, here.homes, here.public)


class Build(NamedTuple):
    """A build that needs a place; whether one place is enough, or all are wanted."""

    kind: Any
    upgrade: Any
    floor: Any  # where every new space of the tile may lie
    old_tiles: Any  # first spaces of the tiles an upgrade may cover
    one: Any


@inlined
def _build(s, p, kind, upgrade, one, here):
    """A new tile or an upgrade, and where it can lie."""
    floor = modules.ground(s, p, kind, upgrade, here.land) - forbidden(kind, here)  # P2.3
    if modules.rough(s, p):
        floor -= dear_ground(s, p, kind)
    old_tiles = _old_tiles(s, p, kind, floor, here) if upgrade else NOWHERE
    return Build(kind, upgrade, floor, old_tiles, one)


@kernel
def _old_tiles(s, p, kind, floor, here):
    """The first spaces of the tiles an upgrade can cover: where they stand it may lie, and beside them."""
    b = s.borough[p]
    tiles, near, avoided = NOWHERE, beside(floor), forbidden(kind, here)
    for t in each(here.upgradable & of(b.family[TILES[kind].family])):
        old = cells(b, t)
        if overlap(old, near) and not overlap(old, avoided) and old_tile_will_do(s, p, kind, t):
            tiles |= at(t)
    return tiles


@kernel
def _upgrade_spots(s, p, build, way, here):
    """Anchors for a tile that covers one old tile of its family and otherwise empty spaces (P2.4)."""
    b = s.borough[p]
    anchors = NOWHERE
    for t in each(build.old_tiles):
        old = cells(b, t)
        spots = fits(way, build.floor | old)
        if nonempty(spots):
            spots &= covering(way, old)
        if nonempty(spots):
            anchors |= _suitable(s, p, build, way, spots, here)
    return anchors


@inlined
def _spots_for(s, p, build, way, here):
    """Anchors for a build lying this way round; any of them if one is enough."""
    if build.upgrade:
        return _upgrade_spots(s, p, build, way, here)
    spots = fits(way, build.floor)
    return _suitable(s, p, build, way, spots, here) if nonempty(spots) else spots


@inlined
def enough_stand(s, p, kind, here):
    """Whether what a tile needs around it stands, wherever that is (P2.5, P2.7 - P2.9)."""
    b = s.borough[p]
    row = TILES[kind]
    if row.family == Family.RESIDENTIAL:
        return count(here.public) >= row.level
    if row.family == Family.COMMERCIAL:
        return count(here.homes) >= row.level - modules.residences_saved(s, b)
    if row.family == Family.FACTORY:
        refined = b.built[Kind.REFINERY] >= NEEDS_REFINERY[row.level]
        return refined and b.built[Kind.HARBOR] >= NEEDS_HARBOR[row.level]
    if kind == Kind.WAREHOUSE or kind == Kind.REFINERY:
        return nonempty(of(b.family[Family.FACTORY])) or s.warehouse_due > 0
    return modules.enough_stand(s, p, kind)


@inlined
def has_spot(s, p, kind, upgrade, here):
    """Whether the build fits anywhere; stops at the first way round that does."""
    if not enough_stand(s, p, kind, here):
        return False
    build = _build(s, p, kind, upgrade, True, here)
    if not nonempty(build.old_tiles if upgrade else modules.powered(s, p, kind, build.floor)):
        return False
    row = TILES[kind]
    for i in range(row.ways):
        if nonempty(_spots_for(s, p, build, row.way[i], here)):
            return True
    return False


@kernel
def all_spots(s, p, kind, upgrade):
    """Every anchor of the build, whichever way round."""
    here = _site_for(s.borough[p], kind)
    build = _build(s, p, kind, upgrade, False, here)
    row = TILES[kind]
    anchors = NOWHERE
    for i in range(row.ways):
        anchors |= _spots_for(s, p, build, row.way[i], here)
    return anchors


@kernel
def ways_round(s, p, kind, upgrade, anchor):
    """The ways round the build can lie on the anchor, a bit for each."""
    here = _site_for(s.borough[p], kind)
    build = _build(s, p, kind, upgrade, False, here)
    row = TILES[kind]
    ways = 0
    for i in range(row.ways):
        ways |= has(_spots_for(s, p, build, row.way[i], here), anchor) << i
    return ways


# -- what may be built


@inlined
def may_build(s, p, kind, means):
    """The cheap refusals for a new tile: supply, limits (C3, C6) and price, before looking for a place."""
    b = s.borough[p]
    row = TILES[kind]
    if row.limit > 0 and b.built[kind] >= row.limit:
        return False
    return (is_free(s) or payable(s, p, kind, means)) and at_hand(s, p, kind)


# -- laying


@kernel
def _pay(s, p, kind, added, covered):
    """Pay for a build: money, votes, materials, and what the terrain asks for (TB2)."""
    b = s.borough[p]
    row = TILES[kind]
    b.money -= price(s, p, kind, added)
    b.votes -= row.votes
    for material in range(MATERIALS):
        need = modules.terrain_price(s, p, covered, material)
        if row.family == Family.OTHER:
            need += asked(s, p, kind, material)
        for _ in range(need):
            take(b, material, covered)
    if row.cultural:
        s.architect_used = 1


@kernel
def _lift_covered(s, p, spaces):
    """Lift the tile an upgrade covers; it goes back to the supply unless printed (C3)."""
    b = s.borough[p]
    old = spaces & of(b.tiled)
    if not nonempty(old):
        return 0
    t = b.first[first(old)]
    size = TILES[b.kind[t]].spaces
    if not printed(s, p, t):
        return_tile(s, p, b.kind[t])
    lift(b, t)
    return size


@kernel
def move_in(s, p, space):
    """One citizen of City Hall moves into a new level-1 residence at once (P2.6)."""
    b = s.borough[p]
    if nonempty(hall_citizens(b, p)):
        from_hall(s, p)
        stand(b, p, space)
        if s.phase == Phase.SELECT or s.phase == Phase.BUILD:
            add(b.worked, at(space))  # T6


@kernel
def finish(s, p, way):
    """Lay the tile that was asked for: pay, lift the old one, lay, take the votes, settle what follows."""
    b = s.borough[p]
    kind, anchor = s.kind, s.anchor
    row = TILES[kind]
    spaces = tile(way, anchor)
    covered = spaces - of(b.tiled)
    free = is_free(s)
    if not free:
        _pay(s, p, kind, count(covered), covered)
    upgraded = _lift_covered(s, p, spaces) > 0
    lay(b, kind, way, anchor)
    take_tile(s, p, kind)
    b.votes += row.gain
    modules.covers(s, p, covered)
    if s.phase == Phase.BUILD:
        add(b.just_built, at(anchor))
    if kind == Kind.RESIDENTIAL_1:
        move_in(s, p, anchor)
    _close(s, p, kind, upgraded)


@kernel
def _close(s, p, kind, upgraded):
    """End the build; a new Factory or Airport is now due its Warehouse (P2.9, RU1)."""
    b = s.borough[p]
    s.warehouse_due = 0
    room = b.built[Kind.WAREHOUSE] < WAREHOUSES and at_hand(s, p, Kind.WAREHOUSE)
    if TILES[kind].warehouse and not upgraded and room:
        s.warehouse_due = s.anchor + 1
    s.kind = Kind.NONE
    s.anchor = 0
    s.upgrade = 0
    s.council_size = 0
