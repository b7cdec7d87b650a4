"""The tree of a search, kernel by kernel, beside the formulas it is made of."""

import numpy as np
import pytest

from smallcity_agents.search.tree import (
    EDGES,
    NODES,
    Forest,
    child,
    edge_of,
    key,
    new_forest,
    next_best,
    ucb,
    widens,
)
from smallcity_env import Config
from smallcity_env.batch import Mask
from smallcity_env.config import blank
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import Ask

NODE = 1  # the node whose edges are chosen from
ROOM = 12


def mask(*legal: int) -> Mask:
    return np.isin(np.arange(ACTIONS), legal)


def grown(edges: list[tuple[int, int, float]], seat: int = 1, visits: int = 0) -> Forest:
    """A tree whose node has these edges: action, visits, and the mean value for the seat."""
    forest = new_forest(1, ROOM)
    forest.sizes[0, [NODES, EDGES]] = NODE + 1, len(edges) + 1
    forest.nodes[0, NODE].visits = visits or sum(times for _, times, _ in edges)
    for k, (action, times, mean) in enumerate(edges, start=1):
        edge = forest.edges[0, k]
        edge.action, edge.visits = action, times
        edge.value[seat] = mean * times
        edge.next = forest.nodes[0, NODE].edge
        forest.nodes[0, NODE].edge = k
    return forest


def selected(forest: Forest, legal: Mask, c_ucb: float = 0.0, seat: int = 1, sign: float = 1.0) -> int:
    """The action of the edge with the highest bound; -1 without one."""
    edge = ucb(forest.nodes[0, NODE], forest.edges[0], seat, sign, legal, c_ucb)
    return int(forest.edges[0, edge].action) if edge else -1


def test_the_less_visited_of_two_equals_is_explored() -> None:
    edges = [(3, 50, 0.5), (7, 2, 0.5)]
    assert selected(grown(edges), mask(3, 7), 0.1) == 7
    assert selected(grown(edges[::-1]), mask(3, 7), 0.1) == 7


def test_without_exploration_the_better_one_is_taken() -> None:
    edges = [(3, 50, 0.51), (7, 2, 0.5)]
    assert selected(grown(edges), mask(3, 7), 0.0) == 3
    assert selected(grown(edges), mask(3, 7), 1.0) == 7


def test_against_a_seat_its_worst_edge_is_taken() -> None:
    edges = [(3, 50, 0.51), (7, 20, 0.5), (9, 2, 0.6)]
    assert selected(grown(edges), mask(3, 7, 9), sign=-1.0) == 7
    assert selected(grown(edges), mask(3, 7, 9), 1.0, sign=-1.0) == 9


@pytest.mark.parametrize("c_ucb", [0.0, 0.3, 1.4])
def test_the_upper_confidence_bound_is_that_of_the_formula(c_ucb: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        times, means = rng.integers(1, 30, 5), rng.random(5)
        forest = grown(list(zip(range(5), times.tolist(), means.tolist(), strict=True)))
        bounds = means + c_ucb * np.sqrt(np.log(times.sum() + 1) / times)
        assert selected(forest, mask(*range(5)), c_ucb) == bounds.argmax()


def test_the_bound_grows_with_the_logarithm_of_the_visits_and_one() -> None:
    rarer = np.sqrt(np.log(1 + 2 + 1)) * (1 - np.sqrt(1 / 2))  # its lead with one visit over one with two
    for more, chosen in ((0.01, 7), (-0.01, 3)):
        forest = grown([(3, 1, 0.1), (7, 2, 0.1 + rarer + more)])
        assert selected(forest, mask(3, 7), 1.0) == chosen


def test_of_equals_the_edge_added_last_is_chosen() -> None:
    assert selected(grown([(3, 4, 0.5), (7, 4, 0.5)]), mask(3, 7), 0.5) == 7


def test_each_seat_maximises_its_own_value() -> None:
    forest = grown([(3, 4, 0.9), (7, 4, 0.1)], seat=1)
    for edge, mean in ((1, 0.2), (2, 0.8)):
        forest.edges[0, edge].value[0] = mean * 4
    assert selected(forest, mask(3, 7), seat=1) == 3
    assert selected(forest, mask(3, 7), seat=0) == 7


def test_what_is_not_legal_in_this_fork_is_not_chosen() -> None:
    edges = [(3, 4, 0.9), (7, 4, 0.1)]
    assert selected(grown(edges), mask(7, 9)) == 7
    assert selected(grown(edges), mask(9)) == -1


def may_widen(forest: Forest, legal: Mask, widening: float) -> bool:
    return bool(widens(forest.nodes[0, NODE], forest.edges[0], legal, widening))


@pytest.mark.parametrize(("visits", "wider"), [(3, False), (4, True), (5, True)])
def test_a_node_widens_with_the_root_of_its_visits(visits: int, wider: bool) -> None:
    forest = grown([(3, 2, 0.9), (7, 2, 0.1)], visits=visits)
    assert may_widen(forest, mask(3, 7, 11, 12), 1.0) == wider


def test_a_node_widens_only_while_something_is_untried() -> None:
    forest = grown([(3, 2, 0.9), (7, 2, 0.1)])
    assert not may_widen(forest, mask(3, 7), 9.0) and may_widen(forest, mask(3, 7, 11), 9.0)


def test_an_edge_of_an_illegal_action_does_not_count_as_known() -> None:
    forest = grown([(3, 2, 0.9), (7, 2, 0.1)], visits=1)
    assert may_widen(forest, mask(3, 11, 12), 1.0) and not may_widen(forest, mask(3, 7, 11, 12), 1.0)


def added(forest: Forest, legal: Mask, values: dict[int, float]) -> int:
    """The action a node widens by."""
    by_action = np.zeros(ACTIONS)
    by_action[list(values)] = list(values.values())
    return int(next_best(forest.edges[0], forest.nodes[0, NODE].edge, legal, by_action))


def test_a_node_widens_by_the_best_legal_action_not_yet_tried() -> None:
    assert added(grown([(3, 2, 0.9)]), mask(0, 3, 11), {0: 0.5, 3: 0.9, 11: 0.2, 50: 0.8}) == 0


def test_of_equal_untried_actions_the_first_is_added() -> None:
    assert added(grown([(3, 2, 0.9)]), mask(3, 11, 12), {11: 0.5, 12: 0.5}) == 11


def test_the_first_action_is_given_and_needs_room() -> None:
    forest = new_forest(1, 2)
    tree = forest.nodes[0], forest.edges[0], forest.sizes[0]
    for action, edge, new in ((7, 1, True), (3, 2, True), (7, 1, False), (5, 0, False)):
        assert edge_of(*tree, 0, action) == (edge, new)
    assert forest.sizes[0, EDGES] == 3 and forest.edges["action"][0, 1:3].tolist() == [7, 3]


def test_a_new_question_is_added_and_known_the_next_time() -> None:
    forest, states = grown([(3, 2, 0.9)]), blank(1, Config(players=2))
    tree = forest.nodes[0], forest.edges[0], forest.sizes[0]
    states["ask"] = Ask.WHERE
    for seat, found in ((1, -1), (1, 2), (0, -1), (0, 3), (1, 2)):
        states["seat"] = seat
        assert child(*tree, 1, key(states[0])) == found
    assert forest.sizes[0, NODES] == 4 and forest.edges["child"][0, 1] == 3
