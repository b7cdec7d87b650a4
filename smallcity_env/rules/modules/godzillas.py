"""Godzillas: break, wake, arrive, and the Engineer's cleaning (G1 - G5, G11); they walk in trample.py."""

import numpy as np

from ...language import lazy, lazy_n
from ...library import kernel, stack
from .. import actions
from ..borough import cells, find, kind_at, spaces_of, tile_at
from ..questions import Question
from ..rng import below
from ..spaces import (
    NOWHERE,
    at,
    beside,
    count,
    each,
    east,
    first,
    inside,
    nonempty,
    north,
    of,
    put,
    remove,
    rest,
    south,
    west,
)
from ..tables import SEATS, Ask, Card, Family, Phase
from ..tables.declare import Expansion
from ..tables.expansions import CLEANED, DIE, GODZILLAS, MARKERS, METAL_AND_STONE, WAKE_ROUND
from ..tables.tiles import TILES, Kind
from ..turns import mover, playing, previous_turn, seat_of
from .trample import ARRIVING, GONE, LEAVING, devour, leaves, mark, walks

EXPANSION = Expansion(
    rules="G1 - G13 [S]",
    questions=("ENGINEER", "CLEAN", "ARRIVE", "ARRIVE_BESIDE", "LEAVE", "LEAVE_WAY", "TURN"),
)
ABOUT = lazy(
    "From round {round} up to {n} godzillas trample through the boroughs, eat whoever is in their way and "
    "leave Radiation.",
    round=WAKE_ROUND,
    n=GODZILLAS[-1],
)


@kernel
def set_up(s):
    """The supply of markers and godzillas (C4)."""
    s.markers = MARKERS
    s.godzillas = GODZILLAS[s.rules.players]


# -- break and wake


@kernel
def take_break(s):
    """In reverse turn order every godzilla goes back and leaves two markers; not in solo (G1)."""
    for i in range(s.rules.players):
        b = s.borough[seat_of(s, s.rules.players - 1 - i)]
        if nonempty(of(b.godzilla)):
            for space in each(b.godzilla):
                mark(s, b, space)
            put(b.godzilla, NOWHERE)
            s.godzillas += 1


_by_seat = stack(SEATS, np.int64)


@kernel
def _attracts_more(dice, level, footprint, p, q):
    """Whether p is higher than q by die, then pollution level, then factory spaces (G2)."""
    if dice[p] != dice[q]:
        return dice[p] > dice[q]
    if level[p] != level[q]:
        return level[p] > level[q]
    return footprint[p] > footprint[q]


@kernel
def wake(dice, level, footprint, in_game, hosts):
    """Who hosts: everybody except the lowest and those tied with him in everything; solo, the player (G2)."""
    players = len(dice)
    for p in range(players):
        hosts[p] = players == 1 and in_game[p]
        for q in range(players):
            if in_game[p] and in_game[q] and _attracts_more(dice, level, footprint, p, q):
                hosts[p] = True


@kernel
def roll_hosts(s):
    """Roll for every player still in and note the hosts; return whether anybody tramples (G2)."""
    players = s.rules.players
    if players > 1:
        take_break(s)
    if s.round_no < WAKE_ROUND:
        return False
    level, footprint, in_game = _by_seat(), _by_seat(), _by_seat()
    for turn in range(players):
        p = seat_of(s, turn)
        in_game[p] = playing(s, p)
        s.die[p] = 1 + below(s, DIE) if in_game[p] else 0
        level[p] = s.borough[p].pollution
        footprint[p] = _footprint(s, s.borough[p])
    wake(s.die[:players], level, footprint, in_game, s.hosts)
    s.turn = players
    previous_turn(s)
    return True


@kernel
def _footprint(s, b):
    """Factory spaces (G2); by the rules of 2016 those of the Refinery and the Harbor too (G13)."""
    n = count(of(b.family[Family.FACTORY]))
    if s.rules.godzillas_2016:
        for kind in (Kind.REFINERY, Kind.HARBOR):
            n += b.built[kind] * TILES[kind].spaces
    return n


@kernel
def next_walk(s):
    """In reverse turn order each host places and walks (G6); return whether all have."""
    if s.turn < 0:
        _forget(s)
        return True
    p = mover(s)
    if s.hosts[p] == 0 or s.stage == GONE:
        previous_turn(s)
    elif s.stage == ARRIVING:
        _arrives(s, p)
    elif s.stage == LEAVING:
        leaves(s, p)
    else:
        walks(s, p)
    return False


@kernel
def _forget(s):
    """Clear the fields used by the walks."""
    for p in range(SEATS):
        s.die[p] = 0
        s.hosts[p] = 0
    put(s.start, NOWHERE)
    s.stayed = 0
    s.steps_left = 0
    s.heading = 0
    s.head = 0
    s.tail = 0
    s.space = 0


# -- arriving


@kernel
def _arrives(s, p):
    """First time: Harbor or biggest factory (G3); again: on markers (G4); solo: where it stands."""
    b = s.borough[p]
    s.stayed = nonempty(of(b.godzilla))
    if s.stayed:
        _set_start(s, b, of(b.godzilla))
    elif nonempty(of(b.markers)):
        s.ask = Ask.ARRIVE
    elif b.built[Kind.HARBOR] > 0:
        harbor = cells(b, find(b, Kind.HARBOR))
        _appear(s, p, at(first(harbor)) | at(first(rest(harbor))), harbor)
    elif nonempty(of(b.family[Family.FACTORY])):
        s.ask = Ask.ARRIVE
    else:
        s.stage = GONE


@kernel
def _biggest_factories(b):
    """The first spaces of the factories of the highest level (G3)."""
    biggest = NOWHERE
    level = 0
    for t in each(of(b.firsts) & of(b.family[Family.FACTORY])):
        if TILES[b.kind[t]].level > level:
            level = TILES[b.kind[t]].level
            biggest = NOWHERE
        if TILES[b.kind[t]].level == level:
            biggest |= at(t)
    return biggest


@kernel
def _pairs(b):
    """Markers with a marker right of or below them: the first space of every pair (G4)."""
    markers = of(b.markers)
    return markers & (west(markers) | north(markers))


@kernel
def arrivals(s):
    """Where it may arrive: a factory's first space, a pair of markers, or a lone one (G3, G4)."""
    b = s.borough[mover(s)]
    if not nonempty(of(b.markers)):
        return _biggest_factories(b)
    pairs = _pairs(b)
    return pairs if nonempty(pairs) else of(b.markers)


@kernel
def apply_arrive(s, action):
    """Take the first of its two spaces, or the factory it arrives at."""
    p = mover(s)
    b = s.borough[p]
    s.space = action - actions.AT
    if not nonempty(of(b.markers)):
        factory = cells(b, s.space)
        if count(factory) > 1:
            if count(factory) == METAL_AND_STONE:
                _appear(s, p, rest(factory), factory)
            else:
                _appear(s, p, factory, factory)
            return
    if nonempty(second_spaces(s)):
        s.ask = Ask.ARRIVE_BESIDE
    else:
        _appear(s, p, at(s.space), at(s.space))


@kernel
def second_spaces(s):
    """Its second space: the other marker of the pair, an adjacent one, or any but the Refinery's (G13)."""
    b = s.borough[mover(s)]
    here = at(s.space)
    if nonempty(_pairs(b)):
        return of(b.markers) & (east(here) | south(here))
    if s.rules.godzillas_2016 and not nonempty(of(b.markers)):
        return of(b.zone) - here - spaces_of(b, Kind.REFINERY)
    return of(b.zone) & beside(here)


@kernel
def apply_arrive_beside(s, action):
    """Take its second space, and let it appear."""
    p = mover(s)
    b = s.borough[p]
    both_spaces = at(s.space) | at(action - actions.AT)
    if nonempty(of(b.markers)):
        _appear(s, p, both_spaces, NOWHERE)
    else:
        _appear(s, p, both_spaces, at(s.space))  # G6: it starts from the level-1 factory


@kernel
def _appear(s, p, spaces, start):
    """It stands there; whoever stood there is eaten (G5). `start`: the tile of G3, if any."""
    b = s.borough[p]
    s.godzillas -= 1
    s.space = 0
    put(b.godzilla, spaces)
    devour(s, p, spaces)
    _set_start(s, b, start if nonempty(start) else spaces)


@kernel
def _set_start(s, b, spaces):
    """The start of the walk: the tile its spaces lie on, or the spaces themselves (G6)."""
    t = first(spaces)
    if kind_at(b, t) != Kind.NONE and inside(spaces, cells(b, tile_at(b, t))):
        spaces = cells(b, tile_at(b, t))
    put(s.start, spaces)
    s.stage = LEAVING


# -- the Engineer


@kernel
def takes_card(s, p, card):
    """The Engineer cleans two markers or has his old effect; without markers only the latter (G11)."""
    if card == Card.ENGINEER:
        s.ask = Ask.ENGINEER


@kernel
def legal_engineer(s, legal):
    """Offer the Engineer's two effects (G11)."""
    legal[actions.OLD_EFFECT] = True
    legal[actions.CLEAN] = nonempty(of(s.borough[mover(s)].markers))


@kernel
def apply_engineer(s, action):
    """Begin cleaning, which replaces the old effect, or keep that (G11)."""
    if action == actions.CLEAN:
        b = s.borough[mover(s)]
        b.cleaned = 1
        s.to_clean = min(CLEANED, count(of(b.markers)))
        s.ask = Ask.CLEAN


@kernel
def _group(markers, space):
    """The markers connected to this one."""
    group = at(space)
    grown = markers & (group | beside(group))
    while count(grown) > count(group):
        group = grown
        grown = markers & (group | beside(group))
    return group


@kernel
def cleanable(s):
    """Markers whose removal does not split their group (G11)."""
    markers = of(s.borough[mover(s)].markers)
    removable = NOWHERE
    for space in each(markers):
        others = _group(markers, space) - at(space)
        if not nonempty(others) or inside(others, _group(others, first(others))):
            removable |= at(space)
    return removable


@kernel
def apply_clean(s, action):
    """Return one marker to the supply, then ask for the next (G11)."""
    b = s.borough[mover(s)]
    remove(b.markers, at(action - actions.AT))
    s.markers += 1
    s.to_clean -= 1
    if s.to_clean > 0:
        s.ask = Ask.CLEAN


@kernel
def leaves_game(s, p):
    """An eliminated player's godzilla goes back without leaving markers (P6.2)."""
    b = s.borough[p]
    if nonempty(of(b.godzilla)):
        put(b.godzilla, NOWHERE)
        s.godzillas += 1


QUESTIONS = [
    Question(
        Ask.ENGINEER,
        (Phase.SELECT,),
        legal=legal_engineer,
        apply=apply_engineer,
        brief=lazy("the Engineer: clean, or the old effect?"),
        asks=lazy("What does the Engineer do?"),
        help=lazy_n(
            "He removes {n} Radiation marker now, or your production does not pollute this round.",
            "He removes {n} Radiation markers now, or your production does not pollute this round.",
            CLEANED,
        ),
    ),
    Question(
        Ask.CLEAN,
        (Phase.SELECT,),
        spaces=cleanable,
        apply=apply_clean,
        brief=lazy("which Radiation marker to remove?"),
        asks=lazy("Which marker does he remove?"),
        help=lazy("None may split a group of markers."),
        at=lazy("remove the marker at {space}"),
    ),
    Question(
        Ask.ARRIVE,
        (Phase.POLLUTION,),
        spaces=arrivals,
        apply=apply_arrive,
        brief=lazy("where does the godzilla appear?"),
        asks=lazy("Where does the godzilla appear?"),
        help=lazy(
            "On a factory the first time, on two markers when it has been here. Whoever stands there is"
            " eaten."
        ),
        at=lazy("the godzilla appears at {space}"),
    ),
    Question(
        Ask.ARRIVE_BESIDE,
        (Phase.POLLUTION,),
        spaces=second_spaces,
        apply=apply_arrive_beside,
        brief=lazy("... and on which other space?"),
        asks=lazy("Which other space does it stand on?"),
        help=lazy("Whoever stands there is eaten."),
        at=lazy("... and at {space}"),
    ),
]
