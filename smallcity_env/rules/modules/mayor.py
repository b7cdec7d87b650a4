"""The Mayor variant: he speaks from City Hall (M1 - M4)."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import crowd, hall, hall_room
from ..people import at_tram
from ..questions import Question
from ..spaces import around, count, east, fits, has, nonempty, north, of, overlap, put, south, tile, west
from ..tables import SEATS, Ask, Phase
from ..tables.declare import Expansion
from ..tables.expansions import LISTENERS
from ..tables.shapes import WAYS_OF

EXPANSION = Expansion(rules="M1 - M4 [S]", questions=("SPEECH", "SPEECH_WAY"))
ABOUT = lazy(
    "The Mayor speaks from City Hall instead of parading; up to {n} listeners give his host a vote each.",
    n=LISTENERS,
)
ACROSS, DOWN = WAYS_OF["I2"]


@kernel
def speech(s):
    """With two adjacent empty spaces in the host's City Hall he must stand there (M1)."""
    if nonempty(starts(s)):
        s.seat = s.host
        s.ask = Ask.SPEECH


@kernel
def starts(s):
    """The first spaces of the pairs he can stand on."""
    room = hall_room(s.borough[s.host])
    return fits(ACROSS, room) | fits(DOWN, room)


@kernel
def apply_speech(s, action):
    """Take the first of his two spaces."""
    s.space = action - actions.AT
    s.ask = Ask.SPEECH_WAY


@kernel
def legal_speech_way(s, legal):
    """Offer the spaces beside it and below it."""
    room = hall_room(s.borough[s.host])
    legal[actions.WAY] = has(fits(ACROSS, room), s.space)
    legal[actions.WAY + 1] = has(fits(DOWN, room), s.space)


@kernel
def apply_speech_way(s, action):
    """Place the Mayor; nothing else enters the two spaces (M2)."""
    way = ACROSS if action == actions.WAY else DOWN
    put(s.borough[s.host].mayor, tile(way, s.space))
    s.space = 0


@kernel
def may_invite(s, p):
    """Whether card A can be taken: two adjacent empty spaces, the Mayor's own counting (M3)."""
    b = s.borough[p]
    room = hall_room(b) | (of(b.mayor) & hall(b))
    return overlap(room, east(room) | south(room))


@kernel
def audience(b):
    """The six spaces outside City Hall on the Mayor's side (M4)."""
    mayor = of(b.mayor)
    other = hall(b) - mayor
    lying = nonempty(east(mayor) & mayor)
    beyond = east(other) | west(other) if lying else north(other) | south(other)
    return around(mayor) - (hall(b) | beyond)


@kernel
def votes(s, p):
    """One vote for each listener, worked or not, his own voters and Tourists too (M4)."""
    b = s.borough[p]
    if not nonempty(of(b.mayor) & hall(b)):
        return 0
    near = audience(b)
    n = count(crowd(b) & near)
    for colour in range(SEATS):
        n += at_tram(b, colour, near)
    return min(n, LISTENERS)


QUESTIONS = [
    Question(
        Ask.SPEECH,
        (Phase.SELECT,),
        spaces=starts,
        apply=apply_speech,
        brief=lazy("where in City Hall does the Mayor speak?"),
        asks=lazy("Where in your City Hall does the Mayor speak?"),
        help=lazy("On two spaces side by side."),
        at=lazy("the Mayor stands on {space} and the space beside it"),
    ),
    Question(
        Ask.SPEECH_WAY,
        (Phase.SELECT,),
        legal=legal_speech_way,
        apply=apply_speech_way,
        brief=lazy("which way does the Mayor stand?"),
        asks=lazy("Which two spaces does he take?"),
        help=lazy("He speaks to the six spaces on that side."),
    ),
]
