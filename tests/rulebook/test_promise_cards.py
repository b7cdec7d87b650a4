"""New promise cards: which promises the modules bring (PC1), and what theirs ask for (section 13)."""

from functools import cache
from typing import Any

import pytest

from smallcity_env import Config, ConfigError, Game
from tests.rulebook.words import play
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"
BASE = {6: {1, 2, 3, 4, 5, 6}, 12: {7, 9, 10, 11, 12, 13}, 18: {8, 14, 15, 16}}
SPECIAL = {
    "votes": {17, 18, 19, 20},
    "economics": {21, 22, 23, 24},
    "population": {25, 26, 27, 28},
    "culture": {29, 30, 31, 32},
}
NEW_SPECIAL = {39, 40, 41, 42}
BUILDINGS, CARDS = ("new_buildings",), ("new_buildings", "promise_cards")


@cache
def drawn(modules: tuple[str, ...], worth: int, victory: str = "votes", advanced: bool = False) -> Any:
    """Promises and special promises that are dealt in 120 games of one player."""
    promises, special = set(), set()
    for seed in range(120):
        game = Game(Config(1, modules=modules, victory=victory, advanced=advanced), seed=seed)
        play(game, "at A1", f"promise {worth}")
        promises.add(int(game.state.borough[0].promise))
        special.add(int(game.state.borough[0].special))
    return promises, special


def test_PC1_needs_the_new_buildings() -> None:
    """PC1: the cards ask for them."""
    with pytest.raises(ConfigError, match="new_buildings"):
        Config(2, modules=("promise_cards",))
    Config(2, modules=CARDS)


@pytest.mark.parametrize(
    ("modules", "new"),
    [
        ((), {6: set(), 12: set(), 18: set()}),
        (BUILDINGS, {6: {34, 36}, 12: {33, 35}, 18: set()}),
        (("power_plants",), {6: {37}, 12: {38}, 18: set()}),
        (CARDS, {6: {34, 36}, 12: {33, 35}, 18: set()}),
    ],
)
@pytest.mark.parametrize("worth", [6, 12, 18])
def test_PC1_ordinary_promises(modules: tuple[str, ...], new: dict[int, set[int]], worth: int) -> None:
    """PC1, section 13: 33-36 come with the New Buildings, 37-38 with the Power Plants, by their worth."""
    assert drawn(modules, worth)[0] == BASE[worth] | new[worth]


@pytest.mark.parametrize("victory", SPECIAL)
def test_PC1_the_new_special_promises_join_those_of_every_condition(victory: str) -> None:
    """PC1, AD1: 39-42 with the New Promise Cards, never without."""
    assert drawn(BUILDINGS, 6, victory, True)[1] == SPECIAL[victory]
    assert drawn(CARDS, 6, victory, True)[1] == SPECIAL[victory] | NEW_SPECIAL


def test_PC1_without_the_advanced_game_it_changes_nothing() -> None:
    """PC1: no special promise is dealt; the ordinary ones are those of the New Buildings."""
    for worth in (6, 12, 18):
        assert drawn(CARDS, worth) == drawn(BUILDINGS, worth)
        assert drawn(CARDS, worth)[1] == {0}


AIRPORT = "A9 A9 A9\nA9 A9 A9\nA9 A9 A9\n"
LONG = "A8 A8 A8 A8\nA8 A8 A8 A8\n"
BANK = "Ba Ba\nBa Ba\n"
RECYCLING = "Rc Rc Rc\nRc . .\n"
TRAM = "Tr Tr Tr Tr Tr\n"


@pytest.mark.parametrize(
    ("number", "kept", "broken"),
    [
        pytest.param(33, AIRPORT, BANK, id="Airport"),
        pytest.param(33, LONG, "", id="Airport of the other size"),
        pytest.param(34, BANK, TRAM, id="Bank"),
        pytest.param(35, RECYCLING, AIRPORT, id="Recycling"),
        pytest.param(36, TRAM, RECYCLING, id="Tramway"),
        pytest.param(39, AIRPORT + "F3 F3 F3", AIRPORT + "F2 F2 . F1", id="Hub"),
        pytest.param(39, LONG + "F3 F3 F3", "F3 F3 F3", id="Hub needs both"),
        pytest.param(40, BANK + "C4 C4 C4 C4 C2 C2", BANK + "C4 C4 C4 C4 C1", id="Trust: six spaces"),
        pytest.param(40, BANK + "C3 C3 C3 C1 C1 C1", "C4 C4 C4 C4 C2 C2", id="Trust needs both"),
    ],
)
def test_section_13_promises_of_the_new_buildings(number: int, kept: str, broken: str) -> None:
    """Section 13, 33-40: fulfilled and broken."""
    assert (keeps(number, kept), keeps(number, broken)) == (True, False)


@pytest.mark.parametrize(("pollution", "kept"), [(30, True), (31, False)])
def test_section_13_zero_waste(pollution: int, kept: bool) -> None:
    """Section 13, 41: a Recycling Center and a pollution of at most 30."""
    assert keeps(41, RECYCLING, pollution=pollution) is kept
    assert not keeps(41, BANK, pollution=0)


@pytest.mark.parametrize(("riders", "kept"), [([3], True), ([2], False), ([2, 1], False), ([4, 1], True)])
def test_section_13_terminus(riders: list[int], kept: bool) -> None:
    """Section 13, 42: three citizens on the Tramway Station, your own."""
    assert keeps(42, TRAM, riders=riders) is kept


@pytest.mark.parametrize(("plants", "kept"), [([1, 1, 1], True), ([3], True), ([1, 1], False)])
def test_section_13_grid(plants: list[int], kept: bool) -> None:
    """Section 13, 37: three plants of any level."""
    assert keeps(37, "", plants=plants) is kept


@pytest.mark.parametrize(("powered", "kept"), [("ABCDEFG", True), ("ABCDEFGHIJ", True), ("ABCDEF", False)])
def test_section_13_reactor(powered: str, kept: bool) -> None:
    """Section 13, 38: seven powered columns."""
    assert keeps(38, "", powered=powered) is kept


def keeps(number: int, picture: str, **given: Any) -> bool:
    """Whether the score says that a promise is kept, compared with having none."""
    special = number in NEW_SPECIAL
    given |= {"modules": ["new_buildings", "promise_cards", "power_plants"], "advanced": True}
    scores = []
    for promise in (0, number):
        held = {"special" if special else "promise": promise}
        game = scene(picture, HALL, phase="council", money={1: 1}, **held, **given)
        scores.append(game.scores()[0])
    gain = scores[1] - scores[0]
    assert gain in ((10, -3) if special else (6, -2))
    return gain > 0
