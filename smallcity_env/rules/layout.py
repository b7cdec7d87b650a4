"""Where everything is in an observation, and which field of the record it is read from.

There are two forms of an observation (`Form`). Both have a vector of the table and the seats: one row here is
a stretch of it. Compact goes on with four numbers a space, some of them packed; the other has the planes of
planes.py instead, and unpacks two fields of the table. The offsets, the index tables of the docs
(tests/docs_observations.py) and the tables by which observe.py reads the record all follow from these rows.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .limits import LOW, WORDS
from .schema import BOROUGH, RULES, STATE, WRITTEN
from .tables import COLUMNS as COUNCIL_COLUMNS
from .tables import DISCS, MATERIALS, POWER_ROUNDS, ROWS, SEATS, SIDE, SPACES, Ask, Phase, Victory, Way
from .tables.cards import ALL_CARDS, DIFFICULTIES
from .tables.expansions import CLEANED
from .tables.maps import BOARDS
from .tables.modules import FIELDS
from .tables.promises import PROMISE_COUNT
from .tables.tiles import KINDS

Seen: TypeAlias = npt.NDArray[np.float32]  # observations
LAST = POWER_ROUNDS  # the most rounds a game has
SUPPLY_MOST = 30  # tiles of a kind (section 2)
STOCK_SCALE = 10


class Form(IntEnum):
    """The forms of an observation."""

    COMPACT = 0
    PLANES = 1


class Buffers(NamedTuple):
    """Where observations of n games are written."""

    form: int  # Form: numba would take a member of an enum for another type
    vector: Seen  # (n, numbers)
    planes: npt.NDArray[np.uint8]  # (n, planes of all boroughs * SPACES); no columns in the compact form


class How(IntEnum):
    """How a field becomes numbers."""

    NUMBER = 0  # itself, scaled
    ONE_HOT = 1
    BY_SEAT = 2  # one number for each seat, from the viewer clockwise
    SEAT = 3  # one-hot: a seat, counted from the viewer
    SPACE = 4  # row and column from 1, scaled; 0: none


@dataclass(frozen=True, eq=False)
class Block:
    """A stretch of the vector."""

    name: str
    field: str
    how: How
    length: int
    meaning: str = ""
    scale: int = 1
    shift: int = 0  # what is stored one too high, 0 for "none"
    hidden: bool = False  # about a build: hidden from the others while it is secret


def _number(name: str, scale: int = 1, length: int = 1, hidden: bool = False, meaning: str = "") -> Block:
    words, shown = f"/ {scale} {meaning}" if scale > 1 else meaning, WRITTEN.get(name, name.strip("_"))
    return Block(shown, name, How.NUMBER, length, words.strip(), scale, hidden=hidden)


def _one_hot(name: str, length: int, shift: int = 0, hidden: bool = False, meaning: str = "") -> Block:
    return Block(name, name, How.ONE_HOT, length, f"one-hot {meaning}".strip(), shift=shift, hidden=hidden)


def _by_seat(name: str, scale: int, columns: int = 1) -> Block:
    words = f"/ {scale}, from the viewer clockwise"
    return Block(name, name, How.BY_SEAT, SEATS * columns, words, scale)


def _seat(name: str, field: str = "", shift: int = 0) -> Block:
    return Block(name, field or name, How.SEAT, SEATS, "one-hot, from the viewer clockwise", shift=shift)


def _space(name: str, shift: int = 0, hidden: bool = False) -> Block:
    words = f"row and column, from 1, / {SIDE}"
    return Block(WRITTEN.get(name, name), name, How.SPACE, 2, words, SIDE, shift=shift, hidden=hidden)


_MODULE_FIELDS = [name for name in RULES.names or () if name not in ("players", "rounds", "victory", "board")]
TABLE: Final = [
    _one_hot("ask", len(Ask), hidden=True, meaning="(the question)"),
    _seat("asked", "seat"),
    _one_hot("phase", len(Phase)),
    _number("round_no", LAST),
    _number("rules.rounds", LAST),
    _one_hot("rules.players", SEATS, shift=1),
    _one_hot("rules.victory", len(Victory)),
    *(_number(f"rules.{name}") for name in _MODULE_FIELDS),
    _seat("host"),
    _seat("next_host", shift=1),
    _one_hot("kind", KINDS, hidden=True, meaning="(the tile being placed)"),
    _number("upgrade", hidden=True),
    _space("anchor", hidden=True),
    _number("council_size", 4),
    _number(
        "warehouse_due", SPACES, hidden=True, meaning="(first space + 1 of a tile that gets a Warehouse)"
    ),
    _number("builds", 3, hidden=True),
    _number("enlarged", hidden=True),
    _number("architect_used", hidden=True, meaning="1: the Architect's building has been built"),
    _one_hot("council_row", ROWS),
    _one_hot("tourism_column", COUNCIL_COLUMNS + 1),
    _number("advances", DISCS),
    _number("free_advances"),
    _seat("asked_borough"),
    _space("space"),
    _seat("destination"),
    _by_seat("sent", DISCS),
    _one_hot("product", MATERIALS),
    _seat("product_from", shift=1),
    _number("goods", SIDE, MATERIALS),
    _by_seat("goods_abroad", 4, MATERIALS),
    _number("deaths", 4),
    _by_seat("die", 6),
    _by_seat("hosts", 1),
    _number("stayed"),
    _number("steps_left", 6),
    _number("to_clean", CLEANED),
    _one_hot("heading", len(Way)),
    _space("head"),
    _space("tail"),
    _number("supply", SUPPLY_MOST, KINDS, meaning="by kind"),
    _by_seat("reserve", 20),
    _number("markers", 40),
    _number("godzillas", 3),
    _number("doctors", SEATS),
    _number("circle", 1, ALL_CARDS + 1, meaning="1: the card lies in the circle"),
    _space("pilgrim", shift=1),
    _seat("pilgrim_of"),
    _seat("sender", shift=1),
    _number("returned", 2),
]

_UNPACKED: Final = {  # what compact packs into one number
    "brings": _space("warehouse_due", shift=1, hidden=True),
    "returned": _one_hot("returned", 3),
}
UNPACKED_TABLE: Final = [_UNPACKED.get(block.name, block) for block in TABLE]

SEAT: Final = [
    _number("money", 50),
    _number("votes", 100),
    _number("pollution", 100),
    _number("pollution_made", 20, meaning="(pollution made this round)"),
    _number("busy_factories", 10, meaning="(factory spaces that produced this round)"),
    _number("career", 20),
    _number("zone_side", SIDE),
    _number("out", LAST),
    _one_hot("card", ALL_CARDS + 1),
    _one_hot("difficulty", len(DIFFICULTIES)),
    _number("cleaned"),
    _number("doctor"),
    _by_seat("riders", 10),
    _number("flood", 10),
    _number("plants", 4, 3),
    *(_number(field.name, field.scale) for field in FIELDS),
]

_DERIVED: Final = {  # written by observe.py itself, for each seat after SEAT
    "playing": (1, "1: this seat is in the game"),
    "board": (BOARDS, "one-hot"),
    "council": (ROWS, f"column of a disc / {COUNCIL_COLUMNS}"),
    "stock": (MATERIALS, f"materials / {STOCK_SCALE}"),
    "powered": (SIDE, "1 for each powered column"),
}
_SECRET: Final = {  # the viewer's own, after TABLE
    "promise": (PROMISE_COUNT + 1, "one-hot: the viewer's own"),
    "special": (PROMISE_COUNT + 1, "one-hot: the viewer's own"),
}
_LAST: Final = 2 * SEATS + MATERIALS
_SPACES: Final = {  # for each borough: a number for every space
    "tile": f"kind / {KINDS - 1}",
    "part": "which space of its tile, from 1, / 9",
    "thing": f"a citizen 1 + his seat from the viewer, + {SEATS} if he worked; "
    f"a material {2 * SEATS + 1}-{_LAST}; / {_LAST}",
    "state": "cemetery 1, marker 2, godzilla 4, Mayor 8, new tile 16, growing 32, later 64, zone 128; / 255",
}


Row: TypeAlias = tuple[str, int, str]  # name, length, meaning


def _table_rows(table: list[Block]) -> list[Row]:
    """The table and the seats."""
    rows = [(block.name, block.length, block.meaning) for block in table]
    rows += [(name, length, meaning) for name, (length, meaning) in _SECRET.items()]
    for k in range(SEATS):
        rows += [(f"seat+{k}.{block.name}", block.length, block.meaning) for block in SEAT]
        rows += [(f"seat+{k}.{name}", length, meaning) for name, (length, meaning) in _DERIVED.items()]
    return rows


def _space_rows() -> list[Row]:
    """The spaces of all boroughs in the compact form."""
    spaces = [(k, *row) for k in range(SEATS) for row in _SPACES.items()]
    return [(f"borough+{k}.{name}", SPACES, meaning) for k, name, meaning in spaces]


def offsets(rows: list[Row]) -> tuple[dict[str, int], int]:
    """Where every stretch begins, and the length of them all."""
    ends = np.cumsum([0, *(length for _, length, _ in rows)]).tolist()
    return {name: at for (name, _, _), at in zip(rows, ends, strict=False)}, ends[-1]


ROWS_OF_COMPACT: Final = _table_rows(TABLE) + _space_rows()
ROWS_OF_TABLE: Final = _table_rows(UNPACKED_TABLE)  # beside planes
OFFSETS, SIZE = offsets(ROWS_OF_COMPACT)
TABLE_OFFSETS, TABLE_SIZE = offsets(ROWS_OF_TABLE)
SEAT_SIZE = OFFSETS["seat+1.money"] - OFFSETS["seat+0.money"]
BOROUGH_SIZE = OFFSETS["borough+1.tile"] - OFFSETS["borough+0.tile"]


# -- where the numbers are read from: words (int16) of the record

_WORD = 2


@cache
def _offset(record: np.dtype[Any], field: str) -> int:
    """Where a field of a record begins, in words."""
    fields = record.fields
    assert fields is not None and fields[field][0].base in (np.int16, BOROUGH, RULES), field
    return int(fields[field][1]) // _WORD


SHOWN_SHIFT = _offset(STATE, "shown") - _offset(STATE, "borough")


def _word_of(field: str) -> int:
    """The first word of a field of the game."""
    if field.startswith("rules."):
        return _offset(STATE, "rules") + _offset(RULES, field.removeprefix("rules."))
    return _offset(STATE, field)


def _word_of_borough(field: str, seat: int) -> int:
    """The first word of a field of one borough."""
    return _offset(STATE, "borough") + seat * (BOROUGH.itemsize // _WORD) + _offset(BOROUGH, field)


class View(IntEnum):
    """How much of the others' builds the viewer may see."""

    OPEN = 0  # all boroughs as they are
    BUILDING = 1  # screens are up (P2.1, SU2), and the viewer is asked
    WAITING = 2  # screens are up, and another builds behind his


class Read(NamedTuple):
    """One read of the record."""

    word: int
    at: int
    scale: float
    how: How
    shift: int


@cache
def _reads(block: Block, word: int, at: int, viewer: int, players: int) -> list[Read]:
    """The reads of a block: numbers one by one, seats relative to the viewer."""
    if block.how is How.NUMBER and (viewer, players) != (0, 1):
        return _reads(block, word, at, 0, 1)  # the same for every viewer
    if block.how not in (How.NUMBER, How.BY_SEAT):
        return [Read(word, at, 1 / block.scale, block.how, block.shift)]
    columns, scale = block.length // SEATS if block.how is How.BY_SEAT else block.length, 1 / block.scale
    return [
        Read(word + (viewer + k) % players * columns + i, at + k * columns + i, scale, How.NUMBER, 0)
        for k in range(players)
        for i in range(columns)
    ]


def _reading_list(unpacked: bool, view: View, viewer: int, players: int) -> list[Read]:
    """Every read for one viewer in a game with this many players."""
    reads: list[Read] = []
    table, offsets = (UNPACKED_TABLE, TABLE_OFFSETS) if unpacked else (TABLE, OFFSETS)
    for block in table:
        if not (block.hidden and view is View.WAITING):
            reads += _reads(block, _word_of(block.field), offsets[block.name], viewer, players)
    for name in _SECRET:
        reads.append(Read(_word_of_borough(name, viewer), offsets[name], 1, How.ONE_HOT, 0))
    for k in range(players):
        seat, shift = (viewer + k) % players, SHOWN_SHIFT if view is not View.OPEN and k > 0 else 0
        for block in SEAT:
            word = _word_of_borough(block.field, seat) + shift
            reads += _reads(block, word, offsets[f"seat+{k}.{block.name}"], viewer, players)
        reads.append(Read(_word_of("rules.board") + seat, offsets[f"seat+{k}.board"], 1, How.ONE_HOT, 0))
    return reads


LISTS: Final = {
    (int(unpacked), view, players, viewer): _reading_list(unpacked, view, viewer, players)
    for unpacked in (False, True)
    for view in View
    for players in range(1, SEATS + 1)
    for viewer in range(players)
}
_TABLES = (2, len(View), SEATS + 1, SEATS)  # packed or not, view, players, viewer


def _tables(lists: dict[Any, list[Any]], kind: "np.dtype[Any]") -> tuple[Any, Any]:
    """Reading lists as one table of records, and how many of each row are used."""
    rows = np.zeros((*_TABLES, max(map(len, lists.values()))), np.dtype((np.record, kind)))
    counts = np.zeros(_TABLES, np.int64)
    for key, reads in lists.items():
        rows[key][: len(reads)], counts[key] = np.array(reads, kind), len(reads)
    return rows, counts


def _selected(*hows: How) -> dict[Any, list[Read]]:
    """Of every list, the reads of some kinds."""
    return {key: [read for read in reads if read.how in hows] for key, reads in LISTS.items()}


# Numbers are written in runs of LANES: numbers that follow each other as their words do. What a run writes
# before its first number is overwritten by the runs after it, from the last number of the seats to the first.

LANES = 16
SIZE_OF_TABLE: Final = (OFFSETS["borough+0.tile"], TABLE_SIZE)  # packed or not
RUN = np.dtype([("word", "u2"), ("at", "u2")])  # from where, to where


def _run(words: dict[int, int], end: int) -> tuple[int, int]:
    """Where a run up to `end` begins, and how far its words are from its numbers; between them are zeros."""
    least, distance = max(end - LANES, LANES) if end > LANES else 0, None
    for at in range(end - 1, least - 1, -1):
        if at not in words:
            continue
        if distance is None and words[at] + end - at <= WORDS:
            distance = words[at] - at
        elif words[at] - at != distance:
            return at + 1, distance or 0
    return least, distance or 0


def _runs(reads: list[Read], size: int) -> list[tuple[int, int]]:
    """The runs that write these numbers, and zeros between them."""
    words, runs, end = {read.at: read.word for read in reads}, [], size
    while end > 0:
        assert end >= LANES, "the first numbers are no single run"
        begin, distance = _run(words, end)
        runs.append((end - LANES + distance, end - LANES))
        end = begin
    return runs


_NUMBERS: Final = _selected(How.NUMBER)
RUNS, RUN_COUNT = _tables({key: _runs(reads, SIZE_OF_TABLE[key[0]]) for key, reads in _NUMBERS.items()}, RUN)
SCALES = np.zeros((*_TABLES[:-1], max(SIZE_OF_TABLE)), np.float32)
for _key, _list in _NUMBERS.items():
    SCALES[_key[:-1]][[read.at for read in _list]] = [read.scale for read in _list]

# One-hot numbers: 1 at the place `at` + the word, + `seats` if the word is less than `first`; 0 if it is less
# than `least`, which is one too low at most. Seats turn with the viewer.

MARK = np.dtype([("word", "u2"), *((name, "i2") for name in ("at", "first", "seats", "least"))])


def _mark(read: Read, players: int, viewer: int) -> tuple[int, ...]:
    assert LOW[read.word] >= read.shift - 1
    turn, seats = (viewer, players) if read.how is How.SEAT else (0, 1)
    first = read.shift + turn
    return read.word, read.at - first, first, seats, read.shift


_MARKS: Final = {
    key: [_mark(read, *key[2:]) for read in reads] for key, reads in _selected(How.ONE_HOT, How.SEAT).items()
}
MARKS, MARK_COUNT = _tables(_MARKS, MARK)

PLACE = np.dtype([*RUN.descr, ("shift", "i2")])
_PLACES: Final = {
    key: [(read.word, read.at, read.shift) for read in reads] for key, reads in _selected(How.SPACE).items()
}
PLACES, PLACE_COUNT = _tables(_PLACES, PLACE)
