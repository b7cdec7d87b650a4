"""New action cards: eight of ten lie open each round; Physician and Artist (AC1 - AC3)."""

from itertools import combinations
from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables.cards import CARD_NAMES
from tests.rulebook.cities import drawn
from tests.rulebook.words import idle_to, materials, offered, play
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"
ALL = {f"card {name}" for name in CARD_NAMES.values()}
NEW = {"card physician", "card artist"}
MODULES = ["action_cards"]


# -- AC1


def laid_out(seed: int, modules: list[str]) -> Game:
    """A solo game as its first player chooses a card."""
    return scene(HALL, phase="select", modules=modules, seed=seed)


def test_AC1_eight_of_ten_are_laid_out() -> None:
    """AC1: any two may be missing; all that lie there are open and can be taken (section 17)."""
    missing = set()
    for seed in range(500):
        cards = offered(laid_out(seed, MODULES))
        assert cards <= ALL
        assert len(cards) == 8
        missing.add(frozenset(ALL - cards))
    assert missing == {frozenset(pair) for pair in combinations(ALL, 2)}


def test_AC1_without_the_module_the_eight_of_the_base_game() -> None:
    """P1.2: neither Physician nor Artist."""
    assert offered(laid_out(1, [])) == ALL - NEW


def test_AC1_at_the_start_of_every_phase_1() -> None:
    """AC1: all ten are shuffled again, the ones taken and the ones left out too."""
    seen = []
    for seed in range(6):
        game = laid_out(seed, MODULES)
        seen.append([offered(game)])
        for round_no in (2, 3):
            seen[-1].append(offered(idle_to(game, "select", round=round_no)))
    assert all(len(cards) == 8 for game in seen for cards in game)
    assert any(first != second for first, second, _ in seen)
    assert any(second != third for _, second, third in seen)


def test_AC1_one_card_one_player() -> None:
    """AC1, P1.2: the next player finds the seven left."""
    game = play(scene(HALL, HALL, phase="select", modules=MODULES), "at C1", "way 1")
    cards = offered(game)
    taken = min(cards & ({"card opponent", "card architect", "card mediator"}))
    assert offered(play(game, taken)) == cards - {taken}


# -- AC2 and AC3


def votes(picture: str, card: str, other: str = HALL, **given: Any) -> int:
    """Seat 0's votes after Phase 5, with this card; $1 makes the game stop in Phase 7."""
    fields: dict[str, Any] = {"card": card, "modules": MODULES, "money": 1, **given}
    return int(scene(picture, other, phase="vote", **fields).state.borough[0].votes)


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        pytest.param("F3:0! F3:0! F3:0!", 6, id="three workers"),
        pytest.param("F3:0! F3 F3", 2, id="one"),
        pytest.param("F3:0 F3:0! F3", 2, id="who did not work gives none"),
        pytest.param("F2:0! F2:0! . F1:0!", 0, id="smaller factories"),
        pytest.param("F3a:0! F3a F3a\n. . .\nF3b:0! F3b F3b", 4, id="in each of his level-3 factories"),
        pytest.param("F3:1! F3 F3", 0, id="a Tourist in them"),
        pytest.param("F3:0! F3:* F3", 2, id="beside a marker"),
        pytest.param("Mu:0! Mu\nMu .", 0, id="the Museum is the Artist's"),
    ],
)
def test_AC2_physician(picture: str, expected: int) -> None:
    """AC2: 2 votes for each of your citizens who worked in your level-3 factories."""
    given = {"modules": ["action_cards", "godzillas"]}
    assert votes(picture, "physician", **given) == expected
    assert votes(picture, "opponent", **given) == 0


@pytest.mark.parametrize(
    ("picture", "expected"),
    [
        pytest.param("Mu:0! Mu:0!\nMu:0! .", 6, id="three guests"),
        pytest.param("Mu:0! Mu:0\nMu .", 2, id="who was there before gives none"),
        pytest.param("Mu:1! Mu\nMu .", 0, id="a Tourist"),
        pytest.param("F3:0! F3:0! F3:0!", 0, id="factories are the Physician's"),
        pytest.param("Cl:0! Cl Cl", 0, id="no other building"),
    ],
)
def test_AC3_artist(picture: str, expected: int) -> None:
    """AC3: 2 votes for each of your citizens who worked in your Museum."""
    assert votes(picture, "artist") == expected
    assert votes(picture, "opponent") == 0


@pytest.mark.parametrize(("card", "abroad"), [("physician", "F3:0! F3 F3"), ("artist", "Mu:0! Mu\nMu .")])
def test_AC2_AC3_only_in_your_own_borough(card: str, abroad: str) -> None:
    """AC2, AC3: your Tourists at work abroad give none, to nobody; only who took the card has votes."""
    assert votes(HALL, card, abroad) == 0
    home = abroad.replace("0", "1")
    game = scene(HALL, home, phase="vote", card=card, modules=MODULES, money=1)
    assert list(game.state.borough["votes"][:2]) == [0, 0]


def test_AC2_besides_producing() -> None:
    """AC2: wood, stone and metal in Phase 4, then 6 votes in Phase 5, not before."""
    game = scene("F3:0! F3:0! F3:0! C2 C2:0!\nHl Hl\nHl:w Hl", HALL, phase="income", card="physician",
                 modules=MODULES, money=1)  # fmt: skip
    assert (game.ask.name, game.state.borough[0].votes) == ("TRADE", 0)
    play(game, "no")
    assert materials(game) == (2, 1, 1)
    assert idle_to(game, "council").state.borough[0].votes == 6


def test_AC2_for_one_round_only() -> None:
    """P1.2: in the next round the card is back."""
    game = scene("F3:0! F3 F3\nHl Hl\nHl Hl", HALL, phase="vote", card="physician", modules=MODULES, money=1)
    assert idle_to(game, "council", round=2).state.borough[0].votes == 2


def test_AC2_AC3_for_a_pilgrim_too() -> None:
    """AC3, AS9: in Ulaanbaatar the Pilgrim counts as one of yours."""
    museum = {"A1": "Mu:1!", "B1": "Mu", "A2": "Mu"}
    given: dict[str, Any] = {"pilgrim": "A1", "pilgrim_of": 1, "boards": ["ulaanbaatar", "base-easy"]}
    assert votes(drawn("ulaanbaatar", **museum), "artist", **given) == 2
