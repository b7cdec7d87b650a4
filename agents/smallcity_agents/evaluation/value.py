"""The value of a city until the end of the game, in points of the score, from its features."""

from typing import Any, Final

from smallcity_env.library import choose, kernel
from smallcity_env.rules.tables import ELIMINATED_AT, HOME_VOTES, MATERIALS, Family, Victory, every
from smallcity_env.rules.tables.cards import (
    CITIZEN_WORTH,
    COMMERCIAL_WORTH,
    CULTURAL_WORTH,
    FACTORY_WORTH,
    HOME_WORTH,
    REAL_WORTH,
    SERVICE_WORTH,
)
from smallcity_env.rules.tables.tiles import Kind

from .promises import cultural_count, promise_value
from .schema import LEVELS, WORKPLACES

SAFE = ELIMINATED_AT - 12  # expected pollution up to this is no danger


@kernel
def future_value(f, w):
    """The value of everything to come and of the end, except the present votes and pollution."""
    people = workforce(f, w)
    earned = earnings(f, w, people)
    dirt = pollution_made(f, w, people) * f.measures
    value = earned - w.pollution * dirt - w.doom * max(0, f.pollution + dirt - SAFE)
    value += money_value(f, w) + material_value(f, w) + building_value(f, w) + final_bonus(f)
    return value + w.promise * promise_value(f, w, f.votes + earned, f.pollution + dirt)


@kernel
def workforce(f, w):
    """Mean number of active citizens over the rounds left.

    Small homes take in the citizens of City Hall one by one; empty factory spaces bring new ones there
    (P3.3, P3.4).
    """
    capacity = (w.pump * f.homes[1] + w.pump_built) * f.left
    if capacity <= 0:
        return f.active
    arriving = f.waiting + min(f.career, w.newcomers * w.cycle * f.jobs * f.left)
    entering = min(arriving, capacity)
    return f.active + w.hall * (entering - entering * entering / (capacity + capacity))


@kernel
def earnings(f, w, people):
    """Earnings of citizens who alternate between home and work, filling the best places first (P3.1)."""
    work, places = _work(f, people)
    used = _home(f, min(people, places))
    home = used + w.idle_home * (_home(f, people) - used)
    home *= w.home * f.vote
    odd = f.left % 2
    going_home = max(f.active - f.at_home, 0) / max(f.active, 1)
    last = 2 * (going_home * home + (1 - going_home) * work)
    return w.cycle * ((f.left - odd) * (home + work) + odd * last)


@kernel
def _work(f, people):
    """The pay of this many citizens at work, and the number who find a place."""
    total, places = 0.0, 0.0
    for i in range(WORKPLACES):
        work = f.order[i]
        if places >= people:
            break
        n = min(f.rooms[work], people - places)
        if n > 0:
            total += n * f.pay[work]
            places += n
    return total, places


@kernel
def _home(f, people):
    """Votes of this many citizens at home."""
    votes, left = 0.0, people
    for i in range(LEVELS):
        if left == 0:
            break
        level = LEVELS - i
        n = min(f.homes[level], left)
        votes += n * HOME_VOTES[level]
        left -= n
    return votes


@kernel
def pollution_made(f, w, people):
    """Pollution of people per round; that of production is part of its pay (P6.1)."""
    if f.clean > 0:
        return 0.0
    planned = w.plan_parks * f.plans
    return max(people - f.abroad - f.parks - planned, 0) + f.residual


@kernel
def money_value(f, w):
    """The value of money, lower beyond what can be used well."""
    use = w.money_use * f.phases
    return f.coin * (min(f.money, use) + w.money_spare * max(0, f.money - use))


@kernel
def material_value(f, w):
    """The value of the stored materials."""
    total = 0.0
    for material in range(MATERIALS):
        n = f.goods[material]
        total += f.good[material] * (min(n, f.need[material]) + w.glut * max(0, n - f.need[material]))
    return total


@kernel
def building_value(f, w):
    """Buildings that help to build, for the rounds left, and the style of a personality."""
    helps = w.public * f.publics + w.storage * f.store
    helps += w.public_3 * (f.publics >= 3) + w.public_4 * (f.publics >= 4)
    helps += w.refinery * f.built[Kind.REFINERY] + w.harbor * f.built[Kind.HARBOR]
    helps += w.metro * f.built[Kind.METRO]
    helps -= w.room * max(0, w.room_wanted * f.phases - f.empty)
    style = w.love_homes * f.spaces[Family.RESIDENTIAL] + w.love_shops * f.spaces[Family.COMMERCIAL]
    style += w.love_mills * f.spaces[Family.FACTORY] + w.love_parks * f.spaces[Family.PARK]
    value = helps * f.phases + style
    return value + w.love_culture * cultural_count(f) if w.love_culture != 0 else value


@kernel
def _votes(f):
    """0: votes are already in the score."""
    return 0.0


@kernel
def _economics(f):
    """Shops and factories."""
    return COMMERCIAL_WORTH * f.spaces[Family.COMMERCIAL] + FACTORY_WORTH * f.spaces[Family.FACTORY]


@kernel
def _population(f):
    """Citizens and homes."""
    return CITIZEN_WORTH * f.living + HOME_WORTH * f.spaces[Family.RESIDENTIAL]


@kernel
def _culture(f):
    """Cultural, service and real buildings."""
    services = f.built[Kind.POLICE] + f.built[Kind.FIRE] - f.lost[Kind.POLICE] - f.lost[Kind.FIRE]
    real = f.built[Kind.BIG_BEN] + f.built[Kind.OPERA] - f.lost[Kind.BIG_BEN] - f.lost[Kind.OPERA]
    return CULTURAL_WORTH * cultural_count(f) + SERVICE_WORTH * services + REAL_WORTH * real


FINAL_BONUS: Final[dict[Victory, Any]] = {  # points at the end, by victory condition (AD1)
    Victory.VOTES: _votes,
    Victory.ECONOMICS: _economics,
    Victory.POPULATION: _population,
    Victory.CULTURE: _culture,
}
every(Victory, FINAL_BONUS, "rule in evaluation/value.py")
final_bonus = choose("f", "f.victory", FINAL_BONUS, "f")


@kernel
def expected_score(f, w):
    """The expected final score of a city."""
    return f.vote * f.votes - f.pollution + future_value(f, w)
