"""Phase 8: the Mayor's next visit (section 11), and the end of the game (E1)."""

from ...library import kernel
from .. import modules
from ..spaces import NOWHERE, put
from ..tables import SEATS, Ask, Card, Phase
from ..turns import enter, next_clockwise, playing

PARTING = 1  # part of the phase: the Pilgrim has been sent


@kernel
def proceed(s):
    """What the modules do first; then the Mayor goes on and the next round begins, or the game ends."""
    if s.part == 0:
        s.part = PARTING
        modules.visit(s)
        return
    _next_host(s)
    _clear_round(s)
    if s.round_no == s.rules.rounds:
        enter(s, Phase.OVER)
    else:
        s.round_no += 1
        enter(s, Phase.SELECT)


@kernel
def _next_host(s):
    """Whoever took card A and is still in, else one seat clockwise (P8.1)."""
    if s.next_host > 0 and playing(s, s.next_host - 1):
        s.host = s.next_host - 1
    else:
        s.host = next_clockwise(s, s.host)
    s.next_host = 0


@kernel
def _clear_round(s):
    """Clear the round: cards, Mayor and workers; flood money becomes ordinary money (AS7)."""
    for p in range(SEATS):
        b = s.borough[p]
        b.card = Card.NONE
        b.cleaned = 0
        b.busy_factories = 0
        b.flood = 0
        put(b.worked, NOWHERE)
        put(b.mayor, NOWHERE)


@kernel
def end(s):
    """End the game."""
    s.ask = Ask.OVER
    s.seat = 0
