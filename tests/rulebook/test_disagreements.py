"""Section 17: what is played where the rulebooks disagree, one test for each line, in its order."""

from tests.rulebook.cities import drawn, hall
from tests.rulebook.laying import layouts, starts
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import asked, idle, idle_to, offered, play, spaces
from tests.scene import scene

HALL = "Hl Hl\nHl Hl"


def test_section_17_big_ben_asks_for_five_park_spaces() -> None:
    """RB1: of several parks; together with home, shop and City Hall they fill the eight neighbours."""
    place = "P2 P2 P1\nP1 .  R1\n{} C1 Hl:w Hl:s\n.  .  Hl:m Hl"
    assert starts(scene(place.format("P1"), modules=["real_buildings"]), "build big-ben") == {"B2"}
    assert starts(scene(place.format("."), modules=["real_buildings"], money=1), "build big-ben") == set()


def test_section_17_marked_and_occupied_park_spaces_do_not_clean() -> None:
    """T3: it marks A7, B7, C7 and stands on D7, E7; of the seven spaces F7 and G7 are left to clean."""
    picture = """
    .   .   .   .   .   .   R1:0
    .   .   .   .   .   .   R1:0
    .   .   .   .   .   .   R1:0
    .   .   .   .   .   .   .
    F2  .   .   .   .   .   .
    F2  .   .   .   .   .   .
    P1  P1  P1  P1  P1  P1  P1
    """
    given = {"phase": "pollution", "round": 5, "modules": ["godzillas"], "pollution": {1: 9}}
    game = scene(picture, HALL, die=5, money=1, **given)
    play(game, "at A6", "south")
    assert (spaces_with(game, "markers"), spaces_with(game, "godzilla")) == ("A7 B7 C7", "D7 E7")
    assert game.state.borough[0].pollution == 3 - 2


def test_section_17_beside_a_level_1_factory_the_second_space_is_adjacent() -> None:
    """G3: not any space of the borough, and not diagonally."""
    game = scene(". . .\n. F1 .\n. . .", HALL, phase="pollution", round=5, modules=["godzillas"], die=2)
    assert game.ask.name == "ARRIVE_BESIDE"
    assert spaces(game) == {"B1", "A2", "C2", "B3"}


def test_section_17_bangkoks_harbor_must_lie_on_the_river() -> None:
    """AS7: at the edge of the zone without river it is refused."""
    game = scene(drawn("bangkok"), boards="bangkok", money=3)
    assert not starts(game, "build harbor") & {"A1", "B1", "F1", "G1", "A8", "H1", "H8"}
    assert "E1" in starts(game, "build harbor")


def test_section_17_the_opera_house_touches_a_growth_edge() -> None:
    """RB2: in line with one, but a space short of it, is not enough."""
    game = scene("", money=10, modules=["real_buildings"])
    assert "F1" in starts(game, "build opera")  # F1 G1 F2 G2
    assert not starts(game, "build opera") & {"E1", "A5", "E5"}


def test_section_17_its_last_two_spaces_are_useless_while_it_stands_there() -> None:
    """G10: through the next round's Phases 1 to 5, not only in the round it came."""
    picture = "C1:Z C1:Z C1 R1:0\nHl Hl\nHl Hl"
    game = scene(picture, HALL, phase="visit", round=5, modules=["godzillas"], money=1)
    idle_to(game, "move", round=6)
    assert spaces(game) == {"C1"}


def test_section_17_a_die_is_rolled_in_solo() -> None:
    """G2: for the distance; all six lengths occur, and the player always hosts."""
    dice = set()
    for seed in range(60):
        game = scene("F2 F2\nHl Hl\nHl Hl", phase="pollution", round=5, modules=["godzillas"], seed=seed)
        assert game.state.hosts[0] == 1
        dice.add(int(game.state.die[0]))
    assert dice == {1, 2, 3, 4, 5, 6}


def test_section_17_tokyos_level_2_grows_a_round_later_than_level_1() -> None:
    """AS5: entered in the same Phase 3, D3 grows in it and the level 2 of D6 in the next."""
    parks = {"D3": "P1", "D6": "P2", "E6": "P2", "A1": "R1:0", "B1": "R1:0"}
    game = scene(drawn("tokyo", **parks), HALL, boards=["tokyo", "base-easy"], phase="move", money=1)
    play(game, "at D3", "at D6")
    assert (game.round, asked(game)[1]) == (1, "D3")
    play(game, "at D2")
    idle(game, lambda g: g.ask.name == "PARK_GROWS")
    assert (game.round, asked(game)[1]) == (2, "D6")


def test_section_17_delhis_new_homes_lie_wholly_on_the_marked_spaces() -> None:
    """AS8: not half of a level 2; an upgrade may go beyond."""
    public = hall("B1") | {"D2": "Sc"}
    new = scene(drawn("delhi", **public), boards="delhi", money=9)
    assert layouts(new, "build residential-2") == {"C3 D3", "C3 C4", "D3 E3", "D3 D4"}
    old = scene(drawn("delhi", C3="R1", **public), boards="delhi", money=9)
    assert layouts(old, "upgrade residential-2") == {"B3 C3", "C3 D3", "C3 C4"}


def test_section_17_recycling_lowers_the_pollution_made_not_the_level() -> None:
    """NB3: with nothing made the level of 9 stays."""
    centre = "Rc:0! Rc Rc\nRc ."
    game = scene(centre, HALL, phase="pollution", modules=["new_buildings"], money=1, pollution=9)
    assert game.state.borough[0].pollution == 9


def test_section_17_the_eight_action_cards_lie_open() -> None:
    """AC1: who chooses sees, and may take, exactly those in the circle."""
    game = play(scene(HALL, HALL, phase="select", modules=["action_cards"]), "at C1", "way 1")
    circle = game.state.circle
    assert len(offered(game)) == 8 == sum(circle)


def test_section_17_tourism_row_and_tramway_both_exceed_14() -> None:
    """P7.6, NB5: with 14 citizens in play one more arrives in each way."""
    tram = "Tr Tr Tr Tr Tr\nHl Hl\nHl Hl"
    game = scene(tram, HALL, phase="move", modules=["new_buildings"], money=1, career={0: 14})
    assert (game.state.borough[0].riders[0], game.state.borough[0].career) == (1, 14)
    play(game, "row tourism")
    assert game.state.reserve[0] == 4


def test_section_17_visitors_hear_the_mayors_speech() -> None:
    """M4: another player's Tourist in front of City Hall is worth a vote to the host."""
    picture = "Hl Hl:M C1:1\nHl Hl:M"
    game = scene(picture, HALL, phase="vote", modules=["mayor"], money=1)
    assert [int(game.state.borough[p].votes) for p in (0, 1)] == [1, 0]
