"""`search`, `champion` and the levels: compiled simulations, threads, the improved policy."""

import hashlib

import numpy as np
import numpy.typing as npt
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.evaluation.weights import ROW_BY_PLAYERS, search_weights
from smallcity_agents.greedy import answer_values
from smallcity_agents.level import LEVELS, WORST, WithoutSearch
from smallcity_agents.search import root as root_module
from smallcity_agents.search.agent import GREEDY, Mcts, Search, top
from smallcity_agents.search.improve import TEMPERATURE, gumbel, improved_policy, log_softmax
from smallcity_agents.search.root import CHUNK, Root
from smallcity_agents.search.tree import EDGES, NODES
from smallcity_agents.value_net.model import VALUE_NET
from smallcity_env import Config, batch
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.rng import streams
from tests.agents.test_search import asked, last_questions, leaf_values, positions
from tests.interpreter import PLAIN, run_python
from tests.random_games import EVERYTHING

GREEDILY = Mcts()  # its priors are greedy's own


def searched(agent: Search, states: batch.States, legal: batch.Mask, seed: int = 0) -> Root:
    """The root of a search by the options of an agent."""
    seats, chance = asked(states), streams(np.arange(len(states)) + seed)
    candidates = top(GREEDILY.prior(states, seats, legal, chance), legal, agent.candidates)
    root = Root(states, seats, chance, candidates, np.zeros(legal.shape), agent)
    root.best()
    return root


def fingerprint() -> str:
    """A hash of everything a small search of several games leaves behind."""
    digest = hashlib.sha256()
    by = (GREEDY, VALUE_NET, GREEDY)
    playouts = ("none", "round", "round")
    for config, playout, leaf_value in zip((Config(2), EVERYTHING, Config(1, ())), playouts, by, strict=True):
        states, legal = positions(config, 30, games=2)
        agent = Search(sims=20, candidates=2, trees=2, playout=playout, leaf_value=leaf_value)
        root = searched(agent, states, legal)
        for array in (*root.forest, root.tree_visits, root.tree_sums):
            digest.update(array.tobytes())
    return digest.hexdigest()


def test_plain_python_grows_the_same_trees() -> None:
    code = "from tests.agents.test_champion import *; print(fingerprint())"
    assert run_python("-W", "error::RuntimeWarning", "-c", code, env=PLAIN).strip() == fingerprint()


def test_threads_do_not_change_the_trees() -> None:
    states, legal = positions(Config(3), 40, games=3)
    one, *more = (searched(Search(sims=90, trees=4, threads=n), states, legal) for n in (1, 2, 3, 12))
    for other in more:
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one.forest, other.forest, strict=True))
        assert np.array_equal(one.seat_sums, other.seat_sums)
    trees = one.tree_sums.reshape(len(states), 4, -1)
    assert not np.array_equal(trees[:, 0], trees[:, 1])  # trees of a game differ


def test_a_game_does_not_depend_on_its_batch() -> None:
    states, legal = positions(Config(4), 60)
    agent, chance = (
        Search(sims=60, candidates=5, noise=1.0, temperature=0.02),
        streams(np.arange(len(states))),
    )
    together = agent.search(states, asked(states), legal, chance.copy())
    for i in range(len(states)):
        alone = agent.search(batch.take(states, [i]), asked(states)[[i]], legal[[i]], chance[[i]])
        assert alone.actions[0] == together.actions[i]
        assert np.array_equal(alone.values[0], together.values[i], equal_nan=True)
        assert np.array_equal(alone.policy[0], together.policy[i])


def test_python_is_called_once_for_many_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    states, legal = positions(Config(2), 30, games=1)
    calls: list[int] = []
    real = root_module.simulate
    monkeypatch.setattr(root_module, "simulate", lambda *args: calls.append(1) or real(*args))
    root = searched(Search(sims=20 * CHUNK, candidates=4, playout="none"), states, legal)
    assert root.visits.sum() >= 20 * CHUNK and len(calls) <= 20 + 2 * root.halvings.max()


def test_a_call_of_compiled_code_is_short_and_does_not_change_the_trees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the number of games searched at once, signals and the clock are checked between calls."""
    states, legal = positions(Config(2), 30, games=40)
    agent, done = Search(sims=200, candidates=4, playout="none"), [0]
    real = root_module.simulate

    def counted(*args: npt.NDArray[np.int64]) -> None:
        before = args[-2].sum()
        real(*args)
        done.append(int(args[-2].sum() - before))

    monkeypatch.setattr(root_module, "simulate", counted)
    root = searched(agent, states, legal)
    assert max(done) <= root_module.AT_ONCE and sum(done) == root.visits.sum()
    monkeypatch.setattr(root_module, "AT_ONCE", 1 << 20)
    assert np.array_equal(searched(agent, states, legal).tree_sums, root.tree_sums)
    assert max(done) > 2000


# -- simulations


@pytest.mark.parametrize("leaf_value", [GREEDY, VALUE_NET])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("decisions", [20, 90, 150, 200])
def test_a_simulation_is_a_fork_a_step_and_a_value(players: int, decisions: int, leaf_value: str) -> None:
    """A candidate's first simulation, of an answer and nothing more, gives what single calls give."""
    states, legal = positions(Config(players), decisions, games=8)
    for i in range(len(states)):
        game, mask = batch.take(states, [i]), legal[[i]]
        agent = Search(sims=1, candidates=5, playout="none", leaf_value=leaf_value)
        root = searched(agent, game, mask)
        seed = root.streams  # hashed once, by fork as by the simulation
        for action in np.flatnonzero(root.visits[0] == 1):
            fork, after = batch.fork(game, asked(game), seed), mask.copy()
            batch.step(fork, [action], after)
            expected = leaf_values(fork, asked(game), leaf_value)[0]
            assert np.allclose(root.seat_sums[0, action, :players], expected, atol=1e-5)


def test_visits_and_values_add_up() -> None:
    states, legal = positions(Config(2), 30, games=1)
    root = searched(Search(sims=200, candidates=4, playout="none"), states, legal)
    nodes, edges, sizes = root.forest.nodes[0], root.forest.edges[0], root.forest.sizes[0]
    used = edges[1 : sizes[EDGES]]
    assert (used["visits"] > 0).all()
    for node in range(sizes[NODES]):
        edge, visits = int(nodes[node]["edge"]), 0
        while edge:
            visits += int(edges[edge]["visits"])
            assert 0 <= edges[edge]["value"].max() <= edges[edge]["visits"]
            edge = int(edges[edge]["next"])
        assert visits == nodes[node]["visits"]
    assert nodes[0]["visits"] == root.visits.sum() == sizes[EDGES] - 1  # every simulation adds an edge
    top_edges = [e for e in used if root.visits[0, e["action"]] == e["visits"]]
    assert any(np.allclose(e["value"], root.seat_sums[0, e["action"]], rtol=1e-4) for e in top_edges)


def spread(**options: float) -> float:
    """The share of the most visited edge among its siblings below the root, on average."""
    states, legal = positions(Config(2), 30, games=1)
    root = searched(Search(sims=600, candidates=2, playout="none", **options), states, legal)
    nodes, edges = root.forest.nodes[0], root.forest.edges[0]
    shares = []
    for node in range(1, int(root.forest.sizes[0, NODES])):
        visits, edge = [], int(nodes[node]["edge"])
        while edge:
            visits.append(int(edges[edge]["visits"]))
            edge = int(edges[edge]["next"])
        if len(visits) > 1:
            shares.append(max(visits) / sum(visits))
    return float(np.mean(shares))


def test_c_ucb_spreads_visits_and_widening_adds_answers() -> None:
    assert spread(c_ucb=0.0) > spread(c_ucb=0.03) > spread(c_ucb=1.0)
    states, legal = positions(Config(2), 30, games=1)
    deep, wide = (searched(Search(sims=300, candidates=2, widening=w), states, legal) for w in (0.1, 2.0))
    most = [max_answers(root) for root in (deep, wide)]
    assert most[0] < most[1]


def max_answers(root: Root) -> int:
    """The largest number of answers known at a question below the root."""
    nodes, edges = root.forest.nodes[0], root.forest.edges[0]
    counts = []
    for node in range(1, int(root.forest.sizes[0, NODES])):
        edge, n = int(nodes[node]["edge"]), 0
        while edge:
            edge, n = int(edges[edge]["next"]), n + 1
        counts.append(n)
    return max(counts)


def test_playouts_change_values() -> None:
    states, legal = positions(Config(2), 30, games=1)
    names = ("none", "round", "next-round")
    sums = [searched(Search(sims=8, candidates=4, playout=name), states, legal).sums for name in names]
    assert len({array.tobytes() for array in sums}) == len(names)


@pytest.mark.parametrize(("players", "same"), [(1, "next-round"), (2, "round")])
def test_a_playout_alone_is_a_round_longer(players: int, same: str) -> None:
    states, legal = positions(Config(players), 30, games=1)
    auto, named = (
        searched(Search(sims=8, candidates=4, playout=f), states, legal).sums for f in ("auto", same)
    )
    assert np.array_equal(auto, named)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_it_finds_the_best_last_answer(players: int) -> None:
    agent, tested = Search(sims=400, candidates=200), 0
    for seed, last, ends in last_questions(players, range(16)):
        tested += 1
        answer = agent.act(last.states, np.array([last.seat]), last.mask()[None], streams([seed]))
        assert ends[int(answer[0])] == max(ends.values())
    assert tested


def test_a_budget_of_seconds_gives_legal_answers() -> None:
    states, legal = positions(Config(2), 12, games=2)
    agent = make("champion:seconds=0.02,trees=2,threads=2")
    answers = agent.act(states, asked(states), legal, streams([1, 2]))
    assert legal[[0, 1], answers].all()


# -- the root


def test_the_improved_policy_follows_prior_and_values() -> None:
    legal = np.zeros((1, ACTIONS), np.bool_)
    legal[0, :4] = True
    logits = log_softmax(np.arange(ACTIONS)[None] / 2.0, legal)
    visits, sums = np.zeros((1, ACTIONS), np.int64), np.zeros((1, ACTIONS))
    assert np.allclose(improved_policy(logits, legal, visits, sums), np.exp(logits))
    visits[0, :2], sums[0, :2] = 10, (8.0, 2.0)
    policy, before = improved_policy(logits, legal, visits, sums)[0], np.exp(logits[0])
    assert policy.sum() == pytest.approx(1) and not policy[4:].any()
    ratio = policy[:4] / before[:4]
    assert ratio[0] > ratio[2] > ratio[1] and ratio[2] == pytest.approx(ratio[3])  # 2 and 3: untried
    visits[0, :2], sums[0, :2] = 1000, (800.0, 200.0)
    assert improved_policy(logits, legal, visits, sums)[0, 0] > policy[0]  # more visits, more weight


def close_decision() -> tuple[batch.States, batch.Mask]:
    """A game in which no answer is much better than the others by greedy's values."""
    states, legal = positions(Config(2), 25, games=24)
    logits = log_softmax(GREEDILY.prior(states, asked(states), legal, streams(np.arange(len(states)))), legal)
    closest = [int(logits.max(axis=1).argmin())]
    return batch.take(states, closest), legal[closest]


def test_gumbel_noise_samples_candidates_from_the_prior() -> None:
    state, mask = close_decision()
    n = 4000
    states, legal = batch.take(state, np.zeros(n, int)), np.repeat(mask, n, axis=0)
    agent = Search(sims=1, candidates=1, noise=1.0)
    answers = agent.act(states, asked(states), legal, streams(np.arange(n)))
    logits = log_softmax(agent.prior(state, asked(state), mask, streams([0])), mask)
    drawn = np.bincount(answers, minlength=ACTIONS) / n
    assert np.abs(drawn - np.exp(logits[0])).max() < 0.05 and 0.02 < drawn.max() < 0.98
    quiet = Search(sims=1, candidates=1).act(states, asked(states), legal, streams(np.arange(n)))
    assert len(set(quiet)) < len(set(answers))


def test_noise_of_one_game_is_gumbel() -> None:
    noise = gumbel(streams(np.arange(500)), ACTIONS)
    assert noise.mean() == pytest.approx(0.5772, abs=0.02)
    assert noise.var() == pytest.approx(np.pi**2 / 6, abs=0.05)
    assert len(np.unique(noise)) == noise.size


def test_a_prior_weight_adds_the_prior_to_values() -> None:
    states, legal = positions(Config(2), 40, games=12)
    chance = streams(np.arange(len(states)))
    sure, open_minded = (Search(sims=32, candidates=4, prior_weight=weight) for weight in (1000.0, 0.0))
    favourite = sure.prior(states, asked(states), legal, streams(chance))
    favourite = np.where(legal, favourite, -np.inf).argmax(axis=1)
    assert np.array_equal(sure.act(states, asked(states), legal, chance.copy()), favourite)
    assert not np.array_equal(open_minded.act(states, asked(states), legal, chance.copy()), favourite)


def test_temperature_varies_among_simulated_answers() -> None:
    state, mask = positions(Config(2), 8, games=1)
    states, legal = batch.take(state, np.zeros(64, int)), np.repeat(mask, 64, axis=0)
    warm, cold = Search(sims=12, candidates=4, temperature=0.05), Search(sims=12, candidates=4)
    result = warm.search(states, asked(states), legal, streams(np.arange(64)))
    assert (result.visits[np.arange(64), result.actions] > 0).all()
    best = np.nanmax(result.values[:, :, asked(state)[0]], axis=1)
    assert (best >= result.values[np.arange(64), result.actions, asked(state)[0]]).all()
    calm = cold.search(states, asked(states), legal, streams(np.arange(64)))
    assert len(set(result.actions)) > len(set(calm.actions))
    assert np.isfinite(result.value(0)[:2]).all()


def test_the_line_is_what_was_visited_most() -> None:
    states, legal = positions(Config(2), 30, games=2)
    agent = Search(sims=400, candidates=3, playout="none", trees=2)
    searched = agent.search(states, asked(states), legal, streams([1, 2]))
    for i in range(len(states)):
        line = searched.line(i, int(searched.actions[i]), most=5)
        assert line[0] == searched.actions[i] and 2 <= len(line) <= 5
        nodes, edges = searched.root.forest.nodes[2 * i], searched.root.forest.edges[2 * i]
        used = edges[1 : searched.root.forest.sizes[2 * i, EDGES]]
        visits = [max(int(e["visits"]) for e in used if e["action"] == action) for action in line]
        assert visits[0] >= visits[1] > 0 and nodes[0]["visits"] > visits[0]
        assert searched.line(i, int(searched.actions[i]), most=1) == line[:1]
    unseen = int(np.flatnonzero(searched.visits[0] == 0)[0])
    assert searched.line(0, unseen) == [unseen]


# -- levels and names


def test_every_level_answers_and_says_what_it_is() -> None:
    states, legal = positions(Config(3), 40, games=2)
    for number, level in enumerate(LEVELS, start=1):
        agent = make(f"level:{number}")
        assert agent.name == f"level:{number}" and level.description
        if number < len(LEVELS):
            answers = agent.act(states, asked(states), legal, streams([1, 2]))
            assert legal[np.arange(len(states)), answers].all()


def test_by_eye_no_much_worse_answer_is_given() -> None:
    states, legal = close_decision()
    many, masks = batch.take(states, np.zeros(300, int)), np.repeat(legal, 300, axis=0)
    level = WithoutSearch("tuned", 0.7, "")
    answers = level.act(many, asked(many), masks, streams(np.arange(300)))
    values = TEMPERATURE * GREEDILY.prior(states, asked(states), legal, streams([0]))[0]
    given = values[np.unique(answers)]
    assert len(given) > 1 and given.min() >= values[legal[0]].max() - 1 - WORST * 0.7


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search:sims=0", "search needs sims, candidates, depth, trees and threads of at least 1"),
        ("champion:threads=0", "champion needs sims, candidates, depth, trees and threads of at least 1"),
        ("search:noise=-1", "the options of search cannot be negative"),
        ("search:c_ucb=nan", "the options of search cannot be negative, infinite or nan"),
        ("champion:seconds=1e999", "the options of champion cannot be negative, infinite or nan"),
        ("search:sims=99999999999", "search has at most 1,000,000 sims, 1,024 trees and 1,024 threads"),
        ("search:trees=2000", "search has at most 1,000,000 sims, 1,024 trees and 1,024 threads"),
        (
            "search:playout=soon",
            "there is no playout 'soon': choose from auto, none, round, next-round",
        ),
        ("level:11", "levels are 1 to 10, not 11"),
        ("level:high", "option number of level needs type int, not 'high'"),
    ],
)
def test_bad_names_are_refused(name: str, message: str) -> None:
    with pytest.raises(AgentError, match=message):
        make(name)


def test_games_alone_and_with_others_are_played_with_weights_of_their_own() -> None:
    assert list(ROW_BY_PLAYERS[1:]) == [1, 2, 2, 2]
    for config, row in ((Config(1, ()), 1), (Config(3), 2), (Config(4), 2)):
        states, legal = positions(config, 20, games=4)
        chance = streams(np.arange(4))
        one = Search(sims=1, candidates=1, prior_weight=1.0).search(
            states, asked(states), legal, chance.copy()
        )
        given = (streams(chance), search_weights(), np.full(4, row))
        favourite, values = answer_values(states, asked(states), legal, *given)
        values[np.arange(4), favourite] += 1
        assert np.array_equal(one.actions, np.where(legal, values, -np.inf).argmax(axis=1))
