"""The moment of the game: round, turn and question fit together, and the question has an answer."""

import numpy as np

from ...library import kernel
from ..actions import BUILD_ID, UPGRADE_ID
from ..borough import at_place, crowd, find, hall_citizens
from ..modules import doctors
from ..modules.trample import ARRIVING, GONE, WALKING
from ..people import is_pilgrim, is_tram, mine
from ..phases import QUESTIONS, build, income, move, pollution, products, visit
from ..placing import all_spots
from ..spaces import at, has, inside, nonempty, of, overlap
from ..step import ask
from ..supply import at_hand
from ..tables import MATERIALS, SEATS, WAREHOUSES, Ask, Family, Phase, Place
from ..tables.expansions import GODZILLAS
from ..tables.maps import Board
from ..tables.tiles import TILES, Kind
from ..turns import mover, players_in, playing, seat_on
from .faults import Fault

PARTS = np.zeros(len(Phase), np.int64)  # the last part of each phase
PARTS[[Phase.SETUP, Phase.MOVE, Phase.VISIT]] = 1
PARTS[Phase.POLLUTION] = pollution.DYING
STAGES = np.zeros(len(Phase), np.int64)  # the last stage of a turn in each phase
STAGES[[Phase.SELECT, Phase.BUILD, Phase.COUNCIL]] = 1
STAGES[Phase.MOVE], STAGES[Phase.INCOME] = move.ARRIVING, income.ENDING
STAGES[Phase.POLLUTION] = GONE
ASKED = np.zeros((len(Ask), len(Phase)), np.bool_)
for _row in QUESTIONS:
    ASKED[_row.ask, list(_row.phases)] = True
ASKED[Ask.NONE] = True
ASKED[Ask.OVER, Phase.OVER] = True
# questions to another seat than the one whose turn it is: of the Mayor, Tokyo's parks, the Pilgrim
TO_OTHERS = np.isin(
    np.arange(len(Ask)), [Ask.STREET, Ask.STREET_WAY, Ask.SPEECH, Ask.SPEECH_WAY, Ask.PARK_GROWS, Ask.PILGRIM]
)


@kernel
def wrong_moment(s, legal):
    """What is wrong with the moment of the game and its question."""
    if not _round_fits(s):
        return Fault.ROUND, 0
    if not _turn_fits(s):
        return Fault.TURN, 0
    if not _asked(s):
        return Fault.QUESTION, 0
    if not _hosts_fit(s):
        return Fault.HOSTS, 0
    if not _goods_fit(s):
        return Fault.GOODS, 0
    for k in range(SEATS):
        if not _waiting_stand(s, k) or not _free_spaces_are(s, k):
            return Fault.WAITING, k
    if not _pilgrim_stands(s):
        return Fault.PILGRIM, 0
    if not _build_fits(s, legal):
        return Fault.BUILD, 0
    if s.ask == Ask.NONE or s.ask == Ask.OVER or s.ask == Ask.WHAT:  # stopping is always an answer to `what`
        return Fault.NONE, 0
    return (Fault.NONE if _has_answer(s, legal) else Fault.ANSWER), 0


@kernel
def _has_answer(s, legal):
    """Whether the question has an answer; the only way round of a tile is not looked for when it is asked."""
    if s.ask == Ask.WAY:
        return has(all_spots(s, mover(s), s.kind, s.upgrade != 0), s.anchor)
    return ask(s, legal) > 0


@kernel
def _round_fits(s):
    """Whether the round is one of the game."""
    if s.phase == Phase.SETUP:
        return s.round_no == 0
    return 0 < s.round_no <= s.rules.rounds


@kernel
def _turn_fits(s):
    """Whether part, stage and the seats fit the phase and the players."""
    players = s.rules.players
    if s.part > PARTS[s.phase] or s.stage > STAGES[s.phase] or s.turn > players:
        return False
    if s.seat >= players or s.host >= players or s.asked_borough >= players or s.pilgrim_of >= players:
        return False
    if s.next_host > players or s.product_from > players or s.sender > players:
        return False
    if s.phase == Phase.MOVE and s.part == 1 and s.turn != players:
        return False
    if s.phase != Phase.OVER and players_in(s) < min(players, pollution.MIN_PLAYERS):
        return False
    return s.ask == Ask.OVER or s.ask == Ask.NONE or playing(s, s.seat)


@kernel
def _asked(s):
    """Whether the question is one of the phase, of whose turn it is, and about something there."""
    if not ASKED[s.ask, s.phase]:
        return False
    if s.ask == Ask.NONE or s.ask == Ask.OVER:
        return True
    if s.ask == Ask.PARK_GROWS:
        return s.seat == seat_on(s, Board.TOKYO) and has(of(s.borough[s.seat].family[Family.PARK]), s.space)
    if s.ask == Ask.PILGRIM:
        return seat_on(s, Board.ULAANBAATAR) >= 0 and s.part == visit.PARTING and s.pilgrim == 0
    if TO_OTHERS[s.ask]:
        return True
    return 0 <= s.turn < s.rules.players and mover(s) == s.seat and _about(s)


@kernel
def _about(s):
    """Whether the citizen, Doctor, shop or product that is asked about is there."""
    p, there = mover(s), s.borough[s.asked_borough]
    if s.ask == Ask.MOVE or s.ask == Ask.ABROAD:
        leaves = s.asked_borough == p and not is_pilgrim(s, p, s.space)
        abroad = leaves and s.destination < s.rules.players and s.destination != p
        return (s.ask == Ask.MOVE or abroad) and has(_movable(s, p, s.asked_borough), s.space)
    if s.ask == Ask.TRADE or s.ask == Ask.TAKE_FROM:
        return has(of(there.family[Family.COMMERCIAL]), s.space)
    if s.ask == Ask.STORE:
        n = s.goods_abroad[s.product_from - 1, s.product] if s.product_from > 0 else s.goods[s.product]
        return n > 0
    if s.ask == Ask.HOME:
        return nonempty(hall_citizens(s.borough[p], p))
    if s.ask == Ask.DOCTOR:
        return doctors.waits(s, p)
    if s.ask == Ask.SALARY or s.ask == Ask.REVIVE:
        return s.borough[p].doctor > 0
    if s.ask == Ask.CLEAN:
        return s.to_clean > 0
    if s.ask == Ask.DIES or s.ask == Ask.GRAVE:
        burying = s.part == pollution.DYING and s.stage == pollution.BURYING
        return burying and (s.deaths > 0 or s.ask == Ask.GRAVE)
    return _godzilla_walks(s, s.borough[p])


@kernel
def _godzilla_walks(s, b):
    """Whether the godzilla that is asked about has arrived, has steps left and stands where it walks."""
    walking = s.part == pollution.TRAMPLING and s.hosts[s.seat] != 0
    if s.ask == Ask.ARRIVE or s.ask == Ask.ARRIVE_BESIDE:
        return walking and s.stage == ARRIVING
    if s.ask == Ask.LEAVE or s.ask == Ask.LEAVE_WAY or s.ask == Ask.TURN:
        there = s.ask != Ask.TURN or inside(at(s.head) | at(s.tail), of(b.godzilla))
        return there and walking and s.stage == WALKING and s.steps_left > 0 and nonempty(of(b.godzilla))
    return True


@kernel
def _goods_fit(s):
    """Whether products wait only where they can be stored, and those of Tourists in Phase 4 only (P4.3)."""
    abroad = 0
    for k in range(SEATS):
        for material in range(MATERIALS):
            abroad += s.goods_abroad[k, material]
            if s.second[k, material] > s.goods_abroad[k, material]:
                return False
            if k >= s.rules.players and s.goods_abroad[k, material] > 0:
                return False
    if s.phase == Phase.INCOME:
        return True
    return abroad == 0 and products.own_goods(s) <= (1 if ASKED[Ask.STORE, s.phase] else 0)


@kernel
def _hosts_fit(s):
    """Whether there are hosts and dice only while godzillas walk, and a godzilla for every host (G2)."""
    walking = s.phase == Phase.POLLUTION and s.part == pollution.TRAMPLING
    hosts = 0
    for p in range(SEATS):
        hosts += s.hosts[p]
        if (s.hosts[p] != 0 or s.die[p] != 0) and (not walking or p >= s.rules.players):
            return False
    return hosts <= GODZILLAS[s.rules.players]


@kernel
def _movable(s, p, k):
    """Where in borough k those stand whom player p moves, the tram included if one of them rides it."""
    b = s.borough[k]
    spaces = mine(s, p, k)
    if b.riders[p] > 0:
        spaces |= at(find(b, Kind.TRAMWAY))
    return spaces


@kernel
def _build_fits(s, legal):
    """Whether the tile being placed could have been chosen (P2.2, P7.5), or comes with another (P2.9)."""
    if s.ask != Ask.WHERE and s.ask != Ask.WAY:
        return s.kind == Kind.NONE and (s.warehouse_due == 0 or (s.ask == Ask.NONE and _warehouse_fits(s)))
    if s.phase == Phase.SETUP:
        return s.kind == Kind.CITY_HALL and s.borough[mover(s)].built[Kind.CITY_HALL] == 0
    if s.warehouse_due > 0:
        return s.kind == Kind.WAREHOUSE and _warehouse_fits(s)
    action = UPGRADE_ID[s.kind] if s.upgrade else BUILD_ID[s.kind]
    if action < 0:
        return False
    if TILES[s.kind].plant == 0:
        return build.is_legal(s, s.kind, s.upgrade != 0)
    legal[:] = False
    build.legal_what(s, legal)
    return legal[action]


@kernel
def _warehouse_fits(s):
    """Whether a tile of the player whose turn it is can bring its Warehouse (P2.9)."""
    if not ASKED[Ask.WHERE, s.phase] or not 0 <= s.turn < s.rules.players:
        return False
    p = mover(s)
    b = s.borough[p]
    room = b.built[Kind.WAREHOUSE] < WAREHOUSES and at_hand(s, p, Kind.WAREHOUSE)
    return room and has(of(b.firsts), s.warehouse_due - 1)


@kernel
def _waiting_stand(s, k):
    """Whether everybody waiting in a borough stands there, in Phases 3 and 4."""
    waits = of(s.waiting[k])
    if not nonempty(waits) and s.waiting_riders[k] == 0:
        return True
    if k >= s.rules.players or not 0 <= s.turn < s.rules.players:
        return False
    b, p = s.borough[k], mover(s)
    if s.phase == Phase.INCOME:
        return s.waiting_riders[k] == 0 and inside(waits, of(b.family[Family.COMMERCIAL]))
    riding = s.waiting_riders[k]
    tram = b.built[Kind.TRAMWAY] > 0 and has(waits, find(b, Kind.TRAMWAY))
    if s.phase != Phase.MOVE or riding > b.riders[p] or tram != (riding > 0):
        return False
    return inside(waits, _movable(s, p, k))


@kernel
def _free_spaces_are(s, k):
    """Whether the spaces open to whoever moves are people spaces where nobody stands (P3.1)."""
    free = of(s.free[k])
    if not nonempty(free):
        return True
    moving = s.phase == Phase.MOVE and 0 <= s.turn < s.rules.players and s.stage != move.BEGIN
    return moving and k < s.rules.players and inside(free, move.open_spaces(s, mover(s), k))


@kernel
def _pilgrim_stands(s):
    """Whether the Pilgrim, if there is one, stands in Ulaanbaatar or rides its tram (AS9)."""
    for k in range(s.rules.players):
        if s.rules.board[k] == Board.ULAANBAATAR:
            b = s.borough[k]
            if s.pilgrim == 0:
                return not overlap(crowd(b), at_place(s, k, Place.MONASTERY))
            space = s.pilgrim - 1
            riding = is_tram(b, space) and b.riders[s.pilgrim_of] > 0
            there = riding or has(of(b.citizens[s.pilgrim_of]), space)
            return there and s.sender == s.pilgrim_of + 1
    return s.pilgrim == 0
