"""Section 2: prices, supplies and limits of every tile, public buildings, labels, people (C1 - C6)."""

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.borough import lay, lift
from smallcity_env.rules.tables import Ask
from smallcity_env.rules.tables.tiles import NAMES, TILES
from tests.rulebook.laying import build_somewhere, stocked
from tests.rulebook.places import PRICES, Price, about_to_build, in_council, place_for
from tests.rulebook.words import idle_to, offered, play
from tests.scene import assert_picture, scene

EVERY_TILE = pytest.mark.parametrize("tile", PRICES)
KIND = {name: kind for kind, name in NAMES.items()}

# -- prices


@EVERY_TILE
def test_the_price_of_every_tile(tile: str) -> None:
    """Section 2, P2.11: with exactly the price it can be built, then nothing is left but its votes."""
    price = PRICES[tile]
    game = build_somewhere(about_to_build(tile), f"build {tile}")
    b = game.state.borough[0]
    assert (b.money, b.votes) == (0, price.gain)
    assert not b.materials.any()


def cheaper(price: Price) -> list[Price]:
    """The same purse with one thing less, in every way."""
    less = [price._replace(materials=price.materials.replace(m, "", 1)) for m in sorted(set(price.materials))]
    if price.money:
        less.append(price._replace(money=price.money - 1))
    if price.votes:
        less.append(price._replace(votes=price.votes - 1))
    return less


@EVERY_TILE
def test_with_anything_less_than_the_price_it_is_not_offered(tile: str) -> None:
    for purse in cheaper(PRICES[tile]):
        game = about_to_build(tile, purse)
        assert game.seat == 1 or f"build {tile}" not in offered(game), purse


@pytest.mark.parametrize(("level", "money"), [(1, 4), (2, 6), (3, 8)])
def test_the_price_of_power_plants(level: int, money: int) -> None:
    plant = f"build plant-{level}"
    game = scene("", "", money={0: money, 1: 4}, modules=["power_plants"])
    build = game.clone()
    play(build, plant, "at A1")
    assert build.state.borough[0].money == 0
    game = scene("", "", money={0: money - 1, 1: 4}, modules=["power_plants"])
    assert plant not in offered(game)


# -- supplies


FIXED = {
    "residential": (30, 24, 18, 12, 6),
    "commercial": (16, 12, 8, 5),
    "factory": (16, 12, 9),
    "park": (25, 18, 12),
}
PER_PLAYER = ("refinery", "harbor", "school", "library", "museum", "city-hall")
ONE_FEWER = ("metro", "clinic", "university", "police", "fire")
OTHERS = {"warehouse": 12, "airport-8": 2, "airport-9": 2, "bank": 4, "recycling": 4, "tramway": 4}
OTHERS |= {"big-ben": 1, "opera": 1}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_C3_the_supply_of_every_tile(players: int) -> None:
    game = Game(Config(players=players, modules=("new_buildings", "real_buildings")))
    supply = {name: int(game.state.supply[kind]) for name, kind in KIND.items()}
    for family, counts in FIXED.items():
        for level, count in enumerate(counts, start=1):
            assert supply[f"{family}-{level}"] == count
    assert {name: supply[name] for name in PER_PLAYER} == dict.fromkeys(PER_PLAYER, players)
    assert {name: supply[name] for name in ONE_FEWER} == dict.fromkeys(ONE_FEWER, max(players - 1, 1))
    assert {name: supply[name] for name in OTHERS} == OTHERS
    plants = Game(Config(players=players, modules=("power_plants",))).state
    in_hand = players  # PP2
    left = [int(plants.supply[KIND[f"plant-{level}"]]) + in_hand for level in (1, 2, 3)]
    assert left == [12, 8, 4]


@pytest.mark.parametrize(
    ("family", "total"), [("residential", 90), ("commercial", 41), ("factory", 37), ("park", 55)]
)
def test_C3_the_supply_of_a_family_in_all(family: str, total: int) -> None:
    supply = Game().state.supply
    assert sum(int(supply[kind]) for name, kind in KIND.items() if name.startswith(family)) == total


@EVERY_TILE
def test_C3_the_last_tile_can_be_built_and_then_no_other(tile: str) -> None:
    game = about_to_build(tile, supply={tile: 1})
    assert f"build {tile}" in offered(game)
    assert build_somewhere(game, f"build {tile}").state.supply[KIND[tile]] == 0
    assert f"build {tile}" not in offered(about_to_build(tile, supply={tile: 0}))


def test_C3_the_two_shapes_of_a_level_share_one_count() -> None:
    game = about_to_build("commercial-4", Price(20), supply={"commercial-4": 1})
    build_somewhere(game, "build commercial-4")
    assert "build commercial-1" in offered(game)
    assert "build commercial-4" not in offered(game)


def test_C3_materials_are_not_limited() -> None:
    """C3: ten stored and ten more to come; as many as there are spaces for."""
    full = "Waa:w Waa:w\nWab:w Wab:w\nWac:w Wac\nHl:w Hl:w\nHl:w Hl:w"
    game = scene(f"{full}\nF1:0!", "", phase="income", money=1)
    idle_to(game, "council")
    assert_picture(game, 0, full.replace("Wac:w Wac", "Wac:w Wac:w") + "\nF1:0!")


# -- C6: limits

STANDING = {
    "refinery": "Re",
    "harbor": "Ha Ha\nHa Ha",
    "school": "Sc",
    "library": "Li Li",
    "museum": "Mu Mu\nMu",
    "metro": "Me Me",
    "clinic": "Cl Cl Cl",
    "university": "Un Un\nUn Un",
    "bank": "Ba Ba\nBa Ba",
    "recycling": "Rc Rc Rc\nRc",
    "tramway": "Tr Tr Tr Tr Tr",
}


def second_one(tile: str, mine: str, others: str) -> set[str]:
    """What can be built with the price of a tile, many of them in the supply, one standing somewhere."""
    rows = stocked(place_for(tile), PRICES[tile].materials).strip("\n ").splitlines()
    rows += ["."] * (8 - len(rows)) + [". . . . . " + row for row in mine.splitlines()]
    money = {0: max(PRICES[tile].money, 1), 1: 2}
    given = {"votes": PRICES[tile].votes, "supply": {tile: 5}, "modules": ["new_buildings"]}
    return offered(scene("\n".join(rows), others, size=10, money=money, **given))


@pytest.mark.parametrize("tile", STANDING)
def test_C6_at_most_one_a_player(tile: str) -> None:
    assert f"build {tile}" not in second_one(tile, STANDING[tile], "")
    assert f"build {tile}" in second_one(tile, "", STANDING[tile])


@pytest.mark.parametrize("tile", ["airport-8", "airport-9"])
@pytest.mark.parametrize("standing", ["A8 A8 A8 A8\nA8 A8 A8 A8", "A9 A9 A9\nA9 A9 A9\nA9 A9 A9"])
def test_C6_one_airport_of_either_size(tile: str, standing: str) -> None:
    town = stocked("Hl Hl . . . F1\nHl Hl\n.\n.\n.\n.\n.\n" + standing, "wsm")
    given = {"money": {0: 3, 1: 2}, "votes": 5, "supply": {tile: 2}, "modules": ["new_buildings"]}
    assert f"build {tile}" not in offered(scene(town, "", size=10, **given))
    free = stocked("Hl Hl . . . F1\nHl Hl", "wsm")
    assert f"build {tile}" in offered(scene(free, standing, size=10, **given))


def test_C6_at_most_three_warehouses_a_player() -> None:
    two = "F1 .\n. .\nWaa Waa\nWab Wab"
    assert "build warehouse" in offered(scene(two, "", money=2))
    assert "build warehouse" not in offered(scene(two + "\nWac Wac", "", money=2))


@pytest.mark.parametrize(("tile", "standing"), [("police", "Po Po"), ("fire", "Fi Fi\nFi")])
def test_C6_at_most_one_service_building_of_each(tile: str, standing: str) -> None:
    supply = {tile: 3}
    assert f"build {tile}" not in offered(in_council(3, standing, "", supply=supply))
    assert f"build {tile}" in offered(in_council(3, "", standing, supply=supply))


# -- C1: labels

WAYS_OF_FOUR = ["####", "#/#/#/#", "###/.#.", ".#./###", "#./##/#.", ".#/##/.#"]


def worked_on(number: int, tile: str, way: str) -> str:
    """A tile lying some way, with a citizen of seat 0 who worked on one of its spaces."""
    words = [[tile if sign == "#" else "." for sign in row] for row in way.split("/")]
    spaces = [(r, c) for r, row in enumerate(words) for c, word in enumerate(row) if word == tile]
    row, col = spaces[number]
    words[row][col] += ":0!"
    return "\n".join(map(" ".join, words))


@pytest.mark.parametrize("way", ["#", "##", "#/#", "###", "#/#/#"])
def test_C1_a_factory_makes_wood_stone_and_metal_in_reading_order(way: str) -> None:
    level = way.count("#")
    for number, material in enumerate("wsm"[:level]):
        factory = worked_on(number, f"F{level}", way)
        game = scene(f"Wa Wa\n{factory}", "", phase="income", money=1)
        assert_picture(game, 0, f"Wa:{material} Wa\n{factory}")


@pytest.mark.parametrize("way", ["#", "##", "#/#", "###", "#/#/#", *WAYS_OF_FOUR])
def test_C1_commercial_spaces_are_a_b_c_d_in_reading_order(way: str) -> None:
    """C1, P4.2: a $3, b a material for money, c 4 votes, d a material for votes."""
    level = way.count("#")
    for number, gain in enumerate([(3, 0), (2, 0), (0, 4), (0, 3)][:level]):
        game = scene("Wa:w Wa\n" + worked_on(number, f"C{level}", way), "", phase="income", money={1: 1})
        if number % 2:
            assert game.ask is Ask.TRADE
            play(game, "wood")
        assert (game.state.borough[0].money, game.state.borough[0].votes) == gain


def test_C1_a_label_follows_the_tile_that_lies_there_now() -> None:
    """C1: who stood on the wood space of a level 1 stands on the stone space of the level 2."""
    game = scene("Hl Hl . . F1:0!\nHl Hl . Re .", "", money={0: 1, 1: 1})
    play(game, "upgrade factory-2", "at D1")
    idle_to(game, "council")
    assert_picture(game, 0, "Hl:0 Hl:s . F2 F2:0!\nHl Hl . Re .")


# -- C2: public buildings


@pytest.mark.parametrize(
    "public",
    ["Hl Hl\nHl Hl", "Sc", "Li Li", "Mu Mu\nMu", "Me Me", "Cl Cl Cl", "Un Un\nUn Un", "Po Po", "Fi Fi\nFi"],
)
def test_C2_a_public_building_counts_for_a_residence(public: str) -> None:
    assert "build residential-1" in offered(scene(public, money=1))


@pytest.mark.parametrize(
    "other",
    [
        "R1", "R5 R5 R5\nR5 R5", "C1", "C4 C4 C4 C4", "P1", "P3 P3\nP3", "Wa Wa", "Re", "Ha Ha\nHa Ha",
        "A8 A8 A8 A8\nA8 A8 A8 A8", "A9 A9 A9\nA9 A9 A9\nA9 A9 A9", "Ba Ba\nBa Ba", "Rc Rc Rc\nRc",
        "Tr Tr Tr Tr Tr", "Bb", "Op Op\nOp Op",
    ],
)  # fmt: skip
def test_C2_no_other_building_is_public(other: str) -> None:
    game = scene(other, money=2, modules=["new_buildings", "real_buildings"])
    assert "build park-1" in offered(game)
    assert "build residential-1" not in offered(game)


# -- C4, C5: markers, godzillas, doctors, citizens


@pytest.mark.parametrize(("players", "godzillas"), [(1, 1), (2, 1), (3, 2), (4, 3)])
def test_C4_markers_godzillas_and_doctors(players: int, godzillas: int) -> None:
    s = Game(Config(players=players, modules=("godzillas", "doctors"))).state
    assert (s.markers, s.godzillas, s.doctors) == (40, godzillas, players)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_C5_fourteen_citizens_of_each_colour_and_six_in_the_reserve(players: int) -> None:
    game = idle_to(Game(Config(players=players, modules=())), "select", round=1)
    for seat in range(players):
        b = game.state.borough[seat]
        in_hall = sum(int(words).bit_count() for words in b.citizens[seat])
        assert in_hall + int(b.career) == 14
        assert game.state.reserve[seat] == 6


@EVERY_TILE
def test_a_tile_that_is_lifted_leaves_the_borough_as_it_was(tile: str) -> None:
    game = scene(". . . .\n. . . .\n. . . .\n. . . .", "")
    before = game.state.tobytes()
    lay(game.state.borough[0], int(KIND[tile]), int(TILES[KIND[tile]].way[0]), 0)
    lift(game.state.borough[0], 0)
    assert game.state.tobytes() == before
