"""Value every legal answer to every question, from what the asked seat may see.

A city is reduced to features (features.py), features have a value until the end of the game (value.py), and
an answer has the value it adds. Building sites are valued separately (sites.py).
"""

from typing import Final

import numpy as np

from smallcity_env.library import dispatch, kernel, ones, reads, stack, writes
from smallcity_env.rules._flags import BITS, ONE, number, read
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.entries import SKIP
from smallcity_env.rules.phases import QUESTIONS
from smallcity_env.rules.phases.screens import secret
from smallcity_env.rules.phases.vote import home_votes
from smallcity_env.rules.rng import advanced, pick
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.spaces import ZERO
from smallcity_env.rules.tables import SEATS, Ask, Phase

from . import build, cards, goods, people, sites, walk
from .features import extract
from .schema import FEATURES, WEIGHTS
from .value import expected_score

TIE = 1e-9  # values closer than this are equal


_two_features, _one_features = stack(2, FEATURES), stack(1, FEATURES)
_EVALUATED = {"states": reads(STATE, "n"), "seats": reads("i8", "n"), "which": reads("i8", "n")}


@library.entry(
    **_EVALUATED, weights=reads(WEIGHTS, "rows"), legal=reads("?", "n", ACTIONS), streams=writes("u8", "n"),
    values=writes("f8", "n", ACTIONS), chosen=writes("i8", "n"),
)  # fmt: skip
def greedy(states, seats, which, weights, legal, streams, values, chosen):
    """Value every answer of each game by row `which` of the weights, and choose the best.

    Ties are broken by the stream of the game. Games without a legal answer are skipped.
    """
    features = _two_features()
    for i in range(len(states)):
        if number(read(legal[i])) == 0:
            chosen[i] = SKIP
        else:
            evaluate_answers(states[i], seats[i], legal[i], weights[which[i]], features, values[i])
            streams[i] = advanced(streams[i])
            chosen[i] = best(legal[i], values[i], streams[i])


@library.entry(**_EVALUATED, weights=reads(WEIGHTS, "rows"), values=writes("f4", "n", SEATS))
def seat_values(states, seats, which, weights, values):
    """Write the expected final score of every seat, as the seat of each game sees it."""
    features = _one_features()
    for i in range(len(states)):
        for p in range(states[i].rules.players):
            values[i, p] = seat_value(states[i], p, seats[i], weights[which[i]], features[0])


@kernel
def seat_value(s, p, viewer, w, f):
    """Expected final score of a seat; promises of others are unknown to the viewer and ignored."""
    hidden = p != viewer and secret(s)
    extract(s, p, s.shown[p] if hidden else s.borough[p], viewer, w, f)
    if p != viewer:
        f.promise = 0
        f.special = 0
    _rest_of_round(s, p, f)
    return expected_score(f, w)


@kernel
def _rest_of_round(s, p, f):
    """Between Phases 3 and 5: a seat that has moved votes where it stands, the others still move."""
    if s.phase == Phase.MOVE and s.part == 0 and (p - s.host) % s.rules.players >= s.turn:
        f.left += 1
    elif Phase.MOVE <= s.phase <= Phase.VOTE:
        f.votes += home_votes(s, p)


@kernel
def best(legal, value, stream):
    """The legal answer with the highest value; ties are broken at random."""
    best, n, start = -1, 0, 0
    for word in read(legal):
        bits = word
        while bits != ZERO:
            action = start + ones((bits & ~(bits - ONE)) - ONE)
            bits &= bits - ONE
            if best < 0 or value[action] > value[best] + TIE:
                best, n = action, 1
            elif value[action] >= value[best] - TIE:
                n += 1
        start += BITS
    k = pick(stream, n)
    for action in range(best, ACTIONS):
        if legal[action] and value[action] >= value[best] - TIE and value[action] <= value[best] + TIE:
            if k == 0:
                return action
            k -= 1
    return best


EVALUATORS: Final = {  # what values each question's answers; the most frequent questions first
    Ask.MOVE: "people.evaluate_move(s, p, legal, w, features[0], value)",
    Ask.WHAT: "build.evaluate_what(s, p, legal, w, features, value)",
    Ask.WHERE: "build.evaluate_where(s, p, legal, w, features, value)",
    Ask.WAY: "build.evaluate_way(s, p, legal, w, features, value)",
    Ask.ABROAD: "people.evaluate_abroad(s, p, legal, w, features[0], value)",
    Ask.HOME: "people.evaluate_home(s, p, legal, w, features, value)",
    Ask.TRADE: "goods.evaluate_trade(s, legal, w, features, value)",
    Ask.TAKE_FROM: "goods.evaluate_take_from(value)",
    Ask.STORE: "goods.evaluate_store(value)",
    Ask.PRODUCT: "goods.evaluate_product(s, legal, features[0], value)",
    Ask.TOURIST: "goods.evaluate_tourist(s, legal, features[0], value)",
    Ask.CARD: "cards.evaluate_card(s, p, legal, w, features, value)",
    Ask.ROW: "cards.evaluate_row(s, p, legal, w, features, value)",
    Ask.PAY: "cards.evaluate_pay(features[0], value)",
    Ask.SUPPORT: "cards.evaluate_support(features[0], value)",
    Ask.DIFFICULTY: "cards.evaluate_difficulty(w, value)",
    Ask.STREET: "sites.evaluate_street(s, legal, value)",
    Ask.STREET_WAY: "sites.evaluate_street_way(s, legal, value)",
    Ask.DIES: "people.evaluate_dies(s, p, legal, w, features[0], value)",
    Ask.GRAVE: "sites.evaluate_land(s.borough[p], legal, w, value, -1)",
    Ask.ARRIVE: "walk.evaluate_arrive(s, p, legal, w, features[0], value)",
    Ask.ARRIVE_BESIDE: "walk.evaluate_beside(s, p, legal, w, features[0], value)",
    Ask.LEAVE: "walk.evaluate_leave(s, p, legal, w, features[0], value)",
    Ask.LEAVE_WAY: "walk.evaluate_leave_way(s, p, legal, w, features[0], value)",
    Ask.TURN: "walk.evaluate_turn(s, p, legal, w, features[0], value)",
    Ask.CLEAN: "walk.evaluate_clean(s, p, legal, w, value)",
    Ask.SPEECH: "sites.evaluate_speech(s, legal, value)",
    Ask.SPEECH_WAY: "sites.evaluate_speech_way(s, legal, value)",
    Ask.ENGINEER: "cards.evaluate_engineer(s, p, w, features[0], value)",
    Ask.DOCTOR: "cards.evaluate_doctor(w, features[0], value)",
    Ask.SALARY: "cards.evaluate_salary(w, features, value)",
    Ask.REVIVE: "sites.evaluate_land(s.borough[p], legal, w, value, 1)",
    Ask.STONE: "sites.evaluate_land(s.borough[p], legal, w, value, -1)",
    Ask.PARK_GROWS: "sites.evaluate_land(s.borough[p], legal, w, value, -1)",
    Ask.PILGRIM: "people.evaluate_pilgrim(s, p, legal, w, features[0], value)",
}
_ARGUMENTS: Final = "s, p, legal, w, features, value"
_OWN: Final = {row.ask: row.evaluate for row in QUESTIONS if row.evaluate}  # of expansions
READS_FEATURES = np.ones(max(Ask) + 1, np.bool_)  # by question; sites read them only for upgrades
for _ask in set(EVALUATORS) - set(_OWN):
    READS_FEATURES[_ask] = "features" in EVALUATORS[_ask] and _ask not in (Ask.WHERE, Ask.WAY)
_evaluate = dispatch(
    _ARGUMENTS,
    "s.ask",
    {ask: [call] for ask, call in EVALUATORS.items()} | {ask: [f"own_{ask:d}({_ARGUMENTS})"] for ask in _OWN},
    {module.__name__.rpartition(".")[2]: module for module in (build, cards, goods, people, sites, walk)}
    | {f"own_{ask:d}": own for ask, own in _OWN.items()},
)


@kernel
def evaluate_answers(s, p, legal, w, features, value):
    """Write the value of every legal answer to the current question; 0 without an opinion."""
    value[:] = 0
    if READS_FEATURES[s.ask] or s.upgrade != 0:
        extract(s, p, s.borough[p], p, w, features[0])
    _evaluate(s, p, legal, w, features, value)
