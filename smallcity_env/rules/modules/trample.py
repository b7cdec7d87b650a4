"""A godzilla tramples: it leaves its start, walks, eats and leaves Radiation (G6 - G9)."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import cells, find, hall
from ..people import eat
from ..questions import Question
from ..spaces import (
    NOWHERE,
    add,
    at,
    beside,
    each,
    east,
    first,
    has,
    nonempty,
    north,
    of,
    overlap,
    put,
    south,
    west,
)
from ..storage import lose
from ..tables import Ask, Phase, Way
from ..tables.tiles import Kind
from ..turns import mover
from . import doctors

ARRIVING, LEAVING, WALKING, GONE = range(4)  # stages of a host's turn
WAYS = len(Way)
HALF_TURN = 2  # quarter turns; an odd number of them is sideways


@kernel
def mark(s, b, space):
    """A Radiation marker on a space that has none, as far as the supply lasts (G1, G8)."""
    if s.markers > 0 and not has(of(b.markers), space):
        s.markers -= 1
        add(b.markers, at(space))
        lose(b, at(space))


@kernel
def devour(s, p, spaces):
    """People are eaten, materials lost, the Doctor too; the Mayor in City Hall steps aside (G9)."""
    b = s.borough[p]
    eat(s, p, spaces)
    lose(b, spaces)
    clinic = find(b, Kind.CLINIC)
    if clinic >= 0 and overlap(cells(b, clinic), spaces):
        doctors.leaves(s, p)
    if overlap(of(b.mayor), spaces & hall(b)):
        put(b.mayor, NOWHERE)


@kernel
def ahead(space, way):
    """The next space this way, as a set; empty beyond the map."""
    here = at(space)
    if way == Way.NORTH:
        return north(here)
    if way == Way.EAST:
        return east(here)
    if way == Way.SOUTH:
        return south(here)
    return west(here)


@kernel
def _leads_out(s, b, space, way):
    """Whether this way leads off the whole start into the zone (G6)."""
    return overlap(ahead(space, way), of(b.zone) - of(s.start))


@kernel
def exits(s):
    """The spaces of the start it can leave by (G6)."""
    b = s.borough[mover(s)]
    leading_out = NOWHERE
    for space in each(s.start):
        for way in range(WAYS):
            if _leads_out(s, b, space, way):
                leading_out |= at(space)
    return leading_out


@kernel
def leaves(s, p):
    """Choose the way out; without one it stays (G6)."""
    s.steps_left = s.die[p]
    s.stage = WALKING
    if nonempty(exits(s)):
        s.ask = Ask.LEAVE
    else:
        s.stage = GONE


@kernel
def apply_leave(s, action):
    """Take the space of the start it leaves by."""
    s.space = action - actions.AT
    s.ask = Ask.LEAVE_WAY


@kernel
def legal_leave_way(s, legal):
    """The ways off the start from that space (G6)."""
    b = s.borough[mover(s)]
    for way in range(WAYS):
        legal[actions.HEADING + way] = _leads_out(s, b, s.space, way)


@kernel
def apply_leave_way(s, action):
    """The first step, off the whole start; a godzilla that stayed leaves its markers (G4, G8)."""
    p = mover(s)
    b = s.borough[p]
    old = of(b.godzilla) if s.stayed else NOWHERE
    s.heading = action - actions.HEADING
    s.tail = s.space
    s.head = first(ahead(s.space, s.heading))
    s.space = 0
    _enter(s, p)
    for space in each(old - of(b.godzilla)):
        mark(s, b, space)
    put(s.start, at(s.tail) - old)


@kernel
def _enter(s, p):
    """It enters the space at its head and stands on head and tail."""
    b = s.borough[p]
    s.steps_left -= 1
    put(b.godzilla, at(s.head) | at(s.tail))
    devour(s, p, at(s.head))


@kernel
def walks(s, p):
    """Straight on, turning only where the next space is not in the zone (G7)."""
    b = s.borough[p]
    if s.steps_left == 0:
        _stops(s, p)
    elif overlap(ahead(s.head, s.heading), of(b.zone)):
        _step(s, p)
    elif _turns(s, b) > 1:
        s.ask = Ask.TURN
    elif _turns(s, b) == 1:
        for way in range(WAYS):
            if may_turn(b, s.head, s.heading, way, of(b.markers)):
                s.heading = way
                break
        _step(s, p)
    elif enclosed(b, s.head, s.tail):
        _stops(s, p)
    else:
        _turn_back(s, p)


@kernel
def enclosed(b, head, tail):
    """Whether no way leads from the tail to a third space: two spaces cut off from the rest of the zone."""
    return not overlap(beside(at(tail)), of(b.zone) - at(head))


@kernel
def _turn_back(s, p):
    """In a dead end head and tail change places: no step, no marker (G7)."""
    s.head, s.tail = s.tail, s.head
    s.heading = (s.heading + HALF_TURN) % WAYS
    devour(s, p, at(s.head))


@kernel
def _sideways(b, head, heading, way):
    """Whether it could turn that way: not on, not back, into the zone."""
    return (way - heading) % HALF_TURN != 0 and overlap(ahead(head, way), of(b.zone))


@kernel
def may_turn(b, head, heading, way, markers):
    """Whether it may turn that way: sideways, and to the unmarked side if only one is marked (G7)."""
    if not _sideways(b, head, heading, way):
        return False
    other = (way + HALF_TURN) % WAYS
    marked = overlap(ahead(head, way), markers)
    return not (marked and _sideways(b, head, heading, other) and not overlap(ahead(head, other), markers))


@kernel
def _turns(s, b):
    """The number of ways it may turn."""
    n = 0
    for way in range(WAYS):
        n += may_turn(b, s.head, s.heading, way, of(b.markers))
    return n


@kernel
def legal_turn(s, legal):
    """Both or neither side marked: the player chooses (G7)."""
    b = s.borough[mover(s)]
    for way in range(WAYS):
        legal[actions.HEADING + way] = may_turn(b, s.head, s.heading, way, of(b.markers))


@kernel
def apply_turn(s, action):
    """Turn, and walk on."""
    s.heading = action - actions.HEADING
    _step(s, mover(s))


@kernel
def _step(s, p):
    """Move one space; the space its tail leaves gets a marker, its start only after a return to it (G8)."""
    b = s.borough[p]
    left = s.tail
    s.tail = s.head
    s.head = first(ahead(s.head, s.heading))
    if not has(of(s.start), left):
        mark(s, b, left)
    put(s.start, NOWHERE)
    _enter(s, p)


@kernel
def _stops(s, p):
    """It stands on the last two spaces of its walk; nobody survives there (G8, G9)."""
    devour(s, p, of(s.borough[p].godzilla))
    s.stage = GONE


QUESTIONS = [
    Question(
        Ask.LEAVE,
        (Phase.POLLUTION,),
        spaces=exits,
        apply=apply_leave,
        brief=lazy("from which space does the godzilla walk off?"),
        asks=lazy("By which space does the godzilla leave?"),
        help=lazy(
            "It walks as many spaces as its die shows ({die}), straight on until the edge of the zone. "
            "Where it walks people are eaten, materials are lost, and Radiation is left on all spaces "
            "but the last two."
        ),
        at=lazy("the godzilla leaves by {space}"),
    ),
    Question(
        Ask.LEAVE_WAY,
        (Phase.POLLUTION,),
        legal=legal_leave_way,
        apply=apply_leave_way,
        brief=lazy("which way does the godzilla walk?"),
        asks=lazy("Which way does it walk from {here}? The die shows {die}."),
        help=lazy("Straight on, until the edge of the zone."),
    ),
    Question(
        Ask.TURN,
        (Phase.POLLUTION,),
        legal=legal_turn,
        apply=apply_turn,
        brief=lazy("which way does the godzilla turn?"),
        asks=lazy("Which way does it turn, with {steps} to go?"),
        help=lazy("It cannot go on: the zone ends here."),
    ),
]
