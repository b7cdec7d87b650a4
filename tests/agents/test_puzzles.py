"""The shipped puzzles: one answer is clearly best in each, and they belong to the rules in force."""

from collections import Counter
from pathlib import Path

import pytest

from smallcity_agents.llm import make_puzzles
from smallcity_agents.llm.make_positions import make_more
from smallcity_agents.llm.positions import DATA, PUZZLES, SHIPPED, Card, Position, read
from smallcity_env.refusal import Refused

COMMAND = (
    "smallcity positions --puzzles --seed 38 --count 300 --file agents/smallcity_agents/data/puzzles.jsonl"
)


Shipped = tuple[Card, tuple[Position, ...]]


@pytest.fixture(scope="module")
def shipped() -> Shipped:
    try:
        return read(SHIPPED[PUZZLES])
    except Refused as wrong:
        pytest.fail(f"{wrong}: delete the file and run `{COMMAND}` (some ten minutes)")


def test_the_shipped_puzzles_are_many_and_small(shipped: Shipped) -> None:
    card, puzzles = shipped
    assert len(puzzles) >= 200 and (DATA / "puzzles.jsonl").stat().st_size < 300_000
    assert card.split == PUZZLES and card.margin == make_puzzles.MARGIN


def test_one_answer_of_every_puzzle_is_clearly_best(shipped: Shipped) -> None:
    card, puzzles = shipped
    for puzzle in puzzles:
        best, second = sorted(puzzle.values.values(), reverse=True)[:2]
        assert best - second >= card.margin and puzzle.values[puzzle.best] == best


def test_the_shipped_puzzles_are_reached_and_varied(shipped: Shipped) -> None:
    games = [puzzle.reached() for puzzle in shipped[1][::5]]
    assert len(Counter(game.ask for game in games)) >= 4
    assert len(Counter(game.config.players for game in games)) >= 3
    assert len(Counter(game.round for game in games)) >= 5


def test_puzzles_are_made_again_exactly(tmp_path: Path) -> None:
    def made(name: str) -> bytes:
        card = make_puzzles.described(Card(PUZZLES, 7, 8, 0.03))
        list(make_more(tmp_path / name, card, 2, make_puzzles.of_games))
        return (tmp_path / name).read_bytes()

    assert made("a") == made("b") and len(read(tmp_path / "a")[1]) == 2
