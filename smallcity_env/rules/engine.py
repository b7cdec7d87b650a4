"""The one compiled entry: every command over a batch of games goes through `run`.

One entry means that the rules are linked and optimised once (see _jit.py); a command is a number.
"""

from . import determinize, scoring
from ._flags import nth, number, read
from ._jit import entry, kernel
from ._jit_borrowed import borrowed
from ._memory import fetch, fetch_shown
from ._words import as_words
from .actions import ACTIONS
from .layout import Form
from .observe import observe
from .phases import answer, carry_out, run_on
from .phases.screens import secret
from .planes import SIZES
from .rng import advanced, pick
from .step import NOBODY, ask, begin, begin_again, play_forced, play_on
from .tables import SEATS, Ask
from .turns import players_in
from .validity import fault
from .why_not import explain

BEGIN, ASK, STEP, ANSWER, ROLL_OUT, PLAY_ON, FORK, SCORE, VISIBLE, RUN_ON, PICK, SEE = range(12)
CARRY_OUT, WHY_NOT, CHECK, RESULT = SEE + 1, SEE + 2, SEE + 3, SEE + 4
FORMS = len(Form)
LINES = 2 * SEATS  # rows of `out` with scores and places
RESULT_LINES = LINES + SEATS  # ... and, for each seat, whether the game has ended for it
OUT, OVER = 1, 2  # how: by elimination, with the game
VIEWER, GONE = 0, 1  # the rows of `out` a step writes, if there are any: who sees it, seats that are out
HOW = 2  # the row it reads: SKIP or AGAIN in place of an action, which is done once
STEP_LINES = 3
SKIP = -1  # leave this game alone; as an action, too, if `out` has no rows
AGAIN = -2  # begin a new game by the same rules, from the stream
DONE, UNFIT = -1, -2  # what `run` returns if no action is illegal: done, or nothing was done
# commands that write to games
CHANGING = frozenset({BEGIN, STEP, ANSWER, CARRY_OUT, ROLL_OUT, PLAY_ON, FORK, RUN_ON})
SCRATCHING = frozenset({ROLL_OUT, CHECK})  # ... that need one mask, to work with
ASKING = frozenset({BEGIN, ASK, STEP, PLAY_ON})  # ... that write masks


@kernel
def _report(command, s, out):
    """Run a command that only reads a game."""
    if command == WHY_NOT:
        explain(s, out)
    elif command == VISIBLE:
        for p in range(s.rules.players):
            out[p] = scoring.visible(s, p)
    elif command == SCORE:
        for p in range(s.rules.players):
            out[p] = scoring.score(s, p)
            out[SEATS + p] = scoring.rank(s, p)


@kernel
def _result(s, out):
    """Write scores, places and for whom the game has ended."""
    _report(SCORE, s, out)
    for p in range(s.rules.players):
        out[LINES + p] = OUT if s.borough[p].out > 0 else OVER * int(s.ask == Ask.OVER)


@kernel
def _gone(s):
    """The number of seats out of the game; all of them when it is over."""
    if s.ask == Ask.OVER:
        return s.rules.players
    return s.rules.players - players_in(s)


@kernel
def _chosen(actions, out, i):
    """The action of game i, or what `out` orders in its place, once."""
    if len(out) > HOW and out[HOW, i] < 0:
        how = out[HOW, i]
        out[HOW, i] = 0
        return how
    return actions[i]


@kernel
def _step(s, action, streams, legal, state_words, i):
    """Answer in game i, or begin it again, and auto-play forced answers; return their number."""
    if action == SKIP:
        return 0
    if action == AGAIN:
        begin_again(s, state_words[i], streams[i])
    else:
        answer(s, action)
    return play_forced(s, legal)


@kernel
def _fetch_seen(s, seen):
    """Prefetch what an observation needs and the rules do not."""
    if seen > 0 and secret(s):
        fetch_shown(s)


@kernel
def _show(s, p, i, out, state_words, form, seen, planes):
    """After a step of seat p: write who sees the game, how many have left it, and what is seen."""
    viewer = p if s.ask == Ask.OVER else s.seat
    if len(out) > 0:
        out[VIEWER, i], out[GONE, i] = viewer, _gone(s)
    if len(seen) > 0:
        observe(s, state_words[i], viewer, form, seen[i], planes[i])


@kernel
def _pick(actions, streams, legal):
    """Choose a random legal answer from every mask."""
    for i in range(len(legal)):
        streams[i] = advanced(streams[i])
        answers = read(legal[i])
        actions[i] = nth(answers, pick(streams[i], number(answers)))


# The actions of RESULT are rows: its games lie anywhere in the batch.
# A step with an `out` of no rows replaces actions by the numbers of forced answers after them; otherwise it
# only reads them. Actions come last, so that owners of buffers can bind the rest. UNFIT means that an array
# is too small or a seat has no player; nothing else is checked.
@entry
def run(command, states, streams, legal, out, form, seen, planes, actions):
    """Run one command over the games; return the first game whose action is illegal, DONE or UNFIT."""
    actions, streams, legal, out = borrowed(actions), borrowed(streams), borrowed(legal), borrowed(out)
    states, seen, planes = borrowed(states), borrowed(seen), borrowed(planes)
    room = _room(form, seen, planes) if len(seen) > 0 else 0
    status = _refused(command, states, actions, streams, legal, out, room, len(seen))
    if status != DONE:
        return status
    _run(command, states, actions, streams, legal, out, as_words(states), form, seen, planes)
    return DONE


@kernel
def _run(command, states, actions, streams, legal, out, state_words, form, seen, planes):
    """Run one command over the games."""
    if command == PICK:
        _pick(actions, streams, legal)
    if command == RESULT:
        for i in range(len(actions)):
            _result(states[actions[i]], out[:, i])
        return
    for i in range(len(states)):
        s = states[i]
        if i + 1 < len(states):
            fetch(states[i + 1])
        if command == STEP:
            _fetch_seen(s, len(seen))
            p, action = s.seat, _chosen(actions, out, i)
            forced = _step(s, action, streams, legal[i], state_words, i)
            if len(out) == 0:
                actions[i] = forced
            if action != SKIP:
                _show(s, p, i, out, state_words, form, seen, planes)
        elif command == ANSWER or command == CARRY_OUT:
            if actions[i] != SKIP:
                carry_out(s, actions[i])
                if command == ANSWER:
                    run_on(s)
        elif command == SEE:
            observe(s, state_words[i], actions[i], form, seen[i], planes[i])
        elif command == ROLL_OUT:
            play_on(s, legal[0], streams[i], NOBODY, out[:, i])
        elif command == PLAY_ON:
            streams[i] = play_on(s, legal[i], streams[i], actions[i], out[:, i])
        elif command == ASK:
            out[0, i] = ask(s, legal[i])
        elif command == CHECK:
            out[0, i], out[1, i] = fault(s, state_words[i], legal[0])
        elif command == BEGIN:
            begin(s)
            if len(legal) > 0:
                play_forced(s, legal[i])
        elif command == FORK:
            determinize.determinize(s, actions[i], streams[i])
        elif command == RUN_ON:
            run_on(s)
        else:
            _report(command, s, out[:, i])


@kernel
def _room(form, seen, planes):
    """The most players whose observations fit the arrays; 0 if an array does not fit the form."""
    if 0 <= form < FORMS and len(planes) == len(seen):
        for players in range(SEATS, 0, -1):
            if seen.shape[1] == SIZES[form, players, 0] and planes.shape[1] == SIZES[form, players, 1]:
                return players
    return 0


@kernel
def _refused(command, states, actions, streams, legal, out, room, seen):
    """UNFIT, or the first game whose action is not legal; DONE if the command can be carried out."""
    if not _fit(command, states, actions, streams, legal, room, seen):
        return UNFIT
    if command == STEP and len(out) > 0:
        if len(out) != STEP_LINES or out.shape[1] != len(states) or len(streams) != len(states):
            return UNFIT
        for i in range(len(actions)):
            if out[HOW, i] >= 0 and not (0 <= actions[i] < ACTIONS and legal[i, actions[i]]):
                return i
    elif command == STEP or command == ANSWER or command == CARRY_OUT:
        for i in range(len(actions)):
            if actions[i] != SKIP and not (0 <= actions[i] < ACTIONS and legal[i, actions[i]]):
                return i
    return DONE


@kernel
def _are_rows(rows, states):
    """Whether all of these are rows of games."""
    for row in rows:
        if not 0 <= row < len(states) or not 0 < states[row].rules.players <= SEATS:
            return False
    return True


@kernel
def _fit(command, states, actions, streams, legal, room, seen):
    """Whether every array has a row for each game, and every seat a player."""
    n = len(legal) if command == PICK else len(states)
    answers = command == STEP or command == ANSWER or command == CARRY_OUT
    views = command == SEE or command == PLAY_ON or command == FORK
    draws = command == ROLL_OUT or command == PLAY_ON or command == FORK or command == PICK
    asks = answers or command == ASK or command == PLAY_ON
    if legal.shape[1] != ACTIONS:
        return False
    if ((answers or views) and len(actions) != n) or (draws and len(streams) != n):
        return False
    if len(legal) != n and (asks or (command == BEGIN and len(legal) > 0)):
        return False
    if seen != n and (command == SEE or seen > 0):
        return False
    if command == RESULT:
        return _are_rows(actions, states)
    for i in range(len(states) if command != CHECK else 0):
        players = states[i].rules.players
        if not 0 < players <= SEATS or (views and not 0 <= actions[i] < players):
            return False
        if seen > 0 and players > room:
            return False
    return True
