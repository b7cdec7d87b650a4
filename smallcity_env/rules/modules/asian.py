"""The Asian boards: what is special about each city (AS1 - AS8); Ulaanbaatar is in pilgrim.py."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import clean_family, contaminated, empty, influence_of, lay, lift
from ..people import place_at
from ..questions import Question
from ..spaces import (
    NOWHERE,
    add,
    at,
    beside,
    count,
    covering,
    each,
    first,
    fits,
    has,
    inside,
    nonempty,
    of,
    put,
    rest,
    tile,
    touching,
)
from ..supply import at_hand, return_tile, take_tile
from ..tables import Ask, Family, Phase, Place, Terrain
from ..tables.expansions import DELHI_DEATHS, DELHI_FIRST, DELHI_LAST, FLOOD_MONEY, FLOOD_ROUNDS, HARBOR_RIVER
from ..tables.maps import TERRAIN, Board
from ..tables.tiles import TILES, Kind
from ..turns import seat_on


@kernel
def _terrain(s, p, terrain):
    """The spaces of one terrain on a player's board."""
    return of(TERRAIN[s.rules.board[p], terrain])


@kernel
def flooded(s):
    """Whether Bangkok's plain is under water this round (AS7)."""
    for round_no in FLOOD_ROUNDS:
        if s.round_no == round_no:
            return True
    return False


@kernel
def ground(s, p, kind, upgrade, land):
    """What the city's ground allows: Imperial Park, flood plain and river, Delhi's homes."""
    board = s.rules.board[p]
    family = TILES[kind].family
    if board == Board.TOKYO:
        imperial = _terrain(s, p, Terrain.IMPERIAL)
        return land & imperial if family == Family.PARK else land - imperial
    if board == Board.BANGKOK:
        if kind == Kind.HARBOR:
            land |= _terrain(s, p, Terrain.RIVER) - of(s.borough[p].tiled)
        return land - _terrain(s, p, Terrain.FLOOD) if flooded(s) else land
    if board == Board.DELHI and family == Family.RESIDENTIAL and not upgrade:
        return land & _terrain(s, p, Terrain.DELHI)
    return land


@kernel
def harbor_spots(s, p, way, spots):
    """Bangkok's Harbor covers exactly two adjacent river spaces and two of land (AS7)."""
    river = _terrain(s, p, Terrain.RIVER)
    allowed = NOWHERE
    for anchor in each(spots):
        wet = tile(way, anchor) & river
        if count(wet) == HARBOR_RIVER and inside(rest(wet), beside(at(first(wet)))):
            allowed |= at(anchor)
    return allowed


@kernel
def park_spots(s, p, way, spots):
    """A new park of Tokyo lies beside an uncontaminated one, if there is one (AS5)."""
    parks = clean_family(s.borough[p], Family.PARK)
    return spots & touching(way, beside(parks)) if nonempty(parks) else spots


@kernel
def park_limits(s, p, kind):
    """In Tokyo only level-1 parks are built, none upgraded (AS5)."""
    row = TILES[kind]
    return s.rules.board[p] == Board.TOKYO and row.family == Family.PARK and row.level > 1


@kernel
def covers(s, p, covered):
    """Bangkok: each flood-plain space newly covered pays at once, but not for City Hall (AS7)."""
    if s.rules.board[p] == Board.BANGKOK and s.phase != Phase.SETUP:
        paid = FLOOD_MONEY * count(covered & _terrain(s, p, Terrain.FLOOD))
        s.borough[p].money += paid
        s.borough[p].flood += paid


@kernel
def shipped(b, busy):
    """The busy factory spaces in the Shanghai port's Influence Area (AS2)."""
    return busy & influence_of(b, Kind.PORT)


@kernel
def certain_deaths(s):
    """Delhi loses one citizen in each of rounds 5-8 (AS8)."""
    return DELHI_DEATHS if DELHI_FIRST <= s.round_no <= DELHI_LAST else 0


# -- Tokyo's parks grow


@kernel
def enters(s, k, space):
    """A citizen moved into a park of Tokyo: level 1 grows this round, level 2 the next (AS5)."""
    b = s.borough[k]
    if place_at(b, space) != Place.PARK:
        return
    park = b.first[space]
    if b.kind[park] == Kind.PARK_1:
        add(b.growing, at(park))
    elif b.kind[park] == Kind.PARK_2:
        add(b.growing_later, at(park))


@kernel
def next_park(s):
    """The next park that grows, in reading order; the ones of the next round move up at the end."""
    p = seat_on(s, Board.TOKYO)
    if p < 0:
        return
    b = s.borough[p]
    while nonempty(of(b.growing)):
        space = first(of(b.growing))
        put(b.growing, rest(of(b.growing)))
        if nonempty(growths(s, p, space)):
            s.seat = p
            s.space = space
            s.ask = Ask.PARK_GROWS
            return
    put(b.growing, of(b.growing_later))
    put(b.growing_later, NOWHERE)
    s.space = 0


@kernel
def growths(s, p, space):
    """The spaces the park could grow onto: empty, the next tile at hand, not contaminated (AS5)."""
    b = s.borough[p]
    t = b.first[space]
    kind = b.kind[t] + 1
    onto = NOWHERE
    if b.kind[t] == Kind.PARK_3 or not at_hand(s, p, kind) or contaminated(b, t):
        return onto
    old = tile(b.way[t], t)
    floor = empty(b) | old
    for i in range(TILES[kind].ways):
        way = TILES[kind].way[i]
        for anchor in each(fits(way, floor) & covering(way, old)):
            onto |= tile(way, anchor) - old
    return onto


@kernel
def apply_park_grows(s, action):
    """Lay the next tile over the park and the space chosen (AS5)."""
    p = s.seat
    b = s.borough[p]
    t = b.first[s.space]
    kind = b.kind[t] + 1
    spaces = tile(b.way[t], t) | at(action - actions.AT)
    return_tile(s, p, kind - 1)
    take_tile(s, p, kind)
    lift(b, t)
    for i in range(TILES[kind].ways):
        way = TILES[kind].way[i]
        if has(fits(way, spaces), first(spaces)):
            lay(b, kind, way, first(spaces))
            return


@kernel
def park_growths(s):
    """The spaces the park being asked about could grow onto."""
    return growths(s, s.seat, s.space)


QUESTIONS = [
    Question(
        Ask.PARK_GROWS,
        (Phase.MOVE,),
        spaces=park_growths,
        apply=apply_park_grows,
        brief=lazy("where does the park grow?"),
        asks=lazy("Onto which space does the park grow?"),
        help=lazy("A park grows where people came to it."),
        at=lazy("the park grows onto {space}"),
    ),
]
