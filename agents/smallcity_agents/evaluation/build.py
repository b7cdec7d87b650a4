"""Value builds (P2.2, P7.5), their sites and their orientation."""

from smallcity_env.library import kernel
from smallcity_env.rules import actions
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.borough import cells
from smallcity_env.rules.modules.moments import total
from smallcity_env.rules.modules.power_plants import powered_columns
from smallcity_env.rules.spaces import COLUMN, count, each, first, fits, nonempty, of, tile
from smallcity_env.rules.tables import GROW_COST, SIDE, Family, Phase
from smallcity_env.rules.tables.tiles import TILES

from .deltas import add_tile, covered_kind, enlarge, pay_for, upgrade_tile
from .sites import MAX_PUBLICS, home_land, influence, publics_near, site_value
from .value import future_value


@kernel
def evaluate_what(s, p, legal, w, features, value):
    """Each build by the value it adds; stopping by the value of an unused build."""
    now = future_value(features[0], w) + features[0].vote * features[0].votes
    for action in range(actions.BUILD, ACTIONS):
        if legal[action] and action != actions.NO:
            value[action] = _after(s, p, action, w, features) - now
    value[actions.NO] = w.build if s.phase == Phase.BUILD else 0


@kernel
def _after(s, p, action, w, features):
    """The value of the city after a build."""
    features[1] = features[0]
    g = features[1]
    free = s.council_size > 0
    if action == actions.ENLARGE:
        g.money -= GROW_COST
        enlarge(s.borough[p], g)
    elif actions.UPGRADE <= action < actions.ENLARGE:
        kind = actions.KIND_OF[action]
        old = covered_kind(s.borough[p], kind)
        upgrade_tile(g, kind, old)
        if not free:
            pay_for(s, p, kind, TILES[kind].spaces - TILES[old].spaces, g)
    elif TILES[actions.KIND_OF[action]].plant != 0:
        return _with_plant(s, p, actions.KIND_OF[action], w, g)
    else:
        kind = actions.KIND_OF[action]
        add_tile(g, kind)
        if not free:
            pay_for(s, p, kind, TILES[kind].spaces, g)
        return _of_expansions(s, p, kind, g) + future_value(g, w) + g.vote * g.votes
    return future_value(g, w) + g.vote * g.votes


_of_expansions = total("tile_value", "s, p, kind, f")  # expansions value their own tiles


@kernel
def _with_plant(s, p, kind, w, g):
    """The value after a power plant: more powered land, up to what is needed (PP2)."""
    level = TILES[kind].level
    b = s.borough[p]
    g.money -= TILES[kind].money
    g.plants += 1
    g.columns += level
    powered = count((of(b.zone) - of(b.tiled)) & powered_columns(b))
    needed = max(0, w.room_wanted * g.phases - powered)
    gain = min(level * b.zone_side, needed)
    return future_value(g, w) + g.vote * g.votes + w.power * gain * g.phases


# -- sites and orientation


@kernel
def evaluate_where(s, p, legal, w, features, value):
    """Each anchor by the best orientation that seems to fit; the next question has the exact mask."""
    if TILES[s.kind].plant != 0:
        _evaluate_columns(s, p, legal, value)
        return
    b = s.borough[p]
    sets = influence(b)
    row = TILES[s.kind]
    for action in range(actions.BUILD):
        value[action] = -ACTIONS
    for i in range(row.ways):
        for anchor in each(fits(row.way[i], _ground(s, b, sets))):
            if legal[actions.AT + anchor] and _fits(s, b, row.way[i], anchor, sets):
                here = placed(s, p, row.way[i], anchor, w, features, sets)
                value[actions.AT + anchor] = max(value[actions.AT + anchor], here)


@kernel
def _ground(s, b, sets):
    """Empty land and, for an upgrade, tiles of its family; for homes only away from factories."""
    family = TILES[s.kind].family
    ground = sets[-2]
    if s.upgrade != 0:
        ground |= of(b.family[family])
    return ground - sets[-1] if family == Family.RESIDENTIAL else ground


@kernel
def _fits(s, b, way, anchor, sets):
    """Whether an upgrade covers exactly one tile and a residence has its public buildings (P2.4, P2.5)."""
    spaces = tile(way, anchor)
    row = TILES[s.kind]
    if s.upgrade != 0:
        old = spaces & of(b.tiled)
        if not nonempty(old) or nonempty(old - cells(b, b.first[first(old)])):
            return False
        if nonempty(cells(b, b.first[first(old)]) - spaces):
            return False
    return row.family != Family.RESIDENTIAL or publics_near(spaces, sets) >= min(row.level, MAX_PUBLICS)


@kernel
def placed(s, p, way, anchor, w, features, sets):
    """The value of a tile in its place: its site and, for an upgrade, the tile it covers."""
    b = s.borough[p]
    spaces = tile(way, anchor)
    value = site_value(s, p, b, s.kind, spaces, w, sets)
    if s.upgrade != 0:
        old = b.kind[b.first[first(spaces & of(b.tiled))]]
        features[1] = features[0]
        upgrade_tile(features[1], s.kind, old)
        if s.council_size == 0:
            pay_for(s, p, s.kind, TILES[s.kind].spaces - TILES[old].spaces, features[1])
        value += future_value(features[1], w)
    return value


@kernel
def _evaluate_columns(s, p, legal, value):
    """Columns of a power plant by their open land; land fit for homes counts twice."""
    b = s.borough[p]
    open_land = of(b.zone) - of(b.tiled)
    good = open_land & home_land(b)
    for col in range(SIDE):
        if legal[actions.AT + col]:
            for c in range(col, min(col + TILES[s.kind].level, SIDE)):
                column = of(COLUMN[c])
                value[actions.AT + col] += count(open_land & column) + count(good & column)
