"""The one compiled entry: every command over a batch of games goes through `run`.

One entry means that the rules are linked and optimised once (see _jit.py); a command is a number.
"""

from . import determinize, scoring
from ._flags import chosen, how_many
from ._jit import entry, kernel
from .actions import ACTIONS
from .observe import observe
from .phases import answer, carry_out, run_on
from .rng import pick, turned
from .step import NOBODY, ask, begin, play_forced, play_on
from .tables import SEATS, Ask
from .why_not import explain

BEGIN, ASK, STEP, ANSWER, ROLL_OUT, PLAY_ON, FORK, SCORE, VISIBLE, RUN_ON, PICK, SEE = range(12)
CARRY_OUT, WHY_NOT = SEE + 1, SEE + 2
LINES = 2 * SEATS  # most rows of `out` a command writes: scores and places
SKIP = -1  # as an action: leave this game alone


@kernel
def _tell(command, s, out):
    """The commands that only look at a game."""
    if command == WHY_NOT:
        explain(s, out)
    elif command == VISIBLE:
        for p in range(s.rules.players):
            out[p] = scoring.visible(s, p)
    elif command == SCORE:
        for p in range(s.rules.players):
            out[p] = scoring.score(s, p)
            out[SEATS + p] = scoring.rank(s, p)


@entry
def run(command, states, actions, streams, legal, out, state_words, form, seen, planes):
    """Run one command over the games; return the first game whose action is illegal, -1 for none.

    `state_words` are the games as int16. A step replaces actions by the numbers of forced answers after them.
    """
    if command == STEP or command == ANSWER:
        for i in range(len(states)):
            if actions[i] != SKIP and not (0 <= actions[i] < ACTIONS and legal[i, actions[i]]):
                return i
    if command == PICK:
        for i in range(len(legal)):
            streams[i] = turned(streams[i])
            actions[i] = chosen(legal[i], pick(streams[i], how_many(legal[i])))
    for i in range(len(states)):
        s = states[i]
        if command == STEP:
            p, action, actions[i] = s.seat, actions[i], 0
            if action != SKIP:
                answer(s, action)
                actions[i] = play_forced(s, legal[i])
                if len(seen) > 0:
                    observe(s, state_words[i], p if s.ask == Ask.OVER else s.seat, form, seen[i], planes[i])
        elif command == SEE:
            observe(s, state_words[i], actions[i], form, seen[i], planes[i])
        elif command == ROLL_OUT:
            play_on(s, legal[0], streams[i], NOBODY, out[:, i])
        elif command == PLAY_ON:
            streams[i] = play_on(s, legal[i], streams[i], actions[i], out[:, i])
        elif command == ASK:
            out[0, i] = ask(s, legal[i])
        elif command == ANSWER:
            answer(s, actions[i])
        elif command == BEGIN:
            begin(s)
            if len(legal) > 0:
                play_forced(s, legal[i])
        elif command == FORK:
            determinize.determinize(s, actions[i], streams[i])
        elif command == RUN_ON:
            run_on(s)
        elif command == CARRY_OUT:
            carry_out(s, actions[i])
        else:
            _tell(command, s, out[:, i])
    return -1
