"""Opponents: names, agents and functions; mixed by game; replaced while games go on."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_env import ConfigError, IllegalAction, batch
from smallcity_env.arguments import ArgumentError
from smallcity_env.envs.gymnasium import SmallCity
from smallcity_env.envs.opponents import Mix
from smallcity_env.envs.sb3 import SmallCitySB3
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import layout, rng

from .interpreter import ROOT
from .test_vector import history


def first_legal(seen: Any, masks: Any) -> Any:
    """What the agent `first` does, as a function of observations and masks."""
    return masks.argmax(axis=1)


def played(games: SmallCityVec, steps: int = 120, seed: int | None = 4) -> list[bytes]:
    """Everything seen in random play."""
    chance = rng.streams(np.arange(games.num_envs))
    seen, _ = games.reset(seed=seed)
    shown = []
    for _ in range(steps):
        seen, rewards, over, _, _ = games.step(batch.pick(games.action_masks(), chance))
        shown.append(seen.tobytes() + rewards.tobytes() + over.tobytes())
    return shown


@pytest.mark.parametrize("players", [2, 3])
def test_a_name_an_agent_and_a_function_play_alike(players: int) -> None:
    by_name, *others = (
        played(SmallCityVec(5, players=players, opponents=given))
        for given in ("first", make("first"), first_legal, ["first"], [first_legal], Mix("first"))
    )
    assert all(other == by_name for other in others)
    assert by_name != played(SmallCityVec(5, players=players, opponents="random"))


@pytest.mark.parametrize("observation", ["compact", "planes"])
@pytest.mark.parametrize("key", [None, "observation"])
def test_a_function_gets_the_observations_of_its_seats(observation: Any, key: str | None) -> None:
    got = []

    def watching(seen: Any, masks: Any) -> Any:
        shown = seen if key is None else seen[key]
        assert key is None or np.array_equal(seen["action_mask"], masks)
        vector = shown if observation == "compact" else shown["vector"]
        assert observation == "compact" or shown["planes"].shape == (len(masks), 210, 10, 10)
        got.append((vector.copy(), masks.copy()))
        return masks.argmax(axis=1)

    games = SmallCityVec(3, players=3, opponents=watching, observation=observation, observation_key=key)
    games.reset(seed=1)
    before = len(got)
    for _ in range(30):
        games.step(games.action_masks().argmax(axis=1))
    assert len(got) > before > 0
    assert all(masks.any(axis=1).all() and masks.dtype == np.bool_ for _, masks in got)
    at = layout.OFFSETS["asked"]  # one-hot from the viewer, who is the seat that is asked
    assert at == layout.TABLE_OFFSETS["asked"] and all((vector[:, at] == 1).all() for vector, _ in got)


def test_the_learners_seat_turns_or_is_fixed() -> None:
    games = SmallCityVec(6, players=3, opponents="random")
    _, infos = games.reset(seed=1)
    assert infos["seat"].tolist() == [0, 1, 2, 0, 1, 2]
    _, infos = games.reset()
    assert infos["seat"].tolist() == [1, 2, 0, 1, 2, 0]
    _, infos = SmallCityVec(2, players=3, opponents="random", seat=2).reset()
    assert infos["seat"].tolist() == [2, 2]


@pytest.mark.parametrize("seat", range(3))
def test_an_opponent_for_each_seat_clockwise(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    games = SmallCityVec(2, players=3, opponents="first,random", seat=seat)
    assert games.opponents is not None and games.opponents.names == ["first", "random"]
    asked: dict[int, set[str]] = {}

    def noting(agent: Any) -> Any:
        def act(states: Any, seats: Any, *rest: Any, act: Any = agent.act) -> Any:
            for seat in seats.tolist():
                asked.setdefault(seat, set()).add(agent.name)
            return act(states, seats, *rest)

        return act

    for agent in games.opponents.lines[0]:
        monkeypatch.setattr(agent, "act", noting(agent))
    assert len(history(games, 60)) == 61
    assert asked == {(seat + 1) % 3: {"first"}, (seat + 2) % 3: {"random"}}


def test_a_mix_is_drawn_by_game_and_reproduced() -> None:
    mix = Mix("first", "random", shares=(1, 3))
    games = SmallCityVec(64, players=2, opponents=mix, rounds=1, autoreset_mode="SameStep")
    games.reset(seed=1)
    assert games.opponents is not None
    first = games.opponents._chosen.copy()
    assert 4 < (first == 0).sum() < 30
    games.reset(seed=1)
    assert np.array_equal(games.opponents._chosen, first)
    chance = rng.streams(np.arange(64))
    for _ in range(60):
        games.step(batch.pick(games.action_masks(), chance))
    assert (games.opponents._chosen != first).any()
    small = SmallCityVec(4, players=2, opponents=mix)
    assert played(small) == played(
        SmallCityVec(4, players=2, opponents=Mix("first", "random", shares=(1, 3)))
    )


def test_a_row_of_a_mix_plays_as_its_opponent_alone_does() -> None:
    mixed = SmallCityVec(8, players=2, opponents=Mix("first", "greedy"), seat=0)
    alone = {name: SmallCityVec(8, players=2, opponents=name, seat=0) for name in ("first", "greedy")}
    for games in (mixed, *alone.values()):
        games.reset(seed=3)
    assert mixed.opponents is not None and len(set(mixed.opponents._chosen.tolist())) == 2
    for _ in range(25):
        chosen = mixed.action_masks().argmax(axis=1)
        seen = mixed.step(chosen)[0]
        for k, games in enumerate(alone.values()):
            here = mixed.opponents._chosen == k
            answers = np.where(here, chosen, games.action_masks().argmax(axis=1))
            assert np.array_equal(games.step(answers)[0][here], seen[here])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_a_copy_goes_on_with_the_same_opponents(copied: Any) -> None:
    games = SmallCityVec(
        6, players=3, opponents=Mix("first", first_legal, ["random", make("first")]), rounds=2
    )
    games.reset(seed=1)
    for _ in range(10):
        games.step(games.action_masks().argmax(axis=1))
    twin = copied(games)
    for _ in range(60):  # over the ends of games
        chosen = games.action_masks().argmax(axis=1)
        assert np.array_equal(games.step(chosen)[0], twin.step(chosen)[0])


def test_opponents_are_replaced_while_games_go_on() -> None:
    games, other = (SmallCityVec(4, players=2, opponents="random", seat=0) for _ in range(2))
    for one in (games, other):
        one.reset(seed=1)
        one.step(one.action_masks().argmax(axis=1))
    before = batch.clone(games._states)
    games.set_opponents(first_legal)
    assert games._states.tobytes() == before.tobytes()
    other.set_opponents("first")
    differs = False
    unchanged = SmallCityVec(4, players=2, opponents="random", seat=0)
    unchanged.reset(seed=1)
    unchanged.step(unchanged.action_masks().argmax(axis=1))
    for _ in range(40):
        chosen = games.action_masks().argmax(axis=1)
        assert np.array_equal(games.step(chosen)[0], other.step(chosen)[0])
        unchanged.step(unchanged.action_masks().argmax(axis=1))
        differs |= unchanged._states.tobytes() != games._states.tobytes()
    assert differs


def test_every_environment_with_opponents_takes_others() -> None:
    for env in (SmallCity(opponents="random"), SmallCitySB3(2, opponents="random")):
        env.set_opponents(Mix(first_legal, "greedy"))
        assert env.games.opponents is not None and env.games.opponents.names == ["first_legal", "greedy"]
    games = SmallCitySB3(2, opponents="random")
    assert games.env_method("set_opponents", "first") == [None, None]
    assert games.games.opponents is not None and games.games.opponents.names == ["first"]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (7, "opponents must be names of agents, agents or functions, not 7"),
        (["random", 7], "opponents must be names of agents, agents or functions, not 7"),
        ([], "2 players need 1 opponent for all other seats or 1 of them, not 0"),
    ],
)
def test_what_cannot_play_is_refused_in_one_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        SmallCityVec(2, players=2, opponents=given)


@pytest.mark.parametrize("shares", [(1,), (-1, 2), (0, 0), (1, float("nan"))])
def test_shares_that_are_none_are_refused(shares: Any) -> None:
    with pytest.raises(
        ConfigError, match="a Mix needs opponents, and if it has shares one of at least 0 for"
    ):
        Mix("first", "random", shares=shares)


def test_answers_that_are_none_are_refused_in_one_sentence() -> None:
    with pytest.raises(ConfigError, match="every seat learns here"):
        SmallCityVec(2).set_opponents("random")
    with pytest.raises(IllegalAction, match="does not answer"):
        SmallCityVec(2, opponents=lambda seen, masks: masks.argmin(axis=1)).reset(seed=1)
    with pytest.raises(ArgumentError, match=r"games need \d whole numbers as actions, not None"):
        SmallCityVec(2, opponents=lambda seen, masks: None).reset(seed=1)


def test_the_self_play_of_the_guide_is_ten_lines() -> None:
    page = (ROOT / "docs" / "trainers.md").read_text()
    block = page.partition("## Self-play")[2].partition("```python\n")[2].partition("```")[0]
    assert "set_opponents" in block and len(block.strip().splitlines()) <= 10
