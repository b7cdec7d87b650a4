"""Search trees of a batch of games, in arrays; their walks are compiled.

A node is a question, an edge one of its answers. Chance may put several questions after one answer, so an
edge has a list of nodes, told apart by a key of what is asked. Lists are linked by index; 0 ends them
(node 0 is the root, edge 0 is never used). Every seat seeks its own best (max-n).
"""

import numpy as np

from smallcity_env.rules._jit import entry, kernel
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.rng import turned
from smallcity_env.rules.tables import SEATS, Ask

_NODE = [("key", "u8"), ("edge", "i4"), ("next", "i4"), ("visits", "i4")]
_EDGE = [
    ("answer", "i4"),
    ("node", "i4"),
    ("next", "i4"),
    ("visits", "i4"),  # walks that took it
    ("ended", "i4"),  # those whose worth is known
    ("worth", "f4", SEATS),
]
_WALK = [("tree", "i4"), ("at", "i4"), ("depth", "i4"), ("grows", "?")]  # at: -1 outside the tree
NODE, EDGE, WALK = (np.dtype((np.record, fields)) for fields in (_NODE, _EDGE, _WALK))
NODES, EDGES = 0, 1  # columns of the sizes of a tree
DEEPEST = 128  # answers on the way to a leaf
NOT_ASKED = -1


class Forest:
    """A tree for each game, with room for so many answers."""

    def __init__(self, games: int, room: int) -> None:
        self.nodes = np.zeros((games, room + 1), NODE)
        self.edges = np.zeros((games, room + 1), EDGE)
        self.sizes = np.ones((games, 2), np.int64)


@entry
def walk(nodes, edges, sizes, states, legal, values, explore, widen, walks, paths, actions):
    """One answer further down for every walk that is still in its tree; -1 for the others.

    The first answer of a walk is given. A walk that takes an answer never tried before, or can go no
    further, ends there.
    """
    for i in range(len(states)):
        w = walks[i]
        if w.at >= 0 and w.depth < DEEPEST:
            nodes_, edges_, size = nodes[w.tree], edges[w.tree], sizes[w.tree]
            if w.depth == 0:
                edge, fresh = _given(nodes_, edges_, size, actions[i])
            elif w.grows and size[EDGES] < len(edges_) and _widens(nodes_[w.at], edges_, legal[i], widen):
                answer = _next_best(edges_, nodes_[w.at].edge, legal[i], values[i])
                edge, fresh = _grown(nodes_, edges_, size, w.at, answer), True
            else:
                edge, fresh = _chosen(nodes_[w.at], edges_, states[i].seat, legal[i], explore), False
            _take(nodes_, edges_, w, edge, paths[i])
            actions[i] = edges_[edge].answer if edge > 0 else NOT_ASKED
            if fresh or edge == 0:
                w.at = -1
        else:
            actions[i] = NOT_ASKED
            w.at = -1


@kernel
def _take(nodes, edges, w, edge, path):
    """Note an answer on the way, before its worth is known: walks beside it know it is being tried."""
    if edge > 0:
        edges[edge].visits += 1
        nodes[w.at].visits += 1
        path[w.depth] = edge
        w.depth += 1


@kernel
def _given(nodes, edges, size, action):
    """The edge of a given answer at the root, and whether it is new; 0 when there is no room."""
    edge = nodes[0].edge
    while edge > 0:
        if edges[edge].answer == action:
            return edge, False
        edge = edges[edge].next
    if size[EDGES] < len(edges):
        return _grown(nodes, edges, size, 0, action), True
    return 0, False


@kernel
def _widens(node, edges, legal, widen):
    """Whether one more answer may be tried: the first at once, others when the question was met often."""
    known, edge = 0, node.edge
    while edge > 0:
        known += legal[edges[edge].answer]
        edge = edges[edge].next
    return known <= widen * np.sqrt(node.visits) and known < np.count_nonzero(legal)


@kernel
def _chosen(node, edges, seat, legal, explore):
    """The edge to follow from a node: what did well, and what was seldom taken (UCB); 0 if there is none.

    What is still being tried counts as taken, not as lost.
    """
    best, highest = 0, -np.inf
    log = np.log(node.visits + 1.0)
    edge = node.edge
    while edge > 0:
        e = edges[edge]
        if legal[e.answer]:
            value = e.worth[seat] / max(e.ended, 1) + explore * np.sqrt(log / e.visits)
            if value > highest:
                best, highest = edge, value
        edge = e.next
    return best


@kernel
def _next_best(edges, edge, legal, values):
    """The answer not tried yet that is best in greedy's eyes; marks what has been tried in the values."""
    while edge > 0:
        values[edges[edge].answer] = -np.inf
        edge = edges[edge].next
    best = -1
    for action in range(ACTIONS):
        if legal[action] and values[action] > -np.inf:
            if best < 0 or values[action] > values[best]:
                best = action
    return best


@kernel
def _grown(nodes, edges, size, node, action):
    """A new edge of a node."""
    edge = size[EDGES]
    size[EDGES] += 1
    edges[edge].answer = action
    edges[edge].next = nodes[node].edge
    nodes[node].edge = edge
    return edge


@kernel
def _key(s):
    """What tells one question from another after the same answers."""
    key = turned(np.uint64(s.ask + 1))
    for part in (s.seat, s.phase, s.round_no, s.kind, s.space, s.where_, s.row, s.product, s.head, s.steps):
        key = turned(key ^ np.uint64(part + 1))
    return key


@entry
def arrive(nodes, edges, sizes, states, legal, widen, walks, paths):
    """Every walk that goes on stands at the question that came after its answer; a new one ends it."""
    for i in range(len(states)):
        w = walks[i]
        w.grows = False
        if states[i].ask == Ask.OVER:
            w.at = -1
        elif w.at >= 0:
            t = w.tree
            w.at = _node_of(nodes[t], edges[t], sizes[t], paths[i, w.depth - 1], _key(states[i]))
            if w.at >= 0:
                w.grows = _widens(nodes[t, w.at], edges[t], legal[i], widen)


@kernel
def _node_of(nodes, edges, size, edge, key):
    """The node of a question after an edge, made if there is room; -1 when it is new."""
    node = edges[edge].node
    while node > 0:
        if nodes[node].key == key:
            return node
        node = nodes[node].next
    if size[NODES] < len(nodes):
        node = size[NODES]
        size[NODES] += 1
        nodes[node].key = key
        nodes[node].next = edges[edge].node
        edges[edge].node = node
    return -1


@entry
def learn(edges, walks, paths, worths):
    """What a walk came to is credited to all its answers."""
    for i in range(len(walks)):
        for step in range(walks[i].depth):
            edge = edges[walks[i].tree, paths[i, step]]
            edge.ended += 1
            for p in range(SEATS):
                edge.worth[p] += worths[i, p]
