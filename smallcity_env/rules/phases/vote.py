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
            s.borough[p].votes += votes_at_home(s, p) + modules.votes(s, p)
    enter(s, Phase.POLLUTION)


@kernel
def voters(s, p):
    """Where the citizens stand at home who worked (P5.1)."""
    return mine(s, p, p) & of(s.borough[p].worked)


@kernel
def university_votes(s, p):
    """The votes of citizens in the University (P5.1)."""
    return UNIVERSITY_VOTES * count(voters(s, p) & at_place(s, p, Place.UNIVERSITY))


@kernel
def home_votes(s, p):
    """The votes of citizens in homes, by level (P5.1)."""
    b = s.borough[p]
    n = 0
    for t in each(of(b.firsts) & of(b.family[Family.RESIDENTIAL])):
        n += HOME_VOTES[TILES[b.kind[t]].level] * count(voters(s, p) & cells(b, t))
    return n


@kernel
def votes_at_home(s, p):
    """The votes of citizens who worked, in homes and in the University (P5.1)."""
    return home_votes(s, p) + university_votes(s, p)
