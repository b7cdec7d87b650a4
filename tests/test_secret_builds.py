"""Games that differ in what others really built in secret: no environment, page or agent tells them apart."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_agents.level import LEVELS
from smallcity_agents.net.features import inputs
from smallcity_agents.value_net.model import forecast, load
from smallcity_env import Config, Game, batch, smallcity_v0
from smallcity_env.envs.pettingzoo import raw_env
from smallcity_env.render.replay import page
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import Phase
from tests.agents.test_search import PLAYING, quick
from tests.test_secrecy import CONFIGS, with_secrets, worlds

AGENTS = [*map(quick, PLAYING), *(f"level:{n}" for n in range(1, 9)), "policy:temperature=1.0"]
PAIRS = 12  # of games with equal masks, for every agent
REWARDS = ("rank", "margin", "score")


def asked_alike(config: Config) -> Iterator[tuple[int, batch.States, batch.States, batch.Mask]]:
    """Pairs in which the seat itself is asked, with the same legal answers."""
    for seat, a, b in worlds(config):
        masks = batch.masks(a)
        if a["seat"][0] == seat and a.tobytes() != b.tobytes() and np.array_equal(masks, batch.masks(b)):
            yield seat, a, b, masks


@cache
def joined(config: Config) -> tuple[batch.States, batch.States, batch.Mask, np.ndarray]:
    """Some of these pairs as two batches, with their masks and seats."""
    pairs = [pair for pair, _ in zip(asked_alike(config), range(PAIRS), strict=False)]
    assert pairs
    seats, first, second, masks = zip(*pairs, strict=True)
    return batch.join(first), batch.join(second), np.concatenate(masks), np.array(seats)


@pytest.mark.parametrize("name", AGENTS)
def test_no_agent_answers_by_secret_builds(name: str) -> None:
    agent = make(name)
    for config in (CONFIGS[0], Config(players=2)):
        a, b, masks, seats = joined(config)
        answers = [agent.act(states, seats, masks, streams(np.arange(len(a)))) for states in (a, b)]
        assert np.array_equal(*answers)


def test_levels_above_are_the_search() -> None:
    assert [LEVELS[n].search.partition(":")[0] for n in (8, 9)] == ["search", "champion"]


@with_secrets
def test_nets_see_the_same(config: Config) -> None:
    """The policy's observations and greedy's logits, and the value net's forecast of a fork."""
    a, b, masks, seats = joined(config)
    assert np.array_equal(inputs(a, seats, masks), inputs(b, seats, masks))
    seeds = np.arange(len(a))
    forecasts = [forecast(batch.fork(states, seats, seeds), load()) for states in (a, b)]
    assert all(np.array_equal(*pair) for pair in zip(*forecasts, strict=True))


# -- whole games, in which another seat builds one thing or another


def states_of(game: Any) -> batch.States:
    """The record of a game or an environment."""
    return game._states if isinstance(game, raw_env) else game.states


def building(game: Any) -> int:
    """The seat that builds behind its screen, or -1."""
    state = states_of(game)[0]
    return int(state["seat"]) if state["phase"] == Phase.BUILD else -1


def answer(game: Any, rng: np.random.Generator) -> None:
    """Answer at random."""
    game.step(int(rng.choice(np.flatnonzero(batch.masks(states_of(game))[0]))))


def continuations(game: Any) -> Iterator[tuple[int, Any, Any]]:
    """Whenever a seat begins to build, two copies in which it has built and the next one is asked."""
    rng, before = np.random.default_rng(3), -1
    while not batch.over(states_of(game))[0]:
        builder = building(game)
        if builder not in (-1, before):
            copies = game.clone(), game.clone()
            for copy in copies:
                while building(copy) == builder:
                    answer(copy, rng)
            if building(copies[0]) == building(copies[1]) != -1:
                yield builder, *copies
        before = builder
        answer(game, rng)


@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("reward", REWARDS)
def test_environments_tell_a_seat_the_same(reward: str, observation: Any) -> None:
    env = smallcity_v0.env(players=3, reward=reward, observation=observation).unwrapped
    env.reset(seed=6)
    differ = 0
    for builder, a, b in continuations(env):
        differ += a._states.tobytes() != b._states.tobytes()
        for agent in set(a.agents) - {f"seat_{builder}"}:
            assert told(a, agent) == told(b, agent)
    assert differ


def told(env: raw_env, agent: str) -> list[Any]:
    """Everything an environment tells a seat; not the mask of one that is asked, which lacks what is gone."""
    seen = env.observe(agent)["observation"]
    parts = list(seen.values()) if isinstance(seen, dict) else [seen]
    if agent != env.agent_selection:
        parts += [env.observe(agent)["action_mask"], np.array(repr(env.infos[agent]))]
    money = env.rewards[agent], env._cumulative_rewards[agent], env.terminations[agent]
    return [env.agent_selection, *money, *(np.asarray(part).tobytes() for part in parts)]


@pytest.mark.parametrize("seat", range(3))
def test_replays_show_a_seat_the_same(seat: int) -> None:
    compared = 0
    for builder, a, b in continuations(Game(Config(players=3), seed=4)):
        if builder != seat and a.states.tobytes() != b.states.tobytes():
            assert page(a.log, seat) == page(b.log, seat)
            compared += 1
    assert compared
