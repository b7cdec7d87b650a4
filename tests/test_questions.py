"""The table of questions: complete, and true about the phases."""

import numpy as np
import pytest

from smallcity_env import Game
from smallcity_env.rules.phases import QUESTION, QUESTIONS
from smallcity_env.rules.tables import Ask
from tests.random_games import random_config


def test_every_question_stands_in_the_table_once() -> None:
    assert set(QUESTION) == set(Ask) - {Ask.NONE, Ask.OVER}
    assert len(QUESTION) == len(QUESTIONS)


@pytest.mark.parametrize("ask", QUESTION, ids=lambda ask: ask.name.lower())
def test_a_question_has_answers_and_texts(ask: Ask) -> None:
    row = QUESTION[ask]
    assert row.legal or row.spaces
    brief, asks, help_ = map(str, (row.brief, row.asks, row.help))
    assert brief.endswith("?") and asks[0].isupper() and help_.endswith(".")


@pytest.mark.parametrize("seed", range(12))
def test_a_question_is_asked_only_in_its_phases(seed: int) -> None:
    game, chance = Game(random_config(500 + seed), seed), np.random.default_rng(seed)
    while not game.over:
        assert game.phase in QUESTION[game.ask].phases
        game.step(int(chance.choice(game.legal())))
