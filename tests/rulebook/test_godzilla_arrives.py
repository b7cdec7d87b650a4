"""Where a godzilla arrives, for the first time and again, and whom it eats there (G3 - G6)."""

from typing import Any

import pytest

from smallcity_env import Ask, Game
from tests.rulebook.walks import spaces_with, ways_out
from tests.rulebook.words import at, offered, play
from tests.scene import assert_picture, scene


def arrives(*pictures: str, die: Any = 1, **given: Any) -> Game:
    """A godzilla comes to seat 0; a second player looks on, and with $1 the council is next."""
    towns = pictures if len(pictures) > 1 else (*pictures, "")
    return scene(*towns, phase="pollution", modules=["godzillas"], die=die, money=1, **given)


# -- G3: the first time


def test_G3_a_harbor_comes_before_any_factory() -> None:
    """On its first two spaces in reading order, and nothing is asked."""
    game = arrives("""
           A  B    C    D
        1  .  .    .    .
        2  .  Ha   Ha   .
        3  .  Ha   Ha   .
        4  .  .    F3   F3  F3
    """)
    assert spaces_with(game, "godzilla") == "B2 C2"
    assert game.ask is Ask.LEAVE
    assert len(game.log) == 0
    assert game.state.godzillas == 0


def test_G3_a_harbor_without_any_factory() -> None:
    assert spaces_with(arrives("Ha Ha\nHa Ha"), "godzilla") == "A1 B1"


TWO_BIG_ONES = """
       A    B    C    D    E
    1  F3a  F3a  F3a  .    F3b
    2  .    .    .    .    F3b
    3  F2   F2   .    .    F3b
    4  .    .    .    F1   .
"""


def test_G3_the_biggest_factories_are_offered_and_no_others() -> None:
    game = arrives(TWO_BIG_ONES)
    assert game.ask is Ask.ARRIVE
    assert offered(game) == at("A1", "E1")


@pytest.mark.parametrize(("factory", "spaces"), [("at A1", "B1 C1"), ("at E1", "E2 E3")])
def test_G3_on_the_stone_and_metal_spaces_of_a_level_3_factory(factory: str, spaces: str) -> None:
    assert spaces_with(play(arrives(TWO_BIG_ONES), factory), "godzilla") == spaces


def test_G3_on_both_spaces_of_a_level_2_factory() -> None:
    game = arrives("""
           A    B    C    D
        1  F2a  F2a  .    F2b
        2  .    F1   .    F2b
    """)
    assert offered(game) == at("A1", "D1")
    assert spaces_with(play(game, "at D1"), "godzilla") == "D1 D2"


def test_G3_beside_a_lone_level_1_factory() -> None:
    """Any adjacent space of the zone, whatever is on it; not a diagonal one."""
    game = arrives("""
           A    B    C
        1  .    .:+  .
        2  P1   F1   Wa:w
        3  .    .    Wa
    """)
    assert game.ask is Ask.ARRIVE_BESIDE
    assert offered(game) == at("B1", "A2", "C2", "B3")
    assert spaces_with(play(game, "at C2"), "godzilla") == "B2 C2"


def test_G3_which_level_1_factory_is_the_players_choice() -> None:
    game = arrives("F1 . . F1")
    assert offered(game) == at("A1", "D1")
    play(game, "at D1")
    assert offered(game) == at("C1", "E1", "D2")


def test_G3_beside_a_level_1_factory_the_second_space_is_in_the_zone() -> None:
    """The last corner of a 7 x 7 zone, and one beside mountains (T1)."""
    corner = arrives("\n".join([". . . . . . ."] * 6 + [". . . . . . F1"]))
    assert offered(corner) == at("G6", "F7")
    slope = arrives(". . ^ F1", boards=["mountain-easy", "base-easy"])
    assert spaces_with(slope, "godzilla") == "D1 E1"


def test_G3_a_level_1_factory_without_a_neighbour_in_the_zone() -> None:
    game = arrives("F1", size=1)
    assert spaces_with(game, "godzilla") == "A1"


def test_G3_no_factory_and_no_harbor_it_wanders_off() -> None:
    """Not to a Refinery either; the next host in reverse turn order is not disturbed."""
    game = arrives("Re . Wa Wa\nR1:0", ".", "F2 F2", die={0: 6, 2: 1}, host=1)
    assert spaces_with(game, "godzilla") == spaces_with(game, "markers") == ""
    assert game.state.reserve[0] == 6
    assert game.seat == 2
    assert spaces_with(game, "godzilla", 2) == "A1 B1"
    assert game.state.godzillas == 2 - 1


# -- G4: again


MARKED = """
       A    B    C    D    E    F    G
    1  .:*  .:*  Ha:* Ha   .    .    .
    2  .    P1:* Ha   Ha   F3   F3   F3
    3  .    .    .    .    .    .    .
    4  .    .:*  .    .    .    .    .
"""


def test_G4_on_two_adjacent_markers() -> None:
    """Pairs A1 B1, B1 C1, B1 B2; the lone marker B4 makes none, Harbor and factory do not count."""
    game = arrives(MARKED)
    assert game.ask is Ask.ARRIVE
    assert offered(game) == at("A1", "B1")
    play(game, "at B1")
    assert game.ask is Ask.ARRIVE_BESIDE
    assert offered(game) == at("C1", "B2")


@pytest.mark.parametrize(
    ("answers", "spaces"),
    [(["at A1"], "A1 B1"), (["at B1", "at C1"], "B1 C1"), (["at B1", "at B2"], "B1 B2")],
)
def test_G4_each_pair_can_be_chosen(answers: list[str], spaces: str) -> None:
    assert spaces_with(play(arrives(MARKED), *answers), "godzilla") == spaces


def test_G4_the_only_pair_is_not_asked() -> None:
    game = arrives(".:* . .:*\n. . .:*")
    assert spaces_with(game, "godzilla") == "C1 C2"
    assert game.ask is Ask.LEAVE


def test_G4_only_isolated_markers_one_of_them_and_an_adjacent_space() -> None:
    """Diagonal neighbours are isolated."""
    game = arrives("""
           A    B    C
        1  .:*  .    .
        2  Sc   .:*  .
    """)
    assert offered(game) == at("A1", "B2")
    play(game, "at A1")
    assert offered(game) == at("B1", "A2")
    assert spaces_with(play(game, "at A2"), "godzilla") == "A1 A2"


def test_G4_an_isolated_marker_without_a_neighbour_in_the_zone() -> None:
    game = arrives("P1:*", size=1)
    assert spaces_with(game, "godzilla") == "A1"


def test_G4_no_markers_come_or_go_where_it_arrives() -> None:
    game = play(arrives(MARKED), "at A1")
    assert spaces_with(game, "markers") == "A1 B1 C1 B2 B4"
    assert game.state.markers == 40 - 5


# -- G6: where it starts from, when it comes again


def test_G6_from_the_tile_both_its_spaces_lie_on() -> None:
    """From the wood space of the factory as well."""
    game = arrives("""
           A    B    C    D    E
        1  .    .    .    .    .
        2  .    F3   F3:* F3:* .
    """)
    assert spaces_with(game, "godzilla") == "C2 D2"
    assert ways_out(game) == {
        "B2 west", "B2 north", "B2 south", "C2 north", "C2 south",
        "D2 north", "D2 south", "D2 east",
    }  # fmt: skip


def test_G6_from_the_two_spaces_when_they_lie_on_no_one_tile() -> None:
    """Only one of them on the factory; two parks; no tile at all: six ways each."""
    pictures = ("F2 F2:* .:*", ". P1:* P1:*", ". .:* .:*")
    for row in pictures:
        game = arrives(f". . . .\n{row} .")
        assert spaces_with(game, "godzilla") == "B2 C2"
        assert ways_out(game) == {
            "B2 west", "B2 north", "B2 south", "C2 north", "C2 south", "C2 east",
        }  # fmt: skip


def test_G6_from_an_isolated_marker_and_its_neighbour() -> None:
    """Both on the factory: from the whole of it. One beside it: from the two spaces."""
    town = """
           A    B    C    D
        1  .    .    .    .
        2  F3   F3   F3:* .
    """
    on_it, beside = play(arrives(town), "at B2"), play(arrives(town), "at C1")
    assert "A2 north" in ways_out(on_it)
    assert ways_out(beside) == {"C1 west", "C1 east", "C2 west", "C2 east", "C2 south"}


# -- G5


def test_G5_citizens_and_tourists_on_its_spaces_are_eaten() -> None:
    """Each to the reserve of his colour; who stands on the wood space is not eaten."""
    game = arrives(". . . .\n. F3:0 F3:0 F3:1", "R1:1")
    assert_picture(game, 0, ". . . .\n. F3:0 F3:Z F3:Z")
    assert_picture(game, 1, "R1:1")
    assert game.state.reserve[:2].tolist() == [6 + 1, 6 + 1]


def test_G5_G9_on_the_space_beside_a_level_1_factory_too() -> None:
    game = play(arrives("F1:0 C1:1\nWa:s Wa:m"), "at B1")
    assert_picture(game, 0, "F1:Z C1:Z\nWa:s Wa:m")
    assert game.state.reserve[:2].tolist() == [7, 7]
    game = play(arrives("F1:0 C1:1\nWa:s Wa:m"), "at A2")
    assert_picture(game, 0, "F1:Z C1:1\nWa:Z Wa:m")


def test_G5_the_eaten_do_not_pollute_but_their_work_does() -> None:
    """P6.1: two made smoke and are eaten; one at home breathes."""
    game = arrives(". . . .\n. F2:0! F2:0! .\n. . . R1:0", smoke=2)
    play(game, "at B2", "north")
    assert game.state.borough[0].pollution_made == 1 + 2


# -- G6: the order


def test_G6_hosts_place_and_walk_one_after_the_other_in_reverse_turn_order() -> None:
    """Turn order 1 2 3 0: first seat 0 places and walks, then 3, then 1, each to the end."""
    game = arrives(*["F1"] * 4, die={0: 2, 1: 1, 3: 1}, host=1)
    play(game, "at B1", "south", "at A2", "east", "at B1", "south")
    answers = [(entry.seat, entry.ask.name) for entry in game.log.entries if entry.seat != 2]
    walk = ["ARRIVE", "ARRIVE_BESIDE", "LEAVE", "LEAVE_WAY"]
    assert answers[:12] == [(seat, ask) for seat in (0, 3, 1) for ask in walk]
    assert [spaces_with(game, "godzilla", p) for p in range(4)] == ["A2 A3", "A1 A2", "", "A1 B1"]


def test_G6_an_eliminated_player_between_two_hosts_is_passed_over() -> None:
    """Turn order 0 1 2 3, seat 2 is out: 3 places and walks, then 1, once each."""
    game = arrives(*["F1"] * 4, die={1: 1, 3: 1}, pollution={2: 100}, out={2: 5})
    play(game, "at B1", "south", "at B1", "south")
    answers = [(entry.seat, entry.ask.name) for entry in game.log.entries]
    walk = ["ARRIVE", "ARRIVE_BESIDE", "LEAVE", "LEAVE_WAY"]
    assert answers[:8] == [(seat, ask) for seat in (3, 1) for ask in walk]
    assert [spaces_with(game, "godzilla", p) != "" for p in range(4)] == [False, True, False, True]
