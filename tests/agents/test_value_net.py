"""The value net: what it reads, its forward pass, its file, its use in search."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.arena.playing import play
from smallcity_agents.evaluation.weights import VALUE, weights_of
from smallcity_agents.greedy import value
from smallcity_agents.value_net import model
from smallcity_agents.value_net.encode import encode_all
from smallcity_agents.value_net.forward import CALIBRATED, OUTPUTS, SCORE, ValueNet, new_features
from smallcity_agents.value_net.layout import (
    ANSWER_COUNT,
    CODE_COUNT,
    GREEDY_VALUE,
    KNEES,
    MOST_CODES,
    NUMBER_COUNT,
    QUESTIONS,
    START,
)
from smallcity_env import batch
from smallcity_env.config import MODULES, Config
from smallcity_env.rules import rng
from smallcity_env.rules.tables import POWER_ROUNDS, SEATS, SPACES
from smallcity_env.rules.tables.tiles import Kind

WIDTH, HIDDEN, VIEW = 8, 4, 5
EVERYTHING = Config(players=4, modules=MODULES, boards=("shanghai", "seoul", "river-easy", "mountain-expert"))
CONFIGS = [
    Config(players=1, modules=()),
    Config(players=2),
    Config(players=3, victory="economics"),
    EVERYTHING,
]
of_every_kind = pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config.players}")


def random_net(seed: int = 0) -> ValueNet:
    """A net of random weights, each of which matters."""
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> Any:
        return random.normal(size=shape, scale=0.2).astype(np.float32)

    return ValueNet(
        draw(CODE_COUNT, WIDTH), draw(NUMBER_COUNT, WIDTH), draw(WIDTH),
        draw(WIDTH, HIDDEN), draw(WIDTH, HIDDEN), draw(HIDDEN), draw(HIDDEN, HIDDEN), draw(HIDDEN),
        draw(HIDDEN, OUTPUTS), draw(OUTPUTS), draw(POWER_ROUNDS + 1, SEATS + 1, CALIBRATED),
        draw(WIDTH, VIEW), draw(WIDTH, VIEW), draw(VIEW), draw(ANSWER_COUNT, VIEW), draw(VIEW),
        draw(QUESTIONS, len(KNEES)), weights_of(VALUE),
    )  # fmt: skip


def positions(config: Config, decisions: int = 25, games: int = 8) -> batch.States:
    """Games after this many random decisions."""
    legal, chance = batch.new_masks(games), rng.streams(np.arange(games))
    states = batch.new(games, config, range(games), legal)
    for _ in range(decisions):
        batch.step(states, batch.pick(legal, chance), legal)
    return batch.take(states, np.flatnonzero(~batch.over(states)))


def encoded(states: batch.States) -> tuple[list[Any], Any]:
    """The codes of every seat, and the numbers of every seat."""
    lines = int(states["rules"]["players"].sum())
    codes, ends = np.zeros(lines * MOST_CODES, np.uint16), np.zeros(lines, np.int64)
    numbers = np.zeros((lines, NUMBER_COUNT), np.float32)
    encode_all(states, weights_of(VALUE), *new_features(), codes, ends, numbers)
    return [codes[a:b].astype(int) for a, b in zip([0, *ends], ends, strict=False)], numbers


def relu(x: Any) -> Any:
    return np.maximum(x, 0)


@of_every_kind
def test_the_forward_pass_is_the_net_that_is_described(config: Config) -> None:
    net, states = random_net(), positions(config)
    codes, numbers = encoded(states)
    first = [
        relu(net.first + net.codes[c].sum(axis=0) + n @ net.numbers)
        for c, n in zip(codes, numbers, strict=True)
    ]
    sums = np.array(first).reshape(len(states), config.players, WIDTH)
    hidden = relu(net.second + sums @ net.own + sums.sum(axis=1, keepdims=True) @ net.everybody)
    outputs = net.last + relu(net.third + hidden @ net.deep) @ net.heads
    left = states["rules"]["rounds"] - states["round_no"]
    slope, shift = net.calibration[left, config.players, :2].T[:, :, None]
    greedy_values = numbers[:, GREEDY_VALUE].reshape(len(states), -1)
    expected = slope * greedy_values + shift + outputs[:, :, SCORE]
    assert model.forecast(states, net).scores[:, : config.players] == pytest.approx(
        expected, rel=1e-3, abs=1e-2
    )


@of_every_kind
def test_greedys_value_is_one_of_the_numbers(config: Config) -> None:
    states = positions(config)
    greedy_values = encoded(states)[1][:, GREEDY_VALUE].reshape(len(states), -1)
    for p in range(config.players):
        assert greedy_values[:, p] == pytest.approx(value(states, p)[:, p], rel=1e-5)


@of_every_kind
def test_codes_say_what_stands_where(config: Config) -> None:
    states = positions(config)
    codes, _ = encoded(states)
    assert all(c.min() >= 0 and c.max() < CODE_COUNT for c in codes)
    for i, state in enumerate(states):
        for p in range(config.players):
            own, b = set(codes[i * config.players + p]), state["borough"][p]
            hall = START.tile + int(Kind.CITY_HALL) * SPACES + int(b["hall"])
            assert (hall in own) == (b["built"][Kind.CITY_HALL] > 0)
            assert START.promise + b["promise"] in own
            assert START.board + state["rules"]["board"][p] in own
            assert START.ask + 2 * state["ask"] + (state["seat"] == p) in own


def test_every_code_has_its_own_place() -> None:
    assert sorted(START) == list(START) and START.tile == 0
    assert max(START) < CODE_COUNT < 2**16


@of_every_kind
def test_payoffs_and_places_are_chances(config: Config) -> None:
    states = positions(config)
    states["borough"]["out"][0, 0] = 1
    payoffs, _, places = model.forecast(states, random_net())
    n = config.players
    assert ((payoffs >= 0) & (payoffs <= 1)).all() and payoffs[0, 0] == 0
    assert places[:, :n, :n].sum(axis=1) == pytest.approx(np.ones((len(states), n)), abs=1e-5)
    assert places[:, :n, :n].sum(axis=2) == pytest.approx(np.ones((len(states), n)), abs=1e-5)
    assert (payoffs[:, n:] == 0).all() and (places[:, n:] == 0).all()


def test_a_game_does_not_depend_on_its_batch() -> None:
    states, net = positions(EVERYTHING), random_net()
    whole = model.forecast(states, net)
    for i in range(len(states)):
        alone = model.forecast(batch.take(states, [i]), net)
        assert all(np.array_equal(a[i], b[0]) for a, b in zip(whole, alone, strict=True))


def test_a_net_on_file_is_the_net_that_was_written(tmp_path: Path) -> None:
    net, path = random_net(), tmp_path / "net.npz"
    model.write(path, net, {"positions": 7})
    read, card = model.read(path)
    assert card["positions"] == 7
    assert all(array == pytest.approx(own, abs=1e-3) for array, own in zip(read[:-1], net[:-1], strict=True))
    assert read.weights.tolist() == net.weights.tolist()


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    with pytest.raises(AgentError, match="no value net"):
        model.read(path)
    model.write(path, random_net()._replace(codes=np.zeros((3, WIDTH), np.float32)), {})
    with pytest.raises(AgentError, match="codes must be float16 or float32 or float64"):
        model.read(path)
    path.write_bytes(b"nothing")
    with pytest.raises(AgentError, match="cannot be read"):
        model.read(path)


# -- the shipped net


def test_the_shipped_net_is_small_and_says_how_it_was_made() -> None:
    assert model.SHIPPED.stat().st_size <= 2 * 1024 * 1024
    _, card = model.read(model.SHIPPED)
    assert card["positions"] > 0 and len(card["explained score"]) >= 8
    assert json.loads(json.dumps(card)) == card


@of_every_kind
def test_a_search_plays_with_it(config: Config) -> None:
    agent = make("rollout:sims=4,candidates=3,playout=none,leaf_value=value_net")
    assert make(agent.name) == agent
    played = play(config, [agent], [[0] * config.players] * 2, range(2))
    assert batch.over(played.states).all()


def test_it_tells_who_is_ahead() -> None:
    states = positions(Config(players=2))
    ahead = batch.clone(states)
    ahead["borough"]["votes"][:, 0] += 30
    before, after = (model.forecast(s, model.load()) for s in (states, ahead))
    assert (after.payoffs[:, 0] > before.payoffs[:, 0]).all()
    assert (after.payoffs[:, 1] < before.payoffs[:, 1]).all()
    assert (after.places[:, 0, 0] > before.places[:, 0, 0]).all()
    assert (after.scores[:, 0] > before.scores[:, 0]).all()
