"""docs/rules.md: its tables and maps are those of the code, and every rule has a test."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from smallcity_env.rules.numbers import NUMBERS
from smallcity_env.rules.tables import Family, Material
from smallcity_env.rules.tables.cards import (
    ADVANCE_COST,
    BROKEN,
    CONSTRUCTION,
    DIFFICULTIES,
    FINANCE,
    RECALLED,
    SCALE,
    SPECIAL_WORTH,
    SUPPLIES,
    TOURISM,
)
from smallcity_env.rules.tables.maps import NAMES, ROWS_OF, Board
from smallcity_env.rules.tables.promises import BY_NUMBER, PROMISES
from smallcity_env.rules.tables.tiles import FEWER, PER_PLAYER, ROWS, Kind, Tile
from tests import docs_rules

TESTS = Path(__file__).parent
TEXT = (TESTS.parent / "docs" / "rules.md").read_text()
RULE_IDS = re.findall(r"^- \*\*([A-Z]{1,2}[0-9]+(?:\.[0-9]+)?)\*\*", TEXT, re.MULTILINE)  # T1, P2.5 ...
CODE = re.compile(r"\s*\[[SPR][^\]]*\]")  # where a rule comes from
TILE = {tile.kind: tile for tile in ROWS}
FAMILIES = ("Residential", "Commercial", "Factory", "Park")
SINGLE = {
    "Warehouse": Kind.WAREHOUSE, "Refinery": Kind.REFINERY, "Harbor": Kind.HARBOR,
    "City Hall": Kind.CITY_HALL, "School": Kind.SCHOOL, "Library": Kind.LIBRARY, "Museum": Kind.MUSEUM,
    "Metro Station": Kind.METRO, "Clinic": Kind.CLINIC, "University": Kind.UNIVERSITY,
    "Police Station": Kind.POLICE, "Fire Station": Kind.FIRE, "Bank": Kind.BANK,
    "Recycling Center": Kind.RECYCLING, "Tramway Station": Kind.TRAMWAY, "Big Ben": Kind.BIG_BEN,
    "Sydney Opera House": Kind.OPERA,
}  # fmt: skip


def section(number: int) -> str:
    """One numbered section of the text."""
    return TEXT.split(f"\n## {number}. ")[1].split("\n## ")[0]


def rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of all tables of a text, each by its column heads, without the marks of sources."""
    head: list[str] = []
    for line in text.splitlines():
        if not line.strip().startswith("|"):
            head = []
            continue
        cells = [CODE.sub("", cell).strip() for cell in line.strip().strip("|").split("|")]
        if not head:
            head = cells
        elif not set(line) <= set(" |-"):
            yield dict(zip(head, cells, strict=False))


def numbers(text: str) -> list[int]:
    """All whole numbers of a text."""
    return [int(n) for n in re.findall(r"\d+", text)]


TILE_ROWS = {row["tile"]: row for row in rows(section(2)) if "tile" in row}


def supply(text: str) -> int:
    """How a supply is written."""
    if text.startswith("players-1, at least 1"):
        return FEWER
    return PER_PLAYER if text.startswith("1 a player") else numbers(text)[0]


def materials(text: str) -> tuple[int, ...]:
    """`wood, stone, 2 metal` as counts."""
    counts = []
    for material in Material:
        count = re.search(rf"(\d+ )?{material.name.lower()}", text)
        counts.append(int(count[1] or 1) if count else 0)
    return tuple(counts)


def money(text: str) -> int:
    """The dollars of a price."""
    price = re.search(r"\$(\d+)", text)
    return int(price[1]) if price else 0


def rooms(tile: Tile, text: str) -> int:
    """People spaces; any number of people stand on the tram's one."""
    if text.startswith("no limit"):
        return 1
    return tile.level if text.startswith("1 per space") else numbers(text)[0]


# -- every number


def test_the_numbers_are_those_in_force() -> None:
    assert docs_rules.page(TEXT) == TEXT, "write them again: python -m tests.docs_rules"


def test_every_reconstructed_number_is_told() -> None:
    """But for shapes and maps, which are drawn, and the one Refinery and Harbor of C6."""
    reconstructed = {key for key, number in NUMBERS.items() if "[R]" in number.note}
    drawn = {key for key in reconstructed if key.startswith("maps.") or key.endswith(".shape")}
    assert reconstructed - drawn - docs_rules.told() == {"tiles.refinery.limit", "tiles.harbor.limit"}


# -- tiles


@pytest.mark.parametrize("name", FAMILIES)
def test_families_are_as_the_rules_say(name):
    (row,) = (row for title, row in TILE_ROWS.items() if title.startswith(name))
    tiles = [tile for tile in ROWS if tile.family is Family[name.upper()]]
    assert numbers(row["tile"]) == [tile.level for tile in tiles]
    assert [tuple(part.split(" or ")) for part in row["shape"].split(" / ")] == [t.shapes for t in tiles]
    *each, total = numbers(row["supply"])
    assert each == [tile.supply for tile in tiles] and total == sum(each)
    assert row["cost"] == f"${tiles[0].rate} per space"
    for tile in tiles:
        assert tile.money == tile.rate * tile.level
        assert name == "Park" or rooms(tile, row["people spaces"]) == tile.rooms


@pytest.mark.parametrize("name", SINGLE)
def test_buildings_are_as_the_rules_say(name):
    row, tile = TILE_ROWS[name], TILE[SINGLE[name]]
    assert tile.shapes == (row["shape"].split(" ")[0],)
    assert (tile.money, tile.materials) == (money(row["cost"]), materials(row["cost"]))
    assert tile.supply == supply(row["supply"])
    assert tile.rooms == rooms(tile, row["people spaces"])
    assert tile.gain == (numbers(row["votes"])[0] if "votes" in row else 0)


def test_airports_are_as_the_rules_say():
    row = TILE_ROWS["Airport 8 / 9"]
    tiles = [TILE[Kind.AIRPORT_8], TILE[Kind.AIRPORT_9]]
    assert row["shape"].startswith(" / ".join(tile.shapes[0] for tile in tiles))
    assert row["supply"] == " / ".join(str(tile.supply) for tile in tiles)
    for tile in tiles:
        assert row["cost"] == f"${tile.money}, {tile.votes} votes, wood, stone, metal"
        assert tile.materials == (1, 1, 1)


def test_power_plants_are_as_the_rules_say():
    row = TILE_ROWS["Power Plant 1/2/3"]
    tiles = [TILE[kind] for kind in (Kind.PLANT_1, Kind.PLANT_2, Kind.PLANT_3)]
    assert numbers(row["cost"]) == [tile.money for tile in tiles]
    assert numbers(row["supply"]) == [tile.supply for tile in tiles]


def test_no_tile_is_missing_in_the_rules():
    documented = len(FAMILIES) + len(SINGLE) + 2
    printed_only = {Kind.PORT, Kind.MONASTERY}
    assert len(TILE_ROWS) == documented
    families = [tile for tile in ROWS if tile.family is not Family.OTHER]
    assert len(ROWS) == len(families) + len(SINGLE) + 2 + 3 + len(printed_only)


# -- income, council, scores


def test_the_council_board_is_as_the_rules_say():
    """P7.2 - P7.6."""
    board = [row for row in rows(section(10)) if "row" in row]
    finance, supplies, construction, tourism = (
        [row[f"column {column}"] for column in (1, 2, 3, 4)] for row in board
    )
    assert [numbers(text)[0] for text in finance] == FINANCE[1:].tolist()
    assert [Material[text.upper()] for text in supplies] == SUPPLIES[1:].tolist()
    assert [numbers(text)[0] for text in construction] == CONSTRUCTION[1:].tolist()
    assert [numbers(text)[0] for text in tourism] == TOURISM[1:].tolist()
    costs = re.search(r"Column 1/2/3/4 costs ([\d/]+)", TEXT)
    assert costs and numbers(costs[1]) == ADVANCE_COST[1:].tolist()


def test_scores_are_as_the_rules_say():
    """E1, SO1."""
    e1 = re.search(r"plus its ([\d/]+); broken \[R\]: minus ([\d/]+)", TEXT)
    assert e1 and tuple(numbers(e1[1])) == DIFFICULTIES and numbers(e1[2]) == BROKEN.tolist()
    (scale,) = (row for row in rows(section(12)) if "score" in row)
    assert scale.pop("score") == "result" and scale.pop("below 0") == str(RECALLED)
    assert [(int(least), title) for least, title in scale.items()] == [(n, str(t)) for n, t in SCALE]


# -- promises


def promise_rows() -> Iterator[tuple[int, str]]:
    """Number and name of every promise; a row may hold several."""
    for row in rows(section(13)):
        if "fulfilled when" not in row:
            continue
        first, last = numbers(row["#"])[0], numbers(row["#"])[-1]
        yield from enumerate(row["name"].split(": ")[-1].split(" / "), start=first)
        assert last < first + len(row["name"].split(" / "))


PROMISE_ROWS = dict(promise_rows())


@pytest.mark.parametrize("number", sorted(BY_NUMBER))
def test_promises_are_named_as_in_the_rules(number):
    name, promise = PROMISE_ROWS[number], BY_NUMBER[number]
    assert str(promise.name).removeprefix("Ballot ") == name.removeprefix("Ballot ")


def test_no_promise_is_missing_in_the_rules():
    assert sorted(PROMISE_ROWS) == [promise.number for promise in PROMISES]
    assert {promise.worth for promise in PROMISES if promise.special} == {SPECIAL_WORTH}


# -- maps


def drawn() -> dict[str, list[str]]:
    """The maps of section 16."""
    maps: dict[str, list[str]] = {}
    for block in re.findall(r"```\n(.*?)```", section(16), re.DOTALL):
        names, *lines = block.splitlines()
        boards = re.split(r"\s{2,}", names.strip())
        for line in lines:
            for board, row in zip(boards, line.split(), strict=True):
                maps.setdefault(board.replace(" ", "-"), []).append(row)
    return maps


def test_maps_are_as_the_rules_draw_them():
    assert drawn() == {NAMES[board]: ["".join(row) for row in ROWS_OF[board]] for board in Board}


# -- every rule has a test

NAMES_OF_TESTS = [
    name
    for path in (TESTS / "rulebook").glob("test_*.py")
    for name in re.findall(r"^def test_(\w+)", path.read_text(), re.MULTILINE)
]


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_is_named_by_a_test(rule: str) -> None:
    """In the name of a test of tests/rulebook, the dot as an underscore: test_P2_5_..."""
    spelled = re.compile(rf"(^|_){rule.replace('.', '_')}(_|$)")
    assert any(spelled.search(name) for name in NAMES_OF_TESTS)


def test_rule_ids_are_spelled_in_capitals_in_the_names_of_tests() -> None:
    ids = "|".join(rule.replace(".", "_") for rule in RULE_IDS)
    begins = re.compile(rf"((?:{ids})_)+", re.IGNORECASE)
    named = [match[0] for name in NAMES_OF_TESTS if (match := begins.match(f"{name}_"))]
    assert len(named) > len(RULE_IDS) == len(set(RULE_IDS)) > 100
    assert [rules for rules in named if rules != rules.upper()] == []
