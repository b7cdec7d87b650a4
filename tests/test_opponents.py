"""Opponents of a learner: who sits where."""

from typing import Any

import pytest

from smallcity_agents import Agent
from smallcity_env.envs.vector import SmallCityVec
from tests.test_vector import history


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

    def noting(agent: Agent) -> Any:
        def act(states: Any, seats: Any, *rest: Any, act: Any = agent.act) -> Any:
            for seat in seats.tolist():
                asked.setdefault(seat, set()).add(agent.name)
            return act(states, seats, *rest)

        return act

    for agent in games.opponents.agents:
        monkeypatch.setattr(agent, "act", noting(agent))
    assert len(history(games, 60)) == 61
    assert asked == {(seat + 1) % 3: {"first"}, (seat + 2) % 3: {"random"}}
