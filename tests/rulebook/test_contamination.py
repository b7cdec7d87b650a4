"""T3 and T4: what Radiation markers (*) and a godzilla (Z) stop, and what goes on."""

import pytest

from smallcity_env.rules.tables import Ask
from tests.rulebook.laying import layouts, starts
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene

UNUSABLE = pytest.mark.parametrize("thing", ["*", "Z"])

# -- T3: spaces


@UNUSABLE
@pytest.mark.parametrize("place", ["C2", "F2", "R2", "Mu", "Cl", "Un"])
def test_T3_nobody_enters_an_unusable_space_but_the_others_of_the_building(place: str, thing: str) -> None:
    rows = {"C2": "{0}:{1} {0}", "F2": "{0}:{1} {0}", "R2": "{0}:{1} {0}", "Cl": "{0}:{1} {0} {0}"}
    rows |= {"Mu": "{0}:{1} {0}\n{0}", "Un": "{0}:{1} {0}\n{0} {0}"}
    away = "C1:0" if place != "C2" else "R1:0"
    game = scene(f"{rows[place]}\n\n{away}".format(place, thing), phase="move")
    assert game.ask is Ask.MOVE
    assert "at A1" not in offered(game)
    assert "at B1" in offered(game)


@UNUSABLE
def test_T3_nobody_moves_from_city_hall_into_an_unusable_residence(thing: str) -> None:
    game = scene(f"Hl:0 Hl R1:{thing}\nHl:0 Hl R1", phase="move")
    assert game.ask is Ask.HOME
    assert offered(game) == {"at C2", "no"}


@UNUSABLE
def test_T3_an_unusable_factory_space_brings_no_newcomer(thing: str) -> None:
    game = scene(f"Hl Hl F2:{thing}\nHl Hl F2", "", phase="move", money=1)
    idle_to(game, "council")
    assert_picture(game, 0, f"Hl:0 Hl F2:{thing}\nHl Hl F2")


@UNUSABLE
def test_T3_the_other_spaces_of_a_factory_produce(thing: str) -> None:
    game = scene(f"F2:{thing} F2:0!\nHl:0 Hl\nHl Hl", "", phase="income", money=1)
    idle_to(game, "council")
    assert_picture(game, 0, f"F2:{thing} F2:0!\nHl:0 Hl:s\nHl Hl")


@UNUSABLE
def test_T3_the_other_spaces_of_a_residence_vote(thing: str) -> None:
    game = scene(f"R3:{thing} R3:0!\nR3:0!", "", phase="income", money=1)
    assert idle_to(game, "council").state.borough[0].votes == 6


@UNUSABLE
def test_T3_an_unusable_park_space_cleans_nothing(thing: str) -> None:
    """T3: three people, and two of three park spaces are left."""
    game = scene(f"P3:{thing} P3\nP3\nR3:0 R3:0\nR3:0", "", phase="income", money=1)
    assert idle_to(game, "council").state.borough[0].pollution == 1
    clean = scene("P3 P3\nP3\nR3:0 R3:0\nR3:0", "", phase="income", money=1)
    assert idle_to(clean, "council").state.borough[0].pollution == 0


@UNUSABLE
def test_T3_an_unusable_space_stores_nothing(thing: str) -> None:
    """T3: of warehouse and City Hall one space each is left; then the product is lost."""
    town = f"Wa:{thing} Wa\nHl:{thing} Hl\nHl:0 Hl:0"
    room = scene(town, "", phase="council", money=1)
    play(room, "row supplies")
    assert offered(room) == {"store warehouse", "store city-hall"}
    full = town.replace(" Wa", " Wa:m").replace(" Hl\n", " Hl:m\n")
    lost = scene(full, "", phase="council", money=1)
    assert_picture(play(lost, "row supplies"), 0, full)


@UNUSABLE
def test_T3_nobody_arrives_on_an_unusable_space_of_city_hall(thing: str) -> None:
    game = scene(f"Hl:{thing} Hl:0\nHl:0 Hl:0", "", phase="council", money=1, career=3)
    play(game, "row tourism")
    assert game.state.borough[0].career == 4


@UNUSABLE
def test_T3_a_metro_station_stops_while_any_space_of_it_is_unusable(thing: str) -> None:
    """T3: with it there are two ways across the table of four, without it only the neighbours."""
    towns = ["F1"] * 3
    works = scene("R1:0 Me Me", *towns, phase="move")
    assert {"seat 1", "seat 2", "seat 3"} <= offered(works)
    stops = scene(f"R1:0 Me Me:{thing}", *towns, phase="move")
    assert {"seat 1", "seat 3"} <= offered(stops)
    assert "seat 2" not in offered(stops)


# -- T4: a contaminated building does not help


@UNUSABLE
@pytest.mark.parametrize("space", range(4))
def test_T4_contaminated_by_any_of_its_spaces(space: int, thing: str) -> None:
    hall = ["Hl"] * 4
    hall[space] += f":{thing}"
    game = scene(". {} {} .\n. {} {} .".format(*hall), money=4)
    assert "build residential-1" not in offered(game)
    assert "build residential-1" in offered(scene(". Hl Hl .\n. Hl Hl .", money=4))


@UNUSABLE
def test_T4_a_contaminated_public_building_does_not_count_for_a_residence(thing: str) -> None:
    town = ". . . Hl Hl\nLi Li . Hl Hl"
    assert "build residential-2" in offered(scene(town, money=2))
    marked = town.replace("Li Li", f"Li:{thing} Li")
    game = scene(marked, money=2)
    assert "build residential-1" in offered(game)
    assert "build residential-2" not in offered(game)


@UNUSABLE
def test_T4_a_contaminated_residence_does_not_count_for_a_shop(thing: str) -> None:
    assert "build commercial-2" in offered(scene("R1 . .\nR2 R2", money=4))
    game = scene(f"R1 . .\nR2 R2:{thing}", money=4)
    assert "build commercial-1" in offered(game)
    assert "build commercial-2" not in offered(game)


@UNUSABLE
def test_T4_a_contaminated_refinery_or_harbor_does_not_count_for_a_factory(thing: str) -> None:
    town = ". . . Re\nHa Ha\nHa Ha"
    assert {"build factory-2", "build factory-3"} <= offered(scene(town, money=3))
    no_harbor = offered(scene(town.replace("Ha\nHa", f"Ha:{thing}\nHa"), money=3))
    assert "build factory-2" in no_harbor
    assert "build factory-3" not in no_harbor
    no_refinery = offered(scene(town.replace("Re", f"Re:{thing}"), money=3))
    assert "build factory-1" in no_refinery
    assert not {"build factory-2", "build factory-3"} & no_refinery


@UNUSABLE
@pytest.mark.parametrize("what", ["warehouse", "refinery"])
def test_T4_a_contaminated_factory_does_not_count_for_warehouse_and_refinery(what: str, thing: str) -> None:
    assert f"build {what}" in offered(scene("F2 F2", money=2))
    assert f"build {what}" not in offered(scene(f"F2 F2:{thing}", money=2))
    two = starts(scene(f"F2 F2:{thing} . . . F1", money=2), f"build {what}")
    assert "G1" in two
    assert not two & {"A2", "B2"}


@UNUSABLE
def test_T4_a_contaminated_factory_still_keeps_residences_away(thing: str) -> None:
    game = scene(f"Hl Hl . .\nHl Hl . F1:{thing}", money=1)
    assert starts(game, "build residential-1") == {"A3", "B3"}


@UNUSABLE
def test_T4_a_contaminated_residence_still_keeps_factories_away(thing: str) -> None:
    game = scene(f". . R2 R2:{thing}", money=1)
    allowed = starts(game, "build factory-1")
    assert not allowed & {"B1", "E1", "B2", "C2", "D2", "E2"}
    assert {"A1", "F1", "A2", "C3", "F2"} <= allowed


def test_T4_losing_a_criterion_later_changes_nothing() -> None:
    """T4: a shop without any clean residence, a level-3 factory without Refinery: both still work."""
    game = scene("C1:0! R1:*\n. .\nF3 F3 F3:0!\nHl:0 Hl\nHl Hl", "", phase="income", money=1)
    idle_to(game, "council")
    assert game.state.borough[0].money == 4
    assert_picture(game, 0, "C1:0! R1:*\n. .\nF3 F3 F3:0!\nHl:0 Hl:m\nHl Hl")


def test_T4_the_criteria_are_checked_again_when_upgrading() -> None:
    town = "Sc R1 . Hl Hl\n. . . Hl Hl"
    assert layouts(scene(town, money=1), "upgrade residential-2") == {"B1 C1"}
    assert "upgrade residential-2" not in offered(scene(town.replace("Sc", "Sc:*"), money=1))


def test_T4_cleaned_buildings_count_again() -> None:
    """T4: the Engineer cleans the Museum, and the residence beside it can be built."""
    town = ". . . Hl Hl\nMu:* Mu . Hl Hl\nMu"
    game = scene(town, phase="select", seat=0, modules=["godzillas"], money=3)
    assert "build residential-2" not in offered(idle_to(game.clone(), "build"))
    play(game, "card engineer", "clean")
    assert "build residential-2" in offered(game)
