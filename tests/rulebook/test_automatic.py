"""T7: choices the engine makes by itself."""

import pytest

from smallcity_env.rules.tables import Ask
from tests.rulebook.cities import drawn
from tests.rulebook.words import offered, play
from tests.scene import assert_picture, scene


def test_T7_a_cost_takes_from_city_hall_before_warehouses() -> None:
    game = scene("Wa:w Wa:w\n. .\nHl:0 Hl:w\nHl:w Hl", money=2)
    play(game, "build school", "at C1")
    assert_picture(game, 0, "Wa:w Wa:w Sc:'\n. .\nHl:0 Hl\nHl:w Hl")


def test_T7_then_from_warehouses_each_in_reading_order() -> None:
    game = scene("Waa Waa:s .\nWab:s Wab:s\nHl:0 Hl:s\nHl Hl", money=2)
    play(game, "build metro", "at C1", "way 1")
    assert_picture(game, 0, "Waa Waa Me:' Me\nWab:s Wab:s\nHl:0 Hl\nHl Hl")


def test_T7_then_from_the_port_of_shanghai() -> None:
    bay = ". . . . . . . . # #\n"
    game = scene(
        bay + "Wa Wa:s . . . . . . # #\n" + bay + "Pt:s Pt\nPt Pt\nPt:s Pt",
        boards="shanghai",
        money=2,
    )
    play(game, "build metro", "at G1", "way 1")
    bay = ". . . . . . Me:' Me # #\n"
    assert_picture(game, 0, bay + "Wa Wa\n. .\nPt Pt\nPt Pt\nPt:s Pt")


def test_T7_a_cost_takes_covered_plain_spaces_first() -> None:
    mountains = ". . ^ {} .\n. . ^ ^ .\n{} {} {} . .\nHl:s Hl . Wa:s Wa\nHl Hl:m"
    game = scene(mountains.format(".:s", ".", ".:s", "."), boards="mountain-easy", money=2)
    heap_left = mountains.format(".:s", "Cl:'", "Cl", "Cl").replace("Hl:m", "Hl")
    assert_picture(play(game, "build clinic", "at A3"), 0, heap_left)


def test_T7_a_cost_takes_other_plain_spaces_before_any_store() -> None:
    mountains = ". {} ^ {} .\n. . ^ ^ .\n. . Hl:s Hl Wa:s\n. . Hl:m Hl Wa\n"
    game = scene(mountains.format(".:s", ".:s"), boards="mountain-easy", money=2)
    play(game, "build clinic", "at A6")
    first_taken = mountains.format(".", ".:s").replace("Hl:m", "Hl")
    assert_picture(game, 0, first_taken + ".\nCl:' Cl Cl")
    game = scene(mountains.format(".", "."), boards="mountain-easy", money=2)
    play(game, "build clinic", "at A6")
    hall_taken = mountains.format(".", ".").replace("Hl:s", "Hl").replace("Hl:m", "Hl")
    assert_picture(game, 0, hall_taken + ".\nCl:' Cl Cl")


TRADER = """
    .{} .    ^ .{}
    .   .    ^ ^
    Hl  Hl{} . Waa Waa{}
    Hl  Hl{} . Wab Wab{}
    C2  C2:0!
"""


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        pytest.param("store plain", ("", ":s", ":s", ":s", ":s", ":s"), id="the first plain space"),
        pytest.param("store city-hall", (":s", ":s", "", ":s", ":s", ":s"), id="the first of City Hall"),
        pytest.param("store warehouse", (":s", ":s", ":s", "", ":s", ":s"), id="the first Warehouse space"),
    ],
)
def test_T7_the_player_says_where_a_traded_material_comes_from(answer: str, left: tuple[str, ...]) -> None:
    game = scene(TRADER.format(*[":s"] * 6), boards="mountain-easy", phase="income", votes=1)
    play(game, "stone")
    assert game.ask is Ask.TAKE_FROM
    assert offered(game) == {"store plain", "store city-hall", "store warehouse"}
    assert game.state.borough[0].money == 0  # not yet
    play(game, answer)
    assert_picture(game, 0, TRADER.format(*left))
    assert game.state.borough[0].money == 3


@pytest.mark.parametrize(
    ("lying", "asks"),
    [
        pytest.param((":s", ":s", "", "", "", ""), set(), id="two plain spaces"),
        pytest.param(("", "", ":s", "", ":s", ""), set(), id="City Hall twice"),
        pytest.param(("", "", "", ":s", "", ":s"), set(), id="two Warehouses"),
        pytest.param((":s", "", "", ":s", "", ""), {"store plain", "store warehouse"}, id="not City Hall"),
        pytest.param((":s", "", ":s", "", "", ""), {"store plain", "store city-hall"}, id="no Warehouse"),
        pytest.param(("", "", ":s", ":s", "", ""), {"store city-hall", "store warehouse"}, id="no heap"),
        pytest.param(("", "", ":s", ":w", "", ""), set(), id="another material in the Warehouse"),
    ],
)
def test_T7_asked_only_where_more_than_one_has_that_material(lying: tuple[str, ...], asks: set[str]) -> None:
    game = scene(TRADER.format(*lying), boards="mountain-easy", phase="income", votes=1)
    play(game, "stone")
    assert (game.ask is Ask.TAKE_FROM) == bool(asks)
    if asks:
        assert offered(game) == asks
    else:
        assert game.state.borough[0].money == 3


def test_T7_a_trade_for_votes_asks_too() -> None:
    picture = "Hl:m Hl . Wa Wa:m\nHl Hl\nC4 C4 C4 C4:0!"
    game = play(scene(picture, phase="income", votes=1), "metal", "store warehouse")
    assert_picture(game, 0, picture.replace("Wa:m", "Wa"))
    assert game.state.borough[0].votes == 1 + 7


def test_T7_a_trade_takes_from_warehouses_before_the_port() -> None:
    bay = ". . . . . . . . # #\n"
    shore = bay * 3 + "Pt:w Pt\nPt Pt\nPt Pt\nC2 C2:0! Hl:w Hl\nWa Wa{} Hl Hl"
    boards = ("shanghai", "base-easy")
    game = scene(shore.format(":w"), "", boards=boards, phase="income", votes=1)
    play(game, "wood")
    assert offered(game) == {"store warehouse", "store city-hall"}
    assert_picture(play(game, "store warehouse"), 0, shore.format(""))
    game = scene(shore.format(""), "", boards=boards, phase="income", votes=1)
    play(game, "wood", "store warehouse")
    assert_picture(game, 0, shore.format("").replace("Pt:w", "Pt"))


def test_T7_a_tourists_trade_takes_from_his_own_borough() -> None:
    game = scene("Hl:w Hl\nHl Hl\nWa:w Wa", "C2 C2:0!", phase="income", votes=1)
    play(game, "wood", "store city-hall")
    assert_picture(game, 0, "Hl Hl\nHl Hl\nWa:w Wa")
    assert game.state.borough[0].money == 2


def test_T7_who_of_city_hall_dies_or_goes_as_pilgrim_the_player_chooses() -> None:
    game = scene("Hl:0 Hl:0 C1:1\nHl Hl .", "", phase="pollution", pollution=24)
    assert_picture(play(game, "at A1", "at D1"), 0, "Hl Hl:0 C1:1 .:+\nHl Hl .")
    boards = ("ulaanbaatar", "base-easy")
    game = scene(drawn("ulaanbaatar"), "Hl:1 Hl:1\nHl Hl", boards=boards, phase="visit", votes={1: 5})
    assert game.ask is Ask.PILGRIM
    assert_picture(play(game, "at A1"), 1, "Hl Hl:1\nHl Hl")


def test_T7_who_leaves_city_hall_leaves_its_last_occupied_space() -> None:
    game = scene("Hl:0 Hl:0 .\nHl:0 Hl:w .", money=3)
    play(game, "build residential-1", "at C1")
    assert_picture(game, 0, "Hl:0 Hl:0 R1:0!'\nHl Hl:w .")
    play(game, "build residential-1", "at C2")
    assert_picture(game, 0, "Hl:0 Hl R1:0!'\nHl Hl:w R1:0!'")


def test_T7_who_arrives_takes_the_first_free_usable_space_of_city_hall() -> None:
    game = scene("Hl:* Hl\nHl:0 Hl", "", phase="council", money=1)
    play(game, "row tourism")
    assert_picture(game, 0, "Hl:* Hl:0\nHl:0 Hl")


def test_T7_a_material_takes_the_first_free_usable_space() -> None:
    picture = "Waa:* Waa:m Hl:0 Hl:*\nWab Wab Hl Hl"
    game = scene(picture, "", phase="council", money=1)
    play(game, "row supplies", "store warehouse")
    assert_picture(game, 0, picture.replace("Wab Wab", "Wab:w Wab"))
    game = scene(picture, "", phase="council", money=1)
    play(game, "row supplies", "store city-hall")
    assert_picture(game, 0, picture.replace("Hl Hl", "Hl:w Hl"))


def test_T7_the_port_counts_as_the_last_warehouse() -> None:
    bay = ". . . . . . . . # #\n"
    shore = bay * 3 + "Pt Pt\nPt Pt\nPt Pt\n. . Hl:0 Hl:0\nWa:m {} Hl:0 Hl:0"
    game = scene(shore.format("Wa"), "", boards=("shanghai", "base-easy"), phase="council", money=1)
    play(game, "row supplies")
    assert_picture(game, 0, shore.format("Wa:w"))
    game = scene(shore.format("Wa:m"), "", boards=("shanghai", "base-easy"), phase="council", money=1)
    play(game, "row supplies")
    assert_picture(game, 0, shore.format("Wa:m").replace("Pt Pt", "Pt:w Pt", 1))


def test_T7_a_question_with_one_answer_is_not_asked() -> None:
    game = scene("Sc . . Hl Hl\nP1 . P1 Hl Hl\nP1 P1 P1 P1 P1", money=3)
    play(game, "build residential-2")
    assert [(entry.ask, entry.forced) for entry in game.log.entries] == [
        (Ask.WHAT, False),
        (Ask.WHERE, True),
        (Ask.WAY, True),
    ]
    assert_picture(game, 0, "Sc R2:' R2 Hl Hl\nP1 . P1 Hl Hl\nP1 P1 P1 P1 P1")
