"""Timed searches decide early: less time for few candidates, clearly worse candidates are dropped."""

from types import SimpleNamespace

import numpy as np
import pytest

from smallcity_agents.search import root as root_module
from smallcity_agents.search import stopping
from smallcity_agents.search.agent import Search, top
from smallcity_agents.search.root import Root
from smallcity_agents.search.stopping import FEWEST, Chunks
from smallcity_env import Config
from smallcity_env.rules.rng import streams
from tests.agents.test_search import asked, positions

TIMES = 8  # simulations of each candidate in a chunk
WIDTH = 12


def chunks(differences: list[float], games: int = 1) -> Chunks:
    """Chunks in which the first and the third of three candidates lead the second by these amounts."""
    added = Chunks()
    for difference in differences:
        means = np.tile([0.5 + difference, 0.5, 0.5 + difference], (games, 1))
        added.add(TIMES * means, np.full(games, TIMES))
    return added


def beaten(differences: list[float]) -> list[bool]:
    lead = float(np.mean(differences))
    means = np.array([[0.5 + lead, 0.5, 0.5 + lead]])
    return chunks(differences).beaten(means)[0].tolist()


def test_a_lead_in_every_chunk_is_certain() -> None:
    assert beaten([0.1, 0.12] * FEWEST) == [False, True, False]


def test_a_lead_that_varies_more_than_it_is_large_is_not() -> None:
    assert beaten([0.5, -0.4] * FEWEST) == [False, False, False]


def test_few_chunks_are_not_enough() -> None:
    assert beaten([0.1] * (FEWEST - 1)) == [False, False, False]
    assert beaten([0.1] * FEWEST) == [False, True, False]


def test_the_lead_must_be_four_standard_errors() -> None:
    spread, n = 0.1, 100  # leads that alternate around their mean: the standard error is spread / sqrt(n)
    error = spread / np.sqrt(n)
    for factor, certain in ((3.9, False), (4.1, True)):
        leads = [factor * error + spread, factor * error - spread] * (n // 2)
        assert beaten(leads) == [False, certain, False]


def test_a_game_that_was_decided_before_stays_as_it_is() -> None:
    added = chunks([0.1] * FEWEST, games=2)
    for times in added._times:
        times[1] = 0
    for sums in added._sums:
        sums[1] = 0
    means = np.array([[0.6, 0.5, 0.6], [-np.inf, 0.5, -np.inf]])
    assert added.beaten(means)[:, 1].tolist() == [True, False]


class Clock:
    """A clock that shows a second more at every look."""

    def __init__(self) -> None:
        self.looks = 0

    def perf_counter(self) -> float:
        """The time."""
        self.looks += 1
        return float(self.looks)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(root_module, "time", SimpleNamespace(perf_counter=fake.perf_counter))
    return fake


def rooted(candidates: int, seconds: float, bonus: float = 0.0) -> Root:
    """A timed search of a question with at least 12 answers; the first candidate has a bonus."""
    states, legal = next(
        (states, legal)
        for moves in range(100)
        for states, legal in [positions(Config(2), moves, games=1)]
        if legal.sum() >= WIDTH
    )
    answers = np.flatnonzero(legal[0])[:candidates]
    chosen, extra = np.zeros_like(legal), np.zeros(legal.shape)
    chosen[0, answers], extra[0, answers[0]] = True, bonus
    agent = Search(sims=1, seconds=seconds, candidates=WIDTH, playout="none")
    return Root(states, asked(states), streams([1]), chosen, extra, agent)


def test_every_halving_has_the_same_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "CERTAIN", 1e9)  # whatever the value net thinks
    looks = {}
    for candidates in (2, 4, WIDTH):
        clock.looks = 0
        rooted(candidates, seconds=4 * (FEWEST - 2)).best()
        looks[candidates] = clock.looks
    assert looks[WIDTH] <= 4 * (FEWEST - 1)
    assert looks[2] <= looks[WIDTH] / 4 and looks[4] <= looks[WIDTH] / 2


def test_a_clear_decision_does_not_use_up_its_time(clock: Clock) -> None:
    root = rooted(2, seconds=400, bonus=100.0)
    best = root.best()
    assert root.candidates.sum() == 1 and root.candidates[0, best[0]]
    assert clock.looks <= FEWEST + 2


def test_undecided_games_share_the_time_of_a_batch(clock: Clock) -> None:
    looks = {}
    for games in (1, 2):
        states, legal = positions(Config(2), 12, games=games)
        candidates, nothing = top(np.zeros(legal.shape), legal, 2), np.zeros(legal.shape)
        agent = Search(sims=1, seconds=8.0, candidates=2, playout="none")
        root = Root(states, asked(states), streams(np.arange(games)), candidates, nothing, agent)
        root.simulate = lambda times: None  # type: ignore[method-assign]
        clock.looks = 0
        root.best()
        looks[games] = clock.looks - 1  # the first look is the start
    assert looks == {1: 8, 2: 16}


def test_a_decision_without_a_leader_uses_its_time(clock: Clock) -> None:
    root = rooted(2, seconds=120)
    root.simulate = lambda times: None  # type: ignore[method-assign]
    root.best()
    assert clock.looks >= 30
