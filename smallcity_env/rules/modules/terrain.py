"""Terrain boards: rivers that cost a material, mountains that give stones (TB1 - TB5)."""

from ...language import lazy
from ...library import kernel
from .. import actions
from ..borough import cells, empty, stored, unusable
from ..questions import Question
from ..spaces import NOWHERE, around, beside, count, first, nonempty, of, put, rest
from ..storage import put_on, store, warehouse_count
from ..tables import Ask, Material, Phase, Store, Terrain
from ..tables.expansions import PLAIN_STONES, RIVER_MATERIALS
from ..tables.maps import SORT, TERRAIN, Board, Sort
from ..tables.tiles import TILES, Kind
from ..turns import mover


@kernel
def rough(s, p):
    """Whether the ground of this board can ask for materials (TB1)."""
    return SORT[s.rules.board[p]] == Sort.TERRAIN


@kernel
def river(s, p):
    """River spaces that can be built on: not Bangkok's (TB2)."""
    if rough(s, p):
        return of(TERRAIN[s.rules.board[p], Terrain.RIVER])
    return NOWHERE


@kernel
def costly(s, p):
    """Spaces that a tile may have to pay for: on the river (TB2), or with a stone (TB4)."""
    b = s.borough[p]
    return (river(s, p) | stored(b)) - of(b.tiled)


@kernel
def ground(s, p, kind, land):
    """City Hall and a Warehouse that comes along stay off the river (SU2, P2.9); stones may be built
    over by a tile that costs stones (TB4)."""
    b = s.borough[p]
    if kind == Kind.CITY_HALL or s.warehouse_due > 0:
        return land - river(s, p)
    if TILES[kind].materials[Material.STONE] > 0:
        blocked = of(b.tiled) | of(b.mayor) | of(b.cemetery) | unusable(b)
        return land | ((of(b.zone) & stored(b)) - blocked)
    return land


@kernel
def may_cover(s, p, covered, stones):
    """No more stones on the ground than the tile is paid with (TB4)."""
    b = s.borough[p]
    return count(covered & stored(b)) <= stones


@kernel
def river_material(s, p):
    """What river spaces cost: wood on the easy side, stone on the expert side, -1 for nothing (TB2)."""
    board = s.rules.board[p]
    if board == Board.RIVER_EXPERT:
        return Material.STONE + 0
    return Material.WOOD + 0 if board == Board.RIVER_EASY else -1


@kernel
def price(s, p, covered, material):
    """One more material for each river space (TB2)."""
    return RIVER_MATERIALS * count(covered & river(s, p)) if material == river_material(s, p) else 0


@kernel
def stone_spaces(s, k, busy):
    """Factory spaces at work beside a mountain, anywhere on the map (TB3)."""
    return busy & beside(of(TERRAIN[s.rules.board[k], Terrain.MOUNTAIN]))


@kernel
def heaps(s):
    """Where the stone of the space being asked about may lie: empty plain in its factory's area (TB3)."""
    b = s.borough[mover(s)]
    factory = cells(b, b.first[s.space])
    return empty(b) & around(factory)


@kernel
def _stones_on_plain(s):
    """The stones that lie on plain spaces of all boroughs together (C3)."""
    n = 0
    for k in range(s.rules.players):
        n += count(of(s.borough[k].materials[Material.STONE]) - of(s.borough[k].tiled))
    return n


@kernel
def next_stone(s):
    """Ask about the next mountain stone, own ones first; return whether there was one (TB3, C3)."""
    p = mover(s)
    if nonempty(of(s.stones[p])):
        s.space = first(of(s.stones[p]))
        put(s.stones[p], rest(of(s.stones[p])))
        if nonempty(heaps(s)) and _stones_on_plain(s) < PLAIN_STONES:
            s.ask = Ask.STONE
        return True
    for k in range(s.rules.players):
        if nonempty(of(s.stones[k])):
            put(s.stones[k], rest(of(s.stones[k])))
            if warehouse_count(s.borough[k]) > 0:
                store(s.borough[k], Material.STONE, Store.WAREHOUSE)
            return True
    return False


@kernel
def apply_stone(s, action):
    """Place the stone on the plain space chosen (TB3)."""
    put_on(s.borough[mover(s)], Material.STONE, action - actions.AT)


QUESTIONS = [
    Question(
        Ask.STONE,
        (Phase.INCOME,),
        spaces=heaps,
        apply=apply_stone,
        brief=lazy("where does the mountain stone go?"),
        asks=lazy("Where does the mountain stone go?"),
        help=lazy("On an empty space beside the factory."),
        at=lazy("the mountain stone goes to {space}"),
    ),
]
