"""Power plants: nine rounds, and every tile needs a powered column (PP1 - PP3)."""

from ...language import lazy, lazy_n
from ...library import kernel
from .. import actions
from ..borough import building_money
from ..spaces import TOP_ROW, WEST_COLUMN, WORD, ZERO, Spaces, columns, nonempty, of
from ..supply import at_hand, take_tile
from ..tables import POWER_ROUNDS, Card
from ..tables.cards import MEDIATOR_SAVES
from ..tables.declare import Expansion, PromiseCard, Tile
from ..tables.expansions import PLANTS_IN_HAND
from ..tables.shapes import LEFT, WIDTH
from ..tables.tiles import PLANT_KINDS, TILES, Kind
from ..turns import mover

EXPANSION = Expansion(
    rules="PP1 - PP3 [S]",
    tiles=(
        Tile(
            "PLANT_1", "N1", (), "RSS", money=4, supply=12, level=1, plant=True,
             title=lazy("Power Plant 1")
        ),
        Tile("PLANT_2", "N2", (), "RSS", money=6, supply=8, level=2, plant=True,
             title=lazy("Power Plant 2")),
        Tile("PLANT_3", "N3", (), "RSS", money=8, supply=4, level=3, plant=True,
             title=lazy("Power Plant 3")),
    ),
    promises=(
        PromiseCard(37, lazy("Grid"), ("plants >= 3",), 6),
        PromiseCard(38, lazy("Reactor"), ("powered >= 7",), 12),
    ),
)  # fmt: skip
ABOUT = lazy_n(
    "{n} round; every tile needs a powered column when it is built. Promises 37 and 38.",
    "{n} rounds; every tile needs a powered column when it is built. Promises 37 and 38.",
    POWER_ROUNDS,
)
WIDEST = int(WIDTH.max())
_POWER = lazy("Every tile but City Hall needs a powered column when it is built.")
TILE_HELP = dict.fromkeys((Kind.PLANT_1, Kind.PLANT_2, Kind.PLANT_3), _POWER)


@kernel
def set_up(s):
    """One plant of each level in every hand (PP2)."""
    for kind in PLANT_KINDS:
        s.supply[kind] = max(s.supply[kind] - PLANTS_IN_HAND * s.rules.players, 0)


@kernel
def _below(columns):
    """Every space of some columns, given as bits of the top row."""
    half = columns * WEST_COLUMN
    return Spaces(half, half)


@kernel
def powered_columns(b):
    """Every space below a plant."""
    return _below(WORD(b.powered))


@kernel
def powered_spots(b, way):
    """The anchors where a tile this way round covers a powered column."""
    powered, width = WORD(b.powered), WIDTH[way]
    columns = ZERO
    for c in range(WIDEST):  # without a branch: the width of the next tile is hard to predict
        columns |= (powered >> WORD(c)) * WORD(c < width)
    return _below((columns << WORD(LEFT[way])) & TOP_ROW)


@kernel
def price(s, p, kind):
    """The money a plant costs; the Mediator helps (P1.3 C)."""
    saves = MEDIATOR_SAVES if s.borough[p].card == Card.MEDIATOR else 0
    return TILES[kind].money - saves


@kernel
def _free_columns(b):
    """The columns of the zone that have no plant, as bits of the top row (PP2)."""
    return columns(of(b.zone)) & ~WORD(b.powered)


@kernel
def _starts(free, level):
    """Where a plant of a level can begin above free columns."""
    first = free
    for c in range(1, level):
        first &= free >> WORD(c)
    return first


@kernel
def spots(s, p, kind):
    """Where a plant can begin, in the top row: above columns of the zone that have none (PP2)."""
    return Spaces(_starts(_free_columns(s.borough[p]), TILES[kind].level), ZERO)


@kernel
def within_reach(s, p, kind):
    """Whether a plant is in hand, or in the supply once that one is built (PP2)."""
    return s.borough[p].plants[TILES[kind].level - 1] == 0 or at_hand(s, p, kind)


@kernel
def _to_be_had(s, p, kind):
    """Whether a plant can be paid and is within reach."""
    return price(s, p, kind) <= building_money(s.borough[p]) and within_reach(s, p, kind)


@kernel
def may_build(s, p, kind):
    """Whether a plant is within reach, can be paid and fits."""
    return _to_be_had(s, p, kind) and nonempty(spots(s, p, kind))


@kernel
def legal_plants(s, legal):
    """Offer the plants that can be built (PP2)."""
    p = mover(s)
    free = _free_columns(s.borough[p])
    for kind in PLANT_KINDS:
        fits = _starts(free, TILES[kind].level) != ZERO
        legal[actions.BUILD_ID[kind]] = fits and _to_be_had(s, p, kind)


@kernel
def build(s):
    """Place the plant above its columns."""
    p = mover(s)
    b = s.borough[p]
    i = TILES[s.kind].level - 1
    b.money -= price(s, p, s.kind)
    if b.plants[i] > 0:
        take_tile(s, p, s.kind)
    b.plants[i] += 1
    for col in range(s.anchor, s.anchor + TILES[s.kind].level):
        b.powered |= 1 << col
    s.kind = Kind.NONE
    s.anchor = 0
