"""What the rules conserve: citizens, tiles, plants, markers, godzillas, Doctors, cards."""

import numpy as np

from ...library import kernel, stack
from ..borough import PRINTED_TILES
from ..limits import word_of
from ..spaces import count, nonempty, of
from ..tables import CITIZENS, ELIMINATED_AT, HALL_START, RESERVE, SEATS, SIDE, Ask, Card, Phase
from ..tables.cards import ALL_CARDS
from ..tables.expansions import DOCTORS, GODZILLAS, MARKERS, PLANTS_IN_HAND
from ..tables.maps import PRINTED
from ..tables.tiles import FEWER, KINDS, PER_PLAYER, PLANT_KINDS, TILES, Kind
from ..turns import mover, seat_of
from .faults import Fault

TOOK_WORD = word_of("took")


_by_kind = stack(KINDS, np.int64)


@kernel
def wrong_count(s, words):
    """What there is too much or too little of."""
    tiles = _by_kind()
    for p in range(SEATS):
        if p < s.rules.players and _citizens(s, p) != CITIZENS + RESERVE:
            return Fault.CITIZENS, p
        if p >= s.rules.players and s.reserve[p] != 0:
            return Fault.CITIZENS, p
        if p < s.rules.players and not _plants_add_up(s, s.borough[p]):
            return Fault.PLANTS, p
        if p < s.rules.players and not _out_fits(s, p):
            return Fault.OUT, p
        if not _took_adds_up(s, p, words, tiles):
            return Fault.TOOK, p
    kind = _wrong_supply(s, tiles)
    if kind >= 0:
        return Fault.SUPPLY, kind
    return _things(s)


@kernel
def _citizens(s, p):
    """The citizens of a colour: alive, dead, in the reserve, or on their way (C5)."""
    n = s.reserve[p] + s.borough[p].career + count(of(s.borough[p].cemetery))
    for k in range(s.rules.players):
        n += count(of(s.borough[k].citizens[p])) + s.borough[k].riders[p]
    if s.phase == Phase.SETUP and s.part == 0:
        n += HALL_START
    if s.ask == Ask.GRAVE and mover(s) == p:
        n += 1
    return n


@kernel
def _whole_supply(s, kind):
    """All tiles of a kind before the game (section 2)."""
    n = TILES[kind].supply
    if n == PER_PLAYER:
        return s.rules.players + 0
    return max(s.rules.players - 1, 1) if n == FEWER else n


@kernel
def _add_taken(s, p, b, tiles):
    """Add how many tiles of each kind came from the supply: not printed ones, nor plants in hand."""
    for kind in range(KINDS):
        tiles[kind] += b.built[kind]
    board = s.rules.board[p]
    for i in range(PRINTED_TILES):
        kind = PRINTED[board, i, 0]
        if kind != Kind.NONE and b.kind[PRINTED[board, i, -1]] == kind:
            tiles[kind] -= 1
    for kind in PLANT_KINDS:
        tiles[kind] += max(b.plants[TILES[kind].level - 1] - PLANTS_IN_HAND, 0)


@kernel
def _wrong_supply(s, tiles):
    """The first kind whose tiles do not add up, -1 for none; a demolished Opera House is gone (RB2)."""
    tiles[:] = 0
    for p in range(s.rules.players):
        _add_taken(s, p, s.borough[p], tiles)
    for kind in range(KINDS):
        whole = _whole_supply(s, kind)
        if TILES[kind].plant != 0 and s.rules.power_plants:
            whole = max(whole - PLANTS_IN_HAND * s.rules.players, 0)
        gone = whole - s.supply[kind] - tiles[kind]
        if gone != 0 and (kind != Kind.OPERA or gone < 0):
            return kind
    return -1


@kernel
def _took_adds_up(s, p, words, tiles):
    """Whether a player took what stands behind his screen and was not shown (P2.1)."""
    took, start = 0, TOOK_WORD + p * KINDS
    for i in range(start, start + KINDS):
        took |= words[i]
    if p >= s.rules.players or s.phase != Phase.BUILD or s.turn < 0:
        return took == 0
    tiles[:] = 0
    _add_taken(s, p, s.shown[p], tiles)
    for kind in range(KINDS):
        tiles[kind] = -tiles[kind]
    _add_taken(s, p, s.borough[p], tiles)
    tiles[Kind.OPERA] = max(tiles[Kind.OPERA], 0)  # demolished, it is gone (RB2)
    wrong = 0
    for kind in range(KINDS):
        wrong |= words[start + kind] ^ tiles[kind]
    return wrong == 0


@kernel
def _plants_add_up(s, b):
    """Whether plants power as many columns of the zone as their levels say (PP2)."""
    columns, powered = 0, 0
    for i in range(len(b.plants)):
        columns += (i + 1) * b.plants[i]
    for col in range(SIDE):
        powered += (b.powered >> col) & 1
    return columns == powered and (columns == 0 or s.rules.power_plants != 0)


@kernel
def _out_fits(s, p):
    """Whether a player is out at the level that eliminates, and nobody is where he cannot be then (P6.2)."""
    b = s.borough[p]
    if (b.out > 0) != (b.pollution >= ELIMINATED_AT) or b.out > s.round_no:
        return False
    for k in range(s.rules.players if b.out > 0 else 0):
        abroad = nonempty(of(s.borough[k].citizens[p])) or s.borough[k].riders[p] > 0
        guests = nonempty(of(b.citizens[k])) or b.riders[k] > 0
        if k != p and (abroad or guests):
            return False
    return True


@kernel
def _things(s):
    """Markers, godzillas, Doctors and cards."""
    markers, godzillas, doctors = s.markers, s.godzillas, s.doctors + 0
    for p in range(s.rules.players):
        b = s.borough[p]
        markers += count(of(b.markers))
        godzillas += nonempty(of(b.godzilla))
        doctors += b.doctor
        if b.doctor > b.built[Kind.CLINIC]:
            return Fault.DOCTORS, 0
    on = s.rules.godzillas != 0
    if markers != (MARKERS if on else 0):
        return Fault.MARKERS, 0
    if godzillas != (GODZILLAS[s.rules.players] if on else 0):
        return Fault.GODZILLAS, 0
    if doctors != (DOCTORS * s.rules.players if s.rules.doctors else 0):
        return Fault.DOCTORS, 0
    return _cards(s)


@kernel
def _cards(s):
    """A card that is in two places, or with a player who has not taken one yet (P1.2)."""
    for turn in range(s.rules.players):
        later = turn > s.turn or (turn == s.turn and s.stage == 0)
        card = s.borough[seat_of(s, turn)].card + 0
        if card != Card.NONE and (s.phase == Phase.SETUP or (s.phase == Phase.SELECT and later)):
            return Fault.CARDS, card
    for card in range(1, ALL_CARDS + 1):
        held = s.circle[card] if s.phase != Phase.OVER and s.phase != Phase.SETUP else 0
        for p in range(s.rules.players):
            held += s.borough[p].card == card
        if held > 1:
            return Fault.CARDS, card
    return Fault.NONE, 0
