"""The tree of a search, step by step, beside the formulas it is made of."""

from typing import Any

import numpy as np
import pytest

from smallcity_agents.search import tree
from smallcity_agents.search.tree import DESCENT, EDGES, MAX_DEPTH, NODES, Forest, new_forest
from smallcity_env import Config
from smallcity_env.batch import SKIP
from smallcity_env.config import blank
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import Ask

NODE = 1  # the node whose edges are chosen from
ROOM = 12


class One:
    """One simulation that stands at a node of a tree."""

    def __init__(
        self, forest: Forest, legal: list[int], seat: int = 1, at: int = NODE, depth: int = 1
    ) -> None:
        self.forest = forest
        self.states = blank(1, Config(players=2))
        self.states["seat"], self.states["ask"] = seat, Ask.WHERE
        self.legal = np.isin(np.arange(ACTIONS), legal)[None]
        self.descents = np.zeros(1, DESCENT)
        self.descents["at"], self.descents["depth"] = at, depth
        self.paths, self.actions = np.zeros((1, MAX_DEPTH), np.int64), np.zeros(1, np.int64)
        self.values = np.zeros((1, ACTIONS))

    def select(self, explore: float = 0.0, widen: float = 0.0) -> int:
        """The action chosen next."""
        tree.select(self.forest, self.states, self.legal, self.values, explore, widen, self.descents,
                    self.paths, self.actions)  # fmt: skip
        return int(self.actions[0])


def grown(edges: list[tuple[int, int, float]], seat: int = 1, visits: int = 0) -> Forest:
    """A tree whose node has these edges: action, visits, and the mean value for the seat."""
    forest = new_forest(1, ROOM)
    forest.sizes[0, [NODES, EDGES]] = NODE + 1, len(edges) + 1
    forest.nodes[0, NODE].visits = visits or sum(times for _, times, _ in edges)
    for k, (action, times, mean) in enumerate(edges, start=1):
        edge = forest.edges[0, k]
        edge.action, edge.visits, edge.backups = action, times, times
        edge.value[seat] = mean * times
        edge.next = forest.nodes[0, NODE].edge
        forest.nodes[0, NODE].edge = k
    return forest


def test_the_less_visited_of_two_equals_is_explored() -> None:
    edges = [(3, 50, 0.5), (7, 2, 0.5)]
    assert One(grown(edges), [3, 7]).select(explore=0.1) == 7
    assert One(grown(edges[::-1]), [3, 7]).select(explore=0.1) == 7


def test_without_exploration_the_better_one_is_taken() -> None:
    edges = [(3, 50, 0.51), (7, 2, 0.5)]
    assert One(grown(edges), [3, 7]).select(explore=0.0) == 3
    assert One(grown(edges), [3, 7]).select(explore=1.0) == 7


@pytest.mark.parametrize("explore", [0.0, 0.3, 1.4])
def test_the_upper_confidence_bound_is_that_of_the_formula(explore: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        times, means = rng.integers(1, 30, 5), rng.random(5)
        forest = grown(list(zip(range(5), times.tolist(), means.tolist(), strict=True)))
        bounds = means + explore * np.sqrt(np.log(times.sum() + 1) / times)
        assert One(forest, list(range(5))).select(explore) == bounds.argmax()


def test_the_bound_grows_with_the_logarithm_of_the_visits_and_one() -> None:
    rarer = np.sqrt(np.log(1 + 2 + 1)) * (1 - np.sqrt(1 / 2))  # its lead with one visit over one with two
    for more, chosen in ((0.01, 7), (-0.01, 3)):
        forest = grown([(3, 1, 0.1), (7, 2, 0.1 + rarer + more)])
        assert One(forest, [3, 7]).select(explore=1.0) == chosen


def test_of_equals_the_edge_added_last_is_chosen() -> None:
    assert One(grown([(3, 4, 0.5), (7, 4, 0.5)]), [3, 7]).select(explore=0.5) == 7


def test_a_running_simulation_counts_as_a_visit_and_not_as_a_loss() -> None:
    forest = grown([(3, 4, 0.5), (7, 4, 0.6)])
    forest.edges[0, 2].visits = 6  # two are still running
    assert One(forest, [3, 7]).select(explore=0.0) == 7
    forest.edges[0, 2].backups = 0
    forest.edges[0, 2].value[1] = 0.0
    assert One(forest, [3, 7]).select(explore=0.0) == 3


def test_each_seat_maximises_its_own_value() -> None:
    forest = grown([(3, 4, 0.9), (7, 4, 0.1)], seat=1)
    for edge, mean in ((1, 0.2), (2, 0.8)):
        forest.edges[0, edge].value[0] = mean * 4
    assert One(forest, [3, 7], seat=1).select() == 3
    assert One(forest, [3, 7], seat=0).select() == 7


def test_what_is_not_legal_in_this_future_is_not_chosen() -> None:
    edges = [(3, 4, 0.9), (7, 4, 0.1)]
    assert One(grown(edges), [7, 9]).select() == 7
    nothing = One(grown(edges), [9])
    assert nothing.select() == SKIP and nothing.descents["at"][0] == -1
    assert nothing.descents["depth"][0] == 1 and nothing.forest.nodes["visits"][0, NODE] == 8


def test_a_step_is_recorded_and_counted_at_once() -> None:
    one = One(grown([(3, 4, 0.9), (7, 4, 0.1)]), [3, 7])
    one.select()
    assert one.paths[0, 1] == 1 and one.descents["depth"][0] == 2
    assert one.forest.edges["visits"][0, 1:3].tolist() == [5, 4]
    assert one.forest.nodes["visits"][0, NODE] == 9
    assert one.forest.edges["backups"][0, 1] == 4


@pytest.mark.parametrize(("visits", "widens"), [(3, False), (4, True), (5, True)])
def test_a_node_widens_with_the_root_of_its_visits(visits: int, widens: bool) -> None:
    one = One(grown([(3, 2, 0.9), (7, 2, 0.1)], visits=visits), [3, 7, 11, 12])
    one.descents["expandable"], one.values[0, [11, 12]] = True, [0.2, 0.3]
    assert one.select(widen=1.0) == (12 if widens else 3)
    assert one.forest.sizes[0, EDGES] == (4 if widens else 3)
    assert one.descents["at"][0] == (-1 if widens else NODE)


def test_a_node_widens_only_while_something_is_untried_and_there_is_room() -> None:
    tried = One(grown([(3, 2, 0.9), (7, 2, 0.1)]), [3, 7])
    tried.descents["expandable"] = True
    assert tried.select(widen=9.0) == 3
    full = One(grown([(3, 2, 0.9), (7, 2, 0.1)]), [3, 7, 11])
    full.descents["expandable"], full.forest.sizes[0, EDGES] = True, ROOM + 1
    assert full.select(widen=9.0) == 3


def test_an_edge_of_an_illegal_action_does_not_count_as_known() -> None:
    one = One(grown([(3, 2, 0.9), (7, 2, 0.1)], visits=1), [3, 11, 12])
    one.descents["expandable"], one.values[0, 11] = True, 0.5
    assert one.select(widen=1.0) == 11


def test_a_node_widens_by_the_best_legal_action_not_yet_tried() -> None:
    one = One(grown([(3, 2, 0.9)]), [0, 3, 11])
    one.descents["expandable"] = True
    one.values[0, [0, 3, 11, 50]] = [0.5, 0.9, 0.2, 0.8]  # 3 is tried, 50 not legal
    assert one.select(widen=9.0) == 0


def test_of_equal_untried_actions_the_first_is_added() -> None:
    one = One(grown([(3, 2, 0.9)]), [3, 11, 12])
    one.descents["expandable"], one.values[0, [11, 12]] = True, 0.5
    assert one.select(widen=9.0) == 11


def test_the_first_action_is_given() -> None:
    one = One(new_forest(1, ROOM), [3, 7], at=0, depth=0)
    for action, edge, at in ((7, 1, -1), (3, 2, -1), (7, 1, 0)):  # a new edge ends the descent
        one.descents["at"], one.descents["depth"], one.actions[0] = 0, 0, action
        assert one.select() == action
        assert one.paths[0, 0] == edge and one.descents["at"][0] == at
    assert one.forest.sizes[0, EDGES] == 3 and one.forest.nodes["visits"][0, 0] == 3
    assert one.forest.edges["visits"][0, 1:3].tolist() == [2, 1]


def test_a_root_without_room_is_left() -> None:
    one = One(new_forest(1, 1), [3, 7], at=0, depth=0)
    for action, chosen in ((7, 7), (3, SKIP)):
        one.descents["at"], one.descents["depth"], one.actions[0] = 0, 0, action
        assert one.select() == chosen


@pytest.mark.parametrize(("at", "depth"), [(-1, 1), (NODE, MAX_DEPTH)])
def test_a_simulation_that_has_left_its_tree_is_skipped(at: int, depth: int) -> None:
    one = One(grown([(3, 2, 0.9)]), [3], at=at, depth=depth)
    assert one.select() == SKIP and one.descents["at"][0] == -1


def expanded(one: One, widen: float = 9.0) -> Any:
    tree.expand(one.forest, one.states, one.legal, widen, one.descents, one.paths)
    return one.descents[0]


def test_a_new_question_is_added_and_known_the_next_time() -> None:
    one = One(grown([(3, 2, 0.9)]), [3])
    one.paths[0, 0] = 1
    assert expanded(one).at == -1 and one.forest.sizes[0, NODES] == 3
    assert one.forest.edges["child"][0, 1] == 2
    one.descents["at"] = NODE
    assert expanded(one).at == 2 and one.forest.sizes[0, NODES] == 3
    one.states["seat"], one.descents["at"] = 0, NODE
    assert expanded(one).at == -1 and one.forest.sizes[0, NODES] == 4
    one.descents["at"] = NODE
    assert expanded(one).at == 3
    one.states["seat"], one.descents["at"] = 1, NODE
    assert expanded(one).at == 2


def test_the_question_after_the_root_is_found_too() -> None:
    one = One(grown([(3, 2, 0.9)]), [3], at=0)
    one.paths[0, 0] = 1
    assert expanded(one).at == -1
    one.descents["at"] = 0
    assert expanded(one).at == 2


def test_the_first_question_of_a_tree_is_known_the_next_time() -> None:
    one = One(new_forest(1, ROOM), [3], at=0, depth=0)
    one.actions[0] = 3
    one.select()
    for at, nodes in ((-1, 2), (1, 2)):
        one.descents["at"] = 0
        assert expanded(one).at == at and one.forest.sizes[0, NODES] == nodes


def test_questions_that_differ_in_anything_asked_about_have_different_keys() -> None:
    fields = ("ask", "seat", "phase", "round_no", "kind", "space", "asked_borough", "product", "head")
    fields += ("steps_left", "destination", "council_row", "tourism_column", "to_clean")
    keys = set()
    for name in fields:
        for number in (4, 5, 6):
            one = One(grown([(3, 2, 0.9)]), [3])
            one.states[name] = number
            expanded(one)
            keys.add(int(one.forest.nodes["key"][0, NODE + 1]))
    assert len(keys) == 3 * len(fields)


def test_a_full_tree_takes_no_new_question_and_the_end_has_none() -> None:
    one = One(grown([(3, 2, 0.9)]), [3])
    one.paths[0, 0], one.forest.sizes[0, NODES] = 1, ROOM + 1
    assert expanded(one).at == -1 and one.forest.sizes[0, NODES] == ROOM + 1
    one.states["ask"], one.descents["at"] = Ask.OVER, NODE
    assert expanded(one).at == -1 and not one.descents["expandable"][0]


def test_values_are_added_along_the_path_and_nowhere_else() -> None:
    forest, descents, paths = new_forest(2, ROOM), np.zeros(2, DESCENT), np.zeros((2, MAX_DEPTH), np.int64)
    descents["tree"], descents["depth"] = [1, 1], [2, 1]
    paths[0, :2], paths[1, 0] = [4, 5], 4
    values = np.array([[0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.5, 0.5]], np.float32)
    tree.backup(forest.edges, descents, paths, values)
    assert forest.edges["backups"][1, 4:6].tolist() == [2, 1] and forest.edges["backups"].sum() == 3
    assert np.allclose(forest.edges["value"][1, 4], values.sum(axis=0))
    assert np.allclose(forest.edges["value"][1, 5], values[0])
    assert not forest.edges["value"][0].any()
