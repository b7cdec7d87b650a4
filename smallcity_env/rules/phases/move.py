"""Phase 3: move citizens (section 6)."""

import numpy as np

from ...language import lazy, lazy_n
from ...library import kernel
from .. import actions, modules
from ..borough import (
    KINDS_AT,
    PLACE_OF,
    any_built,
    at_place,
    family_rooms,
    from_hall,
    hall_citizens,
    hall_room,
    of_no_family,
    rooms,
    to_hall,
    works,
)
from ..people import (
    active,
    arrive,
    depart,
    free_of_people,
    is_pilgrim,
    is_tram,
    mine,
    pilgrim_moves,
    place_at,
    riders,
)
from ..questions import Question
from ..spaces import NOWHERE, add, at, count, each, first, nonempty, of, put, remove, rest
from ..tables import (
    METRO_TOURISTS,
    MUSEUM_FEE,
    SEATS,
    SHOP_MONEY,
    SHOP_VOTES,
    TOURIST_FEE,
    TOURISTS,
    UPGRADING,
    Ask,
    Family,
    Phase,
    Place,
)
from ..tables.tiles import TILES, Kind
from ..turns import enter, mover, next_turn, playing, start_turns, turns_over

BEGIN, MOVING, LEAVING_HALL, ARRIVING = range(4)  # stages of a turn
_ABROAD = (Place.COMMERCIAL, Place.FACTORY, Place.MUSEUM, Place.TRAMWAY)  # where Tourists may go (P3.2)
_CLOSED = (Place.NOBODY, Place.CITY_HALL, Place.MONASTERY)  # where nobody may go, even at home (P3.1)
# by place: whether people may go there, at home and abroad
WELCOMES = np.array([[place not in _CLOSED, place in _ABROAD] for place in Place])
OPEN_AT_HOME, OPEN_ABROAD = (np.array(sorted({*KINDS_AT[at].flat} - {Kind.NONE})) for at in WELCOMES.T)


@kernel
def proceed(s):
    """In turn order each does A, B, C and D in one go (P3.0)."""
    if s.part == 1:
        modules.end_of_move(s)
        if s.ask == Ask.NONE:
            enter(s, Phase.INCOME)
    elif s.turn < 0:
        start_turns(s)
    elif turns_over(s):
        _forget_turn(s)
        s.part = 1
    elif s.stage == BEGIN:
        _begin_turn(s)
    elif s.stage == MOVING:
        _next_citizen(s)
    elif s.stage == LEAVING_HALL:
        _next_in_hall(s)
    else:
        _newcomers(s)
        next_turn(s)


@kernel
def reach(s, p, k):
    """The number of Tourists player p may send to borough k in a round (P3.2)."""
    if k == p or not playing(s, k):
        return 0
    if works(s.borough[p], Kind.METRO):
        return METRO_TOURISTS
    distance, players = abs(k - p), s.rules.players
    return TOURISTS if distance == 1 or distance == players - 1 else 0


@kernel
def open_spaces(s, p, k):
    """The people spaces of borough k free to player p as his turn begins (P3.1)."""
    b, abroad = s.borough[k], int(k != p)
    spaces = NOWHERE
    if abroad and reach(s, p, k) == 0:
        return spaces
    for family in range(UPGRADING):
        if WELCOMES[PLACE_OF[family], abroad]:
            spaces |= family_rooms(s, k, family)
    if any_built(b, OPEN_ABROAD if abroad else OPEN_AT_HOME):
        for t in each(of_no_family(b)):
            if WELCOMES[TILES[b.kind[t]].place, abroad]:
                spaces |= rooms(s, k, t)
    return free_of_people(b, spaces)


@kernel
def _begin_turn(s):
    """Note who is to be asked and which spaces are free as the turn begins."""
    p = mover(s)
    for k in range(s.rules.players):
        put(s.free[k], open_spaces(s, p, k))
        put(s.waiting[k], active(s, p) if k == p else mine(s, p, k))
        s.waiting_riders[k] = riders(s, k, p)
        s.sent[k] = 0
        if s.waiting_riders[k] > 0:
            tram = at_place(s, k, Place.TRAMWAY)
            add(s.waiting[k], tram)
    s.stage = MOVING


@kernel
def _forget_turn(s):
    """Clear the fields of the last turn."""
    for k in range(SEATS):
        put(s.free[k], NOWHERE)
        put(s.waiting[k], NOWHERE)
        s.waiting_riders[k] = 0
        s.sent[k] = 0
    s.asked_borough = 0
    s.space = 0


# -- A


@kernel
def _next_citizen(s):
    """The next citizen to be asked: at home in reading order, then abroad by seat (P3.1)."""
    p = mover(s)
    if nonempty(of(s.waiting[p])):
        _ask_citizen(s, p)
        return
    for k in range(s.rules.players):
        if nonempty(of(s.waiting[k])):
            _ask_citizen(s, k)
            return
    s.stage = LEAVING_HALL


@kernel
def _ask_citizen(s, k):
    """Ask the first one waiting in borough k; a tram's riders one after the other."""
    space = first(of(s.waiting[k]))
    if is_tram(s.borough[k], space):
        s.waiting_riders[k] -= 1
    if not is_tram(s.borough[k], space) or s.waiting_riders[k] == 0:
        put(s.waiting[k], rest(of(s.waiting[k])))
    s.asked_borough = k
    s.space = space
    s.ask = Ask.MOVE


@kernel
def goals(s, k):
    """Where in borough k the citizen being asked may go: to another kind of place (P3.1)."""
    p = mover(s)
    here = place_at(s.borough[s.asked_borough], s.space)
    open_to = of(s.free[k]) - at_place(s, k, here)
    if s.asked_borough != p and s.borough[k].built[Kind.RECYCLING] > 0:
        open_to = open_to - at_place(s, k, Place.RECYCLING)  # NB3
    return open_to


@kernel
def legal_move(s, legal):
    """Staying, and the boroughs the citizen may go abroad to; the caller adds the spaces at home."""
    p = mover(s)
    legal[actions.NO] = True
    if s.asked_borough != p or is_pilgrim(s, p, s.space):
        return
    for k in range(s.rules.players):
        if k != p and s.sent[k] < reach(s, p, k) and nonempty(goals(s, k)):
            legal[actions.SEAT + k] = True


@kernel
def apply_move(s, action):
    """The citizen stays, moves at home, or goes abroad."""
    p = mover(s)
    if action == actions.NO:
        if s.asked_borough != p:  # nobody stays abroad two rounds (P3.2)
            to_hall(s, depart(s, p, s.asked_borough, s.space))
    elif action >= actions.SEAT:
        s.destination = action - actions.SEAT
        s.ask = Ask.ABROAD
    else:
        _go(s, p, action - actions.AT)


@kernel
def apply_abroad(s, action):
    """Make the citizen a Tourist (P3.2)."""
    k = s.destination
    s.destination = 0
    s.sent[k] += 1
    _go(s, k, action - actions.AT)


@kernel
def _go(s, k, space):
    """Move the citizen being asked to a space of borough k, which is no longer free."""
    colour = depart(s, mover(s), s.asked_borough, s.space)
    pilgrim_moves(s, s.asked_borough, s.space, space)
    arrive(s, colour, k, space)
    modules.enters(s, k, space)
    if not is_tram(s.borough[k], space):
        remove(s.free[k], at(space))


# -- B


@kernel
def small_homes(s, p):
    """Level-1 residences free to a citizen of City Hall (P3.3)."""
    b = s.borough[p]
    residences = of(b.family[Family.RESIDENTIAL])
    free = of(s.free[p]) & residences
    if b.built[Kind.RESIDENTIAL_1] == count(of(b.firsts) & residences):  # there are no others
        return free
    homes = NOWHERE
    for space in each(free):
        if b.kind[b.first[space]] == Kind.RESIDENTIAL_1:
            homes |= at(space)
    return homes


@kernel
def _next_in_hall(s):
    """One citizen of City Hall after the other, until one stays (P3.3)."""
    p = mover(s)
    if nonempty(hall_citizens(s.borough[p], p)) and nonempty(small_homes(s, p)):
        s.ask = Ask.HOME
    else:
        s.stage = ARRIVING


@kernel
def apply_home(s, action):
    """He moves into a level-1 residence, or stays and nobody else is asked."""
    if action == actions.NO:
        s.stage = ARRIVING
        return
    p = mover(s)
    space = action - actions.AT
    from_hall(s, p)
    arrive(s, p, p, space)
    remove(s.free[p], at(space))


# -- C and D


@kernel
def _newcomers(s):
    """One new citizen for every empty factory space, while City Hall has room (P3.4)."""
    p = mover(s)
    b = s.borough[p]
    jobs = count(free_of_people(b, of(b.family[Family.FACTORY])))
    for _ in range(jobs):
        if b.career > 0 and nonempty(hall_room(b)):
            b.career -= 1
            to_hall(s, p)
    modules.passengers(s, p)


@kernel
def goals_at_home(s):
    """Where the citizen being asked about can go at home."""
    return goals(s, s.seat)


@kernel
def goals_abroad(s):
    """Where the Tourist being sent can go."""
    return goals(s, s.destination)


@kernel
def legal_home(s, legal):
    """Offer to stay in City Hall (P3.3)."""
    legal[actions.NO] = True


@kernel
def homes_of_hall(s):
    """The homes a citizen of City Hall can move into (P3.3)."""
    return small_homes(s, s.seat)


QUESTIONS = [
    Question(
        Ask.MOVE,
        (Phase.MOVE,),
        legal=legal_move,
        spaces=goals_at_home,
        apply=apply_move,
        brief=lazy("where does the citizen at {here} go?"),
        asks=lazy("Where does the citizen at {here} go?"),
        help=lazy(
            "Each active citizen moves once, to another kind of place than where he is, or stays. Only "
            "one who moved works: at home he votes in Phase 5, in a shop he earns (a: ${money}, b: a "
            "material for money, c: {votes}, d: a material for votes), in a factory he makes the "
            "material of his space, and pollutes.",
            money=SHOP_MONEY,
            votes=lazy_n("{n} vote", "{n} votes", SHOP_VOTES),
        ),
        at=lazy("the citizen at {here} goes to {space}"),
        no=lazy("the citizen at {here} stays"),
    ),
    Question(
        Ask.ABROAD,
        (Phase.MOVE,),
        spaces=goals_abroad,
        apply=apply_abroad,
        brief=lazy("which space of {destination} for the Tourist?"),
        asks=lazy("To which space of the borough of {destination} does he go?"),
        help=lazy(
            "What the space gives is yours; your host gets ${fee}, in a Museum ${museum}.",
            fee=TOURIST_FEE,
            museum=MUSEUM_FEE,
        ),
        at=lazy("the citizen at {here} goes to {space} in the borough of {destination}"),
    ),
    Question(
        Ask.HOME,
        (Phase.MOVE,),
        legal=legal_home,
        spaces=homes_of_hall,
        apply=apply_home,
        brief=lazy("does a citizen leave City Hall for a home?"),
        asks=lazy("Which home does a citizen of City Hall move into?"),
        help=lazy("From City Hall people go to homes of level 1 only; there they vote this round."),
        at=lazy("a citizen of City Hall moves in at {space}"),
        no=lazy("nobody else leaves City Hall"),
    ),
]
