"""The solo game (SO1)."""

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.text.grid import members
from tests.rulebook.words import offered
from tests.scene import scene


@pytest.mark.parametrize(
    ("score", "title"),
    [
        (-30, "Recalled"),
        (-1, "Recalled"),
        (0, "Clerk"),
        (19, "Clerk"),
        (20, "Councillor"),
        (39, "Councillor"),
        (40, "Deputy"),
        (59, "Deputy"),
        (60, "Mayor"),
        (79, "Mayor"),
        (80, "Governor"),
        (99, "Governor"),
        (100, "Legend"),
        (250, "Legend"),
    ],
)
def test_SO1_the_score_is_read_on_a_scale(score: int, title: str) -> None:
    game = scene("", phase="visit", round=8, votes=max(score, 0), pollution=max(-score, 0))
    assert (game.over, game.scores(), game.title()) == (True, [score], title)


def test_SO1_promises_and_pollution_count_in_it() -> None:
    game = scene("", phase="visit", round=8, votes=20, pollution=6, promise=1)
    assert (game.scores(), game.title()) == ([20], "Councillor")


def test_SO1_who_is_eliminated_is_recalled_whatever_the_score() -> None:
    game = scene("R1:0", phase="pollution", pollution=99, votes=190)
    assert (game.over, game.scores(), game.title()) == (True, [90], "Recalled")


def test_SO1_no_tourists() -> None:
    game = scene("R1:0 C1 Me Me", phase="move")
    assert (game.ask, offered(game)) == (Ask.MOVE, {"at B1", "no"})


def test_SO1_the_street_is_random() -> None:
    """P1.1: nobody is asked, and chance chooses among all streets."""
    streets = set()
    for seed in range(40):
        game = scene(". . Sc\n. Sc .", phase="select", seed=seed, size=7)
        assert game.ask == Ask.CARD
        first, second = members(game.state.borough[0].mayor)
        assert second - first in (1, 10)
        assert not {first, second} & {2, 11}
        streets.add((first, second))
    assert len(streets) > 20
    assert {second - first for first, second in streets} == {1, 10}


def test_SO1_the_same_eight_rounds_alone() -> None:
    game = Game(Config(players=1, modules=()), seed=3)
    phases = set()
    while not game.over:
        assert game.seat == 0
        phases.add(game.phase)
        game.step(int(game.legal()[0]))
    assert game.round == 8
    assert {Phase.SETUP, Phase.SELECT, Phase.BUILD, Phase.MOVE} <= phases
    assert game.ranking() == [[0]]


def test_SO1_one_of_each_shared_building() -> None:
    """Players less one would be none: at least one."""
    game = scene("Hl:s Hl:s\nHl Hl", phase="build")
    assert "build metro" in offered(game)
