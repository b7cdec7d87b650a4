"""A stub of a language model plays through every door that is installed."""

import pytest

from .doors import DOORS


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore")  # warnings of other people's libraries
def test_a_stub_plays_through_a_door(door: str) -> None:
    library, play = DOORS[door]
    if library:
        pytest.importorskip(library)
    questions, illegal = play(2)
    assert questions > 40 and 0 < illegal < questions
