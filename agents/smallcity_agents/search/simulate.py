"""Simulations from root to leaf in compiled code: fork, select, step, widen, evaluate, back up.

The tree is that of tree.py. A simulation follows it from a fork of the game, adds one edge with the question
after it, and values that leaf: at once, or after a short playout in which greedy answers for all seats.
"""

from smallcity_env.library import kernel, reads, writes
from smallcity_env.rules import scoring
from smallcity_env.rules._library import library
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.determinize import determinize
from smallcity_env.rules.payoff import alone, payoff
from smallcity_env.rules.phases import answer
from smallcity_env.rules.rng import next_stream
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.step import ask, play_forced
from smallcity_env.rules.tables import SEATS, Ask

from ..evaluation import best, evaluate_answers, seat_value
from ..evaluation.schema import WEIGHTS
from ..evaluation.weights import ROW_BY_PLAYERS, VALUE_ROW
from ..value_net.forward import NET, SCORE, evaluate
from ..value_net.priors import weigh
from .schema import PARANOID, PRIORS, SETTINGS, WORK
from .tree import EDGES, FOREST, add_edge, child, edge_of, key, next_best, ucb, widens


@library.long_entry(
    forest=FOREST, work=WORK, settings=reads(SETTINGS, 1), weights=reads(WEIGHTS, "rows"), net=NET,
    roots=reads(STATE, "games"), games=reads("i8", "trees"), seats=reads("i8", "trees"),
    seeds=reads("u8", "trees", "most"), times=reads("i8", "trees"), candidates=reads("?", "trees", ACTIONS),
    visits=writes("i8", "trees", ACTIONS), sums=writes("f8", "trees", ACTIONS, SEATS),
)  # fmt: skip
def simulate(
    forest, work, settings, weights, net, roots, games, seats, seeds, times, candidates, visits, sums
):
    """Simulate every candidate of each tree `times` times, all candidates in the same forks.

    Tree t belongs to game `games[t]`; adds to the visits and value sums of its candidates.
    """
    for t in range(len(games)):
        playing = weights[ROW_BY_PLAYERS[roots[games[t]].rules.players]]
        for k in range(times[t]):
            s, fork = work.state[0], work.state[1]
            work.state[1] = roots[games[t]]
            if settings[0].all_seeing:
                fork.stream = seeds[t, k]
            else:
                determinize(fork, seats[t], seeds[t, k])
            for action in range(ACTIONS):
                if candidates[t, action]:
                    work.state[0] = fork
                    depth = _descend(forest, t, s, seats[t], work, settings[0], playing, net, action)
                    if depth == 0:  # no room for an edge: the playout begins at the root
                        ask(s, work.legal)
                    play_rounds(s, work, settings[0], playing, seeds[t, k])
                    _write_outcome(s, seats[t], settings[0], weights[VALUE_ROW], net, work)
                    _back_up(forest.edges[t], work, depth)
                    visits[t, action] += 1
                    for p in range(SEATS):
                        sums[t, action, p] += work.outcome[p]


@kernel
def _descend(forest, t, s, viewer, work, settings, weights, net, action):
    """Follow a tree from an action at the root until an edge is added; return the number of edges."""
    nodes, edges, size = forest.nodes[t], forest.edges[t], forest.sizes[t]
    node, depth = 0, 0
    while node >= 0 and depth < settings.depth:
        if depth == 0:
            edge, is_new = edge_of(nodes, edges, size, node, action)
        else:
            edge, is_new = _select(nodes, edges, size, node, s, viewer, work, settings, weights, net)
        if edge == 0:
            return depth
        edges[edge].visits += 1
        nodes[node].visits += 1
        work.path[depth] = edge
        depth += 1
        answer(s, edges[edge].action)
        play_forced(s, work.legal)
        node = -1 if s.ask == Ask.OVER else child(nodes, edges, size, edge, key(s))
        if is_new:
            return depth
    return depth


@kernel
def _select(nodes, edges, size, node, s, viewer, work, settings, weights, net):
    """The next edge of a node (0: none), and whether it is new."""
    by_priors = settings.others == PRIORS and s.seat != viewer
    room = size[EDGES] < len(edges)
    if by_priors or (room and widens(nodes[node], edges, work.legal, settings.widening)):
        evaluate_answers(s, s.seat, work.legal, weights, work.features, work.answers)
        if settings.learned:
            weigh(s, s.seat, work.legal, net, work.scratch, work.answers)
        if by_priors:
            return edge_of(nodes, edges, size, node, next_best(edges, 0, work.legal, work.answers))
        action = next_best(edges, nodes[node].edge, work.legal, work.answers)
        return add_edge(nodes, edges, size, node, action), True
    if settings.others == PARANOID and s.seat != viewer:
        return ucb(nodes[node], edges, viewer, -1.0, work.legal, settings.c_ucb), False
    return ucb(nodes[node], edges, s.seat, 1.0, work.legal, settings.c_ucb), False


@kernel
def play_rounds(s, work, settings, weights, stream):
    """Let greedy answer for all seats until the rounds of a playout are over."""
    last = s.round_no + settings.rounds + (settings.alone if s.rules.players == 1 else 0)
    while s.ask != Ask.OVER and s.round_no <= last:
        evaluate_answers(s, s.seat, work.legal, weights, work.features, work.answers)
        stream = next_stream(stream)
        answer(s, best(work.legal, work.answers, stream))
        play_forced(s, work.legal)


@kernel
def _write_outcome(s, viewer, settings, weights, net, work):
    """Write the payoff of every seat: at the end by final scores, before it as a net or greedy expects."""
    work.outcome[:] = 0
    if s.ask == Ask.OVER:
        _write_final(s, work.scores, work.outcome)
    elif settings.net:
        evaluate(s, net, work.scratch, work.outcome)
        if s.rules.players == 1:
            work.outcome[0] = alone(s, float(work.scratch.outputs[0, SCORE]))
    else:
        for p in range(s.rules.players):
            work.scores[p] = seat_value(s, p, viewer, weights, work.features[0])
        for p in range(s.rules.players):
            work.outcome[p] = payoff(s, p, work.scores)


@kernel
def _write_final(s, scores, out):
    """Write the final scores and payoffs of a game that is over."""
    for p in range(s.rules.players):
        scores[p] = scoring.score(s, p)
    for p in range(s.rules.players):
        out[p] = payoff(s, p, scores)


@library.entry(states=reads(STATE, "n"), scores=writes("f8", "n", SEATS), out=writes("f4", "n", SEATS))
def write_payoffs(states, scores, out):
    """Write the final scores and payoffs of games that are over."""
    for i in range(len(states)):
        _write_final(states[i], scores[i], out[i])


@kernel
def _back_up(edges, work, depth):
    """Add the outcome to every edge of the path."""
    for step in range(depth):
        edge = edges[work.path[step]]
        for p in range(SEATS):
            edge.value[p] += work.outcome[p]
