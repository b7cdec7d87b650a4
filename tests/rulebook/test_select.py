"""Section 4: the parade and taking action cards (P1.1, P1.2, P1.4); what the cards do is in test_cards."""

import pytest

from smallcity_env import Game
from smallcity_env.rules.actions import space_name
from smallcity_env.rules.tables import Ask, Phase
from smallcity_env.text.grid import members
from tests.rulebook.laying import marked, starts
from tests.rulebook.places import in_council
from tests.rulebook.words import idle, idle_to, offered, play, spaces
from tests.scene import assert_picture, scene

CARDS = {
    "card mayor",
    "card architect",
    "card mediator",
    "card engineer",
    "card supporter",
    "card planner",
    "card councilor",
    "card opponent",
}
ISLANDS = """
    .  P1 .  .  P1 P1 P1
    P1 P1 P1 P1 P1 P1 P1
    P1 P1 .  P1 P1 P1 P1
    P1 P1 .  P1 P1 P1 .
    P1 P1 .  P1 P1 P1 P1
    P1 P1 P1 P1 P1 P1 P1
    P1 P1 P1 P1 P1 P1 .
    """
NO_STREET = ISLANDS.replace(".  .", ".  P1").replace("P1 P1 .  P1 P1 P1 P1", "P1 P1 P1 P1 P1 P1 P1")


def mayor(game: Game, seat: int = 0) -> str:
    """The street the Mayor stands on."""
    return " ".join(map(space_name, members(game.state.borough[seat].mayor)))


# -- P1.1


def test_P1_1_the_next_player_clockwise_chooses_the_hosts_street() -> None:
    game = scene("", "", "", phase="select", host=2)
    assert (game.ask, game.seat) == (Ask.STREET, 0)
    play(game, "at D4", "way 1")
    assert [mayor(game, seat) for seat in range(3)] == ["", "", "D4 E4"]
    assert (game.ask, game.seat) == (Ask.CARD, 2)


def test_P1_1_an_eliminated_player_does_not_choose() -> None:
    game = scene("", "", "", "", phase="select", host=0, round=5, out={1: 4})
    assert (game.ask, game.seat) == (Ask.STREET, 2)


def test_P1_1_a_street_lies_between_two_adjacent_empty_spaces() -> None:
    """P1.1: C1 D1 across, C3 C4 and C4 C5 down; the single spaces A1, G4 and G7 have none."""
    game = scene(ISLANDS, "", phase="select")
    assert spaces(game) == {"C1", "C3", "C4"}
    assert [mayor(play(game.clone(), f"at {space}")) for space in ("C1", "C3", "C4")] == [
        "C1 D1",
        "C3 C4",
        "C4 C5",
    ]


def test_P1_1_across_or_down() -> None:
    game = play(scene("", "", phase="select"), "at A1")
    assert offered(game) == {"way 1", "way 2"}
    assert mayor(play(game.clone(), "way 1")) == "A1 B1"
    assert mayor(play(game, "way 2")) == "A1 A2"


def test_P1_1_the_street_is_in_the_zone() -> None:
    """P1.1: the last space G7 begins no street, G1 only one down, A7 only one across; waste is none."""
    game = scene("", "", phase="select")
    assert spaces(game) == marked("o o o o o o o\n" * 6 + "o o o o o o .")
    assert mayor(play(game.clone(), "at G1")) == "G1 G2"
    assert mayor(play(game.clone(), "at A7")) == "A7 B7"
    expert = scene("", "", phase="select", boards="base-expert")
    assert spaces(expert).isdisjoint({"D1", "A4", "G4", "D7", "G7"})
    assert mayor(play(expert, "at C1")) == "C1 C2"


@pytest.mark.parametrize("thing", ["+", "*", "Z", "s"])
def test_P1_1_both_spaces_are_empty(thing: str) -> None:
    """P1.1, T8: the street C3 C4 C5 has something in the middle."""
    rows = ISLANDS.strip("\n").splitlines()
    rows[3] = rows[3].replace(".  P1", f".:{thing} P1")
    game = scene("\n".join(rows), "", phase="select")
    assert mayor(game) == "C1 D1"  # the only one left


def test_P1_1_without_a_street_he_stands_aside() -> None:
    game = scene(NO_STREET, "", phase="select")
    assert (game.ask, game.seat, mayor(game)) == (Ask.CARD, 0, "")


def test_P1_1_in_solo_the_street_is_random() -> None:
    streets = [mayor(scene(ISLANDS, phase="select", seed=seed)) for seed in range(60)]
    assert {street: streets.count(street) > 8 for street in streets} == {
        "C1 D1": True,
        "C3 C4": True,
        "C4 C5": True,
    }
    assert mayor(scene(NO_STREET, phase="select")) == ""


def test_P1_1_the_host_cannot_build_on_his_street_in_phase_2() -> None:
    game = scene("", "", phase="select", money={0: 4, 1: 4})
    play(game, "at D4", "way 1", "card opponent", "card mediator")
    assert (game.phase, game.seat) == (Phase.BUILD, 0)
    assert {"C4", "F4", "D3", "D5"} <= starts(game, "build park-1")
    assert not starts(game, "build park-1") & {"D4", "E4"}
    play(game, "no")
    assert {"D4", "E4"} <= starts(game, "build park-1")  # the other player can


def test_P1_1_nor_extend_a_tile_onto_it() -> None:
    game = scene(". .:M .:M\n. P1", "", money=2)
    play(game, "upgrade park-2")
    assert spaces(game) == {"A2", "B2"}
    down = scene(". .:M .:M\nP1 P1 P1\n", "", money=2)
    assert "B2" in starts(down, "upgrade park-2")
    assert "B1" not in starts(down, "upgrade park-2")


def test_P1_1_nor_in_phase_7() -> None:
    game = in_council(1, ". .:M .:M", "")
    assert not starts(game, "build park-1") & {"B1", "C1"}
    assert "A1" in starts(game, "build park-1")


def test_P1_1_he_leaves_in_phase_8() -> None:
    game = scene("", "", phase="select", money={0: 2, 1: 2})
    play(game, "at D4", "way 1")
    idle_to(game, "council")
    assert mayor(game) == "D4 E4"
    idle_to(game, "select", round=2)
    assert mayor(game) == ""
    assert (game.ask, game.state.host) == (Ask.STREET, 1)


# -- P1.2


def test_P1_2_everybody_takes_one_of_the_cards_left_in_turn_order() -> None:
    game = scene("", "", "", "", phase="select", host=1)
    play(game, "at A1", "way 1")
    taken: set[str] = set()
    for seat, card in [(1, "architect"), (2, "opponent"), (3, "engineer"), (0, "mediator")]:
        assert (game.ask, game.seat) == (Ask.CARD, seat)
        assert offered(game) == CARDS - taken
        play(game, f"card {card}")
        taken.add(f"card {card}")
        assert game.state.borough[seat].card > 0
    assert game.phase is Phase.BUILD


def test_P1_2_an_eliminated_player_takes_none() -> None:
    game = scene("", "", "", phase="select", round=5, out={1: 4})
    play(game, "at A1", "way 1", "card opponent")
    assert (game.ask, game.seat) == (Ask.CARD, 2)


def test_P1_2_a_card_is_for_one_round_and_comes_back() -> None:
    game = scene("", "", phase="select", money={0: 2, 1: 2})
    play(game, "at A1", "way 1", "card architect", "card opponent")
    idle(game, lambda g: g.round == 2 and g.ask is Ask.CARD)
    assert offered(game) == CARDS
    assert [int(b.card) for b in game.state.borough[:2]] == [0, 0]


# -- P1.4


def test_P1_4_a_card_is_legal_even_where_it_does_nothing() -> None:
    """P1.4: no money, no votes, the zone cannot grow, no factories, nothing to be built."""
    game = scene("", "", phase="select", seat=0, size=10)
    assert offered(game) == CARDS
    assert play(game.clone(), "card planner").state.borough[0].zone_side == 10
    councilor = play(game, "card councilor")
    assert not councilor.state.borough[0].council.any()
    assert (councilor.ask, councilor.seat) == (Ask.CARD, 1)


def test_P1_4_taking_no_card_is_not_allowed() -> None:
    assert "no" not in offered(scene("", "", phase="select", seat=0))


def test_P1_4_card_A_too_unless_the_mayor_variant_says_otherwise() -> None:
    """P1.4, M3: a full City Hall matters only with the Mayor variant."""
    full = "Hl:0 Hl:0\nHl:0 Hl:w"
    assert "card mayor" in offered(scene(full, "", phase="select", seat=0))
    assert "card mayor" not in offered(scene(full, "", phase="select", seat=0, modules=["mayor"]))
    assert_picture(scene(full, "", phase="select", seat=0), 0, full)
