"""Where citizens go, who moves in, who dies (Phases 3 and 6)."""

from smallcity_env.rules import actions
from smallcity_env.rules._jit import kernel
from smallcity_env.rules.borough import at_place, hall, kind_at, label
from smallcity_env.rules.modules.mayor import audience
from smallcity_env.rules.people import mine, people_on_tiles, place_at
from smallcity_env.rules.spaces import both, count, has, of, some
from smallcity_env.rules.tables import (
    DEATH_LEVELS,
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
from smallcity_env.rules.tables.tiles import TILES, Kind
from smallcity_env.rules.tables.winter import SPECIALIST_VOTES
from smallcity_env.rules.turns import playing

from .figures import WORK_AT
from .outlook import finale, outlook
from .pledge import pledges
from .schema import LEVELS, Work

A, B, C, D = range(4)  # the labels of a commercial tile (C1)


# -- what a visit brings


@kernel
def visit(s, p, k, space, w, f):
    """What a citizen of p brings who works on a space of borough k this round."""
    b = s.borough[k]
    kind = kind_at(b, space)
    row = TILES[kind]
    if row.family == Family.RESIDENTIAL:
        return row.level * f.vote
    if row.family == Family.COMMERCIAL:
        return _shop(label(b, space), w, f)
    if row.family == Family.FACTORY:
        return _mill(s, p, k, space, w, f)
    if kind == Kind.BANK:
        return f.pay[Work.BANK]
    if row.place == Place.OPERA:
        return f.pay[Work.OPERA] + best_home(f) * f.vote
    if row.place == Place.MUSEUM and k == p and b.card == Card.ARTIST:
        return SPECIALIST_VOTES * f.vote
    if row.place == Place.CLINIC:
        return _clinic(s, p, w, f)
    if row.place == Place.RECYCLING:
        used = some(both(both(mine(s, p, p), of(b.worked)), at_place(s, p, Place.RECYCLING)))
        return 0.0 if used else f.pay[Work.RECYCLING]
    return f.pay[WORK_AT[row.place]] if WORK_AT[row.place] >= 0 else 0.0


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
    """What a trade brings more than the material is worth (P4.2)."""
    money = TRADE_MONEY[material] * (f.coin + f.thrift)
    gain = money if for_money else TRADE_VOTES[material] * f.vote
    useful = 1 if f.goods[material] <= f.need[material] else w.glut
    return gain - useful * f.good[material] - f.hoard


@kernel
def _mill(s, p, k, space, w, f):
    """A factory space: its material if there is room for it, less the smoke (P4.3, P6.1)."""
    b = s.borough[k]
    busy = both(both(mine(s, p, p), of(s.borough[p].worked)), of(s.borough[p].family[Family.FACTORY]))
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
    """What one more pollution this round costs: nothing while the parks have more than enough to do."""
    return w.pollution if f.clean == 0 and people_on_tiles(s, p) >= f.parks else 0.0


@kernel
def best_home(f):
    """The highest level of a home that can be used."""
    for i in range(LEVELS):
        if f.homes[LEVELS - i] > 0:
            return LEVELS - i
    return 0


@kernel
def _clinic(s, p, w, f):
    """The Clinic prevents a death, if one is to be feared (P6.3)."""
    b = s.borough[p]
    nurses = both(both(mine(s, p, p), of(b.worked)), at_place(s, p, Place.CLINIC))
    if some(nurses):
        return 0.0
    made = people_on_tiles(s, p) - f.parks
    feared = 0
    for level in DEATH_LEVELS:
        feared += b.pollution < level <= b.pollution + made
    if s.round_no >= SMOG_ROUND and made > 0 and _dirtiest(s, p):
        feared += 1
    return w.death + f.pay[Work.CLINIC] if feared > 0 else 0.0


@kernel
def _dirtiest(s, p):
    """Whether nobody else has a higher level now."""
    for q in range(s.rules.players):
        if playing(s, q) and s.borough[q].pollution > s.borough[p].pollution:
            return False
    return True


# -- moving


@kernel
def _next(place, f):
    """What the later rounds hold for a citizen who stands at such a place now."""
    return f.from_home if place == Place.RESIDENTIAL else f.from_work


@kernel
def _goal(s, p, k, space, w, f):
    """A place to go to: what it brings now, where it leads, who listens to the Mayor."""
    b = s.borough[k]
    place = place_at(b, space)
    value = visit(s, p, k, space, w, f) + _next(place, f)
    if k != p:
        value += pollution_price(s, p, w, f) + w.host * (w.pollution - TOURIST_FEE * f.coin)
    elif s.rules.mayor and some(both(of(b.mayor), hall(b))) and has(audience(b), space):
        value += f.vote
    if k == p and kind_at(b, space) == Kind.RESIDENTIAL_1 and f.waiting > 0:
        value -= w.keep_small
    return value


@kernel
def judge_move(s, p, legal, w, f, value):
    """Every goal at home, the best one abroad, or to stay where he is."""
    for space in range(SPACES):
        if legal[actions.AT + space]:
            value[actions.AT + space] = _goal(s, p, p, space, w, f)
    for k in range(s.rules.players):
        if legal[actions.SEAT + k]:
            value[actions.SEAT + k] = _best_abroad(s, p, k, w, f)
    _count_living(s, p, legal, w, f, value)
    if s.where_ == p:
        value[actions.NO] = _next(place_at(s.borough[p], s.space), f)
    else:
        value[actions.NO] = f.from_home - f.vote + pollution_price(s, p, w, f)


@kernel
def _count_living(s, p, legal, w, f, value):
    """In the last round whoever is abroad is not counted as living in the borough (T5, E3)."""
    if f.left > 0:
        return
    f.living += s.where_ != p
    here = pledges(f, w, f.votes, f.pollution) + finale(f)
    f.living -= 1
    away = pledges(f, w, f.votes, f.pollution) + finale(f)
    f.living += s.where_ == p
    for k in range(s.rules.players):
        if legal[actions.SEAT + k]:
            value[actions.SEAT + k] += away - here


@kernel
def _best_abroad(s, p, k, w, f):
    """The best goal in another borough."""
    best = -w.pollution
    here = place_at(s.borough[s.where_], s.space)
    free = of(s.free[k])
    for space in range(SPACES):
        if has(free, space) and place_at(s.borough[k], space) != here:
            best = max(best, _goal(s, p, k, space, w, f))
    return best


@kernel
def judge_abroad(s, p, legal, w, f, value):
    """Every goal in the borough he goes to."""
    for space in range(SPACES):
        if legal[actions.AT + space]:
            value[actions.AT + space] = _goal(s, p, s.row, space, w, f)


@kernel
def judge_home(s, p, legal, w, figures, value):
    """One more citizen at large votes now and works later, and pollutes: is he of use at all?"""
    figures[1] = figures[0]
    g = figures[1]
    g.waiting = 0
    g.career = 0
    before = outlook(g, w)
    g.active += 1
    g.at_home += 1
    gain = g.vote + outlook(g, w) - before
    for space in range(SPACES):
        if legal[actions.AT + space]:
            value[actions.AT + space] = gain


# -- dying and going away


@kernel
def judge_dies(s, p, legal, w, f, value):
    """The one with the least to look forward to."""
    for space in range(SPACES):
        if legal[actions.AT + space]:
            value[actions.AT + space] = -_next(place_at(s.borough[p], space), f)


@kernel
def judge_pilgrim(s, p, legal, w, f, value):
    """Someone of City Hall, if there is one: nobody else waits."""
    waits = hall(s.borough[p])
    for space in range(SPACES):
        if legal[actions.AT + space]:
            staying = 0.0 if has(waits, space) else _next(place_at(s.borough[p], space), f)
            value[actions.AT + space] = -staying
