"""Standings of made-up results whose answers are known."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from smallcity_agents.arena import chart, report
from smallcity_agents.arena.results import Result, game_of
from smallcity_agents.arena.standings import duels, head_to_head, interval, ratings, standings, wilson
from smallcity_agents.commands.arena import show
from smallcity_env import Config
from smallcity_env.show import Ink


def result(seed: int, places: dict[str, int], scores: list[int] | None = None, out: int = 0) -> Result:
    n = len(places)
    return Result(
        game=game_of(Config(n)),
        seed=seed,
        agents=[name.rstrip("'") for name in places],
        scores=scores or [10 - place for place in places.values()],
        places=list(places.values()),
        out=[out] * n,
        rounds=8,
        promises=[[1, 0, 0, 0]] * n,
        decisions=[10] * n,
        seconds=[0.5] * n,
        stats={},
    )


PAIRED = [
    result(0, {"a": 0, "b": 1}),
    result(0, {"b": 1, "a": 0}),
    result(1, {"a": 0, "b": 0}),
    result(1, {"b": 0, "a": 1}),
]


def test_wins_scores_and_places() -> None:
    first, second = standings(PAIRED)
    assert (first.agent, first.games, first.wins, first.share) == ("a", 4, 2.5, 0.625)
    assert (second.agent, second.wins) == ("b", 1.5)
    assert (first.score, first.place) == (9.75, 1.25)
    assert first.seconds == 0.05 and first.out == 0


def test_means_have_intervals_clustered_by_seed() -> None:
    score, place = standings(PAIRED)[0].errors  # a: 10, 10 on one seed, 10, 9 on the other
    assert score == pytest.approx(1.959964 * math.sqrt(2 * (0.5**2 + 0.5**2)) / 4)
    assert place == pytest.approx(score)
    independent = [result(seed, {"a": 0}, [value]) for seed, value in enumerate([1, 2, 3, 6])]
    deviation = np.std([1, 2, 3, 6], ddof=1)
    assert standings(independent)[0].errors[0] == pytest.approx(1.959964 * deviation / 2)
    assert chart.cells(standings(PAIRED)[0])[4] == "9.8 ± 0.5"
    alone = standings(PAIRED[:2])
    assert math.isnan(alone[0].errors[0]) and "±" not in chart.cells(alone[0])[4]


def test_head_to_head_counts_ties_half() -> None:
    shares = head_to_head(PAIRED, ["a", "b"])
    assert np.isnan(shares[[0, 1], [0, 1]]).all()
    assert (shares[0, 1], shares[1, 0]) == (0.625, 0.375)


def test_those_who_never_met_have_no_share() -> None:
    shares = head_to_head([*PAIRED, result(3, {"c": 0, "a": 1})], ["a", "b", "c"])
    assert math.isnan(shares[1, 2]) and shares[2, 0] == 1


def test_one_agent_in_two_seats_counts_twice_and_not_against_itself() -> None:
    rows = standings([result(0, {"a": 0, "a'": 1, "b": 2})])
    assert [(row.agent, row.games, row.share) for row in rows] == [("a", 2, 0.5), ("b", 1, 0.0)]
    assert head_to_head([result(0, {"a": 0, "b": 1, "a'": 2})], ["a", "b"])[0, 1] == 0.5


def test_alone_those_with_the_same_seed_are_compared() -> None:
    games = [result(seed, {who: 0}, [score]) for seed, who, score in
             [(0, "a", 5), (0, "b", 3), (1, "a", 4), (1, "b", 4)]]  # fmt: skip
    games += [result(2, {"a": 0}, [50], out=6), result(2, {"b": 0}, [-9])]
    rows = {row.agent: row for row in standings(games)}
    assert (rows["a"].wins, rows["b"].wins) == (1.5, 1.5)
    assert head_to_head(games, ["a", "b"])[0, 1] == 0.5


def test_the_interval_of_independent_games_is_wilsons() -> None:
    wins = np.array([1.0] * 30 + [0.0] * 70)
    low, high = interval(wins, np.ones(100))
    exact = wilson(0.3, 99)
    assert (low, high) == pytest.approx(exact)
    assert (low, high) == pytest.approx((0.219, 0.396), abs=0.002)


def test_the_interval_of_two_seeds_is_that_of_the_formula() -> None:
    share, scatter = 2.5 / 4, (0.75**2 + 0.75**2) / 4**2
    games = share * (1 - share) / (2 * scatter)  # with the variance of two seeds
    assert 1 < games < 2
    assert standings(PAIRED)[0].interval == pytest.approx(wilson(share, games))
    assert interval([2.0, 0.5], [2.0, 2.0]) == pytest.approx(wilson(share, games))


def test_the_interval_of_one_seed_is_that_of_one_game() -> None:
    assert interval([1.0], [2.0]) == pytest.approx(wilson(0.5, 1))


def test_perfectly_correlated_games_on_a_seed_count_once() -> None:
    """Two copies of each game carry no more information than one."""
    wins = np.array([1.0] * 30 + [0.0] * 70)
    twice = interval(2 * wins, np.full(100, 2.0))
    assert twice == pytest.approx(interval(wins, np.ones(100)))


def test_the_effective_number_of_games_is_at_most_the_games_played() -> None:
    """On every seed one of the two seats won: no scatter at all, but the interval stays honest."""
    low, high = interval(np.ones(50), np.full(50, 2.0))
    assert (low, high) == pytest.approx(wilson(0.5, 100))
    assert interval([3.0], [3.0]) == pytest.approx(wilson(1.0, 1))


def test_wilson_at_the_ends() -> None:
    assert wilson(0.0, 10)[0] == 0 and wilson(1.0, 10)[1] == pytest.approx(1)
    assert wilson(0.0, 10)[1] == pytest.approx(0.2775, abs=0.001)


def test_ratings_follow_places_and_their_sigma_shrinks() -> None:
    few, many = (ratings(duels([result(k, {"a": 0, "b": 1, "c": 2}) for k in range(n)])) for n in (2, 40))
    assert few and many
    assert many["a"][0] > many["b"][0] > many["c"][0]
    assert all(many[agent][1] < few[agent][1] for agent in "abc")


def test_two_agents_are_rated() -> None:
    rated = ratings(duels(PAIRED))
    assert rated and rated["a"][0] > rated["b"][0]


def test_eliminations_in_any_round_and_single_decisions_count() -> None:
    game = replace(result(0, {"a": 0, "b": 1}), out=[1, 0], decisions=[1, 0], seconds=[0.5, 0.25])
    rows = {row.agent: row for row in standings([game])}
    assert (rows["a"].out, rows["b"].out) == (1, 0)
    assert (rows["a"].seconds, rows["b"].seconds) == (0.5, 0.25)


def test_solo_games_of_different_set_ups_are_no_duel() -> None:
    plain, monsters = (game_of(Config(1, modules)) for modules in ((), ("godzillas",)))
    games = [replace(result(0, {who: 0}), game=game) for who, game in (("a", plain), ("b", monsters))]
    assert [duel.agents for duel in duels(games)] == [["a"], ["b"]]


def test_without_openskill_the_standings_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openskill.models", None)
    assert all(row.rating is None for row in standings(PAIRED))
    show(PAIRED, tmp_path / "picture.png", Ink())
    assert "openskill" in capsys.readouterr().out


def test_standings_and_matrix_as_text() -> None:
    table, matrix = report.leaders(PAIRED, standings(PAIRED))
    _, head, first, *_ = report.text_lines(table, 120, Ink())
    assert " ".join(head.split()) == "agent games wins 95 % score rank rating ordinal out ms/decision"
    assert first.split()[:3] == ["a", "4", "62.5%"] and first.endswith("50.00")
    assert [line.split() for line in report.text_lines(matrix, 120, Ink())[1:-1]] == [
        ["a", "b"], ["a", "62%"], ["b", "38%"],
    ]  # fmt: skip
    assert len(list(report.leaders(PAIRED, standings(PAIRED)[:1]))) == 1


def test_no_title_of_the_picture_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(chart.files, "write_figure", lambda path, figure, dpi: drawn.append(figure))
    agents = ["search:sims=64,leaf_value=runs/mine/checkpoints/value-004.npz", "greedy", "random"]
    results = [result(seed, dict(zip(agents, range(3), strict=True))) for seed in range(4)]
    assert chart.draw(results, standings(results), tmp_path / "picture.png")
    (figure,) = drawn
    figure.draw_without_rendering()
    for axes in figure.axes:
        words = [axes.title, axes.xaxis.label, axes.yaxis.label]
        boxes = [word.get_window_extent() for word in words if word.get_text()]
        assert all(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1 for box in boxes)
        assert all(figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1 for box in boxes)
