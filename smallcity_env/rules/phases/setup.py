"""The set-up: host, City Halls, promises, money (section 3)."""

import numpy as np

from ...language import Listed, lazy
from ...library import kernel
from .. import actions, modules
from ..borough import hall_room, lay, stand
from ..questions import Question
from ..rng import below
from ..spaces import first
from ..tables import ALL_ROUNDS, CITIZENS, HALL_START, POWER_START_MONEY, RESERVE, START_MONEY, Ask, Phase
from ..tables.cards import BROKEN, DIFFICULTIES
from ..tables.counted import either
from ..tables.maps import PRINTED, START_POLLUTION, ZONE_START
from ..tables.promises import ANY_VICTORY, CONDITION, PILE, PROMISE_COUNT
from ..tables.tiles import FEWER, KINDS, PER_PLAYER, TILES, Kind
from ..turns import enter, mover, next_turn, seat_of, start_turns, turns_over
from ..zone import set_zone
from .screens import conceal, reveal

PRINTED_TILES = PRINTED.shape[1]
NO_CARD = np.uint64(0)
CARD = np.array([0, *(1 << n for n in range(PROMISE_COUNT))], np.uint64)  # a bit for each promise


@kernel
def begin(s):
    """Set the game up to its first question; `s.rules` and `s.stream` are given."""
    players = s.rules.players
    if s.rules.rounds == 0:
        s.rules.rounds = ALL_ROUNDS[s.rules.power_plants]
    s.host = below(s, players)  # SU1
    _fill_supply(s, players)
    modules.set_up(s)
    for p in range(players):
        _set_board(s, p)
    for turn in range(players):
        money = POWER_START_MONEY if s.rules.power_plants else START_MONEY
        s.borough[seat_of(s, turn)].money = money[turn]  # SU4
    conceal(s)
    enter(s, Phase.SETUP)
    start_turns(s)


@kernel
def _fill_supply(s, players):
    """Fill the supply of tiles and the reserve of citizens (C3, C5)."""
    for kind in range(1, KINDS):
        count = TILES[kind].supply
        if count == PER_PLAYER:
            count = players
        elif count == FEWER:
            count = max(players - 1, 1)
        s.supply[kind] = count
    for p in range(players):
        s.reserve[p] = RESERVE


@kernel
def _set_board(s, p):
    """Set up a borough as printed on its board (section 16)."""
    b = s.borough[p]
    board = s.rules.board[p]
    b.zone_side = ZONE_START[board]
    b.pollution = START_POLLUTION[board]
    for i in range(PRINTED_TILES):
        if PRINTED[board, i, 0] != Kind.NONE:
            lay(b, PRINTED[board, i, 0], PRINTED[board, i, 1], PRINTED[board, i, -1])
    set_zone(s, p)
    b.career = CITIZENS - HALL_START


@kernel
def proceed(s):
    """City Halls in turn order (SU2), then difficulties in turn order (SU3)."""
    if turns_over(s) and s.part == 0:
        _show_halls(s)
    elif turns_over(s):
        s.round_no = 1
        enter(s, Phase.SELECT)
    elif s.part == 0:
        _ask_hall(s)
    else:
        s.ask = Ask.DIFFICULTY


@kernel
def _ask_hall(s):
    """Ask where City Hall goes, unless it is printed."""
    if s.borough[mover(s)].built[Kind.CITY_HALL] > 0:
        next_turn(s)
    else:
        s.kind = Kind.CITY_HALL
        s.ask = Ask.WHERE


@kernel
def _show_halls(s):
    """Show all City Halls, with three citizens in each (SU2)."""
    for p in range(s.rules.players):
        b = s.borough[p]
        for _ in range(HALL_START):
            stand(b, p, first(hall_room(b)))
    reveal(s)
    s.part = 1
    start_turns(s)


@kernel
def legal_difficulty(s, legal):
    """Any pile that has a card left (SU3)."""
    for pile in range(len(DIFFICULTIES)):
        legal[actions.PROMISE + pile] = _cards_left(s, pile, _held(s)) > 0


@kernel
def _held(s):
    """The promises players have drawn, a bit for each."""
    held = NO_CARD
    for p in range(s.rules.players):
        held |= CARD[max(s.borough[p].promise, 0)] | CARD[max(s.borough[p].special, 0)]
    return held


@kernel
def _left(s, number, pile, held):
    """Whether an ordinary promise still lies in a pile of this game."""
    return PILE[number] == pile and held & CARD[number] == NO_CARD and modules.deals_promise(s, number)


@kernel
def _cards_left(s, pile, held):
    """The number of cards left in a pile."""
    n = 0
    for number in range(1, PROMISE_COUNT + 1):
        n += _left(s, number, pile, held)
    return n


@kernel
def draw_promise(s, p):
    """Draw a secret promise of the difficulty chosen (SU3)."""
    pile, held = s.borough[p].difficulty, _held(s)
    k = below(s, _cards_left(s, pile, held))
    for number in range(1, PROMISE_COUNT + 1):
        if _left(s, number, pile, held):
            if k == 0:
                s.borough[p].promise = number
                return
            k -= 1


@kernel
def _special_left(s, number, held):
    """Whether a special promise of this game's victory condition has not been drawn (AD1)."""
    mine = CONDITION[number] == s.rules.victory or CONDITION[number] == ANY_VICTORY
    return mine and held & CARD[number] == NO_CARD and modules.deals_promise(s, number)


@kernel
def draw_special(s, p):
    """In the advanced game, draw a secret special promise of the victory condition (AD1)."""
    n, held = 0, _held(s)
    for number in range(1, PROMISE_COUNT + 1):
        n += _special_left(s, number, held)
    k = below(s, n)
    for number in range(1, PROMISE_COUNT + 1):
        if _special_left(s, number, held):
            if k == 0:
                s.borough[p].special = number
                return
            k -= 1


@kernel
def apply_difficulty(s, action):
    """Choose a difficulty and draw (SU3)."""
    p = mover(s)
    s.borough[p].difficulty = action - actions.PROMISE
    draw_promise(s, p)
    if s.rules.advanced:
        draw_special(s, p)
    next_turn(s)


QUESTIONS = [
    Question(
        Ask.DIFFICULTY,
        (Phase.SETUP,),
        legal=legal_difficulty,
        apply=apply_difficulty,
        brief=lazy("a promise worth {points}?", points=either(DIFFICULTIES)),
        asks=lazy("How much do you promise the voters?"),
        help=lazy(
            "You draw a secret promise of that worth. Kept at the end it adds its worth; broken it costs "
            "{lost} points. The others see the worth, not the card.",
            lost=Listed(BROKEN),
        ),
    ),
]
