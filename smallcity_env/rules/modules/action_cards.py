"""New action cards: Physician and Artist (AC1 - AC3)."""

from .._jit import kernel
from ..borough import at_place, cells
from ..people import mine
from ..rng import below
from ..spaces import count, each, of
from ..tables import Card, Family, Place
from ..tables.cards import ALL_CARDS, BASE_CARDS
from ..tables.expansions import PHYSICIAN_LEVEL, SPECIALIST_VOTES
from ..tables.tiles import TILES


@kernel
def lay_cards(s):
    """Lay out 8 of the ten cards, chosen at random (AC1)."""
    for card in range(1, ALL_CARDS + 1):
        s.circle[card] = 1
    for taken in range(ALL_CARDS - BASE_CARDS):
        k = below(s, ALL_CARDS - taken)
        for card in range(1, ALL_CARDS + 1):
            if s.circle[card] != 0:
                if k == 0:
                    s.circle[card] = 0
                    break
                k -= 1


@kernel
def votes(s, p):
    """The Physician's workers of level-3 factories (AC2), the Artist's in the Museum (AC3)."""
    b = s.borough[p]
    working = mine(s, p, p) & of(b.worked)
    if b.card == Card.ARTIST:
        return SPECIALIST_VOTES * count(working & at_place(s, p, Place.MUSEUM))
    n = 0
    if b.card == Card.PHYSICIAN:
        for t in each(of(b.firsts) & of(b.family[Family.FACTORY])):
            if TILES[b.kind[t]].level == PHYSICIAN_LEVEL:
                n += SPECIALIST_VOTES * count(working & cells(b, t))
    return n
