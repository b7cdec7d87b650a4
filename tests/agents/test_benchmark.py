"""The benchmark: its protocol is fixed, its split is stable, its levels are those of made-up results."""

import json
import math
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from smallcity_agents.benchmark import anchors, card, levels, mixes, protocol
from smallcity_agents.benchmark.anchors import Measured
from smallcity_agents.benchmark.levels import Level, Outcome
from smallcity_agents.benchmark.protocol import ANCHORS, HELD_OUT, TASKS, TRAINING
from smallcity_agents.evidence import shipped
from smallcity_env import Config, terminal
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from tests.agents.test_standings import result

MADE_UP = Measured([0.99, *[0.7] * 9], [[0.5, 1.0]] * 10, [100] * 10)
SCORES = Measured([10.0 * n for n in range(11)], [[0.0, 1.0]] * 11, [10] * 11)
SCALE = anchors.fit({"duel": MADE_UP})["duel"]


@pytest.fixture
def table(tmp_path: Path) -> str:
    """A file with made-up strengths of all anchors."""
    path = tmp_path / "anchors.json"
    scales = {task.scale: MADE_UP for task in TASKS.values()} | {"alone": SCORES}
    anchors.store(path, scales)
    return str(path)


# -- rule mixes


def test_the_split_is_by_the_mix_and_not_by_players() -> None:
    for config in islice(mixes.sample(3, held_out=True, players=4), 20):
        assert mixes.is_held_out(config)
        assert mixes.is_held_out(replace(config, boards=tuple(reversed(tuple(config.boards)))))
        assert mixes.is_held_out(replace(config, modules=tuple(reversed(tuple(config.modules)))))
    one_board = Config(4, ("doctors",), "river-easy")
    assert mixes.is_held_out(one_board) == mixes.is_held_out(
        replace(one_board, players=2, boards="river-easy")
    )


def test_one_mix_in_five_is_held_out_and_mixes_differ() -> None:
    drawn = [mixes.draw(np.random.default_rng(seed)) for seed in range(1000)]
    assert 0.15 < sum(map(mixes.is_held_out, drawn)) / 1000 < 0.25
    assert len({str(config) for config in drawn}) > 900
    assert {config.players for config in drawn} == {1, 2, 3, 4}
    assert {config.victory for config in drawn} == {"votes", "economics", "population", "culture"}


def test_both_sides_are_apart_and_always_the_same() -> None:
    sides = [mixes.first(12, 1, held_out) for held_out in (False, True)]
    assert not set(map(str, sides[0])) & set(map(str, sides[1]))
    assert sides[0] == mixes.first(12, 1, False)


# -- the protocol


def test_the_tasks_are_every_table_modules_winter_and_both_sides_of_the_split() -> None:
    assert [TASKS[name].config(0).players for name in ("alone", "duel", "three", "four")] == [1, 2, 3, 4]
    assert set(TASKS["modules"].config(0).modules) > set(TASKS["duel"].config(0).modules)
    assert len(set(TASKS["winter"].config(0).boards)) == 3
    blocks = range(protocol.WAVE * protocol.WAVES)
    for name in (TRAINING, HELD_OUT):
        configs = [TASKS[name].config(number) for number in blocks]
        assert {mixes.is_held_out(config) for config in configs} == {name == HELD_OUT}
        assert [config.players for config in configs[:6]] == [2, 3, 4, 2, 3, 4]


@pytest.mark.parametrize(
    ("level", "met"),
    [
        (-1, [0, 1, 0, 2]),
        (0.3, [0, 1, 0, 2]),
        (4.3, [4, 5, 3, 6]),
        (9.5, [9, 10, 8, 10]),
        (11, [9, 10, 8, 10]),
    ],
)
def test_a_wave_is_against_the_anchors_around_the_level(level: float, met: list[int]) -> None:
    blocks = protocol.wave(TASKS["duel"], 2, level)
    assert [block.anchor for block in blocks] == met
    assert [block.seed - protocol.SEED for block in blocks] == [8, 9, 10, 11]


def test_the_agent_has_every_seat_of_a_block() -> None:
    block = protocol.wave(TASKS["four"], 0, 0.0)[1]
    assert block.tables("me") == [
        ["me" if p == seat else "level:4" for p in range(4)] for seat in range(4)
    ]  # fmt: skip


# -- the scale


def test_strengths_are_the_logits_of_the_shares() -> None:
    alone, pooled = anchors.fit({"duel": MADE_UP})["duel"], anchors.fit({"duel": MADE_UP, "four": MADE_UP})
    assert np.diff(alone.strengths)[1:] == pytest.approx(math.log(7 / 3), abs=0.01)
    assert alone.strengths[0] == 0 and pooled["duel"].strengths == pytest.approx(alone.strengths, abs=0.1)


def test_a_task_with_few_games_leans_on_the_others() -> None:
    few = Measured([0.99, *[0.5] * 9], [[0.0, 1.0]] * 10, [4] * 10)
    steps = np.diff(anchors.fit({"duel": MADE_UP, "four": few})["four"].strengths)
    assert (steps[1:] > 0.5).all()


def test_neighbours_in_the_wrong_order_share_their_mean() -> None:
    rising = anchors.rising([0, 1, 3, 2, 4, 5, 6, 7, 8, 9, 10])
    assert rising[2:4] == [2.475, 2.525] and (np.diff(rising) >= anchors.RISE - 1e-9).all()


def test_being_ahead_is_a_share_of_the_others() -> None:
    games = [
        result(0, {"a": 0, "b": 1, "b'": 2}),
        result(0, {"b": 0, "a": 0, "b'": 2}),
        result(1, {"b": 0, "a": 1}),
    ]
    won, number = anchors.ahead(games, "a")
    assert won.tolist() == [1.75, 0] and number.tolist() == [2, 1]


def test_the_table_of_the_package_is_of_its_nets_and_rules() -> None:
    table = anchors.load(anchors.SHIPPED, list(TASKS.values()))
    assert table.nets["value_net"] == shipped()["value_net"]
    for scale in table.scales.values():
        assert min(scale.measured.games) >= 10 and (np.diff(scale.strengths) > 0).all()


def test_a_table_of_other_nets_is_refused(table: str) -> None:
    data = json.loads(Path(table).read_text())
    assert anchors.load(Path(table)).scales["duel"].strengths == pytest.approx(SCALE.strengths, abs=0.1)
    for name, other, words in (
        ("nets", {"value_net": "0"}, "calibrated with nets"),
        ("rules", "r0", "calibrated with rules"),
        ("scales", {}, "not calibrated for duel"),
        ("scales", {"duel": {"strengths": [1.0], "measured": {}}}, "not a table"),
    ):
        Path(table).write_text(json.dumps(data | {name: other}))
        with pytest.raises(Refused, match=words):
            anchors.load(Path(table), [TASKS["duel"]])


# -- levels


def games(level: float, per_anchor: int, per_seed: int = 1, seed: int = 0) -> list[Outcome]:
    """Made-up games of an agent of a level against all anchors."""
    rng = np.random.default_rng(seed)
    lead = levels.strength(SCALE, level) - levels.strength(SCALE, range(11))
    chance = 1 / (1 + np.exp(-lead))
    return [
        Outcome(seed=n // per_seed, anchor=anchor, ahead=float(rng.random() < chance[anchor]), score=0)
        for anchor in range(11)
        for n in range(per_anchor)
    ]


@pytest.mark.parametrize("level", [0.5, 2.0, 4.3, 7.7, 10.0])
def test_a_level_is_found_again_and_its_interval_holds_it(level: float) -> None:
    found = [levels.by_places(SCALE, games(level, 60, seed=seed)) for seed in range(20)]
    assert np.mean([one.value for one in found]) == pytest.approx(level, abs=0.3)
    assert sum(one.low <= level <= one.high for one in found) >= 17


def test_games_on_one_seed_are_not_independent() -> None:
    once = [game for game in games(5, 12) if game.anchor in (4, 5, 6)]
    copies = [game for game in once for _ in range(8)]  # of the same games: nothing new
    apart = [game._replace(seed=n) for n, game in enumerate(copies)]
    wide, narrow = levels.by_places(SCALE, copies), levels.by_places(SCALE, apart)
    assert wide.value == narrow.value
    assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low)


def test_an_agent_that_wins_every_game_is_above_the_scale_but_not_certainly() -> None:
    best = levels.by_places(SCALE, [Outcome(n, 10, 1.0, 0) for n in range(6)])
    assert best.value == best.high == protocol.TOP and 9 < best.low < 11
    assert str(best).startswith("11.0+ (") and str(best).endswith(" - 11.0+)")
    assert str(Level(-0.04, -0.2, 0.04)) == "0.0 (-0.2 - 0.0)"
    worst = levels.by_places(SCALE, [Outcome(n, 0, 0.0, 0) for n in range(6)])
    assert worst.value == protocol.BOTTOM and worst.high > -0.7


def test_alone_the_level_is_that_of_the_mean_score() -> None:
    scale = anchors.fit({"alone": SCORES})["alone"]
    level = levels.fit(scale, [Outcome(n, 0, 0.0, score) for n, score in enumerate((40, 46))], alone=True)
    assert level.value == pytest.approx(4.3) and level.low < 4.3 < level.high
    assert levels.by_score(scale, [Outcome(0, 0, 0.0, 43)]) == Level(pytest.approx(4.3), -1, 11)


def test_the_mean_of_tasks_is_surer_than_each() -> None:
    mean = levels.mean([Level(4, 3, 6), Level(6, 5, 8)])
    assert (
        mean.value == 5 and mean.low == pytest.approx(5 - 0.5**0.5) and mean.high == pytest.approx(5 + 2**0.5)
    )


def test_tasks_vote_whatever_the_distances() -> None:
    assert levels.copeland([[5, 5, 0], [4, 4, 9], [1, 1, 1]]) == [2, 1, 0]  # the second has the higher mean
    assert levels.copeland([[1, 2], [2, 1]]) == [0.5, 0.5]


# -- the command


def test_the_command_resumes_and_a_quick_run_is_the_beginning_of_a_long_one(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 1)
    monkeypatch.setattr("smallcity_agents.commands.benchmark.WAVES", 2)
    words = ["benchmark", "random", "--tasks", "duel", "--folder", str(tmp_path), "--anchors", table]
    assert main([*words, "--quick"]) == 0
    out = capsys.readouterr().out
    assert "random plays like level -" in out and "track observation" in out and "part of the protocol" in out
    file = tmp_path / "v2-observation-random.jsonl"
    quick = file.read_bytes()
    assert main([*words, "--quick"]) == 0 and file.read_bytes() == quick
    assert main(words) == 0
    assert file.read_bytes().startswith(quick) and file.read_bytes().count(b"\n") == 1 + 2 * 2 * protocol.WAVE
    met = [game["agents"] for game in map(json.loads, file.read_text().splitlines()[9:])]
    assert {name for agents in met for name in agents} == {ANCHORS[n] for n in range(3)}
    data = json.loads((tmp_path / "v2-observation-random.json").read_text())
    assert data["header"]["protocol"] == "v2" and data["lines"][0]["games"] == 16 and not data["whole"]


def test_the_same_games_with_workers(tmp_path: Path, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 1)
    words = ["benchmark", "first", "--tasks", "duel", "--quick", "--anchors", table, "--folder"]
    played = []
    for folder, more in ((tmp_path / "one", []), (tmp_path / "two", ["--workers", "2"])):
        assert main([*words, str(folder), *more]) == 0
        lines = map(json.loads, (folder / "v2-observation-first.jsonl").read_text().splitlines()[1:])
        played.append(sorted((line["seed"], line["seat"], line["answers"]) for line in lines))
    assert played[0] == played[1]


def test_several_agents_are_compared(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 1)
    page = tmp_path / "cards.md"
    words = f"--quick --tasks t --folder {tmp_path} --markdown {page} --anchors {table}".split()
    assert main(["benchmark", "random", "level:1", "random", *words]) == 0
    assert "agents compared" in capsys.readouterr().out.lower()
    text = page.read_text()
    heads = "| agent | mean | beats | three | winter | training mixes | held-out mixes | track | games |"
    assert heads in text and "Generalisation gap:" in text
    rows = [line for line in text.splitlines() if "| 1 of 1 |" in line or "| 0 of 1 |" in line]
    assert rows[0].startswith("| level:1 | ") and " | search | " in rows[0]
    assert rows[1].startswith("| random | ") and " | observation | " in rows[1]
    assert text.count("| 1 of 1 |") == text.count("| 0 of 1 |") == 1


def test_progress_is_said_when_nobody_sees_a_bar(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(terminal, "NOW_AND_THEN", 0)
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_WAVES", 1)
    words = f"benchmark first --quick --tasks alone --folder {tmp_path} --anchors {table}".split()
    assert main(words) == 0
    assert "50%: first: 2 games" in capsys.readouterr().err


def test_a_quick_run_ends_in_time(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.commands.benchmark.QUICK_SECONDS", -1)
    words = f"benchmark first --quick --tasks duel --folder {tmp_path} --anchors {table}".split()
    assert main(words) == 2
    assert "no game in time" in capsys.readouterr().err


def test_the_anchors_can_be_calibrated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = ("random", "level:1", "level:4")
    monkeypatch.setattr(anchors, "ANCHORS", few)
    monkeypatch.setattr(card, "ANCHORS", few)
    path = tmp_path / "mine.json"
    words = ["benchmark", "--anchors", str(path), "--folder", str(tmp_path), "--calibrate"]
    for task in ("alone", "three", "held-out"):
        assert main([*words, "8", "--tasks", task]) == 0
    scales = anchors.load(path).scales
    assert list(scales) == ["alone", "three", "mixes"]
    assert all(
        len(scale.strengths) == 3 and (np.diff(scale.strengths) > 1).all() for scale in scales.values()
    )
    assert scales["three"].measured.games == [12, 12] and scales["mixes"].measured.games == [9, 9]
    out = capsys.readouterr().out
    assert f"The table of anchors is {path}" in out and "100% (" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["random", "nobody"], "nobody"),
        (["random", "--tasks", "chess"], "no task contains 'chess': choose from alone, duel, three"),
        ([], "name the agents of the benchmark, or use either --check or --calibrate"),
        (["random", "--check", "file"], "name the agents of the benchmark"),
        (["human"], "there is no agent 'human'"),
        (["search:sims=4", "--track", "observation"], "search:sims=4 searches: its track is search"),
        (["random", "--track", "learning"], "the track learning has a number of --steps"),
        (["random", "--steps", "5"], "the track learning has a number of --steps"),
        (["random", "--track", "learning", "--steps", "10000001"], "needs a number of at most 10,000,000"),
    ],
)
def test_a_wrong_word_is_refused_before_any_game(
    words: list[str], why: str, tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "none"
    assert main(["benchmark", *words, "--quick", "--folder", str(folder), "--anchors", table]) == 2
    assert why in capsys.readouterr().err and not folder.exists()
