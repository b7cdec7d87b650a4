"""The legal answers to every question that the position alone decides, written from the rule text.

The questions of Phase 3 also depend on how the turn began: they are in legal.py. Builds are in builds.py.
"""

from collections.abc import Callable
from typing import Any

from smallcity_env.rules import actions
from smallcity_env.rules.tables import SIDE, Ask, Card, Family, Material, Pay, Row, Store, Way
from smallcity_env.rules.tables.cards import ADVANCE_COST
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.tiles import Kind
from tests.reference.builds import Site
from tests.reference.position import Cells, Standing, Town, adjacent, influence, spaces_of, towns

STEP = {Way.NORTH: (-1, 0), Way.EAST: (0, 1), Way.SOUTH: (1, 0), Way.WEST: (0, -1)}
ACROSS, DOWN = 1, SIDE  # the second space of a pair, counted from the first
NO = {actions.NO}


def at(spaces: Any) -> set[int]:
    """Spaces as answers."""
    return {actions.AT + space for space in spaces}


def pair_starts(floor: set[int]) -> set[int]:
    """The first spaces of all adjacent pairs within `floor`."""
    return {x for x in floor if _pair(x, ACROSS) <= floor or _pair(x, DOWN) <= floor}


def pair_ways(floor: set[int], first: int) -> set[int]:
    """The directions of a pair from its first space: way 1 across, way 2 down."""
    return {actions.WAY + i for i, step in enumerate((ACROSS, DOWN)) if _pair(first, step) <= floor}


def _pair(first: int, step: int) -> set[int]:
    outside = {-1}
    over_the_edge = step == ACROSS and first % SIDE == SIDE - 1
    return outside if over_the_edge else {first, first + step}


def ahead(space: int, way: Way) -> int:
    """The space one step on, -1 beyond the map."""
    row, col = divmod(space, SIDE)
    down, right = STEP[way]
    inside = 0 <= row + down < SIDE and 0 <= col + right < SIDE
    return (row + down) * SIDE + col + right if inside else -1


def connected(cells: set[int]) -> bool:
    """Whether the set is connected by adjacent spaces."""
    if not cells:
        return True
    reached: set[int] = {min(cells)}
    while grown := (adjacent(frozenset(reached)) & cells) - reached:
        reached |= grown
    return reached == cells


def group_of(cells: set[int], space: int) -> set[int]:
    """The spaces of a set connected with one of them."""
    reached = {space}
    while grown := (adjacent(frozenset(reached)) & cells) - reached:
        reached |= grown
    return reached


def pilgrim(state: Any, town: Town) -> set[int]:
    """Where the Pilgrim stands in a borough, a tram excepted."""
    if town.board is not Board.ULAANBAATAR or state["pilgrim"] == 0:
        return set()
    return {int(state["pilgrim"]) - 1} - {town.tram}


def pilgrim_rides(state: Any, town: Town, colour: int) -> bool:
    """Whether one of the riders of a colour on a tram is the Pilgrim."""
    here = town.board is Board.ULAANBAATAR and town.tram >= 0 and state["pilgrim"] == town.tram + 1
    return bool(here and state["pilgrim_of"] == colour)


# -- the set-up and Phase 1


def _difficulty(state: Any) -> set[int]:
    return {actions.PROMISE + i for i in range(3)}  # more cards in each pile than players (SU3)


def _host(state: Any) -> Town:
    return Town(state, int(state["host"]))


def _asked(state: Any) -> Town:
    return Town(state, int(state["seat"]))


def _street(state: Any) -> set[int]:
    return at(pair_starts(_host(state).empty()))


def _street_way(state: Any) -> set[int]:
    return pair_ways(_host(state).empty(), int(state["space"]))


def _speech(state: Any) -> set[int]:
    return at(pair_starts(_host(state).free_in_hall()))


def _speech_way(state: Any) -> set[int]:
    return pair_ways(_host(state).free_in_hall(), int(state["space"]))


def _card(state: Any) -> set[int]:
    """P1.2, M3."""
    laid = {card for card in Card if card and state["circle"][card]}
    town = _asked(state)
    room = town.free_in_hall() | (town.mayor & town.hall)
    if state["rules"]["mayor"] and not pair_starts(room):
        laid.discard(Card.MAYOR)
    return {int(actions.CARD_ID[card]) for card in laid}


def _support(state: Any) -> set[int]:
    return {actions.PAY + Pay.MONEY, actions.PAY + Pay.VOTES}


def _engineer(state: Any) -> set[int]:
    """G11."""
    return {actions.OLD_EFFECT} | ({actions.CLEAN} if _asked(state).markers else set())


def _clean(state: Any) -> set[int]:
    """G11: no group is split."""
    markers = _asked(state).markers
    return at(x for x in markers if connected(group_of(markers, x) - {x}))


# -- Phases 4 and 5


def _trade(state: Any) -> set[int]:
    town = _asked(state)
    return {actions.MATERIAL + m for m in Material if town.stock(m)} | NO


def _take_from(state: Any) -> set[int]:
    """T7: from a plain space, City Hall or a warehouse, the port among them."""
    town = _asked(state)
    lying = [x for x, material in town.goods.items() if material == state["product"]]
    return {actions.STORE + _store_of(town, x) for x in lying}


def _store_of(town: Town, space: int) -> Store:
    """What kind of store a material lies in."""
    if town.tile_at(space) is None:
        return Store.PLAIN
    return Store.CITY_HALL if space in town.hall else Store.WAREHOUSE


def _product(state: Any) -> set[int]:
    k = int(state["product_from"]) - 1
    waiting = state["goods"] if k < 0 else state["goods_abroad"][k]
    return {actions.MATERIAL + m for m in Material if waiting[m] > 0}


def _tourist(state: Any) -> set[int]:
    return {actions.SEAT + k for k in range(4) if state["goods_abroad"][k].sum() > 0}


def _store(state: Any) -> set[int]:
    town = _asked(state)
    warehouse = {actions.STORE + Store.WAREHOUSE} if town.free_stores() else set()
    hall = {actions.STORE + Store.CITY_HALL} if town.free_in_hall() else set()
    return warehouse | hall


def _stone(state: Any) -> set[int]:
    """TB3: an empty plain space in the factory's Influence Area; C3: never a 25th stone."""
    loose = [x for town in towns(state) for x in town.goods if not town.tile_at(x)]
    assert len(loose) < 24
    town = _asked(state)
    factory = town.tile_at(int(state["space"]))
    assert factory is not None and factory.card.family is Family.FACTORY
    return at(x for x in influence(factory.cells) & town.empty() if town.map[x] == ".")


def _salary(state: Any) -> set[int]:
    return ({actions.YES} if _asked(state).money >= 2 else set()) | NO


def _revive(state: Any) -> set[int]:
    return at(_asked(state).graves)


def _park_grows(state: Any) -> set[int]:
    """AS5: the park and one more empty space make the shape of the next level."""
    town = _asked(state)
    park = town.tile_at(int(state["space"]))
    assert park is not None and park.card.family is Family.PARK
    return at(x for x in adjacent(park.cells) & town.empty() if _is_corner(park, x))


def _is_corner(park: Standing, space: int) -> bool:
    """Level 2 is any pair; the three spaces of level 3 do not lie in a line."""
    cells = park.cells | {space}
    rows, cols = {x // SIDE for x in cells}, {x % SIDE for x in cells}
    return len(cells) == 2 or (len(rows) == 2 and len(cols) == 2)


# -- Phase 6


def _arrive(state: Any) -> set[int]:
    """G3, G4: pairs of markers, lone markers, or the biggest factories."""
    town = _asked(state)
    if town.markers:
        return at(pair_starts(town.markers) or town.markers)
    factories = [tile for tile in town.tiles if tile.card.family is Family.FACTORY]
    level = max(tile.card.level for tile in factories)
    return at(tile.first for tile in factories if tile.card.level == level)


def _arrive_beside(state: Any) -> set[int]:
    town, here = _asked(state), int(state["space"])
    if pair_starts(town.markers):
        return at({here + ACROSS, here + DOWN} & adjacent(frozenset({here})) & town.markers)
    if state["rules"]["godzillas_2016"] and not town.markers:
        refinery = {x for tile in town.all_of(Kind.REFINERY) for x in tile.cells}
        return at(town.zone() - {here} - refinery)  # G13
    return at(adjacent(frozenset({here})) & town.zone())


def _start(state: Any) -> Cells:
    """G6: the tile of G3, the tile both its spaces lie on, or the spaces themselves."""
    town = _asked(state)
    under = [town.tile_at(x) for x in sorted(town.godzilla)]
    first_time = not town.markers and not state["stayed"]
    if first_time:
        kept = frozenset(spaces_of(state["start"]))
        arrived = {tile.cells for tile in under if tile and _attracts(tile)}
        assert kept in arrived, "it starts from a Harbor or factory it stands on (G3)"
        return kept
    tile = under[0]
    return tile.cells if tile and town.godzilla <= tile.cells else frozenset(town.godzilla)


def _attracts(tile: Standing) -> bool:
    return tile.kind is Kind.HARBOR or tile.card.family is Family.FACTORY


def _ways_out(state: Any, space: int) -> set[Way]:
    zone, start = _asked(state).zone(), _start(state)
    return {way for way in Way if ahead(space, way) in zone - start}


def _leave(state: Any) -> set[int]:
    return at(x for x in _start(state) if _ways_out(state, x))


def _leave_way(state: Any) -> set[int]:
    return {actions.HEADING + way for way in _ways_out(state, int(state["space"]))}


def _turn(state: Any) -> set[int]:
    """G7: sideways, where no marker is if the other side has one."""
    town, head, heading = _asked(state), int(state["head"]), Way(int(state["heading"]))
    sides = [Way((heading + 1) % 4), Way((heading + 3) % 4)]
    open_sides = [way for way in sides if ahead(head, way) in town.zone()]
    unmarked = [way for way in open_sides if ahead(head, way) not in town.markers]
    return {actions.HEADING + way for way in unmarked or open_sides}


def _dies(state: Any) -> set[int]:
    """P6.4: City Hall only when no other is left."""
    town = _asked(state)
    own = {x for x, p in town.people.items() if p == town.seat} - pilgrim(state, town)
    if town.riders[town.seat] - pilgrim_rides(state, town, town.seat) > 0:
        own.add(town.tram)
    return at(own - town.hall or own)


def _grave(state: Any) -> set[int]:
    town = _asked(state)
    near = adjacent(frozenset(town.graves)) & town.empty()
    return at(near or town.empty())


# -- Phases 7 and 8


def _column(town: Town, row: int) -> int:
    """The column a disc would reach in a row, 0 when none can (P7.1)."""
    if town.council[row]:
        return (town.council[row] + 1) % 5
    return 1 if len([c for c in town.council if c]) < 2 else 0


def _payments(state: Any, row: int) -> set[int]:
    """P7.2, RB1."""
    town = _asked(state)
    column = _column(town, row)
    cost = int(ADVANCE_COST[column])
    paid = column > 0 and state["advances"] > 0
    ways = {Pay.MONEY} if paid and town.money >= cost else set()
    ways |= {Pay.VOTES} if paid and town.votes >= cost else set()
    ways |= {Pay.NOTHING} if column > 0 and state["free_advances"] > 0 else set()
    return {actions.PAY + pay for pay in ways}


def _row(state: Any) -> set[int]:
    return {actions.ROW + row for row in Row if _payments(state, row)} | NO


def _pay(state: Any) -> set[int]:
    return _payments(state, int(state["council_row"]))


def _doctor(state: Any) -> set[int]:
    return {actions.YES, actions.NO}


def _send_pilgrim(state: Any) -> set[int]:
    """AS9: anyone in the borough; from City Hall not the one who has just come back to it."""
    town = _asked(state)
    own = {x for x, p in town.people.items() if p == town.seat}
    if town.riders[town.seat]:
        own.add(town.tram)
    came_back = int(state["sender"]) == town.seat + 1 and int(state["returned"]) == 1
    if came_back and len(own & town.hall) == 1:
        own -= town.hall
    return at(own)


# -- builds


def _what(state: Any) -> set[int]:
    return Site(state).what()


def _where(state: Any) -> set[int]:
    return Site(state).where()


def _way(state: Any) -> set[Cells]:
    return Site(state).ways()


QUESTIONS: dict[Ask, Callable[[Any], Any]] = {
    Ask.DIFFICULTY: _difficulty, Ask.WHAT: _what, Ask.WHERE: _where, Ask.WAY: _way,
    Ask.STREET: _street, Ask.STREET_WAY: _street_way, Ask.CARD: _card, Ask.SUPPORT: _support,
    Ask.TRADE: _trade, Ask.TAKE_FROM: _take_from, Ask.PRODUCT: _product, Ask.STORE: _store,
    Ask.TOURIST: _tourist,
    Ask.DIES: _dies, Ask.GRAVE: _grave, Ask.ROW: _row, Ask.PAY: _pay,
    Ask.SPEECH: _speech, Ask.SPEECH_WAY: _speech_way, Ask.ENGINEER: _engineer, Ask.CLEAN: _clean,
    Ask.DOCTOR: _doctor, Ask.SALARY: _salary, Ask.REVIVE: _revive, Ask.STONE: _stone,
    Ask.PARK_GROWS: _park_grows, Ask.PILGRIM: _send_pilgrim, Ask.ARRIVE: _arrive,
    Ask.ARRIVE_BESIDE: _arrive_beside, Ask.LEAVE: _leave, Ask.LEAVE_WAY: _leave_way, Ask.TURN: _turn,
}  # fmt: skip
