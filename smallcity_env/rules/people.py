"""People across boroughs: who is whose, who stands where, and how they move."""

from ..library import kernel
from .borough import crowd, find, hall, kind_at, leave, stand, to_hall, unusable
from .spaces import NOWHERE, add, at, count, has, of, overlap, remove
from .tables import SEATS
from .tables.maps import Board
from .tables.tiles import TILES, Kind


@kernel
def pilgrims(s, k):
    """The Pilgrim's space, if he is in this borough (AS9)."""
    if s.pilgrim > 0 and s.rules.board[k] == Board.ULAANBAATAR:
        return at(s.pilgrim - 1)
    return NOWHERE


@kernel
def mine(s, p, k):
    """Where in borough k the citizens stand that player p moves: at home a Pilgrim too (AS9)."""
    own = of(s.borough[k].citizens[p])
    if k == p:
        return own | pilgrims(s, k)
    return own - pilgrims(s, k)


@kernel
def active(s, p):
    """Where the active citizens stand: at home, not in City Hall (T5)."""
    return mine(s, p, p) - hall(s.borough[p])


@kernel
def colour_at(s, k, space):
    """The colour of the citizen on a space of borough k."""
    for p in range(SEATS):
        if has(of(s.borough[k].citizens[p]), space):
            return p
    return -1


@kernel
def place_at(b, space):
    """The kind of place a space belongs to (P3.1)."""
    return TILES[kind_at(b, space)].place


@kernel
def is_tram(b, space):
    """Whether a space is the first of a Tramway Station, where any number can stand (NB4)."""
    return b.kind[space] == Kind.TRAMWAY


@kernel
def depart(s, p, k, space):
    """Remove a citizen moved by p from a space of borough k; return his colour."""
    b = s.borough[k]
    if is_tram(b, space):
        b.riders[p] -= 1
        return p
    colour = colour_at(s, k, space)
    leave(b, colour, space)
    return colour


@kernel
def arrive(s, colour, k, space):
    """Place a citizen on a space of borough k, where he works (T6)."""
    b = s.borough[k]
    if is_tram(b, space):
        b.riders[colour] += 1
    else:
        stand(b, colour, space)
        add(b.worked, at(space))


@kernel
def at_tram(b, colour, spaces):
    """The number of citizens of a colour on a tram whose first space is among these."""
    if b.built[Kind.TRAMWAY] > 0 and has(spaces, find(b, Kind.TRAMWAY)):
        return b.riders[colour]
    return 0


@kernel
def riders(s, k, colour):
    """The number of citizens of a colour on the tram of borough k, without the Pilgrim (AS9)."""
    b = s.borough[k]
    pilgrim_rides = s.pilgrim_of == colour and at_tram(b, colour, pilgrims(s, k)) > 0
    return b.riders[colour] - pilgrim_rides


@kernel
def people_on_tiles(s, k):
    """Everyone alive on tiles of the borough other than City Hall, Tourists too (P6.1)."""
    b = s.borough[k]
    n = count(crowd(b) - hall(b))
    for p in range(SEATS):
        n += b.riders[p]
    return n


@kernel
def living(b, p):
    """Living citizens of its own in a borough, City Hall included (T5)."""
    return count(of(b.citizens[p])) + b.riders[p]


@kernel
def tourists(s, k, colour):
    """Where Tourists of one colour stand in borough k (T5)."""
    return of(s.borough[k].citizens[colour]) - pilgrims(s, k)


@kernel
def send_home(s, k, colour):
    """Send every Tourist of a colour in borough k to his City Hall (RU3)."""
    b = s.borough[k]
    visitors = tourists(s, k, colour)
    remove(b.citizens[colour], visitors)
    remove(b.worked, visitors)
    riding = riders(s, k, colour)
    b.riders[colour] -= riding
    for _ in range(count(visitors) + riding):
        to_hall(s, colour)


@kernel
def eat(s, k, spaces):
    """Send everybody on these spaces to the reserve of his colour (G5, G9)."""
    b = s.borough[k]
    for p in range(SEATS):
        eaten = of(b.citizens[p]) & spaces
        s.reserve[p] += count(eaten)
        remove(b.citizens[p], eaten)
    remove(b.worked, spaces)
    if b.built[Kind.TRAMWAY] > 0 and has(spaces, find(b, Kind.TRAMWAY)):
        for p in range(SEATS):
            s.reserve[p] += b.riders[p]
            b.riders[p] = 0
    if overlap(pilgrims(s, k), spaces):
        s.pilgrim = 0
        s.pilgrim_of = 0


@kernel
def free_of_people(b, spaces):
    """Those of the spaces that are usable and where nobody stands; a tram always has room (NB4)."""
    return spaces - (crowd(b) | unusable(b))


@kernel
def is_pilgrim(s, k, space):
    """Whether the one who sets out from a space is the Pilgrim; he never sets out from a tram (AS9)."""
    return has(pilgrims(s, k), space) and not is_tram(s.borough[k], space)


@kernel
def pilgrim_moves(s, k, start, goal):
    """Update the Pilgrim's space if it is he who moves within borough k (AS9)."""
    if is_pilgrim(s, k, start):
        s.pilgrim = goal + 1
