"""Positions as text: round trips are exact; spacing is free, everything else is strict and canonical."""

from typing import Any

import numpy as np
import pytest

from smallcity_env import MODULES, Config, batch
from smallcity_env.rules.entries import SKIP
from smallcity_env.rules.schema import BOROUGH, PADDING, RULES, STATE
from smallcity_env.rules.tables import SIDE
from smallcity_env.rules.tables.maps import LETTER_OF, NAMES, ROWS_OF, Board
from smallcity_env.rules.tables.shapes import WAYS
from smallcity_env.rules.tables.tiles import CODES, TILES, Kind
from smallcity_env.text.fields import VALUES, Field
from smallcity_env.text.grid import DRAWN, KIND_OF, THINGS, members
from smallcity_env.text.notation import (
    BOROUGH_FIELDS,
    RULE_FIELDS,
    STATE_FIELDS,
    NotationError,
    draw,
    from_text,
    read_picture,
    to_text,
)

POSITION = """\
smallcity position 1

players 2
rounds 8
victory votes
boards base-easy river-easy
modules godzillas new-buildings

round 3
phase build
ask where
seat 1
host 1
stream 18420679359002262919
next-host 0
supply residential-1 25  park-1 24  big-ben 1
reserve 6 5
markers 37
circle architect opponent
kind park-2
anchor C1
brings D3
builds 2
sent 0 1
goods-abroad 1 wood 1  metal 2
waiting 1 A1 J10

borough 0
money 4  votes 0  pollution 31  career 7  size 7  card mayor  difficulty 2  promise 14
council finance 2  tourism 1
riders 0 2
   A     B    C    D     E   F     G  H I J
 1 R2a:1 R2a  Waa  Waa:w .:+ .     .  - - -
 2 R1:0! .:*  R2b  .     .:M .     .  - - -
 3 .:Z   P1:Z R2b  .     .:M R4:1' .  - - -
 4 Wab:m Wab  Hl:0 Hl    .   R4    .  - - -
 5 .     .    Hl:s Hl    .   R4    R4 - - -
 6 .     .    .    .     R1  .     .  - - -
 7 .     .    Tr   Tr    Tr  Tr    Tr - - -
 8 -     -    -    -     -   -     -  - - -
 9 -     -    -    -     -   -     -  - - -
10 -     -    -    -     -   -     -  - - -

borough 1
money 0  votes 12  pollution 0  career 14  size 8  card none
   A B C D E F G H I J
 1 . . . . ~ . . . - -
 2 . . . . ~ . . . - -
 3 . . . ~ ~ . . . - -
 4 . . . ~ . . . . - -
 5 . . . ~ . . . . - -
 6 . . . ~ ~ . . . - -
 7 . . . . ~ . . . - -
 8 . . . . ~ ~ . . - -
 9 - - - - - - - - - -
10 - - - - - - - - - -
"""

CITIES = ("shanghai", "seoul", "hong-kong", "tokyo")
MORE_CITIES = ("beijing", "bangkok", "delhi", "ulaanbaatar")
TERRAINS = ("mountain-easy", "mountain-expert", "river-easy", "river-expert")
GAMES = {
    "default": Config(),
    "base": Config(players=2, modules=(), boards=("base-easy", "base-expert")),
    "solo": Config(players=1, modules=MODULES, advanced=True),
    "everything": Config(modules=MODULES, victory="culture", advanced=True, stockholm=True),
    "2016": Config(2, ("godzillas",), advanced=True, godzilla_rules="2016"),
    "terrain": Config(modules=("godzillas",), boards=TERRAINS, victory="economics"),
    "terrain and buildings": Config(3, ("new_buildings", "real_buildings"), TERRAINS[:3]),
    "cities": Config(modules=("godzillas", "doctors"), boards=CITIES),
    "more cities": Config(modules=("new_buildings", "mayor"), boards=MORE_CITIES),
    "pilgrims": Config(2, ("real_buildings", "action_cards"), ("ulaanbaatar", "tokyo")),
    "population": Config(3, ("power_plants",), victory="population", advanced=True),
}


def an_empty_borough() -> Any:
    return np.zeros(1, np.dtype((np.record, BOROUGH)))[0]


def read(picture: str, board: Board = Board.BASE_EASY, size: int = SIDE) -> Any:
    borough = an_empty_borough()
    read_picture(picture, board, size, borough)
    return borough


# -- exact


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_a_game_comes_back_byte_for_byte(name: str) -> None:
    rng = np.random.default_rng(len(name))
    legal = batch.new_masks(4)
    states = batch.new(4, GAMES[name], range(4), legal)
    while not batch.over(states).all():
        i = int(rng.integers(4))
        text = to_text(states[i])
        assert from_text(text).tobytes() == states[i].tobytes(), text
        for _ in range(3):
            chosen = [rng.choice(np.flatnonzero(mask)) if mask.any() else SKIP for mask in legal]
            batch.step(states, chosen, legal)
    assert all(from_text(to_text(s)).tobytes() == s.tobytes() for s in states)


def test_every_field_of_the_schema_is_written_or_drawn() -> None:
    def names(record: Any) -> set[str]:
        return {name for name in record.names if not name.startswith(PADDING)}

    assert {f.name for f in RULE_FIELDS.values()} | set(MODULES) == names(RULES)
    sections = {"rules", "borough", "shown"}
    assert {f.name for f in STATE_FIELDS.values()} | sections == names(STATE)
    assert {f.name for f in BOROUGH_FIELDS.values()} | DRAWN == names(BOROUGH)


def fill(field: Field, value: Any) -> None:
    """Other values for every number of a field, within its limits."""
    high = min(field.high, 100) if field.name not in VALUES else len(VALUES[field.name]) - 1
    if field.spaces:
        value[...] = np.uint64((1 << 49) + 5)
    else:
        value[...] = max(high - 1, 1) if value.shape else max(high, 1)
    if field.name == "circle":
        value[...] = [0] + [1] * (len(value) - 1)


@pytest.mark.parametrize("word", STATE_FIELDS)
def test_every_common_field_comes_back(word: str) -> None:
    states = batch.new(1, Config(), [1])
    field = STATE_FIELDS[word]
    fill(field, states[field.name][0, ...] if field.shape else states[field.name])
    assert from_text(to_text(states[0])).tobytes() == states.tobytes()


@pytest.mark.parametrize("section", ["borough", "shown"])
@pytest.mark.parametrize("word", BOROUGH_FIELDS)
def test_every_field_of_a_borough_comes_back(word: str, section: str) -> None:
    states = batch.new(1, Config(), [1])
    field = BOROUGH_FIELDS[word]
    block = states[section][0]
    fill(field, block[field.name][1] if field.shape else block[field.name])
    if word == "size":
        read_picture("", Board.BASE_EASY, SIDE, block[1])
        block["zone_side"] = block[1]["zone_side"]
        block["zone"] = block[1]["zone"]
    assert from_text(to_text(states[0])).tobytes() == states.tobytes()


# -- canonical


def test_a_position_is_written_like_this() -> None:
    assert to_text(from_text(POSITION)[0]) == POSITION


def test_the_numbers_are_what_the_text_says() -> None:
    s = from_text(POSITION)[0]
    assert (s.stream, s.next_host, s.kind) == (18420679359002262919, 0 + 1, Kind.PARK_2)
    assert (s.anchor, s.warehouse_due) == (2, 23 + 1)
    assert s.goods_abroad[1].tolist() == [1, 0, 2]
    assert members(s.waiting[1]) == [0, 99]
    b = s.borough[0]
    assert (b.money, b.promise, b.council.tolist()) == (4, 14, [2, 0, 0, 1])
    assert b.kind[b.first[46]] == Kind.RESIDENTIAL_4
    assert members(b.just_built) == [25]
    assert members(b.citizens[1]) == [0, 25]


def test_spacing_comments_order_and_needless_letters_do_not_matter() -> None:
    lines = POSITION.splitlines()
    head, borough = lines[1:26], lines[28]
    messy = [lines[0], "# a remark", *reversed(head), *lines[26:28], *reversed(borough.split("  "))]
    text = "\n\n".join(f"\t{line}  " for line in messy + lines[29:])
    text = text.replace("Tr ", "Trz ").replace("R1 ", "R1q    ").replace("R2b", "R2k")
    assert from_text(text).tobytes() == from_text(POSITION).tobytes()


def test_what_is_left_out_is_zero() -> None:
    text = POSITION.replace("votes 0  ", "").replace("card none", "").replace("money 0", "")
    assert from_text(text).tobytes() == from_text(POSITION).tobytes()


# -- pictures


@pytest.mark.parametrize("board", Board)
@pytest.mark.parametrize("size", [7, 10])
def test_every_terrain_is_drawn(board: Board, size: int) -> None:
    borough = read("", board, size)
    rows = [row.split()[1:] for row in draw(borough, board).splitlines()[1:]]
    for r, row in enumerate(ROWS_OF[board]):
        for c, letter in enumerate(row):
            ground = letter if letter in LETTER_OF.values() else "."
            assert rows[r][c] == (ground if max(r, c) < size else "-")
    assert read(draw(borough, board), board, size).tobytes() == borough.tobytes()


def drawn(kind: Kind, way: int, letter: str = "") -> str:
    """A tile in the middle of an empty borough."""
    cells = {(4 + r, 4 + c) for r, c in WAYS[way]}
    rows = [[CODES[kind] + letter if (r, c) in cells else "." for c in range(10)] for r in range(10)]
    return "\n".join(map(" ".join, rows))


@pytest.mark.parametrize("code", KIND_OF)
def test_every_tile_is_read_every_way_round(code: str) -> None:
    kind = KIND_OF[code]
    for way in TILES[kind].way[: TILES[kind].ways]:
        b = read(drawn(kind, way))
        assert (b.kind[44], b.way[44], b.built[kind]) == (kind, way, 1)
        assert len(members(b.tiled)) == TILES[kind].spaces
        assert draw(b, 0).split() == draw(read(drawn(kind, way, "c")), 0).split()


@pytest.mark.parametrize("sign", THINGS)
def test_every_thing_stands_where_it_is_drawn(sign: str) -> None:
    name, *colour = THINGS[sign]
    b = read(f". .\n. R1:{sign}")
    assert members(b[name][colour[0]] if colour else b[name]) == [11]
    assert f"R1:{sign}" in draw(b, 0)


def test_all_things_at_once_are_written_in_one_order() -> None:
    signs = "".join(THINGS)
    assert f"R1:{signs}" in draw(read("R1:" + signs[::-1]), 0)


def test_tiles_of_a_kind_get_letters_in_reading_order() -> None:
    b = read(". R2z R2z\nR2a . R3\nR2a R3 R3")
    assert draw(b, 0).split()[11:14] == [".", "R2a", "R2a"]
    assert draw(b, 0).split()[22:25] == ["R2b", ".", "R3"]


def test_the_zone_is_the_square_that_can_be_built_on_and_every_tile() -> None:
    b = read(draw(read("", Board.MOUNTAIN_EASY, 7), 2).replace("8 -", "8 R1"), Board.MOUNTAIN_EASY, 7)
    mountains = {2, 12, 13, 36, 46}
    square = {row * 10 + col for row in range(7) for col in range(7)}
    assert set(members(b.zone)) == square - mountains | {70}


# -- errors


def say(text: str, *edits: tuple[str, str]) -> str:
    """The sentence a wrong text is refused with."""
    for old, new in edits:
        assert text.count(old) >= 1
        text = text.replace(old, new, 1)
    with pytest.raises(NotationError) as caught:
        from_text(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("position 1", "position 2", "line 1: a position begins with 'smallcity position 1'"),
        ("players 2", "players 5", "line 3: players is '5', but must be a number from 1 to 4"),
        ("players 2", "", "line 4: players must be 1 to 4, not 0"),
        ("players 2", "players 1", "line 3: there are more boards than 1 players"),
        ("victory votes", "victory luck", "line 5: unknown victory 'luck'; allowed are votes, econ"),
        ("river-easy", "river", "line 6: unknown boards 'river'; allowed are base-easy, base-expert"),
        ("river-easy", "river-easy base-easy base-easy base-easy", "boards has at most 4"),
        ("new-buildings", "aliens", "line 7: unknown module 'aliens'; allowed are godzillas, doct"),
        ("new-buildings", "promise-cards", "line 3: promise_cards needs new_buildings"),
        ("phase build", "phase party", "line 10: unknown phase 'party'; allowed are setup, select"),
        ("round 3", "rounded 3", "line 9: unknown field 'rounded'; allowed are players, round"),
        ("round 3", "round three", "line 9: round is 'three', but must be a number from"),
        ("round 3", "round 40000", "line 9: round is '40000', but must be a number from"),
        ("round 3", "round", "line 9: round must be followed by its value"),
        ("round 3", "round 3 round 4", "line 9: round is given twice"),
        ("sent 0 1", "modules", "line 24: modules is given twice"),
        ("seat 1", "seat 2", "line 3: seat is 2, but there are 2 players"),
        ("seat 1", "seat 4", "line 12: seat is '4', but must be a number from 0 to 3"),
        ("anchor C1", "anchor C11", "unknown anchor 'C11'; allowed are A1, B1, ..., J10"),
        ("A1 J10", "A1 K10", "line 26: unknown waiting 'K10'; allowed are A1, B1, ..., J10"),
        ("waiting 1", "waiting 4", "line 26: unknown seat '4'; allowed are 0 to 3"),
        ("sent 0 1", "waiting 1 B1", "line 26: waiting 1 is given twice"),
        ("reserve 6 5", "reserve 6 5 4 3 2", "reserve has at most 4 numbers, not 5"),
        ("park-1 24", "park-4 24", "line 16: unknown supply 'park-4'; allowed are none, residential"),
        ("big-ben 1", "big-ben", "in supply each name is followed by a number, as in residential-1 2"),
        ("circle", "circle joker", "line 19: unknown circle 'joker'; allowed are none, mayor"),
        ("borough 1", "borough 2", "borough 2 has no player: there are 2"),
        ("borough 1", "borough 0", "line 28: borough 0 is given more than once"),
        ("borough 1", "borough one", "line 44: unknown seat 'one'; allowed are 0 to 3"),
        ("borough 1", "borough 1 2", "line 44: borough must be followed by one seat, as in borough 0"),
        ("borough 1", "shown 1", "line 56: borough 1 of 2 players is missing"),
        ("money 4", "cash 4", "line 29: unknown field 'cash'; allowed are money, votes"),
        ("finance 2", "finance 5", "line 30: council is '5', but must be a number from 0 to 4"),
        ("riders 0 2", "riders 0 0 1", "line 28: borough 0 has a citizen of seat 2, but there are 2"),
        ("R1:0!", "R1:3!", "line 28: borough 0 has a citizen of seat 3, but there are 2 players"),
        (" 9 - - - - - - - - - -\n", "", "borough 1 needs one picture of 10 numbered rows"),
        (" 1 . . . . ~", " 1 . . . ~", "line 47: row 1 has 9 spaces instead of 10"),
        (" 8 .", " 7 .", "line 54: row 7 where row 8 is due"),
        ("size 8", "size 7", "line 47: '.' at H1: on this board, with a zone of this size, the"),
        ("~ . . . - -", ". . . . - -", "line 47: '.' at E1: on this board, with a zone of"),
        ("R1:0!", "R6:0!", "line 34: 'R6:0!' at A2: a space has a tile (R1 R2 R3 R4 R5 C1 C2"),
        ("R1:0!", "R1ab", "line 34: 'R1ab' at A2: a space has a tile (R1 R2 R3 R4 R5 C1"),
        ("R1:0!", "N1", "line 34: 'N1' at A2: a space has a tile (R1 R2 R3 R4 R5 C1 C2"),
        ("R1:0!", "R1:", "line 34: 'R1:' at A2: after a colon come some of 0 1 2 3 ! w s m"),
        ("R1:0!", "R1:00", "line 34: 'R1:00' at A2: after a colon come some of 0 1 2 3 !"),
        ("R1:0!", "R1:x", "line 34: 'R1:x' at A2: after a colon come some of 0 1 2 3 ! w"),
        ("Wab  Hl", ".  Hl", "'Wab:m' at A4: A4 do not form one warehouse; distinguish"),
        ("R2b  .", "R2a  .", "line 33: 'R2a:1' at A1: A1 B1 C2 do not form one residential-2;"),
        ("R4    .", "R4:'  .", "line 36: \"R4:'\" at F4: ' belongs on the first space of a tile"),
        (".:+", ".:+'", "line 33: \".:+'\" at E1: ' belongs on the first space of a tile"),
    ],
)
def test_a_wrong_text_is_refused_with_one_sentence(old: str, new: str, sentence: str) -> None:
    output = say(POSITION, (old, new))
    assert sentence in output
    assert output.startswith("line ")


def test_an_empty_text_is_refused() -> None:
    assert say("\n# nothing\n") == "line 1: a position begins with 'smallcity position 1'"


def test_two_city_halls_are_refused() -> None:
    with pytest.raises(NotationError, match="line 1: 'Hlb' at D1: a borough has only one City Hall"):
        read("Hla Hla . Hlb Hlb\nHla Hla . Hlb Hlb")


@pytest.mark.parametrize("picture", [" .".join([""] * 12), "\n".join(["."] * 11)])
def test_a_picture_has_ten_rows_of_ten(picture: str) -> None:
    with pytest.raises(NotationError, match="a picture has at most 10 rows of 10 spaces"):
        read(picture)


def test_a_second_picture_is_refused() -> None:
    picture = POSITION[POSITION.index("   A B C") :]
    assert "needs one picture of 10 numbered rows, but has 20 rows" in say(POSITION + picture)


def test_the_error_knows_its_line() -> None:
    with pytest.raises(NotationError) as caught:
        from_text(POSITION.replace("anchor C1", "anchor 7"))
    assert caught.value.line == 21
    assert isinstance(caught.value, ValueError)


def test_the_names_of_boards_are_those_of_the_configuration() -> None:
    assert set(VALUES["board"].values()) == set(NAMES.values())
