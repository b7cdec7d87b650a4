"""Section 13: every promise, fulfilled exactly at its threshold and broken just below it."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from smallcity_env.rules.tables.promises import BY_NUMBER
from tests.rulebook.words import offered, play
from tests.scene import scene

MODULES = ["godzillas", "new_buildings", "power_plants", "promise_cards"]
HALL = "Hl Hl\nHl Hl"


class Case(NamedTuple):
    """A borough, and what belongs to it but is not drawn."""

    drawn: str = ""
    given: dict[str, Any] = {}  # noqa: RUF012 a NamedTuple has no field factories, nobody changes it


def case(drawn: str = "", **given: Any) -> Case:
    return Case(drawn, given)


def score(position: Case, boards: Iterable[str] = ("base-easy", "base-easy"), **given: Any) -> int:
    """The score of seat 0 at the end of the last round."""
    modules = {"modules": MODULES, **position.given, **given}
    game = scene(position.drawn, "", phase="visit", round=9, boards=boards, **modules)
    assert game.over
    return game.scores()[0]


def gains(number: int, position: Case, **given: Any) -> int:
    """What a promise adds to the score."""
    worth = BY_NUMBER[number].worth
    name = "special" if BY_NUMBER[number].special else "promise"
    card: dict[str, Any] = {name: number, "difficulty": {6: 0, 12: 1, 18: 2}.get(worth, 0)}
    return score(position, **card, **given) - score(position, **given)


SIX_PARKS = "P3a P3a P3b P3b\nP3a .   P3b ."
FOUR_SHOPS = "C4a C4a C4a C4a"
AIRPORT = "A9 A9 A9\nA9 A9 A9\nA9 A9 A9"
BANK = "Ba Ba\nBa Ba"
RECYCLING = "Rc Rc Rc\nRc .  ."
TRAM = "Tr Tr Tr Tr Tr"
FIFTY = """
R4a R4a R4b R4b R4c R4c R2a
R4a R4a R4b R4b R4c R4c R2a
R4d R4d R4e R4e R4f R4f R2b
R4d R4d R4e R4e R4f R4f R2b
Hl  Hl  F3a F3a F3a C1  R2c
Hl  Hl  C3  C3  C3  P1  R2c
C4  C4  C4  C4  F3b F3b F3b
{}
"""

TABLE = [
    # number, worth, broken, fulfilled, not fulfilled
    (1, 6, -2, [case(pollution=10)], [case(pollution=11)]),
    (2, 6, -2, [case(SIX_PARKS)], [case("P3 P3 P2 P2\nP3"), case(SIX_PARKS.replace("P3b .", "P3b:* ."))]),
    (3, 6, -2, [case("Sc Li Li")], [case("Sc"), case("Li Li")]),
    (4, 6, -2, [case("R4a R4a R4b R4b\nR4a R4a R4b R4b")], [case("R5 R5 R2 R2\nR5 R5\nR5")]),
    (5, 6, -2, [case(money=12)], [case(money=11)]),
    (6, 6, -2, [case("Hl:0 Hl:0 R2:0 R2:0\nHl:0 Hl C1:0 F1:0")], [case("Hl:0 Hl:0 R2:0 R2:0\nHl:0 Hl C1:0")]),
    (7, 12, -4, [case("F3 F3 F3\nF2 F2 F1")], [case("F3 F3 F3\nF2 F2 C1")]),
    (9, 12, -4, [case("C4 C4 C4 C4\nC3 C3 C3 C1")], [case("C4 C4 C4 C4\nC3 C3 C3 F1")]),
    (10, 12, -4, [case("Sc Li Li Me Me\nMu Mu\nMu")], [case("Sc Li Li Me Me\nPo Po Hl Hl\n. . Hl Hl")]),
    (11, 12, -4, [case("R4 R4\nR4 R4"), case("R4 R4 R4\nR4"), case("R5 R5\nR5 R5\nR5")], [case("R3 R3\nR3")]),
    (12, 12, -4, [case("Hl:w Hl:s Wa:m Wa:m\nHl:w Hl:0")], [case("Hl:w Hl:s Wa:m Wa:m\nHl:0 Hl:0")]),
    (13, 12, -4,
     [case("Hl:0 Hl:0 R2:0 R2:0\nHl:0 Hl:0 C1:0 F1:0")],
     [case("Hl:0 Hl:0 R2:0 R2:0\nHl:0 Hl:0 C1:0"), case("Hl:0 Hl:0 R2:0 R2:0\nHl:0 Hl:0 C1:0 F1:0 .:+")]),
    (14, 18, -6, [case("R5 R5\nR5 R5\nR5")], [case("R4 R4\nR4 R4")]),
    (15, 18, -6, [case(FIFTY.format("P1"))], [case(FIFTY.format("."))]),
    (16, 18, -6, [case(votes=60, pollution=30)],
     [case(votes=59, pollution=30), case(votes=60, pollution=31)]),
    (17, 10, -3, [case(votes=40)], [case(votes=39)]),
    (18, 10, -3, [case(votes=50)], [case(votes=49)]),
    (19, 10, -3, [case(votes=60)], [case(votes=59)]),
    (20, 10, -3, [case(votes=70)], [case(votes=69)]),
    (21, 10, -3, [case(money=20)], [case(money=19)]),
    (22, 10, -3, [case("C4a C4a C4a C4a C2 C2\nC4b C4b C4b C4b")],
     [case("C4a C4a C4a C4a C1\nC4b C4b C4b C4b")]),
    (23, 10, -3, [case("F3a F3a F3a F2 F2\nF3b F3b F3b")], [case("F3a F3a F3a F1\nF3b F3b F3b")]),
    (24, 10, -3, [case("Hl:w Hl:s Wa:m Wa:m\nHl:w Hl:w")], [case("Hl:w Hl:s Wa:m Wa:m\nHl:w Hl:0")]),
    (25, 10, -3,
     [case("Hl:0 Hl:0 R2a:0 R2a:0 R2c:0 R2c:0\nHl:0 Hl:0 R2b:0 R2b:0 C2:0 C2:0")],
     [case("Hl:0 Hl:0 R2a:0 R2a:0 R2c:0 R2c:0\nHl:0 Hl:0 R2b:0 R2b:0 C2:0 C2:1")]),
    (26, 10, -3, [case("R5a R5a R5b R5b R4 R4\nR5a R5a R5b R5b R4 R4\nR5a . R5b")],
     [case("R5a R5a R5b R5b R3 R3\nR5a R5a R5b R5b R3\nR5a . R5b")]),
    (27, 10, -3, [case("R3a R3a R3b R3b\nR3a . R3b"), case("R3 R3 R5 R5\nR3 . R5 R5\n. . R5")],
     [case("R3 R3 R2 R2\nR3 R1"), case("R5 R5\nR5 R5\nR5")]),
    (28, 10, -3, [case("R1:0")], [case("R1:0 .:+")]),
    (29, 10, -3, [case("Un Un\nUn Un")], [case("Sc Li Li")]),
    (30, 10, -3, [case("Mu:0 Mu\nMu:0 .")], [case("Mu:0 Mu\nMu ."), case("Mu:0 Mu:1\nMu:1 .")]),
    (31, 10, -3, [case("Sc Li Li Me Me\nMu Mu Cl Cl Cl\nMu Un Un\n. Un Un")],
     [case("Sc Li Li Me Me\nMu Mu Cl Cl Cl\nMu Po Po\nFi Fi\nFi")]),
    (32, 10, -3, [case("Po Po Fi Fi\n. . Fi")], [case("Po Po"), case("Fi Fi\nFi")]),
    (33, 12, -4, [case(AIRPORT), case("A8 A8 A8 A8\nA8 A8 A8 A8")], [case("F1")]),
    (34, 6, -2, [case(BANK)], [case(FOUR_SHOPS)]),
    (35, 12, -4, [case(RECYCLING)], [case(SIX_PARKS)]),
    (36, 6, -2, [case(TRAM)], [case("Me Me")]),
    (37, 6, -2, [case(plants=[1, 1, 1], powered="ABCDEF"), case(plants=[3], powered="ABC")],
     [case(plants=[1, 1], powered="ABC"), case(plants=[0, 0, 2], powered="ABCDEF")]),
    (38, 12, -4, [case(plants=[1, 0, 2], powered="ABCDEFG"), case(plants=[1, 0, 2], powered="ABCEFGJ")],
     [case(plants=[0, 0, 2], powered="ABCDEF")]),
    (39, 10, -3, [case(f"{AIRPORT}\nF3 F3 F3"), case("A8 A8 A8 A8\nA8 A8 A8 A8\nF3 F3 F3")],
     [case(f"{AIRPORT}\nF2 F2 F1"), case("F3 F3 F3")]),
    (40, 10, -3, [case(f"{BANK}\n{FOUR_SHOPS} C2 C2")],
     [case(f"{BANK}\n{FOUR_SHOPS} C1"), case(f"{FOUR_SHOPS} C2 C2")]),
    (41, 10, -3, [case(RECYCLING, pollution=30)], [case(RECYCLING, pollution=31), case("P1", pollution=0)]),
    (42, 10, -3, [case(TRAM, riders=[3])], [case(TRAM, riders=[2, 1])]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "worth", "broken", "kept", "missed"),
    TABLE,
    ids=[f"{number} {BY_NUMBER[number].name}" for number, *_ in TABLE],
)
def test_promise(number: int, worth: int, broken: int, kept: list[Case], missed: list[Case]) -> None:
    """Section 13 and E1: plus its worth, or minus what a broken one costs."""
    for position in kept:
        assert gains(number, position) == worth, position
    for position in missed:
        assert gains(number, position) == broken, position


def test_every_promise_is_in_the_table() -> None:
    assert {number for number, *_ in TABLE} | {8} == set(range(1, 43))


# -- 8: 7 x 7

FULL = "\n".join(["P1 P1 P1 P1 P1 P1 P1"] * 6 + ["P1 P1 P1 P1 P1 P1 {}"])


@pytest.mark.parametrize(
    ("corner", "due"),
    [
        ("P1", 18),
        (".", -6),
        (".:+", -6),  # a cemetery is no tile
        (".:s", -6),
        (".:*", 18),  # ruined: not constructible
        (".:+*", -6),  # but a grave was there before
        ("P1:*", 18),
    ],
)
def test_promise_8_every_space_of_the_first_7_x_7_has_a_tile(corner: str, due: int) -> None:
    assert gains(8, case(FULL.format(corner))) == due


def test_promise_8_nor_under_a_godzilla() -> None:
    drawn = FULL.replace("{}", ".:Z").rsplit("P1", 1)
    assert gains(8, case(".:Z".join(drawn))) == 18
    grave = FULL.replace("{}", ".:+Z").rsplit("P1", 1)
    assert gains(8, case("P1:Z".join(grave))) == -6


def test_promise_8_a_larger_zone_asks_for_no_more() -> None:
    assert gains(8, case(FULL.format("P1")), size=10) == 18
    assert gains(8, case(FULL.format(".")), size=10) == -6


def test_promise_8_waste_and_mountains_are_not_in_the_zone() -> None:
    rows = FULL.format("P1").splitlines()
    rows[0], rows[3], rows[6] = "P1 P1 P1 x P1 P1 P1", "x P1 P1 P1 P1 P1 x", "P1 P1 P1 x P1 P1 P1"
    boards = ("base-expert", "base-easy")
    assert gains(8, case("\n".join(rows)), boards=boards) == 18
    rows[0] = "P1 P1 . x P1 P1 P1"
    assert gains(8, case("\n".join(rows)), boards=boards) == -6


def test_promise_8_river_spaces_are_exempt() -> None:
    river = """
    P1 P1 P1 P1 ~  P1 P1
    P1 P1 P1 P1 ~  P1 P1
    P1 P1 P1 ~  ~  P1 P1
    P1 P1 P1 ~  P1 P1 P1
    P1 P1 P1 ~  P1 P1 P1
    P1 P1 P1 ~  P1 P1 P1
    P1 P1 P1 {}  ~  P1 P1
    """
    boards = ("river-easy", "base-easy")
    assert gains(8, case(river.format("P1")), boards=boards) == 18
    assert gains(8, case(river.format(".")), boards=boards) == -6


# -- which promises are dealt

PILES = {
    6: {1, 2, 3, 4, 5, 6},
    12: {7, 9, 10, 11, 12, 13},
    18: {8, 14, 15, 16},
}


def dealt(difficulty: int, **given: Any) -> set[int]:
    """Every promise drawn of a difficulty over many deals; two players never draw the same one."""
    promises = set()
    for seed in range(60):
        game = scene(HALL, HALL, phase="setup", seed=seed, **given)
        play(game, f"promise {difficulty}", f"promise {difficulty}")
        numbers = [int(game.state.borough[p].promise) for p in (0, 1)]
        assert numbers[0] != numbers[1]
        promises |= set(numbers)
    return promises


@pytest.mark.parametrize(
    ("modules", "more"),
    [
        ([], {}),
        (["new_buildings"], {6: {34, 36}, 12: {33, 35}}),
        (["power_plants"], {6: {37}, 12: {38}}),
        (["new_buildings", "promise_cards"], {6: {34, 36}, 12: {33, 35}}),
        (["new_buildings", "power_plants"], {6: {34, 36, 37}, 12: {33, 35, 38}}),
        (["godzillas", "doctors", "mayor", "action_cards", "real_buildings"], {}),
    ],
)
def test_promises_are_dealt_by_worth_with_those_of_the_modules_in_play(
    modules: list[str], more: dict[int, set[int]]
) -> None:
    for difficulty, base in PILES.items():
        assert dealt(difficulty, modules=modules) == base | more.get(difficulty, set())


def test_special_promises_are_never_ordinary_ones() -> None:
    for difficulty, base in PILES.items():
        assert dealt(difficulty, advanced=True, victory="culture") == base


def test_the_worth_printed_on_every_promise() -> None:
    """What the score adds is the difficulty's; the card says the same."""
    for number, worth, *_ in TABLE:
        assert BY_NUMBER[number].worth == worth
    assert BY_NUMBER[8].worth == 18
    assert offered(scene(HALL, HALL, phase="setup")) == {"promise 6", "promise 12", "promise 18"}
