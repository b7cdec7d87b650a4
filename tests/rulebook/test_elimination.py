"""Phase 6: who reaches a pollution level of 100 is eliminated (P6.2, RU3)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text.grid import members
from tests.rulebook.words import idle_to
from tests.scene import assert_picture, scene

ONE = "R1:{}"  # one citizen: pollution rises by 1


def out(*levels: int, **given: Any) -> list[int]:
    """The round of elimination of everybody whose level was this before one more is made."""
    boroughs = [ONE.format(p) for p in range(len(levels))]
    before = dict(enumerate(levels))
    game = scene(*boroughs, phase="pollution", round=3, pollution=before, **given)
    return [int(game.state.borough[p].out) for p in range(len(levels))]


def test_P6_2_at_100_not_at_99() -> None:
    assert out(99, 0, 0) == [3, 0, 0]
    assert out(98, 0, 0) == [0, 0, 0]
    assert out(98, 99, 0) == [0, 3, 0]


def test_P6_2_a_level_over_100_is_kept() -> None:
    game = scene("R1:0 R1:0 R1:0", "", "", phase="pollution", pollution=98)
    assert game.state.borough[0].pollution == 101


def test_P6_2_all_leave_together() -> None:
    assert out(99, 99, 0, 0) == [3, 3, 0, 0]
    assert out(99, 99, 99) == [3, 3, 3]


# -- the end of the game


def test_P6_2_the_game_ends_at_once_when_at_most_one_is_left() -> None:
    """Seat 1 would lose a citizen at level 25 and could pay for the council: neither happens."""
    for before in ({0: 99, 1: 24}, {0: 99, 1: 99}):
        game = scene("R1:0", "R1:1", phase="pollution", pollution=before, money={1: 9})
        assert game.over
        assert_picture(game, 1, "R1:1")
        assert game.state.borough[1].council.tolist() == [0, 0, 0, 0]
        assert (game.state.round_no, game.state.phase) == (1, Phase.OVER)


def test_P6_2_the_game_goes_on_with_two() -> None:
    game = scene("R1:0", "R1:1", "R1:2", phase="pollution", pollution={0: 99}, money={1: 9})
    assert (game.over, game.seat, game.ask) == (False, 1, Ask.ROW)


def test_P6_2_three_of_four_reach_100_and_the_game_is_over() -> None:
    levels = {0: 99, 1: 99, 3: 99}
    game = scene("R1:0", "R1:1", "R1:2", "R1:3", phase="pollution", pollution=levels, votes={2: 1})
    assert game.over
    assert game.ranking() == [[2], [0, 1, 3]]


def test_P6_2_in_solo_the_game_ends_when_nobody_is_left() -> None:
    game = scene("R1:0", phase="pollution", pollution=99, votes=200)
    assert (game.over, game.title()) == (True, "Recalled")
    game = scene("R1:0", phase="pollution", pollution=98, votes=200)
    assert not game.over


# -- no more decisions


def test_P6_2_an_eliminated_player_decides_nothing_any_more() -> None:
    home = "Hl:{0} Hl R1:{0}\nHl Hl C1"
    boroughs = [home.format(p) for p in range(3)]
    game = scene(*boroughs, phase="pollution", pollution={1: 99}, money={0: 9, 1: 9, 2: 9}, host=1)
    asked = set()
    while not game.over and game.round < 3:
        asked.add((game.seat, game.phase))
        game.step(int(game.legal()[-1]))
    assert {seat for seat, _phase in asked} == {0, 2}
    assert {Phase.SELECT, Phase.BUILD, Phase.MOVE, Phase.COUNCIL} <= {phase for _seat, phase in asked}


def test_P6_2_he_takes_no_part_in_the_deaths_of_the_same_round() -> None:
    """He would have passed 75 and be the highest: the smog takes the highest of those left."""
    game = scene("R1:0 R1:0", "R1:1 R1:1", "R1:2 R1:2", phase="pollution", round=5, pollution={0: 98, 1: 30})
    assert (game.seat, game.ask) == (1, Ask.DIES)
    assert_picture(game, 0, "R1:0 R1:0")


def test_P6_2_nobody_is_asked_for_a_grave_by_an_eliminated_player() -> None:
    game = scene("R1:0", "R1:1", "R1:2", phase="pollution", pollution={0: 99}, money={1: 9})
    assert members(game.state.borough[0].cemetery) == []


# -- people and things


def test_P6_2_his_tourists_go_to_the_reserve() -> None:
    game = scene("R1:0", "C3:0! C3:2! C3:1!", "F1:0", phase="pollution", pollution=99, votes={1: 1})
    assert game.state.reserve[0] == 6 + 2
    assert_picture(game, 1, "C3 C3:2! C3:1!")
    assert_picture(game, 2, "F1")
    assert_picture(game, 0, "R1:0")  # those at home stay


def test_P6_2_his_guests_go_to_their_own_city_halls() -> None:
    game = scene(
        "C3:1 C3:2 C3:1 R1:0",
        "Hl:1 Hl\nHl Hl",
        "Hl Hl\nHl Hl",
        phase="pollution",
        pollution=96,
        votes={1: 1},
    )
    assert_picture(game, 0, "C3 C3 C3 R1:0")
    assert_picture(game, 1, "Hl:1 Hl:1\nHl:1 Hl")
    assert_picture(game, 2, "Hl:2 Hl\nHl Hl")


def test_RU3_those_without_room_there_go_to_the_career_center() -> None:
    home = "Hl:1 Hl:w\nHl Hl:1"
    given: dict[str, Any] = {"pollution": 96, "votes": {1: 1}, "career": {1: 8}}
    game = scene("C3:1 C3:1 C3:1 R1:0", home, "", phase="pollution", **given)
    assert_picture(game, 1, "Hl:1 Hl:w\nHl:1 Hl:1")
    assert game.state.borough[1].career == 8 + 2


def test_P6_2_guests_of_two_who_leave_together_go_to_the_reserve() -> None:
    hall = "Hl Hl R1:{}\nHl Hl C1:{}"
    game = scene(hall.format(0, 1), hall.format(1, 0), "", "", phase="pollution", pollution={0: 98, 1: 98})
    assert game.state.reserve.tolist() == [7, 7, 6, 6]
    assert_picture(game, 0, "Hl Hl R1:0\nHl Hl C1")
    assert_picture(game, 1, "Hl Hl R1:1\nHl Hl C1")


def test_P6_2_riders_of_his_tram_go_home_and_his_own_abroad_to_the_reserve() -> None:
    game = scene(
        "Tr Tr Tr Tr Tr",
        "Hl Hl Tr Tr Tr Tr Tr\nHl Hl",
        "",
        phase="pollution",
        modules=["new_buildings"],
        pollution=97,
        riders={0: [1, 2], 1: [1, 1]},
        votes={1: 1},
    )
    assert game.state.reserve[0] == 6 + 1
    assert game.state.borough[0].riders.tolist() == [1, 0, 0, 0]
    assert game.state.borough[1].riders.tolist() == [0, 1, 0, 0]
    assert_picture(game, 1, "Hl:1 Hl:1 Tr Tr Tr Tr Tr\nHl Hl")


def test_P6_2_supplies_taken_stay_taken() -> None:
    given: dict[str, Any] = {"pollution": {0: 99}, "votes": {1: 1}}
    game = scene("R1:0 P1 Wa Wa", "", "", phase="pollution", **given)
    left = {Kind.RESIDENTIAL_1: 29, Kind.PARK_1: 24, Kind.WAREHOUSE: 11}
    assert {kind: int(game.state.supply[kind]) for kind in left} == left
    assert_picture(game, 0, "R1:0 P1 Wa Wa")


def test_P6_2_a_godzilla_goes_back_without_leaving_markers() -> None:
    """It has walked one step; as the borough falls it is gone, and nothing is marked."""
    given: dict[str, Any] = {"phase": "pollution", "modules": ["godzillas"], "pollution": 99, "smoke": 1}
    game = scene("F1 .", "", "", die={0: 1}, **given)
    assert game.state.godzillas == 2
    while not game.state.borough[0].out:
        game.step(int(game.legal()[0]))
    b = game.state.borough[0]
    assert (game.state.godzillas, members(b.godzilla), members(b.markers)) == (2, [], [])
    assert game.state.markers == 40


ULAANBAATAR = ". . . . . . . .\n. . . . . . Mo{} .\n. . . . . . . .\n. . . Hl Hl . . .\n. . . Hl Hl . . ."


@pytest.mark.parametrize(
    ("level", "reserve", "hall"),
    [
        ({1: 99}, 7, "Hl Hl\nHl Hl"),  # the sender leaves: his Pilgrim to the reserve
        ({0: 99}, 6, "Hl:1 Hl\nHl Hl"),  # the city leaves: the Pilgrim to his own City Hall
        ({0: 99, 1: 99}, 7, "Hl Hl\nHl Hl"),
    ],
)
def test_P6_2_the_pilgrim(level: dict[int, int], reserve: int, hall: str) -> None:
    game = scene(
        ULAANBAATAR.format(":1") + "\nR1:0",
        f"{hall.replace(':1', '')}\nR1:1",
        "",
        "",
        phase="pollution",
        boards=["ulaanbaatar", "base-easy", "base-easy", "base-easy"],
        pollution=level,
        pilgrim="G2",
        pilgrim_of=1,
        sender="1",
        votes={2: 1},
    )
    assert game.state.reserve[1] == reserve
    assert_picture(game, 1, f"{hall}\nR1:1")
    assert_picture(game, 0, ULAANBAATAR.format("") + "\nR1:0")
    assert game.state.pilgrim == 0


def pilgrimage(city: str, pollution: dict[int, int], space: str = "G2", seat: int = 0) -> Game:
    """Phase 6 of four, with seat 1's Pilgrim on a space of the city at this seat."""
    boards = ["base-easy"] * 4
    boards[seat] = "ulaanbaatar"
    drawn = ["R1:0", "Hl Hl\nHl Hl\nR1:1", "R1:2", "R1:3"]
    drawn[seat] = city
    here = {"pilgrim": space, "pilgrim_of": 1, "sender": "1"} if ":1" in city else {}
    return scene(*drawn, phase="pollution", boards=boards, pollution=pollution, votes={3: 1}, **here)


FIRST_SPACE = "R1:1" + ULAANBAATAR.format("")[1:]


@pytest.mark.parametrize("seat", [0, 3])
@pytest.mark.parametrize(("space", "city"), [("G2", ULAANBAATAR.format(":1")), ("A1", FIRST_SPACE)])
def test_P6_2_the_pilgrim_stays_where_others_leave(space: str, city: str, seat: int) -> None:
    game = pilgrimage(city, {2: 99}, space, seat)
    assert game.state.borough[2].out and game.state.pilgrim > 0
    assert_picture(game, seat, city)


def test_P6_2_a_pilgrim_on_the_first_space_leaves_too() -> None:
    game = pilgrimage(FIRST_SPACE, {1: 99}, "A1")
    assert (game.state.pilgrim, game.state.reserve[1]) == (0, 7)
    assert_picture(game, 0, FIRST_SPACE.replace(":1", ""))


def test_P6_2_a_city_without_a_pilgrim_sends_nobody_home() -> None:
    game = pilgrimage(ULAANBAATAR.format("") + "\nR1:0", {0: 99})
    assert game.state.borough[0].out
    assert (game.state.reserve[:4] == 6).all()


# -- the ranking


def ranking(**given: Any) -> list[list[int]]:
    """Who comes first, of four."""
    return scene("", "", "", "", phase="council", round=8, **given).ranking()


def test_P6_2_ranked_below_all_who_are_not() -> None:
    votes, level = {0: 90, 1: 5, 2: 4, 3: 3}, {0: 100}
    assert ranking(votes=votes, pollution=level, out={0: 8}) == [[1], [2], [3], [0]]


def test_P6_2_among_the_eliminated_the_later_one_is_first() -> None:
    level = {0: 100, 1: 130, 2: 100}
    assert ranking(pollution=level, out={0: 5, 1: 7, 2: 6}) == [[3], [1], [2], [0]]


def test_P6_2_in_the_same_round_the_lower_level_then_more_money_then_shared() -> None:
    game: dict[str, Any] = {"out": {0: 6, 1: 6, 2: 6}, "votes": {0: 200}}  # the score itself does not count
    assert ranking(pollution={0: 103, 1: 101, 2: 102}, **game) == [[3], [1], [2], [0]]
    level = {0: 101, 1: 101, 2: 101}
    assert ranking(pollution=level, money={0: 1, 1: 5, 2: 3}, **game) == [[3], [1], [2], [0]]
    assert ranking(pollution=level, money={0: 1, 1: 5, 2: 5}, **game) == [[3], [1, 2], [0]]


def test_P6_2_his_score_is_counted_for_the_record() -> None:
    game = scene("R1:0", "", "", phase="pollution", pollution=99, votes={0: 130, 1: 1})
    assert game.scores() == [30, 1, 0]
    assert game.ranking() == [[1], [2], [0]]


def test_P6_2_the_others_play_on_to_the_end() -> None:
    game = scene("R1:0", "R1:1", "R1:2", phase="pollution", pollution=99, round=7)
    idle_to(game, "over", 8)
    assert (game.over, game.round) == (True, 8)
    assert game.ranking()[-1] == [0]
