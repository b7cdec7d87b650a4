"""One game, one answer: apply it, run on, and auto-play forced answers."""

from ._jit import kernel
from .actions import ACTIONS
from .phases import answer, legal_answers, run_on, setup
from .rng import pick, turned
from .tables import Ask

BLOCK = 22  # answers tested at once
IN_BLOCKS = ACTIONS - ACTIONS % BLOCK
DECISIONS, FORCED = 0, 1  # counters: decisions and forced answers
COUNTED = 2
NOBODY = -1  # as a seat: play to the end


@kernel
def begin(s):
    """Set a game up to its first question, asked or not."""
    setup.begin(s)
    run_on(s)


@kernel
def ask(s, legal):
    """Write the mask of the question being asked; return how many answers it has."""
    legal[:] = False
    legal_answers(s, legal)
    n = 0
    for action in range(ACTIONS):
        n += legal[action]
    return n


@kernel
def chosen(legal, k):
    """The k-th legal answer, from 0; whole blocks are skipped at once."""
    start = 0
    while start < IN_BLOCKS:
        here = 0
        for action in range(start, start + BLOCK):
            here += legal[action]
        if k < here:
            break
        k -= here
        start += BLOCK
    for action in range(start, ACTIONS):
        if legal[action]:
            if k == 0:
                return action
            k -= 1
    return -1


@kernel
def play_forced(s, legal):
    """Auto-play forced answers; return how many. The mask becomes that of the next question."""
    forced = 0
    while s.ask != Ask.OVER and ask(s, legal) == 1:
        answer(s, chosen(legal, 0))
        forced += 1
    if s.ask == Ask.OVER:
        legal[:] = False
    return forced


@kernel
def play_on(s, legal, stream, seat, counts):
    """Play random legal answers until a seat is asked, it is out, or the game ends; count them."""
    counts[FORCED] += play_forced(s, legal)
    while s.ask != Ask.OVER and s.seat != seat and (seat == NOBODY or s.borough[seat].out == 0):
        n = 0
        for action in range(ACTIONS):
            n += legal[action]
        stream = turned(stream)
        answer(s, chosen(legal, pick(stream, n)))
        counts[DECISIONS] += 1
        counts[FORCED] += play_forced(s, legal)
    return stream
