"""New buildings: Airport, Bank, Recycling Center, Tramway Station (NB1 - NB5)."""

from ...language import lazy, lazy_n
from ...library import kernel
from ..borough import at_place, cells, clean_family, find, influence_of, works
from ..people import active, mine
from ..spaces import NOWHERE, around, at, count, each, nonempty, of, overlap, touching
from ..tables import Family, Place
from ..tables.declare import Expansion, PromiseCard, Tile
from ..tables.expansions import BANK_INCOME, BANK_SAVES, PASSENGERS, RECYCLED, RECYCLERS, RESIDENCES_SAVED
from ..tables.tiles import Kind

EXPANSION = Expansion(
    rules="NB1 - NB5 [S]",
    tiles=(
        Tile("AIRPORT_8", "A8", ("R8",), "RSS", money=3, votes=5, materials=(1, 1, 1), supply=2, limit=1,
             warehouse=True, sizes=(8, 8)),
        Tile("AIRPORT_9", "A9", ("Q9",), "RSS", money=3, votes=5, materials=(1, 1, 1), supply=2, limit=1,
             warehouse=True, sizes=(9, 9)),
        Tile("BANK", "Ba", ("O4",), "RSS", money=2, supply=4, limit=1, place=Place.COMMERCIAL, rooms=1),
        Tile("RECYCLING", "Rc", ("L4",), "RSS", money=4, supply=4, limit=1, place=Place.RECYCLING, rooms=4,
             guests=True, title=lazy("Recycling Center")),
        Tile("TRAMWAY", "Tr", ("I5",), "RSS", money=2, supply=4, limit=1, place=Place.TRAMWAY, rooms=1,
             title=lazy("Tramway Station")),
    ),
    promises=(
        PromiseCard(33, lazy("Airport"), ("airport >= 1",), 12),
        PromiseCard(34, lazy("Bank"), ("bank >= 1",), 6),
        PromiseCard(35, lazy("Recycling"), ("recycling >= 1",), 12),
        PromiseCard(36, lazy("Tramway"), ("tramway >= 1",), 6),
    ),
)  # fmt: skip
ABOUT = lazy("Airport, Bank, Recycling Center, Tramway Station, and promises 33 to 36.")
_AIRPORT = lazy("Doubles the products of factories beside it; homes and shops beside it suffer noise.")
TILE_HELP = {
    Kind.AIRPORT_8: _AIRPORT,
    Kind.AIRPORT_9: _AIRPORT,
    Kind.BANK: lazy_n(
        "Shops cost ${saved} less and need {n} home fewer; a worker there earns ${income}.",
        "Shops cost ${saved} less and need {n} homes fewer; a worker there earns ${income}.",
        RESIDENCES_SAVED,
        saved=BANK_SAVES,
        income=BANK_INCOME,
    ),
    Kind.RECYCLING: lazy("Removes {n} pollution in a round in which your citizens work there.", n=RECYCLED),
    Kind.TRAMWAY: lazy_n(
        "Brings {n} citizen each round and holds any number of people.",
        "Brings {n} citizens each round and holds any number of people.",
        PASSENGERS,
    ),
}
TILE_NEEDS = {
    Kind.AIRPORT_8: lazy("a factory beside it"),
    Kind.AIRPORT_9: lazy("a factory beside it"),
    Kind.BANK: lazy("City Hall beside it"),
    Kind.RECYCLING: lazy_n(
        "{n} active citizen and no home beside it", "{n} active citizens and no home beside it", RECYCLERS
    ),
}


@kernel
def allows(s, p, kind):
    """Whether the player may have this one: one Airport of either size (C6)."""
    b = s.borough[p]
    if kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9:
        return b.built[Kind.AIRPORT_8] + b.built[Kind.AIRPORT_9] == 0
    return True


@kernel
def _enough_recyclers(s, p):
    """Whether a player has ten active citizens (NB3)."""
    return count(active(s, p)) + s.borough[p].riders[p] >= RECYCLERS


@kernel
def attainable(s, p, kinds):
    """Without a Recycling Center, if there are too few for it (NB3)."""
    return kinds if _enough_recyclers(s, p) else kinds - at(Kind.RECYCLING)


@kernel
def enough_stand(s, p, kind):
    """A Factory for an Airport (NB1), ten active citizens for a Recycling Center (NB3)."""
    b = s.borough[p]
    if kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9:
        return nonempty(of(b.family[Family.FACTORY]))
    return kind != Kind.RECYCLING or _enough_recyclers(s, p)


@kernel
def meeting(s, p, kind, way, spots):
    """Airport by a Factory (NB1), Bank by City Hall (NB2)."""
    b = s.borough[p]
    if kind == Kind.AIRPORT_8 or kind == Kind.AIRPORT_9:
        return spots & touching(way, around(clean_family(b, Family.FACTORY)))
    if kind == Kind.BANK:
        return spots & touching(way, influence_of(b, Kind.CITY_HALL))
    return spots


@kernel
def _airport_area(b):
    """The Influence Area of the Airport, unless it is contaminated (NB1, T3)."""
    return influence_of(b, Kind.AIRPORT_8) | influence_of(b, Kind.AIRPORT_9)


@kernel
def flown(b, busy):
    """The busy factory spaces whose tile the Airport influences (NB1)."""
    area = _airport_area(b)
    doubled = NOWHERE
    if nonempty(area):
        for t in each(of(b.firsts) & of(b.family[Family.FACTORY])):
            factory = cells(b, t)
            if overlap(factory, area):
                doubled |= factory & busy
    return doubled


@kernel
def noise(s, p):
    """One for every residential and commercial space the Airport influences (NB1)."""
    b = s.borough[p]
    lived_in = of(b.family[Family.RESIDENTIAL]) | of(b.family[Family.COMMERCIAL])
    return count(lived_in & _airport_area(b))


@kernel
def site_value(s, b, kind, near):
    """Greedy's value of the spaces around an Airport: factories are good, homes and shops are not."""
    if kind != Kind.AIRPORT_8 and kind != Kind.AIRPORT_9:
        return 0
    noisy = of(b.family[Family.RESIDENTIAL]) | of(b.family[Family.COMMERCIAL])
    return count(near & of(b.family[Family.FACTORY])) - count(near & noisy)


@kernel
def residences_saved(s, b):
    """The number of residences a commercial tile needs less with an uncontaminated Bank (NB2)."""
    return RESIDENCES_SAVED if b.built[Kind.BANK] > 0 and works(b, Kind.BANK) else 0


@kernel
def bank_saves(s, p, family):
    """The money saved on a commercial build with an uncontaminated Bank (NB2)."""
    b = s.borough[p]
    helps = family == Family.COMMERCIAL and b.built[Kind.BANK] > 0 and works(b, Kind.BANK)
    return BANK_SAVES if helps else 0


@kernel
def bank_income(s, k, workers):
    """What one of these workers earns in the Bank of borough k, for his own player (NB2)."""
    bank = find(s.borough[k], Kind.BANK)
    return BANK_INCOME if bank >= 0 and overlap(workers, at(bank)) else 0


@kernel
def recycled(s, p):
    """The pollution the Recycling Center removes if one of the player's citizens worked there (NB3)."""
    b = s.borough[p]
    if b.built[Kind.RECYCLING] == 0:
        return 0
    working = mine(s, p, p) & of(b.worked)
    return RECYCLED if overlap(working, at_place(s, p, Place.RECYCLING)) else 0


@kernel
def passengers(s, p):
    """One citizen from the reserve arrives by tram, and does not work this round (NB5)."""
    b = s.borough[p]
    if works(b, Kind.TRAMWAY):
        arriving = min(PASSENGERS, s.reserve[p])
        s.reserve[p] -= arriving
        b.riders[p] += arriving
