"""A borough as planes of 0 and 1, one for each thing that can be on a space; nothing is packed.

The form `planes` of an observation has them for every borough in the game, the viewer's own first, as bytes
(boroughs * planes, 10, 10).
"""

from typing import Any, Final

import numpy as np

from ..library import emitted, kernel, stack
from ._flags import machine_code
from .layout import SIZE as COMPACT_SIZE
from .layout import TABLE_SIZE, Form, View
from .spaces import add, at, each, north, put, tile, west
from .tables import MATERIALS, SEATS, SPACES, Ask, Material, Terrain
from .tables.maps import TERRAIN as PRINTED
from .tables.tiles import KINDS, NAMES, ROWS, Kind
from .turns import clockwise

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
    "just built": "first space of a tile built in this Phase 2",
    "growing": "first space of a park that grows at the end of this Phase 3",
    "growing later": "... of the next round's",
    "zone": "constructible",
    **{terrain.name.lower(): "printed on the board" for terrain in Terrain if terrain},
    "asked about": "the space the question is about",
}
COUNT: Final = len(PLANES)
SIZE = COUNT * SPACES  # of one borough

_AT = {name: plane for plane, name in enumerate(PLANES)}
EAST, SOUTH, CITIZEN, WORKED = (
    _AT[name] for name in ("joined east", "joined south", "citizen of seat+0", "worked")
)
MATERIAL, CEMETERY, RADIATION = _AT["wood"], _AT["cemetery"], _AT["radiation"]
GODZILLA, MAYOR, JUST_BUILT = _AT["godzilla"], _AT["mayor"], _AT["just built"]
GROWING, LATER, ZONE = _AT["growing"], _AT["growing later"], _AT["zone"]
ASKED_ABOUT = _AT["asked about"]

NO_PLANE = COUNT  # a set that is not written
TILE = np.array([_AT.get(NAMES.get(kind, ""), NO_PLANE) for kind in Kind])  # by kind
TERRAINS, PLAIN = len(Terrain), _AT[Terrain(1).name.lower()] - 1  # planes of terrains follow each other
LEVEL = np.full(KINDS, NO_PLANE)  # by kind
for _tile in ROWS:
    LEVEL[_tile.kind] = _AT.get(f"level {_tile.level}", NO_PLANE)
new_sets = stack((COUNT + 1, 2), np.uint64)

NOT_ASKED, IN_ASKED_BOROUGH, AT_HOST, AT_HOME, AT_ANCHOR = range(5)  # where the space asked about lies
ABOUT = np.full(len(Ask), NOT_ASKED)
ABOUT[[Ask.MOVE, Ask.ABROAD, Ask.TRADE, Ask.TAKE_FROM]] = IN_ASKED_BOROUGH
ABOUT[[Ask.STREET_WAY, Ask.SPEECH_WAY]] = AT_HOST
ABOUT[[Ask.PARK_GROWS, Ask.STONE, Ask.ARRIVE_BESIDE, Ask.LEAVE_WAY]] = AT_HOME
ABOUT[Ask.WAY] = AT_ANCHOR


@emitted(machine_code("store_set"))
def write_set(out: Any, start: int, top: Any, bottom: Any, value: Any) -> None:
    """Write a value on every space of a set, 0 on the others."""
    spaces = int(top) | int(bottom) << SPACES // 2
    for space in range(SPACES):
        out[start + space] = value if spaces >> space & 1 else 0


@kernel
def see_borough(s, p, b, viewer, view, out, at):
    """Write the planes of the borough of seat p, each once."""
    sets = new_sets()
    _see_tiles(b, sets)
    _see_people(s, b, viewer, sets)
    _see_things(b, sets)
    _see_board(s.rules.board[p], sets)
    if view != View.WAITING:
        _see_question(s, p, sets)
    for plane in range(COUNT):
        write_set(out, at + plane * SPACES, sets[plane][0], sets[plane][1], 1)


@kernel
def _see_tiles(b, sets):
    """The tiles: their kinds, their levels, and which of their spaces are joined."""
    for t in each(b.firsts):
        cells, kind = tile(b.way[t], t), b.kind[t]
        add(sets[TILE[kind]], cells)
        add(sets[LEVEL[kind]], cells)
        add(sets[EAST], cells & west(cells))
        add(sets[SOUTH], cells & north(cells))


@kernel
def _see_people(s, b, viewer, sets):
    """Citizens, and those of them who worked."""
    for k in range(s.rules.players):
        put(sets[CITIZEN + k], b.citizens[clockwise(viewer, k, s.rules.players)])
    put(sets[WORKED], b.worked)


@kernel
def _see_things(b, sets):
    """Whatever else is on spaces."""
    for material in range(MATERIALS):
        put(sets[MATERIAL + material], b.materials[material])
    put(sets[CEMETERY], b.cemetery)
    put(sets[RADIATION], b.markers)
    put(sets[GODZILLA], b.godzilla)
    put(sets[MAYOR], b.mayor)
    put(sets[JUST_BUILT], b.just_built)
    put(sets[GROWING], b.growing)
    put(sets[LATER], b.growing_later)
    put(sets[ZONE], b.zone)


@kernel
def _see_board(board, sets):
    """What is printed on the board of one seat."""
    for terrain in range(1, TERRAINS):
        put(sets[PLAIN + terrain], PRINTED[board, terrain])


@kernel
def _see_question(s, p, sets):
    """The space the question is about, if it lies in the borough of seat p."""
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
        put(sets[ASKED_ABOUT], at(space))


def sizes(form: Form, players: int) -> tuple[int, int]:
    """The lengths of a form's vector and of its planes for a number of players."""
    if form is Form.COMPACT:
        return COMPACT_SIZE, 0
    return TABLE_SIZE, players * SIZE


SIZES = np.array([[sizes(form, players) for players in range(SEATS + 1)] for form in Form])
