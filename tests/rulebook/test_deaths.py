"""Phase 6: who dies and where they are buried (P6.3, P6.4)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.text.grid import members
from tests.rulebook.words import offered, play, spaces
from tests.scene import assert_picture, scene

FOUR = "R2a:0 R2a:0\nR2b:0 R2b:0"  # four citizens: pollution rises by 4


def deaths(game: Game, seat: int = 0) -> int:
    """How many of a player's die in all, whoever it is."""
    before = len(members(game.state.borough[seat].cemetery))
    while game.phase == Phase.POLLUTION:
        game.step(int(game.legal()[0]))
    return len(members(game.state.borough[seat].cemetery)) - before


def lost(*boroughs: str, seat: int = 0, **given: Any) -> int:
    """How many die in this Phase 6; a vote to spend stops the game in the phase after it."""
    votes = dict.fromkeys(range(len(boroughs)), 1)
    return deaths(scene(*boroughs, phase="pollution", votes=votes, **given), seat)


# -- P6.3


@pytest.mark.parametrize("level", [25, 50, 75])
def test_P6_3_one_dies_when_a_level_is_reached_or_passed(level: int) -> None:
    assert lost(FOUR, pollution=level - 5) == 0
    assert lost(FOUR, pollution=level - 4) == 1
    assert lost(FOUR, pollution=level - 1) == 1
    assert lost(FOUR, pollution=level) == 0  # that was an earlier round


@pytest.mark.parametrize(
    ("before", "smoke", "due"), [(24, 21, 1), (24, 22, 2), (20, 51, 3), (20, 50, 2), (49, 22, 2)]
)
def test_P6_3_one_for_each_level(before: int, smoke: int, due: int) -> None:
    assert lost(FOUR, pollution=before, smoke=smoke) == due


def test_P6_3_from_round_5_the_highest_level_costs_one_more() -> None:
    assert lost(FOUR, FOUR.replace("0", "1"), pollution=1, round=4) == 0
    for round_no in (5, 8):
        assert lost(FOUR, FOUR.replace(":0", ":1"), pollution=1, round=round_no) == 1
        assert lost(FOUR, FOUR.replace(":0", ":1"), pollution=1, round=round_no, seat=1) == 0


def test_P6_3_on_top_of_the_levels() -> None:
    assert lost(FOUR, "", pollution=24, round=5) == 2


def test_P6_3_ties_cost_each_of_them_one() -> None:
    other = FOUR.replace(":0", ":1")
    assert [lost(FOUR, other, "R1:2", round=5, seat=p) for p in range(3)] == [1, 1, 0]


def test_P6_3_the_level_after_measuring_counts() -> None:
    boroughs = (FOUR, "R1:1")
    assert [lost(*boroughs, round=5, pollution={1: 2}, seat=p) for p in (0, 1)] == [1, 0]
    assert [lost(*boroughs, round=5, pollution={1: 3}, seat=p) for p in (0, 1)] == [1, 1]
    assert [lost(*boroughs, round=5, pollution={1: 4}, seat=p) for p in (0, 1)] == [0, 1]


def test_P6_3_only_if_pollution_was_made() -> None:
    clean = "R1:0 P1"
    assert lost(clean, "R1:1", round=5, pollution=20) == 0
    assert lost("R1:0", "R1:1", round=5, pollution=20) == 1
    assert lost(clean, "R1:1", round=5, pollution=20, seat=1) == 0  # and nobody else instead


def test_P6_3_alone_you_are_the_highest() -> None:
    assert lost(FOUR, round=5) == 1
    assert lost(FOUR, round=4) == 0


def test_P6_3_those_eliminated_before_do_not_count() -> None:
    game: dict[str, Any] = {"round": 6, "pollution": {1: 105}, "out": {1: 3}}
    assert lost(FOUR, "R1:1", "R1:2", **game) == 1


def test_P6_3_when_all_have_measured_in_turn_order() -> None:
    game = scene(
        FOUR, FOUR.replace(":0", ":1"), "R1:2", phase="pollution", host=1, pollution={0: 24, 1: 24, 2: 3}
    )
    assert (game.seat, game.ask) == (1, Ask.DIES)
    assert game.state.borough[0].pollution == 28
    play(game, "at A1", "at A3")
    assert (game.seat, game.ask) == (0, Ask.DIES)


CLINIC = "R2a:0 R2a:0 Cl{} Cl{} Cl{}"


@pytest.mark.parametrize(
    ("nurses", "due"),
    [(("", "", ""), 2), ((":0!", "", ""), 1), ((":0!", ":0!", ":0!"), 1), ((":0", ":0", ""), 2)],
)
def test_P6_3_a_citizen_who_worked_in_the_clinic_prevents_one_in_all(
    nurses: tuple[str, str, str], due: int
) -> None:
    assert lost(CLINIC.format(*nurses), pollution=20, smoke=40) == due  # past 25 and 50


def test_P6_3_the_only_death_may_be_prevented() -> None:
    assert lost(CLINIC.format(":0!", "", ""), pollution=24) == 0
    assert lost(CLINIC.format(":0!", "", ""), round=5) == 0
    assert lost(CLINIC.format(":0!", "", "")) == 0  # nothing to prevent


def test_P6_3_only_an_own_citizen_in_the_own_clinic() -> None:
    assert lost(CLINIC.format(":1!", "", ""), "", pollution=24) == 1
    assert lost("R1:0", CLINIC.replace(":0", ":1").format(":0!", "", ""), pollution=24) == 1


# -- P6.4: who


def test_P6_4_the_player_chooses_an_own_citizen_in_his_borough() -> None:
    game = scene("Hl:0 Hl R1:0 C2:1 C2:0\nHl Hl . F1 .", "C1:0", phase="pollution", pollution=24)
    assert (game.ask, spaces(game)) == (Ask.DIES, {"C1", "E1"})  # no guest, no Tourist, not City Hall
    assert len(offered(game)) == 2
    play(game, "at E1", "at G7")
    assert_picture(game, 0, "Hl:0 Hl R1:0 C2:1 C2\nHl Hl . F1 .\n.\n.\n.\n.\n. . . . . . .:+")


def test_P6_4_city_hall_only_when_no_other_is_left() -> None:
    game = scene("Hl:0 Hl:0 C1:1\nHl Hl .", "", phase="pollution", pollution=24)
    assert spaces(game) == {"A1", "B1"}
    game = scene("Hl:0 Hl:0 C1:0\nHl Hl .", "", phase="pollution", pollution=24)
    assert game.ask == Ask.GRAVE  # the one outside was the only choice


def test_P6_4_first_the_last_one_outside_then_city_hall() -> None:
    game = scene("Hl:0 Hl:0 C1:0\nHl Hl .", "", phase="pollution", pollution=24, round=5)
    play(game, "at G7")
    assert (game.ask, spaces(game)) == (Ask.DIES, {"A1", "B1"})


def test_P6_4_nobody_there_no_death() -> None:
    game = scene("C1:1", "R1:0", phase="pollution", pollution=24, votes={0: 1}, round=1)
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 1, "R1:0")
    assert game.state.borough[0].career == 13  # the Career Center is spared too


def test_P6_4_more_deaths_than_citizens() -> None:
    game = scene("R1:0", phase="pollution", pollution=20, smoke=60, votes=1)
    play(game, "at C3")
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 0, "R1 . .\n. . .\n. . .:+")


# -- P6.4: where


def graves(drawn: str, **given: Any) -> set[str]:
    """Where the dead of the level 25 can be buried; one citizen can die."""
    game = scene(drawn, phase="pollution", pollution=20, smoke=20, **given)
    assert game.ask == Ask.GRAVE
    return spaces(game)


FULL = """
R1:0 P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 P1 P1 P1
P1   P1 P1 P1 {}  {}  {}
"""


def test_P6_4_on_an_empty_space_of_the_zone() -> None:
    everywhere = {f"{col}{row}" for col in "ABCDEFG" for row in range(1, 8)}
    assert graves("R1:0") == everywhere - {"A1"}
    assert graves("R1:0 P1 .", boards="base-expert") == everywhere - {"A1", "B1"} - {"D1", "A4", "G4", "D7"}


def test_P6_4_not_on_tiles_markers_the_mayor_or_materials() -> None:
    open_spaces = graves("R1:0 .:* .:M .:M .:s Sc .:Z\n. . . . . . .:Z", modules=["godzillas"], size=7)
    assert not open_spaces & {"A1", "B1", "C1", "D1", "E1", "F1", "G1", "G2"}
    assert len(open_spaces) == 49 - 8


def test_P6_4_next_to_an_existing_cemetery_space() -> None:
    assert graves("R1:0 . .\n. .:+ .\n. . .") == {"B1", "A2", "C2", "B3"}
    assert graves("R1:0 Sc .\nP1 .:+ .:+\n. Sc .") == {"C1", "D2", "C3"}  # either of the two


def test_P6_4_in_the_corner_of_the_zone() -> None:
    rows = ["R1:0", ".", ".", ".", ".", ".", ". . . . . . .:+"]
    assert graves("\n".join(rows)) == {"F7", "G6"}


def test_P6_4_anywhere_when_no_space_beside_a_cemetery_is_free() -> None:
    hemmed_in = "R1:0 Sc .\nP1 .:+ P1\n. P1 ."
    taken = {"A1", "B1", "A2", "B2", "C2", "B3"}
    assert graves(hemmed_in) == {f"{c}{r}" for c in "ABCDEFG" for r in range(1, 8)} - taken


def test_P6_4_a_second_grave_is_dug_beside_the_first() -> None:
    game = scene(FOUR, phase="pollution", pollution=24, round=5)
    play(game, "at A1", "at E4", "at B1")
    assert (game.ask, spaces(game)) == (Ask.GRAVE, {"E3", "D4", "F4", "E5"})


def test_P6_4_the_last_space_then_the_reserve() -> None:
    smoke: dict[str, Any] = {"smoke": 100, "phase": "pollution", "votes": 1, "reserve": 6}
    one = scene(FULL.format(".", "Li", "Li"), **smoke)
    assert members(one.state.borough[0].cemetery) == [64]
    assert one.state.reserve[0] == 6
    none = scene(FULL.format("P1", "Li", "Li"), **smoke)
    assert members(none.state.borough[0].cemetery) == []
    assert members(none.state.borough[0].citizens[0]) == []
    assert none.state.reserve[0] == 6 + 1


def test_P6_4_never_on_radiation_the_reserve_instead() -> None:
    drawn = FULL.format(".:*", "Li", "Li")
    game = scene(drawn, phase="pollution", smoke=100, votes=1, modules=["godzillas"])
    assert members(game.state.borough[0].cemetery) == []
    assert game.state.reserve[0] == 6 + 1


def test_P6_4_a_rider_of_the_tram_may_die() -> None:
    drawn = "Tr Tr Tr Tr Tr R1:0"
    game = scene(drawn, phase="pollution", pollution=24, modules=["new_buildings"], riders=[2])
    assert spaces(game) == {"A1", "F1"}
    play(game, "at A1", "at G7")
    assert game.state.borough[0].riders[0] == 1
