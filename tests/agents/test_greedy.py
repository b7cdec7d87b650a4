"""`greedy`: legal, fair, independent of the batch, and clearly better than random."""

import numpy as np
import pytest

from smallcity_agents import AGENTS, make
from smallcity_agents.evaluation.schema import WEIGHT_NAMES
from smallcity_agents.evaluation.weights import STYLES, StyleError, row, weights_of
from smallcity_agents.greedy import Greedy, answer_values, value
from smallcity_env import Config, batch
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import Ask, Family
from smallcity_env.rules.tables.tiles import Kind
from tests.interpreter import PLAIN, run_python
from tests.random_games import EVERYTHING, random_config, table
from tests.test_secrecy import built_otherwise, moments, promised_otherwise

PERSONALITIES = ("builder", "industrialist", "green", "culture", "merchant")
MANY = [EVERYTHING, *(random_config(seed) for seed in range(60))]


def finished(agents: list, config: Config, games: int, seed: int = 1) -> batch.States:
    """Games played to the end, seat p by the p-th agent."""
    legal = batch.new_masks(games)
    states = batch.new(games, config, np.arange(games) + 1000 * seed, legal)
    turning = streams(np.arange(games) + seed)
    while legal.any():
        answers = np.full(games, batch.SKIP)
        for p, agent in enumerate(agents):
            asked = np.flatnonzero(legal.any(axis=1) & (states["seat"] == p))
            if len(asked):
                own = turning[asked]
                seats = np.full(len(asked), p)
                answers[asked] = agent.act(states[asked], seats, legal[asked], own)
                turning[asked] = own
        batch.step(states, answers, legal)
    return states


def margins(one: str, other: str, pairs: int) -> np.ndarray:
    """By how much one agent beats the other, in pairs of games with seats swapped."""
    config = Config(players=2)
    first = batch.scores(finished([make(one), make(other)], config, pairs))[0]
    second = batch.scores(finished([make(other), make(one)], config, pairs))[0]
    return np.concatenate([first[:, 0] - first[:, 1], second[:, 1] - second[:, 0]])


def test_greedy_beats_random_clearly():
    won = margins("greedy", "random", 30)
    assert (won > 0).mean() >= 0.95
    assert won.mean() > 15


@pytest.mark.parametrize("name", PERSONALITIES)
def test_every_personality_beats_random(name):
    assert (margins(name, "random", 10) > 0).mean() >= 0.8
    assert make(name).name == name


def test_every_question_is_evaluated():
    evaluated: set[int] = set()
    for config in MANY:
        games = table(config, 6, seed=5, generous=True)
        for _ in games.play():
            live = np.flatnonzero(games.legal.any(axis=1))
            if len(live) == 0:
                break
            states, legal = games.states[live], games.legal[live]
            seats = states["seat"].astype(np.int64)
            chosen, values = answer_values(states, seats, legal, streams(live), weights_of("tuned"))
            assert legal[np.arange(len(live)), chosen].all()
            assert np.isfinite(values).all()
            spans = np.where(legal, values, -np.inf).max(axis=1) - np.where(legal, values, np.inf).min(axis=1)
            evaluated |= set(states["ask"][spans > 0].tolist())
    assert {Ask(ask) for ask in evaluated} >= set(Ask) - {Ask.NONE, Ask.OVER, Ask.REVIVE}  # too rare: drawn


@pytest.mark.parametrize("config", MANY[:6], ids=range(6))
def test_greedy_does_not_peek(config):
    rng = np.random.default_rng(1)
    for states in moments(config, every=11):
        legal = batch.masks(states)
        for seat in range(config.players):
            asked = states["seat"] == seat
            mine, other = states[asked], batch.clone(states[asked])
            promised_otherwise(other, seat, rng)
            built_otherwise(other, seat, rng)
            other["stream"] = streams(rng.integers(1 << 40, size=len(other)))
            seats = np.full(len(mine), seat)
            a = Greedy().act(mine, seats, legal[asked], streams(np.arange(len(mine))))
            b = Greedy().act(other, seats, legal[asked], streams(np.arange(len(mine))))
            assert (a == b).all()


@pytest.mark.parametrize("config", MANY[:6], ids=range(6))
def test_value_does_not_peek(config):
    rng = np.random.default_rng(2)
    for states in moments(config, every=13):
        for viewer in range(config.players):
            other = batch.clone(states)
            promised_otherwise(other, viewer, rng)
            built_otherwise(other, viewer, rng)
            assert (value(states, viewer) == value(other, viewer)).all()


def test_answers_do_not_depend_on_the_batch():
    games = table(Config(players=3), 64, seed=2)
    for n in games.play():
        live = np.flatnonzero(games.legal.any(axis=1))
        if n % 17 or len(live) == 0:
            continue
        states, legal = games.states[live], games.legal[live]
        seats = states["seat"].astype(np.int64)
        together = Greedy().act(states, seats, legal, streams(live))
        for i in range(0, len(live), 9):
            part = slice(i, i + 1)
            alone = Greedy().act(states[part], seats[part], legal[part], streams(live[part]))
            assert alone[0] == together[i]


def test_states_and_masks_are_not_changed():
    games = table(EVERYTHING, 8, seed=4)
    for n in games.play():
        if n == 60:
            states, legal = batch.clone(games.states), games.legal.copy()
            Greedy().act(states, states["seat"].astype(np.int64), legal, streams(np.arange(8)))
            assert states.tobytes() == games.states.tobytes() and (legal == games.legal).all()
            return


def test_the_value_of_a_finished_game_is_near_its_score():
    states = finished([Greedy(), Greedy()], Config(players=2), 32)
    for seat in range(2):
        assert np.allclose(value(states, seat)[:, seat], batch.scores(states)[0][:, seat], atol=1.5)


def test_names_and_styles():
    assert set(PERSONALITIES) < set(AGENTS)
    assert make("greedy:style=green").style == "green"
    with pytest.raises(StyleError, match="there is no style 'sad': choose from tuned"):
        make("greedy:style=sad")
    with pytest.raises(StyleError, match="there is no weight joy"):
        row({"joy": 1.0})
    for style in STYLES:
        assert set(weights_of(style).dtype.names) == set(WEIGHT_NAMES)


ANSWERS = """
import sys, numpy as np
from smallcity_agents.greedy import Greedy, value
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.rng import streams
file = np.load(sys.argv[1])
states, legal = file["states"].view(STATE), file["legal"]
seats = states["seat"].astype(np.int64)
print(*Greedy().act(states, seats, legal, streams(np.arange(len(states)))), *value(states, seats).ravel())
"""


def test_plain_python_gives_the_same_answers(tmp_path):
    kept = [states for config in MANY[:4] for states in moments(config, every=29)]
    states = np.concatenate(kept).view(batch.STATE)[:90]
    legal, seats = batch.masks(states), states["seat"].astype(np.int64)
    np.savez(tmp_path / "moments.npz", states=states.view(np.uint8), legal=legal)
    answers = Greedy().act(states, seats, legal, streams(np.arange(len(states))))
    words = run_python("-c", ANSWERS, str(tmp_path / "moments.npz"), env=PLAIN).split()
    assert [int(word) for word in words[: len(states)]] == answers.tolist()
    values = np.array([float(word) for word in words[len(states) :]])
    assert np.allclose(values, value(states, seats).ravel(), rtol=1e-5)


def grown(name: str) -> batch.States:
    """The boroughs when one personality plays both seats."""
    return finished([make(name)] * 2, Config(players=2), 24)["borough"][:, :2]


def test_personalities_build_different_cities():
    cities = {name: grown(name) for name in PERSONALITIES}

    def spaces(name: str, family: Family) -> float:
        return float(np.bitwise_count(cities[name]["family"][:, :, family]).sum(axis=-1).mean())

    def cultural(name: str) -> float:
        return float(cities[name]["built"][:, :, Kind.SCHOOL : Kind.UNIVERSITY + 1].sum(axis=-1).mean())

    for other in set(PERSONALITIES) - {"industrialist"}:
        assert spaces("industrialist", Family.FACTORY) > 1.5 * spaces(other, Family.FACTORY)
    for other in set(PERSONALITIES) - {"green"}:
        assert spaces("green", Family.PARK) > 1.3 * spaces(other, Family.PARK)
    for other in set(PERSONALITIES) - {"merchant"}:
        assert spaces("merchant", Family.COMMERCIAL) > 1.3 * spaces(other, Family.COMMERCIAL)
    for other in set(PERSONALITIES) - {"builder"}:
        assert spaces("builder", Family.RESIDENTIAL) > 1.2 * spaces(other, Family.RESIDENTIAL)
    for other in set(PERSONALITIES) - {"culture"}:  # all build what their materials allow
        assert cultural("culture") >= cultural(other)
    assert cultural("culture") > 1.1 * cultural("builder")
