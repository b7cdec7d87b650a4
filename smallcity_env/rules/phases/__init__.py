"""The order of play: the questions of all phases and modules, and what comes next."""

from .. import modules
from .._jit import kernel
from ..questions import apply_rule, legal_rule
from ..tables import Ask, Phase, every
from ..tables.tiles import Kind
from . import build, council, income, move, pollution, products, select, setup, visit, vote


@kernel
def run_on(s):
    """Play on without questions until one is asked or the game is over."""
    while s.ask == Ask.NONE:
        if s.kind == Kind.NONE and s.brings > 0:
            build.bring_warehouse(s)
        elif s.phase != Phase.INCOME and products.own_goods(s) > 0:
            products.store_own(s)
        else:
            _proceed(s)


@kernel
def _proceed(s):
    """The next step of the phase."""
    if s.phase == Phase.MOVE:
        move.proceed(s)
    elif s.phase == Phase.BUILD:
        build.proceed(s)
    elif s.phase == Phase.INCOME:
        income.proceed(s)
    elif s.phase == Phase.SELECT:
        select.proceed(s)
    elif s.phase == Phase.COUNCIL:
        council.proceed(s)
    elif s.phase == Phase.POLLUTION:
        pollution.proceed(s)
    elif s.phase == Phase.VOTE:
        vote.proceed(s)
    elif s.phase == Phase.VISIT:
        visit.proceed(s)
    elif s.phase == Phase.SETUP:
        setup.proceed(s)
    else:
        visit.end(s)


# The most frequent questions first.
QUESTIONS = [
    *move.QUESTIONS,
    *build.QUESTIONS,
    *select.QUESTIONS,
    *council.QUESTIONS,
    *income.QUESTIONS,
    *products.QUESTIONS,
    *pollution.QUESTIONS,
    *setup.QUESTIONS,
    *modules.QUESTIONS,
]
QUESTION = {row.ask: row for row in QUESTIONS}
every(set(Ask) - {Ask.NONE, Ask.OVER}, QUESTION, "question")
legal_answers = legal_rule(QUESTIONS)
_apply = apply_rule(QUESTIONS)


@kernel
def carry_out(s, action):
    """Carry out a legal answer; what follows from it by itself is left to `run_on`."""
    ask = s.ask
    s.ask = Ask.NONE
    _apply(s, ask, action)


@kernel
def answer(s, action):
    """Carry out a legal answer and play on to the next question."""
    carry_out(s, action)
    run_on(s)
