"""The value of choices, in made-up games whose answers are known."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from smallcity_agents import make
from smallcity_agents.arena import balance, playing, runner, stats
from smallcity_agents.arena.balance import (
    DANGER,
    SeatResults,
    choice,
    one_more,
    overview,
    side_by_side,
    tables,
)
from smallcity_agents.arena.game_stats import TRACKS, GameStats
from smallcity_agents.arena.report import Table
from smallcity_agents.arena.results import Result, game_of, pack, read
from smallcity_agents.arena.standings import interval
from smallcity_env import Config
from smallcity_env.cli import main
from smallcity_env.rules.tables import START_MONEY, Card
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.terminal import Refused
from tests.faults.results import line

Z = 1.959964
POLLUTION = TRACKS.index("pollution")


def game(seed: int, scores: list[int], counts: GameStats | None = None, **changed: Any) -> Result:
    """A game with these scores; promise 1 (Clean Air, 6) is kept by all."""
    n = len(scores)
    result = Result(
        game=game_of(Config(n)),
        seed=seed,
        agents=["a"] * n,
        scores=scores,
        places=[sum(other > score for other in scores) for score in scores],
        out=[0] * n,
        rounds=8,
        promises=[[1, 1, 0, 0]] * n,
        decisions=[1] * n,
        seconds=[0.0] * n,
        stats=pack(counts or GameStats.blank(1), 0),
        turns=list(range(n)),
        council=[[0, 0, 0, 0]] * n,
    )
    return replace(result, **changed)


def named(all_tables: list[Table], title: str) -> dict[str, dict[str, str]]:
    """The cells of the table of this title, by row and head."""
    (table,) = [table for table in all_tables if table.title == title]
    return {row[0].strip(): dict(zip(table.heads, row, strict=True)) for row in table.rows}


def test_a_lead_is_over_the_mean_of_the_table_and_a_shared_win_counts_in_part() -> None:
    outcome = SeatResults.of([game(0, [10, 40, 40, 30]), game(1, [5, 1])])
    assert outcome.lead.tolist() == [-20, 10, 10, 0, 2, -2]
    assert outcome.win.tolist() == [0, 0.5, 0.5, 0, 1, 0]
    assert outcome.game.tolist() == [0] * 4 + [1] * 2 and outcome.seed.tolist() == [0] * 4 + [1] * 2
    result = choice(np.array([0, 3, 0, 1, 1, 1]), outcome)
    assert (result.times, result.share) == (1, pytest.approx(4 / 6))
    assert result.lead == (10 + 0 + 2 - 2) / 4 and result.first == (0.5 + 0 + 1 + 0) / 4


def test_intervals_of_leads_are_clustered_by_seed() -> None:
    scores = [3, 8, -2, 5, 0, 9, 4, 4, 1, 6, 7, 2]
    once = [game(seed, [score, 0]) for seed, score in enumerate(scores)]
    had = np.tile([1, 0], len(scores))
    single = choice(had, SeatResults.of(once))
    assert single.lead_error == pytest.approx(Z * np.std(np.array(scores) / 2, ddof=1) / math.sqrt(12))
    twice = choice(np.tile(had, 2), SeatResults.of(once + once))
    assert (twice.lead, twice.lead_error) == pytest.approx((single.lead, single.lead_error))
    wins = [1.0 if score > 0 else 0.5 * (score == 0) for score in scores]
    assert twice.interval == interval(2 * np.array(wins), [2] * 12)


def test_one_more_is_the_difference_within_a_table() -> None:
    gains = np.array([3, 8, -2, 5, 0, 9, 4, 4, 1, 6, 7, 2])
    games = [game(seed, [100 * seed + g, 100 * seed], turns=None) for seed, g in enumerate(gains.tolist())]
    counts = np.array([[seed + 1, seed] for seed in range(len(games))]).ravel()  # rich tables build more
    slope, error = one_more(counts, SeatResults.of(games))
    assert slope == pytest.approx(gains.mean())
    assert error == pytest.approx(Z * gains.std(ddof=1) / math.sqrt(len(gains)))


def test_one_more_takes_out_what_the_turn_order_explains() -> None:
    rng = np.random.default_rng(0)
    counts, turns = rng.integers(0, 4, (20, 4)), rng.permuted(np.tile(np.arange(4), (20, 1)), axis=1)
    counts += turns  # who is late has more
    scores = 7 * counts + np.array([0, 30, -10, 5])[turns] + rng.integers(0, 50, (20, 1))
    games = [game(seed, scores[seed].tolist(), turns=turns[seed].tolist()) for seed in range(20)]
    assert one_more(counts.ravel(), SeatResults.of(games)) == (pytest.approx(7), pytest.approx(0, abs=1e-9))
    blind = [replace(one, turns=None) for one in games]
    assert one_more(counts.ravel(), SeatResults.of(blind))[0] != pytest.approx(7, abs=0.1)


def test_few_seeds_give_no_interval_and_equal_counts_no_difference() -> None:
    outcome = SeatResults.of([game(seed, [seed, 0]) for seed in range(12)])
    few = np.zeros(24, np.int64)
    few[: 2 * (balance.LEAST - 1) : 2] = 1  # one seat of nine tables
    result = choice(few, outcome)
    assert result.lead == 2 and math.isnan(result.lead_error) and math.isnan(result.more_error)
    assert not math.isnan(result.more)
    everybody = choice(np.ones(24, np.int64), outcome)
    assert everybody.lead == 0 and math.isnan(everybody.more) and everybody.first == 0.5
    assert choice(np.zeros(24, np.int64), outcome).cells() == ["0.00", "0%", "-", "-", "-", "-"]


def test_cards_and_tiles_are_counted_by_seat() -> None:
    counts = GameStats.blank(1)
    counts.cards[0, 0, 1:4] = Card.MAYOR
    counts.cards[0, 1, 1] = Card.SUPPORTER
    counts.built[0, :2, 0, Kind.CITY_HALL] = 1  # set up
    counts.built[0, 0, 0, Kind.SCHOOL] = 1  # printed
    counts.built[0, 1, 3, Kind.SCHOOL] = 1
    counts.built[0, 1, 4, Kind.BANK] = 1
    all_tables = tables([game(0, [10, 2], counts)])
    cards, tiles = named(all_tables, "action cards taken"), named(all_tables, "tiles built and upgraded to")
    assert (cards["mayor"]["times a seat"], cards["mayor"]["seats"], cards["mayor"]["lead"]) == (
        "1.50",
        "50%",
        "+4.0",
    )
    assert cards["supporter"]["lead"] == "-4.0" and cards["supporter"]["first"] == "0%"
    assert cards["opponent"]["seats"] == "0%" and "artist" not in cards
    assert (tiles["school"]["times a seat"], tiles["school"]["lead"]) == ("0.50", "-4.0")
    assert "bank" in tiles and "opera" not in tiles and "city-hall" not in tiles
    assert tiles["museum"]["times a seat"] == "0.00"


def test_promises_by_difficulty_and_by_card() -> None:
    held = [[7, 1, 17, 0], [1, 0, 17, 1]]
    all_tables = tables(
        [game(0, [10, 2], promises=held), game(1, [0, 4], promises=[[9, 0, 18, 0], [1, 1, 17, 1]])]
    )
    difficulty, cards = named(all_tables, "difficulty of the promise"), named(all_tables, "promises drawn")
    assert (difficulty["difficulty 12"]["kept"], difficulty["difficulty 12"]["lead"]) == ("50%", "+1.0")
    assert (difficulty["difficulty 6"]["kept"], difficulty["difficulty 6"]["lead"]) == ("50%", "-1.0")
    assert difficulty["difficulty 18"]["kept"] == "-"
    assert (cards["7 Industry (12)"]["kept"], cards["7 Industry (12)"]["lead"]) == ("100%", "+4.0")
    assert (cards["17 Ballot 40 (10)"]["kept"], cards["17 Ballot 40 (10)"]["seats"]) == ("67%", "75%")


def test_council_rows_and_turn_order() -> None:
    councils = [[[4, 0, 2, 0], [1, 0, 0, 3]], [[0, 0, 2, 0], [0, 0, 0, 0]]]
    orders = [[0, 1], [1, 0]]
    games = [game(n, [6, 0], council=councils[n], turns=orders[n]) for n in range(2)]
    all_tables = tables(games)
    rows, spaces = (
        named(all_tables, "council rows: final column"),
        named(all_tables, "council spaces where discs ended"),
    )
    assert (rows["finance"]["times a seat"], rows["finance"]["seats"]) == ("1.25", "50%")
    assert rows["construction"]["lead"] == "+3.0" and rows["supplies"]["seats"] == "0%"
    assert spaces["finance 4"]["lead"] == "+3.0" and spaces["finance 1"]["lead"] == "-3.0"
    ended = {name for name, cells in spaces.items() if cells["seats"] != "0%"}
    assert len(spaces) == 16 and ended == {"finance 1", "finance 4", "construction 2", "tourism 3"}
    turns = named(all_tables, "turn order of round 1")
    assert set(turns) == {f"{n + 1}, with ${START_MONEY[n]}" for n in range(2)}
    assert turns[f"1, with ${START_MONEY[0]}"]["lead"] == "+0.0"
    begun = tables([games[0], replace(games[1], scores=[0, 6], places=[1, 0])])
    first = named(begun, "turn order of round 1")[f"1, with ${START_MONEY[0]}"]
    assert (first["lead"], first["one more"], first["first"]) == ("+3.0", "+6.0", "100%")


def test_elimination_and_who_came_near_it() -> None:
    counts = GameStats.blank(1)
    pollution = counts.tracks[0, POLLUTION]
    pollution[0, 1:9] = [10, 20, 30, 40, 50, 60, 70, 74]  # at 74, at most 10 a round
    pollution[1, 1:9] = [10, 20, 30, 40, 50, 60, 70, 75]  # at the last mark
    pollution[2, 1:9] = [0, 30, 40, 50, 60, 70, 72, 74]  # at 74, once 30 in a round
    pollution[3, 1:4] = [30, 70, 101]
    elimination = named(tables([game(0, [4, 3, 2, 1], counts, out=[0, 0, 0, 3])]), "elimination")
    assert [row["seats"] for row in elimination.values()] == ["1 of 4", "1 of 4", "1 of 4"]
    assert [row["share"] for row in elimination.values()] == ["25.0%"] * 3


def test_set_ups_are_compared() -> None:
    two = [game(seed, [10, 4]) for seed in range(2)]
    four = [game(seed, [9, 8, 1, 2], out=[0, 0, 3, 0], promises=[[1, 0, 0, 0]] * 4) for seed in range(2)]
    polluted = GameStats.blank(1)
    polluted.tracks[0, POLLUTION, 1, 1:9] = DANGER
    four[0] = game(0, [9, 8, 1, 2], polluted, out=[0, 0, 3, 0], promises=[[1, 0, 0, 0]] * 4)
    rows = overview({"two": two, "four": four}).rows
    assert rows[0] == ["1: two", "2", "7.0", "6.0", "100%", "0%", "0.0%"]
    assert rows[1] == ["2: four", "2", "5.0", "1.0", "0%", "50%", "25.0%"]
    (compared,) = side_by_side(
        {
            "two": [
                Table("t", ["", "seats", "one more"], [["a", "1%", "+1 ± 2"], ["b", "2%", "+2"]]),
                Table("u", ["", "seats"], [["a", "3%"]]),
            ],
            "four": [Table("t", ["", "seats", "one more"], [["c", "4%", "+3 ± 1"], ["a", "5%", "-1"]])],
        }
    )
    assert compared.title == "t: seats, one more" and compared.heads == ["", "two", "four"]
    assert compared.rows == [["a", "1%, +1 ± 2", "5%"], ["b", "2%", "-"], ["c", "-", "4%, +3 ± 1"]]


# -- on file


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("runs") / "arena.jsonl"
    runner.run(Config(3), ["random"], games=12, path=file)
    return file


def test_an_arena_writes_turn_order_and_council(path: Path) -> None:
    results = read(path)
    turns = np.array([result.turns for result in results])
    money = stats.seats(results).money[:, 0].reshape(turns.shape)
    assert (money == np.array(START_MONEY)[turns]).all()
    seeds = [result.seed for result in results]
    played = playing.play(Config(3), [make("random")], [(0, 0, 0)] * len(seeds), seeds)
    councils = np.array([result.council for result in results])
    assert (councils == played.states["borough"]["council"][:, :3]).all() and councils.any()


def test_files_of_earlier_versions_are_read(path: Path, tmp_path: Path) -> None:
    entries = [json.loads(text) for text in path.read_text().splitlines()]
    old = tmp_path / "old.jsonl"
    old.write_text(
        "".join(
            json.dumps({k: v for k, v in entry.items() if k not in ("turns", "council")}) + "\n"
            for entry in entries
        )
    )
    results = read(old)
    assert [replace(new, turns=None, council=None) for new in read(path)] == results
    titles = [table.title for table in tables(results)]
    assert "action cards taken" in titles and "elimination" in titles
    assert not [title for title in titles if "council" in title or "turn order" in title]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"turns": [0, 0]}, "turns cannot be [0, 0]"),
        ({"turns": [0]}, "turns must have 2 entries, one per seat"),
        ({"turns": [0, 7]}, "turns cannot be [0, 7]"),
        ({"council": [[0, 0, 0, 5]] * 2}, "council[0][3] must be int <= 4, not 5"),
        ({"council": [[0, 0, 0]] * 2}, "council[0] must be list of length >= 4, not [0, 0, 0]"),
        ({"council": [[0, 0, 0, 0]]}, "council must have 2 entries, one per seat"),
        ({"promises": [[99, 1, 0, 0]] * 2}, "promises[0][0] must be int <= 42, not 99"),
    ],
)
def test_wrong_lines_are_refused(changed: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    file.write_text(line(**changed) + "\n")
    with pytest.raises(Refused) as refused:
        read(file)
    assert str(refused.value).endswith(sentence)


def test_the_command_prints_and_writes(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more, page = tmp_path / "more.jsonl", tmp_path / "docs" / "balance.md"
    runner.run(Config(2, modules=()), ["random", "first"], games=4, path=more)
    assert main(["balance", str(path), str(path), str(more), "--markdown", str(page)]) == 0
    out, text = capsys.readouterr().out, page.read_text()
    assert "3 players, godzillas, on base-easy: 12 games on 12 seeds" in out and "residential-1" in out
    assert "from 16 games" in text and "by `first`, `random`" in text and "## How to read this" in text
    assert "## 2 players, no modules, on base-easy: 4 games on 2 seeds" in text
    assert "### Tiles built and upgraded to: seats, one more" in text
    assert main(["balance", str(path), str(more), "--agents", "random", "--markdown", str(page)]) == 0
    assert "from 12 games" in page.read_text() and '--agents "random"' in page.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("balance nowhere.jsonl", "the results nowhere.jsonl cannot be read: no such file or directory"),
        ("balance {path} --agents chess", "'chess' has played no game here: choose from random"),
        ("balance {alone}", "there are no games of two or more players in"),
        ("balance {mixed} --agents first", "no game in {mixed} has only first in its seats"),
    ],
)
def test_bad_arguments_are_refused(
    words: str, sentence: str, path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"path": path, "alone": tmp_path / "alone", "mixed": tmp_path / "mixed"}
    runner.run(Config(1), ["random"], games=1, path=files["alone"])
    runner.run(Config(2), ["random", "first"], games=2, path=files["mixed"])
    assert main(words.format(**files).split()) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.startswith(f"smallcity: {sentence.format(**files)}")
    assert output.err.count("\n") == 1
