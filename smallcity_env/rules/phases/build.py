"""Phase 2: build (section 5), and the questions of a build in any phase: what, where, which way."""

import numpy as np

from ...language import lazy, lazy_n
from ...library import inlined, kernel
from .. import actions, modules
from ..borough import spend
from ..placing import all_spots, finish, growing, has_spot, may_build, site, ways_round
from ..prices import larger_within_means, most_money, purse, within_means
from ..questions import Question
from ..spaces import NOWHERE, as_set, each, of, put
from ..supply import at_hand
from ..tables import BUILDS, GROW_COST, SIDE, Ask, Phase
from ..tables.tiles import BOUGHT_KINDS, COUNCIL_KINDS, KINDS, TILES, UPGRADING_KINDS, Kind
from ..turns import enter, mover, next_turn, start_turns, turns_over
from ..zone import can_grow
from .screens import conceal, reveal

DONE = 1  # stage of a turn: the player is done
BOUGHT, GRANTED, UPGRADES = (
    np.isin(np.arange(KINDS), kinds) for kinds in (BOUGHT_KINDS, COUNCIL_KINDS, UPGRADING_KINDS)
)
BOUGHT_SET, GRANTED_SET = as_set(BOUGHT_KINDS), as_set(COUNCIL_KINDS)


@kernel
def proceed(s):
    """In turn order, each behind a screen (P2.1)."""
    if s.turn < 0:
        conceal(s)
        start_turns(s)
        begin_turn(s)
    elif turns_over(s):
        reveal(s)
        _forget_turn(s)
        enter(s, Phase.MOVE)
    elif s.stage == DONE:
        put(s.borough[mover(s)].just_built, NOWHERE)
        next_turn(s)
        begin_turn(s)
    else:
        s.ask = Ask.WHAT


@kernel
def begin_turn(s):
    """Three builds, or one enlargement (P2.2)."""
    s.builds = BUILDS
    s.enlarged = 0
    s.architect_used = 0


@kernel
def _forget_turn(s):
    """Clear the fields of the last turn."""
    s.builds = 0
    s.enlarged = 0
    s.architect_used = 0


# -- what


@kernel
def legal_what(s, legal):
    """Offer every build that fits and can be paid, enlarging the zone, or stopping (P2.2)."""
    legal[actions.NO] = True
    if s.phase != Phase.BUILD:
        _legal_council_build(s, legal)
        return
    if s.rules.power_plants:
        modules.legal_plants(s, legal)
    p = mover(s)
    if s.builds > 0 and s.enlarged == 0 and modules.has_power(s, p):
        _legal_builds(s, legal)
    if s.builds == BUILDS and s.enlarged == 0 and can_grow(s, p):
        legal[actions.ENLARGE] = s.borough[p].money >= GROW_COST


@kernel
def _legal_builds(s, legal):
    """New tiles and upgrades paid for in Phase 2."""
    p = mover(s)
    here, means = site(s.borough[p]), purse(s.borough[p])
    money = most_money(s, p, means)
    for kind in each(of(BOUGHT_SET) & modules.kinds_in_play(s, p) & within_means(s, p, means, money)):
        if _bought(s, p, kind, means, here):
            legal[actions.BUILD_ID[kind]] = True
    _legal_upgrades(s, legal, SIDE, money, here)


@inlined
def _bought(s, p, kind, means, here):
    """Whether a new tile of this game can be bought in Phase 2."""
    if modules.may_have(s, p, kind) and may_build(s, p, kind, means):
        return has_spot(s, p, kind, False, here)
    return False


@inlined
def _legal_upgrades(s, legal, size, money, here):
    """Upgrades to tiles of at most this many spaces."""
    p = mover(s)
    ground = growing(s.borough[p], here)
    for kind in each(larger_within_means(s.borough[p], ground.upgradable, money)):
        if _upgraded(s, p, kind, size, ground):
            legal[actions.UPGRADE_ID[kind]] = True


@inlined
def _upgraded(s, p, kind, size, here):
    """Whether a tile can be upgraded to this kind, of at most `size` spaces."""
    row = TILES[kind]
    if 1 < row.level <= size and not modules.park_limits(s, p, kind) and at_hand(s, p, kind):
        return has_spot(s, p, kind, True, here)
    return False


@kernel
def _legal_council_build(s, legal):
    """What the Construction row builds: small tiles of the base game, and the service buildings (P7.5)."""
    p = mover(s)
    here, means = site(s.borough[p]), purse(s.borough[p])
    money = most_money(s, p, means)
    for kind in each(of(GRANTED_SET) & within_means(s, p, means, money)):
        if _granted(s, p, kind, means, here):
            legal[actions.BUILD_ID[kind]] = True
    _legal_upgrades(s, legal, s.council_size, money, here)


@inlined
def _granted(s, p, kind, means, here):
    """Whether the council builds a new tile."""
    if TILES[kind].spaces <= s.council_size and not modules.park_limits(s, p, kind):
        return may_build(s, p, kind, means) and has_spot(s, p, kind, False, here)
    return False


@kernel
def is_legal(s, kind, upgrade):
    """Whether this tile, not a Power Plant, is an answer to `what`: one flag of its mask."""
    p, buying = mover(s), s.phase == Phase.BUILD
    if buying and (s.builds == 0 or s.enlarged != 0):
        return False
    here, means = site(s.borough[p]), purse(s.borough[p])
    if upgrade:
        return UPGRADES[kind] and _upgraded(s, p, kind, SIDE if buying else s.council_size, here)
    if buying:
        return BOUGHT[kind] and modules.in_play(s, kind) and _bought(s, p, kind, means, here)
    return GRANTED[kind] and _granted(s, p, kind, means, here)


@kernel
def apply_what(s, action):
    """Begin a build, enlarge the zone, or end the turn."""
    p = mover(s)
    if action == actions.NO:
        s.council_size = 0
        if s.phase == Phase.BUILD:
            s.stage = DONE
    elif action == actions.ENLARGE:
        spend(s.borough[p], GROW_COST)
        s.enlarged = 1
        modules.enlarge(s, p)
        if not s.rules.power_plants:
            s.stage = DONE
    else:
        s.kind = actions.KIND_OF[action]
        s.upgrade = 1 if actions.UPGRADE <= action < actions.ENLARGE else 0
        s.ask = Ask.WHERE


# -- where, and which way round


@kernel
def spots(s):
    """Every space the tile asked for can begin on."""
    if TILES[s.kind].plant != 0:
        return modules.plant_spots(s)
    return all_spots(s, mover(s), s.kind, s.upgrade != 0)


@kernel
def apply_where(s, action):
    """Take the tile's first space."""
    s.anchor = action - actions.AT
    if TILES[s.kind].plant != 0:
        modules.build_plant(s)
    else:
        s.ask = Ask.WAY


@kernel
def legal_way(s, legal):
    """Offer the ways round the tile can lie on its space."""
    count = TILES[s.kind].ways
    ways = 1  # the only one lies on its space, or that would not be an answer to `where`
    if count > 1:
        ways = ways_round(s, mover(s), s.kind, s.upgrade != 0, s.anchor)
    for i in range(count):
        legal[actions.WAY + i] = (ways >> i) & 1


@kernel
def apply_way(s, action):
    """Lay the tile."""
    way = TILES[s.kind].way[action - actions.WAY]
    counted = s.phase == Phase.BUILD and s.warehouse_due == 0
    hall = s.kind == Kind.CITY_HALL
    finish(s, mover(s), way)
    if counted:
        s.builds -= 1
    if hall:
        next_turn(s)


@kernel
def bring_warehouse(s):
    """The Warehouse that comes with a new Factory, before anything else, if it fits anywhere (P2.9, RU5)."""
    p = mover(s)
    if has_spot(s, p, Kind.WAREHOUSE, False, site(s.borough[p])):
        s.kind = Kind.WAREHOUSE
        s.ask = Ask.WHERE
    else:
        s.warehouse_due = 0


QUESTIONS = [
    Question(
        Ask.WHAT,
        (Phase.SELECT, Phase.BUILD, Phase.COUNCIL),
        legal=legal_what,
        apply=apply_what,
        brief=lazy("what to build?"),
        asks=lazy("What do you build?"),
        help=lazy(
            "Up to {builds} a round, each a new tile or an upgrade, or instead one enlargement of the "
            "zone for ${price}. The others see it when all have built. Homes of level n need n different "
            "public buildings beside them and no factory; shops of level n need n homes; factories need "
            "no home, larger ones a Refinery or a Harbor. A new factory brings a Warehouse.",
            builds=lazy_n("{n} build", "{n} builds", BUILDS),
            price=GROW_COST,
        ),
        no=lazy("build no more"),
    ),
    Question(
        Ask.WHERE,
        (Phase.SETUP, Phase.SELECT, Phase.BUILD, Phase.COUNCIL),
        spaces=spots,
        apply=apply_where,
        brief=lazy("where to lay the {tile}?"),
        asks=lazy("Where does the {tile} go? Choose its first space: top row, leftmost."),
        help=lazy(
            "Any space offered can be the first one; which way round it lies is asked next, if there "
            "is a choice."
        ),
        at=lazy("lay the {tile} with its first space on {space}"),
    ),
    Question(
        Ask.WAY,
        (Phase.SETUP, Phase.SELECT, Phase.BUILD, Phase.COUNCIL),
        legal=legal_way,
        apply=apply_way,
        brief=lazy("which way round does the {tile} at {anchor} lie?"),
        asks=lazy("Which way round does the {tile} lie?"),
        help=lazy("Each answer names the spaces it would cover."),
    ),
]
