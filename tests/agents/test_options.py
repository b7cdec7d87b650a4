"""Options of agents: of the right type, and usable, or refused in one sentence."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AGENTS, Agent, AgentError, load, make
from smallcity_agents.policy import Policy
from smallcity_agents.search.agent import Search
from smallcity_env import Config, batch
from smallcity_env.arguments import ArgumentError
from smallcity_env.rules import rng

TWO = Config(players=2)
OPTIONS = {
    int: (None, True, 2.5, 2.0, "3", float("nan"), [1], 1j, np.array(3)),
    float: (None, True, "3", [1.0], 1j, 10**400, np.array(3.0)),
    str: (None, True, 0, 2.5, b"x", [], Path("x")),
}


def options() -> Iterator[tuple[type[Agent], str, Any]]:
    """Every option of our agents with what is of another type."""
    for kind in map(load, AGENTS):
        for field in dataclasses.fields(kind):
            yield from ((kind, field.name, wrong) for wrong in OPTIONS[type(field.default)])


def test_options_of_another_type_are_refused() -> None:
    for kind, name, wrong in options():
        with pytest.raises(AgentError, match=f"option {name} of {kind.label} needs type "):
            kind(**{name: wrong})


def test_options_of_any_integer_and_float_type_are_taken() -> None:
    given = Search(sims=np.int8(3), seconds=0, c_ucb=np.float32(0.5), prior_weight=np.uint64(2))
    assert (given.sims, given.seconds, given.c_ucb, given.prior_weight) == (3, 0.0, 0.5, 2.0)
    assert {type(given.sims), type(given.seconds), type(given.prior_weight)} == {int, float}


@pytest.mark.parametrize(
    "name", ["rollout:candidates=9999999999", "mcts:candidates=9999999999,depth=9999999999"]
)
def test_more_than_there_is_means_all(name: str) -> None:
    states = batch.new(1, TWO, [1], legal := batch.new_masks(1))
    answer = make(f"{name},sims=2").act(states, states["seat"], legal, rng.streams([1]))
    assert legal[0, answer[0]]


@pytest.mark.parametrize("temperature", [1e-320, 1e-30, 1e-6, 1e30])
def test_at_any_temperature_the_policy_answers_legally(temperature: float) -> None:
    states = batch.new(20, TWO, range(20), legal := batch.new_masks(20))
    with np.errstate(all="raise", under="ignore"):
        answers = Policy(temperature=temperature).act(states, states["seat"], legal, rng.streams(range(20)))
    assert legal[np.arange(20), answers].all()


def test_a_search_plays_no_answer_that_a_wrong_mask_marks() -> None:
    states = batch.new(2, TWO, range(2), legal := batch.new_masks(2))
    agent, chance = Search(sims=4, candidates=4, playout="none"), rng.streams([1, 2])
    fewer = legal.copy()
    fewer[:, legal.argmax(axis=1)] = False
    assert fewer[[0, 1], agent.act(states, states["seat"], fewer, chance)].all()
    old = legal.copy()
    for _ in range(4):
        batch.step(states, legal.argmax(axis=1), legal)
    for masks in (old, np.ones_like(legal)):
        with pytest.raises(AgentError, match="search was given the masks of other games"):
            agent.act(states, states["seat"], masks, chance)


def test_only_games_that_were_searched_have_a_line_and_a_value() -> None:
    states = batch.new(2, TWO, range(2), legal := batch.new_masks(2))
    found = Search(sims=2, candidates=2, playout="none").search(
        states, states["seat"], legal, rng.streams([1, 2])
    )
    assert found.line(1, int(found.actions[1]))[0] == found.actions[1]
    for game in (-1, 2, 0.5, None, True):
        for said in (lambda game=game: found.line(game, 3), lambda game=game: found.value(game)):
            with pytest.raises(ArgumentError, match="the game must be a whole number from 0 to 1, not"):
                said()
    with pytest.raises(ArgumentError, match="the answer must be a whole number from 0 to 198, not"):
        found.line(0, [])


@pytest.mark.parametrize(
    "name",
    ["search:prior_weight=1e308", "search:noise=1e7", "mcts:c_ucb=1e300", "rollout:seconds=1e9",
     "search:playout=9999999", "search:leaf_value=" + "a" * 5000, "policy:checkpoint=" + "a" * 5000,
     "smallcity_agents.agent.Agent"],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_when_an_agent_is_made(name: str) -> None:
    with pytest.raises(AgentError):
        make(name)
