"""The number of ways the next decisions can go is as recorded."""

import json

import pytest

from tests.perft_counts import DATA, POSITIONS, perft, start

COUNTS = json.loads(DATA.read_text()) if DATA.exists() else {}


@pytest.mark.parametrize("name", POSITIONS)
def test_the_leaves_at_each_depth_are_as_recorded(name: str) -> None:
    config, answers, depth = POSITIONS[name]
    assert perft(start(config, answers), depth) == COUNTS[name]
