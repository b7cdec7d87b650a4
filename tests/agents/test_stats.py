"""Statistics of an arena: arrays that agree with the results, and readable tables."""

from pathlib import Path

import numpy as np
import pytest

from smallcity_agents.arena import report, runner, stats
from smallcity_agents.arena.game_stats import Source
from smallcity_agents.arena.results import Result, read
from smallcity_env import Config
from smallcity_env.cli import main
from smallcity_env.show import Ink


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
    assert len(seats) == 3 * len(results) and seats.agents == ["random", "first"]
    assert seats.agent.tolist() == [name for result in results for name in result.agents]
    assert seats.score.tolist() == [score for result in results for score in result.scores]
    assert len(seats.of("first")) == (seats.agent == "first").sum()
    assert (seats.of("first").agent == "first").all()


def test_votes_by_source_sum_to_the_final_votes(seats: stats.Seats) -> None:
    in_game = seats.out == 0
    assert (seats.sources.sum(axis=(1, 2))[in_game] == seats.votes[in_game, 8]).all()
    means = stats.by_agent(seats.sources, seats)
    assert means.shape == (len(Source), 2)
    assert means[:, 1].sum() == pytest.approx(seats.of("first").sources.sum(axis=(1, 2)).mean())


def test_unplayed_rounds_do_not_count(seats: stats.Seats) -> None:
    assert np.isnan(seats.votes[:, 9]).all() and not seats.played[:, 9].any()
    cards = stats.by_round(stats.one_hot(seats.cards, 11), seats)
    assert cards[1:, 1:9].sum(axis=0) == pytest.approx(np.ones(8))


def test_every_seat_holds_one_promise(seats: stats.Seats) -> None:
    kept = stats.promises(seats)
    assert sum(one.held for one in kept) == len(seats)
    assert sum(one.kept for one in kept) == seats.promises[:, 1].sum()
    assert all(0 <= one.kept <= one.held for one in kept)


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


def test_the_command_prints_draws_and_writes(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = run(capsys, "stats", str(path), "--png", str(tmp_path / "rounds.png"))
    assert out.startswith("3 players, godzillas, on base-easy: 24 games on 4 seeds")
    assert (tmp_path / "rounds.png").read_bytes().startswith(b"\x89PNG")
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
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith(f"smallcity: {sentence}") and said.err.count("\n") == 1
