"""The improved policy and the line of a search, beside the formulas they are made of."""

import numpy as np

from smallcity_agents.search.improve import SCALE, VISITS, gumbel, improved_policy, log_softmax
from smallcity_agents.search.line import line_of
from smallcity_agents.search.tree import EDGES, NODES, new_forest

LEGAL = np.array([[True, True, True, False], [True, False, True, True]])
LOGITS = log_softmax(np.array([[0.3, -1.0, 0.6, 9.0], [0.0, 5.0, 2.0, -0.5]]), LEGAL)


def test_log_probabilities_of_the_legal_answers() -> None:
    shares = np.exp([0.3, -1.0, 0.6])
    assert np.allclose(np.exp(LOGITS[0]), [*(shares / shares.sum()), 0])
    assert np.allclose(np.exp(LOGITS).sum(axis=1), 1) and not np.exp(LOGITS)[~LEGAL].any()


def test_the_improved_policy_is_that_of_the_formula() -> None:
    visits, sums = np.array([[4, 0, 1, 0], [1, 0, 2, 3]]), np.array([[2.0, 0, 0.9, 0], [0.1, 0, 1.0, 0.3]])
    policy = improved_policy(LOGITS, LEGAL, visits, sums)
    for row, legal in enumerate(LEGAL):
        prior, n = np.exp(LOGITS[row]), visits[row]
        q = sums[row] / np.where(n, n, 1)
        q = np.where(n, q, (prior * q)[n > 0].sum() / prior[n > 0].sum())  # untried: the mean by the prior
        scaled = (q - q[legal].min()) / (q[legal].max() - q[legal].min())
        weight = np.where(legal, prior * np.exp(SCALE * (VISITS + n.max()) * scaled), 0)
        assert np.allclose(policy[row], weight / weight.sum())


def test_without_visits_or_differences_the_prior_stays() -> None:
    nothing = np.zeros((2, 4), int)
    assert np.allclose(improved_policy(LOGITS, LEGAL, nothing, np.zeros((2, 4))), np.exp(LOGITS))
    alike = np.where(LEGAL, 2, 0)
    assert np.allclose(improved_policy(LOGITS, LEGAL, alike, alike * 0.7), np.exp(LOGITS))


def test_gumbel_noise_has_the_mean_and_spread_of_gumbels() -> None:
    noise = gumbel(np.arange(200, dtype=np.uint64) * np.uint64(7919), 100)
    assert noise.shape == (200, 100) and len(np.unique(noise)) == noise.size
    assert abs(noise.mean() - np.euler_gamma) < 0.03
    assert abs(noise.std() - np.pi / np.sqrt(6)) < 0.03


def test_the_line_follows_the_most_visited_answers() -> None:
    forest = new_forest(1, 12)
    nodes, edges = forest.nodes[0], forest.edges[0]
    edges["action"][1:6], edges["visits"][1:6] = [30, 31, 40, 41, 50], [3, 9, 5, 5, 1]
    nodes["edge"][0], edges["next"][2] = 2, 1  # the root: 31, then 30
    edges["child"][2], nodes["visits"][1:3], nodes["next"][2] = 2, [7, 2], 1
    nodes["edge"][1], edges["next"][4] = 4, 3  # after 31: 41, then 40, the older of equals
    edges["child"][3], nodes["edge"][3] = 3, 5
    forest.sizes[0, [NODES, EDGES]] = 4, 6
    assert line_of(nodes, edges, 31, 9) == [31, 40, 50]
    assert line_of(nodes, edges, 31, 2) == [31, 40]
    assert line_of(nodes, edges, 30, 9) == [30]
    edges["child"][1] = 1  # now the oldest edge leads on too
    assert line_of(nodes, edges, 30, 9) == [30, 40, 50]
    assert line_of(nodes, edges, 99, 9) == [99]
