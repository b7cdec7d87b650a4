"""Golden games: recorded as text, replayed to the same end."""

import pytest

from smallcity_env import Game
from tests.golden_games import FOLDER, GOLDEN, SEED, answers, fingerprint, to_text


@pytest.mark.parametrize("name", GOLDEN)
def test_a_recorded_game_plays_again_to_the_same_end(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text()
    game = Game(GOLDEN[name], seed=SEED)
    for answer in answers(text):
        game.step(answer)
    assert game.over
    assert f"state {fingerprint(game)}" in text
    assert to_text(game) == text


def test_every_recorded_game_is_known() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GOLDEN)
