"""Whose turn it is: turn order is always clockwise from the Mayor's host (SU1)."""

from ..library import kernel


@kernel
def clockwise(p, k, players):
    """The seat k places clockwise of another; a division would take longer than what it is used for."""
    seat = p + k
    return seat - players * int(seat >= players)


@kernel
def seat_of(s, turn):
    """The seat at a place in turn order."""
    seat = s.host + turn
    if seat >= s.rules.players:  # a division would take longer than most rules
        return seat - s.rules.players
    return seat if seat >= 0 else seat + s.rules.players


@kernel
def playing(s, p):
    """Whether a seat is in the game and not eliminated."""
    return p < s.rules.players and s.borough[p].out == 0


@kernel
def seat_on(s, board):
    """The seat still in the game that plays on a board, or -1."""
    for p in range(s.rules.players):
        if s.rules.board[p] == board and playing(s, p):
            return p
    return -1


@kernel
def next_turn(s):
    """Advance to the next player still in; after the last one `turns_over` is true."""
    s.turn += 1
    while s.turn < s.rules.players and not playing(s, seat_of(s, s.turn)):
        s.turn += 1
    s.stage = 0
    if s.turn < s.rules.players:
        s.seat = seat_of(s, s.turn)


@kernel
def enter(s, phase):
    """Begin a phase: nobody has had a turn yet."""
    s.phase = phase
    s.part = 0
    s.turn = -1
    s.stage = 0


@kernel
def start_turns(s):
    """Begin with the first player still in, in turn order."""
    s.turn = -1
    next_turn(s)


@kernel
def previous_turn(s):
    """Go back to the previous player, for reverse turn order; before the first one turn is -1."""
    s.turn -= 1
    while s.turn >= 0 and not playing(s, seat_of(s, s.turn)):
        s.turn -= 1
    s.stage = 0
    if s.turn >= 0:
        s.seat = seat_of(s, s.turn)


@kernel
def turns_over(s):
    """Whether everybody has had a turn."""
    return s.turn >= s.rules.players


@kernel
def mover(s):
    """The seat whose turn it is; `s.seat`, the seat being asked, is usually the same."""
    return seat_of(s, s.turn)


@kernel
def next_clockwise(s, p):
    """The next seat clockwise still in the game; the seat itself if there is no other."""
    for i in range(1, s.rules.players):
        q = (p + i) % s.rules.players
        if playing(s, q):
            return q
    return p


@kernel
def players_in(s):
    """The number of players still in."""
    n = 0
    for p in range(s.rules.players):
        n += s.borough[p].out == 0
    return n
