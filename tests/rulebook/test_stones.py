"""Terrain boards: stones under new tiles, in trades and payments, and how many there are (TB4, TB5, C3)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.laying import layouts, starts
from tests.rulebook.test_mountain import FLAT, income
from tests.rulebook.words import idle_to, materials, offered, play
from tests.scene import assert_picture, scene

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
