"""What holds for every agent: legal, fair, independent of the batch; payoffs, halving, the golden tree."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AGENTS, AgentError, make
from smallcity_agents.greedy import value
from smallcity_agents.search.agent import Search, top
from smallcity_agents.search.root import FADE, Root
from smallcity_agents.search.simulate import _select, write_payoffs
from smallcity_agents.search.tree import EDGES, NODES
from smallcity_agents.value_net import model
from smallcity_env import Config, Game, batch
from smallcity_env.refusal import Refused
from smallcity_env.rules import payoff as rule
from smallcity_env.rules.actions import name
from smallcity_env.rules.rng import streams
from tests.interpreter import PLAIN, run_python
from tests.random_games import EVERYTHING, random_config
from tests.test_secrecy import built_otherwise, moments, promised_otherwise

GOLDEN = Path(__file__).parent / "golden_tree.txt"
CONFIGS = [EVERYTHING, *(random_config(seed) for seed in range(4))]
QUICK = {
    "rollout": "rollout:sims=8,candidates=3,playout=round",
    "mcts": "mcts:sims=8,candidates=3,playout=round",
    "valued": "mcts:sims=8,candidates=3,playout=none,leaf_value=value_net",
    "search": "search:sims=24,candidates=3",
    "champion": "champion:seconds=0.0,sims=24,candidates=3",
}
PLAYING = [*(name for name in AGENTS if name != "stdio"), "valued"]


def quick(label: str) -> str:
    """A name with a budget small enough for tests."""
    return QUICK.get(label, label)


def positions(config: Config, decisions: int, games: int = 6) -> tuple[batch.States, batch.Mask]:
    """Games after this many random decisions, without those that are over."""
    legal, chance = batch.new_masks(games), streams(np.arange(games))
    states = batch.new(games, config, range(games), legal)
    for _ in range(decisions):
        batch.step(states, batch.pick(legal, chance), legal)
    live = np.flatnonzero(~batch.over(states))
    return batch.take(states, live), legal[live]


def asked(states: batch.States) -> np.ndarray:
    return states["seat"].astype(np.int64)


@pytest.mark.parametrize("label", PLAYING)
@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_no_agent_peeks(label: str, config: Config) -> None:
    rng, agent = np.random.default_rng(1), make(quick(label))
    for states in moments(config, every=61):
        legal = batch.masks(states)
        for seat in range(config.players):
            mine = batch.take(states, np.flatnonzero(states["seat"] == seat))
            other, masks = batch.clone(mine), legal[states["seat"] == seat]
            promised_otherwise(other, seat, rng)
            built_otherwise(other, seat, rng)
            other["stream"] = streams(rng.integers(1 << 40, size=len(other)))
            if len(mine):
                answers = [agent.act(s, asked(s), masks, streams(np.arange(len(s)))) for s in (mine, other)]
                assert np.array_equal(*answers)


@pytest.mark.parametrize("label", PLAYING)
@pytest.mark.parametrize("config", CONFIGS, ids=range(len(CONFIGS)))
def test_every_agent_is_legal_and_independent_of_its_batch(label: str, config: Config) -> None:
    agent = make(quick(label))
    for decisions in (0, 25, 90):
        states, legal = positions(config, decisions)
        if len(states):
            before, chance = states.tobytes(), streams(np.arange(len(states)))
            answers = agent.act(states, asked(states), legal, chance.copy())
            assert legal[np.arange(len(states)), answers].all() and states.tobytes() == before
            for i in range(len(states)):
                row = [i]
                alone = agent.act(batch.take(states, row), asked(states)[row], legal[row], chance[row])
                assert alone[0] == answers[i]


def final_payoffs(states: batch.States) -> np.ndarray:
    """The payoffs of games that are over (n, SEATS)."""
    scores, out = (np.zeros((len(states), 4), kind) for kind in (np.float64, np.float32))
    write_payoffs(states, scores, out)
    return out


def last_questions(players: int, seeds: Iterable[int]) -> Iterator[tuple[int, Game, dict[int, float]]]:
    """Last questions of random games that every answer ends, differently: seed, game, payoff by answer."""
    for seed in seeds:
        game, chance = Game(Config(players=players), seed=seed), np.random.default_rng(seed)
        last = game.clone()
        while not game.over:
            last = game.clone()
            game.step(int(chance.choice(game.legal())))
        ends = {}
        for action in last.legal():
            after = last.clone()
            after.step(action)
            if after.over:
                ends[int(action)] = float(final_payoffs(after.states)[0, last.seat])
        if len(ends) == len(last.legal()) > 1 and len(set(ends.values())) > 1:
            yield seed, last, ends


@pytest.mark.parametrize("label", ["rollout", "mcts"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_search_finds_the_best_last_answer(label: str, players: int) -> None:
    """Every answer to the last question of a game leads to its end: none is better than the chosen one."""
    agent, positions = make(f"{label}:sims=40,candidates=200"), 0
    for seed, last, ends in last_questions(players, range(40)):
        positions += 1
        answer = agent.act(last.states, np.array([last.seat]), last.mask()[None], streams([seed]))
        assert ends[int(answer[0])] == max(ends.values())
    assert positions


@pytest.mark.parametrize("label", ["rollout", "mcts"])
def test_search_beats_random_answers(label: str) -> None:
    agents = [make(f"{label}:sims=24,candidates=6"), make("random")]
    legal = batch.new_masks(16)
    states, chance = batch.new(16, Config(2), range(16), legal), streams(np.arange(16))
    while not batch.over(states).all():
        actions = np.full(16, batch.SKIP)
        for k, agent in enumerate(agents):
            rows = np.flatnonzero(~batch.over(states) & ((states["seat"] + np.arange(16)) % 2 == k))
            if len(rows):
                own = chance[rows]
                actions[rows] = agent.act(batch.take(states, rows), asked(states)[rows], legal[rows], own)
                chance[rows] = own
        batch.step(states, actions, legal)
    places = batch.scores(states)[1]
    assert (places[np.arange(16), np.arange(16) % 2] == 0).mean() > 0.8


def test_sequential_halving_gives_every_candidate_the_same_share() -> None:
    states, legal = positions(Config(2), 6)
    chance, agent = streams(np.arange(len(states))), make("rollout:sims=96,playout=round")
    assert isinstance(agent, Search)
    candidates = top(agent.prior(states, asked(states), legal, chance), legal, 8)
    root = Root(states, asked(states), chance, candidates, np.zeros(legal.shape), agent)
    started = root.left()
    for _ in range(int(root.halvings.max())):
        before = root.candidates.copy()
        root.simulate(root.shares())
        for game in range(len(states)):
            assert len(set(root.visits[game][before[game]])) == 1
        root.halve()
        assert np.array_equal(root.left(), (before.sum(axis=1) + 1) // 2)
    assert (root.left() == 1).all()
    spent = root.visits.sum(axis=1)
    assert (spent[started > 1] >= 90).all() and (spent[started > 1] <= 96 + 24).all()
    assert (spent[started == 1] == 0).all()


def test_the_bonus_of_a_candidate_fades_with_visits() -> None:
    states, legal = positions(Config(2), 6, games=1)
    agent = make("mcts:sims=8")
    assert isinstance(agent, Search)
    root = Root(states, asked(states), streams([1]), legal, np.ones(legal.shape), agent)
    for visits, bonus in ((0, 1), (FADE, 1 / 2), (3 * FADE, 1 / 4)):
        root.visits[legal] = visits
        assert root.means()[legal] == pytest.approx(bonus)


def test_seats_without_a_player_have_no_outcome() -> None:
    sums = searched().seat_sums
    assert sums[:, :, :2].any() and not sums[:, :, 2:].any()


def test_payoffs_lie_between_0_and_1_and_order_the_seats() -> None:
    for players in (1, 2, 3, 4):
        states = batch.new(32, Config(players), range(32))
        batch.rollout(states, np.arange(32))
        values = final_payoffs(states)
        assert (values[:, :players] >= 0).all() and (values <= 1).all() and not values[:, players:].any()
        order = np.argsort(batch.scores(states)[1][:, :players], axis=1, kind="stable")
        assert (np.diff(np.take_along_axis(values, order, axis=1), axis=1) <= 0).all()


def by_hand(scores: Any, places: Any, out: Any, over: bool) -> Any:
    """The payoffs of games (n, players), by formulas of its own."""
    if scores.shape[1] == 1:
        return np.where(out, 0, 1 / (1 + np.exp((60 - scores) / 24)))
    players, still_in = scores.shape[1], np.where(out, -np.inf, scores)
    others = [np.delete(still_in, p, axis=1).max(axis=1) for p in range(players)]
    lead = np.where(out, -1, np.tanh((scores - np.stack(others, axis=1)) / 24))
    ties = (places[:, :, None] == places[:, None]).sum(axis=2) - 1
    rank = 1 - (2 * places + ties) / (players - 1)
    return (2 + rank + lead) / 4 if over else (1 + lead) / 2


def leaf_values(states: batch.States, viewers: np.ndarray, leaf_value: str) -> Any:
    """The values of leaves for every player (n, players), by formulas of its own."""
    players, over = int(states["rules"]["players"][0]), bool(batch.over(states).all())
    scores, places = (column[:, :players] for column in batch.scores(states))
    if not over and leaf_value == "value_net":
        expected = model.forecast(states, model.load())
        if players > 1:  # before the end the net predicts the payoff itself
            return expected.payoffs[:, :players]
        scores = expected.scores[:, :players]
    elif not over:
        scores = value(states, viewers)[:, :players]
    return by_hand(scores, places, states["borough"]["out"][:, :players] > 0, over)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_payoff_is_one_scale_before_and_at_the_end(players: int) -> None:
    states, _ = positions(Config(players), 60, games=12)
    expected, scores = leaf_values(states, asked(states), "greedy"), value(states, asked(states))
    for s, own, by_scores in zip(states, expected, scores.astype(np.float64), strict=True):
        assert own == pytest.approx([rule.payoff(s, p, by_scores) for p in range(players)], abs=1e-5)
    batch.rollout(states, np.arange(len(states)))
    expected = leaf_values(states, asked(states), "greedy")
    assert np.allclose(final_payoffs(states)[:, :players], expected, atol=1e-5)


def test_alone_a_player_who_is_out_gets_nothing() -> None:
    states, scores = batch.new(1, Config(1), [1]), np.array([60.0])
    assert rule.payoff(states[0], 0, scores) == 0.5
    states["borough"]["out"][0, 0] = 1
    assert rule.payoff(states[0], 0, scores) == 0


def test_a_search_needs_a_legal_answer_in_every_game() -> None:
    (states, legal), agent = positions(Config(2), 20, games=2), make("mcts:sims=2")
    assert isinstance(agent, Search)
    legal[1] = False
    for row in (slice(0, 0), slice(0, 2)):
        with pytest.raises(AgentError, match="searches games in which there is a legal answer"):
            agent.search(states[row], asked(states)[row], legal[row], streams(np.arange(2))[row])


def test_a_budget_of_seconds_gives_legal_answers() -> None:
    states, legal = positions(Config(2), 12, games=1)
    for label in ("rollout", "mcts"):
        agent = make(f"{label}:seconds=0.05,playout=round")
        answers = agent.act(states, asked(states), legal, streams([1]))
        assert legal[0, answers[0]]


# -- trees


def drawn(root: Root, node: int = 0, indent: str = "") -> list[str]:
    """The only tree of a search as text: answers, visits, mean values of the seats."""
    nodes, edges = root.forest.nodes[0], root.forest.edges[0]
    lines, edge = [], int(nodes[node]["edge"])
    while edge:
        e = edges[edge]
        values = " ".join(f"{v / e['visits']:.3f}" for v in e["value"][:2])
        lines.append(f"{indent}{name(int(e['action']))}: {e['visits']} visits, {values}")
        after = int(e["child"])
        while after:
            if nodes[after]["edge"]:
                lines += drawn(root, after, indent + "  ")
            after = int(nodes[after]["next"])
        edge = int(e["next"])
    return lines


def searched() -> Root:
    """A search from a position in the middle of a game."""
    states, legal = positions(Config(2), 30, games=1)
    agent = Search(sims=48, candidates=4, leaf_value="greedy", playout="round")
    return agent.search(states, asked(states), legal, streams([5])).root


def test_golden_tree() -> None:
    assert drawn(searched()) == GOLDEN.read_text().splitlines()


def test_plain_python_grows_the_golden_tree() -> None:
    code = "from tests.agents.test_search import *; print(*drawn(searched()), sep='\\n')"
    assert run_python("-W", "error::RuntimeWarning", "-c", code, env=PLAIN) == GOLDEN.read_text()


def test_visits_and_values_add_up() -> None:
    root = searched()
    nodes, edges, sizes = root.forest.nodes[0], root.forest.edges[0], root.forest.sizes[0]
    for node in range(sizes[NODES]):
        edge, visits = int(nodes[node]["edge"]), 0
        while edge:
            assert 0 <= edges[edge]["value"].max() <= edges[edge]["visits"]
            below, after = int(edges[edge]["child"]), 0
            while below:
                after += int(nodes[below]["visits"])
                below = int(nodes[below]["next"])
            assert after < edges[edge]["visits"]  # the simulation that added the edge ended there
            visits += int(edges[edge]["visits"])
            edge = int(edges[edge]["next"])
        assert visits == nodes[node]["visits"]
    assert sizes[EDGES] > 10


def test_nodes_widen_with_their_visits() -> None:
    root = searched()
    nodes, edges, sizes = root.forest.nodes[0], root.forest.edges[0], root.forest.sizes[0]
    several = 0
    for node in range(1, sizes[NODES]):
        edge, answers = int(nodes[node]["edge"]), 0
        while edge:
            edge, answers = int(edges[edge]["next"]), answers + 1
        assert answers <= 1 + root.options.widening * np.sqrt(nodes[node]["visits"])
        several += answers > 1
    assert several


def test_a_full_tree_grows_no_more() -> None:
    root, (states, legal) = searched(), positions(Config(2), 30, games=1)
    nodes, edges, size = root.forest.nodes[0], root.forest.edges[0], root.forest.sizes[0]
    root._work[0].legal[:], nodes[0]["edge"] = legal[0], 0
    options = root.options
    given = (
        states[0],
        int(states[0].seat),
        root._work[0],
        options.settings[0],
        options.weights[0],
        options.net,
    )
    size[EDGES] = len(edges)
    assert _select(nodes, edges, size, 0, *given) == (0, False)
    size[EDGES] = len(edges) - 1
    assert _select(nodes, edges, size, 0, *given) == (len(edges) - 1, True) and size[EDGES] == len(edges)


def test_a_flat_search_has_no_tree_below_its_candidates() -> None:
    tried = (positions(Config(2), decisions, games=1) for decisions in range(30, 60))
    states, legal = next((states, legal) for states, legal in tried if legal.sum() > 8)
    flat, deep = (make(f"{label}:sims=48,candidates=4,playout=round") for label in ("rollout", "mcts"))
    for agent, limit in ((flat, 4), (deep, 48 + 8)):
        assert isinstance(agent, Search)
        root = agent.search(states, asked(states), legal, streams([5])).root
        assert root.visits.sum() >= 48 and 4 <= root.forest.sizes[0, EDGES] - 1 <= limit
        assert (root.forest.sizes[0, EDGES] - 1 > 4) == (agent is deep)


# -- names


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("minimax", "no agent 'minimax': choose from random"),
        ("mcts:deep=3", "mcts has no option 'deep'; options: sims=256"),
        ("mcts:sims=many", "option sims of mcts needs type int, not 'many'"),
        ("rollout:sims=0", "rollout needs sims, candidates, depth, trees and threads of at least 1"),
        ("mcts:depth=0", "mcts needs sims, candidates, depth, trees and threads of at least 1"),
        ("rollout:playout=clever", "no playout 'clever': choose from auto, none, round, next-round"),
        ("rollout:sims=99999999999", "rollout has at most 1,000,000 sims"),
        ("mcts:seconds=inf", "the options of mcts cannot be negative, infinite or nan"),
        ("mcts:sims=4,sims=5", "option sims of mcts is given twice"),
        ("policy:temperature=nan", "the temperature of policy must be at least 0, not nan"),
        ("greedy:sad", "there is no style 'sad'"),
        ("..", "the agent '..' cannot be imported: not the name of a module and a class"),
        (b"greedy", "an agent is made by its name, a text, not b'greedy'"),
    ],
)
def test_bad_names_are_refused(name: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        make(name)


@pytest.mark.parametrize("label", PLAYING)
def test_where_nothing_is_legal_nothing_is_answered(label: str) -> None:
    """Games that are over among others, and no games at all."""
    agent = make(quick(label))
    states, legal = positions(Config(2), 20, games=3)
    batch.rollout(states[1:2], [1])
    batch.masks(states, legal)
    chance = streams(np.arange(3))
    answers = agent.act(states, asked(states), legal, chance)
    assert answers[1] == batch.SKIP and legal[[0, 2], answers[[0, 2]]].all()
    alone = agent.act(states[2:], asked(states)[2:], legal[2:], streams([2]))
    assert alone[0] == answers[2]
    assert agent.act(states[:0], asked(states)[:0], legal[:0], chance[:0]).shape == (0,)


def test_a_name_has_the_options_that_are_not_the_default() -> None:
    assert make("mcts:sims=200,playout=round").name == "mcts:sims=200,playout=round"
    assert make("rollout:sims=256").name == "rollout"
    assert all(make(quick(label)).description for label in PLAYING)


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(drawn(searched())) + "\n")
