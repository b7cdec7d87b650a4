"""One game, one answer: apply it, run on, and auto-play forced answers."""

from . import limits
from ._flags import chosen, how_many
from ._jit import kernel
from .phases import answer, legal_answers, run_on, setup
from .rng import advanced, pick
from .schema import RULES
from .tables import Ask

DECISIONS, FORCED = 0, 1  # counters: decisions and forced answers
COUNTED = 2
NOBODY = -1  # as a seat: play to the end
RULES_AT = limits.word_of("rules")
RULES_END = RULES_AT + RULES.itemsize // 2


@kernel
def begin(s):
    """Set a game up to its first question, asked or not."""
    setup.begin(s)
    run_on(s)


@kernel
def begin_again(s, words, stream):
    """Begin a new game by the same rules, from a stream; `words` are the game as int16."""
    words[:RULES_AT] = 0
    words[RULES_END:] = 0
    s.stream = stream
    begin(s)


@kernel
def ask(s, legal):
    """Write the mask of the question being asked; return the number of answers."""
    legal[:] = False
    legal_answers(s, legal)
    return how_many(legal)


@kernel
def play_forced(s, legal):
    """Auto-play forced answers; return their number. The mask becomes that of the next question."""
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
        stream = advanced(stream)
        answer(s, chosen(legal, pick(stream, how_many(legal))))
        counts[DECISIONS] += 1
        counts[FORCED] += play_forced(s, legal)
    return stream
