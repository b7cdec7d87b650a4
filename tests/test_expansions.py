"""Expansions: what their files declare is what the tables hold, and moments call those in play."""

import pytest

from smallcity_env import MODULES
from smallcity_env.rules import actions
from smallcity_env.rules.modules import moments
from smallcity_env.rules.phases import QUESTION
from smallcity_env.rules.tables import Ask, Card
from smallcity_env.rules.tables.modules import CARDS, EXPANSIONS
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import ROWS
from tests.interpreter import PLAIN, run_python


@pytest.mark.parametrize("module", MODULES)
def test_what_is_read_first_is_what_the_file_declares(module: str) -> None:
    declared = EXPANSIONS[module]
    assert declared == moments.FILES[module].EXPANSION
    assert all(Ask[name] in QUESTION for name in declared.questions)
    assert {tile.kind.name for tile in ROWS if tile.module == module} == {t.kind for t in declared.tiles}
    assert all(BY_NUMBER[card.number].module == module for card in declared.promises)


def test_a_card_is_taken_by_its_own_id() -> None:
    assert set(CARDS) == {"PHYSICIAN", "ARTIST"}
    for card in (card for card in Card if card):
        assert actions.CARD_OF[actions.CARD_ID[card]] == card
        assert actions.name(int(actions.CARD_ID[card])) == f"card {card.name.lower()}"


LISTENING = """
from types import SimpleNamespace as Some
from smallcity_env.rules.modules import moments

moments.FILES = {
    "doctors": Some(told=lambda s, x: s.heard.append("doctors"), n=lambda s, x: x, left=lambda s, x: x - 1),
    "mayor": Some(told=lambda s, x: s.heard.append("mayor"), n=lambda s, x: x, left=lambda s, x: x * 2),
    "godzillas": Some(),
}
for doctors, mayor in ((1, 1), (0, 1), (1, 0), (0, 0)):
    s = Some(rules=Some(doctors=doctors, mayor=mayor), heard=[])
    moments.event("told", "s, x")(s, 5)
    tell, count = moments.one_by_one("told", "s, x")
    tell(s, 5, 1)
    added, left = moments.total("n", "s, x"), moments.narrowed("left", "s, x")
    print(*s.heard, count, added(s, 5), left(s, 5), moments.allowed("n", "s, x")(s, 0))
"""


def test_a_moment_calls_the_expansions_in_play_in_order() -> None:
    assert run_python("-c", LISTENING, env=PLAIN).splitlines() == [
        "doctors mayor mayor 2 10 8 0",
        "mayor mayor 2 5 10 0",
        "doctors 2 5 4 0",
        "2 0 5 True",
    ]
