"""The torch net against the compiled one, and its features."""

from pathlib import Path

import numpy as np
import pytest
import torch

from smallcity_agents import make
from smallcity_agents.net import checkpoint, features
from smallcity_agents.net.model import Net as Played
from smallcity_env import batch
from smallcity_env.config import MODULES, Config
from smallcity_env.rules import planes
from smallcity_env.rules.layout import Form
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import SEATS, SPACES
from smallcity_env.rules.tables.tiles import NAMES, Kind
from smallcity_training.config import ConfigError, parse, torch_device
from smallcity_training.embedding import embedding_sum
from smallcity_training.net import Net, weights
from smallcity_training.ppo import PPOConfig, initial_net

GAMES = [
    Config(players=2),
    Config(players=4, modules=MODULES, boards=("tokyo", "river-easy", "beijing", "mountain-expert")),
    Config(players=1, modules=()),
]


def positions(config: Config, n: int = 24, decisions: int = 48) -> tuple[np.ndarray, np.ndarray]:
    """Games after some random decisions, and their masks."""
    chance, legal = np.random.default_rng(0), batch.new_masks(n)
    states = batch.new(n, config, range(n), legal)
    for _ in range(decisions):
        drawn = np.where(legal, chance.random(legal.shape), -1).argmax(axis=1)
        batch.step(states, np.where(batch.over(states), batch.SKIP, drawn), legal)
    return states, legal


def lively(seed: int = 0) -> Net:
    """A net whose last layers are not nearly zero."""
    torch.manual_seed(seed)
    net = Net(channels=8, district=16, trunk=32)
    for layer in (net.answer, net.seek, net.greedy_weight, net.value):
        torch.nn.init.normal_(layer.weight)
    return net


@pytest.mark.parametrize("config", GAMES, ids=lambda config: f"{config.players} players")
def test_what_torch_learnt_is_played_without_it(config: Config) -> None:
    states, legal = positions(config)
    seen, net = features.inputs(states, states["seat"], legal), lively()
    logits, values = net.predict(features.decode(seen), legal)
    played, expected = Played(weights(net))(seen, legal)
    assert np.abs(played - logits.numpy())[legal].max() < 1e-4
    assert np.abs(expected - values.numpy()).max() < 1e-4


def test_a_start_temperature_divides_the_logits_and_leaves_the_values(tmp_path: Path) -> None:
    states, legal = positions(GAMES[0])
    seen, net = features.inputs(states, states["seat"], legal), lively()
    card = {"steps": 0, "reward": "score", "method": "ppo", "command": "", "seed": 0, "hours": 0.0}
    checkpoint.write(tmp_path / "net.npz", weights(net), card | {"versions": {}, "config": ""})
    size = {"channels": 8, "district": 16, "trunk": 32}
    start = {"start": str(tmp_path / "net.npz"), "start_temperature": 0.25, "net": size}
    sharp = initial_net(parse(PPOConfig, start))
    logits, values = net.predict(features.decode(seen), legal)
    sharper, same = sharp.predict(features.decode(seen), legal)
    assert torch.allclose(sharper, logits / 0.25, rtol=1e-4, atol=1e-3)
    assert torch.equal(same, values)


def test_a_net_does_not_notice_what_else_is_in_the_batch() -> None:
    states, legal = positions(GAMES[0])
    seen, net = features.inputs(states, states["seat"], legal), Played(weights(lively()))
    together, expected = net(seen, legal)
    alone = [net(seen[k : k + 1], legal[k : k + 1]) for k in range(len(seen))]
    assert np.array_equal(together, np.concatenate([logits for logits, _ in alone]))
    assert np.array_equal(expected, np.concatenate([values for _, values in alone]))


@pytest.mark.parametrize("config", GAMES[:2], ids=lambda config: f"{config.players} players")
def test_codes_say_what_the_planes_say(config: Config) -> None:
    states, _ = positions(config)
    codes, playing, *_ = features.decode(features.inputs(states, 0, batch.new_masks(len(states))))
    buffers = batch.new_observations(len(states), Form.PLANES)
    batch.observe(states, 0, buffers)
    board = buffers.planes.reshape(len(states), SEATS, planes.COUNT, SPACES)
    names, layers = list(planes.PLANES), list(features.LAYERS)
    assert (playing.sum(axis=1) == config.players).all()
    for kind in Kind:
        if kind:
            here = codes[..., layers.index("tile")] == kind
            assert (board[:, :, names.index(NAMES[kind])] == here).all()
    zone = board[:, :, names.index("zone")] > 0
    assert (zone == (codes[..., layers.index("state")] >> 7 > 0)).all()


def test_greedys_logits_are_points_below_greedys_best_answer() -> None:
    for config in GAMES:
        states, legal = positions(config)
        live = ~batch.over(states)
        states, legal = batch.take(states, np.flatnonzero(live)), legal[live]
        logits = features.greedy_logits(states, states["seat"].astype(np.int64), legal)
        assert (logits <= 0).all() and (logits >= features.FAR_BELOW).all()
        assert (logits[~legal] == 0).all() and (logits < 0).any()
        style = "solo" if config.players == 1 else "tuned"
        chosen = make(f"greedy:style={style}").act(states, states["seat"], legal, streams(range(len(states))))
        assert (logits[np.arange(len(states)), chosen] > -1e-6).all()


def test_a_new_net_knows_nothing_and_with_greedys_logits_answers_as_greedy_does() -> None:
    states, legal = positions(GAMES[0])
    seen = features.inputs(states, states["seat"], legal)
    torch.manual_seed(0)
    logits, values = Played(weights(initial_net(PPOConfig())))(seen, legal)
    assert np.abs(logits[legal]).max() < 0.5 and np.abs(values).max() < 0.5
    logits, _ = Played(weights(initial_net(PPOConfig(greedy_logits=0.5))))(seen, legal)
    likeliest = np.where(legal, logits, -np.inf).argmax(axis=1)
    logits = features.greedy_logits(states, states["seat"].astype(np.int64), legal)
    assert (logits[np.arange(len(states)), likeliest] > -0.5).all()


def test_embedding_sums_and_their_gradients_are_those_of_torch() -> None:
    chance = torch.Generator().manual_seed(0)
    lengths = torch.randint(5, (50,), generator=chance)
    codes = torch.randint(30, (int(lengths.sum()),), generator=chance)
    table = torch.randn(30, 4, generator=chance, requires_grad=True)
    factors = torch.randn(50, 4, generator=chance)
    summed = embedding_sum(codes, lengths.cumsum(0), table)
    (summed * factors).sum().backward()
    ours, table.grad = table.grad, None
    expected = torch.stack([table[part].sum(dim=0) for part in codes.split(lengths.tolist())])
    (expected * factors).sum().backward()
    assert torch.allclose(summed, expected, atol=1e-5) and torch.allclose(ours, table.grad, atol=1e-5)


def test_nets_are_on_the_device_of_the_configuration() -> None:
    assert initial_net(PPOConfig(device="cpu")).place.device.type == "cpu"
    found = "cuda" if torch.cuda.is_available() else "cpu"
    assert torch_device("auto").type == found
    if found == "cpu":
        with pytest.raises(ConfigError, match="device cannot be cuda: torch finds none here; choose cpu or"):
            torch_device("cuda")


def test_a_vector_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="the net takes an array"):
        features.decode(np.zeros((2, 7), np.float32))
