"""Ulaanbaatar: the leader sends a Pilgrim to the Monastery (AS9)."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import contaminated, find, hall, hall_citizens, hall_room, leave, stand, to_hall
from ..people import is_tram
from ..questions import Question
from ..spaces import at, count, has, nonempty, of
from ..tables import Ask, Phase
from ..tables.maps import Board
from ..tables.tiles import Kind
from ..turns import playing, seat_of, seat_on

TO_HALL, TO_CAREER = 1, 2  # where the Pilgrim came back to


@kernel
def _take_away(s, k):
    """Remove the Pilgrim from borough k; return his colour."""
    b = s.borough[k]
    space, colour = s.pilgrim - 1, s.pilgrim_of
    if is_tram(b, space):
        b.riders[colour] -= 1
    else:
        leave(b, colour, space)
    s.pilgrim = 0
    s.pilgrim_of = 0
    return colour


@kernel
def comes_back(s):
    """The Pilgrim goes to his owner's City Hall, the city's own to its Career Center (AS9)."""
    k = seat_on(s, Board.ULAANBAATAR)
    s.returned = 0
    if k < 0 or s.pilgrim == 0:
        return
    colour = _take_away(s, k)
    if colour == k or not nonempty(hall_room(s.borough[colour])):
        s.returned = TO_CAREER
        s.borough[colour].career += 1
    else:
        s.returned = TO_HALL
        to_hall(s, colour)


@kernel
def _leader(s):
    """The player with the most votes of those still in, first in turn order (AS9)."""
    best = -1
    for turn in range(s.rules.players):
        p = seat_of(s, turn)
        if playing(s, p) and (best < 0 or s.borough[p].votes > s.borough[best].votes):
            best = p
    return best


@kernel
def candidates(s, p):
    """Whom the leader may send: anyone in his borough but the one who has just come back (AS9)."""
    b = s.borough[p]
    own = of(b.citizens[p])
    if b.riders[p] > 0:
        own |= at(find(b, Kind.TRAMWAY))
    alone = count(hall_citizens(b, p)) == 1
    if s.sender == p + 1 and s.returned == TO_HALL and alone:
        own = own - hall(b)
    return own


@kernel
def sends(s):
    """The leader sends a Pilgrim, but not in the last round (AS9)."""
    k = seat_on(s, Board.ULAANBAATAR)
    if k < 0 or s.round_no == s.rules.rounds:
        _nobody(s)
        return
    monastery = find(s.borough[k], Kind.MONASTERY)
    leader = _leader(s)
    if contaminated(s.borough[k], monastery):
        _nobody(s)
    elif leader == k:
        _sends_own(s, k, monastery)
    elif nonempty(candidates(s, leader)):
        s.seat = leader
        s.ask = Ask.PILGRIM
    else:
        _nobody(s)


@kernel
def _nobody(s):
    """Clear the Pilgrim."""
    s.sender = 0
    s.returned = 0


@kernel
def _sends_own(s, k, monastery):
    """The city's player leads: one of his Career Center, not the one just back (AS9)."""
    b = s.borough[k]
    needed = 1 + (s.sender == k + 1 and s.returned == TO_CAREER)
    if b.career < needed:
        _nobody(s)
        return
    b.career -= 1
    _place(s, k, k, monastery)


@kernel
def _place(s, k, colour, monastery):
    """Place the Pilgrim on the Monastery."""
    stand(s.borough[k], colour, monastery)
    s.pilgrim = monastery + 1
    s.pilgrim_of = colour
    s.sender = colour + 1
    s.returned = 0


@kernel
def apply_pilgrim(s, action):
    """Send the chosen citizen on his way."""
    p, k = s.seat, seat_on(s, Board.ULAANBAATAR)
    b = s.borough[p]
    space = action - actions.AT
    if has(of(b.citizens[p]), space):
        leave(b, p, space)
    else:
        b.riders[p] -= 1
    _place(s, k, p, find(s.borough[k], Kind.MONASTERY))


@kernel
def leaves_game(s, p):
    """An eliminated owner's Pilgrim goes to the reserve; in an eliminated city he goes home (P6.2)."""
    if s.pilgrim == 0:
        return
    for k in range(s.rules.players):
        if s.rules.board[k] == Board.ULAANBAATAR and (k == p or s.pilgrim_of == p):
            colour = _take_away(s, k)
            if playing(s, colour):
                to_hall(s, colour)
            else:
                s.reserve[colour] += 1
            return


@kernel
def chosen_from(s):
    """Who can be sent by the seat being asked."""
    return candidates(s, s.seat)


QUESTIONS = [
    Question(
        Ask.PILGRIM,
        (Phase.VISIT,),
        spaces=chosen_from,
        apply=apply_pilgrim,
        brief=lazy("who becomes the Pilgrim?"),
        asks=lazy("Who becomes the Pilgrim?"),
        help=lazy("He spends the next round in Ulaanbaatar."),
        at=lazy("the citizen at {space} becomes the Pilgrim"),
    ),
]
