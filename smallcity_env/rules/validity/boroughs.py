"""Boroughs: tiles on their spaces, people and things where they can be, and everything derived from it."""

import numpy as np

from .._jit import kernel
from ..borough import PRINTED_TILES, crowd, hall, rooms_of, stored
from ..limits import word_of
from ..phases.screens import secret
from ..schema import BOROUGH
from ..spaces import NOWHERE, SQUARE, count, each, has, inside, meet, of, some, tile
from ..tables import (
    COLUMNS,
    DISCS,
    POWER_ROUNDS,
    ROUNDS,
    ROWS,
    SEATS,
    SIDE,
    SPACES,
    START_ZONE,
    UPGRADING,
    Family,
    Phase,
)
from ..tables.maps import BUILDABLE, GROWS, PRINTED
from ..tables.shapes import ANCHORS, MOST_WAYS
from ..tables.tiles import KINDS, TILES, Kind
from .faults import Fault

BYTES_OF_WORD = 2
PAIR = 2  # spaces the Mayor stands on, and a godzilla
BOROUGH_WORDS = BOROUGH.itemsize // BYTES_OF_WORD
FIRST_WORD = np.array([word_of("borough"), word_of("shown")])


@kernel
def wrong_borough(s, words):
    """What is wrong with a borough, or with what it shows to others, and whose it is."""
    if s.rules.rounds != (POWER_ROUNDS if s.rules.power_plants else ROUNDS):
        return Fault.ROUNDS, 0
    for p in range(SEATS):
        seated = p < s.rules.players
        if not seated and (s.rules.board[p] != 0 or not _blank(words, 0, p)):
            return Fault.NOBODY, p
        wrong = _borough(s, p, s.borough[p]) if seated else Fault.NONE
        if wrong != Fault.NONE:
            return wrong, p
        screened = seated and secret(s) and (s.phase == Phase.SETUP or s.turn >= 0)
        if not screened and not _blank(words, 1, p):
            return Fault.SHOWN, p
        if screened and not _shown_fits(s, p):
            return Fault.SHOWN, p
    return Fault.NONE, 0


@kernel
def _shown_fits(s, p):
    """Whether what a borough shows to others is a borough with the same people."""
    b, shown = s.borough[p], s.shown[p]
    alive, before = b.career + b.riders[p], shown.career + shown.riders[p]
    same = alive + count(of(b.citizens[p])) == before + count(of(shown.citizens[p]))
    return same and _borough(s, p, shown) == Fault.NONE


@kernel
def _blank(words, shown, p):
    """Whether a borough is empty, byte by byte."""
    start = FIRST_WORD[shown] + p * BOROUGH_WORDS
    bits = words[start]
    for i in range(start, start + BOROUGH_WORDS):
        bits |= words[i]
    return bits == 0


@kernel
def _borough(s, p, b):
    """What is wrong with a borough."""
    wrong = _tiles(s, p, b)
    if wrong != Fault.NONE:
        return wrong
    halls = b.built[Kind.CITY_HALL]
    if halls > 1 or (halls == 0 and not (s.phase == Phase.SETUP and s.part == 0)):
        return Fault.HALL
    if not _people_fit(s, p, b):
        return Fault.PEOPLE
    if not _materials_fit(s, b):
        return Fault.MATERIALS
    if not _ground_fits(s, p, b):
        return Fault.GROUND
    return Fault.NONE if _discs_fit(b) else Fault.COUNCIL


@kernel
def _tiles(s, p, b):
    """What is wrong with the tiles and the zone of a borough: everything derived is derived again."""
    tiled = NOWHERE
    turned, later = 0, 0  # tiles not in the first way, spaces not of a tile that begins on A1
    for t in each(b.firsts):
        if not _lies(b, t) or meet(tiled, tile(b.way[t], t)):
            return Fault.TILE
        spaces = tile(b.way[t], t)
        tiled |= spaces
        turned += b.way[t] != 0
        later += count(spaces) if t > 0 else 0
        for space in each(spaces):
            if b.first[space] != t:
                return Fault.TABLES
    if not _same(tiled, of(b.tiled)) or not _listed(b, turned, later) or not _counted(b):
        return Fault.TABLES
    board = s.rules.board[p]
    grows = GROWS[board] != 0
    land = of(SQUARE[b.zone_side]) & of(BUILDABLE[board])
    if not _same(of(b.zone), land | tiled) or b.zone_side < (START_ZONE if grows else SIDE):
        return Fault.ZONE
    return Fault.NONE if _printed_stand(b, board) else Fault.PRINTED


@kernel
def _lies(b, t):
    """Whether the tile at t is of some kind and lies one of its ways round, on the map."""
    kind, way = b.kind[t], b.way[t]
    if not 0 < kind < KINDS or way >= MOST_WAYS or not has(of(ANCHORS[way]), t):
        return False
    for i in range(TILES[kind].ways):
        if TILES[kind].way[i] == way:
            return True
    return False


@kernel
def _same(a, b):
    """Whether two sets are equal."""
    return inside(a, b) and inside(b, a)


@kernel
def _listed(b, turned, later):
    """Whether the tables by space hold nothing but the tiles."""
    kinds, ways, firsts = 0, 0, 0
    for space in range(SPACES):
        kinds += b.kind[space] != 0
        ways += b.way[space] != 0
        firsts += b.first[space] != 0
    return kinds == count(of(b.firsts)) and ways == turned and firsts == later


@kernel
def _counted(b):
    """Whether families, counts by kind and the place of City Hall agree with the tiles."""
    built = np.zeros(KINDS, np.int64)
    place, spaces = 0, 0
    for t in each(b.firsts):
        kind = b.kind[t]
        built[kind] += 1
        if kind == Kind.CITY_HALL:
            place = t
        family = TILES[kind].family
        if family != Family.OTHER:
            spaces += TILES[kind].spaces
            if not inside(tile(b.way[t], t), of(b.family[family])):
                return False
    for family in range(UPGRADING):
        spaces -= count(of(b.family[family]))
    for kind in range(KINDS):
        if built[kind] != b.built[kind]:
            return False
    return spaces == 0 and b.hall == place and inside(of(b.fresh), of(b.firsts))


@kernel
def _printed_stand(b, board):
    """Whether the printed tiles that belong to no family still stand."""
    for i in range(PRINTED_TILES):
        kind, first = PRINTED[board, i, 0], PRINTED[board, i, -1]
        if kind != Kind.NONE and TILES[kind].family == Family.OTHER and b.kind[first] != kind:
            return False
    return True


@kernel
def _people_fit(s, p, b):
    """Whether people stand on people spaces, one on each, and all of them play."""
    places = NOWHERE
    for t in each(b.firsts):
        places |= rooms_of(b, s.rules.board[p], t)
    standing = NOWHERE
    tram = b.built[Kind.TRAMWAY] > 0
    for colour in range(SEATS):
        own = of(b.citizens[colour])
        if meet(standing, own) or (b.riders[colour] > 0 and not tram):
            return False
        if colour >= s.rules.players and (some(own) or b.riders[colour] > 0):
            return False
        standing |= own
    if s.phase == Phase.SETUP and s.part == 0 and some(standing):
        return False
    return inside(standing, places | hall(b)) and inside(of(b.worked), standing)


@kernel
def _materials_fit(s, b):
    """Whether materials lie in stores or on empty land, one on each space and nobody there; none at first."""
    lying = NOWHERE
    for i in range(len(b.materials)):
        if meet(lying, of(b.materials[i])):
            return False
        lying |= of(b.materials[i])
    if s.phase == Phase.SETUP and some(lying):
        return False
    stores = NOWHERE
    for t in each(b.firsts):
        kind = b.kind[t]
        if kind == Kind.CITY_HALL or kind == Kind.WAREHOUSE or kind == Kind.PORT:
            stores |= tile(b.way[t], t)
    return inside(lying, stores | (of(b.zone) - of(b.tiled))) and not meet(lying, crowd(b) | of(b.mayor))


@kernel
def _ground_fits(s, p, b):
    """Whether graves, markers, the godzilla, the Mayor and parks that grow are where they can be."""
    zone, tiled = of(b.zone), of(b.tiled)
    if meet(of(b.cemetery), tiled | stored(b)) or not inside(of(b.cemetery), zone):
        return False
    if not inside(of(b.markers) | of(b.godzilla) | of(b.mayor), zone) or count(of(b.godzilla)) > PAIR:
        return False
    if some(of(b.mayor)) and (p != s.host or count(of(b.mayor)) != PAIR):
        return False
    if meet(of(b.mayor), tiled - hall(b)) or meet(of(b.mayor), crowd(b)):
        return False
    return inside(of(b.growing) | of(b.growing_later), of(b.family[Family.PARK]))


@kernel
def _discs_fit(b):
    """Whether there are at most two discs, each in a column."""
    discs = 0
    for row in range(ROWS):
        if b.council[row] > COLUMNS:
            return False
        discs += b.council[row] > 0
    return discs <= DISCS
