"""The named functions of the library: what Python, C and other languages call, always for a batch of games.

All return DONE, or say what is wrong before anything is changed: the first game whose action is illegal, or
UNFIT if a record has no players, a seat no player, or an observation no room.
"""

import numpy as np

from ..library import WHOLE, group, kernel, reads, stack, writes
from . import determinize, payoff, phases, scoring
from ._flags import nth, number, read
from ._library import library
from .actions import ACTIONS
from .layout import Form
from .modules.godzillas import wake
from .observe import observe as see
from .planes import SIZES
from .rng import next_stream
from .rng import pick as pick_one
from .schema import STATE
from .step import COUNTED, NOBODY, Report, ask, begin, begin_again, fetch, play_forced, words_of
from .step import play_on as play_on_one
from .tables import SEATS, Ask
from .tables.cards import SCALE
from .turns import players_in
from .validity import fault
from .why_not import LINES as REASONS
from .why_not import explain

DONE, UNFIT = -1, -2
SKIP = -1  # as an action or order: leave this game alone
PLAY, RESTART = 0, 1  # orders: answer, or begin a new game by the same rules
OUT, OVER = 1, 2  # how a game has ended for a seat: by elimination, or with the game
FAULTS = 2  # the fault and what it is about
FORMS = len(Form)
FIRST_TITLE = SCALE[0][0]  # points of a solo player who is not recalled (SO1)
_mask = stack(ACTIONS, np.bool_)

CHANGED, GAMES = writes(STATE, "n"), reads(STATE, "n")
MASKS, MARKED = writes("?", "n", ACTIONS), reads("?", "n", ACTIONS)
NUMBERS, COUNTS = reads("i8", "n"), writes("i8", "n")
BY_SEAT = writes("i8", "n", SEATS)
STREAMS = writes("u8", "n")
REPORT = group(Report, viewers=COUNTS, n_out=COUNTS, n_forced=COUNTS, length=COUNTS)
SEEN, PLANES = writes("f4", "n", "numbers"), writes("u1", "n", "planes")


# -- checks


@kernel
def _are_games(states):
    """Whether every record has players."""
    for i in range(len(states)):
        if not 0 < states[i].rules.players <= SEATS:
            return False
    return True


@kernel
def _are_seated(states, seats):
    """Whether every record has players, and a player on the seat."""
    for i in range(len(states)):
        if not 0 < states[i].rules.players <= SEATS or not 0 <= seats[i] < states[i].rules.players:
            return False
    return True


@kernel
def _have_room(states, form, seen, planes):
    """Whether the observations of all games fit the arrays."""
    if not 0 <= form < FORMS:
        return False
    room = 0
    for players in range(1, SEATS + 1):
        if seen.shape[1] == SIZES[form, players, 0] and planes.shape[1] == SIZES[form, players, 1]:
            room = players
    for i in range(len(states)):
        if states[i].rules.players > room:
            return False
    return True


@kernel
def _is_legal(action, legal):
    """Whether an action is one, and legal."""
    return 0 <= action < ACTIONS and legal[action]


@kernel
def _refused(states, actions, legal):
    """UNFIT, or the first game whose action is illegal; DONE if there is none."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(actions)):
        if actions[i] != SKIP and not _is_legal(actions[i], legal[i]):
            return i
    return DONE


# -- games


@kernel
def _fetch_next(states, i):
    """Fetch the next game into the cache while this one is played."""
    if i + 1 < len(states):
        fetch(states[i + 1])


@library.entry(states=CHANGED, legal=MASKS)
def new(states, legal):
    """Set games up, from their rules and streams, and run on to the first choice; write its masks."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        begin(states[i])
        play_forced(states[i], legal[i])
    return DONE


@library.entry(states=CHANGED)
def set_up(states):
    """Set games up to their first question, even if it has a single answer."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        begin(states[i])
    return DONE


@library.entry(states=GAMES, legal=MASKS, counts=COUNTS)
def masks(states, legal, counts):
    """Write the masks of all games, and the number of legal answers."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        counts[i] = ask(states[i], legal[i])
    return DONE


@library.entry(states=CHANGED, actions=COUNTS, legal=MASKS)
def step(states, actions, legal):
    """Answer in every game and run on to the next choice; write its masks.

    Actions are replaced by the numbers of forced answers that were played after them.
    """
    status = _refused(states, actions, legal)
    if status != DONE:
        return status
    for i in range(len(states)):
        _fetch_next(states, i)
        if actions[i] == SKIP:
            actions[i] = 0
        else:
            phases.answer(states[i], actions[i])
            actions[i] = play_forced(states[i], legal[i])
    return DONE


@library.entry(
    states=CHANGED, actions=NUMBERS, legal=MASKS, orders=COUNTS, streams=STREAMS, report=REPORT, form=WHOLE,
    seen=SEEN, planes=PLANES,
)  # fmt: skip
def step_and_observe(states, actions, legal, orders, streams, report, form, seen, planes):
    """`step`, for environments: report on every game that went on, and write what its viewer sees.

    An order other than PLAY is carried out instead of the action, once; a game begins again from its stream.
    Arrays of observations may have no columns: then none are written.
    """
    if not _are_games(states) or (seen.shape[1] > 0 and not _have_room(states, form, seen, planes)):
        return UNFIT
    for i in range(len(states)):
        if orders[i] == PLAY and not _is_legal(actions[i], legal[i]):
            return i
    for i in range(len(states)):
        _fetch_next(states, i)
        s, order, p = states[i], orders[i], states[i].seat
        orders[i] = PLAY
        if order == SKIP:
            continue
        if order == RESTART:
            begin_again(s, streams[i])
            report.length[i] = 0
        else:
            phases.answer(s, actions[i])
            report.length[i] += 1
        report.n_forced[i] = play_forced(s, legal[i])
        report.viewers[i] = p if s.ask == Ask.OVER else s.seat
        report.n_out[i] = _n_out(s)
        if seen.shape[1] > 0:
            see(s, words_of(s), report.viewers[i], form, seen[i], planes[i])
    return DONE


@kernel
def _n_out(s):
    """The number of seats out of the game; all of them when it is over."""
    return s.rules.players if s.ask == Ask.OVER else s.rules.players - players_in(s)


@library.entry(states=CHANGED, actions=NUMBERS, legal=MARKED)
def answer(states, actions, legal):
    """One answer in every game, without the forced ones that follow; masks are not updated."""
    status = _refused(states, actions, legal)
    if status != DONE:
        return status
    for i in range(len(states)):
        if actions[i] != SKIP:
            phases.answer(states[i], actions[i])
    return DONE


@library.entry(states=CHANGED, actions=NUMBERS, legal=MARKED)
def apply(states, actions, legal):
    """One answer in every game, without what follows from it."""
    status = _refused(states, actions, legal)
    if status != DONE:
        return status
    for i in range(len(states)):
        if actions[i] != SKIP:
            phases.apply(states[i], actions[i])
    return DONE


@library.entry(states=CHANGED)
def run_to_question(states):
    """Run games without an open question on to their next one."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        phases.run_to_question(states[i])
    return DONE


@library.entry(states=CHANGED)
def proceed(states):
    """One step of the rules in every game without an open question."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        if states[i].ask == Ask.NONE:
            phases.proceed(states[i])
    return DONE


# -- chance


@library.entry(legal=MARKED, streams=STREAMS, actions=COUNTS)
def pick(legal, streams, actions):
    """A random legal answer for every mask, -1 where there is none."""
    for i in range(len(legal)):
        streams[i] = next_stream(streams[i])
        answers = read(legal[i])
        actions[i] = nth(answers, pick_one(streams[i], number(answers)))
    return DONE


@library.long_entry(states=CHANGED, streams=reads("u8", "n"), counts=writes("i8", "n", COUNTED))
def rollout(states, streams, counts):
    """Play random legal answers to the end; count decisions and forced answers."""
    if not _are_games(states):
        return UNFIT
    legal = _mask()
    for i in range(len(states)):
        play_on_one(states[i], legal, streams[i], NOBODY, counts[i])
    return DONE


@library.long_entry(
    states=CHANGED, seats=NUMBERS, streams=STREAMS, legal=MASKS, counts=writes("i8", "n", COUNTED)
)
def play_on(states, seats, streams, legal, counts):
    """Play random legal answers until the seat is asked, is out, or the game ends."""
    if not _are_seated(states, seats):
        return UNFIT
    for i in range(len(states)):
        streams[i] = play_on_one(states[i], legal[i], streams[i], seats[i], counts[i])
    return DONE


@library.entry(states=CHANGED, seats=NUMBERS, streams=reads("u8", "n"))
def fork(states, seats, streams):
    """Draw again whatever a seat does not see, and what is still to come."""
    if not _are_seated(states, seats):
        return UNFIT
    for i in range(len(states)):
        determinize.determinize(states[i], seats[i], streams[i])
    return DONE


# -- what there is to know


@library.entry(states=GAMES, seats=NUMBERS, form=WHOLE, seen=SEEN, planes=PLANES)
def observe(states, seats, form, seen, planes):
    """Write what a seat of every game sees."""
    if not _are_seated(states, seats) or not _have_room(states, form, seen, planes):
        return UNFIT
    for i in range(len(states)):
        see(states[i], words_of(states[i]), seats[i], form, seen[i], planes[i])
    return DONE


@kernel
def _score(s, scores, places):
    """Write scores and places."""
    for p in range(s.rules.players):
        scores[p] = scoring.score(s, p)
        places[p] = scoring.rank(s, p)


@library.entry(states=GAMES, scores=BY_SEAT, places=BY_SEAT)
def score(states, scores, places):
    """Scores and places (0 is first) of every seat."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        _score(states[i], scores[i], places[i])
    return DONE


@library.entry(
    states=reads(STATE, "games"), count=reads("i8", 1), rows=NUMBERS, scores=BY_SEAT, places=BY_SEAT,
    ends=BY_SEAT, leads=BY_SEAT, ranks=writes("f4", "n", SEATS), shown=BY_SEAT, won=BY_SEAT,
)  # fmt: skip
def result(states, count, rows, scores, places, ends, leads, ranks, shown, won):
    """How the games of the first rows stand for every seat (calls.Results)."""
    if not 0 <= count[0] <= len(rows):
        return UNFIT
    for i in range(count[0]):
        if not 0 <= rows[i] < len(states) or not 0 < states[rows[i]].rules.players <= SEATS:
            return UNFIT
    for i in range(count[0]):
        s = states[rows[i]]
        for p in range(SEATS):
            scores[i, p] = places[i, p] = ends[i, p] = leads[i, p] = shown[i, p] = won[i, p] = 0
            ranks[i, p] = 0
        _score(s, scores[i], places[i])
        for p in range(s.rules.players):
            ends[i, p] = OUT if s.borough[p].out > 0 else OVER * int(s.ask == Ask.OVER)
            leads[i, p] = payoff.lead(s, p, scores[i])
            if s.rules.players > 1:
                ranks[i, p] = payoff.by_place(s, p)
            shown[i, p] = scores[i, p] if s.ask == Ask.OVER else scoring.visible(s, p)
            first = places[i, p] == 0 if s.rules.players > 1 else scores[i, p] >= FIRST_TITLE
            won[i, p] = int(first and ends[i, p] == OVER)
    return DONE


@library.entry(states=GAMES, scores=BY_SEAT)
def visible_score(states, scores):
    """The part of every seat's score that all can see."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        for p in range(states[i].rules.players):
            scores[i, p] = scoring.visible(states[i], p)
    return DONE


@library.entry(states=GAMES, reasons=writes("i8", "n", REASONS))
def why_not(states, reasons):
    """Why each tile cannot be built now, and what it costs."""
    if not _are_games(states):
        return UNFIT
    for i in range(len(states)):
        explain(states[i], reasons[i])
    return DONE


@library.entry(states=GAMES, faults=writes("i8", "n", FAULTS))
def validate(states, faults):
    """The first thing that keeps each record from being a position of a game, and what it is about."""
    legal = _mask()
    for i in range(len(states)):
        faults[i, 0], faults[i, 1] = fault(states[i], words_of(states[i]), legal)
    return DONE


_PLAYERS = ("n", "players")


@library.entry(
    dice=reads("i8", *_PLAYERS), level=reads("i8", *_PLAYERS), footprint=reads("i8", *_PLAYERS),
    playing=reads("?", *_PLAYERS), hosts=writes("?", *_PLAYERS),
)  # fmt: skip
def wake_all(dice, level, footprint, playing, hosts):
    """Who hosts a godzilla, for many rounds at once."""
    for i in range(len(dice)):
        wake(dice[i], level[i], footprint[i], playing[i], hosts[i])
    return DONE
