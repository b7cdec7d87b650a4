"""Terrain boards: the four maps and the rivers (TB1, TB2). Stones: test_mountain.py, test_stones.py."""

from typing import Any

import pytest

from smallcity_env import Config, Game
from tests.rulebook.laying import layouts
from tests.rulebook.words import materials, offered, play, spaces
from tests.scene import assert_picture, scene

MOUNTAIN_EASY = """
.  .  ^  .  .  .  .  .  .  .
.  .  ^  ^  .  .  .  .  .  .
.  .  .  .  .  .  .  .  .  .
.  .  .  .  .  .  ^  .  .  .
.  .  .  .  .  .  ^  ^  .  .
.  .  .  .  .  .  .  .  .  .
.  .  .  .  .  .  .  .  .  .
.  ^  .  .  .  .  .  .  ^  .
.  .  .  .  .  .  .  .  ^  ^
.  .  .  .  .  .  .  .  .  .
"""
MOUNTAIN_EXPERT = """
.  ^  ^  .  .  .  .  ^  .  .
.  .  ^  ^  .  .  .  .  .  .
.  .  .  .  .  .  ^  .  .  .
.  .  .  .  .  .  ^  ^  .  .
^  .  .  .  .  .  .  .  .  .
^  ^  .  .  .  ^  .  .  .  .
.  .  .  .  .  ^  ^  .  .  .
.  .  .  .  .  .  .  ^  .  .
.  ^  .  .  .  .  .  .  ^  .
.  ^  ^  .  .  .  .  .  ^  ^
"""
RIVER_EASY = """
.  .  .  .  ~  .  .  .  .  .
.  .  .  .  ~  .  .  .  .  .
.  .  .  ~  ~  .  .  .  .  .
.  .  .  ~  .  .  .  .  .  .
.  .  .  ~  .  .  .  .  .  .
.  .  .  ~  ~  .  .  .  .  .
.  .  .  .  ~  .  .  .  .  .
.  .  .  .  ~  ~  .  .  .  .
.  .  .  .  .  ~  .  .  .  .
.  .  .  .  .  ~  .  .  .  .
"""
RIVER_EXPERT = """
.  .  ~  .  .  ~  .  .  .  .
.  .  ~  .  .  ~  .  .  .  .
.  .  ~  ~  .  ~  .  .  .  .
.  .  .  ~  ~  ~  .  .  .  .
.  .  .  .  ~  .  .  .  .  .
.  .  .  .  ~  ~  .  .  .  .
.  .  .  .  .  ~  .  .  .  .
.  .  .  .  ~  ~  ~  .  .  .
.  .  .  .  ~  .  ~  .  .  .
.  .  .  .  ~  .  ~  .  .  .
"""
BOARDS = {
    "mountain-easy": MOUNTAIN_EASY,
    "mountain-expert": MOUNTAIN_EXPERT,
    "river-easy": RIVER_EASY,
    "river-expert": RIVER_EXPERT,
}


def drawn(board: str, letters: str, size: int = 10) -> set[str]:
    """The spaces with one of these letters, in a zone of this size."""
    rows = [row.split()[:size] for row in BOARDS[board].strip().splitlines()[:size]]
    return {
        f"{'ABCDEFGHIJ'[col]}{row}"
        for row, words in enumerate(rows, start=1)
        for col, word in enumerate(words)
        if word in letters
    }


# -- TB1


def test_TB1_every_player_may_have_another_side() -> None:
    """TB1: mountain or river, easy or expert, player by player, with any victory."""
    Config(4, boards=tuple(BOARDS))
    Config(4, boards=("river-easy", "river-easy", "base-expert", "mountain-expert"), victory="culture")


@pytest.mark.parametrize("board", BOARDS)
def test_section_16_terrain_maps(board: str) -> None:
    """Section 16, TB1: each side as drawn; the zone begins with 7 x 7."""
    assert_picture(scene("", boards=board, size=10, money=2), 0, BOARDS[board])
    game = Game(Config(1, modules=(), boards=board))
    assert (game.state.borough[0].zone_side, game.state.borough[0].pollution) == (7, 0)


@pytest.mark.parametrize("size", [7, 10])
@pytest.mark.parametrize("board", ["mountain-easy", "mountain-expert"])
def test_TB3_mountains_cannot_be_built_on(board: str, size: int) -> None:
    """TB3: a park goes on every plain space of the zone and on no mountain."""
    game = play(scene("", boards=board, size=size, money=2), "build park-1")
    assert spaces(game) == drawn(board, ".", size)


@pytest.mark.parametrize("board", ["mountain-easy", "mountain-expert"])
def test_TB3_the_zone_grows_around_the_mountains(board: str) -> None:
    """TB3, T1: nor does a zone that has grown contain a mountain."""
    game = scene("", "", boards=[board, "base-easy"], phase="select", host=1, money=2)
    play(game, "at A1", "way 1", "card opponent", "card planner", "build park-1")
    assert spaces(game) == drawn(board, ".", 8)


# -- TB2

EASY = """
.    .    .    .    ~
.    .    .    .    ~
.    .    .    ~    ~
.    .    .    ~    .
Wa{} Wa{} .    ~    .
"""
EXPERT = """
.    .    ~    .    .    ~
.    .    ~    .    .    ~
.    .    ~    ~    .    ~
.    .    .    ~    ~    ~
Wa{} Wa{} .    .    ~    .
"""


def by_the_river(held: str, picture: str = EASY, **given: Any) -> Game:
    """A borough by a river with these materials in its Warehouse and $9, in Phase 2."""
    on = [f":{material}" for material in held] + ["", ""]
    board = "river-easy" if picture == EASY else "river-expert"
    return scene(picture.format(*on), boards=board, **{"money": 9, **given})


@pytest.mark.parametrize(("picture", "pays", "useless"), [(EASY, "w", "sm"), (EXPERT, "s", "wm")])
def test_TB2_a_river_space_costs_one_more_material(picture: str, pays: str, useless: str) -> None:
    """TB2: wood on the easy side, stone on the expert side, besides the $2 of the park."""
    board = "river-easy" if picture == EASY else "river-expert"
    wet, dry = drawn(board, "~", 7), drawn(board, ".", 7) - {"A5", "B5"}
    assert spaces(play(by_the_river(useless, picture), "build park-1")) == dry
    game = play(by_the_river(pays, picture), "build park-1")
    assert spaces(game) == wet | dry
    play(game, f"at {min(wet)}")
    assert materials(game) == (0, 0, 0)
    assert game.state.borough[0].money == 7


def test_TB2_plain_ground_costs_no_material() -> None:
    """TB2: the same park on land leaves the wood where it is."""
    assert materials(play(by_the_river("w"), "build park-1", "at D1")) == (1, 0, 0)


def test_TB2_each_river_space_costs_one() -> None:
    """TB2: two river spaces take two wood; with one wood a tile covers at most one of them."""
    two = play(by_the_river("ww"), "build park-2", "at E1")
    assert offered(two) == {"way 1", "way 2"}
    assert materials(play(two, "way 2")) == (0, 0, 0)
    one = play(by_the_river("w"), "build park-2", "at E1")  # down to E2 would be two: not asked
    assert_picture(one, 0, """
    .  .  .  .  P2:'  P2
    .  .  .  .  ~
    .  .  .  ~  ~
    .  .  .  ~  .
    Wa Wa .  ~  .
    """)  # fmt: skip


def test_TB2_an_upgrade_pays_for_what_it_adds() -> None:
    """TB2: a park on the river grows onto land without wood, and onto the next river space with one."""
    picture = """
    .    .  .  .  P1
    .    .  .  .  ~
    Wa{} Wa
    """
    poor = play(scene(picture.format(""), boards="river-easy", money=9), "upgrade park-2")
    assert spaces(poor) == {"D1", "E1"}
    play(poor, "at E1")
    assert_picture(poor, 0, ".  . . . P2:' P2\n. . . . ~\nWa Wa")
    rich = play(scene(picture.format(":w"), boards="river-easy", money=9), "upgrade park-2", "at E1")
    assert offered(rich) == {"way 1", "way 2"}
    play(rich, "way 2")
    assert_picture(rich, 0, ".  . . . P2:'\n. . . . P2\nWa Wa")
    assert rich.state.borough[0].money == 7


def test_TB2_the_river_comes_on_top_of_a_price_in_materials() -> None:
    """TB2: a School asks for a second wood there."""
    wet = drawn("river-easy", "~", 7)
    assert not spaces(play(by_the_river("w"), "build school")) & wet
    assert materials(play(by_the_river("ww"), "build school", "at E1")) == (0, 0, 0)


def test_TB2_the_architect_saves_no_river_material() -> None:
    """TB2, P1.3 B: his School is free on land; on the river its space still costs one wood."""
    assert materials(play(by_the_river("", card="architect"), "build school", "at A1")) == (0, 0, 0)
    assert "E1" not in spaces(play(by_the_river("", card="architect"), "build school"))
    assert materials(play(by_the_river("w", card="architect"), "build school", "at E1")) == (0, 0, 0)


def test_TB2_council_builds_pay_no_river_material() -> None:
    """TB2, P7.5: free of charge is free of wood too."""
    for held, left in (("w", (1, 0, 0)), ("", (0, 0, 0))):
        game = by_the_river(held, phase="council", money=1)
        play(game, "row construction", "build park-1", "at E1")
        assert materials(game) == left


def test_TB2_a_warehouse_that_comes_along_stays_dry() -> None:
    """P2.9: not on river spaces, however much wood there is; one that is paid for may."""
    game = play(by_the_river("ww"), "build factory-1", "at C2")
    assert spaces(game) == {"A1", "B1", "C1", "D1", "A2", "B2", "A3", "B3", "C3"}
    play(game, "at A2")  # across to B2, or down to A3, which is not beside the Factory: not asked
    assert {"D2 E2", "D2 D3", "C3 D3"} <= layouts(game, "build warehouse")


def test_SU2_city_hall_keeps_off_the_river() -> None:
    """SU2: nor is City Hall placed on it."""
    game = Game(Config(1, modules=(), boards="river-easy"))
    assert {"C1", "F1", "F2", "E4", "F6"} <= spaces(game)
    assert not spaces(game) & {"D1", "E1", "C2", "D2", "E2", "C3", "D3", "E3", "C4", "D4", "E5", "E6"}


def test_TB4_no_tile_on_a_warehouse_for_the_stones_in_it() -> None:
    """A Metro Station costs two stones; those of a Warehouse lie on a tile."""
    game = scene(". . ^ .\n. . ^ ^\nWa:s Wa:s F1 .", "", boards=["mountain-easy", "base-easy"])
    assert layouts(game, "build metro")
    assert not {"A3", "B3"} & {space for laid in layouts(game, "build metro") for space in laid.split()}
