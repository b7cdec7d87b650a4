"""What one seat may see, and nothing else, as numbers of about 0 to 1 (the index table: layout.py).

Hidden from a seat: others' promises, what others build behind their screens (P2.1, SU2) with the
question they are asked meanwhile, the random stream, and cards not dealt. Everything else is open.
"""

from ._jit import entry, kernel
from .layout import BOROUGH_SIZE, NUMBER_COUNT, OFFSETS, READ_COUNT, READS, SEAT_SIZE, SHOWN_SHIFT, How
from .phases.secrets import secret
from .spaces import first, of, rest, some, tile
from .storage import stock
from .tables import COLUMNS, MATERIALS, ROWS, SEATS, SIDE
from .tables.tiles import KINDS

PROMISE, SPECIAL = OFFSETS["promise"], OFFSETS["special"]
PLAYING, BOARD, COUNCIL = (OFFSETS[f"seat+0.{name}"] for name in ("playing", "board", "council"))
STOCK, POWERED = OFFSETS["seat+0.stock"], OFFSETS["seat+0.powered"]
TILE, PART, THING, CONDITION = (OFFSETS[f"borough+0.{name}"] for name in ("tile", "part", "thing", "state"))

STOCK_SCALE = 1 / 10
COUNCIL_SCALE = 1 / COLUMNS
TILE_SCALE = 1 / (KINDS - 1)
PART_SCALE = 1 / 9
THINGS = SEATS + SEATS + MATERIALS
WORKED = SEATS  # added to a citizen who worked
FIRST_MATERIAL = SEATS + SEATS + 1
CEMETERY, MARKER, GODZILLA, MAYOR, FRESH, GROWING, LATER = (1 << bit for bit in range(7))
STATE_SCALE = 1 / (LATER + LATER - 1)


@entry
def observe_all(states, words, viewers, out):
    """Write what each viewer sees of each game; `words` are the same games as int16."""
    for i in range(len(states)):
        observe(states[i], words[i], viewers[i], out[i])


@kernel
def observe(s, words, viewer, out):
    """Write what a seat sees of one game."""
    out[:] = 0
    screened = secret(s)
    _read_fields(s, words, viewer, screened, out)
    own = s.borough[viewer]
    out[PROMISE + own.promise] = 1
    out[SPECIAL + own.special] = 1
    for k in range(s.rules.players):
        p = (viewer + k) % s.rules.players
        b = s.shown[p] if screened and k > 0 else s.borough[p]
        _see_player(b, s.rules.board[p], out, k * SEAT_SIZE)
        _see_borough(s, b, viewer, out, k * BOROUGH_SIZE)


@kernel
def _read_fields(s, words, viewer, screened, out):
    """Everything that is one field of the record, by the reading table: plain numbers come first."""
    players = s.rules.players
    reads = READS[players, viewer]
    numbers = NUMBER_COUNT[players, viewer]
    if screened:
        numbers = 0
    for i in range(numbers):
        out[reads[i].at] = words[reads[i].word] * reads[i].scale
    for i in range(numbers, READ_COUNT[players, viewer]):
        read = reads[i]
        if read.hidden == 0 or not screened or s.seat == viewer:
            word = read.word + SHOWN_SHIFT if screened and read.other != 0 else read.word
            _write(out, read, words[word] - read.shift, viewer, players)


@kernel
def _write(out, read, value, viewer, players):
    """One field as numbers: itself, one-hot, a seat from the viewer, or a space."""
    if read.how == How.NUMBER:
        out[read.at] = value * read.scale
    elif value < 0:
        return
    elif read.how == How.ONE_HOT:
        out[read.at + value] = 1
    elif read.how == How.SEAT:
        out[read.at + (value - viewer) % players] = 1
    else:
        out[read.at] = (value // SIDE + 1) * read.scale
        out[read.at + 1] = (value % SIDE + 1) * read.scale


@kernel
def _see_player(b, board, out, at):
    """What follows from several fields of a borough."""
    out[at + PLAYING] = 1
    out[at + BOARD + board] = 1
    for row in range(ROWS):
        out[at + COUNCIL + row] = b.council[row] * COUNCIL_SCALE
    for material in range(MATERIALS):
        out[at + STOCK + material] = stock(b, material) * STOCK_SCALE
    for column in range(SIDE):
        out[at + POWERED + column] = (b.powered >> column) & 1


@kernel
def _add(out, at, spaces, amount):
    """Add an amount on every space of a set."""
    while some(spaces):
        out[at + first(spaces)] += amount
        spaces = rest(spaces)


@kernel
def _see_borough(s, b, viewer, out, at):
    """The spaces of a borough: tiles, things, and their state."""
    tiles = of(b.firsts)
    while some(tiles):
        t = first(tiles)
        _see_tile(b, t, out, at)
        tiles = rest(tiles)
    for p in range(s.rules.players):
        _add(out, at + THING, of(b.citizens[p]), (1 + (p - viewer) % s.rules.players) / THINGS)
    _add(out, at + THING, of(b.worked), WORKED / THINGS)
    for material in range(MATERIALS):
        _add(out, at + THING, of(b.materials[material]), (FIRST_MATERIAL + material) / THINGS)
    _add(out, at + CONDITION, of(b.cemetery), CEMETERY * STATE_SCALE)
    _add(out, at + CONDITION, of(b.markers), MARKER * STATE_SCALE)
    _add(out, at + CONDITION, of(b.godzilla), GODZILLA * STATE_SCALE)
    _add(out, at + CONDITION, of(b.mayor), MAYOR * STATE_SCALE)
    _add(out, at + CONDITION, of(b.fresh), FRESH * STATE_SCALE)
    _add(out, at + CONDITION, of(b.growing), GROWING * STATE_SCALE)
    _add(out, at + CONDITION, of(b.growing_later), LATER * STATE_SCALE)


@kernel
def _see_tile(b, t, out, at):
    """The kind on each space of a tile, and which of its spaces it is."""
    part = 0
    left = tile(b.way[t], t)
    while some(left):
        part += 1
        out[at + TILE + first(left)] = b.kind[t] * TILE_SCALE
        out[at + PART + first(left)] = part * PART_SCALE
        left = rest(left)
