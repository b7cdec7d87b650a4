"""Phase 4: what factories make and where it is stored (P4.3, P4.4), two at once (RU2)."""

import pytest

from smallcity_env.rules.tables import Ask, Phase
from tests.rulebook.words import offered, play
from tests.scene import assert_picture, scene

BOTH = {"store warehouse", "store city-hall"}

# -- P4.3: what is made
# A vote to spend stops these scenes in Phase 7, before the workers are forgotten.


@pytest.mark.parametrize(
    ("factory", "made"),
    [
        ("F1:0! .  .", "w"),
        ("F2 F2:0! .", "s"),
        ("F3 F3 F3:0!", "m"),
        ("F3:0! F3 F3", "w"),
    ],
)
def test_P4_3_each_makes_the_material_of_his_space(factory: str, made: str) -> None:
    game = scene(f"Hl Hl {factory}\nHl Hl . . .", phase="income", votes=1)
    assert_picture(game, 0, f"Hl:{made} Hl {factory}\nHl Hl . . .")


def test_P4_3_a_whole_factory_makes_all_three() -> None:
    game = scene("Hl Hl F3:0!\nHl Hl F3:0!\n. . F3:0!", phase="income", votes=1)
    assert_picture(game, 0, "Hl:w Hl:s F3:0!\nHl:m Hl F3:0!\n. . F3:0!")


def test_P4_3_who_did_not_work_makes_nothing() -> None:
    drawn = "Hl Hl F3:0 F3:0! F3\nHl Hl . . ."
    game = scene(drawn, phase="income", votes=1)
    assert_picture(game, 0, "Hl:s Hl F3:0 F3:0! F3\nHl Hl . . .")


# -- P4.3: where it goes


def test_P4_3_the_player_chooses_between_warehouse_and_city_hall() -> None:
    drawn = "Hl Hl F1:0!\nHl Hl .\nWa Wa ."
    game = scene(drawn, phase="income", votes=1)
    assert (game.ask, offered(game)) == (Ask.STORE, BOTH)  # and cannot refuse it
    other = game.clone()
    play(game, "store warehouse")
    assert_picture(game, 0, "Hl Hl F1:0!\nHl Hl .\nWa:w Wa .")
    play(other, "store city-hall")
    assert_picture(other, 0, "Hl:w Hl F1:0!\nHl Hl .\nWa Wa .")


@pytest.mark.parametrize(
    ("drawn", "after"),
    [
        ("Hl:0 Hl:s F1:0!\nHl:m Hl:0 .\nWa:s Wa .", "Hl:0 Hl:s F1:0!\nHl:m Hl:0 .\nWa:s Wa:w ."),
        ("Hl:0 Hl:0 F1:0!\nHl:0 Hl . .\nWa:s Wa:s .", "Hl:0 Hl:0 F1:0!\nHl:0 Hl:w . .\nWa:s Wa:s ."),
        ("Hl Hl:* F1:0!\nHl:* Hl:* .\nWa:* Wa:* .", "Hl:w Hl:* F1:0!\nHl:* Hl:* .\nWa:* Wa:* ."),
        ("Hl:* Hl:* F1:0!\nHl:* Hl:* .\nWa:* Wa .", "Hl:* Hl:* F1:0!\nHl:* Hl:* .\nWa:* Wa:w ."),
    ],
)
def test_P4_3_not_asked_where_only_one_of_them_has_room(drawn: str, after: str) -> None:
    game = scene(drawn, phase="income", votes=1, modules=["godzillas"])
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 0, after)


def test_P4_3_city_hall_has_four_spaces_for_citizens_and_materials() -> None:
    game = scene("Hl:0 Hl F3:0! F3:0! F3:0!\nHl:0 Hl .", phase="income", votes=1)
    assert (game.ask, offered(game)) == (Ask.PRODUCT, {"wood", "stone", "metal"})
    play(game, "metal", "wood")
    assert_picture(game, 0, "Hl:0 Hl:m F3:0! F3:0! F3:0!\nHl:0 Hl:w .")


def test_P4_3_the_order_is_asked_only_when_not_all_fits() -> None:
    fits = scene("Hl:0 Hl F2:0! F2:0!\nHl:0 Hl . .", phase="income", votes=1)
    assert fits.phase == Phase.COUNCIL
    assert_picture(fits, 0, "Hl:0 Hl:w F2:0! F2:0!\nHl:0 Hl:s . .")
    tight = scene("Hl:0 Hl F2:0! F2:0!\nHl:0 Hl:0 . .", phase="income", votes=1)
    assert (tight.ask, offered(tight)) == (Ask.PRODUCT, {"wood", "stone"})
    play(tight, "stone")
    assert_picture(tight, 0, "Hl:0 Hl:s F2:0! F2:0!\nHl:0 Hl:0 . .")


def test_P4_3_two_of_a_kind_need_no_order() -> None:
    game = scene("Hl:0 Hl F1:0! F1:0!\nHl:0 Hl:0 . .", phase="income", votes=1)
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 0, "Hl:0 Hl:w F1:0! F1:0!\nHl:0 Hl:0 . .")


@pytest.mark.parametrize("smoke", [1, 2])
def test_P4_3_what_finds_no_room_is_lost_and_pollutes_all_the_same(smoke: int) -> None:
    """Nothing is rearranged or thrown away for it."""
    factory = "F2 F2:0!" if smoke == 1 else "F2:0! F2:0!"
    drawn = f"Hl:0 Hl:w {factory}\nHl:0 Hl:0 Wa:w Wa:w"
    game = scene(drawn, phase="income", votes=1)
    assert_picture(game, 0, drawn)
    assert game.state.borough[0].pollution == smoke + smoke  # as many people, as much smoke


def test_P4_3_with_room_for_two_of_three_and_a_choice_of_places() -> None:
    game = scene("Hl:0 Hl F3:0! F3:0! F3:0!\nHl:0 Hl:0 Wa Wa:m .", phase="income", votes=1)
    play(game, "stone")
    assert (game.ask, offered(game)) == (Ask.STORE, BOTH)
    play(game, "store warehouse")
    assert (game.ask, offered(game)) == (Ask.PRODUCT, {"wood", "metal"})
    play(game, "wood")
    assert_picture(game, 0, "Hl:0 Hl:w F3:0! F3:0! F3:0!\nHl:0 Hl:0 Wa:s Wa:m .")


def test_P4_3_nothing_of_it_when_nobody_can_store() -> None:
    game = scene("F1:0!", phase="income", votes=1)
    assert game.phase == Phase.COUNCIL


# -- P4.4


def test_P4_4_a_tourists_product_goes_home() -> None:
    game = scene("Hl Hl Wa Wa\nHl Hl", "Hl Hl F1:0!\nHl Hl .\nWa Wa", phase="income", votes=1)
    assert (game.seat, game.ask, offered(game)) == (0, Ask.STORE, BOTH)
    play(game, "store city-hall")
    assert_picture(game, 0, "Hl:w Hl Wa Wa\nHl Hl")
    assert_picture(game, 1, "Hl Hl F1:0!\nHl Hl .\nWa Wa")


def test_P4_4_without_room_at_home_to_a_warehouse_of_the_host() -> None:
    full = "Hl:0 Hl:0\nHl:0 Hl:0"
    game = scene(full, "Hl Hl F1:0!\nHl Hl .\nWa:s Wa", phase="income", votes=1)
    assert_picture(game, 0, full)
    assert_picture(game, 1, "Hl Hl F1:0!\nHl Hl .\nWa:s Wa:w")


@pytest.mark.parametrize("warehouse", [". .", "Wa:s Wa:m", "Wa:* Wa:s"])
def test_P4_4_else_it_is_lost_even_where_the_hosts_city_hall_is_empty(warehouse: str) -> None:
    full, there = "Hl:0 Hl:0\nHl:0 Hl:0", f"Hl Hl F1:0!\nHl Hl .\n{warehouse}"
    game = scene(full, there, phase="income", votes=1, modules=["godzillas"])
    assert_picture(game, 0, full)
    assert_picture(game, 1, there)
    assert game.state.borough[1].pollution == 2  # one Tourist, one product


def test_P4_4_own_products_come_first_and_their_surplus_is_lost() -> None:
    """One place at home: the own wood takes it; the Tourist's stone stays with the host."""
    game = scene(
        "Hl:0 Hl:0 F1:0!\nHl:0 Hl",
        "Wa Wa F2 F2:0!",
        phase="income",
        votes=1,
    )
    assert_picture(game, 0, "Hl:0 Hl:0 F1:0!\nHl:0 Hl:w")
    assert_picture(game, 1, "Wa:s Wa F2 F2:0!")
    game = scene("Hl:0 Hl:0 F1:0!\nHl:0 Hl:0", "Wa Wa F2 F2:0!", phase="income", votes=1)
    assert_picture(game, 0, "Hl:0 Hl:0 F1:0!\nHl:0 Hl:0")  # the own wood went nowhere
    assert_picture(game, 1, "Wa:s Wa F2 F2:0!")


def test_P4_4_which_tourist_first_is_asked_when_not_all_fits_at_home() -> None:
    boroughs = ("Hl:0 Hl:0\nHl:0 Hl", "Wa Wa F1:0!", "", "Wa Wa F2 F2:0!")
    game = scene(*boroughs, phase="income", votes=1)
    assert (game.seat, game.ask, offered(game)) == (0, Ask.TOURIST, {"seat 1", "seat 3"})
    other = game.clone()
    play(game, "seat 1")
    assert_picture(game, 0, "Hl:0 Hl:0\nHl:0 Hl:w")
    assert_picture(game, 1, "Wa Wa F1:0!")
    assert_picture(game, 3, "Wa:s Wa F2 F2:0!")
    play(other, "seat 3")
    assert_picture(other, 0, "Hl:0 Hl:0\nHl:0 Hl:s")
    assert_picture(other, 1, "Wa:w Wa F1:0!")
    assert_picture(other, 3, "Wa Wa F2 F2:0!")


def test_P4_4_two_tourists_in_one_borough() -> None:
    game = scene("Hl:0 Hl:0 Me Me\nHl:0 Hl", "Wa:w Wa F2:0! F2:0!", phase="income", votes=1)
    assert (game.ask, offered(game)) == (Ask.PRODUCT, {"wood", "stone"})
    play(game, "stone")
    assert_picture(game, 0, "Hl:0 Hl:0 Me Me\nHl:0 Hl:s")
    assert_picture(game, 1, "Wa:w Wa:w F2:0! F2:0!")


def test_P4_4_not_asked_when_all_fits_at_home() -> None:
    boroughs = ("Hl:0 Hl:0\nHl Hl", "Wa Wa F1:0!", "", "Wa Wa F2 F2:0!")
    game = scene(*boroughs, phase="income", votes=1)
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 0, "Hl:0 Hl:0\nHl:w Hl:s")


def test_P4_4_own_products_are_asked_about_before_tourists() -> None:
    game = scene("Hl:0 Hl:0 F2:0! F2:0!\nHl:0 Hl .", "F1:0!", "", "F1:0!", phase="income", votes=1)
    assert (game.ask, offered(game)) == (Ask.PRODUCT, {"wood", "stone"})


# -- RU2: the board of Shanghai has its port at A4 B4 A5 B5 A6 B6

PORT = """
Hl:0 Hl .  .  .  .  .
Hl:0 Hl .  .  .  .  .
.    .  F1 A8 A8 A8 A8
Pt   Pt .  A8 A8 A8 A8
Pt   Pt .  .  .  .  .
Pt   Pt .  .  .  .  .
"""
SHANGHAI = ["shanghai", "base-easy"]


def test_RU2_two_of_a_kind_are_stored_one_after_the_other() -> None:
    drawn = PORT.replace("A8", " .").replace("F1", "F1:0!")
    game = scene(drawn, "", phase="income", boards=SHANGHAI, votes=1)
    assert (game.ask, offered(game)) == (Ask.STORE, BOTH)
    play(game, "store warehouse")
    assert (game.ask, offered(game)) == (Ask.STORE, BOTH)
    other = game.clone()
    play(game, "store city-hall")
    assert game.phase == Phase.COUNCIL
    assert_picture(game, 0, drawn.replace("Pt", "Pt:w", 1).replace("Hl ", "Hl:w ", 1))
    play(other, "store warehouse")
    assert_picture(other, 0, drawn.replace("Pt", "Pt:w", 2))


def test_RU2_port_and_airport_together_make_two_and_pollute_as_two() -> None:
    drawn = PORT.replace("F1", "F1:0!")
    game = scene(drawn, "", phase="income", boards=SHANGHAI, votes=1, modules=["new_buildings"])
    play(game, "store city-hall", "store city-hall")
    assert_picture(game, 0, drawn.replace("Hl ", "Hl:w "))
    assert game.state.borough[0].pollution == 1 + 2  # one citizen; with the Airport alone 1 + 1


def test_RU2_a_tourists_two_both_go_home() -> None:
    """An Airport's second would stay with the host; where the port doubles too it does not."""
    there = PORT.replace("F1", "F1:1!")
    home = "Hl:1 Hl\nHl:1 Hl"
    game = scene(there, home, phase="income", boards=SHANGHAI, votes=1, modules=["new_buildings"])
    assert_picture(game, 1, "Hl:1 Hl:w\nHl:1 Hl:w")
    assert_picture(game, 0, there)
    assert game.state.borough[0].pollution == 1 + 2


def test_RU2_where_the_port_does_not_reach_the_airports_rule_holds() -> None:
    there = """
    Hl:0 Hl .  .  .     .  .
    Hl:0 Hl .  .  F1:1! .  .
    .    .  .  A8 A8    A8 A8
    Pt   Pt .  A8 A8    A8 A8
    Pt   Pt .  .  .     .  .
    Pt   Pt .  .  .     .  .
    """
    home = "Hl:1 Hl\nHl:1 Hl"
    game = scene(there, home, phase="income", boards=SHANGHAI, votes=1, modules=["new_buildings"])
    assert_picture(game, 1, "Hl:1 Hl:w\nHl:1 Hl")
    assert_picture(game, 0, there.replace("Pt", "Pt:w", 1))
    assert game.state.borough[0].pollution == 1 + 1
