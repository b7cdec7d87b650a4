"""Resample what a seat cannot see, for planning without hidden information."""

from ..library import kernel
from .borough import HALL_WAY, lay
from .phases.build import begin_turn
from .phases.screens import secret
from .phases.setup import draw_promise, draw_special
from .placing import all_spots
from .rng import below
from .spaces import count, nth
from .supply import put_back_builds
from .tables import Ask, Phase
from .tables.tiles import Kind


@kernel
def determinize(s, seat, stream):
    """Resample what a seat cannot see: chance, others' secret promises; builds behind screens are undone."""
    s.stream = stream
    if secret(s):
        for p in range(s.rules.players):
            if p != seat:
                _forget_builds(s, p)
        if s.phase == Phase.BUILD and s.seat != seat:
            _begin_build_again(s)
    for p in range(s.rules.players):
        if p != seat:
            _put_back(s.borough[p])
    for p in range(s.rules.players):
        if p != seat:
            _draw_again(s, p)


@kernel
def _forget_builds(s, p):
    """Replace what is behind a screen by what was shown; a hidden City Hall is placed at random."""
    placed = s.borough[p].built[Kind.CITY_HALL] > s.shown[p].built[Kind.CITY_HALL]
    s.borough[p] = s.shown[p]
    put_back_builds(s, p)
    if placed:
        spots = all_spots(s, p, Kind.CITY_HALL, False)
        lay(s.borough[p], Kind.CITY_HALL, HALL_WAY, nth(spots, below(s, count(spots))))


@kernel
def _begin_build_again(s):
    """Restart the turn of whoever is building behind a screen, since the others have seen nothing of it."""
    begin_turn(s)
    s.ask = Ask.WHAT
    s.kind = Kind.NONE
    s.upgrade = 0
    s.anchor = 0
    s.warehouse_due = 0


@kernel
def _put_back(b):
    """Return secret promises to their piles; a negative number marks that one was held."""
    b.promise = -b.promise
    b.special = -b.special


@kernel
def _draw_again(s, p):
    """Draw a promise of the same difficulty, or a special one of the same condition (SU3, AD1)."""
    if s.borough[p].promise < 0:
        draw_promise(s, p)
    if s.borough[p].special < 0:
        draw_special(s, p)
