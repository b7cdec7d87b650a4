"""The Mayor variant: he speaks from City Hall instead of blocking a street (M1 - M4)."""

from typing import Any

import pytest

from smallcity_env import Ask, Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import at, idle_to, offered, play, spaces, with_things
from tests.scene import assert_picture, scene

HALL = "Hl Hl\nHl Hl"


def town(*pictures: str, **given: Any) -> Game:
    """A position of a game with the Mayor variant; a second player looks on."""
    towns = pictures if len(pictures) > 1 else (*pictures, "")
    return scene(*towns, **{"modules": ["mayor"], **given})


# -- M1


def test_M1_which_two_spaces_is_the_hosts_choice() -> None:
    """Seat 1 hosts and is asked himself; four pairs."""
    game = town("", HALL, phase="select", host=1)
    assert (game.ask, game.seat) == (Ask.SPEECH, 1)
    assert offered(game) == at("A1", "B1", "A2")
    assert offered(play(game.clone(), "at A1")) == {"way 1", "way 2"}
    pairs = [["at A1", "way 1"], ["at A1", "way 2"], ["at B1"], ["at A2"]]
    stands = [spaces_with(play(game.clone(), *pair), "mayor", 1) for pair in pairs]
    assert stands == ["A1 B1", "A1 A2", "B1 B2", "A2 B2"]


def test_M1_he_cannot_be_kept_out() -> None:
    """With one pair of spaces he stands there and nothing is asked."""
    game = town("Hl Hl:0\nHl Hl:w", phase="select")
    assert spaces_with(game, "mayor") == "A1 A2"
    assert game.ask is Ask.CARD


@pytest.mark.parametrize(
    "hall",
    [
        pytest.param("Hl Hl:0\nHl:0 Hl", id="diagonal"),
        pytest.param("Hl Hl:0\nHl:0 Hl:w", id="only one"),
        pytest.param("Hl Hl:*\nHl:* Hl", id="markers"),
        pytest.param("Hl Hl:*Z\nHl:0 Hl:Z", id="godzilla"),
        pytest.param("Hl:0 Hl:0\nHl:m Hl:s", id="full"),
        pytest.param("", id="none"),
    ],
)
def test_M1_without_two_adjacent_empty_usable_spaces_he_stays_outside(hall: str) -> None:
    """Nobody and nothing in it is moved to make room."""
    game = town(hall, phase="select", modules=["mayor", "godzillas"])
    assert game.ask is Ask.CARD
    assert_picture(game, 0, hall)


def test_M1_no_street_is_chosen_and_nothing_is_blocked() -> None:
    """Every space beside City Hall can be built on; nobody was asked for a street."""
    game = idle_to(town(f"{HALL}\n. .", phase="select", money=2), "build")
    assert Ask.STREET not in {entry.ask for entry in game.log.entries}
    assert len(spaces(play(game, "build park-1"))) == 49 - 4


def test_M1_in_the_base_game_a_street_is_chosen() -> None:
    assert scene(HALL, "", phase="select").ask is Ask.STREET


def test_M1_alone_too() -> None:
    game = scene(HALL, phase="select", modules=["mayor"])
    assert game.ask is Ask.SPEECH


def test_M1_only_in_the_hosts_city_hall() -> None:
    game = play(town(HALL, HALL, phase="select", host=1), "at B1")
    assert (spaces_with(game, "mayor", 0), spaces_with(game, "mayor", 1)) == ("", "B1 B2")


def test_M1_it_is_the_city_hall_as_phase_1_begins() -> None:
    """Two citizens leave it in the round; he does not come in later."""
    game = town("Hl:0 Hl:0 .\nHl:0 Hl:0 .\n. . .", phase="select", money=4)
    idle_to(game, "build")
    play(game, "build residential-1", "at C1", "build residential-1", "at C2")
    idle_to(game, "council")
    assert_picture(game, 0, "Hl:0 Hl:0 R1:0!\nHl Hl R1:0!\n. . .")


# -- M2


def test_M2_no_citizen_enters_his_spaces() -> None:
    """P3.4: three jobs, two spaces left."""
    game = town("Hl:M Hl:M\nHl Hl\n. .\nF3 F3 F3", phase="move", money=1)
    assert_picture(game, 0, "Hl:M Hl:M\nHl:0 Hl:0\n. .\nF3 F3 F3")
    assert game.state.borough[0].career == 14 - 2


def test_M2_no_material_enters_his_spaces() -> None:
    """P4.3: two products, one space left."""
    game = town("Hl:M Hl:0\nHl:M Hl\n. .\n. F2:0! F2:0!", phase="income", money=1)
    assert game.ask is Ask.PRODUCT
    play(game, "stone")
    assert_picture(game, 0, "Hl:M Hl:0\nHl:M Hl:s\n. .\n. F2:0! F2:0!")


def test_M2_no_newcomer_of_the_tourism_row_enters_his_spaces() -> None:
    game = town("Hl:0 Hl:0\nHl:M Hl:M", phase="council", money={0: 1, 1: 1})
    before = int(game.state.borough[0].career)
    play(game, "row tourism")
    assert_picture(game, 0, "Hl:0 Hl:0\nHl:M Hl:M")
    assert game.state.borough[0].career == before + 1


def test_M2_he_leaves_in_phase_8() -> None:
    """Until the end of Phase 7 he is there; then he goes on to the next host."""
    game = town("Hl:M Hl\nHl:M Hl", "Hl Hl:1\nHl Hl:1", phase="council", money=1)
    assert spaces_with(game, "mayor", 0) == "A1 A2"
    play(game, "no")
    assert (game.round, game.state.host) == (2, 1)
    assert (spaces_with(game, "mayor", 0), spaces_with(game, "mayor", 1)) == ("", "A1 A2")


def test_M2_a_host_again_receives_him_once_more() -> None:
    """Card A: he leaves and comes back to two spaces of the host's choice."""
    game = town("Hl:M Hl\nHl:M Hl", phase="council", money=1, card="mayor", next_host=0)
    play(game, "no")
    assert (game.round, game.seat, game.ask) == (2, 0, Ask.SPEECH)
    assert spaces_with(game, "mayor") == ""


# -- M3


@pytest.mark.parametrize(
    ("hall", "may"),
    [
        pytest.param("Hl Hl\nHl:0 Hl:0", True, id="side by side"),
        pytest.param("Hl Hl:w\nHl Hl:0", True, id="one above the other"),
        pytest.param("Hl Hl:0\nHl:0 Hl", False, id="diagonal"),
        pytest.param("Hl Hl:0\nHl:0 Hl:m", False, id="only one"),
        pytest.param("Hl Hl:*\nHl:0 Hl:0", False, id="a marker"),
        pytest.param("Hl:Z Hl:Z\nHl:0 Hl:0", False, id="a godzilla"),
    ],
)
def test_M3_card_a_needs_two_adjacent_empty_spaces(hall: str, may: bool) -> None:
    """Seat 1 is not the host."""
    game = town("", hall, phase="select", seat=1, modules=["mayor", "godzillas"])
    assert ("card mayor" in offered(game)) == may
    assert "card architect" in offered(game)


def test_M3_the_spaces_the_mayor_stands_on_count() -> None:
    game = town("Hl Hl:0\nHl Hl:0", phase="select")
    assert spaces_with(game, "mayor") == "A1 A2"
    assert "card mayor" in offered(game)


def test_M3_without_the_variant_anybody_may_take_it() -> None:
    game = scene("Hl:0 Hl:0\nHl:0 Hl:0", "", phase="select", seat=0)
    assert "card mayor" in offered(game)


# -- M4


SQUARE = """
    . . . .  .  . .
    . . . .  .  . .
    . . . .  .  . .
    . . . Hl Hl . .
    . . . Hl Hl . .
    . . . .  .  . .
    . . . .  .  . .
"""
HEARD = {  # the Mayor's two spaces, and the six around him
    ("D4", "E4"): "C3 D3 E3 F3 C4 F4",
    ("D5", "E5"): "C6 D6 E6 F6 C5 F5",
    ("D4", "D5"): "C3 C4 C5 C6 D3 D6",
    ("E4", "E5"): "F3 F4 F5 F6 E3 E6",
}
RING = ["C3", "D3", "E3", "F3", "C4", "F4", "C5", "F5", "C6", "D6", "E6", "F6"]
BEYOND = ["D2", "B4", "G5", "E7"]


def speech(pair: tuple[str, str], **things: str) -> str:
    """The square with the Mayor speaking; homes wherever somebody or something is put."""
    drawn = with_things(SQUARE, **dict.fromkeys(pair, "M"))
    rows = [row.split() for row in drawn.splitlines()]
    for name, what in things.items():
        row, col = int(name[1:]) - 1, "ABCDEFG".index(name[0])
        rows[row][col] = rows[row][col].replace(".", "R1" if what != "+" else ".") + f":{what}"
    return "\n".join(" ".join(row) for row in rows)


def votes(drawn: str, other: str = "", **given: Any) -> int:
    """The votes of seat 0 after Phase 5."""
    return int(town(drawn, other, phase="vote", money=1, **given).state.borough[0].votes)


@pytest.mark.parametrize("pair", HEARD)
def test_M4_each_of_the_six_spaces_on_his_side_is_worth_a_vote(pair: tuple[str, str]) -> None:
    """One citizen on each space of the ring and beyond, one after the other."""
    heard = [name for name in RING + BEYOND if votes(speech(pair, **{name: "0"}))]
    assert heard == [name for name in RING if name in HEARD[pair].split()]


@pytest.mark.parametrize("pair", HEARD)
def test_M4_six_at_most(pair: tuple[str, str]) -> None:
    assert votes(speech(pair, **dict.fromkeys(RING, "0"))) == 6


NORTH = ("D4", "E4")


def test_M4_the_picture_of_the_rulebook_two_living_and_a_dead_one() -> None:
    assert votes(speech(NORTH, C3="0", F4="0", D3="+")) == 2


def test_M4_whether_he_worked_or_not_and_besides_his_own_vote() -> None:
    """P5.1: who worked at home votes as well, 1 in a level-1 residence."""
    assert votes(speech(NORTH, C3="0")) == 1
    assert votes(speech(NORTH, C3="0!")) == 1 + 1
    assert votes(speech(NORTH, C6="0!")) == 1


def test_M4_tourists_count_for_the_host() -> None:
    game = town(speech(NORTH, C3="1", F3="0"), phase="vote", money=1)
    assert [int(game.state.borough[p].votes) for p in (0, 1)] == [2, 0]


def test_M4_nobody_inside_city_hall_counts() -> None:
    assert votes(speech(NORTH, D5="0", E5="0")) == 0


def test_M4_an_absent_mayor_wins_no_votes() -> None:
    """He stands outside, or in another borough."""
    ring = dict.fromkeys(RING, "0")
    assert votes(speech(NORTH, **ring).replace(":M", "")) == 0
    assert votes(speech(NORTH, **ring).replace(":M", ""), speech(NORTH), host=1) == 0


def test_M4_a_mayor_on_a_street_makes_no_speech() -> None:
    """P1.1; the variant makes no difference to that."""
    street = with_things(SQUARE, B4="M", B5="M").replace(". .:M .", "R1:0 .:M R1:0")
    assert votes(street, modules=[]) == 0
    assert votes(street) == 0


def test_M4_at_the_edge_of_the_map_there_is_less_room() -> None:
    """City Hall in the corner: of the six spaces in the north only C1 is there."""
    assert votes("Hl:M Hl:M R1:0\nHl Hl R1:0\nR1:0 R1:0 R1:0") == 1
    assert votes("Hl Hl R1:0\nHl:M Hl:M R1:0\nR1:0 R1:0 R1:0") == 4


@pytest.mark.parametrize("victory", ["economics", "population", "culture"])
def test_M4_whatever_the_victory_condition(victory: str) -> None:
    assert votes(speech(NORTH, C3="0", D3="0"), victory=victory) == 2


@pytest.mark.parametrize(("riders", "heard"), [([2, 1], 3), ([4, 5], 6)])
def test_M4_people_on_a_tramway_count_six_in_all_at_most(riders: list[int], heard: int) -> None:
    """NB4: they stand on its first space, which is D3 here."""
    drawn = "\n".join([". . . . . . . . ."] * 2 + [". . . Tr Tr Tr Tr Tr ."]) + "\n"
    drawn += ". . . Hl:M Hl:M\n. . . Hl Hl"
    assert votes(drawn, riders=riders, modules=["mayor", "new_buildings"]) == heard


def test_M4_no_votes_for_whoever_stands_elsewhere_on_the_tramway() -> None:
    """Its first space is too far away."""
    drawn = "\n".join([". . . . . . . . ."] * 2 + ["Tr Tr Tr Tr Tr"]) + "\n"
    drawn += ". . . Hl:M Hl:M\n. . . Hl Hl"
    assert votes(drawn, riders=[3], modules=["mayor", "new_buildings"]) == 0
