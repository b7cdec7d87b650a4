"""Compiled functions of training: leaves of a search, and gradients of summed embeddings."""

import numpy as np

from smallcity_agents.evaluation.schema import WEIGHTS
from smallcity_agents.evaluation.weights import ROW_BY_PLAYERS
from smallcity_agents.search.schema import SETTINGS, WORK
from smallcity_agents.search.simulate import play_rounds
from smallcity_env.library import kernel, reads, writes
from smallcity_env.rules._flags import nth, number, read
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.determinize import determinize
from smallcity_env.rules.phases import answer
from smallcity_env.rules.rng import next_stream
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.step import ask, play_forced
from smallcity_env.rules.tables import Ask

_GAMES = {"states": writes(STATE, "n"), "streams": reads("u8", "n")}
_WEIGHTS = {"weights": reads(WEIGHTS, "rows"), "settings": reads(SETTINGS, 3)}


@library.long_entry(**_GAMES, at_once=reads("?", "n"), work=WORK, **_WEIGHTS)
def make_leaves(states, streams, at_once, work, weights, settings):
    """Turn every root into one of its leaves, in place."""
    for i in range(len(states)):
        s, playout = states[i], settings[0 if at_once[i] else 1]
        determinize(s, s.seat, streams[i])
        ask(s, work.legal)
        answer(s, _draw(work.legal, streams[i]))
        play_forced(s, work.legal)
        play_rounds(s, work, playout, weights[ROW_BY_PLAYERS[s.rules.players]], next_stream(streams[i]))


@kernel
def _draw(legal, stream):
    """A random legal answer."""
    answers = read(legal)
    return nth(answers, np.int64(next_stream(stream ^ np.uint64(ACTIONS)) % np.uint64(number(answers))))


@library.long_entry(**_GAMES, work=WORK, **_WEIGHTS)
def play_out(states, streams, work, weights, settings):
    """Let greedy play every game to its end."""
    for i in range(len(states)):
        s = states[i]
        if s.ask != Ask.OVER:
            ask(s, work.legal)
            play_rounds(s, work, settings[2], weights[ROW_BY_PLAYERS[s.rules.players]], streams[i])


_BAGS = {"codes": reads("i8", "codes"), "ends": reads("i8", "bags")}


@library.long_entry(**_BAGS, gradients=reads("f4", "bags", "width"), out=writes("f4", "rows", "width"))
def scatter_rows(codes, ends, gradients, out):
    """Add the gradient of each bag to every embedding row that its codes name."""
    begin = 0
    for i in range(len(ends)):
        for j in range(begin, ends[i]):
            row = out[codes[j]]
            for c in range(len(row)):
                row[c] += gradients[i, c]
        begin = ends[i]
