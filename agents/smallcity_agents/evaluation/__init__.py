"""Value every legal answer to every question, from what the asked seat may see.

A city is reduced to features (features.py), features have a value until the end of the game (value.py), and
an answer has the value it adds. Building sites are valued separately (sites.py).
"""

from typing import Final

import numpy as np

from smallcity_env.library import dispatch, kernel, ones, reads, stack, writes
from smallcity_env.rules import actions
from smallcity_env.rules._flags import BITS, ONE, number, read
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.entries import SKIP
from smallcity_env.rules.modules.trample import WAYS
from smallcity_env.rules.people import place_at
from smallcity_env.rules.phases import QUESTIONS
from smallcity_env.rules.phases.screens import secret
from smallcity_env.rules.phases.vote import votes_at_home
from smallcity_env.rules.rng import next_stream, pick
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.spaces import ZERO, at, of
from smallcity_env.rules.tables import MATERIALS, ROWS, SEATS, SPACES, Ask, Phase, Store
from smallcity_env.rules.tables.tiles import TILES

from . import build, cards, people, sites, walk
from .features import extract
from .schema import FEATURES, WEIGHTS
from .value import expected_score

PILES = ("easy", "middling", "hard")  # weights of the piles of promises
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
            streams[i] = next_stream(streams[i])
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
        f.votes += votes_at_home(s, p)


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


def _each(name: str, n: str, start: int, value: str, *before: str) -> list[str]:
    """Lines that value each legal answer of a range, after others."""
    loop = [f"for {name} in range({n}):", f"    if legal[{start} + {name}]:"]
    return [*before, *loop, f"        value[{start} + {name}] = {value}"]


def _spaces(value: str, *before: str) -> list[str]:
    return _each("space", str(SPACES), actions.AT, value, *before)


def _ways(value: str, *before: str) -> list[str]:
    return _each("way", "2", actions.WAY, value, *before)


def _headings(value: str) -> list[str]:
    return _each("way", str(WAYS), actions.HEADING, value)


def _materials(value: str) -> list[str]:
    return _each("material", str(MATERIALS), actions.MATERIAL, value)


_OWN_LAND, _HOST_LAND = (f"sets = sites.influence(s.borough[{seat}])" for seat in ("p", "s.host"))
_TILE: Final = "TILES[s.kind]"
EVALUATORS: Final = {  # lines that value the answers to each question; the most frequent questions first
    Ask.MOVE: [*_spaces("people.destination(s, p, p, space, w, f)", "away = people.living_away(s, p, w, f)"),
               *_each("k", "s.rules.players", actions.SEAT, "people.best_abroad(s, p, k, w, f) + away"),
               f"value[{actions.NO}] = people.staying(s, p, w, f)"],
    Ask.WHAT: ["build.evaluate_what(s, p, legal, w, features, value)"],
    Ask.WHERE: ["build.evaluate_where(s, p, legal, w, features, value)"],
    Ask.WAY: _each("way", f"{_TILE}.ways", actions.WAY,
                   f"build.placed(s, p, {_TILE}.way[way], s.anchor, w, features, sets)", _OWN_LAND),
    Ask.ABROAD: _spaces("people.destination(s, p, s.destination, space, w, f)"),
    Ask.HOME: _spaces("gain", "gain = people.home_gain(w, features)"),
    Ask.TRADE: _materials("people.trade_here(s, material, w, f)"),
    Ask.TAKE_FROM: [f"value[{actions.STORE + Store.PLAIN}] = 2",  # to build there (T7)
                    f"value[{actions.STORE + Store.CITY_HALL}] = 1"],  # room for newcomers (P3.4)
    Ask.STORE: [f"value[{actions.STORE + Store.WAREHOUSE}] = 1"],  # City Hall needs room for newcomers (P3.4)
    Ask.PRODUCT: _materials("f.good[material]"),
    Ask.TOURIST: _each("k", str(SEATS), actions.SEAT, "people.tourist(s, k, f)"),
    Ask.CARD: ["cards.evaluate_card(s, p, legal, w, features, value)"],
    Ask.ROW: _each("row", str(ROWS), actions.ROW, "cards.advance(s, p, row, w, features)"),
    Ask.PAY: ["cards.evaluate_pay(f, value)"],
    Ask.SUPPORT: ["cards.evaluate_support(f, value)"],
    Ask.DIFFICULTY: [f"value[{actions.PROMISE + n}] = w.{name}" for n, name in enumerate(PILES)],
    Ask.STREET: _spaces("sites.street(space, sets)", _HOST_LAND),
    Ask.STREET_WAY: _ways("sites.street_way(s, way, sets)", _HOST_LAND),
    Ask.DIES: _spaces("-people.later_value(place_at(s.borough[p], space), f)"),
    Ask.GRAVE: _spaces("-sites.land(space, w, sets)", _OWN_LAND),
    Ask.ARRIVE: _spaces("-walk.arrival(s, p, space, walk.start(s.borough[p], at(space)), w, f)"),
    Ask.ARRIVE_BESIDE: _spaces("-walk.beside(s, p, space, w, f)"),
    Ask.LEAVE: _spaces("-walk.way_out(s, p, of(s.start), space, s.steps_left, w, f)"),
    Ask.LEAVE_WAY: _headings("-walk.walk(s, p, s.space, way, s.steps_left, w, f)"),
    Ask.TURN: _headings("-walk.walk(s, p, s.head, way, s.steps_left, w, f)"),
    Ask.CLEAN: _spaces("walk.ruin(s, s.borough[p], space, w)"),
    Ask.SPEECH: _spaces("sites.listeners(s.borough[s.host], at(space))"),
    Ask.SPEECH_WAY: _ways("sites.listeners_way(s, way)"),
    Ask.ENGINEER: ["cards.evaluate_engineer(s, p, w, f, value)"],
    Ask.DOCTOR: ["cards.evaluate_doctor(w, f, value)"],
    Ask.SALARY: ["cards.evaluate_salary(w, features, value)"],
    Ask.REVIVE: _spaces("sites.land(space, w, sets)", _OWN_LAND),
    Ask.STONE: _spaces("-sites.land(space, w, sets)", _OWN_LAND),
    Ask.PARK_GROWS: _spaces("-sites.land(space, w, sets)", _OWN_LAND),
    Ask.PILGRIM: _spaces("people.pilgrim(s, p, space, f)"),
}  # fmt: skip
OF_LAND: Final = {  # questions whose answers are valued without features; WHERE and WAY: but for upgrades
    Ask.WHERE, Ask.WAY, Ask.TAKE_FROM, Ask.STORE, Ask.DIFFICULTY, Ask.STREET, Ask.STREET_WAY, Ask.GRAVE,
    Ask.CLEAN, Ask.SPEECH, Ask.SPEECH_WAY, Ask.REVIVE, Ask.STONE, Ask.PARK_GROWS,
}  # fmt: skip
_OWN: Final = {row.ask: row.evaluate for row in QUESTIONS if row.evaluate}  # of expansions
READS_FEATURES = np.array([ask in _OWN or ask not in OF_LAND for ask in range(max(Ask) + 1)])
_evaluate = dispatch(
    "s, p, legal, w, f, features, value",
    "s.ask",
    EVALUATORS | {ask: [f"own_{ask:d}(s, p, legal, w, features, value)"] for ask in _OWN},
    {"build": build, "cards": cards, "people": people, "sites": sites, "walk": walk}
    | {"TILES": TILES, "at": at, "of": of, "place_at": place_at}
    | {f"own_{ask:d}": own for ask, own in _OWN.items()},
)


@kernel
def evaluate_answers(s, p, legal, w, features, value):
    """Write the value of every legal answer to the current question; 0 where nothing is known of it."""
    value[:] = 0
    if READS_FEATURES[s.ask] or s.upgrade != 0:
        extract(s, p, s.borough[p], p, w, features[0])
    _evaluate(s, p, legal, w, features[0], features, value)
