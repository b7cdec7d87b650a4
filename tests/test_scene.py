"""Positions drawn by tests are set up as drawn, and no piece is lost or invented."""

import pytest

from smallcity_env import Ask, Game, Phase
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text.notation import from_text, to_text

from .scene import assert_picture, picture, scene

TOWN = """
    Hl:0 Hl:0 R1:0! .
    Hl:0 Hl   .     C1
    F1   Waa  Waa:w .
"""


def comes_back(game: Game) -> bool:
    return from_text(to_text(game.state)).tobytes() == game.states.tobytes()


def test_everybody_not_drawn_is_in_reserve_or_career_center() -> None:
    game = scene(".:+ R1:0 Tr Tr Tr Tr Tr", "C1:0 C1:1", phase="move", modules=["new_buildings"], riders=[2])
    s = game.state
    assert s.reserve.tolist() == [6, 6, 0, 0]
    assert [b.career for b in s.borough[:2]] == [20 - 6 - 5, 20 - 6 - 1]


def test_a_crowd_comes_from_the_reserve() -> None:
    game = scene("\n".join(["R1:0 " * 8] * 2), phase="move", size=8)
    assert (game.state.borough[0].career, game.state.reserve[0]) == (0, 4)


def test_people_can_be_given() -> None:
    game = scene(TOWN, TOWN.replace(":0", ":1"), phase="move", career={1: 3}, reserve=2)
    assert [b.career for b in game.state.borough[:2]] == [20 - 2 - 4, 3]
    assert game.state.reserve.tolist() == [2, 6, 0, 0]


def test_tiles_drawn_are_not_in_the_supply() -> None:
    s = scene(TOWN, TOWN.replace(":0", ":1"), money=9, supply={"park-1": 1}).state
    assert s.supply[Kind.RESIDENTIAL_1] == 30 - 2
    assert s.supply[Kind.WAREHOUSE] == 12 - 2
    assert s.supply[Kind.CITY_HALL] == 0
    assert s.supply[Kind.PARK_1] == 1
    assert s.supply[Kind.METRO] == 1


def test_printed_tiles_come_from_no_supply() -> None:
    rows = [". . . . . . . . # #", ". C1 . . . . C1 . # #"]
    s = scene("\n".join(rows), boards="seoul", phase="council", money=3).state
    assert s.supply[Kind.COMMERCIAL_1] == 16
    assert s.borough[0].pollution == 7


def test_the_modules_supplies() -> None:
    modules = ["godzillas", "doctors", "power_plants"]
    clinic = "Cl Cl Cl\n.:* .:Z .:Z"
    s = scene(clinic, "", modules=modules, money=9, doctor=1, plants=[2, 1, 0], powered="AB").state
    assert (s.markers, s.godzillas, s.doctors, s.rules.rounds) == (39, 0, 1, 9)
    assert s.supply[Kind.PLANT_1 : Kind.PLANT_3 + 1].tolist() == [12 - 2 - 1, 8 - 2, 4 - 2]
    assert s.borough[0].powered == 0b11


def test_the_zone_reaches_as_far_as_the_drawing() -> None:
    game = scene(". " * 9, ". . . . . . . - - -", phase="council", money=1)
    assert [b.zone_side for b in game.state.borough] == [9, 7, 0, 0]


def test_the_size_of_the_zone_can_be_given() -> None:
    game = scene("", "", phase="council", size={1: 10}, money=1)
    assert [b.zone_side for b in game.state.borough] == [7, 10, 0, 0]


@pytest.mark.parametrize(
    ("phase", "ask"),
    [
        ("select", Ask.CARD),
        ("build", Ask.WHAT),
        ("move", Ask.MOVE),
        ("council", Ask.ROW),
    ],
)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_player_has_the_turn(phase: str, ask: Ask, seat: int) -> None:
    towns = [TOWN.replace(":0", f":{p}") for p in range(3)]
    game = scene(*towns, phase=phase, host=1, seat=seat, money={0: 5, 1: 5, 2: 5})
    assert (game.phase, game.ask, game.seat) == (Phase[phase.upper()], ask, seat)
    assert game.state.turn == (seat - 1) % 3
    assert any(game.state.shown[0].tobytes()) == (phase == "build")
    assert comes_back(game)


def test_a_phase_begins_with_the_host() -> None:
    towns = [TOWN.replace(":0", f":{p}") for p in range(3)]
    game = scene(*towns, phase="build", host=2, round=4, money={2: 5})
    assert (game.round, game.ask, game.seat, game.state.builds) == (4, Ask.WHAT, 2, 3)


def test_the_mayor_comes_first_where_nobody_is_named() -> None:
    game = scene(TOWN, TOWN.replace(":0", ":1"), phase="select")
    assert (game.ask, game.seat) == (Ask.STREET, 1)


def test_cards_taken_are_not_in_the_circle() -> None:
    game = scene(TOWN, TOWN.replace(":0", ":1"), phase="select", seat=1, card="mayor")
    assert game.state.circle.tolist() == [0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0]


def test_the_dice_have_been_rolled() -> None:
    game = scene("F2 F2", "F1", phase="pollution", round=5, modules=["godzillas"], die={0: 3})
    assert (game.ask, game.seat, game.state.die[0]) == (Ask.LEAVE, 0, 3)
    assert comes_back(game)


HALL = "\nHl:0 Hl:0 .:+ .:+\nHl:0 Hl:0"


def test_rare_questions_come_back_too() -> None:
    salary = scene("Cl Cl Cl" + HALL, phase="income", modules=["doctors"], doctor=1, money=4)
    revive = salary.clone()
    revive.step("yes")
    tourism = scene("Cl Cl Cl" + HALL, phase="council", modules=["doctors"], money=1, votes=1)
    tourism.step("row tourism")
    tourism.step("pay votes")
    product = scene("F3:0! F3:0! F3:0! Wa Wa" + HALL, phase="income")
    games = [salary, revive, tourism, product]
    assert [game.ask for game in games] == [Ask.SALARY, Ask.REVIVE, Ask.DOCTOR, Ask.PRODUCT]
    assert all(map(comes_back, games))


def test_pictures_are_compared_as_what_they_mean() -> None:
    game = scene(TOWN, phase="council", money=1)
    assert_picture(game, 0, TOWN.replace("Waa", "Wab").replace("Hl", "Hla"))
    assert picture(game).splitlines()[3].split() == ["3", "F1", "Wa", "Wa:w", *"....---"]
    with pytest.raises(AssertionError):
        assert_picture(game, 0, TOWN.replace("C1", "R1"))


def test_an_unknown_keyword_is_refused() -> None:
    with pytest.raises(TypeError, match="'cash' is no field: say one of"):
        scene(TOWN, cash=3)
