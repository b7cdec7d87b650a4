"""Redraw what a seat cannot see: for planning that does not peek."""

from ._jit import kernel
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
    """Make it a game that looks the same to a seat: new chance, new secret promises, builds forgotten."""
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
    """What is behind a screen is taken to be what was shown; a hidden City Hall stands anywhere."""
    placed = s.borough[p].built[Kind.CITY_HALL] > s.shown[p].built[Kind.CITY_HALL]
    s.borough[p] = s.shown[p]
    put_back_builds(s, p)
    if placed:
        spots = all_spots(s, p, Kind.CITY_HALL, False)
        lay(s.borough[p], Kind.CITY_HALL, HALL_WAY, nth(spots, below(s, count(spots))))


@kernel
def _begin_build_again(s):
    """Whoever is building behind his screen has not begun, for all that the others know."""
    begin_turn(s)
    s.ask = Ask.WHAT
    s.kind = Kind.NONE
    s.upgrade = 0
    s.anchor = 0
    s.brings = 0


@kernel
def _put_back(b):
    """Secret promises go back to their piles; their number says later that there was one."""
    b.promise = -b.promise
    b.special = -b.special


@kernel
def _draw_again(s, p):
    """A promise of the same difficulty, a special one of the same condition (SU3, AD1)."""
    if s.borough[p].promise < 0:
        draw_promise(s, p)
    if s.borough[p].special < 0:
        draw_special(s, p)
