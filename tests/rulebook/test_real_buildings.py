"""Real buildings: Big Ben (RB1) and the Sydney Opera House (RB2, RB3)."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.cities import drawn
from tests.rulebook.laying import assert_starts, starts
from tests.rulebook.words import idle_to, materials, offered, play, spaces
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"
MODULES = ["real_buildings"]
DIRTY = ["real_buildings", "godzillas"]


def building(picture: str, **given: Any) -> Game:
    """Phase 2 with $10."""
    return scene(picture, **{"money": 10, "modules": MODULES, **given})


# -- RB1: Big Ben

PLACE = """
P3 P3 P1
P3 .  R1
P1 C1 Hl:w Hl:s
.  .  Hl:m Hl
"""


def test_RB1_between_five_park_spaces_a_home_a_shop_and_city_hall() -> None:
    """RB1, section 17: five spaces of parks of any level, not a park of level 5 (there is none)."""
    game = building(PLACE)
    assert starts(game, "build big-ben") == {"B2"}
    assert materials(play(game, "build big-ben")) == (0, 0, 0)
    assert (game.state.borough[0].money, game.state.borough[0].votes) == (10, 0)
    assert game.state.supply[Kind.BIG_BEN] == 0


def test_RB1_five_small_parks_will_do() -> None:
    """RB1: level 1 each."""
    assert starts(building(PLACE.replace("P3", "P1")), "build big-ben") == {"B2"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("P1 C1", ".  C1", id="four park spaces"),
        pytest.param("R1", "P1", id="no home"),
        pytest.param("C1", "P1", id="no shop"),
        pytest.param("Hl:w Hl:s\n.  .  Hl:m", ".  Hl:w Hl:s\n. .  . Hl:m", id="City Hall a step away"),
        pytest.param("P3 P3 P1", "P3:* P3 P1", id="a contaminated park counts with none of its spaces"),
        pytest.param("R1", "R1:*", id="a contaminated home"),
        pytest.param("C1", "C1:*", id="a contaminated shop"),
        pytest.param(" Hl\n", " Hl:*\n", id="a contaminated City Hall"),
        pytest.param("Hl:w", "Hl", id="no wood"),
        pytest.param("Hl:s", "Hl", id="no stone"),
        pytest.param("Hl:m", "Hl", id="no metal"),
    ],
)
def test_RB1_not_with_anything_missing(old: str, new: str) -> None:
    """RB1, T4: every part of the criterion and of the price."""
    assert PLACE.count(old) == 1
    assert "build big-ben" in offered(building(PLACE, modules=DIRTY))
    assert "build big-ben" not in offered(building(PLACE.replace(old, new), modules=DIRTY))


def test_RB1_one_in_the_game() -> None:
    """RB1, C3: not a second one, in whichever borough; and only with the module."""
    assert "build big-ben" not in offered(scene(PLACE, "Bb", modules=MODULES))
    assert "build big-ben" not in offered(building(PLACE, modules=["new_buildings"]))


def test_RB1_the_architect_does_not_help() -> None:
    """RB1, P1.3 B: it is no cultural building."""
    assert "build big-ben" not in offered(building(PLACE.replace("Hl:m", "Hl"), card="architect"))


def council(**given: Any) -> Game:
    """Phase 7 with Big Ben; the neighbour has nothing to pay with."""
    return scene("Bb\nHl Hl\nHl Hl", HALL, phase="council", **{"modules": MODULES, **given})


def test_RB1_one_disc_advances_free_of_charge() -> None:
    """RB1: without money and votes, with its reward; one only."""
    game = council()
    assert offered(game) == {"row finance", "row supplies", "row construction", "row tourism", "no"}
    play(game, "row tourism")
    assert list(game.state.borough[0].council) == [0, 0, 0, 1]
    assert game.state.reserve[0] == 5
    assert game.phase.name != "COUNCIL"


def test_RB1_before_or_after_the_paid_one() -> None:
    """RB1: the player says which of the two he pays for."""
    for first, second in (("pay money", "pay nothing"), ("pay nothing", "pay money")):
        game = play(council(money=9), "row tourism")
        assert offered(game) == {"pay money", "pay nothing"}
        play(game, first, "row tourism")
        assert game.phase.name != "COUNCIL"  # only the other way is left, so it is not asked
        assert second not in offered(game)
        assert game.state.borough[0].council[3] == 2
        assert game.state.borough[0].money == 9 - {"pay money": 1, "pay nothing": 2}[first]


def test_RB1_either_may_be_declined() -> None:
    """RB1: one may, none must."""
    assert list(play(council(money=9), "no").state.borough[0].council) == [0, 0, 0, 0]
    game = play(council(money=9), "row finance", "pay nothing", "no")
    assert list(game.state.borough[0].council) == [1, 0, 0, 0]


def test_RB1_discs_move_as_always() -> None:
    """RB1, P7.1: not past column 4, and no third disc."""
    game = council(council={"finance": 4, "supplies": 1})
    assert offered(game) == {"row supplies", "no"}


def test_RB1_in_beijing_between_two_paid_ones() -> None:
    """RB1, AS6: three advances in all, the free one where he likes."""
    beijing = drawn("beijing", A1="Bb")
    game = scene(beijing, HALL, boards=["beijing", "base-easy"], phase="council", money=9, modules=MODULES)
    play(game, "row tourism", "pay money", "row tourism", "pay nothing", "row tourism")
    assert game.state.borough[0].council[3] == 3
    assert game.state.borough[0].money == 9 - 1 - 3
    assert game.phase.name != "COUNCIL"


def test_RB1_every_phase_7_but_not_in_phase_1() -> None:
    """RB1, P1.3 G: again in the next round; the City Councilor's advance is not free."""
    game = play(council(), "row tourism")
    idle_to(game, "council", round=2)
    assert "row tourism" in offered(game)
    select = scene("Bb\nHl Hl\nHl Hl", HALL, phase="select", modules=MODULES)
    play(select, "at B1", "card councilor")
    assert (select.seat, select.ask.name) == (1, "CARD")  # nothing to pay with: not asked


def test_T3_a_contaminated_big_ben_stops() -> None:
    """T3, RB1: nothing free while a marker lies on it."""
    game = scene("Bb:*\nHl Hl\nHl Hl", HALL, phase="council", modules=DIRTY)
    assert game.phase.name != "COUNCIL"
    other = scene("Hl Hl\nHl Hl", "Bb\nHl Hl\nHl Hl", phase="council", modules=MODULES)
    assert other.seat == 1  # only its owner


# -- RB2: the Opera House stands at a growth edge


def test_RB2_touching_a_growth_edge() -> None:
    """RB2, section 17: its right or bottom side lies along that of the zone; being in line is not enough."""
    game = building("")
    assert_starts(game, "build opera", """
    .  .  .  .  .  o  .
    .  .  .  .  .  o  .
    .  .  .  .  .  o  .
    .  .  .  .  .  o  .
    .  .  .  .  .  o  .
    o  o  o  o  o  o  .
    """)  # fmt: skip
    assert {"G7", "A7"} <= starts(building("", size=8), "build opera")
    assert not starts(building("", size=8), "build opera") & {"F1", "A6"}


@pytest.mark.parametrize(
    ("city", "places"),
    [
        ("ulaanbaatar", {f"G{row}" for row in range(3, 8)} | {f"{col}7" for col in "ABCDEFG"}),
        ("hong-kong", {f"H{row}" for row in (1, 2, 3, 7, 8, 9)} | {f"{col}9" for col in "ABCDEFGH"}),
    ],
)
def test_RB2_also_on_boards_that_do_not_grow(city: str, places: set[str]) -> None:
    """RB2, T1: the right and bottom sides of the rectangle around the land."""
    game = building(drawn(city), boards=city)
    assert starts(game, "build opera") == places


def test_RB2_10_and_one_in_the_game() -> None:
    """RB2: $10, $9 with the Mediator; whoever builds it first."""
    assert "build opera" not in offered(building("", money=9))
    assert "build opera" in offered(building("", money=9, card="mediator"))
    game = play(building(""), "build opera", "at F1")
    assert (game.state.borough[0].money, game.state.supply[Kind.OPERA]) == (0, 0)
    taken = scene("", "\n" * 5 + "Op Op\nOp Op", money=10, modules=MODULES)
    assert "build opera" not in offered(taken)


OPERA = "Hl{} Hl . . . Op{} Op\nHl Hl . . . Op Op"


@pytest.mark.parametrize("how", ["enlarge", "card planner"])
def test_RB2_demolished_when_the_zone_grows(how: str) -> None:
    """RB2: out of the game, its guest to City Hall, the ground is free again."""
    phase = "build" if how == "enlarge" else "select"
    game = scene(OPERA.format("", ":0"), HALL, phase=phase, money=2, modules=MODULES, host=1)
    if phase == "select":
        play(game, "at C1", "way 1", "card opponent")
    while game.seat != 0:
        play(game, "no")
    play(game, how)
    assert_picture(game, 0, "Hl:0 Hl . . . . . .\nHl Hl . . . . . .")
    assert game.state.supply[Kind.OPERA] == 0
    assert game.state.borough[0].built[Kind.OPERA] == 0


def test_RB2_without_room_its_guest_goes_to_the_career_center() -> None:
    """RB2, RU3: City Hall is full."""
    full = OPERA.format(":0", ":0").replace("Hl Hl", "Hl:w Hl:w").replace(" Hl .", " Hl:w .")
    game = play(scene(full, HALL, money=2, modules=MODULES, career=3), "enlarge")
    assert game.state.borough[0].career == 4
    assert_picture(game, 0, "Hl:0 Hl:w . . . . . .\nHl:w Hl:w . . . . . .")


def test_RB2_it_stays_where_nothing_grows() -> None:
    """RB2: the Urban Planner with a zone of 10 x 10, or in a city that does not grow."""
    whole = "\n".join(["."] * 8 + [". . . . . . . . Op Op"] * 2)
    game = scene(whole, HALL, phase="select", modules=MODULES, size=10)
    play(game, "at A1", "way 1", "card planner")
    assert game.state.borough[0].built[Kind.OPERA] == 1
    other = scene(OPERA.format("", ""), HALL, money={1: 2}, modules=MODULES)
    while other.seat != 1:
        play(other, "no")
    play(other, "enlarge")
    assert other.state.borough[0].built[Kind.OPERA] == 1  # it was another's zone


# -- RB3: a night at the opera


def income(picture: str, **given: Any) -> Game:
    """Phase 4; $1 makes the game stop in Phase 7 at the latest."""
    return scene(picture, HALL, phase="income", **{"money": 1, "modules": MODULES, **given})


def test_RB3_three_votes_then_home_to_vote_again() -> None:
    """RB3: 3 votes in Phase 4; in the free space of the largest home, a level 3, he votes with 3."""
    game = income("Op:0! Op R1 R3:0 R3:0 . .\nOp Op R1 R3")
    assert_picture(game, 0, "Op Op R1 R3:0 R3:0 . .\nOp Op R1 R3:0!")
    assert game.state.borough[0].votes == 3 + 3


def test_RB3_in_phase_4_already() -> None:
    """RB3: the three are there as he goes home, before the trades and before Phase 5."""
    game = income("Op:0! Op R1 C2 C2:0!\nOp Op\nHl:w Hl\nHl Hl")
    assert (game.ask.name, game.state.borough[0].votes) == ("TRADE", 3)
    assert_picture(game, 0, "Op Op R1:0! C2 C2:0!\nOp Op\nHl:w Hl\nHl Hl")


@pytest.mark.parametrize(
    ("homes", "after"),
    [
        pytest.param("R1 R2 R2", "R1 R2:0! R2", id="the largest"),
        pytest.param("R1 R2:0 R2:0", "R1:0! R2:0 R2:0", id="the largest with a free space"),
        pytest.param("R2a:0 R2a R2b R2b", "R2a:0 R2a:0! R2b R2b", id="of equals the first"),
        pytest.param("R2:* R2 R1", "R2:* R2:0! R1", id="its first usable space"),
        pytest.param("R2:0 R2:* R1", "R2:0 R2:* R1:0!", id="an unusable space is not free"),
    ],
)
def test_RB3_where_he_goes(homes: str, after: str) -> None:
    """RB3: the first free usable space of the largest residential tile with one."""
    game = income(f"Op:0! Op {homes}\nOp Op", modules=DIRTY)
    assert_picture(game, 0, f"Op Op {after}\nOp Op")


def test_RB3_without_a_free_home_he_stays() -> None:
    """RB3: three votes all the same; in the next round he is asked to move."""
    game = income("Op:0! Op R1:0 C1\nOp Op")
    assert_picture(game, 0, "Op:0! Op R1:0 C1\nOp Op")
    assert game.state.borough[0].votes == 3
    idle_to(game, "move", round=2)
    assert "at D1" in offered(game)


def test_RB3_only_who_worked_there() -> None:
    """RB3, T6: who stayed from the round before hears nothing and goes nowhere."""
    game = income("Op:0 Op R1\nOp Op")
    assert_picture(game, 0, "Op:0 Op R1\nOp Op")
    assert game.state.borough[0].votes == 0


def test_RB3_one_seat_for_citizens_only() -> None:
    """RB3, P3.1, P3.2: its first space; no Tourists."""
    game = scene("Op Op R1:0\nOp Op", "R1:1", phase="move", modules=MODULES, money=1)
    assert offered(game) == {"no", "at A1"}
    assert spaces(game) == {"A1"}
    play(game, "no")
    assert game.phase.name == "COUNCIL"  # seat 1's citizen had nowhere to go, and was not asked
