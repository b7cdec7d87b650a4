"""Real buildings: Big Ben and the Sydney Opera House (RB1 - RB3)."""

from ...language import lazy, lazy_n
from ...library import kernel
from ..borough import cells, clean_family, find, influence_of, leave, lift, stand, to_hall, works
from ..people import colour_at, free_of_people, pilgrim_moves
from ..spaces import NOWHERE, add, around, at, count, each, first, has, nonempty, of, touching
from ..tables import Family
from ..tables.declare import Expansion, Place, Tile
from ..tables.expansions import BEN_ADVANCES, BEN_PARKS, OPERA_VOTES
from ..tables.tiles import TILES, Kind
from ..zone import growth_edge

EXPANSION = Expansion(
    rules="RB1 - RB3 [S]",
    tiles=(
        Tile("BIG_BEN", "Bb", ("O1",), "SSS", materials=(1, 1, 1), supply=1, sizes=(1, 1), whole=True,
             once=True),
        Tile("OPERA", "Op", ("O4",), "RSS", money=10, supply=1, place=Place.OPERA, rooms=1, whole=True,
             once=True, title=lazy("Sydney Opera House")),
    ),
)  # fmt: skip
ABOUT = lazy("Big Ben and the Sydney Opera House, at most one of each in the game.")
TILE_HELP = {
    Kind.BIG_BEN: lazy_n(
        "Each round {n} free advance in the council.",
        "Each round {n} free advances in the council.",
        BEN_ADVANCES,
    ),
    Kind.OPERA: lazy_n(
        "A citizen who hears it gives {n} vote. It is demolished if the zone grows.",
        "A citizen who hears it gives {n} votes. It is demolished if the zone grows.",
        OPERA_VOTES,
    ),
}
TILE_NEEDS = {
    Kind.BIG_BEN: lazy_n(
        "{n} park space, a home, a shop and City Hall around it",
        "{n} park spaces, a home, a shop and City Hall around it",
        BEN_PARKS,
    ),
    Kind.OPERA: lazy("to touch a growth edge of the zone"),
}


@kernel
def meeting(s, p, kind, way, spots):
    """Big Ben among parks, homes, shops and City Hall (RB1); the Opera at a growth edge (RB2)."""
    b = s.borough[p]
    if kind == Kind.OPERA:
        return spots & touching(way, growth_edge(b))
    if kind == Kind.BIG_BEN:
        near = spots & around(clean_family(b, Family.RESIDENTIAL))
        near &= around(clean_family(b, Family.COMMERCIAL))
        return _among_parks(b, near & influence_of(b, Kind.CITY_HALL))
    return spots


@kernel
def _among_parks(b, spots):
    """Those of the spots with five park spaces around them (RB1)."""
    parks = clean_family(b, Family.PARK)
    allowed = NOWHERE
    for anchor in each(spots):
        spot = at(anchor)
        if count(parks & around(spot)) >= BEN_PARKS:
            allowed |= spot
    return allowed


@kernel
def grown(s, p):
    """The zone has grown: the Opera House is out of the game, its guest goes to City Hall (RB2)."""
    b = s.borough[p]
    t = find(b, Kind.OPERA)
    if t < 0:
        return
    lift(b, t)
    guest = colour_at(s, p, t)
    if guest >= 0:
        leave(b, guest, t)
        to_hall(s, guest)


@kernel
def _best_home(b):
    """The first free space of the largest residential tile that has one (RB3), or -1."""
    best, level = -1, 0
    for t in each(of(b.firsts) & of(b.family[Family.RESIDENTIAL])):
        room = free_of_people(b, cells(b, t))
        if nonempty(room) and TILES[b.kind[t]].level > level:
            best, level = first(room), TILES[b.kind[t]].level
    return best


@kernel
def opera_votes(s, p, workers):
    """The votes of a citizen who heard the opera (RB3)."""
    t = find(s.borough[p], Kind.OPERA)
    return OPERA_VOTES if t >= 0 and has(workers, t) else 0


@kernel
def opera(s, p, workers):
    """A citizen who heard the opera goes home at once (RB3)."""
    b = s.borough[p]
    t = find(b, Kind.OPERA)
    if t < 0 or not has(workers, t):
        return
    home = _best_home(b)
    if home >= 0:
        colour = colour_at(s, p, t)
        leave(b, colour, t)
        stand(b, colour, home)
        add(b.worked, at(home))
        pilgrim_moves(s, p, t, home)


@kernel
def free_advances(s, p):
    """How many free advances a player has: Big Ben's (RB1)."""
    return BEN_ADVANCES if works(s.borough[p], Kind.BIG_BEN) else 0
