"""Statistics of an arena: arrays that agree with the results, and readable tables."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from smallcity_agents.arena import report, runner, stats
from smallcity_agents.arena.game_stats import ROUNDS, TRACKS, GameStats, VoteSource
from smallcity_agents.arena.results import Result, pack, read
from smallcity_env import Config
from smallcity_env.cli import main
from smallcity_env.show import Ink
from tests.faults.results import entry


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("runs") / "arena.jsonl"
    runner.run(Config(3), ["random", "first"], games=24, path=file)
    return file


@pytest.fixture(scope="module")
def results(path: Path) -> list[Result]:
    return read(path)


@pytest.fixture(scope="module")
def seats(path: Path) -> stats.Seats:
    return stats.load(path)


def test_a_row_for_every_seat(seats: stats.Seats, results: list[Result]) -> None:
    assert len(seats) == 3 * len(results) and set(seats.agents) == {"random", "first"}
    assert seats.agent.tolist() == [name for result in results for name in result.agents]
    assert seats.score.tolist() == [score for result in results for score in result.scores]
    assert len(seats.of("first")) == (seats.agent == "first").sum()
    assert (seats.of("first").agent == "first").all()


def test_votes_by_source_sum_to_the_final_votes(seats: stats.Seats) -> None:
    in_game = seats.out == 0
    assert (seats.sources.sum(axis=(1, 2))[in_game] == seats.votes[in_game, 8]).all()
    means = stats.by_agent(seats.sources, seats)
    assert means.shape == (len(VoteSource), 2)
    by_first = means[:, seats.agents.index("first")]
    assert by_first.sum() == pytest.approx(seats.of("first").sources.sum(axis=(1, 2)).mean())


def test_unplayed_rounds_do_not_count(seats: stats.Seats) -> None:
    assert np.isnan(seats.votes[:, 9]).all() and not seats.played[:, 9].any()
    cards = stats.by_round(stats.one_hot(seats.cards, 11), seats)
    assert cards[1:, 1:9].sum(axis=0) == pytest.approx(np.ones(8))


def test_every_seat_holds_one_promise(seats: stats.Seats) -> None:
    kept = stats.promises(seats)
    assert sum(one.held for one in kept) == len(seats)
    assert sum(one.kept for one in kept) == seats.promises[:, 1].sum()
    assert all(0 <= one.kept <= one.held for one in kept)


# -- made-up results, whose answers are known


def made_up() -> stats.Seats:
    """Two games of two: b is out in round 1 of the first, whose last round is 8; the second ends in 3."""
    books = GameStats.blank(2)
    books.tracks[0, TRACKS.index("votes"), 0, 1:9] = range(10, 18)
    books.tracks[1, TRACKS.index("votes"), 1, 3] = 5
    books.cards[:, :2, 1] = [[2, 3], [3, 2]]
    books.built[0, 0, 1, 7], books.built[1, 1, 3, 7] = 2, 1
    parts = [
        {"seed": 3, "agents": ["a", "b"], "scores": [30, -2], "out": [0, 1],
         "promises": [[3, 1, 40, 1], [5, 1, 0, 0]]},
        {"seed": 4, "agents": ["b", "a"], "scores": [9, 9], "places": [0, 0], "out": [0, 0], "rounds": 3,
         "promises": [[5, 0, 0, 0], [6, 0, 0, 0]]},
    ]  # fmt: skip
    lines = [entry(**part, books=pack(books, k)) for k, part in enumerate(parts)]
    return stats.seats([msgspec.convert(line, Result) for line in lines])


def test_columns_of_seats_belong_together() -> None:
    seats = made_up()
    assert seats.agent.tolist() == ["a", "b", "b", "a"] and seats.seed.tolist() == [3, 3, 4, 4]
    assert seats.seat.tolist() == [0, 1, 0, 1] and seats.score.tolist() == [30, -2, 9, 9]
    assert seats.place.tolist() == [0, 1, 0, 0] and seats.out.tolist() == [0, 1, 0, 0]
    assert seats.played.sum(axis=1).tolist() == [9, 2, 4, 4] and seats.played[:, 0].all()
    assert seats.votes[0, 1:9].tolist() == list(range(10, 18)) and seats.votes[3, 3] == 5
    assert np.isnan(seats.votes[1, 2:]).all() and not np.isnan(seats.votes[1, :2]).any()
    assert seats.built[0, 1, 7] == 2 and seats.built[3, 3, 7] == 1 and seats.built.sum() == 3


def test_means_by_agent_are_per_game_and_means_by_round_per_seat_that_played() -> None:
    seats = made_up()
    assert stats.by_agent(seats.built, seats)[7].tolist() == [1.5, 0.0]
    rounds = stats.by_round(seats.built, seats)[7]
    assert rounds[1] == 2 / 4 and rounds[3] == 1 / 3 and rounds[9] == 0
    late = stats.by_round(np.ones_like(seats.built), seats)[7]
    assert late[:10].tolist() == [1] * 9 + [0]


def test_values_as_counts() -> None:
    counts = stats.one_hot(made_up().cards, 11)
    assert counts.shape == (4, ROUNDS, 11) and (counts.sum(axis=2) == 1).all()
    assert counts[:, 1].argmax(axis=1).tolist() == [2, 3, 3, 2]


def test_promises_count_ordinary_and_special_ones_by_number() -> None:
    kept = [(one.number, one.held, one.kept) for one in stats.promises(made_up())]
    assert kept == [(3, 1, 1), (5, 2, 1), (6, 1, 0), (40, 1, 1)]


@pytest.mark.parametrize("by", report.BY)
def test_every_table_is_rectangular_and_fits_the_terminal(results: list[Result], by: str) -> None:
    titles = []
    for table in report.tables(results, by):
        assert {len(row) for row in table.rows} == {len(table.heads)}
        assert max(map(len, report.text_lines(table, 120, Ink()))) <= 120
        titles.append(table.title.split(",")[0])
    assert titles[0] == "standings" and "promises kept" in titles and "where votes come from" in titles
    assert "spaces ruined by godzillas" in titles and "losses" in titles


def test_bars_are_proportional_to_their_numbers() -> None:
    values = np.array([[4.0], [1.0], [-2.0]])
    table = report.Table("t", ["", "x"], [["a", "4"], ["b", "1"], ["c", "-2"]], values)
    cells = [row[1] for row in report.with_bars(table).rows]
    assert [cell.split()[1] for cell in cells] == ["████████", "██", "░░░░"]


def test_only_some_agents(results: list[Result]) -> None:
    votes = report.tables(results, "agent", ["first"])[2]
    assert [row[0] for row in votes.rows] == ["first"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


def test_the_command_prints_and_writes(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = run(capsys, "stats", str(path))
    assert out.startswith("3 players, godzillas, on base-easy: 24 games on 4 seeds")
    page = tmp_path / "docs" / "leaderboard.md"
    assert str(page) in run(capsys, "stats", str(path), "--markdown", str(page))
    text = page.read_text()
    assert text.startswith("# Leaderboard") and "| random |" in text and "### Promises kept" in text
    assert "first" in run(capsys, "stats", str(path), "--by", "round", "--agents", "first")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("stats nowhere.jsonl", "the results nowhere.jsonl cannot be read: no such file or directory"),
        ("stats {path} --agents chess", "'chess' has played no game here: choose from first, random"),
        ("stats {path} --by seat", "argument --by: invalid choice: 'seat'"),
        ("stats {empty}", "there are no games in"),
    ],
)
def test_bad_arguments_are_refused(
    words: str, sentence: str, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").touch()
    assert main(words.format(path=path, empty=tmp_path / "empty").split()) == 2
    output = capsys.readouterr()
    assert (
        output.out == "" and output.err.startswith(f"smallcity: {sentence}") and output.err.count("\n") == 1
    )
