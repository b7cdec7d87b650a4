"""A borough: its tiles, its zone, its people. Sets of spaces do the work (see spaces.py)."""

import numpy as np

from ..library import kernel
from .spaces import (
    NOWHERE,
    add,
    around,
    at,
    each,
    first,
    has,
    leading,
    nonempty,
    of,
    overlap,
    remove,
    rest,
    tile,
)
from .tables import SEATS, UPGRADING, Family, Material, Place
from .tables.maps import PRINTED, Board
from .tables.shapes import WAYS_OF
from .tables.tiles import TILES, UPGRADING_KINDS, Kind

HALL_WAY = WAYS_OF["O4"][0]
PRINTED_TILES = PRINTED.shape[1]
PLACE_OF = np.zeros(UPGRADING, np.int64)  # by family: the kind of place its tiles are
PLACE_OF[TILES["family"][UPGRADING_KINDS]] = TILES["place"][UPGRADING_KINDS]
FAMILY_AT = np.full(len(Place), Family.OTHER, np.int64)  # by place: the family whose tiles are such places
FAMILY_AT[PLACE_OF] = np.arange(UPGRADING)
_KINDS_AT = [
    np.flatnonzero((TILES["family"] == Family.OTHER) & (TILES["place"] == place) & (TILES["rooms"] > 0))
    for place in range(len(Place))
]
_MOST_KINDS = max(map(len, _KINDS_AT))
# by place: the kinds of no family with people spaces there, then NONE
KINDS_AT = np.array([np.pad(kinds, (0, _MOST_KINDS - len(kinds))) for kinds in _KINDS_AT])


@kernel
def unusable(b):
    """Spaces with a Radiation marker or a godzilla (T3)."""
    return of(b.markers) | of(b.godzilla)


@kernel
def crowd(b):
    """Spaces where a citizen of any colour stands."""
    people = NOWHERE
    for p in range(SEATS):
        people |= of(b.citizens[p])
    return people


@kernel
def stored(b):
    """Spaces where a material lies."""
    return of(b.materials[Material.WOOD]) | of(b.materials[Material.STONE]) | of(b.materials[Material.METAL])


@kernel
def empty(b):
    """Spaces of the zone with nothing on them (T8)."""
    taken = of(b.tiled) | of(b.cemetery) | of(b.mayor) | stored(b)
    return of(b.zone) - taken - unusable(b)


# -- money


@kernel
def building_money(b):
    """The money that can pay for builds: all except this round's flood money (AS7)."""
    return b.money - b.flood


@kernel
def spend(b, cost):
    """Pay for anything except a build, from flood money first, so that the rest can still build (AS7)."""
    b.flood -= min(b.flood, cost)
    b.money -= cost


# -- tiles


@kernel
def cells(b, t):
    """The spaces of the tile whose first space is t."""
    return tile(b.way[t], t)


@kernel
def tile_at(b, space):
    """The first space of the tile that covers a space."""
    return b.first[space]


@kernel
def kind_at(b, space):
    """The kind of the tile that covers a space; NONE without one."""
    if has(of(b.tiled), space):
        return b.kind[b.first[space]]
    return Kind.NONE + 0


@kernel
def label(b, space):
    """The number of a space within its tile, in reading order from 0 (C1)."""
    n = 0
    left = cells(b, b.first[space])
    while first(left) != space:
        left = rest(left)
        n += 1
    return n


@kernel
def contaminated(b, t):
    """Whether any space of the tile is not usable (T3)."""
    return overlap(cells(b, t), unusable(b))


@kernel
def contaminated_tiles(b):
    """The first spaces of the contaminated tiles (T3)."""
    tiles = NOWHERE
    for space in each(of(b.tiled) & unusable(b)):
        tiles |= at(b.first[space])
    return tiles


@kernel
def public_buildings(b, tiles):
    """Those of the tiles that are public buildings; no tile of a family is one."""
    public = NOWHERE
    for t in each(tiles):
        if TILES[b.kind[t]].public:
            public |= at(t)
    return public


@kernel
def find(b, kind):
    """The first space of a tile of this kind, or -1."""
    if b.built[kind] > 0:
        for t in each(b.firsts):
            if b.kind[t] == kind:
                return t
    return -1


@kernel
def works(b, kind):
    """Whether the borough has an uncontaminated building of this kind (T3)."""
    t = find(b, kind)
    return t >= 0 and not contaminated(b, t)


@kernel
def spaces_of(b, kind):
    """The spaces of the tiles of one kind."""
    spaces = NOWHERE
    if b.built[kind] > 0:
        for t in each(b.firsts):
            if b.kind[t] == kind:
                spaces |= cells(b, t)
    return spaces


@kernel
def influence_of(b, kind):
    """The Influence Area of the uncontaminated tiles of one kind (T2, T4)."""
    area = NOWHERE
    if b.built[kind] > 0:
        for t in each(b.firsts):
            if b.kind[t] == kind and not contaminated(b, t):
                area |= around(cells(b, t))
    return area


@kernel
def clean_family(b, family):
    """The spaces of the uncontaminated tiles of a family (T4)."""
    spaces = of(b.family[family])
    if not overlap(spaces, unusable(b)):
        return spaces
    clean = NOWHERE
    for t in each(of(b.firsts) & spaces):
        if not contaminated(b, t):
            clean |= cells(b, t)
    return clean


@kernel
def printed(s, p, t):
    """Whether the tile at t is printed on the board (C3)."""
    b = s.borough[p]
    board = s.rules.board[p]
    for i in range(PRINTED_TILES):
        if PRINTED[board, i, 0] == b.kind[t] and b.kind[t] != Kind.NONE and PRINTED[board, i, -1] == t:
            return True
    return False


@kernel
def lay(b, kind, way, anchor):
    """Put a tile down; the spaces it covers belong to the zone (T1)."""
    spaces = tile(way, anchor)
    for space in each(spaces):
        b.first[space] = anchor
    b.kind[anchor] = kind
    b.way[anchor] = way
    b.built[kind] += 1
    add(b.firsts, at(anchor))
    add(b.tiled, spaces)
    add(b.zone, spaces)
    family = TILES[kind].family
    if family != Family.OTHER:
        add(b.family[family], spaces)
    if kind == Kind.CITY_HALL:
        b.hall = anchor


@kernel
def lift(b, t):
    """Remove the tile at t from the borough; people and materials on it stay where they are."""
    spaces = cells(b, t)
    kind = b.kind[t]
    for space in each(spaces):
        b.first[space] = 0
    b.kind[t] = Kind.NONE
    b.way[t] = 0
    b.built[kind] -= 1
    remove(b.firsts, at(t))
    remove(b.just_built, at(t))
    remove(b.tiled, spaces)
    family = TILES[kind].family
    if family != Family.OTHER:
        remove(b.family[family], spaces)


# -- people


@kernel
def hall(b):
    """The spaces of City Hall."""
    if b.built[Kind.CITY_HALL] == 0:
        return NOWHERE
    return tile(HALL_WAY, b.hall)


@kernel
def hall_room(b):
    """Empty usable spaces of City Hall, except the Mayor's."""
    taken = crowd(b) | stored(b) | of(b.mayor)
    return hall(b) - taken - unusable(b)


@kernel
def hall_citizens(b, p):
    """The spaces of City Hall where its citizens stand."""
    return hall(b) & of(b.citizens[p])


@kernel
def stand(b, p, space):
    """Place a citizen of colour p on a space."""
    add(b.citizens[p], at(space))


@kernel
def leave(b, p, space):
    """Remove a citizen of colour p from a space."""
    remove(b.citizens[p], at(space))
    remove(b.worked, at(space))


@kernel
def to_hall(s, p):
    """Send a citizen to City Hall, or to the Career Center if there is no room (RU3)."""
    b = s.borough[p]
    room = hall_room(b)
    if nonempty(room):
        stand(b, p, first(room))
    else:
        b.career += 1


@kernel
def from_hall(s, p):
    """Remove a citizen from City Hall: the last one in reading order (T7)."""
    b = s.borough[p]
    left = hall_citizens(b, p)
    while nonempty(rest(left)):
        left = rest(left)
    leave(b, p, first(left))


@kernel
def rooms(s, p, t):
    """The people spaces of the tile at t of a borough."""
    return rooms_of(s.borough[p], s.rules.board[p], t)


@kernel
def rooms_of(b, board, t):
    """The people spaces of the tile at t: its first ones; parks have them in Tokyo only."""
    row = TILES[b.kind[t]]
    if row.place == Place.NOBODY:
        return NOWHERE
    if row.place == Place.PARK and board != Board.TOKYO:
        return NOWHERE
    return leading(cells(b, t), row.rooms)


@kernel
def family_rooms(s, p, family):
    """The people spaces of the tiles of a family: all their spaces; parks have them in Tokyo only."""
    if family == Family.PARK and s.rules.board[p] != Board.TOKYO:
        return NOWHERE
    return of(s.borough[p].family[family])


@kernel
def of_no_family(b):
    """The first spaces of the tiles that belong to no family."""
    tiles = of(b.firsts)
    for family in range(UPGRADING):
        tiles -= of(b.family[family])
    return tiles


@kernel
def any_built(b, kinds):
    """Whether a tile of one of the kinds stands: cheaper to know than where."""
    n = 0
    for kind in kinds:
        n += b.built[kind]
    return n > 0


@kernel
def at_place(s, p, place):
    """All people spaces of one kind of place in a borough."""
    b = s.borough[p]
    family = FAMILY_AT[place]
    spaces = family_rooms(s, p, family) if family != Family.OTHER else NOWHERE
    if any_built(b, KINDS_AT[place]):
        for t in each(of_no_family(b)):
            if TILES[b.kind[t]].place == place:
                spaces |= rooms(s, p, t)
    return spaces


@kernel
def labelled(b, family, number):
    """The spaces of a family that carry one label: all a, all stone and so on (C1)."""
    spaces = NOWHERE
    for t in each(of(b.firsts) & of(b.family[family])):
        left = cells(b, t)
        for _ in range(number):
            left = rest(left)
        if nonempty(left):
            spaces |= at(first(left))
    return spaces
