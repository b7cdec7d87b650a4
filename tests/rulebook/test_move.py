"""Phase 3: move citizens (P3.0, P3.1, P3.3, P3.4); Tourists have their own page."""

from typing import Any

import pytest

from smallcity_env.rules.tables import Ask, Phase
from tests.rulebook.words import asked, at, offered, play, spaces, with_things
from tests.scene import assert_picture, scene

# A neighbour with a question of his own, so that a scene stops at his turn, and no room for Tourists.
WAITS = "R1:1 Cl Cl Cl"

CITY = """
Hl Hl R2 R2 C2 C2 F1
Hl Hl Mu Mu Cl Cl Cl
Un Un Mu P1 Sc Ha Ha
Un Un Wa Wa Re Ha Ha
"""
PLACES = {
    "residential": {"C1", "D1"},
    "commercial": {"E1", "F1"},
    "factory": {"G1"},
    "museum": {"C2", "D2", "C3"},
    "clinic": {"E2", "F2", "G2"},
    "university": {"A3", "B3", "A4", "B4"},
}

WINTER_CITY = """
Hl Hl Tr Tr Tr Tr Tr
Hl Hl Ba Ba Rc Rc Rc
C1 R1 Ba Ba Rc .  .
Op Op .  .  .  .  .
Op Op .  .  .  .  .
"""
WINTER_PLACES = {
    "residential": {"B3"},
    "commercial": {"C2", "A3"},  # the Bank is one of them
    "recycling": {"E2", "F2", "G2", "E3"},
    "opera": {"A4"},
    "tramway": {"C1"},
}


# -- P3.0


def test_P3_0_in_turn_order_each_moves_all_his_citizens_in_one_go() -> None:
    home = "Hl:{0} Hl R1 R1:{0} C1\nHl Hl . . . F1"
    game = scene(home.format(0), home.format(1), phase="move", host=1, modules=["new_buildings"])
    assert (game.seat, game.ask) == (1, Ask.MOVE)
    play(game, "at E1")
    assert (game.seat, game.ask) == (1, Ask.HOME)
    assert game.state.borough[1].career == 12
    play(game, "at C1")
    assert (game.seat, game.ask) == (0, Ask.MOVE)
    assert game.state.borough[1].career == 11  # C came before the next player's A
    assert_picture(game, 1, "Hl:1 Hl R1:1! R1 C1:1!\nHl Hl . . . F1")


def test_P3_0_D_the_tram_arrives_before_the_next_player_moves() -> None:
    game = scene("Tr Tr Tr Tr Tr", WAITS, phase="move", modules=["new_buildings"], reserve=6)
    assert (game.seat, game.phase) == (1, Phase.MOVE)
    assert (game.state.reserve[0], game.state.borough[0].riders[0]) == (5, 1)


# -- P3.1: kinds of place


@pytest.mark.parametrize("here", PLACES)
def test_P3_1_a_citizen_goes_to_any_other_kind_of_place(here: str) -> None:
    start = min(PLACES[here])
    game = scene(with_things(CITY, **{start: "0"}), WAITS, phase="move")
    assert offered(game) == at(*set().union(*PLACES.values()) - PLACES[here]) | {"no"}


@pytest.mark.parametrize("here", sorted(set(WINTER_PLACES) - {"tramway"}))
def test_P3_1_the_bank_is_a_shop_and_other_new_buildings_are_kinds_of_their_own(here: str) -> None:
    start = min(WINTER_PLACES[here])
    game = scene(
        with_things(WINTER_CITY, **{start: "0"}),
        WAITS,
        phase="move",
        modules=["new_buildings", "real_buildings"],
    )
    assert spaces(game) == set().union(*WINTER_PLACES.values()) - WINTER_PLACES[here]


def test_P3_1_who_is_on_the_tram_gets_off_at_any_other_place() -> None:
    game = scene(WINTER_CITY, WAITS, phase="move", modules=["new_buildings", "real_buildings"], riders=[1])
    assert asked(game) == (0, "C1")
    assert spaces(game) == set().union(*WINTER_PLACES.values()) - {"C1"}


def test_P3_1_people_walk_in_parks_in_tokyo_only() -> None:
    park = "R1:0 P1"
    assert spaces(scene(park, WAITS, phase="move", boards=["tokyo", "base-easy"])) == {"B1"}
    assert scene(park, WAITS, phase="move").seat == 1  # nowhere to go: he was not asked


def test_P3_1_level_and_tile_do_not_matter_only_the_kind_of_place() -> None:
    game = scene("R1:0 R2 R2 C3 C3 C3 F1", WAITS, phase="move")
    assert spaces(game) == {"D1", "E1", "F1", "G1"}


# -- P3.1: free spaces


def test_P3_1_nobody_enters_a_space_taken_or_left_in_this_turn() -> None:
    game = scene("R1:0 C2:0 C2 F1", WAITS, phase="move")
    assert (asked(game), spaces(game)) == ((0, "A1"), {"C1", "D1"})  # B1 is taken
    play(game, "at D1")
    assert game.seat == 1  # the shopper has no home: A1 was taken as the turn began, D1 is now
    assert_picture(game, 0, "R1 C2:0 C2 F1:0!")


def test_P3_1_who_has_just_moved_in_is_in_the_way() -> None:
    game = scene("R1:0 R1:0 C2 C2", WAITS, phase="move")
    play(game, "at C1")
    assert spaces(game) == {"D1"}


def test_P3_1_each_moves_once() -> None:
    game = scene("R1:0 F2 F2 C2 C2", WAITS, phase="move")
    play(game, "at B1")
    assert game.seat == 1
    assert_picture(game, 0, "R1 F2:0! F2 C2 C2")


def test_P3_1_who_stays_does_not_work_and_who_moves_does() -> None:
    game = scene("R1:0 R1:0 C2 C2", WAITS, phase="move")
    play(game, "no", "at D1")
    assert_picture(game, 0, "R1:0 R1 C2 C2:0!")


def test_P3_1_T6_who_moved_in_during_phase_2_has_worked_as_long_as_he_stays() -> None:
    game = scene("R1:0! C1", WAITS, phase="move")
    other = game.clone()
    play(game, "no")
    assert_picture(game, 0, "R1:0! C1")
    play(other, "at B1")
    assert_picture(other, 0, "R1 C1:0!")


def test_P3_1_unusable_spaces_are_not_entered() -> None:
    game = scene("R1:0 C3:* C3 C3:Z\n. . . .:Z", WAITS, phase="move", modules=["godzillas"])
    assert spaces(game) == {"C1"}


def test_P3_1_asked_in_reading_order_home_first_then_abroad_by_seat() -> None:
    game = scene(
        "C1:1",
        ". . R1:1 C3 C3 C3\nR1:1 F3 F3 F3",
        "F1:1",
        phase="move",
        seat=1,
    )
    seen = []
    while game.seat == 1 and game.ask == Ask.MOVE:
        seen.append(asked(game))
        game.step("no")
    assert seen == [(1, "C1"), (1, "A2"), (0, "A1"), (2, "A1")]


def test_P3_1_everybody_else_stays_out_of_it() -> None:
    """Only the player's own: neither guests nor those in City Hall are moved in A."""
    game = scene("Hl:0 Hl C2:1 C2\nHl Hl R2 R2", WAITS, phase="move")
    assert (game.seat, asked(game)) == (1, (1, "A1"))  # nothing was asked of seat 0


# -- P3.3


def test_P3_3_from_city_hall_to_a_level_1_residence_and_nowhere_else() -> None:
    game = scene("Hl:0 Hl R1 R1 C1\nHl Hl R2 R2 F1", WAITS, phase="move")
    assert game.ask == Ask.HOME
    assert offered(game) == {"at C1", "at D1", "no"}
    play(game, "at D1")
    assert game.seat == 1
    assert_picture(game, 0, "Hl:0 Hl R1 R1:0! C1\nHl Hl R2 R2 F1")  # and a newcomer for the job


def test_P3_3_one_after_the_other_until_one_stays() -> None:
    game = scene("Hl:0 Hl:0 R1 R1\nHl:0 Hl R1 R1", WAITS, phase="move")
    play(game, "at C1")
    assert offered(game) == {"at D1", "at C2", "at D2", "no"}
    play(game, "at C2", "no")
    assert game.seat == 1
    assert_picture(game, 0, "Hl:0 Hl R1:0! R1\nHl Hl R1:0! R1")


def test_P3_3_when_the_first_stays_nobody_else_is_asked() -> None:
    game = scene("Hl:0 Hl:0 R1 R1\nHl:0 Hl R1 R1", WAITS, phase="move")
    play(game, "no")
    assert game.seat == 1


def test_P3_3_all_may_leave_city_hall() -> None:
    game = scene("Hl:0 Hl:0 R1 R1\nHl:0 Hl:0 R1 R1 R1", WAITS, phase="move")
    play(game, "at C1", "at D1", "at C2", "at D2")
    assert game.seat == 1
    assert_picture(game, 0, "Hl Hl R1:0! R1:0!\nHl Hl R1:0! R1:0! R1")


def test_P3_3_a_home_left_or_entered_in_this_turn_is_not_free() -> None:
    game = scene("Hl:0 Hl R1:0 R1\nHl Hl R1 C2:0 C2", WAITS, phase="move")
    assert asked(game) == (0, "C1")
    play(game, "at E2", "at D1")  # C1 goes shopping, D2 goes home
    assert game.ask == Ask.HOME
    assert offered(game) == {"at C2", "no"}


def test_P3_3_not_asked_without_a_free_home_or_without_anybody() -> None:
    assert scene("Hl:0 Hl R2 R2\nHl Hl . .", WAITS, phase="move").seat == 1
    assert scene("Hl Hl R1 R1\nHl Hl . .", WAITS, phase="move").seat == 1


def test_P3_3_an_unusable_home_is_not_free() -> None:
    game = scene("Hl:0 Hl R1:* R1\nHl Hl . .", WAITS, phase="move", modules=["godzillas"])
    assert offered(game) == {"at D1", "no"}


# -- P3.4


def newcomers(drawn: str, seen: str, **given: Any) -> int:
    """How many come from the Career Center, and the picture afterwards."""
    game = scene(drawn, WAITS, phase="move", modules=["godzillas"], **given)
    assert (game.seat, game.ask) == (1, Ask.MOVE)
    assert_picture(game, 0, seen)
    return int(given.get("career", 14) - game.state.borough[0].career)


def test_P3_4_a_newcomer_for_every_empty_factory_space() -> None:
    drawn, seen = "Hl Hl F3 F3 F3", "Hl:0 Hl:0 F3 F3 F3"
    assert newcomers(f"{drawn}\nHl Hl . F1 .", f"{seen}\nHl:0 Hl:0 . F1 .") == 4
    assert newcomers(f"{drawn}\nHl Hl . .  .", f"{seen}\nHl:0 Hl   . .  .") == 3


def test_P3_4_none_without_a_factory() -> None:
    assert newcomers("Hl Hl C1 Wa\nHl Hl . Wa", "Hl Hl C1 Wa\nHl Hl . Wa") == 0


def test_P3_4_taken_and_unusable_factory_spaces_bring_nobody() -> None:
    drawn = "Hl   Hl F2:0 F2:1\nHl Hl F2b:* F2b"
    after = "Hl:0 Hl F2:0 F2:1\nHl Hl F2b:* F2b"
    assert newcomers(drawn, after, career=13) == 1


def test_P3_4_only_while_city_hall_has_room() -> None:
    drawn = "Hl:w Hl   F3 F3 F3\nHl Hl:* . . ."
    after = "Hl:w Hl:0 F3 F3 F3\nHl:0 Hl:* . . ."
    assert newcomers(drawn, after) == 2
    full = "Hl:0 Hl:0 F3 F3 F3\nHl:0 Hl:0 . . ."
    assert newcomers(full, full, career=10) == 0


def test_P3_4_only_while_the_career_center_lasts() -> None:
    drawn, after = "Hl Hl F3 F3 F3\nHl Hl . . .", "Hl:0 Hl F3 F3 F3\nHl Hl . . ."
    assert newcomers(drawn, after, career=1, reserve=19) == 1
    assert newcomers(drawn, drawn, career=0, reserve=20) == 0


def test_P3_4_comes_after_the_moves() -> None:
    """A job left in A is free in C, one taken is not, and so is a place in City Hall left in B."""
    game = scene("Hl:0 Hl F1:0 C1 R1\nHl Hl . . .", WAITS, phase="move")
    play(game, "at D1", "no")
    assert_picture(game, 0, "Hl:0 Hl:0 F1 C1:0! R1\nHl Hl . . .")
    game = scene("Hl Hl F1 C1:0 .\nHl Hl . . .", WAITS, phase="move")
    play(game, "at C1")
    assert_picture(game, 0, "Hl Hl F1:0! C1 .\nHl Hl . . .")
    game = scene("Hl:w Hl:w F2 F2 R1\nHl:w Hl:0 . . .", WAITS, phase="move")
    play(game, "at E1")
    assert_picture(game, 0, "Hl:w Hl:w F2 F2 R1:0!\nHl:w Hl:0 . . .")


def test_P3_4_newcomers_do_not_move_in_the_round_they_come() -> None:
    game = scene("Hl Hl F1 R1\nHl Hl . .", WAITS, phase="move")
    assert game.seat == 1  # no question of B
    assert_picture(game, 0, "Hl:0 Hl F1 R1\nHl Hl . .")
