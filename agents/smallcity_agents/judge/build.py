"""What to build (P2.2, P7.5), where, and which way round."""

from smallcity_env.rules import actions
from smallcity_env.rules._jit import kernel
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.borough import cells
from smallcity_env.rules.modules.power_plants import powered_columns
from smallcity_env.rules.spaces import COLUMN, both, count, either, first, fits, of, rest, some, tile, without
from smallcity_env.rules.tables import GROW_COST, SIDE, Family, Phase
from smallcity_env.rules.tables.tiles import TILES, Kind

from .land import MOST, home_land, reached, site, survey
from .outlook import outlook
from .works import oldest, pay_for, raise_tile, raise_upgrade


@kernel
def judge_what(s, p, legal, w, figures, value):
    """Each build by what it changes; to stop keeps the build."""
    now = outlook(figures[0], w) + figures[0].vote * figures[0].votes
    for action in range(actions.BUILD, actions.ENLARGE + 1):
        if legal[action]:
            value[action] = _after(s, p, action, w, figures) - now
    value[actions.NO] = w.build if s.phase == Phase.BUILD else 0


@kernel
def _after(s, p, action, w, figures):
    """The city's worth after a build."""
    figures[1] = figures[0]
    g = figures[1]
    free = s.council_size > 0
    if action == actions.ENLARGE:
        g.money -= GROW_COST
        _more_room(s.borough[p], g)
    elif action >= actions.UPGRADE:
        kind = action - actions.UPGRADE + 1
        old = oldest(s.borough[p], kind)
        raise_upgrade(g, kind, old)
        if not free:
            pay_for(s, p, kind, TILES[kind].spaces - TILES[old].spaces, g)
    elif action - actions.BUILD + 1 >= Kind.PLANT_1:
        return _with_plant(s, p, action - actions.BUILD + 1, w, g)
    else:
        kind = action - actions.BUILD + 1
        raise_tile(g, kind)
        if not free:
            pay_for(s, p, kind, TILES[kind].spaces, g)
    return outlook(g, w) + g.vote * g.votes


@kernel
def _more_room(b, g):
    """The zone one size larger."""
    g.empty += b.size_ + b.size_ + 1


@kernel
def _with_plant(s, p, kind, w, g):
    """A plant: land under power, as far as it is wanted (PP2)."""
    level = TILES[kind].level
    b = s.borough[p]
    g.money -= TILES[kind].money
    g.plants += 1
    g.columns += level
    powered = count(both(without(of(b.zone), of(b.tiled)), powered_columns(b)))
    wanted = max(0, w.room_wanted * g.phases - powered)
    gain = min(level * b.size_, wanted)
    return outlook(g, w) + g.vote * g.votes + w.power * gain * g.phases


# -- where, and which way round


@kernel
def judge_where(s, p, legal, w, figures, value):
    """Each space by the best way the tile seems to lie on it: the next question says if it does."""
    if s.kind >= Kind.PLANT_1 and s.kind <= Kind.PLANT_3:
        _judge_columns(s, p, legal, value)
        return
    b = s.borough[p]
    sets = survey(b)
    row = TILES[s.kind]
    for action in range(actions.BUILD):
        value[action] = -ACTIONS
    for i in range(row.ways):
        spots = fits(row.way[i], _floor(s, b, sets))
        while some(spots):
            anchor = first(spots)
            spots = rest(spots)
            if legal[actions.AT + anchor] and _lies(s, b, row.way[i], anchor, sets):
                worth = _place(s, p, row.way[i], anchor, w, figures, sets)
                value[actions.AT + anchor] = max(value[actions.AT + anchor], worth)


@kernel
def _floor(s, b, sets):
    """Empty land, for homes out of the factories' shadow; for an upgrade the tiles of its family too."""
    family = TILES[s.kind].family
    floor = sets[-2]
    if s.upgrade != 0:
        floor = either(floor, of(b.family[family]))
    return without(floor, sets[-1]) if family == Family.RESIDENTIAL else floor


@kernel
def _lies(s, b, way, anchor, sets):
    """Whether an upgrade covers one whole tile, and public buildings reach a residence (P2.4, P2.5)."""
    spaces = tile(way, anchor)
    row = TILES[s.kind]
    if s.upgrade != 0:
        old = both(spaces, of(b.tiled))
        if not some(old) or some(without(old, cells(b, b.first[first(old)]))):
            return False
        if some(without(cells(b, b.first[first(old)]), spaces)):
            return False
    return row.family != Family.RESIDENTIAL or reached(spaces, sets) >= min(row.level, MOST)


@kernel
def judge_way(s, p, legal, w, figures, value):
    """Each way round by the land it takes."""
    sets = survey(s.borough[p])
    row = TILES[s.kind]
    for i in range(row.ways):
        if legal[actions.WAY + i]:
            value[actions.WAY + i] = _place(s, p, row.way[i], s.anchor, w, figures, sets)


@kernel
def _place(s, p, way, anchor, w, figures, sets):
    """A tile in its place: its land and, for an upgrade, the tile it covers."""
    b = s.borough[p]
    spaces = tile(way, anchor)
    worth = site(s, p, b, s.kind, spaces, w, sets)
    if s.upgrade != 0:
        old = b.kind[b.first[first(both(spaces, of(b.tiled)))]]
        figures[1] = figures[0]
        raise_upgrade(figures[1], s.kind, old)
        if s.council_size == 0:
            pay_for(s, p, s.kind, TILES[s.kind].spaces - TILES[old].spaces, figures[1])
        worth += outlook(figures[1], w)
    return worth


@kernel
def _judge_columns(s, p, legal, value):
    """Plants stand where the most can be built, and homes best of all."""
    b = s.borough[p]
    open_land = without(of(b.zone), of(b.tiled))
    good = both(open_land, home_land(b))
    for col in range(SIDE):
        if legal[actions.AT + col]:
            for c in range(col, min(col + TILES[s.kind].level, SIDE)):
                column = of(COLUMN[c])
                value[actions.AT + col] += count(both(open_land, column)) + count(both(good, column))
