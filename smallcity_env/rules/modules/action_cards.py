"""New action cards: Physician and Artist (AC1 - AC3)."""

import numpy as np

from ...language import lazy, lazy_n
from ...library import kernel
from ..borough import at_place, cells
from ..people import mine
from ..rng import below
from ..spaces import count, each, of
from ..tables import Card, Family, Place
from ..tables.cards import BASE_CARDS, MODULE
from ..tables.declare import Expansion
from ..tables.expansions import PHYSICIAN_LEVEL, SPECIALIST_VOTES
from ..tables.modules import number_of
from ..tables.tiles import TILES

EXPANSION = Expansion(rules="AC1 - AC3 [S]", cards=("PHYSICIAN", "ARTIST"))
_OWN = number_of("action_cards")
CARD_HELP = {
    Card.PHYSICIAN: lazy_n(
        "{n} vote for each worker of your level-{level} factories",
        "{n} votes for each worker of your level-{level} factories",
        SPECIALIST_VOTES,
        level=PHYSICIAN_LEVEL,
    ),
    Card.ARTIST: lazy_n(
        "{n} vote for each citizen working in your Museum",
        "{n} votes for each citizen working in your Museum",
        SPECIALIST_VOTES,
    ),
}
TEN = np.flatnonzero((MODULE == 0) | (MODULE == _OWN))[1:]  # the cards that 8 are chosen from
ABOUT = lazy(
    "The Physician and the Artist; {n} of {all} cards are laid out each round.", n=BASE_CARDS, all=len(TEN)
)


@kernel
def lay_cards(s):
    """Lay out 8 of the ten cards, chosen at random (AC1)."""
    for card in TEN:
        s.circle[card] = 1
    for taken in range(len(TEN) - BASE_CARDS):
        k = below(s, len(TEN) - taken)
        for card in TEN:
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
