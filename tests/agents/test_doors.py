"""A stub of a language model plays through every door that is installed; smallcity_bench.doors plays more."""

import pytest

from smallcity_bench.doors import DOORS, measured


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.filterwarnings("ignore")  # warnings of other people's libraries
def test_a_stub_plays_through_a_door(door: str) -> None:
    if DOORS[door][0]:
        pytest.importorskip(DOORS[door][0])
    passed = measured(door, 2)
    assert passed.questions > 40 and 0 < passed.illegal < passed.questions
