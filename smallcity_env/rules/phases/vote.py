"""Phase 5: vote (section 8)."""

from ...library import kernel
from .. import modules
from ..borough import at_place, cells
from ..people import mine
from ..spaces import count, each, of
from ..tables import HOME_VOTES, UNIVERSITY_VOTES, Family, Phase, Place
from ..tables.tiles import TILES
from ..turns import enter, playing


@kernel
def proceed(s):
    """Everybody's citizens at home vote; nothing is asked."""
    for p in range(s.rules.players):
        if playing(s, p):
            s.borough[p].votes += home_votes(s, p) + modules.votes(s, p)
    enter(s, Phase.POLLUTION)


@kernel
def home_votes(s, p):
    """The votes of citizens who worked, in homes by level and in the University (P5.1)."""
    b = s.borough[p]
    voters = mine(s, p, p) & of(b.worked)
    n = UNIVERSITY_VOTES * count(voters & at_place(s, p, Place.UNIVERSITY))
    for t in each(of(b.firsts) & of(b.family[Family.RESIDENTIAL])):
        n += HOME_VOTES[TILES[b.kind[t]].level] * count(voters & cells(b, t))
    return n
