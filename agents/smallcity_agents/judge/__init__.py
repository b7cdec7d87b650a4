"""The judge: for every question a value for every legal answer, from what the seat asked may see.

A city is counted into figures (figures.py), figures are worth what they will bring until the end
(outlook.py), and an answer is worth what it changes. Land is judged apart (land.py).
"""

from smallcity_env.rules._jit import entry, kernel
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.engine import SKIP
from smallcity_env.rules.phases.screens import secret
from smallcity_env.rules.phases.vote import home_votes
from smallcity_env.rules.rng import pick, turned
from smallcity_env.rules.tables import Ask, Phase

from . import build, cards, goods, ground, people, walk
from .figures import census
from .outlook import total

ALIKE = 1e-9  # values closer than this are equal


@entry
def judge_all(states, seats, legal, weights, which, figures, values, streams, chosen, worths):
    """The best answer of each game, or with room for `worths` what each seat is worth to the one asked.

    A game is judged by its row of the weights; equal answers are drawn from its stream. `values` has a
    row for each game, or one for all of them. Where no answer is legal the game is skipped.
    """
    for i in range(len(states)):
        s, w = states[i], weights[which[i]]
        if len(worths) > 0:
            for p in range(s.rules.players):
                worths[i, p] = worth(s, p, seats[i], w, figures[0])
        elif not legal[i].any():
            chosen[i] = SKIP
        else:
            value = values[min(i, len(values) - 1)]
            judge(s, seats[i], legal[i], w, figures, value)
            streams[i] = turned(streams[i])
            chosen[i] = _best(legal[i], value, streams[i])


@kernel
def worth(s, p, viewer, w, f):
    """The score a seat is heading for; another's promises count for nothing."""
    hidden = p != viewer and secret(s)
    census(s, p, s.shown[p] if hidden else s.borough[p], viewer, w, f)
    if p != viewer:
        f.promise = 0
        f.special = 0
    _rest_of_round(s, p, f)
    return total(f, w)


@kernel
def _rest_of_round(s, p, f):
    """Between moves and vote: those who have moved will vote where they stand, others still move."""
    if s.phase == Phase.MOVE and s.part == 0 and (p - s.host) % s.rules.players >= s.turn:
        f.left += 1
    elif Phase.MOVE <= s.phase <= Phase.VOTE:
        f.votes += home_votes(s, p)


@kernel
def _best(legal, value, stream):
    """The legal answer of the highest value, one of them by chance."""
    best, n = -1, 0
    for action in range(ACTIONS):
        if legal[action]:
            if best < 0 or value[action] > value[best] + ALIKE:
                best, n = action, 1
            elif value[action] >= value[best] - ALIKE:
                n += 1
    k = pick(stream, n)
    for action in range(best, ACTIONS):
        if legal[action] and value[action] >= value[best] - ALIKE and value[action] <= value[best] + ALIKE:
            if k == 0:
                return action
            k -= 1
    return best


@kernel
def judge(s, p, legal, w, figures, value):
    """Write the value of every legal answer to the question being asked."""
    value[:] = 0
    census(s, p, s.borough[p], p, w, figures[0])
    if s.ask == Ask.MOVE:
        people.judge_move(s, p, legal, w, figures[0], value)
    elif s.ask == Ask.WHAT:
        build.judge_what(s, p, legal, w, figures, value)
    elif s.ask == Ask.WHERE:
        build.judge_where(s, p, legal, w, figures, value)
    elif s.ask == Ask.WAY:
        build.judge_way(s, p, legal, w, figures, value)
    elif s.ask == Ask.ABROAD:
        people.judge_abroad(s, p, legal, w, figures[0], value)
    elif s.ask == Ask.HOME:
        people.judge_home(s, p, legal, w, figures, value)
    elif s.ask == Ask.TRADE:
        goods.judge_trade(s, legal, w, figures, value)
    elif s.ask == Ask.TAKE_FROM:
        goods.judge_take_from(value)
    elif s.ask == Ask.STORE:
        goods.judge_store(value)
    elif s.ask == Ask.PRODUCT:
        goods.judge_product(s, legal, figures[0], value)
    elif s.ask == Ask.TOURIST:
        goods.judge_tourist(s, legal, figures[0], value)
    elif s.ask <= Ask.PAY:
        _judge_city(s, p, legal, w, figures, value)
    elif s.ask >= Ask.ARRIVE or s.ask == Ask.CLEAN:
        _judge_walk(s, p, legal, w, figures[0], value)
    else:
        _judge_modules(s, p, legal, w, figures, value)


@kernel
def _judge_city(s, p, legal, w, figures, value):
    """The questions of a city that come once a round: cards, streets, graves, the council."""
    if s.ask == Ask.CARD:
        cards.judge_card(s, p, legal, w, figures, value)
    elif s.ask == Ask.ROW:
        cards.judge_row(s, p, legal, w, figures, value)
    elif s.ask == Ask.PAY:
        cards.judge_pay(figures[0], value)
    elif s.ask == Ask.SUPPORT:
        cards.judge_support(figures[0], value)
    elif s.ask == Ask.DIFFICULTY:
        cards.judge_difficulty(w, value)
    elif s.ask == Ask.STREET:
        ground.judge_street(s, legal, value)
    elif s.ask == Ask.STREET_WAY:
        ground.judge_street_way(s, legal, value)
    elif s.ask == Ask.DIES:
        people.judge_dies(s, p, legal, w, figures[0], value)
    elif s.ask == Ask.GRAVE:
        ground.judge_land(s.borough[p], legal, w, value, -1)


@kernel
def _judge_walk(s, p, legal, w, f, value):
    """The questions of a godzilla's walk and of its markers."""
    if s.ask == Ask.ARRIVE:
        walk.judge_arrive(s, p, legal, w, f, value)
    elif s.ask == Ask.ARRIVE_BESIDE:
        walk.judge_beside(s, p, legal, w, f, value)
    elif s.ask == Ask.LEAVE:
        walk.judge_leave(s, p, legal, w, f, value)
    elif s.ask == Ask.LEAVE_WAY:
        walk.judge_leave_way(s, p, legal, w, f, value)
    elif s.ask == Ask.TURN:
        walk.judge_turn(s, p, legal, w, f, value)
    elif s.ask == Ask.CLEAN:
        walk.judge_clean(s, p, legal, w, value)


@kernel
def _judge_modules(s, p, legal, w, figures, value):
    """The other questions of the Winter modules."""
    if s.ask == Ask.SPEECH:
        ground.judge_speech(s, legal, value)
    elif s.ask == Ask.SPEECH_WAY:
        ground.judge_speech_way(s, legal, value)
    elif s.ask == Ask.ENGINEER:
        cards.judge_engineer(s, p, w, figures[0], value)
    elif s.ask == Ask.DOCTOR:
        cards.judge_doctor(w, figures[0], value)
    elif s.ask == Ask.SALARY:
        cards.judge_salary(w, figures, value)
    elif s.ask == Ask.REVIVE:
        ground.judge_land(s.borough[p], legal, w, value, 1)
    elif s.ask == Ask.STONE or s.ask == Ask.PARK_GROWS:
        ground.judge_land(s.borough[p], legal, w, value, -1)
    elif s.ask == Ask.PILGRIM:
        people.judge_pilgrim(s, p, legal, w, figures[0], value)
