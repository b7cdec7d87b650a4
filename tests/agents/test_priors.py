"""The net's priors: what an answer is known by, their forward pass, their use in a search."""

import hashlib
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.evaluation.weights import ROW_BY_PLAYERS, search_weights
from smallcity_agents.greedy import answer_values
from smallcity_agents.search.agent import Search
from smallcity_agents.search.improve import log_softmax
from smallcity_agents.value_net import model
from smallcity_agents.value_net.answers import encode_answers
from smallcity_agents.value_net.layout import ANSWER, ANSWER_COUNT, KNEES, MOST_ANSWER_CODES, NAMES
from smallcity_env import Config, Game, batch
from smallcity_env.rules import actions
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import Ask
from tests.agents.test_search import asked, positions
from tests.agents.test_value_net import CONFIGS, encoded, of_every_kind, random_net, relu
from tests.interpreter import CHECKED, PLAIN, run_python

LABELS = NAMES.labels("answers")


def answers_of(states: batch.States, legal: batch.Mask) -> list[list[int]]:
    """The codes of every legal answer, game after game."""
    n = int(legal.sum())
    codes, ends = np.zeros(n * MOST_ANSWER_CODES, np.uint16), np.zeros(n, np.int64)
    encode_answers(states, asked(states), legal, codes, ends)
    return [codes[a:b].astype(int).tolist() for a, b in zip([0, *ends], ends, strict=False)]


def told(game: Game) -> dict[int, list[str]]:
    """What is known of each answer of a game, in words."""
    legal = game.mask()[None]
    known = answers_of(game.states, legal)
    return {
        int(a): [LABELS[c] for c in codes] for a, codes in zip(np.flatnonzero(legal[0]), known, strict=True)
    }


@of_every_kind
def test_the_forward_pass_is_the_head_that_is_described(config: Config) -> None:
    net, (states, legal) = random_net(), positions(config, 25)
    codes, numbers = encoded(states)
    first = [
        relu(net.first + net.codes[c].sum(axis=0) + n @ net.numbers)
        for c, n in zip(codes, numbers, strict=True)
    ]
    sums = np.array(first).reshape(len(states), config.players, -1)
    views = net.view_bias + sums @ net.view_own + sums.sum(axis=1, keepdims=True) @ net.view_all
    rows = ROW_BY_PLAYERS[states["rules"]["players"]]
    _, values = answer_values(
        states, asked(states), legal, streams(np.arange(len(states))), search_weights(), rows
    )
    logits, known = model.priors(states, asked(states), legal, net), iter(answers_of(states, legal))
    for i, state in enumerate(states):
        below = values[i] - values[i][legal[i]].max()
        for action in np.flatnonzero(legal[i]):
            seen = relu(views[i, state["seat"]] + net.answers[next(known)].sum(axis=0))
            by_value = np.maximum(below[action], -KNEES) @ net.knees[state["ask"]]
            assert logits[i, action] == pytest.approx(seen @ net.prior + by_value, rel=1e-3, abs=1e-2)


@of_every_kind
def test_answers_differ_in_what_is_known_of_them(config: Config) -> None:
    for decisions in (0, 12, 40, 90):
        states, legal = positions(config, decisions)
        known = iter(answers_of(states, legal))
        for state, mask in zip(states, legal, strict=True):
            every = [tuple(next(known)) for _ in range(mask.sum())]
            assert len(set(every)) == len(every) and max(map(max, every)) < ANSWER_COUNT
            question = f"answer {Ask(state['ask']).name.lower()} "
            assert all(LABELS[codes[0]].startswith(question) for codes in every)


def test_an_answer_is_known_by_what_stands_around_it() -> None:
    game = Game(Config(2, ()), seed=1)
    while game.states["ask"][0] != Ask.WHERE or game.states["round_no"][0] < 2:
        game.step(int(game.legal()[0]))
    b, kind = game.states["borough"][0, game.seat], NAMES.axes["tile"][game.states["kind"][0]]
    for action, words in told(game).items():
        assert (
            f"answer where {actions.name(action)}" in words and f"players 2 {actions.name(action)}" in words
        )
        assert f"site {kind} {actions.space_name(action)}" in words and "here where none" not in words[:1]
        near = [word for word in words if word.startswith("near where")]
        row, column = divmod(action, 10)
        around = [
            (r, c)
            for r in range(row - 1, row + 2)
            for c in range(column - 1, column + 2)
            if (r, c) != (row, column)
        ]
        spaces = [10 * r + c for r, c in around if 0 <= r < 10 and 0 <= c < 10]
        tiled = [s for s in spaces if int(b["tiled"][s // 50]) >> (s % 50) & 1]
        kinds = [NAMES.axes["tile"][b["kind"][b["first"][s]]] for s in tiled]
        assert sorted(near) == sorted(f"near where {k}" for k in kinds)
        assert [w for w in words if w.startswith("beside")] == [f"beside {kind} {w.split()[2]}" for w in near]


def test_seats_are_counted_from_the_asked_one() -> None:
    names, place = {f"seat {k}": k for k in range(4)}, set()
    states, legal = positions(Config(3), 75, games=150)
    for i in range(len(states)):
        one = batch.take(states, [i])
        for action, codes in zip(np.flatnonzero(legal[i]), answers_of(one, legal[[i]]), strict=True):
            if actions.name(action) in names:
                relative = (names[actions.name(action)] - asked(one)[0]) % 3
                question = Ask(one["ask"][0]).name.lower()
                assert f"seat {question} {relative}" in [LABELS[c] for c in codes]
                place.add(relative)
    assert len(place) > 1 and ANSWER.answer == 0


def fingerprint() -> str:
    """A hash of the priors of many positions, and of searches that use them."""
    digest, net = hashlib.sha256(), random_net()
    for config in CONFIGS:
        for decisions in (3, 30):
            states, legal = positions(config, decisions, games=2)
            digest.update(model.priors(states, asked(states), legal, net).tobytes())
            agent = Search(sims=12, candidates=3, playout="none", prior_net=0.5)
            agent.net = net
            found = agent.search(states, asked(states), legal, streams(np.arange(len(states))))
            digest.update(found.policy.tobytes() + found.root.forest.edges.tobytes())
    return digest.hexdigest()


@pytest.mark.parametrize("env", [PLAIN, CHECKED], ids=["plain", "bounds-checked"])
def test_priors_are_the_same_everywhere(env: dict[str, str]) -> None:
    code = "from tests.agents.test_priors import *; print(fingerprint())"
    assert run_python("-c", code, env=env).strip() == fingerprint()


def preferring(answer: int) -> Any:
    """A net that prefers an answer to every question, whatever greedy thinks."""
    net = model.blank()
    table = np.zeros_like(net.answers)
    table[
        [
            row
            for row, label in enumerate(LABELS)
            if label.startswith("answer ") and label.endswith(f" {actions.name(answer)}")
        ]
    ] = 50
    return net._replace(answers=table, prior=np.ones_like(net.prior))


def test_a_learned_prior_chooses_the_candidates() -> None:
    states, legal = positions(Config(2), 30, games=12)
    rows = np.flatnonzero(legal[:, actions.NO] & (legal.sum(axis=1) > 2))
    states, legal = batch.take(states, rows), legal[rows]
    chance, given = streams(np.arange(len(rows))), Search(sims=4, candidates=1, prior_net=1.0)
    given.net = preferring(actions.NO)
    answers = given.act(states, asked(states), legal, chance.copy())
    assert len(rows) and (answers == actions.NO).all()
    without = Search(sims=4, candidates=1)
    without.net = given.net
    assert not np.array_equal(without.act(states, asked(states), legal, chance.copy()), answers)


def test_a_learned_prior_orders_the_answers_in_the_tree() -> None:
    states, legal = positions(Config(2), 30, games=6)
    for prior_net, expected in ((1.0, True), (0.0, False)):
        agent = Search(sims=200, candidates=2, playout="none", prior_net=prior_net)
        agent.net = preferring(actions.NO)
        root = agent.search(states, asked(states), legal, streams(np.arange(len(states)))).root
        first = [edge["action"] for tree in root.forest.edges for edge in tree[3:9]]
        assert (first.count(actions.NO) > len(first) // 3) == expected


def test_half_a_prior_is_the_geometric_mean() -> None:
    states, legal = positions(Config(3), 40)
    agents = [Search(prior_net=weight) for weight in (0.0, 0.5, 1.0)]
    for agent in agents:
        agent.net = random_net()
    chance = streams(np.arange(len(states)))
    greedy, mixed, learned = (
        log_softmax(a.prior(states, asked(states), legal, chance), legal) for a in agents
    )
    between = log_softmax(np.where(legal, greedy, 0) / 2 + np.where(legal, learned, 0) / 2, legal)
    assert mixed[legal] == pytest.approx(between[legal], abs=1e-6)
    assert learned[legal] != pytest.approx(greedy[legal], abs=1e-2)


@pytest.mark.parametrize("name", ["search:prior_net=1.5", "search:prior_net=-1", "mcts:prior_net=0.5"])
def test_a_weight_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(AgentError, match=r"prior_net of .* must be 0 to 1, and 0 without a value net"):
        make(name)


def test_masks_of_other_games_are_refused() -> None:
    states, legal = positions(Config(2), 30)
    with pytest.raises(AgentError, match="they mark illegal answers"):
        model.priors(states, asked(states), np.ones_like(legal), model.blank())
