"""Value moves, new homes and deaths of citizens (Phases 3 and 6)."""

from smallcity_env.library import kernel
from smallcity_env.rules.borough import at_place, hall, kind_at, label
from smallcity_env.rules.modules.mayor import audience
from smallcity_env.rules.people import mine, people_on_tiles, place_at
from smallcity_env.rules.phases.pollution import highest
from smallcity_env.rules.spaces import count, has, nonempty, of
from smallcity_env.rules.tables import (
    DEATH_LEVELS,
    HOME_VOTES,
    MATERIALS,
    SHOP_MONEY,
    SHOP_VOTES,
    SMOG_ROUND,
    SPACES,
    TOURIST_FEE,
    Card,
    Family,
    Place,
)
from smallcity_env.rules.tables.cards import TRADE_MONEY, TRADE_VOTES
from smallcity_env.rules.tables.expansions import SPECIALIST_VOTES
from smallcity_env.rules.tables.tiles import TILES, Kind

from .features import WORKPLACE_AT
from .promises import promise_value
from .schema import LEVELS, Workplace
from .value import final_bonus, future_value

A, B, C, D = range(4)  # the labels of a commercial tile (C1)


# -- visits


@kernel
def visit(s, p, k, space, w, f):
    """The value of a citizen of p working on a space of borough k this round."""
    b = s.borough[k]
    kind = kind_at(b, space)
    row = TILES[kind]
    if row.family == Family.RESIDENTIAL:
        return HOME_VOTES[row.level] * f.vote
    if row.family == Family.COMMERCIAL:
        return _shop(label(b, space), w, f)
    if row.family == Family.FACTORY:
        return _factory(s, p, k, space, w, f)
    if kind == Kind.BANK:
        return f.pay[Workplace.BANK]
    if row.place == Place.OPERA:
        return f.pay[Workplace.OPERA] + best_home(f) * f.vote
    if row.place == Place.MUSEUM and k == p and b.card == Card.ARTIST:
        return SPECIALIST_VOTES * f.vote
    if row.place == Place.CLINIC:
        return _clinic(s, p, w, f)
    if row.place == Place.RECYCLING:
        used = nonempty(mine(s, p, p) & of(b.worked) & at_place(s, p, Place.RECYCLING))
        return 0.0 if used else f.pay[Workplace.RECYCLING]
    return f.pay[WORKPLACE_AT[row.place]] if WORKPLACE_AT[row.place] >= 0 else 0.0


@kernel
def _shop(number, w, f):
    """A commercial space (P4.2): money, a trade for money, votes, a trade for votes."""
    if number == A:
        return SHOP_MONEY * (f.coin + f.thrift)
    if number == C:
        return SHOP_VOTES * f.vote
    best = 0.0
    for material in range(MATERIALS):
        if f.goods[material] > 0:
            best = max(best, trade(material, number == B, w, f))
    return best


@kernel
def trade(material, for_money, w, f):
    """The gain of a trade less the value of the material (P4.2)."""
    money = TRADE_MONEY[material] * (f.coin + f.thrift)
    gain = money if for_money else TRADE_VOTES[material] * f.vote
    useful = 1 if f.goods[material] <= f.need[material] else w.glut
    return gain - useful * f.good[material] - f.hoard


@kernel
def trade_here(s, material, w, f):
    """The value of a trade at the shop being asked about."""
    return trade(material, label(s.borough[s.asked_borough], s.space) == B, w, f)


@kernel
def _factory(s, p, k, space, w, f):
    """A factory space: its material if it can be stored, less the pollution (P4.3, P6.1)."""
    b = s.borough[k]
    busy = mine(s, p, p) & of(s.borough[p].worked) & of(s.borough[p].family[Family.FACTORY])
    material = label(b, space)
    useful = 1.0 if f.goods[material] < f.need[material] else w.glut
    value = useful * f.good[material] + f.hoard if f.store > count(busy) else 0.0
    if s.borough[p].card == Card.PHYSICIAN and k == p and kind_at(b, space) == Kind.FACTORY_3:
        value += SPECIALIST_VOTES * f.vote
    if k != p:
        return value
    if not (b.card == Card.ENGINEER and b.cleaned == 0):
        value -= w.smoke * pollution_price(s, p, w, f)
    if f.career > 0 and f.hall_room > 0 and f.jobs <= f.hall_room:
        value -= w.open_job
    return value


@kernel
def pollution_price(s, p, w, f):
    """The cost of one more pollution this round: nothing while parks absorb it."""
    return w.pollution if f.clean == 0 and people_on_tiles(s, p) >= f.parks else 0.0


@kernel
def best_home(f):
    """The highest level of a usable home."""
    for i in range(LEVELS):
        if f.homes[LEVELS - i] > 0:
            return LEVELS - i
    return 0


@kernel
def _clinic(s, p, w, f):
    """The Clinic prevents a death if one is to be feared (P6.3)."""
    b = s.borough[p]
    nurses = mine(s, p, p) & of(b.worked) & at_place(s, p, Place.CLINIC)
    if nonempty(nurses):
        return 0.0
    made = people_on_tiles(s, p) - f.parks
    feared = 0
    for level in DEATH_LEVELS:
        feared += b.pollution < level <= b.pollution + made
    if s.round_no >= SMOG_ROUND and made > 0 and highest(s, p):
        feared += 1
    return w.death + f.pay[Workplace.CLINIC] if feared > 0 else 0.0


# -- moving


@kernel
def later_value(place, f):
    """The value of later rounds for a citizen who ends this one at such a place."""
    return f.from_home if place == Place.RESIDENTIAL else f.from_work


@kernel
def destination(s, p, k, space, w, f):
    """The value of a destination: this visit, the rounds after it, and the Mayor's audience."""
    b = s.borough[k]
    place = place_at(b, space)
    value = visit(s, p, k, space, w, f) + later_value(place, f)
    if k != p:
        value += pollution_price(s, p, w, f) + w.host * (w.pollution - TOURIST_FEE * f.coin)
    elif s.rules.mayor and nonempty(of(b.mayor) & hall(b)) and has(audience(b), space):
        value += f.vote
    if k == p and kind_at(b, space) == Kind.RESIDENTIAL_1 and f.waiting > 0:
        value -= w.keep_small
    return value


@kernel
def staying(s, p, w, f):
    """The value of not moving; abroad, of going home."""
    if s.asked_borough == p:
        return later_value(place_at(s.borough[p], s.space), f)
    return f.from_home - f.vote + pollution_price(s, p, w, f)


@kernel
def living_away(s, p, w, f):
    """In the last round a citizen abroad does not count as living in the borough (T5, E3)."""
    if f.left > 0:
        return 0.0
    f.living += s.asked_borough != p
    here = promise_value(f, w, f.votes, f.pollution) + final_bonus(f)
    f.living -= 1
    away = promise_value(f, w, f.votes, f.pollution) + final_bonus(f)
    f.living += s.asked_borough == p
    return away - here


@kernel
def best_abroad(s, p, k, w, f):
    """The best destination in another borough."""
    best = -w.pollution
    here = place_at(s.borough[s.asked_borough], s.space)
    free = of(s.free[k])
    for space in range(SPACES):
        if has(free, space) and place_at(s.borough[k], space) != here:
            best = max(best, destination(s, p, k, space, w, f))
    return best


@kernel
def home_gain(w, features):
    """One more active citizen votes now and works later, but pollutes."""
    features[1] = features[0]
    g = features[1]
    g.waiting = 0
    g.career = 0
    before = future_value(g, w)
    g.active += 1
    g.at_home += 1
    return g.vote + future_value(g, w) - before


# -- the Pilgrim, Tourists


@kernel
def pilgrim(s, p, space, f):
    """The value of sending a citizen away: best from City Hall."""
    b = s.borough[p]
    return 0.0 if has(hall(b), space) else -later_value(place_at(b, space), f)


@kernel
def tourist(s, k, f):
    """The value of a Tourist's most valuable product (P4.3)."""
    best = 0.0
    for material in range(MATERIALS):
        if s.goods_abroad[k, material] > 0:
            best = max(best, 1 + f.good[material])
    return best
