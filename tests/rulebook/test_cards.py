"""P1.3: what the action cards A to H do."""

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask, Phase
from tests.rulebook.laying import build_somewhere, starts
from tests.rulebook.places import PRICES, Price, about_to_build
from tests.rulebook.words import idle, idle_to, offered, play
from tests.scene import assert_picture, scene


def choosing(*pictures: str, **given: object) -> Game:
    """Seat 0 takes the first card."""
    return scene(*(pictures or ("", "")), phase="select", seat=0, **given)  # type: ignore[arg-type]


def purse(game: Game, seat: int = 0) -> tuple[int, int]:
    """Money and votes."""
    return int(game.state.borough[seat].money), int(game.state.borough[seat].votes)


# -- A Mayor


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_P1_3_A_who_takes_the_mayor_hosts_the_next_round(seat: int) -> None:
    """P1.3 A: the host himself too, and others than the next one clockwise."""
    game = choosing("", "", "")
    cards = ["card opponent", "card architect", "card mediator"]
    cards[seat] = "card mayor"
    play(game, *cards)
    idle_to(game, "select", round=2)
    assert game.state.host == seat
    idle_to(game, "select", round=3)
    assert game.state.host == (seat + 1) % 3


# -- B Architect

REDUCED = {"school": "", "library": "w", "museum": "ws", "metro": "s", "clinic": "s", "university": "wsm"}


@pytest.mark.parametrize("tile", REDUCED)
def test_P1_3_B_the_architect_saves_the_dearest_material(tile: str) -> None:
    less = Price(money=1, materials=REDUCED[tile])
    assert f"build {tile}" not in offered(about_to_build(tile, less))
    game = about_to_build(tile, less, card="architect")
    build_somewhere(game, f"build {tile}")
    assert not game.state.borough[0].materials.any()
    assert purse(game) == (1, PRICES[tile].gain)


@pytest.mark.parametrize("tile", [tile for tile in REDUCED if REDUCED[tile]])
def test_P1_3_B_the_architect_saves_one_material_only(tile: str) -> None:
    for material in set(REDUCED[tile]):
        too_little = Price(money=1, materials=REDUCED[tile].replace(material, "", 1))
        assert f"build {tile}" not in offered(about_to_build(tile, too_little, card="architect"))


def test_P1_3_B_the_dearest_is_saved_even_if_another_is_scarce() -> None:
    """P1.3 B: a Library without wood costs wood, though the stone would be there."""
    game = about_to_build("library", Price(money=1, materials="ssm"), card="architect")
    assert "build library" not in offered(game)


def test_P1_3_B_the_architect_helps_with_the_first_cultural_building_only() -> None:
    game = about_to_build("library", Price(money=2, materials="w"), card="architect")
    build_somewhere(game, "build school")
    assert "build park-1" in offered(game)
    assert "build library" not in offered(game)
    enough = about_to_build("library", Price(money=2, materials="ws"), card="architect")
    build_somewhere(enough, "build school")
    build_somewhere(enough, "build library")
    assert not enough.state.borough[0].materials.any()


def test_P1_3_B_another_build_before_does_not_use_him_up() -> None:
    game = about_to_build("school", Price(money=5), card="architect")
    play(game, "build park-1", "at G7")
    assert "build school" in offered(game)


def test_P1_3_B_the_first_of_ones_own_phase_2() -> None:
    """P1.3 B: what another player has built before does not matter."""
    game = scene("Hl:w Hl\nHl Hl", "", card={1: "architect"}, money={1: 2})
    play(game, "build school", "at C1")
    assert game.seat == 1
    assert "build school" in offered(game)


@pytest.mark.parametrize("tile", ["airport-8", "big-ben"])
def test_P1_3_B_the_architect_helps_with_cultural_buildings_only(tile: str) -> None:
    for material in "wsm":
        less = PRICES[tile]._replace(materials="wsm".replace(material, ""))
        game = about_to_build(tile, less._replace(money=less.money + 1), card="architect")
        assert game.seat == 0
        assert f"build {tile}" not in offered(game)


def test_P1_3_B_the_architect_does_not_save_river_material() -> None:
    """P1.3 B, TB2: the School is free, the river space under it is not."""
    dry = scene("Hl Hl\nHl Hl", "", boards="river-easy", card="architect", money=1)
    assert not starts(dry, "build school") & {"E1", "E2", "D3", "E3", "D4", "D5"}
    assert {"C1", "D1", "F1"} <= starts(dry, "build school")
    wet = scene("Hl:w Hl\nHl Hl", "", boards="river-easy", card="architect", money=1)
    play(wet, "build school", "at E1")
    assert not wet.state.borough[0].materials.any()


# -- C Mediator


@pytest.mark.parametrize("tile", [tile for tile in PRICES if PRICES[tile].money])
def test_P1_3_C_the_mediator_saves_a_dollar_but_not_the_last(tile: str) -> None:
    price = PRICES[tile]._replace(money=max(PRICES[tile].money - 1, 1))
    game = build_somewhere(about_to_build(tile, price, card="mediator"), f"build {tile}")
    assert purse(game) == (0, 0)
    poorer = about_to_build(tile, price._replace(money=price.money - 1), card="mediator")
    assert poorer.seat == 1 or f"build {tile}" not in offered(poorer)


@pytest.mark.parametrize(
    ("picture", "what", "usual", "with_mediator"),
    [
        ("Sc R1 . Hl Hl\n. . . Hl Hl", "upgrade residential-2", 1, 1),
        ("Sc R1 . Hl Hl\n. . . Hl Hl\nPo Po", "upgrade residential-3", 2, 1),
        ("R1 C1 R1", "upgrade commercial-2", 2, 1),
        ("P1", "upgrade park-2", 2, 1),
        ("P1", "upgrade park-3", 4, 3),
        ("F1 . Re", "upgrade factory-2", 1, 1),
    ],
)
def test_P1_3_C_upgrades_too(picture: str, what: str, usual: int, with_mediator: int) -> None:
    for card, price in [("none", usual), ("mediator", with_mediator)]:
        game = scene(picture, "", card=card, money={0: price, 1: 2})
        assert purse(build_somewhere(game, what))[0] == 0
        poorer = scene(picture, "", card=card, money={0: price - 1, 1: 2})
        assert poorer.seat == 1 or what not in offered(poorer)


@pytest.mark.parametrize(("level", "money"), [(1, 3), (2, 5), (3, 7)])
def test_P1_3_C_power_plants_too(level: int, money: int) -> None:
    game = scene("", "", card="mediator", money={0: money, 1: 2}, modules=["power_plants"])
    assert purse(play(game, f"build plant-{level}", "at A1"))[0] == 0
    poorer = scene("", "", card="mediator", money={0: money - 1, 1: 2}, modules=["power_plants"])
    assert f"build plant-{level}" not in offered(poorer)


def test_P1_3_C_every_build_of_the_round() -> None:
    game = scene("", "", card="mediator", money={0: 3, 1: 2})
    play(game, "build park-1", "at A1", "build park-1", "at C1", "build park-1", "at E1")
    assert purse(game)[0] == 0


def test_P1_3_C_not_the_zone_and_not_cultural_buildings() -> None:
    game = scene("Hl Hl\nHl Hl", "", card="mediator", money={0: 1, 1: 2})
    assert game.seat == 0
    assert "enlarge" not in offered(game)
    assert "enlarge" in offered(scene("", "", card="mediator", money=2))
    school = about_to_build("school", Price(money=3, materials="w"), card="mediator")
    build_somewhere(school, "build school")
    assert (purse(school), school.state.borough[0].materials.any()) == ((3, 2), False)


def test_P1_3_C_and_what_is_free_stays_free() -> None:
    game = scene("", "", card="mediator", money={0: 5, 1: 2})
    play(game, "build factory-1", "at A1", "at B1", "way 1")
    assert purse(game)[0] == 4


# -- D Engineer


def smoke(card: str, *pictures: str, **given: object) -> list[int]:
    """The pollution of everybody after Phase 6."""
    game = scene(*pictures, phase="income", card=card, money={0: 1, 1: 1}, **given)  # type: ignore[arg-type]
    idle_to(game, "council")
    return [int(b.pollution) for b in game.state.borough[: len(pictures)]]


def test_P1_3_D_the_engineers_factories_do_not_pollute() -> None:
    """P1.3 D: three people on tiles, two of them in factories."""
    town = "F2:0! F2:0!\nR1:0!"
    assert smoke("none", town, "") == [5, 0]
    assert smoke("engineer", town, "") == [3, 0]


def test_P1_3_D_with_the_godzillas_and_no_markers_just_so() -> None:
    game = choosing("F1:0!", "", modules=["godzillas"])
    play(game, "card engineer")
    assert game.ask is Ask.CARD  # nothing is asked
    assert smoke("engineer", "F1:0!", "", modules=["godzillas"]) == [1, 0]


def test_P1_3_D_the_production_in_his_factories_whoever_works_there() -> None:
    """P1.3 D: a Tourist's production does not pollute there; his own man's does, abroad."""
    assert smoke("none", "F1:1!", "F1:0!") == [2, 2]
    assert smoke("engineer", "F1:1!", "F1:0!") == [1, 2]


# -- E Supporter


def test_P1_3_E_the_supporter_gives_a_dollar_or_two_votes() -> None:
    game = play(choosing(), "card supporter")
    assert (game.ask, game.seat) == (Ask.SUPPORT, 0)
    assert offered(game) == {"pay money", "pay votes"}
    assert purse(play(game.clone(), "pay money")) == (1, 0)
    assert purse(play(game, "pay votes")) == (0, 2)


# -- F Urban Planner


def test_P1_3_F_the_zone_grows_now_and_may_grow_again() -> None:
    game = play(choosing("", "", money=4), "card planner", "card opponent")
    assert game.phase is Phase.BUILD
    assert (game.state.borough[0].zone_side, game.state.borough[0].money) == (8, 4)
    assert {"H1", "A8", "H8"} <= starts(game, "build park-1")
    play(game, "enlarge")
    assert game.state.borough[0].zone_side == 9


def test_P1_3_F_not_beyond_the_map() -> None:
    for size, grown in [(9, 10), (10, 10)]:
        game = play(choosing(size=size), "card planner")
        assert game.state.borough[0].zone_side == grown


# -- G City Councilor


def test_P1_3_G_the_councilor_advances_a_disc_now() -> None:
    """P1.3 G: paid as in Phase 7, the reward at once, and the usual advance in Phase 7 as well."""
    game = play(choosing("", "", money=1, votes=1), "card councilor")
    assert (game.ask, game.seat) == (Ask.ROW, 0)
    assert play(game.clone(), "no").ask is Ask.CARD
    play(game, "row finance")
    assert offered(game) == {"pay money", "pay votes"}
    play(game, "pay votes")
    assert (purse(game), game.state.borough[0].council[0]) == ((4, 0), 1)
    assert (game.ask, game.seat) == (Ask.CARD, 1)
    play(game, "card opponent")
    assert "enlarge" in offered(game)  # the money can be spent in Phase 2
    idle_to(game, "council")
    play(game, "row finance")
    assert (purse(game), game.state.borough[0].council[0]) == ((4 - 2 + 5, 0), 2)


def test_P1_3_G_only_one_advance_that_he_can_pay() -> None:
    game = play(choosing("", "", council={"finance": 2, "tourism": 1}, money=2), "card councilor")
    assert offered(game) == {"row tourism", "no"}
    play(game, "row tourism")
    assert (game.ask, game.seat) == (Ask.CARD, 1)


def test_P1_3_G_a_tile_built_so_may_be_upgraded_in_phase_2() -> None:
    game = play(choosing("", "", money=3), "card councilor", "row construction")
    play(game, "build park-1", "at A1", "card opponent")
    assert "upgrade park-2" in offered(game)
    play(game, "upgrade park-2", "way 1")
    idle_to(game, "move")
    assert_picture(game, 0, "P2 P2")
    assert purse(game)[0] == 3 - 1 - 2  # the advance, and the upgrade at its usual price


@pytest.mark.parametrize("answers", [["build park-1", "at A1"], ["no"]])
def test_P1_3_G_what_comes_after_is_not_free(answers: list[str]) -> None:
    game = play(choosing("", "", money=4), "card councilor", "row construction", *answers)
    play(game, "card opponent", "build park-1", "at G7")
    assert purse(game)[0] == 4 - 1 - 2
    assert "build park-1" not in offered(game)


def test_P1_3_G_what_is_built_keeps_off_the_mayors_street() -> None:
    game = scene("", "", phase="select", money=1)
    play(game, "at A1", "way 1", "card councilor", "row construction")
    assert starts(game, "build park-1").isdisjoint({"A1", "B1"})


# -- H Opponent


def test_P1_3_H_the_opponent_does_nothing() -> None:
    game = choosing("Hl:0 Hl\nHl Hl", "", money=2, votes=2)
    before = game.state.borough[0].copy()
    play(game, "card opponent")
    after = game.state.borough[0].copy()
    after["card"] = 0
    assert after.tobytes() == before.tobytes()
    assert (game.ask, game.seat) == (Ask.CARD, 1)


def test_P1_3_a_card_works_for_one_round() -> None:
    """P1.3: the Mediator of round 1 saves nothing in round 2."""
    game = play(choosing("", "", money=1), "card mediator", "card opponent")
    assert "build park-1" in offered(game)
    idle(game, lambda g: g.round == 2 and g.phase is Phase.BUILD and g.seat == 0)
    assert "build park-1" not in offered(game)
