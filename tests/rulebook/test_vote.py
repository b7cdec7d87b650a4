"""Phase 5: vote (P5.1)."""

from typing import Any

import pytest

from tests.scene import scene


def votes(*boroughs: str, **given: Any) -> list[int]:
    """The votes of everybody after Phase 5."""
    game = scene(*boroughs, phase="vote", **given)
    return [int(game.state.borough[p].votes) for p in range(len(boroughs))]


@pytest.mark.parametrize(
    ("drawn", "due"),
    [
        ("R1:0!", 1),
        ("R2 R2:0!", 2),
        ("R3:0! R3\nR3 .", 3),
        ("R4 R4\nR4 R4:0!", 4),
        ("R4 R4 R4\nR4:0! . .", 4),
        ("R5 R5\nR5:0! R5\nR5 .", 5),
        ("R2:0! R2:0!", 4),
        ("R5:0! R5:0!\nR5:0! R5:0!\nR5:0! .", 25),
        ("R1:0! R2:0! R2:0!\nR1:0! R3:0! R3\n. R3:0! .", 1 + 4 + 1 + 6),
        ("Un:0! Un\nUn Un", 2),
        ("Un:0! Un:0!\nUn:0! Un:0!", 8),
        ("Un:0! Un R2a:0! R2a\nUn Un", 4),
    ],
)
def test_P5_1_a_residence_gives_its_level_the_university_two(drawn: str, due: int) -> None:
    assert votes(drawn) == [due]


@pytest.mark.parametrize("drawn", ["R5:0 R5\nR5 R5\nR5 .", "Un:0 Un\nUn Un"])
def test_P5_1_only_for_those_who_worked(drawn: str) -> None:
    assert votes(drawn) == [0]
    assert votes("R2:0 R2:0!") == [2]


@pytest.mark.parametrize(
    "drawn", ["C1:0!", "F3:0! F3:0! F3:0!", "Mu:0! Mu\nMu .", "Cl:0! Cl Cl", "Hl:0 Hl:0\nHl:0 Hl", "P1 Sc"]
)
def test_P5_1_nowhere_else(drawn: str) -> None:
    assert votes(drawn) == [0]


def test_P5_1_tourists_vote_neither_here_nor_at_home() -> None:
    assert votes("F1:1! Mu:1! Mu:0!\n. Mu:1! .", "R1") == [0, 0]
    assert votes("R2:1! R2:0!\nUn:1! Un\nUn Un", "R1") == [2, 0]  # wherever a Tourist could stand


def test_P5_1_everybody_votes() -> None:
    assert votes("R1:0!", "R2:1! R2:1!", "R1:2", votes={1: 7}) == [1, 4 + 7, 0]


def test_P5_1_the_level_is_that_of_the_tile_he_stands_on() -> None:
    assert votes("R1 R5 R5\nR1:0! R5 R5\n. R5 .") == [1]
