"""The policy: its play, what it sees, its options."""

import subprocess
import sys

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.arena.playing import play, seat_streams
from smallcity_agents.policy import choose
from smallcity_env import batch
from smallcity_env.config import MODULES, Config

ASIAN = ("shanghai", "seoul", "hong-kong", "tokyo")
GAMES = [
    Config(players=1),
    Config(players=2, modules=()),
    Config(players=3, modules=("godzillas", "doctors", "mayor")),
    Config(players=4, modules=MODULES, boards=ASIAN),
    Config(players=4, boards=("river-easy", "mountain-expert", "base-expert", "base-easy")),
]


@pytest.mark.parametrize("config", GAMES, ids=lambda config: f"{config.players} {config.boards[0]}")
@pytest.mark.parametrize("name", ["policy", "policy:temperature=1"])
def test_it_plays_every_set_up_to_the_end(config: Config, name: str) -> None:
    played = play(config, [make(name)], [[0] * config.players] * 4, range(4))
    assert batch.over(played.states).all()


def test_it_beats_random_in_nearly_every_game() -> None:
    n = 60
    seatings = np.tile([[0, 1], [1, 0]], (n // 2, 1))
    seeds = np.repeat(np.arange(n // 2), 2)
    played = play(Config(players=2), [make("policy"), make("random")], seatings, seeds)
    places = batch.scores(played.states)[1]
    assert (places[np.arange(n), np.arange(n) % 2] == 0).mean() > 0.95


def test_it_plays_without_torch() -> None:
    code = "import sys; sys.modules['torch'] = None; from smallcity_agents import make; make('policy')"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_it_sees_only_what_its_seat_may_see() -> None:
    legal = batch.new_masks(8)
    states = batch.new(8, Config(players=2), range(8), legal)
    seats = states["seat"].astype(np.int64)
    other = batch.clone(states)
    other["borough"]["promise"][np.arange(8), 1 - seats] = 3  # what the other holds is not seen
    agent, streams = make("policy"), seat_streams(range(8))[:, 0]
    assert (agent.act(states, seats, legal, streams) == agent.act(other, seats, legal, streams)).all()


def test_answers_are_sampled_from_the_probabilities() -> None:
    n = 20_000
    logits = np.tile(np.log(np.array([[0.5, 0.3, 0.2, 0.7]], np.float32)), (n, 1))
    legal = np.tile([[True, True, True, False]], (n, 1))
    drawn = choose(logits, legal, seat_streams(range(n))[:, 0], 1.0)
    assert np.bincount(drawn, minlength=4) / n == pytest.approx([0.5, 0.3, 0.2, 0], abs=0.02)
    assert (choose(logits, legal, seat_streams(range(n))[:, 0], 0.0) == 0).all()


def test_bad_checkpoints_are_refused() -> None:
    with pytest.raises(AgentError, match=r"there is no checkpoint nowhere\.npz"):
        make("policy:checkpoint=nowhere.npz")
    with pytest.raises(AgentError, match=r"there is no value net nowhere\.npz"):
        make("mcts:leaf_value=nowhere.npz")
    with pytest.raises(AgentError, match="at least 0, not -1"):
        make("policy:temperature=-1")
