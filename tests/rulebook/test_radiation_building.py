"""Building beside, under and against radiation: what a contaminated building is good for (T4, G10, P2.4)."""

from typing import Any

import pytest

from smallcity_env import Game
from tests.rulebook.walks import spaces_with
from tests.rulebook.words import idle_to, offered, play, spaces, with_things
from tests.scene import assert_picture, scene

BAD = [pytest.param("*", id="marker"), pytest.param("Z", id="godzilla")]
STATES = [
    pytest.param("", True, id="clean"),
    pytest.param(":*", False, id="marker"),
    pytest.param(":Z", False, id="godzilla"),
]


def town(drawn: str, **given: Any) -> Game:
    """A position of a game with godzillas; a second player looks on."""
    return scene(drawn, "", modules=["godzillas", *given.pop("modules", ())], **given)


def building(drawn: str, **given: Any) -> Game:
    """Seat 0 builds and has plenty of money."""
    return town(drawn, **{"phase": "build", "money": 20, **given})


# -- T4: a contaminated building helps to meet no criterion


def beside_museum(corner: str) -> str:
    """A residence influenced by City Hall and a Museum, whose far corner may be contaminated."""
    return f"Hl Hl . Mu Mu{corner}\nHl Hl R1 Mu .\n. . . . ."


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_museum_does_not_count_for_a_residence(state: str, counts: bool) -> None:
    """P2.5: a level-2 residence asks for two public buildings, new or as an upgrade."""
    may = offered(building(beside_museum(state)))
    assert ("upgrade residential-2" in may) == counts
    assert ("build residential-2" in may) == counts
    assert "build residential-1" in may


def test_T4_G11_the_museum_counts_again_once_cleaned() -> None:
    game = town(beside_museum(":*"), phase="select", seat=0, money=20)
    play(game, "card engineer", "clean")
    idle_to(game, "build")
    assert {"upgrade residential-2", "build residential-2"} <= offered(game)


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_city_hall_does_not_count_for_a_residence(state: str, counts: bool) -> None:
    game = building(f"Hl Hl\nHl Hl{state}")
    assert ("build residential-1" in offered(game)) == counts


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_residence_does_not_count_for_a_shop(state: str, counts: bool) -> None:
    """P2.7: two residences for a level-2 shop; the clean one still makes a level-1 shop possible."""
    may = offered(building(f"R1 . R2 R2{state}"))
    assert ("build commercial-2" in may) == counts
    assert "build commercial-1" in may


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_refinery_does_not_count_for_a_factory(state: str, counts: bool) -> None:
    may = offered(building(f". . .\n. F1 Re{state}"))
    assert ("upgrade factory-2" in may) == counts
    assert "build factory-1" in may


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_harbor_does_not_count_for_a_factory(state: str, counts: bool) -> None:
    may = offered(building(f"Ha{state} Ha . . .\nHa Ha F2 F2 .\n. . Re . ."))
    assert ("upgrade factory-3" in may) == counts
    assert ("build factory-3" in may) == counts
    assert "build factory-2" in may


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_factory_does_not_count_for_warehouse_and_refinery(
    state: str, counts: bool
) -> None:
    """P2.10. Not even by its usable space."""
    may = offered(building(f". . . .\n. F2 F2{state} ."))
    assert ("build warehouse" in may) == counts
    assert ("build refinery" in may) == counts


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_nor_for_an_airport(state: str, counts: bool) -> None:
    """NB1."""
    site = f"F2 F2{state} . . . . .\nHl:w Hl:s . . . . .\nHl:m Hl"
    may = offered(building(site, votes=5, modules=["new_buildings"]))
    assert ("build airport-9" in may) == counts


@pytest.mark.parametrize(("state", "counts"), STATES)
def test_T4_a_contaminated_city_hall_does_not_count_for_a_bank(state: str, counts: bool) -> None:
    """NB2."""
    may = offered(building(f"Hl Hl{state}\nHl Hl", modules=["new_buildings"]))
    assert ("build bank" in may) == counts


@pytest.mark.parametrize("where", ["", "A1", "A3", "B3", "D4"])
def test_T4_nor_any_of_those_around_big_ben(where: str) -> None:
    """RB1: 5 park spaces, a residence, a shop and City Hall around B2; all clean, or one of them not."""
    site = "P3 P3 P2\nP3 . P2\nR1 C1 Hl:w Hl:s\n. . Hl:m Hl"
    drawn = with_things(site, **{where: "*"}) if where else site
    game = building(drawn, modules=["real_buildings"])
    assert ("build big-ben" in offered(game)) == (where == "")


# -- T4: but it still counts where nothing of its kind may be near


@pytest.mark.parametrize("bad", BAD)
def test_T4_a_contaminated_factory_still_keeps_residences_away(bad: str) -> None:
    game = play(building(f"Hl Hl . F1:{bad}\nHl Hl . ."), "build residential-1")
    assert spaces(game) == {"A3", "B3", "C3"}


@pytest.mark.parametrize("bad", BAD)
def test_T4_a_contaminated_residence_still_keeps_factories_away(bad: str) -> None:
    game = play(building(f"R1:{bad} . . .\n. . . ."), "build factory-1")
    assert not spaces(game) & {"B1", "A2", "B2"}
    assert {"C1", "C2", "A3"} <= spaces(game)


def test_T4_losing_a_criterion_later_changes_nothing() -> None:
    """The residence keeps its level and votes for it; nothing is taken back."""
    game = town("Hl:* Hl\nHl Hl\nR2:0! R2\nMu:* Mu\nMu", phase="vote", money=2)
    assert_picture(game, 0, "Hl:* Hl\nHl Hl\nR2:0! R2\nMu:* Mu\nMu")
    assert game.state.borough[0].votes == 2


# -- P2.4, G10: no upgrade of what is contaminated, nothing over a marker


@pytest.mark.parametrize(("state", "may_grow"), STATES)
def test_P2_4_a_contaminated_tile_is_not_upgraded(state: str, may_grow: bool) -> None:
    game = building(f". . . .\n. P2 P2{state} .")
    assert ("upgrade park-3" in offered(game)) == may_grow
    assert "build park-3" in offered(game)


@pytest.mark.parametrize(("state", "may_grow"), STATES)
def test_P2_4_not_by_the_council_either(state: str, may_grow: bool) -> None:
    game = town(f"P1{state}", phase="council", money=2, council={"construction": 1})
    assert ("upgrade park-2" in offered(play(game, "row construction"))) == may_grow


@pytest.mark.parametrize("bad", BAD)
def test_G10_no_upgrade_over_a_marker(bad: str) -> None:
    """The park in the corner can grow only where nothing is in the way."""
    game = play(building(f"P1 .:{bad}\n. ."), "upgrade park-2")
    assert_picture(game, 0, f"P2:' .:{bad}\nP2 .")
    boxed_in = building(f"P1 .:{bad}\n.:{bad} .")
    assert not {"upgrade park-2", "upgrade park-3"} & offered(boxed_in)


@pytest.mark.parametrize("bad", BAD)
def test_G10_no_tile_over_a_marker(bad: str) -> None:
    game = play(building(f". .:{bad} .", size=7), "build park-1")
    assert "B1" not in spaces(game)
    assert {"A1", "C1", "B2"} <= spaces(game)


@pytest.mark.parametrize("bad", BAD)
def test_G10_nor_the_warehouse_that_comes_along(bad: str) -> None:
    """P2.9: it would have to lie on a marker, so none comes; the park keeps the build open."""
    game = building(f". .:{bad} .\n.:{bad} .:{bad} P1\n. P1 P1", size=3)
    play(game, "build factory-1", "at A1")
    assert_picture(game, 0, f"F1:' .:{bad} .\n.:{bad} .:{bad} P1\n. P1 P1")
    assert game.ask.name == "WHAT"


def test_G10_nor_a_street_for_the_mayor() -> None:
    """P1.1: between two empty spaces, so only between C1 and C2 here, and nobody need be asked."""
    game = town(". .:* .\nP1 P1 .\nP1 P1 P1", phase="select", size=3)
    assert spaces_with(game, "mayor") == "C1 C2"


def test_G10_once_cleaned_it_is_built_on() -> None:
    game = town(". .:* .", phase="select", seat=0, money=4)
    play(game, "card engineer", "clean")
    idle_to(game, "build")
    assert "B1" in spaces(play(game, "build park-1"))


# -- G10: cemeteries


def test_G10_no_cemetery_on_a_marker() -> None:
    """P6.4: one death, one empty space left in a tiny zone."""
    game = town("R1:0 .:*\n.:* .", phase="pollution", pollution=24, money=1, size=2)
    assert_picture(game, 0, "R1 .:*\n.:* .:+")


def test_G10_with_markers_everywhere_there_is_no_grave() -> None:
    game = town("R1:0 .:*\n.:* .:*", phase="pollution", pollution=24, money=1, size=2)
    assert spaces_with(game, "cemetery") == ""
    assert game.state.reserve[0] == 7


def test_G10_a_cemetery_does_not_grow_into_radiation() -> None:
    """All spaces next to it are marked, so the grave is anywhere else."""
    game = town("R1:0 .:* .\n.:* .:+ .:*\n. .:* .", phase="pollution", pollution=24, money=1, size=3)
    assert spaces(game) == {"C1", "A3", "C3"}


# -- G10: the rest of the borough


def test_G10_marked_spaces_stay_in_the_zone() -> None:
    game = town("F2 F2 . . . . .", phase="pollution", die=5, money=1)
    before = spaces_with(game, "zone")
    play(game, "at B1", "east")
    assert spaces_with(game, "markers") == "C1 D1 E1"
    assert spaces_with(game, "zone") == before


def test_G10_radiation_makes_no_pollution() -> None:
    game = town(".:* R1:0 .:*\n.:* C1:* .:*", phase="pollution", money=1)
    assert game.state.borough[0].pollution_made == 1


def test_G10_radiation_does_not_influence_its_neighbours() -> None:
    """A residence may be built, and lived in, right beside it."""
    game = play(building("Hl:0 Hl .:*\nHl Hl .\n.:* . .:*"), "build residential-1")
    assert "C2" in spaces(game)
    play(game, "at C2")
    assert_picture(game, 0, "Hl Hl .:*\nHl Hl R1:0!'\n.:* . .:*")
