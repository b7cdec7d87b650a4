"""The order of play and the dispatch by question: what is legal, what an answer does, what comes next."""

from .. import actions
from .._jit import kernel
from ..modules import questions
from ..spaces import each
from ..tables import Ask, Phase
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


@kernel
def _offer(legal, spaces):
    """Mark every space of a set as an answer."""
    for space in each(spaces):
        legal[actions.AT + space] = True


@kernel
def _legal_goods(s, legal):
    """Answers to the questions about materials."""
    ask = s.ask
    if ask == Ask.TRADE:
        income.legal_trade(s, legal)
    elif ask == Ask.TAKE_FROM:
        income.legal_take_from(s, legal)
    elif ask == Ask.STORE:
        products.legal_store(s, legal)
    elif ask == Ask.PRODUCT:
        products.legal_product(s, legal)
    elif ask == Ask.TOURIST:
        products.legal_tourist(s, legal)


@kernel
def legal_answers(s, legal):
    """Mark every legal answer to the question being asked; `legal` comes in all False."""
    ask = s.ask
    if ask == Ask.MOVE:
        move.legal_move(s, legal)
        _offer(legal, move.goals(s, s.seat))
    elif ask == Ask.WHAT:
        build.legal_what(s, legal)
    elif ask == Ask.WHERE:
        _offer(legal, build.spots(s))
    elif ask == Ask.WAY:
        build.legal_way(s, legal)
    elif ask == Ask.ABROAD:
        _offer(legal, move.goals(s, s.row))
    elif ask == Ask.HOME:
        legal[actions.NO] = True
        _offer(legal, move.small_homes(s, s.seat))
    elif ask == Ask.CARD:
        select.legal_card(s, legal)
    elif ask == Ask.ROW:
        council.legal_row(s, legal)
    elif ask == Ask.PAY:
        council.legal_pay(s, legal)
    elif ask == Ask.STREET:
        _offer(legal, select.street_starts(s))
    elif ask == Ask.STREET_WAY:
        select.legal_street_way(s, legal)
    elif ask == Ask.SUPPORT:
        select.legal_support(s, legal)
    elif Ask.TRADE <= ask <= Ask.TOURIST:
        _legal_goods(s, legal)
    elif ask == Ask.DIES:
        _offer(legal, pollution.doomed(s))
    elif ask == Ask.GRAVE:
        _offer(legal, pollution.graves(s))
    elif ask == Ask.DIFFICULTY:
        setup.legal_difficulty(s, legal)
    elif ask == Ask.DOCTOR:
        council.legal_doctor(s, legal)
    elif ask != Ask.OVER:
        questions.legal_answers(s, legal)
        _offer(legal, questions.offered(s))


@kernel
def _answer_goods(s, ask, action):
    """Carry out an answer about materials."""
    if ask == Ask.TRADE:
        income.apply_trade(s, action)
    elif ask == Ask.TAKE_FROM:
        income.apply_take_from(s, action)
    elif ask == Ask.STORE:
        products.apply_store(s, action)
    elif ask == Ask.PRODUCT:
        products.apply_product(s, action)
    elif ask == Ask.TOURIST:
        products.apply_tourist(s, action)


@kernel
def answer(s, action):
    """Carry out a legal answer and play on to the next question."""
    ask = s.ask
    s.ask = Ask.NONE
    if ask == Ask.MOVE:
        move.apply_move(s, action)
    elif ask == Ask.WHAT:
        build.apply_what(s, action)
    elif ask == Ask.WHERE:
        build.apply_where(s, action)
    elif ask == Ask.WAY:
        build.apply_way(s, action)
    elif ask == Ask.ABROAD:
        move.apply_abroad(s, action)
    elif ask == Ask.HOME:
        move.apply_home(s, action)
    elif ask == Ask.CARD:
        select.apply_card(s, action)
    elif ask == Ask.ROW:
        council.apply_row(s, action)
    elif ask == Ask.PAY:
        council.apply_pay(s, action)
    elif ask == Ask.STREET:
        select.apply_street(s, action)
    elif ask == Ask.STREET_WAY:
        select.apply_street_way(s, action)
    elif ask == Ask.SUPPORT:
        select.apply_support(s, action)
    elif Ask.TRADE <= ask <= Ask.TOURIST:
        _answer_goods(s, ask, action)
    elif ask == Ask.DIES:
        pollution.apply_dies(s, action)
    elif ask == Ask.GRAVE:
        pollution.apply_grave(s, action)
    elif ask == Ask.DIFFICULTY:
        setup.apply_difficulty(s, action)
    elif ask == Ask.DOCTOR:
        council.apply_doctor(s, action)
    else:
        questions.answer(s, ask, action)
    run_on(s)
