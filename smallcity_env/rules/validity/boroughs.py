"""Boroughs: tiles on their spaces, people and things where they can be, and everything derived from it."""

import numpy as np

from ...library import kernel, stack
from ..borough import PRINTED_TILES, crowd, hall, rooms_of, stored
from ..limits import word_of
from ..phases.screens import secret
from ..schema import BOROUGH
from ..spaces import NOWHERE, SQUARE, count, each, has, inside, nonempty, of, overlap, tile
from ..tables import (
    ALL_ROUNDS,
    COLUMNS,
    DISCS,
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
LIES = np.zeros((KINDS, MOST_WAYS), np.bool_)  # the ways round a tile of each kind can lie
for _kind in Kind:
    LIES[_kind, TILES[_kind].way[: TILES[_kind].ways]] = True
STORES = np.isin(np.arange(KINDS), [Kind.CITY_HALL, Kind.WAREHOUSE, Kind.PORT])


_by_kind = stack(KINDS, np.int64)


@kernel
def wrong_borough(s, words):
    """What is wrong with a borough, or with what it shows to others, and whose it is."""
    if s.rules.rounds > ALL_ROUNDS[s.rules.power_plants]:
        return Fault.ROUNDS, 0
    built = _by_kind()
    for p in range(SEATS):
        seated = p < s.rules.players
        if not seated and (s.rules.board[p] != 0 or not _blank(words, 0, p)):
            return Fault.NOBODY, p
        wrong = _borough(s, p, s.borough[p], built) if seated else Fault.NONE
        if wrong != Fault.NONE:
            return wrong, p
        screened = seated and secret(s) and (s.phase == Phase.SETUP or s.turn >= 0)
        if not screened and not _blank(words, 1, p):
            return Fault.SHOWN, p
        if screened and not _shown_as_it_is(words, p) and not _shown_fits(s, p, built):
            return Fault.SHOWN, p
    return Fault.NONE, 0


@kernel
def _shown_fits(s, p, built):
    """Whether what a borough shows to others is a borough with the same people."""
    b, shown = s.borough[p], s.shown[p]
    alive, before = b.career + b.riders[p], shown.career + shown.riders[p]
    same = alive + count(of(b.citizens[p])) == before + count(of(shown.citizens[p]))
    return same and _borough(s, p, shown, built) == Fault.NONE


@kernel
def _shown_as_it_is(words, p):
    """Whether a borough and what it shows to others are the same, byte by byte."""
    real, shown = FIRST_WORD[0] + p * BOROUGH_WORDS, FIRST_WORD[1] + p * BOROUGH_WORDS
    bits = words[real] ^ words[shown]
    for i in range(1, BOROUGH_WORDS):
        bits |= words[real + i] ^ words[shown + i]
    return bits == 0


@kernel
def _blank(words, shown, p):
    """Whether a borough is empty, byte by byte."""
    start = FIRST_WORD[shown] + p * BOROUGH_WORDS
    bits = words[start]
    for i in range(start, start + BOROUGH_WORDS):
        bits |= words[i]
    return bits == 0


@kernel
def _borough(s, p, b, built):
    """What is wrong with a borough; `built` is room to count the tiles of every kind in."""
    wrong, places, stores = _tiles(s, p, b, built)
    if wrong != Fault.NONE:
        return wrong
    halls = b.built[Kind.CITY_HALL]
    if halls > 1 or (halls == 0 and not (s.phase == Phase.SETUP and s.part == 0)):
        return Fault.HALL
    if not _people_fit(s, b, places):
        return Fault.PEOPLE
    if not _materials_fit(s, b, stores):
        return Fault.MATERIALS
    if not _ground_fits(s, p, b):
        return Fault.GROUND
    return Fault.NONE if _discs_fit(b) else Fault.COUNCIL


@kernel
def _tiles(s, p, b, built):
    """What is wrong with the tiles and the zone: everything derived is derived again.

    Also returns the people spaces and the stores among the tiles.
    """
    tiled, places, stores = NOWHERE, NOWHERE, NOWHERE
    board = s.rules.board[p]
    place, in_family = 0, 0  # of City Hall; spaces of tiles with a family
    rotated, later = 0, 0  # tiles not in the first way, spaces not of a tile that begins on A1
    built[:] = 0
    for t in each(b.firsts):
        kind, way = b.kind[t], b.way[t]
        if not _lies(kind, way, t):
            return Fault.TILE, places, stores
        spaces = tile(way, t)
        if overlap(tiled, spaces):
            return Fault.TILE, places, stores
        tiled |= spaces
        row = TILES[kind]
        rotated += way != 0
        later += row.spaces if t > 0 else 0
        built[kind] += 1
        if kind == Kind.CITY_HALL:
            place = t
        if row.family != Family.OTHER:
            in_family += row.spaces
            if not inside(spaces, of(b.family[row.family])):
                return Fault.TABLES, places, stores
        for space in each(spaces):
            if b.first[space] != t:
                return Fault.TABLES, places, stores
        places |= rooms_of(b, board, t)
        if STORES[kind]:
            stores |= spaces
    agree = _same(tiled, of(b.tiled)) and _listed(b, rotated, later) and _counted(b, built, in_family)
    if not agree or b.hall != place:
        return Fault.TABLES, places, stores
    land = of(SQUARE[b.zone_side]) & of(BUILDABLE[board])
    if not _same(of(b.zone), land | tiled) or b.zone_side < (START_ZONE if GROWS[board] != 0 else SIDE):
        return Fault.ZONE, places, stores
    return (Fault.NONE if _printed_stand(b, board) else Fault.PRINTED), places, stores


@kernel
def _lies(kind, way, t):
    """Whether a tile at t is of some kind and lies one of its ways round, on the map."""
    if not 0 < kind < KINDS or not 0 <= way < MOST_WAYS:
        return False
    return LIES[kind, way] and has(of(ANCHORS[way]), t)


@kernel
def _same(a, b):
    """Whether two sets are equal."""
    return inside(a, b) and inside(b, a)


@kernel
def _listed(b, rotated, later):
    """Whether the tables by space hold nothing but the tiles."""
    kinds, ways, firsts = 0, 0, 0
    for space in range(SPACES):
        kinds += b.kind[space] != 0
        ways += b.way[space] != 0
        firsts += b.first[space] != 0
    return kinds == count(of(b.firsts)) and ways == rotated and firsts == later


@kernel
def _counted(b, built, in_family):
    """Whether families and counts by kind agree with the tiles."""
    spaces, wrong = 0, 0
    for family in range(UPGRADING):
        spaces += count(of(b.family[family]))
    for kind in range(KINDS):
        wrong |= built[kind] ^ b.built[kind]
    return wrong == 0 and spaces == in_family and inside(of(b.just_built), of(b.firsts))


@kernel
def _printed_stand(b, board):
    """Whether the printed tiles that belong to no family still stand."""
    for i in range(PRINTED_TILES):
        kind, first = PRINTED[board, i, 0], PRINTED[board, i, -1]
        if kind != Kind.NONE and TILES[kind].family == Family.OTHER and b.kind[first] != kind:
            return False
    return True


@kernel
def _people_fit(s, b, places):
    """Whether people stand on people spaces, one on each, and all of them play."""
    standing = NOWHERE
    tram = b.built[Kind.TRAMWAY] > 0
    for colour in range(SEATS):
        own = of(b.citizens[colour])
        if overlap(standing, own) or (b.riders[colour] > 0 and not tram):
            return False
        if colour >= s.rules.players and (nonempty(own) or b.riders[colour] > 0):
            return False
        standing |= own
    if s.phase == Phase.SETUP and s.part == 0 and nonempty(standing):
        return False
    return inside(standing, places | hall(b)) and inside(of(b.worked), standing)


@kernel
def _materials_fit(s, b, stores):
    """Whether materials lie in stores or on empty land, one on each space and nobody there; none at first."""
    lying = NOWHERE
    for i in range(len(b.materials)):
        if overlap(lying, of(b.materials[i])):
            return False
        lying |= of(b.materials[i])
    if s.phase == Phase.SETUP and nonempty(lying):
        return False
    return inside(lying, stores | (of(b.zone) - of(b.tiled))) and not overlap(lying, crowd(b) | of(b.mayor))


@kernel
def _ground_fits(s, p, b):
    """Whether graves, markers, the godzilla, the Mayor and parks that grow are where they can be."""
    zone, tiled = of(b.zone), of(b.tiled)
    if overlap(of(b.cemetery), tiled | stored(b)) or not inside(of(b.cemetery), zone):
        return False
    if not inside(of(b.markers) | of(b.godzilla) | of(b.mayor), zone) or count(of(b.godzilla)) > PAIR:
        return False
    if nonempty(of(b.mayor)) and (p != s.host or count(of(b.mayor)) != PAIR):
        return False
    if overlap(of(b.mayor), tiled - hall(b)) or overlap(of(b.mayor), crowd(b)):
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
