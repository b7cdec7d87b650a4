"""A little of every fuzzer with the other tests; `make fuzz` tries much more."""

import pytest

from .__main__ import AREAS, attempt_of, numbered

INPUTS = 150


@pytest.mark.filterwarnings("ignore:.*unknown reset option")  # PettingZoo wants a warning there
@pytest.mark.parametrize("area", AREAS)
def test_what_comes_from_outside_is_used_rightly_or_refused_in_a_sentence(area: str) -> None:
    for library in ("torch", "starlette", "httpx2", "mcp"):
        pytest.importorskip(library)
    attempt = attempt_of(area)
    for number in range(INPUTS):
        attempt(numbered(area, number))
