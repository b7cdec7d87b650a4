"""Section 5: the criteria of new tiles (P2.5, P2.7, P2.8, P2.10)."""

import pytest

from tests.rulebook.laying import assert_starts, layouts, starts, stocked
from tests.rulebook.places import PUBLIC
from tests.rulebook.words import offered
from tests.scene import scene

COURT = """
    .  .  .  .  .  .  .
    .  Li Li Sc Me Me .
    .  Po .  .  .  Cl .
    .  Po .  .  .  Cl .
    .  .  .  .  .  Cl .
    """
NOT_PUBLIC = {"Sc": "P1", "Li": "P2a", "Me": "P2b", "Po": "P2c", "Cl": "C3"}


def court(public: int) -> str:
    """The court with N public buildings around it, and other tiles in place of the rest."""
    drawn = COURT
    for name in list(NOT_PUBLIC)[public:]:
        drawn = drawn.replace(name, NOT_PUBLIC[name])
    return drawn


# -- P2.5


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_P2_5_residential_n_needs_n_public_buildings(level: int) -> None:
    for public in range(6):
        game = scene(court(public), "", money={0: 5, 1: 5})
        assert game.seat == 0
        assert (f"build residential-{level}" in offered(game)) == (public >= level)


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_P2_5_one_that_is_far_away_does_not_count(level: int) -> None:
    """P2.5: one too few around the court, and City Hall in the last corner."""
    far = "\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . . Hl Hl\n. . . . . . . . Hl Hl"
    game = scene(court(level - 1).rstrip() + far, "", money={0: 5, 1: 5})
    assert "J8" in starts(game, "build residential-1")
    assert f"build residential-{level - 1}" in offered(game)
    assert f"build residential-{level}" not in offered(game)


def test_P2_5_different_buildings_not_spaces_of_one() -> None:
    game = scene(". . . .\n. Un Un .\n. Un Un .", money=5)
    assert "build residential-1" in offered(game)
    assert "build residential-2" not in offered(game)


def test_P2_5_each_must_influence_the_tile() -> None:
    """P2.5: School and City Hall lie two spaces apart; only one tile reaches both."""
    game = scene("P1 P1 P1 P1 P1 P1\nHl Hl . . Sc .\nHl Hl P1 P1 P1 P1\nP1 P1 P1 P1", money=2)
    assert layouts(game, "build residential-2") == {"C2 D2"}
    assert starts(game, "build residential-1") == {"C2", "D2", "F2"}


def test_P2_5_not_influenced_by_a_factory() -> None:
    game = scene(". . . . .\n. Hl Hl . .\n. Hl Hl . F1", money=1)
    assert_starts(
        game,
        "build residential-1",
        """
        o o  o  o .  .
        o Hl Hl . .  .
        o Hl Hl . F1 .
        o o  o  . .  .
        """,
    )


def test_P2_5_not_with_any_of_its_spaces() -> None:
    """P2.5: one space nearer, and the factory influences C1: a level 1 on B1 is still possible."""
    far = scene("Sc . . . F1\nPo P1 P1 P1 P1\nPo P1 P1", money=2)
    assert layouts(far, "build residential-2") == {"B1 C1"}
    near = scene("Sc . . F1 .\nPo P1 P1 P1 P1\nPo P1 P1", money=2)
    assert starts(near, "build residential-1") == {"B1", "A4", "B4"}
    assert "build residential-2" not in offered(near)


@pytest.mark.parametrize("neighbour", ["Re", "P1", "C1", "R1", "Wa", "Ha"])
def test_P2_5_other_neighbours_do_not_matter(neighbour: str) -> None:
    drawn = {"Wa": ". . Wa Wa\nSc .", "Ha": ". . Ha Ha\nSc . Ha Ha"}
    game = scene(drawn.get(neighbour, f". . {neighbour}\nSc ."), money=1)
    assert {"A1", "B1", "B2"} <= starts(game, "build residential-1")


# -- P2.7


@pytest.mark.parametrize("level", [1, 2, 3, 4])
@pytest.mark.parametrize("homes", [0, 1, 2, 3, 4])
def test_P2_7_commercial_n_needs_n_residential_tiles(level: int, homes: int) -> None:
    row = ["R1"] * homes + ["P1"] * (4 - homes)
    game = scene(" ".join(row), "", money={0: 8, 1: 2})
    assert game.seat == 0
    assert (f"build commercial-{level}" in offered(game)) == (homes >= level)


@pytest.mark.parametrize("level", [2, 3, 4])
def test_P2_7_one_that_is_far_away_does_not_count(level: int) -> None:
    near = " ".join(["R1"] * (level - 1))
    game = scene(near + "\n." * 8 + "\n. . . . . . . . . R1", "", money={0: 8, 1: 2})
    assert "J9" in starts(game, "build commercial-1")
    assert f"build commercial-{level - 1}" in offered(game)
    assert f"build commercial-{level}" not in offered(game)


def test_P2_7_different_tiles_whatever_their_level() -> None:
    """P2.7: a level 5 is one tile; with a level 2 beside it there are two."""
    one = scene("R5 R5 .\nR5 R5 .\nR5 . .", money=8)
    assert "build commercial-1" in offered(one)
    assert "build commercial-2" not in offered(one)
    two = scene("R5 R5 . R2\nR5 R5 . R2\nR5 . .", money=8)
    assert "C1 C2" in layouts(two, "build commercial-2")
    assert "build commercial-3" not in offered(two)


def test_P2_7_each_must_influence_the_tile() -> None:
    game = scene("R1 . . R1 . . .\nP1 P1 P1 P1 P1", money=4)
    assert layouts(game, "build commercial-2") == {"B1 C1"}


def test_P2_7_only_residences_count_and_nothing_keeps_shops_away() -> None:
    assert "build commercial-1" not in offered(scene(PUBLIC, money=8))
    game = scene(". F1 .\nR1 . Hl Hl\n. . Hl Hl", money=2)
    assert_starts(game, "build commercial-1", "o F1 .\nR1 o Hl Hl\no o Hl Hl")


# -- P2.8


def test_P2_8_a_factory_is_not_influenced_by_a_residential_tile() -> None:
    game = scene(". . . .\n. . R2 R2", money=1)
    assert_starts(
        game,
        "build factory-1",
        """
        o . .  .  . o o
        o . R2 R2 . o o
        o . .  .  . o o
        o o o  o  o o o
        o o o  o  o o o
        o o o  o  o o o
        o o o  o  o o o
        """,
    )


def test_P2_8_not_with_any_of_its_spaces() -> None:
    game = scene("Re . . . R1 P1 P1\nP1 P1 P1 P1 P1 P1 P1\nP1 P1", money=2)
    assert layouts(game, "build factory-2") == {"B1 C1"}


def test_P2_8_other_neighbours_do_not_matter() -> None:
    game = scene(". C1 .\nHl Hl .\nHl Hl P1", money=1)
    assert {"A1", "C1", "C2", "D3"} <= starts(game, "build factory-1")


def factories(drawn: str) -> set[str]:
    """The levels of factories that can be built here."""
    levels = {f"build factory-{level}" for level in (1, 2, 3)}
    return {name.removeprefix("build ") for name in offered(scene(drawn, money=3)) & levels}


def test_P2_8_level_2_needs_a_refinery_and_level_3_a_harbor_too() -> None:
    assert factories(".") == {"factory-1"}
    assert factories("Ha Ha\nHa Ha") == {"factory-1"}
    assert factories("Re") == {"factory-1", "factory-2"}
    assert factories("Re . Ha Ha\n. . Ha Ha") == {"factory-1", "factory-2", "factory-3"}


def test_P2_8_they_must_influence_the_factory() -> None:
    """P2.8: the Harbor is one space too far from the Refinery for a line of three."""
    assert factories("Re . . . . Ha Ha\n. . . . . Ha Ha") == {"factory-1", "factory-2"}
    game = scene("Re . . . Ha Ha P1\nP1 P1 P1 P1 Ha Ha P1\nP1 P1 P1 P1 P1 P1 P1", money=3)
    assert layouts(game, "build factory-3") == {"B1 C1 D1"}
    assert layouts(game, "build factory-2") == {"B1 C1"}


# -- P2.10


@pytest.mark.parametrize("what", ["build refinery", "build warehouse"])
def test_P2_10_warehouse_and_refinery_are_influenced_by_a_factory(what: str) -> None:
    assert what not in offered(scene("C1 P1\nRe R1", money=2, supply={"refinery": 3}))
    assert what in offered(scene("F1", money=2))


def test_P2_10_a_refinery_lies_around_a_factory() -> None:
    game = scene(". . . .\n. F2 F2 .", money=2)
    assert_starts(game, "build refinery", "o o o o\no F2 F2 o\no o o o")


def test_P2_10_a_warehouse_touches_the_area_with_one_space() -> None:
    game = scene("F1 . . P1\nP1 P1 . P1\nP1 P1 . P1\nP1 P1 P1 P1", money=2)
    assert layouts(game, "build warehouse") == {"B1 C1"}
    assert "C1 C2" in layouts(scene("F2 F2 .\nP1 P1 .", money=2), "build warehouse")


def test_P2_10_a_harbor_touches_the_outer_edge() -> None:
    game = scene("", money=3)
    edge = {"A", "G", "1", "7"}
    harbors = layouts(game, "build harbor")
    assert all(edge & set("".join(layout.split())) for layout in harbors)
    assert {"A1 B1 A2 B2", "F6 G6 F7 G7", "A3 B3 A4 B4", "D6 E6 D7 E7"} <= harbors
    assert "B2 C2 B3 C3" not in harbors
    assert len(harbors) == 20


def test_P2_10_police_and_fire_are_not_built_in_phase_2() -> None:
    game = scene(stocked("Hl Hl\nHl Hl", "wsmm"), "", money=20, votes=20)
    assert not {"build police", "build fire"} & offered(game)
    assert {"build university", "build harbor"} <= offered(game)
