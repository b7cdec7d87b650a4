"""Terrain boards: mountains that give stones (TB3)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.words import asked, materials, offered, play, spaces
from tests.scene import assert_picture, scene

FLAT = "Hl Hl\nHl Hl"  # another borough, on plain ground


def income(*pictures: str, **given: Any) -> Game:
    """Phase 4, seat 0 on the easy mountain board; his $1 makes the game stop in Phase 7 at the latest."""
    boards = ["mountain-easy", *["base-easy"] * (len(pictures) - 1)]
    return scene(*pictures, boards=boards, phase="income", **{"money": 1, **given})


# -- TB3: who makes a stone, and where it lies


def test_TB3_a_worker_beside_a_mountain_also_makes_a_stone() -> None:
    """TB3: besides his wood; it must go on a plain space around the factory, the player's choice."""
    game = income("""
    .   F1:0!  ^
    .   .      ^   ^
    Hl  Hl
    Hl  Hl
    """, FLAT)  # fmt: skip
    assert game.ask.name == "STONE"
    assert offered(game) == {"at A1", "at A2", "at B2"}
    play(game, "at A2")
    assert_picture(game, 0, """
    .    F1:0!  ^
    .:s  .      ^   ^
    Hl:w Hl
    Hl   Hl
    """)  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "stones"),
    [
        pytest.param(". F1:0! ^", 1, id="beside it"),
        pytest.param(". . ^\n. . ^ ^\n. F1:0!", 0, id="diagonally is not beside"),
        pytest.param("F1:0! . ^", 0, id="one space between"),
        pytest.param(". F1:0 ^", 0, id="he did not work"),
        pytest.param(". F1 ^", 0, id="nobody there"),
        pytest.param("F2:0! F2 ^", 0, id="the other space of his factory is"),
        pytest.param("F2 F2:0! ^", 1, id="his space of the factory is"),
        pytest.param(". . ^ F1:0!\n. . ^ ^", 1, id="beside two of them"),
        pytest.param("\n".join(["."] * 6 + [". F1:0!"]), 1, id="B8 is outside the zone"),
        pytest.param(". C1:0! ^", 0, id="no factory"),
    ],
)
def test_TB3_who_makes_a_stone(picture: str, stones: int) -> None:
    """TB3: one who worked on a factory space adjacent to a mountain, anywhere on the map."""
    game = income(picture, FLAT)
    assert (game.ask.name == "STONE") == (stones == 1)
    if stones:
        game.step(int(game.legal()[0]))
    assert materials(game)[1] == stones
    assert game.phase.name == "COUNCIL"


def test_TB3_no_stone_on_other_boards() -> None:
    """TB3: the same place on a base board makes wood only."""
    game = scene(". F1:0!\n. .\nHl Hl\nHl Hl", FLAT, phase="income", money=1)
    assert materials(game) == (1, 0, 0)


def test_TB3_the_stone_lies_around_the_whole_factory() -> None:
    """TB3: in the Influence Area of the factory, not only around the worker's space."""
    game = income("""
    .   .      ^
    F2  F2:0!  ^  ^
    .   .      .
    """, FLAT)  # fmt: skip
    assert spaces(game) == {"A1", "B1", "A3", "B3", "C3"}


def test_TB3_only_on_empty_plain_spaces() -> None:
    """TB3, T8: not where there is the Mayor, a tile, a cemetery, a material or a marker; inside the zone."""
    game = income("""
    .:M  F2:0!  ^
    P1   F2     ^  ^
    .:+  .      .:s
    """, FLAT)  # fmt: skip
    assert_picture(game, 0, """
    .:M  F2:0!  ^
    P1   F2     ^  ^
    .:+  .:s    .:s
    """)  # fmt: skip
    edge = "\n".join(["."] * 6 + [".:* F1:0! .:Z .:Z"])  # row 8 is not in the zone
    assert spaces(income(edge, FLAT, modules=["godzillas"])) == {"A6", "B6", "C6"}


def test_TB3_without_room_it_is_lost() -> None:
    """TB3: it is not stored, however much room City Hall and Warehouse have."""
    game = income("""
    P1    F1:0!  ^
    Hl    Hl     ^   ^
    Hl    Hl     Wa  Wa
    """, FLAT)  # fmt: skip
    assert materials(play(game, "store warehouse")) == (1, 0, 0)
    assert game.phase.name == "COUNCIL"


def test_TB3_after_all_other_products() -> None:
    """TB3: the wood and the stone of the factory are stored first."""
    game = income("""
    F2:0!  F2:0!  ^
    .      .      ^  ^
    Hl     Hl
    Hl     Hl
    """, FLAT)  # fmt: skip
    assert game.ask.name == "STONE"
    assert materials(game) == (1, 1, 0)


def test_TB3_by_factory_space_in_reading_order() -> None:
    """TB3: D1's stone first, then C3's; what the first one takes is no longer empty for the second."""
    game = income("""
    P1  P1  ^      F1:0!  .
    P1  P1  ^      ^      .
    P1  P1  F1:0!  .      .
    P1  P1  P1     P1     P1
    """, FLAT)  # fmt: skip
    assert (asked(game)[1], spaces(game)) == ("D1", {"E1", "E2"})
    one_left = income("""
    P1  F1:0!  ^      P1
    P1  .      ^      ^
    P1  P1     F1:0!  P1
    P1  P1     P1     P1
    """, FLAT)  # fmt: skip
    assert materials(one_left) == (0, 1, 0)  # B1's lies on B2; C3's is lost


def test_TB3_one_stone_however_much_he_makes() -> None:
    """TB3, NB1: an Airport doubles his wood only; it all smokes as one."""
    game = income("""
    A8  A8  ^
    A8  A8  ^      ^
    A8  A8  F1:0!  .
    A8  A8
    Hl  Hl
    Hl  Hl
    """, FLAT, modules=["new_buildings"])  # fmt: skip
    assert materials(game) == (2, 0, 0)
    play(game, "at D3")
    assert (game.phase.name, materials(game)) == ("COUNCIL", (2, 1, 0))
    assert game.state.borough[0].pollution == 2  # one person, one product


def test_TB3_on_the_expert_side() -> None:
    """TB3: there B1, C1, C2 and D2 are mountains."""
    game = scene("F1:0! ^ ^\n. . ^ ^", FLAT, boards=["mountain-expert", "base-easy"], phase="income", money=1)
    assert spaces(game) == {"A2", "B2"}


# -- TB3: Tourists


def tourist(home: str, host: str, **given: Any) -> Game:
    """Phase 4 of seat 1, whose Tourist worked in the mountain borough of seat 0."""
    return income(host, home, **{"money": {0: 1, 1: 1}, "seat": 1, "host": 1, **given})


def test_TB3_a_tourists_stone_goes_to_a_warehouse_of_the_host() -> None:
    """TB3: his wood goes home, the stone must stay; not on the plain, though there is room."""
    game = tourist("Hl Hl\nHl Hl", """
    .   F1:1!  ^
    .   .      ^  ^
    Wa  Wa
    Hl  Hl
    Hl  Hl
    """)  # fmt: skip
    assert materials(game, 1) == (1, 0, 0)
    assert_picture(game, 0, """
    .    F1:1!  ^
    .    .      ^  ^
    Wa:s Wa
    Hl   Hl
    Hl   Hl
    """)  # fmt: skip


@pytest.mark.parametrize("warehouse", ["Wa:m Wa:m", "P1 P1"])
def test_TB3_a_tourists_stone_is_lost_without_a_warehouse_space(warehouse: str) -> None:
    """TB3: neither the plain nor the host's City Hall nor the Tourist's own takes it."""
    game = tourist("Hl Hl\nHl Hl", f". F1:1! ^\n. . ^ ^\n{warehouse}\nHl Hl\nHl Hl")
    assert (materials(game)[1], materials(game, 1)) == (0, (1, 0, 0))


def test_TB3_every_stone_of_the_tourists_is_stored() -> None:
    """TB3: one after the other, as long as there is room."""
    game = tourist("Hl Hl\nHl Hl", ". F1:1! ^\n. F1:1! ^ ^\nWa Wa\nHl Hl\nHl Hl")
    assert (materials(game)[1], materials(game, 1)) == (2, (2, 0, 0))


def test_TB3_a_tourists_stone_comes_after_his_product() -> None:
    """TB3, P4.4: with no room at home his wood takes the host's last warehouse space, the stone is lost."""
    game = tourist("Hl:w Hl:w\nHl:w Hl:w", ". F1:1! ^\n. . ^ ^\nWa:m Wa\nHl Hl\nHl Hl")
    assert materials(game) == (1, 0, 1)
