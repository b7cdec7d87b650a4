"""Tokyo: parks on Imperial ground that grow when somebody tends them (AS5)."""

from typing import Any

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.tables.tiles import Kind
from tests.rulebook.cities import drawn, hall
from tests.rulebook.laying import layouts, starts
from tests.rulebook.words import asked, idle, idle_to, offered, play, spaces
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"
BOARDS = ["tokyo", "base-easy"]
IMPERIAL = {"D3", "E3", "C4", "D4", "E4", "F4", "C5", "D5", "E5", "F5", "D6", "E6"}


def tokyo(other: str = HALL, phase: str = "build", given: Any = None, **words: str) -> Game:
    """Tokyo with these words on its map, beside a base borough; $9 stop the game in Phase 7 at the latest."""
    fields = {"money": 9, **(given or {})}
    return scene(drawn("tokyo", **words), other, boards=BOARDS, phase=phase, **fields)


# -- building parks


def test_AS5_the_first_park_lies_anywhere_in_the_imperial_park() -> None:
    """AS5: and nowhere else."""
    assert starts(tokyo(), "build park-1") == IMPERIAL


def test_AS5_further_ones_beside_a_park() -> None:
    """AS5: adjacent, not diagonally; on Imperial ground only, though D2 touches D3."""
    assert starts(tokyo(D4="P1"), "build park-1") == {"D3", "C4", "E4", "D5"}
    assert starts(tokyo(D3="P1"), "build park-1") == {"E3", "D4"}
    assert starts(tokyo(D2="P2", D3="P2", F5="P1"), "build park-1") == {"E3", "D4", "F4", "E5"}


def test_AS5_a_contaminated_park_does_not_count_as_one() -> None:
    """AS5: beside a clean one; with no clean one, anywhere in the Imperial Park again."""
    given = {"modules": ["godzillas"]}
    assert starts(tokyo(D4="P1:*", given=given), "build park-1") == IMPERIAL - {"D4"}
    assert starts(tokyo(D4="P1:*", E6="P1", given=given), "build park-1") == {"D6", "E5"}
    assert starts(tokyo(D3="P2:*", D4="P2", given=given), "build park-1") == IMPERIAL - {"D3", "D4"}


def test_AS5_only_level_1_parks_are_built() -> None:
    """AS5: neither bigger ones nor upgrades, however rich."""
    parks = {answer for answer in offered(tokyo(D4="P1", given={"money": 30})) if "park" in answer}
    assert parks == {"build park-1"}


def test_AS5_the_council_keeps_to_it() -> None:
    """AS5, P7.5: column 3 of Construction builds a level 1 there, and no bigger one."""
    game = tokyo(D4="P1", phase="council", given={"council": {"construction": 2}})
    play(game, "row construction")
    assert {answer for answer in offered(game) if "park" in answer} == {"build park-1"}
    assert starts(game, "build park-1") == {"D3", "C4", "E4", "D5"}


def test_AS5_no_other_tile_lies_on_imperial_ground() -> None:
    """AS5: neither built nor extended onto it, nor a Warehouse that comes along."""
    given = {"money": 30, "votes": 9, "modules": ["new_buildings", "real_buildings"]}
    game = tokyo(A7="Wa:w", A8="Wa:s", C6="F1", given=given, **hall("D1", "w", "s", "m", "m"))
    for answer in offered(game) - {"build park-1", "no"}:
        assert not [place for place in layouts(game, answer) if set(place.split()) & IMPERIAL], answer
    play(game, "build factory-1", "at G4")
    assert spaces(game) == {"F2", "H2", "F3", "G3", "H3", "H4", "G5", "H5"}
    play(game, "at F3")  # across; down to F4 is not asked
    assert game.state.borough[0].first[26] == 25


def test_AS5_homes_do_not_extend_onto_it() -> None:
    """AS5: a level 2 of D2 lies up or across, not down onto D3."""
    game = tokyo(D2="R1", C1="Sc", **hall("E1"))
    assert layouts(game, "upgrade residential-2") == {"D1 D2", "C2 D2"}


def test_SU2_city_hall_is_not_placed_on_it() -> None:
    """SU2, AS5: nor on the printed homes."""
    places = spaces(Game(Config(1, modules=(), boards="tokyo")))
    assert {"A3", "G3", "D1", "D7"} <= places
    assert not places & (IMPERIAL | {"C2", "D2", "E2", "B4", "C3", "A1", "B1", "F6"})


# -- level 1 grows at once


def test_AS5_a_tended_level_1_grows_at_the_very_end_of_phase_3() -> None:
    """AS5: after everybody has moved, by one space of the player's choice, also out of the Imperial Park."""
    game = tokyo("R1:1 C1", phase="move", D3="P1", A1="R1:0")
    play(game, "at D3")
    assert (game.seat, game.ask.name) == (1, "MOVE")
    assert game.state.borough[0].built[Kind.PARK_2] == 0
    play(game, "at B1")
    assert (game.seat, game.ask.name) == (0, "PARK_GROWS")
    assert offered(game) == {"at D2", "at C3", "at E3", "at D4"}
    play(game, "at D2")
    assert_picture(game, 0, drawn("tokyo", D2="P2", D3="P2:0!", A1="R1"))


def test_AS5_it_is_free_and_takes_the_next_tile() -> None:
    """AS5, C3: no money; the level 1 goes back to the supply, a level 2 comes from it."""
    game = play(tokyo(phase="move", D3="P1", A1="R1:0", given={"money": 1}), "at D3", "at E3")
    assert game.state.borough[0].money == 1
    assert (game.state.supply[Kind.PARK_1], game.state.supply[Kind.PARK_2]) == (25, 17)


def test_AS5_it_needs_no_power() -> None:
    """AS5, PP3: no column is powered here."""
    given = {"modules": ["power_plants"]}
    game = play(tokyo(phase="move", D3="P1", A1="R1:0", given=given), "at D3")
    assert offered(game) == {"at D2", "at C3", "at E3", "at D4"}


def test_AS5_only_onto_empty_spaces() -> None:
    """AS5, T8: not where there is a tile, a cemetery, a marker or the Mayor."""
    given = {"modules": ["godzillas"]}
    around = {"D2": ".:+", "C3": ".:*", "E3": "P1", "D4": "B"}
    game = play(tokyo(phase="move", D3="P1", A1="R1:0", given=given, **around), "at D3")
    assert_picture(game, 0, drawn("tokyo", D3="P2:0!", A1="R1", **(around | {"D4": "P2"})))
    street = {"D2": ".:M", "C3": "P1", "E3": "P1", "D4": "P1"}
    game = play(tokyo(phase="move", D3="P1", A1="R1:0", **street), "at D3")
    assert game.phase.name == "COUNCIL"
    assert game.state.borough[0].built[Kind.PARK_2] == 0


def test_AS5_without_a_tile_it_does_not_grow() -> None:
    """AS5: the supply of level 2 is empty."""
    game = tokyo(phase="move", D3="P1", A1="R1:0", given={"supply": {"park-2": 0}})
    play(game, "at D3")
    assert game.phase.name == "COUNCIL"
    assert_picture(game, 0, drawn("tokyo", D3="P1:0!", A1="R1"))


def test_AS5_who_stays_in_a_park_does_not_tend_it() -> None:
    """AS5: only moving in counts."""
    game = play(tokyo(phase="move", D3="P1:0"), "no")
    assert game.phase.name == "COUNCIL"
    assert_picture(game, 0, drawn("tokyo", D3="P1:0"))


def test_AS5_parks_grow_in_reading_order() -> None:
    """AS5: D3 before D6, whoever moved first; the first may take what the second could have had."""
    game = play(tokyo(phase="move", D3="P1", D6="P1", A1="R1:0", B1="R1:0"), "at D6", "at D3")
    assert (game.ask.name, asked(game)[1]) == ("PARK_GROWS", "D3")
    play(game, "at C3")
    assert (game.ask.name, asked(game)[1]) == ("PARK_GROWS", "D6")
    beside = play(tokyo(phase="move", D3="P1", D5="P1", A1="R1:0", B1="R1:0"), "at D3", "at D5", "at D4")
    assert spaces(beside) == {"C5", "E5", "D6"}


# -- level 2 grows a round later


def test_AS5_a_tended_level_2_grows_in_the_next_round() -> None:
    """AS5, section 17: at the very end of the next Phase 3, though he has left by then."""
    game = tokyo(phase="move", D3="P2", E3="P2", A1="R1:0", H8="C1")
    play(game, "at D3")
    assert game.phase.name == "COUNCIL"
    assert game.state.borough[0].built[Kind.PARK_2] == 1
    idle_to(game, "move", round=2)
    assert asked(game)[1] == "D3"
    play(game, "at H8")
    assert game.ask.name == "PARK_GROWS"
    assert offered(game) == {"at D2", "at E2", "at D4", "at E4"}  # a corner, not a line
    play(game, "at E2")
    assert_picture(game, 0, drawn("tokyo", E2="P3", D3="P3", E3="P3", A1="R1", H8="C1:0!"))
    assert (game.state.supply[Kind.PARK_2], game.state.supply[Kind.PARK_3]) == (18, 11)


def test_AS5_the_question_leaves_nothing_behind() -> None:
    """The space it asked about is blank in the next one, where a product is stored."""
    hall = dict.fromkeys(("A4", "B4", "A5", "B5"), "Hl")
    game = tokyo(phase="move", D3="P2:g", E3="P2", A8="R1:0", H8="F1", G8="Wa", F8="Wa", **hall)
    play(game, "at H8", "at D2")
    assert (game.ask.name, game.state.space) == ("STORE", 0)


def test_AS5_two_gardeners_make_it_grow_once() -> None:
    """AS5: both spaces of a level 2 tended in one round: level 3 the round after, and no more."""
    game = tokyo(phase="move", D3="P2", E3="P2", A1="R1:0", B1="R1:0")
    play(game, "at D3", "at E3")
    idle(game, lambda g: g.ask.name == "PARK_GROWS")
    assert game.round == 2
    play(game, "at D2")
    idle_to(game, "council", round=4)
    assert game.state.borough[0].built[Kind.PARK_3] == 1
    assert game.state.borough[0].built[Kind.PARK_2] == 0


def test_AS5_contaminated_by_then_it_does_not_grow() -> None:
    """AS5: a marker on its other space."""
    given = {"modules": ["godzillas"]}
    game = play(tokyo(phase="move", D3="P2:0g", E3="P2:*", H8="C1", given=given), "no")
    assert game.phase.name == "COUNCIL"
    assert game.state.borough[0].built[Kind.PARK_3] == 0
    clean = play(tokyo(phase="move", D3="P2:0g", E3="P2", H8="C1", given=given), "no")
    assert clean.ask.name == "PARK_GROWS"


def test_AS5_a_level_3_does_not_grow() -> None:
    """AS5: there is no bigger park."""
    game = play(tokyo(phase="move", A1="R1:0", D3="P3", E3="P3", D4="P3"), "at D3")
    idle_to(game, "council", round=3)
    assert game.state.borough[0].built[Kind.PARK_3] == 1


def test_AS5_from_level_1_to_level_3_in_three_rounds() -> None:
    """AS5: tended in rounds 1 and 2, level 2 at the end of the first Phase 3, level 3 of the third."""
    game = play(tokyo(phase="move", D3="P1", A1="R1:0", B1="R1:0", H8="C1"), "at D3", "no", "at E3")
    levels = [level_at_d3(game)]
    idle_to(game, "move", round=2)
    play(game, *(["no", "at E3"] if asked(game)[1] == "A1" else ["at E3"]))
    levels.append(level_at_d3(idle_to(game, "income")))
    idle(game, lambda g: g.ask.name == "PARK_GROWS" or g.round > 3)
    assert game.round == 3
    play(game, "at D2")
    levels.append(level_at_d3(game))
    assert levels == [2, 2, 3]


def level_at_d3(game: Game) -> int:
    """The level of the park on D3."""
    b = game.state.borough[0]
    return int(b.kind[b.first[23]]) - Kind.PARK_1 + 1


def test_AS5_reading_order_is_that_of_the_parks() -> None:
    """AS5: the park of D3 and D4 comes before the one of E3 and E4, whichever of their spaces was entered."""
    parks = {"D3": "P2a", "D4": "P2a", "E3": "P2b", "E4": "P2b"}
    game = play(tokyo(phase="move", A1="R1:0", B1="R1:0", **parks), "at D4", "at E3")
    idle(game, lambda g: g.ask.name == "PARK_GROWS" or g.round > 2)
    assert (game.round, game.ask.name) == (2, "PARK_GROWS")
    assert spaces(game) == {"C3", "C4"}


# -- who goes there, and the air


def test_AS5_parks_are_for_people_of_the_borough() -> None:
    """AS5, P3.1, P3.2: one person a space, from another kind of place; no Tourists."""
    game = tokyo("R1:1", phase="move", D3="P2", E3="P2", C5="P1:0", A1="R1:0")
    assert spaces(game) == {"D3", "E3"}  # A1 is asked: C5 is taken
    play(game, "no")
    assert (asked(game)[1], spaces(game)) == ("C5", {"B2", "G2", "B7", "G7"})
    play(game, "no")
    assert game.seat == 0  # seat 1 had nowhere to go, and was not asked


@pytest.mark.parametrize(
    ("words", "made"),
    [
        pytest.param({}, 5, id="nothing at all"),
        pytest.param({"A1": "R1:0", "B1": "R1:0"}, 7, id="two people"),
        pytest.param({"D3": "P1", "E3": "P1"}, 5, id="parks do not clean it away"),
        pytest.param({"A1": "R1:0", "D3": "P1", "E3": "P1"}, 5, id="after the floor at 0"),
    ],
)
def test_AS5_residual_pollution(words: dict[str, str], made: int) -> None:
    """AS5, P6.1: five more each round."""
    game = tokyo(phase="pollution", given={"round": 1}, **words)
    assert game.state.borough[0].pollution == made
    assert game.state.borough[1].pollution == 0
    assert idle_to(game, "council", round=2).state.borough[0].pollution == 2 * made


def test_AS5_the_residual_alone_is_pollution_made() -> None:
    """AS5, P6.3: from round 5 it can cost the highest borough a citizen."""
    game = tokyo(phase="pollution", A1="R1:0", D3="P1", given={"round": 5})
    assert game.ask.name == "GRAVE"


# -- the printed homes


def test_AS5_printed_homes_are_upgraded_like_any_other() -> None:
    """AS5, C3: a level 2 covers one; nothing goes back to the supply of level 1."""
    game = tokyo(A1="Sc", given={"money": 1}, **hall("C1"))
    assert layouts(game, "upgrade residential-2") == {"B1 B2", "A2 B2", "B2 B3"}
    play(game, "upgrade residential-2", "at B1")
    assert game.state.supply[Kind.RESIDENTIAL_1] == 30


def test_C3_a_home_that_was_built_beside_them_goes_back_to_the_supply() -> None:
    """C3: Tokyo has printed homes of the same level, and this one is not among them."""
    game = tokyo(A1="Sc", D1="Li", D2="Li", C2="R1", given={"money": 1}, **hall("C3"))
    before = int(game.state.supply[Kind.RESIDENTIAL_1])
    play(game, "upgrade residential-2", "at C1")
    assert game.state.supply[Kind.RESIDENTIAL_1] == before + 1
