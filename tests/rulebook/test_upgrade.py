"""P2.4: upgrades; C3: what happens to the old tile; RU4: touching tiles stay two."""

import pytest

from smallcity_env import Game
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import NAMES
from tests.rulebook.laying import build_somewhere, layouts
from tests.rulebook.places import in_council
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene

KIND = {name: kind for kind, name in NAMES.items()}
MANY_PUBLIC = """
    .  .  .  .  .  .  .
    .  Li Li Sc Me Me .
    .  Po {} {} {} Cl .
    .  Po {} {} {} Cl .
    .  .  .  .  .  Cl .
    """


def upgrading(picture: str, money: int = 20, **given: object) -> Game:
    """Seat 0 in Phase 2; seat 1 waits with some money."""
    return scene(picture, "", money={0: money, 1: 2}, **given)  # type: ignore[arg-type]


def upgrades(game: Game) -> set[str]:
    """The upgrades offered, as the tile they lead to."""
    return {name.removeprefix("upgrade ") for name in offered(game) if name.startswith("upgrade ")}


def homes(*words: str) -> str:
    """A court among five public buildings, with these residences in it."""
    return MANY_PUBLIC.format(*words, *["."] * (6 - len(words)))


# -- which tiles


def test_P2_4_the_four_families_are_upgraded_to_any_higher_level() -> None:
    assert upgrades(upgrading(homes("R1"))) == {f"residential-{level}" for level in (2, 3, 4, 5)}
    assert upgrades(upgrading(homes("R2", "R2"))) == {f"residential-{level}" for level in (3, 4, 5)}
    shops = "R1 R1 R1 R1 R1\n. C1 . . .\n. . . . .\n. . . . ."
    assert upgrades(upgrading(shops)) == {f"commercial-{level}" for level in (2, 3, 4)}
    assert upgrades(upgrading(shops.replace("C1", "C3").replace("C3 . .", "C3 C3 C3"))) == {"commercial-4"}
    works = "Ha Ha Re .\nHa Ha F1 .\n. . . ."
    assert upgrades(upgrading(works)) == {"factory-2", "factory-3"}
    assert upgrades(upgrading("P1")) == {"park-2", "park-3"}


@pytest.mark.parametrize(
    "picture",
    ["R5 R5 R5\nR5 R5", "C4 C4 C4 C4", "F3 F3 F3", "P3 P3\nP3", "Wa Wa", "Re", "Ha Ha\nHa Ha", "Sc", "Li Li"],
)
def test_P2_4_the_highest_level_and_other_tiles_are_not_upgraded(picture: str) -> None:
    game = upgrading(picture)
    assert "build park-1" in offered(game)
    assert upgrades(game) == set()


def test_P2_4_within_the_family_only() -> None:
    """P2.4: a shop and a park beside each other, each grows for itself."""
    game = upgrading("C1 . R1\nR1 . .")
    assert layouts(game, "upgrade commercial-2") == {"A1 B1"}
    assert "park-2" not in upgrades(game)


# -- where


def test_P2_4_it_covers_every_space_of_the_old_tile() -> None:
    park = upgrading(". . .\n. P1 .\n. . .")
    assert layouts(park, "upgrade park-2") == {"B1 B2", "A2 B2", "B2 C2", "B2 B3"}
    lying = upgrading("P1 P1 P1 P1\n. P2 P2 .\nP1 P1 P1 P1".replace("P1", "C1"))
    assert layouts(lying, "upgrade park-3") == set()
    bent = upgrading("C1 . C1 C1\n. P2 P2 .\nC1 C1 . C1")
    assert layouts(bent, "upgrade park-3") == {"B1 B2 C2", "B2 C2 C3"}


def test_P2_4_a_line_grows_at_both_ends() -> None:
    shops = upgrading("R1 R1 R1 R1 R1\n. C2 C2 . .\n. . . . .")
    assert layouts(shops, "upgrade commercial-3") == {"A2 B2 C2", "B2 C2 D2"}
    works = upgrading("Ha Ha . . P1\nHa Ha Re . P1\nP1 P1 F2 . P1\nP1 P1 F2 P1\nP1 P1 . P1")
    assert layouts(works, "upgrade factory-3") == {"C3 C4 C5"}


def test_P2_4_from_a_corner_to_every_shape_that_holds_it() -> None:
    """P2.4: the level 3 becomes a square, or one of the two longer corners."""
    game = upgrading(homes("R3", "R3", ".", "R3", ".", "."))
    assert layouts(game, "upgrade residential-4") == {
        "C3 D3 C4 D4",
        "C3 D3 E3 C4",
        "C3 D3 C4 C5",
    }


def test_P2_4_the_first_space_may_be_a_new_one() -> None:
    game = play(upgrading("P1 . .\n. . P1\nP1"), "upgrade park-2", "at C1")
    assert_picture(game, 0, "P1 . P2:'\n. . P2\nP1")


@pytest.mark.parametrize("thing", ["+", "*", "Z", "M", "s"])
def test_P2_4_the_added_spaces_are_empty(thing: str) -> None:
    game = upgrading(f"P1 .:{thing}\n. R1")
    assert layouts(game, "upgrade park-2") == {"A1 A2"}


def test_P2_4_the_added_spaces_are_in_the_zone() -> None:
    corner = upgrading("\n".join(["."] * 6 + [". . . . . . P1"]))
    assert layouts(corner, "upgrade park-2") == {"G6 G7", "F7 G7"}
    waste = upgrading(". . P1 x . .", boards="base-expert")
    assert layouts(waste, "upgrade park-2") == {"B1 C1", "C1 C2"}


def test_P2_4_it_covers_one_old_tile_only() -> None:
    """P2.4, RU4: two level-1 parks side by side do not become one level 2."""
    game = upgrading("P1 P1 .")
    assert layouts(game, "upgrade park-2") == {"A1 A2", "B1 C1", "B1 B2"}
    full = upgrading("P1 P1 C1\nC1 C1 C1")
    assert "build park-1" in offered(full)
    assert upgrades(full) == set()


@pytest.mark.parametrize("thing", ["*", "Z"])
def test_P2_4_a_contaminated_tile_is_not_upgraded(thing: str) -> None:
    assert upgrades(upgrading("P2 P2:" + thing)) == set()
    other = upgrading(f"P2a P2a:{thing} . .\n. . . .\n. P2b P2b .")
    assert layouts(other, "upgrade park-3") == {"B3 C3 B4", "B3 C3 C4", "B2 B3 C3", "C2 B3 C3"}


def test_P2_4_nobody_minds_who_is_on_it() -> None:
    """P2.4: people on the tile stay where they stand, guests too, worked or not."""
    game = upgrading("R1 C2:0! C2:1 .\nR1 R1 R1 .", 4)
    play(game, "upgrade commercial-3")
    assert_picture(game, 0, "R1 C3:0!' C3:1 C3\nR1 R1 R1 .")


# -- prices


@pytest.mark.parametrize(
    ("picture", "what", "price"),
    [
        (homes("R1"), "residential-2", 1),
        (homes("R1"), "residential-3", 2),
        (homes("R1"), "residential-5", 4),
        (homes("R2", "R2"), "residential-4", 2),
        (homes("R3", "R3", ".", "R3"), "residential-5", 2),
        ("R1 R1 R1 R1\n. C1 . .\n. . . .", "commercial-2", 2),
        ("R1 R1 R1 R1\n. C1 . .\n. . . .", "commercial-4", 6),
        ("R1 R1 R1 R1\nC3 C3 C3 .\n. . . .", "commercial-4", 2),
        ("Ha Ha Re .\nHa Ha F1 .\n. . . .", "factory-2", 1),
        ("Ha Ha Re .\nHa Ha F1 .\n. . . .", "factory-3", 2),
        ("P1", "park-2", 2),
        ("P1", "park-3", 4),
        ("P2 P2", "park-3", 2),
    ],
)
def test_P2_4_the_price_is_for_the_added_spaces(picture: str, what: str, price: int) -> None:
    game = upgrading(picture, price)
    assert what in upgrades(game)
    assert build_somewhere(game, f"upgrade {what}").state.borough[0].money == 0
    poor = upgrading(picture, price - 1)
    assert poor.seat == 1 or what not in upgrades(poor)


def test_P2_4_which_old_tile_he_can_pay_for() -> None:
    """P2.4: $2 turn the level 2 into a level 3, but not the level 1."""
    game = upgrading("P1 . . .\n. . . .\n. . P2 P2", 2)
    assert all("C3 D3" in layout for layout in layouts(game, "upgrade park-3"))
    assert len(layouts(game, "upgrade park-3")) == 4


# -- criteria


def test_P2_4_the_criteria_are_those_of_the_new_level() -> None:
    """P2.4: the whole new tile counts; the old one stood beside one public building only."""
    game = upgrading("Hl Hl R1 . Sc\nHl Hl C1 C1 C1\nC1 C1 C1", 20)
    assert layouts(game, "upgrade residential-2") == {"C1 D1"}
    assert upgrades(upgrading("Hl Hl R1 .\nHl Hl . .")) == set()


def test_P2_4_it_may_come_near_no_factory() -> None:
    game = upgrading("Sc R1 . . .\nPo . . . F1\nPo . . . .")
    assert layouts(game, "upgrade residential-2") == {"B1 C1", "B1 B2"}
    near = upgrading("Sc R1 . . F1\nPo . . . .\nPo")
    assert layouts(near, "upgrade residential-2") == {"B1 C1", "B1 B2"}
    nearer = upgrading("Sc R1 . F1 .\nPo . . . .\nPo")
    assert layouts(nearer, "upgrade residential-2") == {"B1 B2"}


def test_P2_4_not_even_with_the_old_spaces() -> None:
    """P2.4, P2.5, P2.8: drawn though play does not lead there: a factory beside the old space only."""
    assert layouts(upgrading("P1 R1 . Sc\nP1 P1 Po Po"), "upgrade residential-2") == {"B1 C1"}
    assert "residential-2" not in upgrades(upgrading("P1 R1 . Sc\nF1 P1 Po Po"))
    assert layouts(upgrading("C1 F1 . Re\nC1 C1 C1 C1"), "upgrade factory-2") == {"B1 C1"}
    assert "factory-2" not in upgrades(upgrading("C1 F1 . Re\nR1 C1 C1 C1"))


def test_P2_4_a_factory_comes_near_no_residence() -> None:
    game = upgrading(". F1 Re\n. . .\n. . .\nR1")
    assert layouts(game, "upgrade factory-2") == {"A1 B1", "B1 B2"}
    near = upgrading(". F1 Re\n. . .\nR1 . .")
    assert layouts(near, "upgrade factory-2") == {"A1 B1"}


def test_P2_4_factories_need_refinery_and_harbor_when_upgraded() -> None:
    assert upgrades(upgrading("F1 . .")) == set()
    assert upgrades(upgrading("F1 . Re")) == {"factory-2"}
    assert upgrades(upgrading("F1 Re .\n. . .\n. Ha Ha\n. Ha Ha")) == {"factory-2", "factory-3"}
    far = upgrading("F1 . Re\nC1 C1 C1\nHa Ha\nHa Ha")
    assert upgrades(far) == {"factory-2"}


def test_P2_4_shops_need_residences_when_upgraded() -> None:
    assert upgrades(upgrading("C1 . R1")) == set()
    assert upgrades(upgrading("C1 . . .\nR1 R1 R1")) == {"commercial-2", "commercial-3"}


# -- the old tile


def test_C3_the_covered_tile_goes_back_to_the_supply() -> None:
    game = upgrading("P1", supply={"park-1": 0, "park-3": 1})
    assert "build park-1" not in offered(game)
    play(game, "upgrade park-3", "way 1")
    assert game.state.supply[KIND["park-1"]] == 1
    assert game.state.supply[KIND["park-3"]] == 0
    assert "build park-1" in offered(game)


def test_P2_1_a_tile_given_back_behind_a_screen_is_not_seen_by_the_next_seat() -> None:
    """The only level-1 park comes back from seat 0's upgrade: seat 1 cannot take it in this phase."""
    game = scene("P1", "", money={0: 9, 1: 9}, supply={"park-1": 0, "park-3": 1})
    play(game, "upgrade park-3", "way 1")
    assert "build park-1" in offered(game)
    play(game, "no")
    assert (game.seat, int(game.state.supply[KIND["park-1"]])) == (1, 1)
    assert "build park-1" not in offered(game) and "build park-2" in offered(game)


def test_C3_without_the_new_tile_there_is_no_upgrade() -> None:
    assert upgrades(upgrading("P1", supply={"park-2": 0})) == {"park-3"}
    assert upgrades(upgrading("P1", supply={"park-2": 1})) == {"park-2", "park-3"}


def test_C3_a_printed_tile_goes_back_to_no_supply() -> None:
    """C3: Seoul's four shops are printed: not taken from the supply, not given back."""
    seoul = ". . . . . . . . # #\n. C1 . . . . C1 . # #\n" + ". . . . . . . . # #\n" * 4
    seoul = seoul.replace(". . . . . . . . # #", "R1 . R1 . . . . . # #", 1) + ". C1 . . . . C1 . # #"
    game = scene(seoul, "", boards=("seoul", "base-easy"), money=9)
    before = int(game.state.supply[KIND["commercial-1"]])
    assert before == 16
    build_somewhere(game, "upgrade commercial-2")
    assert game.state.supply[KIND["commercial-1"]] == before


def test_P2_4_an_upgrade_brings_no_citizen_no_warehouse_and_no_votes() -> None:
    game = play(upgrading("Hl:0 Hl F1 .\nHl Hl . Re"), "upgrade factory-2")
    play(game, *["way 1"] * (game.ask is Ask.WAY))
    assert game.ask is Ask.WHAT
    assert game.state.borough[0].votes == 0
    assert game.state.borough[0].built[KIND["warehouse"]] == 0


def test_P2_4_in_phase_7_it_is_free_and_counts_all_spaces() -> None:
    """P2.4, P7.5: column 2 makes a level 2 of a level 1, but no level 3 of a level 2."""
    game = in_council(2, "P1 . . P2 P2", "")
    assert upgrades(game) == {"park-2"}
    play(game, "upgrade park-2", "way 1")
    assert_picture(idle_to(game, "visit"), 0, "P2a P2a . P2b P2b")


# -- RU4


def test_RU4_touching_tiles_of_a_family_stay_two() -> None:
    """RU4: two level-1 residences are two residences for a shop, and vote as level 1."""
    game = scene("R1 R1\n. .", "", money={0: 4, 1: 2})
    assert "A2 B2" in layouts(game, "build commercial-2")
    voting = scene("R1:0! R1:0!", "", phase="vote", money=1)
    assert voting.state.borough[0].votes == 2


def test_RU4_so_do_tiles_built_side_by_side() -> None:
    game = play(scene("P1", "", money={0: 4, 1: 2}), "build park-1", "at B1")
    assert_picture(game, 0, "P1 P1:'")
    assert game.state.borough[0].built[KIND["park-1"]] == 2
    assert game.state.borough[0].built[KIND["park-2"]] == 0


@pytest.mark.parametrize("parks", ["P3 P3\nP3", "P1 P1 P1", "P1 . P1\n. P1", "P2 P2 P1"])
def test_RU4_parks_count_in_spaces_never_in_groups(parks: str) -> None:
    """RU4, P6.1: four people and three park spaces, together or apart."""
    game = scene(parks + "\n\nR4:0 R4:0\nR4:0 R4:0", "", phase="pollution", money=1)
    assert game.state.borough[0].pollution == 1
