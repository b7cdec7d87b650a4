"""Compiled functions of training: leaves of a search, and sums of embeddings for torch.

Torch's own backward pass of such a sum is thirty times slower.
"""

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
from smallcity_env.rules.rng import advanced
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
        play_rounds(s, work, playout, weights[ROW_BY_PLAYERS[s.rules.players]], advanced(streams[i]))


@kernel
def _draw(legal, stream):
    """A random legal answer."""
    answers = read(legal)
    return nth(answers, np.int64(advanced(stream ^ np.uint64(ACTIONS)) % np.uint64(number(answers))))


@library.long_entry(**_GAMES, work=WORK, **_WEIGHTS)
def play_out(states, streams, work, weights, settings):
    """Let greedy play every game to its end."""
    for i in range(len(states)):
        s = states[i]
        if s.ask != Ask.OVER:
            ask(s, work.legal)
            play_rounds(s, work, settings[2], weights[ROW_BY_PLAYERS[s.rules.players]], streams[i])


_CODES = {"codes": reads("u1", "n", "kinds"), "starts": reads("i8", "kinds")}


@library.long_entry(**_CODES, weights=reads("f4", "rows", "width"), out=writes("f4", "n", "width"))
def sum_rows(codes, starts, weights, out):
    """Add up the embedding rows named by the codes of each space."""
    for i in range(len(codes)):
        for k in range(len(starts)):
            row = weights[starts[k] + codes[i, k]]
            for c in range(len(row)):
                out[i, c] += row[c]


@library.long_entry(**_CODES, gradients=reads("f4", "n", "width"), out=writes("f4", "rows", "width"))
def scatter_rows(codes, starts, gradients, out):
    """Add each space's gradient to every embedding row its codes name."""
    for i in range(len(codes)):
        for k in range(len(starts)):
            row = out[starts[k] + codes[i, k]]
            for c in range(len(row)):
                row[c] += gradients[i, c]


_LINES = {"lines": reads("i8", "n"), "codes": reads("u2", "codes"), "ends": reads("i8", "ends")}


@library.long_entry(**_LINES, weights=reads("f4", "rows", "width"), out=writes("f4", "n", "width"))
def sum_codes(lines, codes, ends, weights, out):
    """Add up the embeddings of all codes of each line."""
    for i in range(len(lines)):
        line = lines[i]
        for j in range(ends[line - 1] if line > 0 else 0, ends[line]):
            row = weights[codes[j]]
            for c in range(len(row)):
                out[i, c] += row[c]


@library.long_entry(**_LINES, gradients=reads("f4", "n", "width"), out=writes("f4", "rows", "width"))
def scatter_codes(lines, codes, ends, gradients, out):
    """Add each line's gradient to the embedding of every code it has."""
    for i in range(len(lines)):
        line = lines[i]
        for j in range(ends[line - 1] if line > 0 else 0, ends[line]):
            row = out[codes[j]]
            for c in range(len(row)):
                row[c] += gradients[i, c]
