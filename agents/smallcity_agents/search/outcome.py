"""The payoff of every seat: at the end by final scores, before it by those a net or greedy expects."""

from smallcity_env.library import kernel, reads, writes
from smallcity_env.rules import scoring
from smallcity_env.rules._library import library
from smallcity_env.rules.payoff import alone, payoff
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS, Ask

from ..evaluation import seat_value
from ..value_net.forward import SCORE, evaluate


@kernel
def write_outcome(s, viewer, settings, weights, net, work):
    """Write the value of a determinised game for every seat."""
    work.outcome[:] = 0
    if s.ask == Ask.OVER:
        write_final(s, work.scores, work.outcome)
    elif settings.net:
        evaluate(s, net, work.scratch, work.outcome)
        if s.rules.players == 1:
            work.outcome[0] = alone(s, work.scratch.outputs[0, SCORE])
    else:
        for p in range(s.rules.players):
            work.scores[p] = seat_value(s, p, viewer, weights, work.features[0])
        for p in range(s.rules.players):
            work.outcome[p] = payoff(s, p, work.scores)


@kernel
def write_final(s, scores, out):
    """Write the final scores and payoffs of a game that is over."""
    for p in range(s.rules.players):
        scores[p] = scoring.score(s, p)
    for p in range(s.rules.players):
        out[p] = payoff(s, p, scores)


@library.entry(states=reads(STATE, "n"), scores=writes("f8", "n", SEATS), out=writes("f4", "n", SEATS))
def write_payoffs(states, scores, out):
    """Write the payoffs of games (n, SEATS), by these expected scores (n, SEATS) if they are not over."""
    for i in range(len(states)):
        s = states[i]
        if s.ask == Ask.OVER:
            write_final(s, scores[i], out[i])
        else:
            for p in range(s.rules.players):
                out[i, p] = payoff(s, p, scores[i])
