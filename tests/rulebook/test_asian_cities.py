"""The Asian boards: the eight maps (AS1), Seoul (AS3), Hong Kong (AS4) and Beijing (AS6).

Shanghai, Tokyo, Bangkok, Delhi and Ulaanbaatar (the Pilgrim) have files of their own.
"""

import pytest

from smallcity_env import Config, ConfigError, Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.cities import MAPS, drawn, hall
from tests.rulebook.laying import assert_starts, layouts, starts
from tests.rulebook.words import idle_to, offered, play, spaces
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"


def city(name: str) -> Game:
    """A solo game in this city, as it is set up."""
    return Game(Config(1, modules=(), boards=name))


# -- AS1 and section 16


@pytest.mark.parametrize("name", MAPS)
def test_section_16_asian_maps(name: str) -> None:
    """Section 16, AS2 - AS9: each city as drawn, with what is printed on it, and City Hall to be placed
    where none is printed (SU2)."""
    game = city(name)
    assert_picture(game, 0, MAPS[name])
    assert game.ask.name == ("DIFFICULTY" if "Hl" in MAPS[name] else "WHERE")


@pytest.mark.parametrize("name", MAPS)
def test_AS1_AS3_pollution_at_the_start(name: str) -> None:
    """SU4, AS3: Seoul begins with a pollution of 7, all others with 0."""
    assert city(name).state.borough[0].pollution == (7 if name == "seoul" else 0)


@pytest.mark.parametrize("name", MAPS)
def test_C3_printed_tiles_come_from_no_supply(name: str) -> None:
    """C3: the supply is whole, a City Hall apart for everyone who places one."""
    supply = city(name).state.supply
    tiles = (Kind.RESIDENTIAL_1, Kind.COMMERCIAL_1, Kind.COMMERCIAL_2, Kind.FACTORY_3, Kind.WAREHOUSE)
    assert [int(supply[kind]) for kind in tiles] == [30, 16, 12, 9, 12]


@pytest.mark.parametrize("name", sorted(set(MAPS) - {"beijing"}))
def test_AS1_the_whole_map_is_the_zone_and_does_not_grow(name: str) -> None:
    """AS1: nothing to enlarge; the Urban Planner may be taken and does nothing."""
    assert "enlarge" not in offered(scene(drawn(name), boards=name, money=9))
    game = scene(drawn(name), boards=name, phase="select", money=2)
    before = game.state.borough[0].zone.tolist()
    play(game, "card planner")
    assert game.state.borough[0].zone.tolist() == before
    assert game.state.borough[0].zone_side == 10


@pytest.mark.parametrize("name", ["shanghai", "seoul", "hong-kong", "delhi", "ulaanbaatar"])
def test_AS1_all_land_can_be_built_on_from_the_start(name: str) -> None:
    """AS1, T1: a park goes on every space of the map but sea and printed tiles."""
    game = scene(drawn(name), boards=name, money=2)
    assert_starts(game, "build park-1", drawn(name).replace(".", "o").replace("E", "o"))


def test_AS6_beijing_grows_like_a_base_board() -> None:
    """AS1, AS6: 7 x 7 at first, and it can be enlarged for $2."""
    game = scene(drawn("beijing"), "", boards=["beijing", "base-easy"], money=2)
    assert_starts(game, "build park-1", drawn("beijing").replace(".", "o"))
    assert play(game, "enlarge").state.borough[0].zone_side == 8


def test_AS1_only_with_votes() -> None:
    """AS1: no other victory condition; the advanced game with Votes is allowed."""
    Config(2, boards=("seoul", "base-easy"), victory="votes", advanced=True)
    for victory in ("economics", "population", "culture"):
        with pytest.raises(ConfigError, match="votes"):
            Config(2, boards=("seoul", "base-easy"), victory=victory)


def test_AS1_each_city_at_most_once_in_any_mix() -> None:
    """AS1: not twice the same; otherwise any four, terrain and base boards beside them too."""
    with pytest.raises(ConfigError, match="once"):
        Config(2, boards=("delhi", "delhi"))
    Config(4, boards=("delhi", "tokyo", "seoul", "bangkok"))
    Config(4, boards=("shanghai", "ulaanbaatar", "river-expert", "base-easy"))


# -- AS3: Seoul


def test_AS3_the_four_shops_are_open_from_the_start() -> None:
    """AS3: they are ordinary shops: people go there, and who worked there earns $3."""
    game = scene(drawn("seoul", A1="R1:0"), HALL, boards=["seoul", "base-easy"], phase="move", money=1)
    assert spaces(game) == {"B2", "G2", "B7", "G7"}
    assert idle_to(play(game, "at G7"), "council").state.borough[0].money == 4


def test_AS3_a_printed_shop_is_upgraded_and_goes_back_to_no_supply() -> None:
    """AS3, P2.4, C3: a level 2 covers it, for the price of the added space, and needs two residences."""
    assert "upgrade commercial-2" not in offered(scene(drawn("seoul", A1="R1"), boards="seoul", money=9))
    game = scene(drawn("seoul", A1="R1", A2="R1"), boards="seoul", money=2)
    assert layouts(game, "upgrade commercial-2") == {"B1 B2", "B2 C2", "B2 B3"}
    play(game, "upgrade commercial-2", "at B2", "way 1")
    assert game.state.borough[0].money == 0
    assert game.state.supply[Kind.COMMERCIAL_1] == 16
    assert game.state.supply[Kind.COMMERCIAL_2] == 11


def test_C3_a_shop_that_was_built_goes_back_to_the_supply() -> None:
    """C3: beside the printed case, an ordinary one."""
    game = scene("R1 C1 R1", money=2)
    assert game.state.supply[Kind.COMMERCIAL_1] == 15
    play(game, "upgrade commercial-2")
    assert game.state.supply[Kind.COMMERCIAL_1] == 16


# -- AS4: Hong Kong


def test_AS4_nothing_is_built_across_the_strait() -> None:
    """AS4: each tile lies on one island; rows 5 and 6 are sea."""
    game = scene(drawn("hong-kong"), boards="hong-kong", money=9)
    for tile in ("park-3", "harbor", "factory-1"):
        assert not [place for place in layouts(game, f"build {tile}") if "5" in place or "6" in place]
    assert {"A4", "A7"} <= starts(game, "build park-1")


def test_AS4_city_hall_stands_on_either_island() -> None:
    """AS4, SU2: never in the sea between, nor on what is printed."""
    assert {"A1", "A3", "A7", "H9"} <= spaces(city("hong-kong"))
    assert not spaces(city("hong-kong")) & {"A4", "A5", "A6", "E3", "F3", "E2", "B7", "C8", "E7", "I1"}


def test_AS4_the_printed_factory_works_and_brings_no_warehouse() -> None:
    """AS4, P2.9: wood, stone and metal from its three spaces; Warehouses are still to be built."""
    game = city("hong-kong")
    assert game.state.borough[0].built[Kind.WAREHOUSE] == 0
    workers = {"C8": "F3:0!", "D8": "F3:0!", "E8": "F3:0!"}
    islands = drawn("hong-kong", **workers, **hall())
    game = scene(islands, HALL, boards=["hong-kong", "base-easy"], phase="income", money=1)
    assert game.phase.name == "COUNCIL"
    assert_picture(game, 0, drawn("hong-kong", **workers, **hall("A1", "w", "s", "m")))


def test_AS4_the_printed_factory_keeps_homes_away() -> None:
    """AS4, P2.5: it influences like any other Factory."""
    game = scene(drawn("hong-kong", **hall("A9")), boards="hong-kong", money=1)
    assert starts(game, "build residential-1") == {"A8", "C10"}


# -- AS6: Beijing


def beijing(**given: object) -> Game:
    """Phase 7 in Beijing; nobody else has anything to pay with."""
    game = {"phase": "council", "boards": ["beijing", "base-easy"], **given}
    return scene(drawn("beijing"), HALL, **game)


def test_AS6_two_discs_in_one_phase() -> None:
    """AS6: both rewards, each paid: $1 and $1, for $3 and a citizen."""
    game = play(beijing(money=1), "row finance", "row tourism")
    b = game.state.borough[0]
    assert list(b.council) == [1, 0, 0, 1]
    assert b.money == 1 - 1 + 3 - 1
    assert game.state.reserve[0] == 5


def test_AS6_the_same_disc_twice() -> None:
    """AS6: columns 1 and 2 of one row, $1 and $2, for $3 and $5; then the turn is over."""
    game = play(beijing(money=1), "row finance", "row finance")
    assert game.state.borough[0].council[0] == 2
    assert game.state.borough[0].money == 1 - 1 + 3 - 2 + 5
    assert game.phase.name != "COUNCIL"


def test_AS6_each_advance_must_be_paid() -> None:
    """AS6: with $1 and no votes there is no second one after a row that brings no money."""
    game = play(beijing(money=1), "row tourism")
    assert game.phase.name != "COUNCIL"
    assert list(game.state.borough[0].council) == [0, 0, 0, 1]


def test_AS6_one_in_money_one_in_votes() -> None:
    """AS6, P7.2: each advance is paid by itself."""
    game = play(beijing(money=1, votes=2), "row tourism", "pay money")
    play(game, "row tourism")
    assert game.state.borough[0].votes == 0


def test_AS6_both_may_be_declined() -> None:
    """AS6: one is enough, and so is none."""
    game = play(beijing(money=9), "row finance", "no")
    assert list(game.state.borough[0].council) == [1, 0, 0, 0]
    assert play(beijing(money=9), "no").phase.name != "COUNCIL"


def test_AS6_elsewhere_one_advance_only() -> None:
    """P7.1: the player beside Beijing advances once."""
    game = beijing(money={1: 9})
    assert game.seat == 1
    assert play(game, "row finance").phase.name != "COUNCIL"


def test_AS6_the_city_councilor_advances_one() -> None:
    """AS6: in Phase 1 it stays a single advance."""
    game = scene(drawn("beijing"), HALL, boards=["beijing", "base-easy"], phase="select", money=9)
    play(game, "at A1", "way 1", "card councilor", "row finance")
    assert (game.ask.name, game.seat) == ("CARD", 1)


def test_AS6_over_two_rounds_a_disc_crosses_the_board() -> None:
    """AS6, P7.4: columns 1 to 4 of Finance for $10 bring $24."""
    game = play(beijing(money=1), "row finance", "row finance")
    idle_to(game, "council", round=2)
    play(game, "row finance", "row finance")
    assert game.state.borough[0].council[0] == 4
    assert game.state.borough[0].money == 1 - 10 + 24
    idle_to(game, "council", round=3)
    assert "row finance" not in offered(game)  # not past column 4
