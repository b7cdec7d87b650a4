"""Section 5: screens, three builds or a bigger zone, new residents, votes (P2.1 - P2.3, P2.6, P2.11)."""

from typing import Any

import pytest

from smallcity_env import Config, Game, batch
from smallcity_env.render import poster
from smallcity_env.rules.layout import OFFSETS, SUPPLY_MOST
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.text.grid import draw
from smallcity_env.text.reasons import why_not
from tests.rulebook.cities import drawn
from tests.rulebook.laying import assert_starts, build_somewhere, layouts
from tests.rulebook.places import CULTURAL, PRICES, about_to_build, in_council
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, picture, scene


def shown(game: Game, seat: int) -> str:
    """The picture of a borough as the others see it."""
    return draw(game.state.shown[seat], int(game.state.rules.board[seat]))


def counts(borough: Any) -> tuple[int, int, int]:
    """Money, votes and citizens in the Career Center."""
    return int(borough.money), int(borough.votes), int(borough.career)


# -- P2.1

TOWN = "Hl:0 Hl:w\nHl Hl ."
STONES = "Hl:s Hl:s\nHl Hl ."


def screened() -> Game:
    """Two towns with money, votes and materials, as Phase 2 begins."""
    return scene(TOWN, TOWN.replace("0", "1"), "", money={0: 7, 1: 7, 2: 7}, votes={0: 3, 1: 3})


def test_P2_1_the_others_see_what_was_there_when_the_phase_began() -> None:
    """P2.1: tiles, people, money, votes and materials, also of those who have already built."""
    game = screened()
    before = [picture(game, seat) for seat in range(3)]
    play(game, "build school", "at C1", "build residential-1", "at C2", "build park-1", "at A7")
    assert_picture(game, 0, "Hl Hl Sc\nHl Hl R1:0!\n.\n.\n.\n.\nP1")
    assert counts(game.state.borough[0])[:2] == (7 - 1 - 2, 3 + 2)
    play(game, "enlarge", "build park-2", "at A1", "way 1")
    assert game.seat == 2
    assert [shown(game, seat) for seat in range(3)] == before
    assert [counts(b) for b in game.state.shown[:3]] == [(7, 3, 13), (7, 3, 13), (7, 0, 14)]
    assert [int(b.zone_side) for b in game.state.shown[:3]] == [7, 7, 7]


def test_P2_1_the_player_who_builds_is_screened_while_he_builds() -> None:
    game = screened()
    before = shown(game, 0)
    play(game, "build park-1", "at C2", "build park-1")
    assert shown(game, 0) == before
    assert counts(game.state.shown[0])[0] == 7


def test_P2_1_when_all_have_built_the_screens_go_up() -> None:
    game = play(screened(), "build school", "at C1", "no", "no")
    assert game.phase is Phase.BUILD
    play(game, "no")
    assert game.phase > Phase.BUILD
    assert not game.state.shown.tobytes().strip(b"\0")


def test_P2_1_in_the_next_round_the_screens_hide_from_then_on() -> None:
    game = play(scene("", "", money={0: 6, 1: 6}), "build park-1", "at G7", "no", "no")
    idle_to(game, "build", round=2)
    assert [shown(game, seat) for seat in range(2)] == [picture(game, seat) for seat in range(2)]
    assert [int(b.money) for b in game.state.shown[:2]] == [4, 6]
    assert game.state.shown[0].built[Kind.PARK_1] == 1


def test_P2_1_what_is_built_in_other_phases_is_open() -> None:
    game = in_council(1, "", "")
    assert not game.state.shown.tobytes().strip(b"\0")


def supply_seen(game: Game, kind: Kind) -> list[int]:
    """How many tiles of a kind each seat sees in the supply: in its observation, its fork, its picture."""
    seen = []
    for seat in range(game.config.players):
        observed = batch.observe(game.states, seat)[0, OFFSETS["supply"] + kind] * SUPPLY_MOST
        fork = batch.fork(game.states, seat, [1])[0]
        drawn = poster.supply_seen(game.state, seat)[kind]
        assert round(float(observed)) == fork["supply"][kind] == drawn
        seen.append(int(drawn))
    return seen


def test_P2_1_shared_supplies_are_taken_in_turn_order() -> None:
    """P2.1: seat 1 is the host and takes the last one."""
    game = scene("", "", host=1, money={0: 4, 1: 4}, supply={"park-1": 1})
    assert game.seat == 1
    play(game, "build park-1", "at A1")
    assert game.state.supply[Kind.PARK_1] == 0
    play(game, "no")
    assert game.seat == 0
    assert "build park-1" not in offered(game)
    assert "build park-2" in offered(game)


def test_P2_1_a_supply_is_seen_as_the_phase_began_less_what_one_took() -> None:
    """P2.1: two players share one Metro Station; who comes second sees it till the screens are lifted."""
    game = scene(STONES, STONES, money={0: 9, 1: 9})
    assert supply_seen(game, Kind.METRO) == [1, 1]
    assert "build metro" in offered(game)
    play(game, "build metro", "at D1", "way 1")
    assert supply_seen(game, Kind.METRO) == [0, 1]
    play(game, "no")
    assert game.seat == 1
    assert "build metro" not in offered(game)
    assert supply_seen(game, Kind.METRO) == [0, 1]
    play(game, "no")
    assert game.phase > Phase.BUILD
    assert supply_seen(game, Kind.METRO) == [0, 0]
    assert not game.state.took.any()


def test_P2_1_reasons_tell_only_what_a_seat_sees() -> None:
    """P2.1: a tile gone in secret is not offered; who cannot pay for it is told its price as before."""
    for money, words in ((4, "none can be taken now"), (1, "it costs $2, you have $1")):
        game = scene("", "", host=1, money={0: money, 1: 4}, supply={"park-1": 1})
        play(game, "build park-1", "at A1")
        assert why_not(game.state, Kind.PARK_1) == "none is left in the supply"
        play(game, "no")
        assert game.seat == 0 and why_not(game.state, Kind.PARK_1) == words


def test_P2_1_each_sees_his_own_tiles_gone() -> None:
    game = scene("", "", money={0: 9, 1: 9}, supply={"park-1": 5})
    play(game, "build park-1", "at A1", "build park-1", "at C1", "no", "build park-1", "at A1")
    assert supply_seen(game, Kind.PARK_1) == [3, 4]
    play(game, "no")
    assert supply_seen(game, Kind.PARK_1) == [2, 2]


def test_P2_1_a_tile_given_back_behind_a_screen_is_there_for_its_player_only() -> None:
    """P2.1, C3: seat 0 covers a Park 1 and may lay it again; seat 1 sees none and is offered none."""
    game = scene("P1", "", money={0: 20, 1: 20}, supply={"park-1": 0, "park-2": 5})
    assert "build park-1" not in offered(game)
    play(game, "upgrade park-2", "way 1")
    assert supply_seen(game, Kind.PARK_1) == [1, 0]
    assert supply_seen(game, Kind.PARK_2) == [4, 5]
    assert "build park-1" in offered(game)
    play(game, "no")
    assert game.seat == 1
    assert game.state.supply[Kind.PARK_1] == 1
    assert "build park-1" not in offered(game)
    play(game, "no")
    assert supply_seen(game, Kind.PARK_1) == [1, 1]


def test_P2_1_a_printed_tile_covered_is_given_back_to_nobody() -> None:
    """P2.1, C3: Seoul's shops are printed."""
    seoul = drawn("seoul", A1="R1", A2="R1")
    game = scene(seoul, "", boards=("seoul", "base-easy"), money={0: 2, 1: 9})
    play(game, "upgrade commercial-2", "at B2", "way 1")
    assert supply_seen(game, Kind.COMMERCIAL_1) == [16, 16]
    assert supply_seen(game, Kind.COMMERCIAL_2) == [11, 12]


def test_P2_1_the_warehouse_that_comes_along_is_taken_in_secret_too() -> None:
    game = scene("", "", money={0: 9, 1: 9})
    play(game, "build factory-1", "at A1", "at A2", "way 1")
    assert supply_seen(game, Kind.WAREHOUSE) == [11, 12]
    assert supply_seen(game, Kind.FACTORY_1) == [15, 16]


def test_P2_1_a_plant_from_the_hand_is_from_no_supply() -> None:
    """P2.1, PP2: only the second plant of a level comes from the supply."""
    game = scene("", "", money={0: 20, 1: 20}, modules=["power_plants"])
    play(game, "build plant-1", "at A1")
    assert supply_seen(game, Kind.PLANT_1) == [10, 10]
    play(game, "build plant-1", "at B1")
    assert supply_seen(game, Kind.PLANT_1) == [9, 10]


def test_P2_1_a_position_written_down_keeps_what_was_taken_in_secret() -> None:
    hall = "Hl Hl\nHl Hl"
    game = play(scene(hall, hall, money={0: 9, 1: 9}), "build park-1", "at D4", "no")
    assert "took 0 park-1 1" in game.to_text()
    assert supply_seen(Game.from_text(game.to_text()), Kind.PARK_1) == [24, 25]


# -- P2.2


def test_P2_2_up_to_three_builds() -> None:
    game = scene("", "", money={0: 20, 1: 20})
    for space in ("A1", "C1", "E1"):
        assert game.seat == 0
        assert {"build park-1", "no"} <= offered(game)
        play(game, "build park-1", f"at {space}")
    assert game.seat == 1


@pytest.mark.parametrize("builds", [0, 1, 2])
def test_P2_2_or_fewer(builds: int) -> None:
    game = scene("", "", money={0: 20, 1: 20})
    for space in ["A1", "C1"][:builds]:
        play(game, "build park-1", f"at {space}")
    play(game, "no")
    assert game.seat == 1


def test_P2_2_an_upgrade_is_a_build() -> None:
    game = scene("P1 . P1 . P1 . P1", "", money={0: 20, 1: 20})
    play(
        game, "build park-1", "at A7", "upgrade park-2", "at A1", "way 1", "upgrade park-2", "at E1", "way 1"
    )
    assert game.seat == 1


def test_P2_2_enlarging_costs_two_dollars_and_is_all() -> None:
    game = play(scene("", "", money={0: 20, 1: 20}), "enlarge")
    assert game.seat == 1
    assert (game.state.borough[0].zone_side, game.state.borough[0].money) == (8, 18)
    assert "enlarge" in offered(scene("", "", money={0: 2, 1: 9}))
    poor = scene("", "", money={0: 1, 1: 9})
    assert poor.seat == 0
    assert "enlarge" not in offered(poor)


def test_P2_2_not_after_a_build() -> None:
    game = play(scene("", "", money={0: 20, 1: 20}), "build park-1", "at A1")
    assert game.seat == 0
    assert "enlarge" not in offered(game)


def test_P2_2_only_if_it_can_grow() -> None:
    assert "enlarge" in offered(scene("", size=9, money=20))
    assert "enlarge" not in offered(scene("", size=10, money=20))


def test_P2_2_the_next_player_has_three_builds_of_his_own() -> None:
    game = play(scene("", "", money={0: 20, 1: 20}), "build park-1", "at A1", "build park-1", "at C1", "no")
    assert "enlarge" in offered(game)
    play(game, "build park-1", "at A1", "build park-1", "at C1", "build park-1", "at E1")
    assert game.phase > Phase.BUILD


def test_P2_2_a_tile_built_in_this_phase_2_is_not_upgraded_in_it() -> None:
    game = play(scene("", "", money={0: 20, 1: 20}), "build park-1", "at D4")
    assert "upgrade park-2" not in offered(game)
    play(game, "build park-1", "at A1")
    assert "upgrade park-2" not in offered(game)


def test_P2_2_nor_one_upgraded_in_it() -> None:
    game = play(scene("P1", "", money={0: 20, 1: 20}), "upgrade park-2", "way 1")
    assert_picture(game, 0, "P2:' P2")
    assert "upgrade park-3" not in offered(game)


def test_P2_2_an_older_one_beside_it_is() -> None:
    game = play(scene("P1", "", money={0: 20, 1: 20}), "build park-1", "at C1", "upgrade park-2")
    assert (game.ask, offered(game)) == (Ask.WAY, {"way 1", "way 2"})
    assert game.state.anchor == game.parse("at A1")


def test_P2_2_but_later_it_is() -> None:
    """P2.2: in Phase 7 of the same round, and in the next Phase 2."""
    game = scene("", "", money={0: 20, 1: 20}, council={"construction": 1})
    play(game, "build park-1", "at A1", "no", "no")
    idle_to(game, "council")
    later = game.clone()
    play(game, "row construction")
    assert "upgrade park-2" in offered(game)
    idle_to(later, "build", round=2)
    assert later.seat == 1
    play(later, "no")
    assert "upgrade park-2" in offered(later)


# -- P2.3


def test_P2_3_every_space_of_a_tile_is_empty() -> None:
    game = scene(
        """
        .  P1  .   .  P1  P1 P1
        .  P1  .:+ .  P1  .  P1
        P1 P1  P1  P1 P1  P1 P1
        P1 .:* .   .  .:M .  P1
        P1 P1  P1  P1 .:M P1 P1
        P1 .:s .   P1 P1  .  .
        P1 P1  P1  P1 P1  P1 P1
        """,
        money=4,
    )
    assert layouts(game, "build park-2") == {"A1 A2", "C1 D1", "D1 D2", "C4 D4", "F6 G6"}


def test_P2_3_in_the_zone_with_every_space() -> None:
    corner = scene("", money=6)
    for layout in layouts(corner, "build park-3"):
        assert all(space[0] <= "G" and space[1:] <= "7" for space in layout.split())
    assert {"F6 G6 F7", "F6 G6 G7", "F6 F7 G7", "G6 F7 G7"} <= layouts(corner, "build park-3")


def test_P2_3_not_on_waste() -> None:
    game = scene("P1 P1 . x . P1 P1", boards="base-expert", money=4)
    assert {"C1 C2", "E1 E2"} <= layouts(game, "build park-2")
    assert not any("D1" in layout.split() for layout in layouts(game, "build park-2"))


# -- P2.6


def test_P2_6_a_citizen_moves_from_city_hall_into_a_new_level_1_residence() -> None:
    game = scene("Hl:0 Hl:0\nHl Hl", "", money=4)
    play(game, "build residential-1", "at C1", "build residential-1", "at C2")
    assert_picture(game, 0, "Hl Hl R1:0!'\nHl Hl R1:0!'")
    play(game, "build residential-1", "at C3")  # nobody is left
    assert_picture(game, 0, "Hl Hl R1:0!\nHl Hl R1:0!\n. . R1")
    assert game.state.borough[0].career == 12


def test_P2_6_not_into_a_higher_level() -> None:
    game = scene("Hl:0 Hl . Sc\nHl Hl .", "", money=4)
    play(game, "build residential-2", "at C1")
    assert_picture(game, 0, "Hl:0 Hl R2:' Sc\nHl Hl R2")


def test_P2_6_not_into_an_upgraded_one() -> None:
    game = scene("Hl:0 Hl R1 Sc\nHl Hl .", "", money=4)
    play(game, "upgrade residential-2")
    assert_picture(game, 0, "Hl:0 Hl R2:' Sc\nHl Hl R2")


def test_P2_6_in_phase_7_too() -> None:
    game = in_council(1, "Hl:0 Hl:0\nHl Hl", "", votes={1: 1})
    play(game, "build residential-1", "at C1")
    assert_picture(game, 0, "Hl:0 Hl R1:0\nHl Hl")


def test_P2_6_in_phase_1_too() -> None:
    game = scene("Hl:0 Hl:0\nHl Hl", "", phase="select", seat=0, money=1)
    play(game, "card councilor", "row construction", "build residential-1", "at C1")
    assert_picture(game, 0, "Hl:0 Hl R1:0!\nHl Hl")


def test_P2_6_not_into_printed_ones() -> None:
    game = Game(Config(players=1, boards="tokyo", modules=()))
    play(game, "at C1")
    row, homes = ". . {} {} . . . . # #\n", ". R1 {} {} . . R1 . # #\n"
    park = ". . . B B . . . # #\n. . B B B B . . # #\n. . B B B B . . # #\n. . . B B . . . # #\n"
    town = row.format("Hl:0", "Hl:0") + homes.format("Hl:0", "Hl") + park + homes.format(".", ".")
    assert_picture(game, 0, town)


# -- P2.11


@pytest.mark.parametrize("tile", CULTURAL)
def test_P2_11_a_cultural_building_pays_its_votes_at_once(tile: str) -> None:
    game = about_to_build(tile, PRICES[tile]._replace(money=4))
    assert game.state.borough[0].votes == 0
    build_somewhere(game, f"build {tile}")
    assert (game.phase, game.seat) == (Phase.BUILD, 0)
    assert game.state.borough[0].votes == PRICES[tile].gain


def test_P2_11_nothing_else_pays_votes() -> None:
    for tile in ("residential-1", "commercial-1", "factory-1", "park-1", "warehouse", "refinery", "harbor"):
        assert build_somewhere(about_to_build(tile), f"build {tile}").state.borough[0].votes == 0
    for tile in ("police", "fire"):
        game = in_council(3, "", "")
        assert build_somewhere(game, f"build {tile}").state.borough[0].votes == 0


def test_P2_10_cultural_buildings_and_parks_have_no_criterion() -> None:
    """P2.10: anywhere on empty spaces, beside factories and residences as well as far from all."""
    game = scene("F1 .  R1 .\n.  C1 .  P1\nHl:w Hl\nHl Hl", money=2)
    free = """
        F1 o  R1 o  o o o
        o  C1 o  P1 o o o
        Hl Hl o  o  o o o
        Hl Hl o  o  o o o
        o  o  o  o  o o o
        o  o  o  o  o o o
        o  o  o  o  o o o
        """
    assert_starts(game, "build school", free)
    assert_starts(game, "build park-1", free)
