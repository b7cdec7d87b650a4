"""Tourists: where they go and how they come home (P3.2, RU3), and what their visit is worth (P4.1)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask
from tests.rulebook.words import asked, at, offered, play, spaces, with_things
from tests.scene import assert_picture, scene

SHOPS = "C3 C3 C3"


def abroad(game: Game) -> set[int]:
    """The seats the citizen being asked may go to as a Tourist."""
    return {int(name.split()[1]) for name in offered(game) if name.startswith("seat ")}


# -- P3.2: to whom


@pytest.mark.parametrize(("seat", "neighbours"), [(0, {1, 3}), (1, {0, 2}), (2, {1, 3}), (3, {0, 2})])
def test_P3_2_with_four_players_to_the_neighbours_not_to_the_opposite_one(
    seat: int, neighbours: set[int]
) -> None:
    boroughs = ["R1 C3 C3 C3"] * 4
    boroughs[seat] = f"R1:{seat}"
    assert abroad(scene(*boroughs, phase="move", seat=seat)) == neighbours


@pytest.mark.parametrize("players", [2, 3])
def test_P3_2_with_fewer_players_everybody_is_a_neighbour(players: int) -> None:
    for seat in range(players):
        boroughs = ["R1 C3 C3 C3"] * players
        boroughs[seat] = f"R1:{seat}"
        game = scene(*boroughs, phase="move", seat=seat)
        assert abroad(game) == set(range(players)) - {seat}


def test_P3_2_one_a_round_to_each() -> None:
    game = scene("R1:0 R1:0 R1:0", SHOPS, SHOPS, SHOPS, phase="move")
    assert abroad(game) == {1, 3}
    play(game, "seat 1", "at B1")
    assert abroad(game) == {3}
    play(game, "seat 3", "at A1")
    assert game.ask != Ask.MOVE  # nobody left to go to: the third was not asked
    assert_picture(game, 0, "R1 R1 R1:0")
    assert_picture(game, 1, "C3 C3:0! C3")
    assert_picture(game, 3, "C3:0! C3 C3")


def test_P3_2_one_of_each_player() -> None:
    game = scene("R1:0", "R1:1", SHOPS, phase="move")
    play(game, "seat 2", "at A1")
    assert (game.seat, abroad(game)) == (1, {2})
    play(game, "seat 2")
    assert spaces(game) == {"B1", "C1"}


def test_P3_2_one_a_round_means_each_round() -> None:
    """Whoever has been there since the last round does not count."""
    game = scene("R1:0 F1 .", "C3:0 C3 C3", phase="move")
    assert abroad(game) == {1}
    play(game, "seat 1")
    assert spaces(game) == {"B1", "C1"}


def test_P3_2_a_metro_station_leads_everywhere_twice() -> None:
    game = scene("R1:0 R1:0 R1:0 Me Me", SHOPS, SHOPS, SHOPS, phase="move")
    assert abroad(game) == {1, 2, 3}
    play(game, "seat 2", "at A1", "seat 2", "at B1")
    assert abroad(game) == {1, 3}
    assert_picture(game, 2, "C3:0! C3:0! C3")


def test_P3_2_only_an_own_uncontaminated_metro_station_helps() -> None:
    game = scene("R1:0 Me Me:*", SHOPS, SHOPS, SHOPS, phase="move", modules=["godzillas"])
    assert abroad(game) == {1, 3}
    game = scene("R1:0", f"{SHOPS} Me Me", f"{SHOPS} Me Me", SHOPS, phase="move")
    assert abroad(game) == {1, 3}


def test_P3_2_nobody_visits_an_eliminated_player_and_neighbours_stay_neighbours() -> None:
    game = scene("R1:0", SHOPS, SHOPS, SHOPS, phase="move", out={1: 3})
    assert abroad(game) == {3}  # seat 2 does not move up
    game = scene("R1:0 Me Me", SHOPS, SHOPS, SHOPS, phase="move", out={1: 3})
    assert abroad(game) == {2, 3}


# -- P3.2: to what


ELSEWHERE = """
Hl Hl R2 R2 C2 C2 F1
Hl Hl Mu Mu Cl Cl Cl
Un Un Mu P1 Ba Ba Wa
Un Un Rc Rc Ba Ba Wa
Op Op Rc .  .  .  .
Op Op Rc .  .  .  .
Tr Tr Tr Tr Tr .  .
"""
SHOP_SPACES, MUSEUM = {"E1", "F1", "E3"}, {"C2", "D2", "C3"}


@pytest.mark.parametrize(
    ("home", "goals"),
    [
        ("R1:0", SHOP_SPACES | MUSEUM | {"G1", "A7"}),
        ("C1:0", MUSEUM | {"G1", "A7"}),
        ("F1:0", SHOP_SPACES | MUSEUM | {"A7"}),
        ("Mu:0 Mu\n. Mu", SHOP_SPACES | {"G1", "A7"}),
    ],
)
def test_P3_2_tourists_go_to_shops_factories_museum_bank_and_tramway(home: str, goals: set[str]) -> None:
    game = scene(home, ELSEWHERE, phase="move", modules=["new_buildings", "real_buildings"])
    play(game, "seat 1")
    assert offered(game) == at(*goals)


@pytest.mark.parametrize("there", ["R1 Cl Cl Cl P1 Sc", "C1 C2 C2", "F1:1 C1"])
def test_P3_2_not_offered_where_nothing_is_open_to_him(there: str) -> None:
    game = scene("C1:0 R1", there, phase="move")
    assert offered(game) == {"at B1", "no"}


def test_P3_2_not_to_a_space_somebody_stood_on_as_the_turn_began() -> None:
    game = scene("R1:0 R1:0 Me Me", "C3:1 C3:0 C3:2 F3 F3 F3", "", phase="move")
    play(game, "seat 1")
    assert spaces(game) == {"D1", "E1", "F1"}
    play(game, "at E1", "seat 1")
    assert spaces(game) == {"D1", "F1"}


def test_P3_1_a_space_another_player_has_left_before_is_free() -> None:
    """Seat 0 goes home from the only shop, then it is open to seat 1, but not the other way round."""
    boroughs = ("F1 R1", "R1:1 C1:0")
    game = scene(*boroughs, phase="move", host=0)
    play(game, "at A1")
    assert (game.seat, offered(game)) == (1, {"at B1", "no"})
    game = scene(*boroughs, phase="move", host=1)
    assert "at B1" not in offered(game)


def test_P3_2_citizens_in_city_hall_do_not_travel() -> None:
    game = scene("Hl:0 Hl R1\nHl Hl", SHOPS, phase="move")
    assert (game.ask, offered(game)) == (Ask.HOME, {"at C1", "no"})


# -- P3.2: and home again


def test_P3_2_a_tourist_goes_home_and_not_on_to_another_borough() -> None:
    game = scene("R1 C1 F1 Cl Cl Cl\nMe Me", "C2:0 C2 F1", "F1 C1", phase="move")
    assert asked(game) == (1, "A1")
    assert offered(game) == at("A1", "C1", "D1", "E1", "F1") | {"no"}  # not to the shop
    play(game, "at A1")
    assert_picture(game, 0, "R1:0! C1 F1 Cl Cl Cl\nMe Me")
    assert_picture(game, 1, "C2 C2 F1")


def test_P3_2_who_does_not_move_goes_to_city_hall() -> None:
    game = scene("Hl:0 Hl R2 R2\nHl Hl", "C1:0 F1:0 R1:1 Cl Cl Cl", phase="move")
    play(game, "no", "no")
    assert game.seat == 1
    assert_picture(game, 0, "Hl:0 Hl:0 R2 R2\nHl:0 Hl")
    assert_picture(game, 1, "C1 F1 R1:1 Cl Cl Cl")


def test_P3_2_also_when_he_has_nowhere_to_go() -> None:
    game = scene("Hl Hl C1\nHl Hl", "C1:0 R1:1 Cl Cl Cl", phase="move")
    assert_picture(game, 0, "Hl:0 Hl C1\nHl Hl")


def test_P3_2_who_has_just_arrived_stays() -> None:
    game = scene("Hl Hl R1:0\nHl Hl", "C1 R1:1 Cl Cl Cl", phase="move")
    play(game, "seat 1")
    assert game.seat == 1
    assert_picture(game, 1, "C1:0! R1:1 Cl Cl Cl")


def test_P3_3_the_tourist_sent_to_city_hall_may_move_in_from_there() -> None:
    game = scene("Hl Hl R1\nHl Hl", "C1:0 R1:1 Cl Cl Cl", phase="move")
    play(game, "no")
    assert (game.ask, offered(game)) == (Ask.HOME, {"at C1", "no"})


def test_RU3_with_city_hall_full_the_tourist_goes_to_the_career_center() -> None:
    full = "Hl:0 Hl:w\nHl:0 Hl:*"
    game = scene(full, "C1:0 F1:0 R1:1 Cl Cl Cl", phase="move", modules=["godzillas"], career=10)
    assert game.state.borough[0].career == 12
    assert_picture(game, 0, full)


def test_RU3_one_place_left_in_city_hall() -> None:
    there = "C1:0 F1:0 R1:1 Cl Cl Cl"
    game = scene("Hl:0 Hl\nHl:0 Hl:s", there, phase="move", career=10)
    assert game.state.borough[0].career == 11
    assert_picture(game, 0, "Hl:0 Hl:0\nHl:0 Hl:s")


# -- P4.1


def money(*boroughs: str, **given: Any) -> list[int]:
    """What everybody has after collecting."""
    game = scene(*boroughs, phase="income", **given)
    return [int(game.state.borough[p].money) for p in range(len(boroughs))]


def test_P4_1_a_dollar_for_each_tourist_who_worked() -> None:
    assert money("F3:1! F3:2! F3:0!", "", "") == [2, 0, 0]
    assert money("F3:1  F3:2! F3:0!", "", "") == [1, 0, 0]


def test_P4_1_two_dollars_in_the_museum() -> None:
    assert money("Mu:1! Mu:2!\nMu:0! .", "", "") == [4, 0, 0]
    assert money("Mu:1  Mu:2!\nMu:0! F1:2!", "", "") == [3, 0, 0]


@pytest.mark.parametrize(
    ("there", "host", "visitor", "votes"),
    [
        ("C1:1!", 1, 3, 0),
        ("C3 C3 C3:1!", 1, 0, 4),
        ("C1:1", 0, 0, 0),
        ("Mu:1! Mu\nMu .", 2, 0, 0),
        ("Ba:1! Ba\nBa Ba", 1, 2, 0),
    ],
)
def test_P4_1_what_the_space_gives_goes_to_the_tourists_own_player(
    there: str, host: int, visitor: int, votes: int
) -> None:
    game = scene(there, "", phase="income", modules=["new_buildings"])
    assert [int(game.state.borough[p].money) for p in (0, 1)] == [host, visitor]
    assert [int(game.state.borough[p].votes) for p in (0, 1)] == [0, votes]


def test_P4_1_a_tourist_on_the_tram_pays_too() -> None:
    assert money("Tr Tr Tr Tr Tr", "", "", modules=["new_buildings"], riders=[1, 2, 1]) == [3, 0, 0]


def test_P4_1_the_product_is_the_tourists() -> None:
    game = scene("Hl Hl F1:1!\nHl Hl .", "Hl Hl\nHl Hl", phase="income")
    assert_picture(game, 1, "Hl:w Hl\nHl Hl")
    assert game.state.borough[0].money == 1


def test_P4_1_the_tourists_space_pays_in_his_own_players_turn() -> None:
    """Seat 0 collects first: his guest's trade waits for seat 1, and so does his guest's money."""
    game = scene("C2:0! C2:1!\nWa:w Wa", "C2:0! C2:1!\nWa:w Wa", phase="income")
    assert (game.seat, game.ask) == (1, Ask.TRADE)
    assert [int(game.state.borough[p].money) for p in (0, 1)] == [3 + 3 + 1, 1]
    assert asked(game) == (1, "B1")
    play(game, "no")
    assert asked(game) == (0, "B1")


def test_P4_1_everything_is_drawn_on_the_same_city() -> None:
    city = with_things(ELSEWHERE, E1="1!", G1="1!", C2="1!", D2="0!")
    assert money(city, "", modules=["new_buildings", "real_buildings"]) == [1 + 1 + 2, 3]
