"""Drawn positions with an obvious answer, which `greedy` must find."""

import numpy as np
import pytest

from smallcity_agents import make
from smallcity_env import Game, batch
from smallcity_env.rules import actions
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.rng import streams
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.promises import BY_NUMBER
from smallcity_env.rules.tables.tiles import TILES, Kind
from smallcity_env.text.grid import members
from tests.scene import scene

HALL = """
.  .  .
.  Hl Hl
.  Hl Hl
"""


def answer(game: Game, name: str = "greedy") -> str:
    """What an agent answers."""
    states = np.array([game.state]).view(STATE)
    legal, seat = batch.masks(states), states["seat"].astype(np.int64)
    return actions.name(int(make(name).act(states, seat, legal, streams(1))[0]))


def asked(game: Game) -> Ask:
    return Ask(game.state.ask)


def play_on(game: Game, until: Ask, name: str = "greedy") -> None:
    """Answer until a question comes up."""
    while asked(game) is not until:
        game.step(actions.parse(answer(game, name)))


def test_a_citizen_goes_where_there_are_four_votes():
    game = scene("R1:0 C3 C3 C3", phase="move", round=8)
    assert answer(game) == "at D1"  # the space c


def test_a_citizen_goes_to_the_highest_home():
    game = scene("C1:0 R1 . R3 R3\n.  .  . R3 .", phase="move", round=8)
    assert answer(game) in ("at D1", "at E1", "at D2")


def test_a_citizen_earns_early_in_the_game():
    game = scene("R1:0 . C1", phase="move", round=1)
    assert answer(game) == "at C1"


def test_the_supporter_brings_votes_in_the_last_round():
    game = scene(HALL, phase="select", round=8, seat=0, circle="supporter opponent")
    assert answer(game) == "card supporter"
    game.step("card supporter")
    assert answer(game) == "pay votes"


def test_a_material_is_traded_for_votes_in_the_last_round():
    game = scene("C4 C4 C4 C4:0!\nWa:m Wa:w", phase="income", round=8)
    assert asked(game) is Ask.TRADE
    assert answer(game) == "metal"


@pytest.mark.parametrize(
    ("heap", "hall", "taken"),
    [(":s", ":s", "store plain"), (":s", "", "store plain"), ("", ":s", "store city-hall")],
)
def test_a_traded_material_frees_land_then_city_hall(heap: str, hall: str, taken: str):
    picture = f".{heap} . ^\n. . ^ ^\nHl{hall} Hl Wa:s Wa\nHl Hl\nC4 C4 C4 C4:0!"
    game = scene(picture, boards="mountain-easy", phase="income", round=8)
    game.step("stone")
    assert asked(game) is Ask.TAKE_FROM
    assert answer(game) == taken


def test_the_council_is_paid_in_money_when_money_is_worth_nothing_any_more():
    game = scene("R1:0", phase="council", round=8, money=9, votes=9)
    if asked(game) is Ask.ROW:
        game.step("row tourism")
    assert asked(game) is Ask.PAY
    assert answer(game) == "pay money"


def test_a_promise_that_one_build_keeps_is_kept():
    parks, price = BY_NUMBER[2].needs[0].low, int(TILES[Kind.PARK_1]["money"])  # Green Belt
    game = scene("P1 " * (parks - 1) + ". .", phase="build", round=8, money=price, promise=2)
    assert "park" in answer(game)


def test_money_that_keeps_a_promise_is_not_spent():
    savings = BY_NUMBER[5].needs[0].low
    game = scene(HALL, phase="build", round=8, money=savings, promise=5)
    assert answer(game) == "no"


def test_the_promised_library_is_built():
    game = scene("Hl Hl Sc\nHl Hl\nWa:w Wa:s", phase="build", round=8, promise=3)
    assert answer(game) == "build library"


TOWN = """
F1   R1:0 R1:0 .
.    .    .    .
.    .    .    .
"""


def test_a_godzilla_is_led_where_nobody_lives():
    game = scene(TOWN, "", phase="pollution", modules=["godzillas"], round=5, die={0: 3})
    for _ in range(3):
        if asked(game) in (Ask.ARRIVE_BESIDE, Ask.LEAVE, Ask.LEAVE_WAY, Ask.TURN):
            game.step(actions.parse(answer(game)))
    alive = {space_name(space) for space in members(game.state.borough[0].citizens[0])}
    assert alive == {"B1", "C1"}


def test_a_residence_is_built_where_public_buildings_reach_it():
    game = scene("Hl Hl . . . . Sc\nHl Hl . . . . .", phase="build", money=1, round=2)
    game.step("build residential-1")
    assert answer(game) in ("at F1", "at F2", "at G2", "at C1", "at C2", "at C3", "at A3", "at B3")


@pytest.mark.parametrize("name", ["greedy", "green", "merchant"])
def test_a_factory_does_not_spoil_the_land_around_city_hall(name):
    game = scene(HALL, phase="build", money=1, round=2)
    game.step("build factory-1")
    row, col = divmod(actions.parse(answer(game, name)), 10)
    assert row > 3 or col > 3


def test_who_gets_up_leaves_the_better_land():
    town = "Cl Cl Cl Hl Hl\n.:+ . . Hl Hl\n. . . . .\n. . . . .:+"
    game = scene(town, phase="income", modules=["doctors"], doctor=1, money=2)
    play_on(game, Ask.REVIVE)
    assert answer(game) == "at A2"
