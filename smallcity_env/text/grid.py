"""A borough drawn as text, one word per space, and parsing it back.

       A    B    C   D     E ...
     1 .    R2a  R2a ~     -
     2 R2b  Hl:0 Hl  F1:0! -
     3 R2b  Hl   Hl  .:+   -

The word begins with the code of the tile on the space (tables/tiles.py) and, where the borough has
several tiles of its kind, a letter in reading order; without a tile, with the letter of the terrain
inside the z x z square (T1) or `-` outside it. What is on the space follows a colon:

    0 1 2 3  a citizen of that seat      '  the tile was built in this Phase 2: on its first space
    !        he worked this round        +  a cemetery space     g  the park grows in this Phase 3
    w s m    wood, stone, metal          *  a Radiation marker   G  ... in the next round's
                                         Z  the godzilla         M  the Mayor

Everything else about tiles and zone follows from this and is recomputed on reading. A picture
may omit its letters and numbers, rows at the bottom and spaces at the end of a row.
"""

from collections.abc import Iterator, Sequence
from string import ascii_lowercase
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ..rules.actions import space_name
from ..rules.spaces import HALF, SQUARE
from ..rules.tables import MATERIALS, SEATS, SIDE, SPACES, Family, Terrain
from ..rules.tables.maps import BUILDABLE, GRID, LETTER_OF
from ..rules.tables.shapes import WAYS
from ..rules.tables.tiles import CODES, NAMES, TILES, Kind

Line: TypeAlias = tuple[int, list[str]]  # its number in the text, its words

COLUMNS: Final = [space_name(col)[0] for col in range(SIDE)]
OUTSIDE: Final = "-"
KIND_OF: Final = {CODES[kind]: kind for kind in CODES if TILES[kind]["ways"]}
WAY_OF: Final = {
    (kind, WAYS[way]): int(way)
    for kind in KIND_OF.values()
    for way in TILES[kind]["way"][: TILES[kind]["ways"]]
}
THINGS: Final[dict[str, tuple[Any, ...]]] = {
    **{str(p): ("citizens", p) for p in range(SEATS)},
    "!": ("worked",),
    **{"wsm"[material]: ("materials", material) for material in range(MATERIALS)},
    "+": ("cemetery",),
    "*": ("markers",),
    "Z": ("godzilla",),
    "M": ("mayor",),
    "'": ("just_built",),
    "g": ("growing",),
    "G": ("growing_later",),
}
DERIVED: Final = ("zone", "tiled", "firsts", "family", "first", "kind", "way", "built", "hall")
DRAWN: Final = frozenset(DERIVED) | {where[0] for where in THINGS.values()}


class NotationError(ValueError):
    """A text that is not a position; the message names the line and what is allowed there."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


class Cell(NamedTuple):
    """One word of a picture, with its line in the text and its space."""

    line: int
    space: int
    word: str

    def wrong(self, why: str) -> NotationError:
        """An error at this word."""
        return NotationError(self.line, f"{self.word!r} at {space_name(self.space)}: {why}")


# -- sets of spaces in a record


def members(words: Sequence[Any]) -> list[int]:
    """The spaces of a set stored in a record, in reading order."""
    bits = int(words[0]) | int(words[1]) << HALF
    return [space for space in range(SPACES) if bits >> space & 1]


def add(words: Any, space: int) -> None:
    """Add a space to a set stored in a record."""
    half, bit = divmod(space, HALF)
    words[half] |= np.uint64(1 << bit)


def _field(borough: np.void, where: tuple[Any, ...]) -> Any:
    """The set of spaces a kind of thing is stored in."""
    return borough[where[0]][where[1]] if where[1:] else borough[where[0]]


# -- drawing


def draw(borough: np.void, board: int) -> str:
    """The picture of a borough, in columns, with letters above and numbers on the left."""
    words = _words(borough, board)
    rows = [words[start : start + SIDE] for start in range(0, SPACES, SIDE)]
    grid = [["", *COLUMNS], *([str(number), *row] for number, row in enumerate(rows, start=1))]
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    return "\n".join(_aligned(row, widths) for row in grid)


def _aligned(row: list[str], widths: list[int]) -> str:
    """One row of the picture."""
    number, *words = row
    padded = [word.ljust(width) for word, width in zip(words, widths[1:], strict=True)]
    return " ".join([number.rjust(widths[0]), *padded]).rstrip()


def _words(borough: np.void, board: int) -> list[str]:
    """The word of every space."""
    size = int(borough["zone_side"])
    words = [_ground(board, size, space) for space in range(SPACES)]
    tiles = _tile_words(borough)
    for space in members(borough["tiled"]):
        words[space] = tiles[int(borough["first"][space])]
    things = [""] * SPACES
    for sign, where in THINGS.items():
        for space in members(_field(borough, where)):
            things[space] += sign
    return [f"{word}:{on}" if on else word for word, on in zip(words, things, strict=True)]


def _ground(board: int, size: int, space: int) -> str:
    """How a space without a tile is written."""
    if max(divmod(space, SIDE)) >= size:
        return OUTSIDE
    return LETTER_OF[Terrain(int(GRID[board, space]))]


def _tile_words(borough: np.void) -> dict[int, str]:
    """The word of every tile by its first space, with a letter where there are several of its kind."""
    by_kind: dict[Kind, list[int]] = {}
    for first in members(borough["firsts"]):
        by_kind.setdefault(Kind(int(borough["kind"][first])), []).append(first)
    words = {}
    for kind, firsts in by_kind.items():
        lettered = len(firsts) > 1 and TILES[kind]["spaces"] > 1
        for i, first in enumerate(firsts):
            words[first] = CODES[kind] + (ascii_lowercase[i] if lettered else "")
    return words


# -- reading


def read_picture(text: str, board: int, size: int, borough: np.void) -> None:
    """Fill in a borough's tiles, zone, people and things from its picture."""
    read_rows(lines_of(text), board, size, borough)


def lines_of(text: str) -> list[Line]:
    """The words of every line that is not blank."""
    rows = [(number, row.split()) for number, row in enumerate(text.splitlines(), start=1)]
    return [(number, words) for number, words in rows if words]


def read_rows(lines: list[Line], board: int, size: int, borough: np.void) -> None:
    """The same from lines of words, each with its line number in a longer text."""
    for name in DRAWN:
        borough[name] = 0
    borough["zone_side"] = size
    tiles: dict[str, list[Cell]] = {}
    cells = list(each_cell(lines))
    for cell in cells:
        ground, colon, things = cell.word.partition(":")
        if not _is_ground(cell, ground, _ground(board, size, cell.space)):
            tiles.setdefault(_tile_name(cell, ground), []).append(cell)
        if colon:
            _put_things(cell, things, borough)
    for name, covered in tiles.items():
        _lay(KIND_OF[name[:2]], covered, borough)
    borough["zone"] = SQUARE[size] & BUILDABLE[board] | borough["tiled"]
    _check_just_built(cells, borough)


def is_header(words: list[str]) -> bool:
    """Whether a line is the column letters above a picture."""
    return words == COLUMNS[: len(words)]


def each_cell(lines: list[Line]) -> Iterator[Cell]:
    """Every word of the picture, with its line and its space."""
    row = 0
    for line, words in lines:
        if is_header(words):
            continue
        if words[0].isdecimal():
            number, *words = words
            if number != str(row + 1):
                raise NotationError(line, f"row {number} where row {row + 1} is due")
        if row >= SIDE or len(words) > SIDE:
            raise NotationError(line, f"a picture has at most {SIDE} rows of {SIDE} spaces")
        yield from (Cell(line, row * SIDE + col, word) for col, word in enumerate(words))
        row += 1


def _is_ground(cell: Cell, word: str, expected: str) -> bool:
    """Whether a word stands for a space without a tile; it must match the board."""
    if word != expected and (word == OUTSIDE or word in LETTER_OF.values()):
        raise cell.wrong(f"on this board, with a zone of this size, the ground is {expected!r}")
    return word == expected


def _tile_name(cell: Cell, word: str) -> str:
    """A unique name of the tile: its word, and for one-space tiles also the space."""
    kind, letter = KIND_OF.get(word[:2]), word[2:]
    if kind is None or len(letter) > 1 or (letter and letter not in ascii_lowercase):
        tiles, terrain = " ".join(KIND_OF), " ".join(LETTER_OF.values())
        raise cell.wrong(
            f"a space has a tile ({tiles}, then perhaps a letter a-z) or terrain ({terrain} or -)"
        )
    return f"{word} {cell.space}" if TILES[kind]["spaces"] == 1 else word


def _put_things(cell: Cell, things: str, borough: np.void) -> None:
    """Place what follows the colon."""
    if not things or len(set(things)) < len(things) or not set(things) <= set(THINGS):
        raise cell.wrong(f"after a colon come some of {' '.join(THINGS)}, each at most once")
    for sign in things:
        add(_field(borough, THINGS[sign]), cell.space)


def _way(kind: Kind, cells: list[Cell]) -> int:
    """Which way round a tile lies on its spaces."""
    row, col = divmod(cells[0].space, SIDE)
    shape = tuple((cell.space // SIDE - row, cell.space % SIDE - col) for cell in cells)
    if (kind, shape) not in WAY_OF:
        code, where = CODES[kind], " ".join(space_name(cell.space) for cell in cells)
        raise cells[0].wrong(
            f"{where} do not form one {NAMES[kind]}; distinguish several as {code}a, {code}b"
        )
    return WAY_OF[kind, shape]


def _lay(kind: Kind, cells: list[Cell], borough: np.void) -> None:
    """Lay a tile on its spaces."""
    anchor = cells[0].space
    if kind == Kind.CITY_HALL:
        if borough["built"][kind]:
            raise cells[0].wrong("a borough has only one City Hall")
        borough["hall"] = anchor
    borough["way"][anchor] = _way(kind, cells)
    borough["kind"][anchor] = kind
    borough["built"][kind] += 1
    add(borough["firsts"], anchor)
    family = int(TILES[kind]["family"])
    for cell in cells:
        borough["first"][cell.space] = anchor
        add(borough["tiled"], cell.space)
        if family != Family.OTHER:
            add(borough["family"][family], cell.space)


def _check_just_built(cells: list[Cell], borough: np.void) -> None:
    """Check that ' marks only the first space of a tile."""
    firsts = members(borough["firsts"])
    for cell in cells:
        if "'" in cell.word and cell.space not in firsts:
            raise cell.wrong("' belongs on the first space of a tile, in reading order")
