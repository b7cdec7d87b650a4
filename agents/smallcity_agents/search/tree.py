"""Search trees of a batch of games in arrays: find, select and add nodes and edges.

A node is a question, an edge one of its answers. Chance can lead to several questions after one answer, so an
edge has a list of child nodes, identified by a hash of the question. Lists are linked by index; 0 ends them
(node 0 is the root, edge 0 is unused).
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_env.library import group, kernel, writes
from smallcity_env.rules._flags import number, read
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.rng import next_stream
from smallcity_env.rules.tables import SEATS

_NODE = [("key", "u8"), ("edge", "i4"), ("next", "i4"), ("visits", "i4")]
_EDGE = [("action", "i4"), ("child", "i4"), ("next", "i4"), ("visits", "i4"), ("value", "f4", SEATS)]  # a sum
NODE, EDGE = (np.dtype((np.record, fields)) for fields in (_NODE, _EDGE))
NODES, EDGES = 0, 1  # columns of the sizes of a tree
SIZES = 8  # columns, unused ones included: threads that grow trees write to different cache lines


class Forest(NamedTuple):
    """One tree per game."""

    nodes: Any  # (games, room + 1) NODE
    edges: Any  # (games, room + 1) EDGE
    sizes: npt.NDArray[np.int64]  # (games, SIZES): nodes and edges in use, the first of each included


def new_forest(games: int, room: int) -> Forest:
    """Empty trees with room for this many edges each."""
    nodes, edges = (np.zeros((games, room + 1), kind) for kind in (NODE, EDGE))
    return Forest(nodes, edges, np.ones((games, SIZES), np.int64))


FOREST = group(
    Forest,
    nodes=writes(NODE, "trees", "room"),
    edges=writes(EDGE, "trees", "room"),
    sizes=writes("i8", "trees", SIZES),
)


@kernel
def edge_of(nodes, edges, size, node, action):
    """The edge of a given action at a node (0: no room for it), and whether it is new."""
    edge = nodes[node].edge
    while edge > 0:
        if edges[edge].action == action:
            return edge, False
        edge = edges[edge].next
    if size[EDGES] < len(edges):
        return add_edge(nodes, edges, size, node, action), True
    return 0, False


@kernel
def widens(node, edges, legal, widening):
    """Whether the node may get one more edge: the first at once, others as its visits grow."""
    known, edge = 0, node.edge
    while edge > 0:
        known += legal[edges[edge].action]
        edge = edges[edge].next
    return known <= widening * np.sqrt(node.visits) and known < number(read(legal))


@kernel
def ucb(node, edges, seat, sign, legal, c_ucb):
    """The edge with the highest upper confidence bound for a seat, or with sign -1 against it; 0: none."""
    best, highest = 0, -np.inf
    log = np.log(node.visits + 1.0)
    edge = node.edge
    while edge > 0:
        e = edges[edge]
        if legal[e.action]:
            value = sign * e.value[seat] / e.visits + c_ucb * np.sqrt(log / e.visits)
            if value > highest:
                best, highest = edge, value
        edge = e.next
    return best


@kernel
def next_best(edges, edge, legal, values):
    """The untried action with the highest value; sets the values of tried ones to -inf."""
    while edge > 0:
        values[edges[edge].action] = -np.inf
        edge = edges[edge].next
    best = -1
    for action in range(ACTIONS):
        if legal[action] and values[action] > -np.inf:
            if best < 0 or values[action] > values[best]:
                best = action
    return best


@kernel
def add_edge(nodes, edges, size, node, action):
    """Add an edge to a node."""
    edge = size[EDGES]
    size[EDGES] += 1
    edges[edge].action = action
    edges[edge].next = nodes[node].edge
    nodes[node].edge = edge
    return edge


@kernel
def key(s):
    """A hash of the question, to distinguish questions after the same action."""
    key = next_stream(np.uint64(s.ask + 1))
    for part in (s.seat, s.phase, s.round_no, s.kind, s.space, s.asked_borough, s.product, s.head,
                 s.steps_left):  # fmt: skip
        key = next_stream(key ^ np.uint64(part + 1))
    for part in (s.destination, s.council_row, s.tourism_column, s.to_clean):
        key = next_stream(key ^ np.uint64(part + 1))
    return key


@kernel
def child(nodes, edges, size, edge, key):
    """The node of a question after an edge; -1 if it is new (it is then added if there is room)."""
    node = edges[edge].child
    while node > 0:
        if nodes[node].key == key:
            return node
        node = nodes[node].next
    if size[NODES] < len(nodes):
        node = size[NODES]
        size[NODES] += 1
        nodes[node].key = key
        nodes[node].next = edges[edge].child
        edges[edge].child = node
    return -1
