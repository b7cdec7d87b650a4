"""Position tasks: made anew they are the same, stopped they go on, the shipped ones are of these rules."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from smallcity_agents import make
from smallcity_agents.benchmark import mixes
from smallcity_agents.llm import make_positions
from smallcity_agents.llm.make_positions import STAKE, make_more, values
from smallcity_agents.llm.positions import HELD_OUT, SHIPPED, SPLITS, TRAIN, Card, line_of, read, rewards
from smallcity_env import Config, batch
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from tests.test_secret_builds import joined

NUMBER = {TRAIN: 2000, HELD_OUT: 500}
CARD = Card(TRAIN, seed=3, sims=8, stake=STAKE)


def made(path: Path, count: int, card: Card = CARD) -> bytes:
    """The bytes of a file with so many positions."""
    for _ in make_more(path, card, count, make_positions.of_mixes):
        pass
    return path.read_bytes()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made(tmp_path_factory.mktemp("positions") / "whole.jsonl", 8)


@pytest.mark.parametrize("left", [0, 10, 400, 1500, 4000])
def test_a_file_cut_anywhere_goes_on_where_it_was(whole: bytes, left: int, tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_bytes(whole[:left])
    assert made(path, 8) == whole


def test_a_longer_file_begins_like_a_shorter_one(whole: bytes, tmp_path: Path) -> None:
    made(tmp_path / "positions.jsonl", 3)
    assert made(tmp_path / "positions.jsonl", 8) == whole


def test_files_of_another_kind_are_not_continued(whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_bytes(whole)
    with pytest.raises(Refused, match="of another kind"):
        made(path, 9, replace(CARD, sims=9))
    assert path.read_bytes() == whole


def test_the_shipped_files_are_small() -> None:
    assert sum(SHIPPED[split].stat().st_size for split in SPLITS) < 1_500_000


@pytest.mark.parametrize("split", SPLITS)
def test_the_shipped_positions_are_reached_by_the_rules_of_their_split(split: str) -> None:
    card, positions = read(SHIPPED[split])
    assert card.split == split and len(positions) == NUMBER[split]
    for position in positions[::7]:
        game = position.reached()
        assert mixes.is_held_out(game.config) == (split == HELD_OUT)
        worth = position.values.values()
        assert max(worth) - min(worth) >= STAKE
        assert {position.reward(action) for action in position.values} >= {0.0, 1.0}


def test_the_shipped_positions_cover_players_rounds_and_kinds_of_question() -> None:
    games = [position.reached() for split in SPLITS for position in read(SHIPPED[split])[1][::5]]
    assert {game.config.players for game in games} == {1, 2, 3, 4}
    assert {game.round for game in games} >= set(range(1, 9))
    assert len(Counter(game.ask for game in games)) >= 12
    assert len({module for game in games for module in game.config.modules}) == 8


def test_stronger_agents_are_rewarded_more() -> None:
    positions = read(SHIPPED[TRAIN])[1][:300]
    means = [np.mean(rewards(make(name), positions)) for name in ("random", "greedy", "search:sims=64")]
    assert means[0] + 0.1 < means[1] and means[1] + 0.02 < means[2]


def test_values_depend_on_no_secret() -> None:
    a, b, *_ = joined(Config(players=2))
    assert values(a, 16) == values(b, 16)


def test_every_answer_of_a_position_is_valued() -> None:
    states, *_ = joined(Config(players=2))
    for worth, mask in zip(values(states, 4), batch.masks(states), strict=True):
        assert [*worth] == np.flatnonzero(mask).tolist() and all(0 <= value <= 1 for value in worth.values())


def test_an_illegal_answer_is_worth_nothing() -> None:
    assert read(SHIPPED[TRAIN])[1][0].reward(-1) == 0


def test_the_command_makes_positions_and_scores_agents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "positions.jsonl")
    assert main(["positions", "random", "greedy", "--file", file, "--count", "3", "--sims", "8"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("3 positions of train rules") and "greedy" in said
    assert main(["positions", "--count", "3"]) == 2
    assert "--count needs --file" in capsys.readouterr().err


def first(**changes: Any) -> str:
    """A line with a position, changed."""
    position = read(SHIPPED[TRAIN])[1][0]
    return json.dumps(json.loads(line_of([position])) | changes) + "\n"


@pytest.mark.parametrize(
    "line",
    ["x\n", "[]\n", "{}\n", first(seed="x"), first(answers=[None]), first(positions=[[0, {"1": 2}]]),
     first(positions=[[0, {"x": 0}]]), first(positions=[[0, {}]]), first(positions=[[-1, {"1": 0, "2": 1}]]),
     first(positions=[[9999, {"1": 0, "2": 1}]]), first(config=[]), first(more=1)],
)  # fmt: skip
def test_damaged_files_are_refused_in_a_sentence(line: str, tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(SHIPPED[TRAIN].read_text().splitlines(keepends=True)[0] + line)
    with pytest.raises(Refused, match=r"line 2 of .* (is no game with positions|has no position)"):
        read(path)


@pytest.mark.parametrize(
    "changes",
    [{"answers": [198] * 999}, {"config": {"players": 9}}, {"config": {"castles": 1}}],
)
def test_positions_that_cannot_be_reached_are_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(SHIPPED[TRAIN].read_text().splitlines(keepends=True)[0] + first(**changes))
    with pytest.raises(Refused, match="this position"):
        read(path)[1][0].reached()


def test_a_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(make_positions._first_line(replace(CARD, rules="others")).decode())
    with pytest.raises(Refused, match="made by other rules"):
        read(path)
    path.write_text("nothing\n")
    with pytest.raises(Refused, match="is no card"):
        read(path)
