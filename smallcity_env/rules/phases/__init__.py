"""The order of play: the questions of all phases and modules, and what comes next."""

from typing import Final

from ...library import dispatch, kernel
from .. import modules
from ..questions import answers_rule, apply_rule
from ..tables import Ask, Phase, every
from ..tables.tiles import Kind
from . import build, council, income, move, pollution, products, select, setup, visit, vote

PROCEED: Final = {  # the next step of each phase, the most frequent first
    Phase.MOVE: move.proceed,
    Phase.BUILD: build.proceed,
    Phase.INCOME: income.proceed,
    Phase.SELECT: select.proceed,
    Phase.COUNCIL: council.proceed,
    Phase.POLLUTION: pollution.proceed,
    Phase.VOTE: vote.proceed,
    Phase.VISIT: visit.proceed,
    Phase.SETUP: setup.proceed,
    Phase.OVER: visit.end,
}
every(Phase, PROCEED, "rule")
_STEPS: Final = {f"proceed_{phase:d}": rule for phase, rule in PROCEED.items()}
_proceed = dispatch("s", "s.phase", {phase: [f"proceed_{phase:d}(s)"] for phase in PROCEED}, _STEPS)


@kernel
def proceed(s):
    """One step of the rules, of a game without an open question."""
    if s.kind == Kind.NONE and s.warehouse_due > 0:
        build.bring_warehouse(s)
    elif s.phase != Phase.INCOME and products.own_goods(s) > 0:
        products.store_own(s)
    else:
        _proceed(s)


@kernel
def run_to_question(s):
    """Run on until a question is asked or the game is over."""
    while s.ask == Ask.NONE:
        proceed(s)


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
legal_answers = answers_rule(QUESTIONS)
_apply = apply_rule(QUESTIONS)


@kernel
def apply(s, action):
    """Apply a legal answer; `run_to_question` plays what follows from it."""
    ask = s.ask
    s.ask = Ask.NONE
    _apply(s, ask, action)


@kernel
def answer(s, action):
    """Apply a legal answer and run on to the next question."""
    apply(s, action)
    run_to_question(s)
