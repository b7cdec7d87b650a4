"""One game, one answer: apply it, run on, and auto-play forced answers."""

from typing import Any, NamedTuple

import numpy as np

from ..library import emitted, inlined, kernel
from . import limits
from ._flags import NONE, machine_code, nth, number, write
from .phases import answer, legal_answers, run_to_question, setup
from .rng import next_stream, pick
from .schema import RULES
from .tables import Ask

DECISIONS, FORCED = 0, 1  # counters: decisions and forced answers
COUNTED = 2
NOBODY = -1  # as a seat: play to the end
RULES_AT = limits.word_of("rules")
RULES_END = RULES_AT + RULES.itemsize // 2


class Report(NamedTuple):
    """What a step says about each game, (n,) each."""

    viewers: Any  # the seat asked next; after the end, the one that answered
    n_out: Any  # number of seats that have left the game
    n_forced: Any  # forced answers played after the action
    length: Any  # actions taken in the game


def new_report(n: int) -> Report:
    """An empty report on n games."""
    return Report(*np.zeros((len(Report._fields), n), np.int64))


@emitted(machine_code("record_words"))
def words_of(s: Any) -> Any:
    """A game as an array of int16, in place."""
    return np.asarray(s).reshape(1).view(np.ndarray).view(np.int16)


@emitted(machine_code("fetch"))
def fetch(s: Any) -> None:
    """Fetch the game whose turn comes next into the cache; Python has nothing to do."""


@kernel
def begin(s):
    """Set a game up to its first question, asked or not."""
    setup.begin(s)
    run_to_question(s)


@kernel
def begin_again(s, stream):
    """Begin a new game by the same rules, from a stream."""
    words = words_of(s)
    words[:RULES_AT] = 0
    words[RULES_END:] = 0
    s.stream = stream
    begin(s)


@kernel
def ask(s, legal):
    """Write the mask of the question being asked; return the number of answers."""
    answers = legal_answers(s, legal)
    write(legal, answers)
    return number(answers)


@inlined
def _next_choice(s, legal):
    """Auto-play forced answers; return their number and the answers to the next question, NONE at the end."""
    forced = 0
    while s.ask != Ask.OVER:
        answers = legal_answers(s, legal)
        if number(answers) != 1:
            return forced, answers
        answer(s, nth(answers, 0))
        forced += 1
    return forced, NONE


@kernel
def play_forced(s, legal):
    """Auto-play forced answers; return their number. The mask becomes that of the next question."""
    forced, answers = _next_choice(s, legal)
    write(legal, answers)
    return forced


@kernel
def play_on(s, legal, stream, seat, counts):
    """Play random legal answers until a seat is asked, it is out, or the game ends; count them."""
    forced, answers = _next_choice(s, legal)
    counts[FORCED] += forced
    while s.ask != Ask.OVER and s.seat != seat and (seat == NOBODY or s.borough[seat].out == 0):
        stream = next_stream(stream)
        answer(s, nth(answers, pick(stream, number(answers))))
        counts[DECISIONS] += 1
        forced, answers = _next_choice(s, legal)
        counts[FORCED] += forced
    write(legal, answers)
    return stream
