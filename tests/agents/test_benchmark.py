"""The benchmark: its protocol is fixed, its split is stable, its cards can be read."""

import json
from collections import Counter
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from smallcity_agents.benchmark import card, mixes, protocol
from smallcity_agents.benchmark.protocol import HELD_OUT, TRAINING, Task
from smallcity_env import Config
from smallcity_env.cli import main
from tests.agents.test_standings import result


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


def test_the_protocol_has_every_table_set_up_and_side() -> None:
    tasks = protocol.tasks()
    groups = Counter(task.group for task in tasks)
    fixed = {f"{table}, {setup}" for table in protocol.TABLES.values() for setup in protocol.SETUPS}
    assert fixed <= set(groups) and groups[TRAINING] == groups[HELD_OUT] == 3 * protocol.MIXES
    assert len({task.name for task in tasks}) == len(tasks)
    assert all(mixes.is_held_out(task.config) == (task.group == HELD_OUT)
               for task in tasks if task.group in (TRAINING, HELD_OUT))  # fmt: skip
    quick = protocol.tasks(quick=True)
    assert {task.group for task in quick} == set(groups)
    assert sum(t.games for t in quick) < sum(t.games for t in tasks) / 5
    four = next(task for task in tasks if task.name == "four, winter")
    assert four.table("mcts") == ["mcts", "greedy", "greedy", "greedy"] and len(set(four.config.boards)) == 4


def line(*results: tuple[Task, list]) -> card.Line:
    (only,) = card.lines("a", dict(results))
    return only


def test_a_line_counts_first_places_of_the_agent_only() -> None:
    task = Task("t", "t", Config(3), "b", 3)
    games = [result(0, {"a": 0, "b": 1, "b'": 2}), result(0, {"b": 0, "a": 0, "b'": 2}),
             result(1, {"b": 0, "b'": 1, "a": 2}), result(1, {"a": 0, "b": 1, "b'": 2})]  # fmt: skip
    first = line((task, games))
    assert (first.games, first.first, first.even) == (4, 0.625, 1.875)
    assert first.place == 1.5 and first.score == 9.5 and first.seconds == 0.05
    assert first.interval[0] < 0.625 < first.interval[1] and not first.alone
    assert first.cells()[2] == "62.5%"


def test_against_itself_the_share_is_even() -> None:
    task = Task("t", "t", Config(2), "a", 2)
    assert line((task, [result(0, {"a": 0, "a'": 1})])).even == 1


def test_alone_only_the_score_counts() -> None:
    task = Task("t", "t", Config(1), "b", 2)
    alone = line((task, [result(seed, {"a": 0}, [score]) for seed, score in ((0, 10), (1, 30))]))
    assert alone.alone and alone.cells()[2:5] == ["-", "-", "-"] and alone.cells()[5].startswith("20.0 ± ")


def test_the_gap_is_what_is_lost_on_held_out_mixes() -> None:
    seen, unseen = Task("s", TRAINING, Config(2), "b", 2), Task("u", HELD_OUT, Config(2), "b", 2)
    lines = card.lines("a", {seen: [result(0, {"a": 0, "b": 1})], unseen: [result(0, {"a": 0, "b": 0})]})
    assert card.gap(lines) == 1 and card.gap(lines[:1]) is None
    assert "Generalisation gap: 1.00" in "\n".join(card.markdown("a", lines, quick=True))


def test_the_command_writes_a_card_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["benchmark", "random", "--quick", "--tasks", "three, base", "--folder", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "three, base" in out and "first places" in out
    data = json.loads((tmp_path / "v1-random.json").read_text())
    assert data["protocol"] == "v1" and data["quick"] and data["tasks"][0]["games"] == 12
    played = (tmp_path / "v1-random.jsonl").read_bytes()
    assert main(words) == 0 and (tmp_path / "v1-random.jsonl").read_bytes() == played
    assert "| three, base | 12 |" in (tmp_path / "v1-random.md").read_text()


def test_several_agents_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "cards.md"
    words = ["--quick", "--tasks", ", base", "--folder", str(tmp_path), "--markdown", str(page)]
    assert main(["benchmark", "first", "random", "first", *words]) == 0
    assert "agents compared" in capsys.readouterr().out.lower()
    text = page.read_text()
    assert "| agent | alone | duel | three | four |" in text
    assert [text.count(f"\n| {name} | ") for name in ("first", "random")] == [1, 1]
    assert text.index("## `first`, v1 (quick)") < text.index("## `random`, v1 (quick)")


def test_a_wrong_name_is_refused_before_any_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "random", "nobody", "--quick", "--folder", str(tmp_path)]) == 2
    assert "nobody" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_the_comparison_pools_the_set_ups_of_a_table() -> None:
    seen = [Task(name, name, Config(2), "b", 2, column="duel") for name in ("duel, base", "duel, winter")]
    games = [result(0, {"a": 0, "b": 1}), result(1, {"b": 0, "a": 1})]
    table = card.compare({"a": {seen[0]: games, seen[1]: games[:1]}})
    assert table.heads == ["agent", "duel"] and table.rows[0][:1] == ["a"]
    assert table.rows[0][1].startswith("67% (")


def test_an_unknown_task_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "random", "--tasks", "chess"]) == 2
    assert "no task contains 'chess': choose from alone, base, alone, godzillas" in capsys.readouterr().err
