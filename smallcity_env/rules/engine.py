"""The one compiled entry: every command over a batch of games goes through `run`.

One entry means that the rules are linked and optimised once (see _jit.py); a command is a number.
"""

from . import determinize, scoring
from ._flags import chosen, how_many
from ._jit import entry
from .actions import ACTIONS
from .observe import observe
from .phases import answer, run_on
from .rng import pick, turned
from .step import NOBODY, ask, begin, play_forced, play_on
from .tables import SEATS, Ask

BEGIN, ASK, STEP, ANSWER, ROLL_OUT, PLAY_ON, FORK, SCORE, VISIBLE, RUN_ON, PICK, SEE = range(12)
LINES = 2 * SEATS  # most rows of `out` a command writes: scores and places
SKIP = -1  # as an action: leave this game alone


@entry
def run(command, states, actions, streams, legal, out, state_words, seen):
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
            viewer, action, actions[i] = s.seat, actions[i], 0
            if action != SKIP:
                answer(s, action)
                actions[i] = play_forced(s, legal[i])
                if len(seen) > 0:
                    observe(s, state_words[i], viewer if s.ask == Ask.OVER else s.seat, seen[i])
        elif command == SEE:
            observe(s, state_words[i], actions[i], seen[i])
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
        elif command == VISIBLE:
            for p in range(s.rules.players):
                out[p, i] = scoring.visible(s, p)
        elif command == SCORE:
            for p in range(s.rules.players):
                out[p, i] = scoring.score(s, p)
                out[SEATS + p, i] = scoring.rank(s, p)
    return -1
