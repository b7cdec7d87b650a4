"""What a city in figures will bring until the end of the game, in points of the score."""

from smallcity_env.rules._jit import kernel
from smallcity_env.rules.tables import ELIMINATED_AT, MATERIALS, Family, Victory
from smallcity_env.rules.tables.cards import (
    CITIZEN_WORTH,
    COMMERCIAL_WORTH,
    CULTURAL_WORTH,
    FACTORY_WORTH,
    HOME_WORTH,
    REAL_WORTH,
    SERVICE_WORTH,
)
from smallcity_env.rules.tables.tiles import KINDS, TILES, Kind

from .pledge import pledges
from .schema import LEVELS, WORKS

THIRD = 3  # public building
EVERY_OTHER = 2  # a place is used every other round
SAFE = 12  # pollution below the level at which a city is out that is still safe


@kernel
def outlook(f, w):
    """All that is to come and all that counts at the end, but for the votes and the pollution of now."""
    people = workforce(f, w)
    earned = earnings(f, w, people)
    dirt = made(f, w, people) * f.measures
    value = earned - w.pollution * dirt - w.doom * max(0, f.pollution + dirt - (ELIMINATED_AT - SAFE))
    value += cash(f, w) + stores(f, w) + standing(f, w) + finale(f)
    return value + w.promise * pledges(f, w, f.votes + earned, f.pollution + dirt)


@kernel
def workforce(f, w):
    """Citizens at work on average over the rounds left: small homes take in those of City Hall one after
    the other, and empty factory spaces bring others there (P3.3, P3.4)."""
    pumped = (w.pump * f.homes[1] + w.pump_built) * f.left
    if pumped <= 0:
        return f.active
    arriving = f.waiting + min(f.career, w.newcomers * w.cycle * f.jobs * f.left)
    entering = min(arriving, pumped)
    return f.active + w.hall * (entering - entering * entering / (pumped + pumped))


@kernel
def earnings(f, w, people):
    """Citizens go home and to work by turns, each to places of his own, the best first (P3.1)."""
    work, places = _work(f, people)
    busy = min(people, places)
    home = _home(f, busy) + w.idle_home * (_home(f, people) - _home(f, busy))
    home *= w.home * f.vote
    odd = f.left % EVERY_OTHER
    going_home = max(f.active - f.at_home, 0) / max(f.active, 1)
    last = EVERY_OTHER * (going_home * home + (1 - going_home) * work)
    return w.cycle * ((f.left - odd) * (home + work) + odd * last)


@kernel
def _work(f, people):
    """What so many citizens earn at work, and how many find a place."""
    total, places = 0.0, 0.0
    for i in range(WORKS):
        work = f.order[i]
        n = min(f.rooms[work], people - places)
        if n > 0:
            total += n * f.pay[work]
            places += n
    return total, places


@kernel
def _home(f, people):
    """The votes so many citizens give at home."""
    votes, left = 0.0, people
    for i in range(LEVELS):
        level = LEVELS - i
        n = min(f.homes[level], left)
        votes += n * level
        left -= n
    return votes


@kernel
def made(f, w, people):
    """Pollution of people a round; that of production is in what it pays (P6.1)."""
    if f.clean > 0:
        return 0.0
    planned = w.plan_parks * f.plans
    return max(people - f.abroad - f.parks - planned, 0) + f.residual


@kernel
def cash(f, w):
    """What money is worth: more than can be used well is worth less."""
    use = w.money_use * f.phases
    return f.coin * (min(f.money, use) + w.money_spare * max(0, f.money - use))


@kernel
def stores(f, w):
    """What the stored materials are worth."""
    total = 0.0
    for material in range(MATERIALS):
        n = f.goods[material]
        total += f.good[material] * (min(n, f.need[material]) + w.glut * max(0, n - f.need[material]))
    return total


@kernel
def standing(f, w):
    """Buildings that help to build, for the rounds left, and what a personality is fond of."""
    helps = w.public * f.publics + w.storage * f.store
    helps += w.public_3 * (f.publics >= THIRD) + w.public_4 * (f.publics > THIRD)
    helps += w.refinery * f.built[Kind.REFINERY] + w.harbor * f.built[Kind.HARBOR]
    helps += w.metro * f.built[Kind.METRO]
    helps -= w.room * max(0, w.room_wanted * f.phases - f.empty)
    fond = w.love_homes * f.spread[Family.RESIDENTIAL] + w.love_shops * f.spread[Family.COMMERCIAL]
    fond += w.love_mills * f.spread[Family.FACTORY] + w.love_parks * f.spread[Family.PARK]
    return helps * f.phases + fond + w.love_culture * cultural(f)


@kernel
def cultural(f):
    """Cultural buildings."""
    n = 0.0
    for kind in range(1, KINDS):
        n += TILES[kind].cultural * (f.built[kind] - f.lost[kind])
    return n


@kernel
def finale(f):
    """What counts at the end where votes do not win (AD1)."""
    if f.victory == Victory.ECONOMICS:
        return COMMERCIAL_WORTH * f.spread[Family.COMMERCIAL] + FACTORY_WORTH * f.spread[Family.FACTORY]
    if f.victory == Victory.POPULATION:
        return CITIZEN_WORTH * f.living + HOME_WORTH * f.spread[Family.RESIDENTIAL]
    if f.victory == Victory.CULTURE:
        services = f.built[Kind.POLICE] + f.built[Kind.FIRE] - f.lost[Kind.POLICE] - f.lost[Kind.FIRE]
        real = f.built[Kind.BIG_BEN] + f.built[Kind.OPERA] - f.lost[Kind.BIG_BEN] - f.lost[Kind.OPERA]
        return CULTURAL_WORTH * cultural(f) + SERVICE_WORTH * services + REAL_WORTH * real
    return 0.0


@kernel
def total(f, w):
    """The score a city is heading for: what it has and its outlook."""
    return f.vote * f.votes - f.pollution + outlook(f, w)
