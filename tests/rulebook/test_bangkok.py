"""Bangkok: a river only the Harbor is built on, and a flood plain that pays and floods (AS7)."""

from typing import Any

import pytest

from smallcity_env import Config, Game
from tests.rulebook.cities import drawn, hall
from tests.rulebook.laying import assert_starts, layouts, starts
from tests.rulebook.words import idle, idle_to, materials, offered, play, spaces
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"
BOARDS = ["bangkok", "base-easy"]
FLOODED, DRY = (2, 4, 6), (1, 3, 5, 7, 8)
PLAIN = drawn("bangkok").replace("f", "-").replace(".", "o").replace("-", "f")
PLAIN_AND_FLOOD = drawn("bangkok").replace("f", "o").replace(".", "o")
PLAINS = {"D1", "F1", "D2", "F2", "C3", "D3", "F3", "C4", "F4", "C5", "E5", "F5", "C6", "E6", "C7", "E7"}
HARBORS = {"D1", "E1", "D2", "E2", "E3", "C4", "C5", "D5", "C6", "D6", "C7", "E8"}


def bangkok(round: int = 1, phase: str = "build", given: Any = None, **words: str) -> Game:
    """Bangkok with these words on its map, beside a base borough."""
    fields = {"money": 9, **(given or {})}
    return scene(drawn("bangkok", **words), HALL, boards=BOARDS, round=round, phase=phase, **fields)


def money(game: Game) -> int:
    """Bangkok's money."""
    return int(game.state.borough[0].money)


def after_phase_8(game: Game) -> int:
    """Bangkok's money when the next round has begun, with nothing more done in this one."""
    ends = game.round
    return money(idle(game, lambda g: g.round > ends))


# -- the river and the Harbor


def test_AS7_the_harbor_covers_two_adjacent_river_spaces_and_two_of_land() -> None:
    """AS7, section 17: it must, anywhere along the river; an edge of the zone is no longer asked for."""
    game = bangkok()
    assert starts(game, "build harbor") == HARBORS
    for place in layouts(game, "build harbor"):
        river = {"E1", "E2", "E3", "E4", "D4", "D5", "D6", "D7", "D8", "E8", "E9"} & set(place.split())
        assert len(river) == 2


def test_AS7_nothing_else_is_built_on_the_river() -> None:
    """AS7: not for any material either, unlike the rivers of TB2."""
    game = bangkok(A1="Wa:w", B1="Wa:s")
    assert_starts(game, "build park-1", PLAIN_AND_FLOOD.replace("o o", "Wa Wa", 1))
    assert materials(play(game, "build park-1", "at D1")) == (1, 1, 0)


def test_AS7_a_harbor_stands_on_free_river_and_land() -> None:
    """AS7, P2.3: with a park on D1 only the places without it."""
    assert starts(bangkok(D2="P1"), "build harbor") == HARBORS - {"D1", "D2"}


def test_AS7_the_councils_harbor_too() -> None:
    """AS7, P7.5: column 4 builds one there, and only there."""
    game = bangkok(phase="council", given={"council": {"construction": 3}})
    assert starts(play(game, "row construction"), "build harbor") == HARBORS


def test_AS7_it_serves_as_a_harbor() -> None:
    """AS7, P2.8: a level-3 Factory beside it and a Refinery."""
    harbor = dict.fromkeys(["E1", "F1", "E2", "F2"], "Ha")
    assert "build factory-3" in offered(bangkok(G1="Re", **harbor))


def test_SU2_city_hall_keeps_off_the_river() -> None:
    """SU2, AS7: it may stand on the flood plain."""
    places = spaces(Game(Config(1, modules=(), boards="bangkok")))
    assert {"C1", "E5", "F4", "H8"} <= places
    assert not places & {"D1", "E1", "D2", "D3", "E4", "C4", "C7", "E8", "H9", "I1"}


# -- floods


@pytest.mark.parametrize("round_no", FLOODED)
def test_AS7_in_rounds_2_4_6_nothing_is_built_on_the_flood_plain(round_no: int) -> None:
    """AS7: not even the Harbor, which has no other place on this map."""
    game = bangkok(round_no)
    assert_starts(game, "build park-1", PLAIN)
    assert not {space for place in layouts(game, "build park-3") for space in place.split()} & PLAINS
    assert "build harbor" not in offered(game)


@pytest.mark.parametrize("round_no", DRY)
def test_AS7_in_all_other_rounds_it_is_land(round_no: int) -> None:
    """AS7: rounds 1, 3, 5, 7 and 8."""
    assert_starts(bangkok(round_no), "build park-1", PLAIN_AND_FLOOD)


def test_AS7_round_9_is_dry() -> None:
    """AS7, PP1: in a game of nine rounds."""
    game = bangkok(9, given={"modules": ["power_plants"], "powered": "D"})
    assert {"D1", "D2", "D3"} <= starts(game, "build park-1")


def test_AS7_a_tile_on_the_plain_is_upgraded_onto_dry_land() -> None:
    """AS7: in a flood nothing new is built there, but the tile on D1 may reach C1."""
    assert layouts(bangkok(2, D1="P1"), "upgrade park-2") == {"C1 D1"}
    assert layouts(bangkok(3, D1="P1"), "upgrade park-2") == {"C1 D1", "D1 D2"}


def test_AS7_floods_hold_in_every_phase() -> None:
    """AS7, RU1: for the council's tile in Phase 7 and in Phase 1, and for a Warehouse that comes along."""
    council = play(bangkok(2, phase="council"), "row construction")
    assert_starts(council, "build park-1", PLAIN)
    councilor = bangkok(2, phase="select")
    play(councilor, "at A9", "card councilor", "row construction")
    assert not starts(councilor, "build park-1") & {"D1", "F1", "C3"}
    warehouse = play(bangkok(2), "build factory-1", "at C1")
    assert spaces(warehouse) == {"A1", "B1", "A2", "B2"}
    assert "D1" in spaces(play(bangkok(3), "build factory-1", "at C1"))


# -- the plain pays


@pytest.mark.parametrize(
    ("picture", "answers", "cost", "pays"),
    [
        pytest.param({}, ["build park-1", "at D1"], 2, 1, id="one space"),
        pytest.param({}, ["build park-1", "at A1"], 2, 0, id="dry land"),
        pytest.param({}, ["build park-2", "at C1", "way 1"], 4, 1, id="half on it"),
        pytest.param({}, ["build park-2", "at D1"], 4, 2, id="wholly on it"),
        pytest.param({"D1": "P1"}, ["upgrade park-2", "at D1"], 2, 1, id="an upgrade's added space"),
        pytest.param({"D1": "P1"}, ["upgrade park-2", "at C1"], 2, 0, id="an upgrade that adds dry land"),
        pytest.param({}, ["build harbor", "at D1"], 3, 2, id="the Harbor's two of land"),
        pytest.param({}, ["build factory-1", "at C1", "at D1"], 1, 2, id="the Warehouse that comes along"),
        pytest.param({}, ["build park-1", "at D1", "build park-1", "at F1"], 4, 2, id="two builds"),
    ],
)
def test_AS7_what_the_flood_plain_pays(
    picture: dict[str, str], answers: list[str], cost: int, pays: int
) -> None:
    """AS7: $1 for each flood-plain space newly covered, by whatever tile, at once and only once."""
    game = play(bangkok(**picture), *answers)
    assert money(game) == 9 - cost + pays
    assert after_phase_8(game) == 9 - cost + pays


def test_AS7_its_money_does_not_build_in_the_same_round() -> None:
    """AS7: $3 buy a park on the plain; of the $2 then at hand only $1 builds, until the next round."""
    game = play(bangkok(given={"money": 3, "votes": 1}), "build park-1", "at D1")
    assert money(game) == 2
    assert {"build factory-1", "no"} <= offered(game)
    assert not {"build park-1", "build refinery", "build warehouse"} & offered(game)
    idle_to(game, "build", round=2)
    while game.seat != 0:
        play(game, "no")
    assert money(game) == 2
    assert "build park-1" in offered(game)


def test_AS7_its_money_does_not_upgrade_in_the_same_round() -> None:
    """AS7: the dollar of the plain is not the one missing for the upgrade of the park on A1."""
    for at_hand, may in ((3, False), (4, True)):
        game = play(bangkok(given={"money": at_hand}, A1="P1"), "build park-1", "at D1")
        assert ("upgrade park-2" in offered(game)) is may


def test_AS7_its_money_builds_no_power_plant_in_the_same_round() -> None:
    """AS7: a plant costs $4."""
    for at_hand, may in ((5, False), (6, True)):
        given = {"modules": ["power_plants"], "powered": "D", "plants": [1, 0, 0], "money": at_hand}
        game = play(bangkok(given=given), "build park-1", "at D1")
        assert ("build plant-1" in offered(game)) is may


def test_AS7_money_of_the_councilors_tile_does_not_build_in_phase_2() -> None:
    """AS7: the same round, though another phase."""
    game = bangkok(phase="select", given={"money": 2})
    play(game, "at A9", "card councilor", "row construction", "build park-1", "at D1")
    idle(game, lambda g: (g.phase.name, g.seat) == ("BUILD", 0))
    assert money(game) == 2
    assert "build factory-1" in offered(game)
    assert "build park-1" not in offered(game)


def test_AS7_its_money_pays_the_council_in_the_same_round() -> None:
    """AS7: for everything else it is money like any other."""
    game = play(bangkok(given={"money": 2}), "build park-1", "at D1")
    idle_to(game, "council")
    assert "row finance" in offered(game)
    assert money(play(game, "row finance")) == 1 - 1 + 3


def test_AS7_its_money_pays_the_doctor_in_the_same_round() -> None:
    """AS7, D3: his $2 are the dollars of two parks."""
    given = {"money": 4, "modules": ["doctors"], "doctor": 1}
    game = bangkok(given=given, A1="Cl", A2="Cl", A3="Cl")
    play(game, "build park-1", "at D1", "build park-1", "at F1")
    idle(game, lambda g: g.ask.name == "SALARY")
    assert "yes" in offered(game)
    assert money(play(game, "yes")) == 0


def test_AS7_other_costs_are_paid_with_its_money_first() -> None:
    """AS7: so that as much as possible can still build; of two dollars one is left, then none."""
    game = play(bangkok(given={"votes": {1: 1}}), "build park-1", "at D1", "build park-1", "at F1")
    assert (money(game), game.state.borough[0].flood) == (7, 2)
    idle_to(game, "council")
    play(game, "row tourism")
    assert (money(game), game.state.borough[0].flood) == (6, 1)
    idle_to(game, "select", round=2)
    assert (money(game), game.state.borough[0].flood) == (6, 0)


def test_AS7_council_builds_are_paid_too() -> None:
    """AS7, RU1: in Phase 7 and with the City Councilor in Phase 1."""
    game = play(bangkok(phase="council", given={"money": 1}), "row construction", "build park-1", "at D1")
    assert (game.round, money(game)) == (2, 1)
    game = bangkok(phase="select", given={"money": 1})
    play(game, "at A9", "card councilor", "row construction", "build park-1", "at D1")
    assert after_phase_8(game) == 1


def test_AS7_the_last_round_pays_too() -> None:
    """AS7: what is built in round 8 counts for the end of the game."""
    game = play(bangkok(8, phase="council", given={"money": 1}), "row construction", "build park-1", "at D1")
    assert game.over
    assert money(game) == 1


def test_AS7_city_hall_pays_nothing() -> None:
    """AS7: three of its spaces lie on the plain here."""
    game = play(Game(Config(1, modules=(), boards="bangkok"), seed=1), "at E5", "promise 6")
    idle_to(game, "select", round=2)
    assert money(game) == 4


def test_AS7_over_four_rounds() -> None:
    """AS7: rounds 1 and 3 pay for a park on the plain, rounds 2 and 4 allow none there."""
    game = bangkok(given={"money": 4, "votes": 0}, **hall("A4"))
    seen = []
    for round_no in range(1, 5):
        idle_to(game, "build", round=round_no)
        while game.seat != 0:
            play(game, "no")
        wet = sorted(starts(game, "build park-1") & {"D1", "D2"})
        seen.append((money(game), wet))
        if wet:
            play(game, "build park-1", f"at {wet[0]}")
    assert seen == [(4, ["D1", "D2"]), (3, []), (3, ["D2"]), (2, [])]
