"""The advanced game: victory conditions and special promises (AD1)."""

from collections.abc import Iterable
from typing import Any

import pytest

from smallcity_env import Config
from smallcity_env.config import ConfigError
from tests.rulebook.words import play
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"


def score(drawn: str, victory: str, **given: Any) -> int:
    """The score of seat 0 at the end."""
    game = scene(drawn, "", phase="visit", round=8, victory=victory, **given)
    assert game.over
    return game.scores()[0]


# -- the four conditions


def test_AD1_votes() -> None:
    assert score("R1:0 C1 F1 Sc", "votes", votes=17, money=30) == 17


@pytest.mark.parametrize(
    ("drawn", "worth"),
    [
        ("", 0),
        ("Wa:w Wa", 2),
        ("Wa:s Wa", 3),
        ("Wa:m Wa", 5),
        ("Hl:w Hl:m\nHl:s Hl:w", 2 + 5 + 3 + 2),
        ("C1 C3 C3 C3", 4 * 3),
        ("F1 F2 F2", 3 * 2),
        ("R1:0 P1 Sc Ha Ha\n. . . Ha Ha", 0),
        ("C1 F1 Wa:m Wa:w", 3 + 2 + 5 + 2),
    ],
)
def test_AD1_economics(drawn: str, worth: int) -> None:
    assert score(drawn, "economics") == worth
    assert score(drawn, "economics", money=7, votes=50) == worth + 7


@pytest.mark.parametrize(
    ("drawn", "worth"),
    [
        ("", 0),
        ("R1", 1),
        ("R1:0", 5 + 1),
        ("Hl:0 Hl R3 R3:0\nHl Hl R3 .", 2 * 5 + 3),
        ("C1:0 F1:0 Mu:0 Mu\n. . Mu .", 15),
        ("C1:1 .:+ R1", 1),  # neither guests nor the dead
    ],
)
def test_AD1_population(drawn: str, worth: int) -> None:
    assert score(drawn, "population", votes=50, money=50) == worth


def test_AD1_population_counts_riders_at_home_and_no_tourists() -> None:
    given: dict[str, Any] = {"modules": ["new_buildings"], "riders": {0: [2, 1], 1: [3]}}
    assert score("Tr Tr Tr Tr Tr", "population", **given) == 10


@pytest.mark.parametrize(
    ("drawn", "worth"),
    [
        ("", 0),
        ("Sc", 8),
        ("Sc Li Li Me Me", 24),
        ("Mu Mu Cl Cl Cl Un Un\nMu . . . . Un Un", 24),
        ("Po Po", 4),
        ("Fi Fi Po Po\nFi .", 8),
        ("Bb", 8),
        ("Bb Op Op\n. Op Op", 16),
        ("Hl Hl R1:0 C1\nHl Hl P1 F1", 0),
        ("Sc Po Po Bb", 8 + 4 + 8),
    ],
)
def test_AD1_culture(drawn: str, worth: int) -> None:
    assert score(drawn, "culture", votes=50, money=50, modules=["real_buildings"]) == worth


@pytest.mark.parametrize("victory", ["votes", "economics", "population", "culture"])
def test_AD1_promises_add_and_pollution_subtracts_in_each(victory: str) -> None:
    before = score("R1:0 C1 Sc", victory, votes=9)
    assert score("R1:0 C1 Sc", victory, votes=9, pollution=4) == before - 4
    assert score("R1:0 C1 Sc", victory, votes=9, promise=1) == before + 6
    assert score("R1:0 C1 Sc", victory, votes=9, promise=2) == before - 2
    assert score("R1:0 C1 Sc", victory, votes=9, special=28) == before + 10


# -- special promises are drawn


def drawn_specials(victory: str, *, advanced: bool, modules: Iterable[str] = ()) -> set[int]:
    """Every special promise dealt, over many deals to two players, who never have the same one."""
    drawn = set()
    for seed in range(40):
        game = scene(
            HALL, HALL, phase="setup", seed=seed, victory=victory, advanced=advanced, modules=modules
        )
        play(game, "promise 6", "promise 18")
        specials = [int(game.state.borough[p].special) for p in (0, 1)]
        assert specials[0] != specials[1] or not advanced
        drawn |= set(specials)
    return drawn


SPECIALS = {
    "votes": set(range(17, 21)),
    "economics": set(range(21, 25)),
    "population": set(range(25, 29)),
    "culture": set(range(29, 33)),
}


@pytest.mark.parametrize("victory", SPECIALS)
def test_AD1_a_special_promise_of_the_condition(victory: str) -> None:
    assert drawn_specials(victory, advanced=True) == SPECIALS[victory]


@pytest.mark.parametrize("victory", SPECIALS)
def test_AD1_none_unless_the_game_is_advanced(victory: str) -> None:
    assert drawn_specials(victory, advanced=False) == {0}


@pytest.mark.parametrize("victory", SPECIALS)
def test_AD1_new_special_promises_belong_to_every_condition(victory: str) -> None:
    modules = ["new_buildings", "promise_cards"]
    dealt = drawn_specials(victory, advanced=True, modules=modules)
    assert dealt == SPECIALS[victory] | set(range(39, 43))
    assert drawn_specials(victory, advanced=True, modules=["new_buildings"]) == SPECIALS[victory]
    assert drawn_specials(victory, advanced=False, modules=modules) == {0}


def test_AD1_everybody_of_four_gets_one() -> None:
    game = scene(HALL, HALL, HALL, HALL, phase="setup", advanced=True, victory="culture")
    play(game, "promise 6", "promise 6", "promise 6", "promise 6")
    assert {int(game.state.borough[p].special) for p in range(4)} == SPECIALS["culture"]


def test_AD1_asian_boards_allow_votes_only() -> None:
    Config(players=1, boards=("tokyo",), victory="votes", advanced=True)
    for victory in ("economics", "population", "culture"):
        with pytest.raises(ConfigError, match="allow only the victory 'votes'"):
            Config(players=1, boards=("tokyo",), victory=victory)
