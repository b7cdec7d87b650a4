"""New buildings: Bank (NB2), Recycling Center (NB3), Tramway Station (NB4, NB5). The Airport has its own."""

from typing import Any

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.laying import layouts, shapes, starts
from tests.rulebook.words import asked, idle_to, offered, play, spaces
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"
MODULES = ["new_buildings"]
DIRTY = ["new_buildings", "godzillas"]


def building(picture: str, **given: Any) -> Game:
    """Phase 2 with $9."""
    return scene(picture, **{"money": 9, "modules": MODULES, **given})


def at_the_end(*pictures: str, phase: str, **given: Any) -> Game:
    """From a phase on; $1 makes the game stop in Phase 7 at the latest."""
    return scene(*pictures, phase=phase, **{"money": 1, "modules": MODULES, **given})


def money(game: Game, seat: int = 0) -> int:
    """The money of a player."""
    return int(game.state.borough[seat].money)


@pytest.mark.parametrize("tile", ["bank", "recycling", "tramway"])
def test_new_buildings_only_with_the_module(tile: str) -> None:
    """NB2 - NB4: four of each in a game with the module, none offered in one without."""
    crowd = "C4:0 C4:0 C4:0 C4:0 F3:0 F3:0 F3:0\nC3:0 C3:0 C3:0\n. .\n. .\nHl Hl\nHl Hl"
    game = building(crowd)
    assert f"build {tile}" in offered(game)
    assert game.state.supply[Kind[tile.upper()]] == 4
    assert f"build {tile}" not in offered(building(crowd, supply={tile: 0}))
    assert f"build {tile}" not in offered(building(crowd, modules=["godzillas"]))


@pytest.mark.parametrize(
    ("tile", "drawn"),
    [("bank", "Ba Ba\nBa Ba"), ("recycling", "Rc Rc Rc\nRc ."), ("tramway", "Tr Tr Tr Tr Tr")],
)
def test_C6_one_of_each_a_player(tile: str, drawn: str) -> None:
    """C6: who has one builds no second; his neighbour may."""
    crowd = f"C4:0 C4:0 C4:0 C4:0 F3:0 F3:0 F3:0\nC3:0 C3:0 C3:0\nHl Hl\nHl Hl\n{drawn}"
    assert f"build {tile}" not in offered(building(crowd, size=10))
    assert f"build {tile}" in offered(building(crowd.replace(drawn, ". ."), size=10))


# -- NB2: the Bank

BANK = """
Ba Ba Hl Hl
Ba Ba Hl Hl
"""


def test_NB2_influenced_by_city_hall_for_2() -> None:
    """NB2: a 2 x 2 beside City Hall; $2, with the Mediator $1."""
    game = building("Hl Hl\nHl Hl", money=2)
    assert starts(game, "build bank") == {"C1", "C2", "A3", "B3", "C3"}
    assert money(play(game, "build bank", "at C3")) == 0
    assert "build bank" not in offered(building(HALL, money=1))
    assert "build bank" in offered(building(HALL, money=1, card="mediator"))
    assert "build bank" not in offered(building("", money=9))


def test_NB2_not_by_a_contaminated_city_hall_and_only_one() -> None:
    """NB2, T4, C6: a marker on City Hall; or a Bank that stands already."""
    assert "build bank" not in offered(building("Hl:* Hl\nHl Hl", modules=DIRTY))
    assert "build bank" not in offered(building(BANK))


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_NB2_commercial_n_needs_one_residence_less(level: int) -> None:
    """NB2, P2.7: level 1 none, level 4 three; without the Bank one more."""
    homes = ["R1"] * (level - 1) + ["."] * 7
    drawn = f"{' '.join(homes[:7])}\n. . . . . . .\n. . . . . . .\n. . . . . . .\n"
    for bank, needs in (("Ba Ba Hl Hl\nBa Ba Hl Hl", True), ("P1 P1 Hl Hl\nP1 P1 Hl Hl", False)):
        game = building(f"{drawn}{bank}")
        assert (f"build commercial-{level}" in offered(game)) is needs


def test_NB2_one_residence_less_but_no_more() -> None:
    """NB2: a level 3 with a single residence is refused."""
    assert "build commercial-3" not in offered(building("R1 . . .\n. . . .\n" + BANK))


def test_NB2_nobody_need_be_in_it_but_it_must_be_clean() -> None:
    """NB2, T3: a marker on any of its spaces stops its help."""
    assert "build commercial-1" in offered(building(BANK))
    marked = building("Ba Ba Hl Hl\nBa Ba:* Hl Hl", modules=DIRTY)
    assert "build commercial-1" not in offered(marked)
    priced = building("R1 .\n" + "Ba Ba Hl Hl\nBa Ba:* Hl Hl", modules=DIRTY, money=1)
    assert "build commercial-1" not in offered(priced)


@pytest.mark.parametrize(
    ("tile", "plain", "bank", "mediator", "with_both"),
    [("commercial-1", 2, 1, 1, 0), ("commercial-2", 4, 3, 3, 2), ("commercial-3", 6, 5, 5, 4)],
)
def test_NB2_prices(tile: str, plain: int, bank: int, mediator: int, with_both: int) -> None:
    """NB2, P1.3 C: $1 less; with the Mediator $2 less, down to $0."""
    homes = "R1 R1 R1 . .\n. . . . .\n. . . . .\n"
    for building_, card, price in (
        ("P1 P1\nP1 P1", "opponent", plain),
        ("Ba Ba\nBa Ba", "opponent", bank),
        ("P1 P1\nP1 P1", "mediator", mediator),
        ("Ba Ba\nBa Ba", "mediator", with_both),
    ):
        game = building(homes + building_, card=card, money=price)
        assert f"build {tile}" in offered(game)
        where = starts(game, f"build {tile}") & {"A2", "B2"}
        play(game, f"build {tile}", f"at {min(where)}")
        if game.ask.name == "WAY":
            play(game, "way 1")
        assert money(game) == 0
        if price:
            assert f"build {tile}" not in offered(building(homes + building_, card=card, money=price - 1))


def test_NB2_upgrades_are_cheaper_too() -> None:
    """NB2: from level 1 to level 2 for $1, and for nothing with the Mediator."""
    drawn = "R1 C1 R1\n. . .\nBa Ba\nBa Ba"
    assert money(play(building(drawn, money=1), "upgrade commercial-2")) == 0
    free = building(drawn, money=0, card="mediator")
    assert "upgrade commercial-2" in offered(free)


def test_NB2_other_tiles_cost_what_they_did() -> None:
    """NB2: the Bank helps commercial builds only."""
    assert money(play(building(BANK, money=3), "build residential-1", "at C3")) == 2
    assert money(play(building(BANK, money=3), "build park-1", "at A4")) == 1


def test_NB2_who_worked_there_earns_2() -> None:
    """NB2: one person, on its first space; who did not work earns nothing."""
    assert money(at_the_end("Ba:0! Ba\nBa Ba", HALL, phase="income")) == 3
    assert money(at_the_end("Ba:0 Ba\nBa Ba", HALL, phase="income")) == 1


def test_NB2_a_tourist_earns_it_for_his_own_player() -> None:
    """NB2, P4.1: $2 for the guest's player, $1 for the host."""
    game = at_the_end("Ba:1! Ba\nBa Ba", HALL, phase="income", money={0: 1, 1: 1})
    assert (money(game, 0), money(game, 1)) == (2, 3)


def test_NB2_one_space_and_a_kind_of_commercial_place() -> None:
    """NB2, P3.1: only its first space takes people, and nobody comes from a shop."""
    game = scene("R1:0 C1:0 R1\nBa Ba\nBa Ba", HALL, phase="move", modules=MODULES)
    assert (asked(game)[1], spaces(game)) == ("A1", {"A2"})
    play(game, "no")
    assert (asked(game)[1], spaces(game)) == ("B1", {"C1"})


def test_NB2_it_is_no_commercial_tile_nor_a_public_building() -> None:
    """NB2, C2: it does not count for a home."""
    assert "build residential-1" not in offered(building("Ba Ba\nBa Ba"))


# -- NB3: the Recycling Center

TEN = "C4a:0 C4a:0 C4a:0 C4a:0 F3:0 F3:0 F3:0\n{}\n. . . . . . .\n. . . . . . .\n"


@pytest.mark.parametrize(
    ("more", "allowed"),
    [
        pytest.param("C3:0 C3:0 C3:0", True, id="ten"),
        pytest.param("C3:0 C3:0 C3", False, id="nine"),
        pytest.param("C3:0 C3:0 C3:1", False, id="a Tourist does not count"),
        pytest.param("C3:0 C3:0 C3\nHl:0 Hl\nHl Hl", False, id="nor who is in City Hall"),
        pytest.param("C3:0 C3:0 C3 .:+", False, id="nor the dead"),
    ],
)
def test_NB3_ten_active_citizens(more: str, allowed: bool) -> None:
    """NB3, T5: alive in the borough and not in City Hall."""
    game = scene(TEN.format(more), HALL, money=9, modules=MODULES)
    assert ("build recycling" in offered(game)) is allowed


def test_NB3_those_on_the_tram_count_those_abroad_do_not() -> None:
    """NB3, T5: ten with one rider; not with a citizen in another borough."""
    tram = "C3:0 C3:0 C3\nTr Tr Tr Tr Tr"
    with_rider = scene(TEN.format(tram), HALL, money=9, modules=MODULES, riders=[1])
    assert "build recycling" in offered(with_rider)
    abroad = scene(TEN.format("C3:0 C3:0 C3"), HALL + "\nC1:0", money=9, modules=MODULES)
    assert "build recycling" not in offered(abroad)


def test_NB3_shape_and_price() -> None:
    """NB3: an L of four for $4."""
    picture = TEN.format("C3:0 C3:0 C3:0")
    assert "build recycling" not in offered(building(picture, money=3))
    game = building(picture, money=4)
    assert shapes(game, "build recycling") == {
        "###/#..", "###/..#", "#../###", "..#/###", "##/#./#.", "##/.#/.#", "#./#./##", ".#/.#/##",
    }  # fmt: skip
    assert money(play(game, "build recycling", "at A3", "way 1")) == 0


@pytest.mark.parametrize("home", ["R1", "R1:*"])
def test_NB3_not_influenced_by_a_residence(home: str) -> None:
    """NB3, T4: no space of it beside one, a contaminated one neither."""
    picture = TEN.format("C3:0 C3:0 C3:0").rstrip() + f"\n. . . . . . {home}"
    game = building(picture, modules=DIRTY)
    places = layouts(game, "build recycling")
    assert places
    assert not [place for place in places if {"F4", "G4", "F5", "F6", "G6"} & set(place.split())]


def test_NB3_criteria_are_checked_when_building_only() -> None:
    """NB3, T4: with one citizen left, and a home built beside it, it works as before."""
    game = scene("Rc:0! Rc Rc R1\nRc . . .", HALL, phase="pollution", modules=MODULES, money=1)
    assert game.state.borough[0].built[Kind.RECYCLING] == 1
    assert game.state.borough[0].pollution == 0


def test_NB3_citizens_enter_it_from_the_borough_only() -> None:
    """NB3: neither from City Hall nor from abroad, and no Tourists."""
    home = "Rc Rc Rc C1:0\nRc . . R1\nHl:0 Hl\nHl Hl"
    game = scene(home, HALL + "\nC1:0\nR1:1", phase="move", modules=MODULES)
    assert (asked(game), spaces(game)) == ((0, "D1"), {"A1", "B1", "C1", "A2", "D2"})
    play(game, "no")
    assert (asked(game), spaces(game)) == ((1, "A3"), {"D2"})  # the Tourist comes home
    play(game, "no")
    assert (game.ask.name, spaces(game)) == ("HOME", {"D2"})
    play(game, "no")
    assert (game.seat, asked(game), offered(game)) == (1, (1, "A4"), {"no", "at A3"})


@pytest.mark.parametrize(
    ("picture", "made"),
    [
        pytest.param("Rc:0! Rc Rc F3:0 F3:0 F3:0\nRc . . C4:0 C4:0 C4:0 C4:0", 3, id="8 people - 5"),
        pytest.param("Rc:0 Rc Rc F3:0 F3:0 F3:0\nRc . . C4:0 C4:0 C4:0 C4:0", 8, id="he did not work"),
        pytest.param("Rc Rc Rc F3:0 F3:0 F3:0\nRc . . C4:0 C4:0 C4:0 C4:0", 7, id="nobody there"),
        pytest.param("Rc:0! Rc:0! Rc F3:0 F3:0 F3:0\nRc . . C4:0 C4:0 C4:0 C4:0", 4, id="two: still 5"),
        pytest.param("Rc:0! Rc Rc F3:0 F3:0 F3:0\nRc . .", 0, id="never below 0"),
        pytest.param("Rc:0! Rc Rc F3:0 F3:0 F3:0\nRc P1 P1 C4:0 C4:0 C4:0 C4:0", 1, id="besides parks"),
    ],
)
def test_NB3_it_takes_5_off_the_pollution_made(picture: str, made: int) -> None:
    """NB3, section 17: the level, 10 here, never falls."""
    game = scene(picture, HALL, phase="pollution", modules=MODULES, money=1, pollution=10)
    assert game.state.borough[0].pollution == 10 + made


# -- NB4: the Tramway Station

TRAM = "Tr Tr Tr Tr Tr"


def test_NB4_no_criterion_for_2() -> None:
    """NB4: five in a line, anywhere."""
    game = building("", money=2)
    assert shapes(game, "build tramway") == {"#####", "#/#/#/#/#"}
    assert len(layouts(game, "build tramway")) == 2 * 3 * 7
    assert money(play(game, "build tramway", "at A1", "way 1")) == 0
    assert "build tramway" not in offered(building("", money=1))
    assert "build tramway" not in offered(building(TRAM))


def test_NB4_any_number_of_people() -> None:
    """NB4: its first space is always free, to Tourists too; all stand on it and pollute."""
    game = at_the_end(TRAM + "\nR1:0 R1:0 R1:0", "R1:1", phase="move", riders=[2], reserve=[0, 0])
    assert (asked(game)[1], spaces(game)) == ("A2", {"A1"})  # the two on board have nowhere to go
    play(game, "at A1", "at A1", "at A1", "seat 0")
    assert list(game.state.borough[0].riders) == [5, 1, 0, 0]
    idle_to(game, "council")
    assert game.state.borough[0].pollution == 6


def test_NB4_one_gets_off_and_the_others_stay() -> None:
    """NB4, P3.1: of three on board."""
    game = play(scene(TRAM + "\nC1 C1", "", phase="move", modules=MODULES, riders=[3]), "at A2")
    assert game.state.borough[0].riders[0] == 2


def test_NB4_a_tourist_pays_the_host_and_earns_nothing() -> None:
    """NB4, P4.1: $1 for the host."""
    game = at_the_end(TRAM, "R1:1", phase="move", reserve=[0, 0], money={0: 1, 1: 1})
    play(game, "seat 0")
    idle_to(game, "council")
    assert (money(game, 0), money(game, 1)) == (2, 1)
    assert (game.state.borough[0].votes, game.state.borough[1].votes) == (0, 0)


def test_NB4_from_tram_to_tram_nobody_goes() -> None:
    """NB4, P3.1: one abroad is of the same kind."""
    game = scene(TRAM + "\nC1", TRAM + "\nF1", phase="move", modules=MODULES, riders=[1])
    assert offered(game) == {"no", "at A2", "seat 1"}
    play(game, "seat 1")  # only the Factory there is of another kind
    assert_picture(game, 1, TRAM + "\nF1:0!")


def test_NB4_a_marker_on_its_first_space_closes_it() -> None:
    """NB4, T3: one on another space does not."""
    closed = scene("Tr:* Tr Tr Tr Tr\nR1:0 C1", HALL, phase="move", modules=DIRTY)
    assert spaces(closed) == {"B2"}
    far = scene("Tr Tr:* Tr Tr Tr\nR1:0 C1", HALL, phase="move", modules=DIRTY)
    assert spaces(far) == {"A1", "B2"}


# -- NB5: arrivals


def arrivals(picture: str = TRAM, **given: Any) -> Game:
    """After Phase 3 of a borough with nobody to move."""
    return at_the_end(picture, HALL, phase="move", **given)


def test_NB5_one_citizen_arrives_from_the_reserve() -> None:
    """NB5: every round one, beyond the 14 as well (section 17), until the reserve is empty."""
    game = arrivals(reserve={0: 2}, career={0: 14})
    assert (game.state.borough[0].riders[0], game.state.reserve[0]) == (1, 1)
    idle_to(game, "council", round=2)
    assert (game.state.borough[0].riders[0], game.state.reserve[0]) == (2, 0)
    idle_to(game, "council", round=3)
    assert (game.state.borough[0].riders[0], game.state.borough[0].career) == (2, 14)


def test_NB5_only_for_who_has_a_station() -> None:
    """NB5: the neighbour's reserve stays as it is."""
    game = arrivals()
    assert list(game.state.reserve[:2]) == [5, 6]


def test_NB5_not_to_a_contaminated_station() -> None:
    """NB5, T3: a marker anywhere on it."""
    game = arrivals("Tr Tr Tr Tr Tr:*", modules=DIRTY)
    assert (game.state.borough[0].riders[0], game.state.reserve[0]) == (0, 6)


def test_NB5_he_pollutes_and_moves_on_in_the_next_round() -> None:
    """NB5: this round he does nothing but breathe; in the next he is asked like everybody."""
    game = arrivals(TRAM + "\nC1")
    assert (game.state.borough[0].pollution, money(game)) == (1, 1)
    idle_to(game, "move", round=2)
    assert (asked(game)[1], offered(game)) == ("A1", {"no", "at A2"})
