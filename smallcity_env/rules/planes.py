"""A borough as planes of 0 and 1, one for each thing that can be on a space; nothing is packed.

The forms `planes` and `vector` of an observation both have them, for every borough in the game, the viewer's
own first: as bytes (boroughs * planes, 10, 10), or as numbers after those of the table.
"""

from typing import Final

import numpy as np

from ._jit import kernel
from ._memory import write_set
from .layout import ROWS_OF_TABLE, TABLE_SIZE, Form, Row
from .layout import SIZE as COMPACT_SIZE
from .spaces import each
from .tables import MATERIALS, SEATS, SIDE, SPACES, Ask, Material, Terrain
from .tables.maps import TERRAIN as PRINTED
from .tables.shapes import LENGTH, MOST_WAYS, OFFSET
from .tables.tiles import KINDS, NAMES, ROWS, Kind

_LEVELS = max(tile.level for tile in ROWS)
PLANES: Final = {
    **{NAMES[kind]: "a tile of this kind" for kind in Kind if kind},
    **{f"level {n}": "a tile of this level" for n in range(1, _LEVELS + 1)},
    "joined east": "the space to the east belongs to the same tile",
    "joined south": "the space to the south belongs to the same tile",
    **{f"citizen of seat+{k}": "by colour, from the viewer clockwise" for k in range(SEATS)},
    "worked": "this citizen worked",
    **{material.name.lower(): "in store here" for material in Material},
    "cemetery": "a grave",
    "radiation": "a marker",
    "godzilla": "",
    "mayor": "his street or his spaces of City Hall",
    "fresh": "first space of a tile built in this Phase 2",
    "growing": "first space of a park that grows at the end of this Phase 3",
    "growing later": "... of the next round's",
    "zone": "constructible",
    **{terrain.name.lower(): "printed on the board" for terrain in Terrain if terrain},
    "asked about": "the space the question is about",
}
COUNT: Final = len(PLANES)
SIZE = COUNT * SPACES  # of one borough

_AT = {name: plane * SPACES for plane, name in enumerate(PLANES)}
EAST, SOUTH, CITIZEN, WORKED = (
    _AT[name] for name in ("joined east", "joined south", "citizen of seat+0", "worked")
)
MATERIAL, CEMETERY, RADIATION = _AT["wood"], _AT["cemetery"], _AT["radiation"]
GODZILLA, MAYOR, FRESH = _AT["godzilla"], _AT["mayor"], _AT["fresh"]
GROWING, LATER, ZONE = _AT["growing"], _AT["growing later"], _AT["zone"]
ASKED_ABOUT = _AT["asked about"]

NO_PLANE = -1
TILE = np.array([_AT.get(NAMES.get(kind, ""), NO_PLANE) for kind in Kind])  # by kind
TERRAIN = np.array([_AT.get(terrain.name.lower(), NO_PLANE) for terrain in Terrain])  # by terrain
LEVEL = np.full(KINDS, NO_PLANE)  # by kind
for _tile in ROWS:
    LEVEL[_tile.kind] = _AT.get(f"level {_tile.level}", NO_PLANE)

# 1: the next space to the east or south belongs to the tile; by way round and distance from the first space
JOINED_EAST, JOINED_SOUTH = (np.zeros((MOST_WAYS, SPACES), np.uint8) for _ in range(2))
for _way in range(MOST_WAYS):
    _parts = set(OFFSET[_way, : LENGTH[_way]].tolist())
    for _part in _parts:
        JOINED_EAST[_way, _part] = _part + 1 in _parts
        JOINED_SOUTH[_way, _part] = _part + SIDE in _parts

NOT_ASKED, IN_ASKED_BOROUGH, AT_HOST, AT_HOME, AT_ANCHOR = range(5)  # where the space asked about lies
ABOUT = np.full(len(Ask), NOT_ASKED)
ABOUT[[Ask.MOVE, Ask.ABROAD, Ask.TRADE, Ask.TAKE_FROM]] = IN_ASKED_BOROUGH
ABOUT[[Ask.STREET_WAY, Ask.SPEECH_WAY]] = AT_HOST
ABOUT[[Ask.PARK_GROWS, Ask.STONE, Ask.ARRIVE_BESIDE, Ask.LEAVE_WAY]] = AT_HOME
ABOUT[Ask.WAY] = AT_ANCHOR


@kernel
def see_borough(s, b, viewer, out, at):
    """Write the planes of one borough."""
    _see_tiles(b, out, at)
    for p in range(s.rules.players):
        colour = (p - viewer) % s.rules.players
        write_set(out, at + CITIZEN + colour * SPACES, b.citizens[p], 1)
    for material in range(MATERIALS):
        write_set(out, at + MATERIAL + material * SPACES, b.materials[material], 1)
    write_set(out, at + WORKED, b.worked, 1)
    write_set(out, at + CEMETERY, b.cemetery, 1)
    write_set(out, at + RADIATION, b.markers, 1)
    write_set(out, at + GODZILLA, b.godzilla, 1)
    write_set(out, at + MAYOR, b.mayor, 1)
    write_set(out, at + FRESH, b.fresh, 1)
    write_set(out, at + GROWING, b.growing, 1)
    write_set(out, at + LATER, b.growing_later, 1)
    write_set(out, at + ZONE, b.zone, 1)


@kernel
def _see_tiles(b, out, at):
    """Write the tiles: their kinds, their levels, and which of their spaces are joined."""
    for space in each(b.tiled):
        t = b.first[space]
        kind, part = b.kind[t], space - t
        out[at + TILE[kind] + space] = 1
        if LEVEL[kind] != NO_PLANE:
            out[at + LEVEL[kind] + space] = 1
        out[at + EAST + space] = JOINED_EAST[b.way[t], part]
        out[at + SOUTH + space] = JOINED_SOUTH[b.way[t], part]


@kernel
def see_board(board, out, at):
    """Write what is printed on the board of one seat."""
    for terrain in range(len(TERRAIN)):
        if TERRAIN[terrain] != NO_PLANE:
            write_set(out, at + TERRAIN[terrain], PRINTED[board, terrain], 1)


@kernel
def see_question(s, p, out, at):
    """Write the space the question is about, if it lies in the borough of seat p."""
    about, space, lies_in = ABOUT[s.ask], s.space, s.seat
    if about == NOT_ASKED:
        return
    elif about == IN_ASKED_BOROUGH:
        lies_in = s.asked_borough
    elif about == AT_HOST:
        lies_in = s.host
    elif about == AT_ANCHOR:
        space = s.anchor
    if lies_in == p:
        out[at + ASKED_ABOUT + space] = 1


def sizes(form: Form, players: int) -> tuple[int, int]:
    """The lengths of a form's vector and of its planes for a number of players."""
    if form is Form.COMPACT:
        return COMPACT_SIZE, 0
    if form is Form.VECTOR:
        return TABLE_SIZE + players * SIZE, 0
    return TABLE_SIZE, players * SIZE


SIZES = np.array([[sizes(form, players) for players in range(SEATS + 1)] for form in Form])


def vector_rows() -> list[Row]:
    """Every stretch of the form `vector`: the table, and the planes of each borough."""
    boroughs = [(f"borough+{k}", SIZE, f"{COUNT} planes of {SPACES} spaces each") for k in range(SEATS)]
    return [*ROWS_OF_TABLE, *boroughs]


def plane_table() -> str:
    """The planes, as markdown."""
    lines = ["| plane | what | 1 means |", "|---|---|---|"]
    lines += [f"| {plane} | {name} | {meaning} |" for plane, (name, meaning) in enumerate(PLANES.items())]
    return "\n".join(lines)
