"""Terrain boards: mountains that give stones, and stones under new tiles (TB3 - TB5)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.laying import layouts, starts
from tests.rulebook.words import asked, idle_to, materials, offered, play, spaces
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


# -- TB4: stones under new tiles


def building(picture: str, **given: Any) -> Game:
    """Phase 2 on the easy mountain board."""
    return scene(picture, boards="mountain-easy", **{"money": 9, **given})


HEAP = """
.    .    ^
.:s  .:s  ^  ^
.    .
Hl:w Hl:w
Hl   Hl
"""


def test_TB4_no_tile_on_a_stone() -> None:
    """TB4: neither park, home, Factory nor School, nor an upgrade, nor the Warehouse of a new Factory."""
    game = building(HEAP)
    for tile in ("park-1", "residential-1", "factory-1", "school"):
        assert not starts(game, f"build {tile}") & {"A2", "B2"}
        assert starts(game, f"build {tile}") & {"A1", "B3"}
    assert play(game, "build factory-1", "at B1").ask.name == "WHAT"  # A1 A2 is no place for a Warehouse
    grown = building("P1 . ^\n.:s . ^ ^")
    assert layouts(grown, "upgrade park-2") == {"A1 B1"}


def test_TB4_a_tile_paid_with_stone_covers_as_many_as_it_asks_for() -> None:
    """TB4: a Library (wood, stone) covers one stone, never two; that one is spent, the others stay."""
    game = building(HEAP)
    covering = {place for place in layouts(game, "build library") if "A2" in place or "B2" in place}
    assert covering == {"A1 A2", "A2 A3", "B1 B2", "B2 B3"}
    play(game, "build library", "at A1", "way 2")
    assert_picture(game, 0, """
    Li:' .    ^
    Li   .:s  ^  ^
    .    .
    Hl   Hl:w
    Hl   Hl
    """)  # fmt: skip


def test_TB4_the_covered_stone_is_spent_before_any_other() -> None:
    """TB4, T7: even when one lies before it on the plain; beside the heaps the first of them goes."""
    picture = ".    .:s    ^\n.:s  .    ^  ^\n.    .\nHl:w Hl:s\nHl   Hl"
    covered = play(building(picture), "build library", "at A1", "way 2")
    assert_picture(covered, 0, "Li:' .:s ^\nLi . ^ ^\n. .\nHl Hl:s\nHl Hl")
    beside = play(building(picture), "build library", "at D1")
    assert_picture(beside, 0, ". . ^ Li:' Li\n.:s . ^ ^\n. .\nHl Hl:s\nHl Hl")


def test_TB4_a_metro_station_covers_two() -> None:
    """TB4: it costs two stones."""
    game = building(HEAP, card="mediator")
    assert "A2 B2" in layouts(game, "build metro")
    play(game, "build metro", "at A2", "way 1")
    assert materials(game) == (2, 0, 0)


def test_TB4_after_the_architect() -> None:
    """TB4: he takes a stone off the price, and with it the right to cover one."""
    game = building(HEAP, card="architect")
    metro = {place for place in layouts(game, "build metro") if "A2" in place or "B2" in place}
    assert metro == {"A1 A2", "A2 A3", "B1 B2", "B2 B3"}  # it costs one stone now
    assert not {place for place in layouts(game, "build library") if "A2" in place or "B2" in place}
    museum = building(HEAP, card="architect")  # he saves the metal: a stone is still asked for
    assert "A1 B1 A2" in layouts(museum, "build museum")
    second = play(building(HEAP, card="architect"), "build school", "at G7")
    assert "A1 A2" in layouts(second, "build library")  # he helps the first cultural building only


def test_TB4_airport_and_big_ben_are_paid_with_stone_too() -> None:
    """TB4: each may cover one, and no more."""
    field = """
    .   .   ^
    .   .   ^   ^
    F1  .   .   .   .
    .   .:s .   .   .
    .   .   .   .{} .
    .   .   .   .   .   Hl:w Hl:m
    .   .   .   .   .   Hl   Hl
    """
    one = building(field.format(""), modules=["new_buildings"], votes=5)
    assert starts(one, "build airport-9") == {"B3", "A4", "B4"}
    two = building(field.format(":s"), modules=["new_buildings"], votes=5)
    assert starts(two, "build airport-9") == {"A4"}
    ben = building("""
    .   .   ^
    .   .   ^    ^
    P3  P3  P1
    P3  .:s R1
    P1  C1  Hl:w Hl:m
    .   .   Hl   Hl
    """, modules=["real_buildings"])  # fmt: skip
    assert starts(ben, "build big-ben") == {"B4"}
    assert materials(play(ben, "build big-ben")) == (0, 0, 0)


def test_TB4_nothing_free_covers_a_stone() -> None:
    """TB4: a council build costs no stone."""
    police = building(HEAP, phase="council", money=2, council={"construction": 1})
    play(police, "row construction")
    places = layouts(police, "build police")
    assert "A1 B1" in places
    assert not [place for place in places if "A2" in place or "B2" in place]


def test_TB3_TB4_a_stone_of_one_round_lies_under_a_library_of_the_next() -> None:
    """TB3, TB4: the wood in City Hall and the stone on A2 build it where the stone lies."""
    game = income("""
    .   F1:0!  ^
    .   .      ^   ^
    Hl  Hl
    Hl  Hl
    """, FLAT, host=1)  # fmt: skip
    play(game, "at A2")
    idle_to(game, "build", round=2)
    play(game, "build library", "at A1")
    assert_picture(game, 0, """
    Li:'  F1:0  ^   .:M .:M
    Li    .     ^   ^
    Hl    Hl
    Hl    Hl
    """)  # fmt: skip


# -- TB5


@pytest.mark.parametrize(("shop", "money", "votes"), [("C2 C2:0!", 3, 0), ("C4 C4 C4 C4:0!", 0, 5)])
def test_TB5_trades_take_stones_from_plain_spaces(shop: str, money: int, votes: int) -> None:
    """TB5: b for money, d for votes, with no other stone in the borough."""
    game = scene(f". . ^\n. .:s ^ ^\n{shop}\n", FLAT, boards=["mountain-easy", "base-easy"], phase="income")
    assert offered(game) == {"stone", "no"}
    play(game, "stone")
    assert materials(game) == (0, 0, 0)
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (money, votes)


def test_TB5_costs_take_stones_from_plain_spaces() -> None:
    """TB5: a Metro Station elsewhere is paid with two stones of the plain."""
    game = building(".:s . ^\n.:s . ^ ^\n")
    assert "build metro" in offered(game)
    assert materials(play(game, "build metro", "at E5", "way 1")) == (0, 0, 0)
    assert "build metro" not in offered(building(".:s . ^\n. . ^ ^\n"))


def test_TB5_a_trade_may_leave_the_stone_of_the_plain() -> None:
    """T7, TB5: the player says which of the three it comes from."""
    picture = ".{}  .  ^\n.  .  ^  ^\nWa{} Wa\nHl{} Hl\nHl Hl\nC2 C2:0!"
    lefts = {"plain": ("", ":s", ":s"), "warehouse": (":s", "", ":s"), "city-hall": (":s", ":s", "")}
    for answer, left in lefts.items():
        game = play(income(picture.format(":s", ":s", ":s"), FLAT), "stone", f"store {answer}")
        assert_picture(game, 0, picture.format(*left))


# -- C3


NINETEEN = f"Hl Hl ^\nHl Hl ^ ^\n{'.:s ' * 7}\n{'.:s ' * 6}^\n{'.:s ' * 6}^"
MILLS = ". F1:0! ^ F1{}\n. . ^ ^\nWaa:s Waa:s Hl:s Hl\nWab:s Wab:s Hl:s Hl:s\n"


def mills(heap: int, second: str = "") -> Game:
    """A working mill, or two, and this many stones on the plain; nineteen more lie in another borough."""
    drawn = MILLS.format(second) + ".:s " * heap
    boards = ["mountain-easy", "mountain-easy"]
    return scene(drawn, NINETEEN, boards=boards, phase="income", money=1)


def test_C3_the_25th_stone_of_the_plain_is_lost() -> None:
    """C3, TB3: 24 lie on the plain of all boroughs together; those in stores do not count."""
    game = mills(4)
    assert game.ask.name == "STONE"
    assert materials(play(game, "at A1")) == (1, 12, 0)
    game = mills(5)
    assert (game.phase.name, materials(game)) == ("COUNCIL", (1, 12, 0))


def test_C3_the_24th_of_a_round_is_the_last() -> None:
    """C3: of two mills the first makes the 24th stone, the second none."""
    game = play(mills(4, ":0!"), "at A1")
    assert (game.phase.name, materials(game)[1]) == ("COUNCIL", 12)
    game = play(mills(3, ":0!"), "at A1")
    assert game.ask.name == "STONE"


def test_C3_a_tourists_stone_goes_to_a_warehouse_all_the_same() -> None:
    """C3, TB3: it never lies on the plain."""
    host = ". F1:1! ^\n. . ^ ^\nWa Wa\n. .\n" + ".:s " * 5
    boards = ["mountain-easy", "mountain-easy"]
    game = scene(host, NINETEEN, boards=boards, phase="income", votes={0: 1})
    assert materials(game)[1] == 5 + 1
