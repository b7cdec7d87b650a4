"""A search made to follow a plan: its opening, its promise, and the rest of the game by itself."""

from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.agent import Agent
from smallcity_agents.arena.playing import Playing
from smallcity_agents.search.plan import OPENING
from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules.rng import streams
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.promises import BY_NUMBER

QUICK = "search:sims=8,candidates=3"


def asked(playing: Playing, agent: Agent) -> Any:
    """What an agent answers where it is asked now."""
    states, legal = playing.states, batch.masks(playing.states)
    return agent.act(
        batch.clone(states), states["seat"].astype(np.int64), legal, streams(np.arange(len(legal)))
    )


@pytest.mark.parametrize("style", ["industrialist", "culture"])
def test_a_style_plays_the_first_rounds(style: str) -> None:
    planned, greedy = make(f"{QUICK},opening={style}"), make(style)
    playing = Playing(Config(players=2), [greedy], np.zeros((4, 2), int), range(4))
    rounds, others = set(), 0
    while not playing.over.any():
        same = asked(playing, planned) == asked(playing, greedy)
        opens = (playing.states["round_no"] <= OPENING) & (playing.states["ask"] != Ask.DIFFICULTY)
        assert same[opens].all()
        rounds |= set(playing.states["round_no"][opens].tolist())
        others += int((~same[~opens]).sum())
        playing.step()
    assert rounds == set(range(OPENING + 1)) and others


@pytest.mark.parametrize("difficulty", [6, 12, 18])
def test_it_chooses_the_promise_it_is_told(difficulty: int) -> None:
    playing = Playing(
        Config(players=2), [make(f"{QUICK},difficulty={difficulty}")], np.zeros((4, 2), int), range(4)
    )
    while (playing.states["borough"]["promise"][:, :2] == 0).any():
        playing.step()
    held = playing.states["borough"]["promise"][:, :2]
    assert {BY_NUMBER[number].worth for number in held.ravel().tolist()} == {difficulty}


def test_without_a_plan_the_search_is_as_it_was() -> None:
    playing = Playing(Config(players=2), [make(QUICK)], np.zeros((3, 2), int), range(3))
    agent, states = make(QUICK), playing.states
    assert agent.name == QUICK
    legal, seats = batch.masks(states), states["seat"].astype(np.int64)
    assert (asked(playing, agent) == agent.search(states, seats, legal, streams(np.arange(3))).actions).all()


@pytest.mark.parametrize(
    "wrong, allowed", [("opening=dragon", "choose from tuned"), ("difficulty=7", "choose from 6, 12, 18")]
)
def test_unknown_plans_are_refused(wrong: str, allowed: str) -> None:
    with pytest.raises(AgentError, match=allowed):
        make(f"search:{wrong}")
