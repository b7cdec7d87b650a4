"""Golden games: recorded as text, replayed to the same end."""

import json

import pytest

from smallcity_env import Game
from smallcity_env.rules.numbers import NUMBERS, VARIABLE, toml
from smallcity_env.rules.tables.in_force import RULES_VERSION
from tests.behaviour import COMMAND, RECORD, behaviour, unnamed
from tests.conftest import R2
from tests.golden_games import FOLDER, GOLDEN, SEED, answers, fingerprint, to_text
from tests.interpreter import PLAIN, run_python

R2_ENDS = {  # states at the end by rules r2.1
    "solo": "236e8a7d3a3ee0b5",
    "two": "9c8384d538ca86de",
    "module-new-buildings": "2e68784a5e14e758",
}


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


def test_another_behaviour_has_another_version() -> None:
    """Golden games or perft counts that change need another RULES_VERSION."""
    version, recorded = json.loads(RECORD.read_text()).values()
    now = behaviour()
    assert not (wrong := unnamed(version, recorded, now)), wrong
    assert (version, recorded) == (RULES_VERSION, now), f"{COMMAND} records a new version or new games"


def test_a_change_without_another_version_is_named() -> None:
    recorded = behaviour()
    now = recorded | {"solo": "otherwise", "perft two": "otherwise", "a new game": "any"}
    wrong = unnamed(RULES_VERSION, recorded, now)
    assert wrong.startswith(
        f"the rules are no longer {RULES_VERSION} (perft two, solo): give RULES_VERSION in"
    )
    assert not unnamed("r1", recorded, now) and not unnamed(RULES_VERSION, recorded, recorded)


def test_the_numbers_of_rules_r2_play_its_games() -> None:
    code = (
        f"from tests.golden_games import *; print(*(fingerprint(played(GOLDEN[n])) for n in {list(R2_ENDS)}))"
    )
    env = PLAIN | {VARIABLE: str(R2)}
    assert run_python("-c", code, env=env).split() == list(R2_ENDS.values())


def test_the_numbers_of_rules_r2_are_complete() -> None:
    """But for shapes and maps, which the rules of both draw alike."""
    reconstructed = {key for key, number in NUMBERS.items() if "[R]" in number.note}
    drawn = {key for key in reconstructed if key.startswith("maps.") or key.endswith(".shape")}
    assert toml.read(R2).given.keys() == reconstructed - drawn
