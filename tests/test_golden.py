"""Golden games: recorded as text, replayed to the same end."""

import json

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables.in_force import RULES_VERSION
from tests.behaviour import COMMAND, RECORD, behaviour, unnamed
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
