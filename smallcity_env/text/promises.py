"""What a promise asks for, in words, from the tables of the rules."""

from typing import Final

from ..language import _, lazy
from ..rules.tables.counted import both
from ..rules.tables.promises import FILLED_SQUARE, NO_LIMIT, TOWER_LEVEL, Metric, Need, Promise

_ONE: Final = {  # buildings that stand or do not
    Metric.SCHOOL: lazy("a School"),
    Metric.LIBRARY: lazy("a Library"),
    Metric.UNIVERSITY: lazy("a University"),
    Metric.POLICE: lazy("a Police Station"),
    Metric.FIRE: lazy("a Fire Station"),
    Metric.AIRPORT: lazy("an Airport"),
    Metric.BANK: lazy("a Bank"),
    Metric.RECYCLING: lazy("a Recycling Center"),
    Metric.TRAMWAY: lazy("a Tramway Station"),
    Metric.FACTORIES_3: lazy("a factory of level 3"),
}
COUNTED: Final = {
    Metric.POLLUTION: lazy("pollution"),
    Metric.USABLE_PARKS: lazy("usable park spaces"),
    Metric.HOMES: lazy("residential spaces"),
    Metric.MONEY: lazy("dollars"),
    Metric.LIVING: lazy("living citizens in the borough"),
    Metric.FACTORY_SPACES: lazy("factory spaces"),
    Metric.COMMERCIAL_SPACES: lazy("commercial spaces"),
    Metric.CULTURAL: lazy("cultural buildings"),
    Metric.MATERIALS: lazy("materials"),
    Metric.TILE_SPACES: lazy("spaces under tiles"),
    Metric.VOTES: lazy("votes"),
    Metric.TOWERS: lazy("homes of level {level} or more", level=TOWER_LEVEL),
    Metric.MUSEUM_GUESTS: lazy("citizens in the Museum"),
    Metric.PLANTS: lazy("power plants"),
    Metric.POWERED: lazy("powered columns"),
    Metric.TRAM_RIDERS: lazy("citizens at the Tramway Station"),
    Metric.GRAVES: lazy("graves"),
    Metric.GAPS: lazy("spaces without a tile in the first {side} x {side}", side=FILLED_SQUARE),
    Metric.HIGHEST_HOME: lazy("levels in the highest home"),
}
_NONE: Final = {
    Metric.GAPS: lazy("a tile on every space of the first {side} x {side}", side=FILLED_SQUARE),
    Metric.GRAVES: lazy("no graves"),
}


def conditions(promise: Promise) -> str:
    """All that must hold at the end for a promise to be kept.

    >>> from smallcity_env.rules.tables.promises import BY_NUMBER
    >>> conditions(BY_NUMBER[13])
    'no graves and at least 8 living citizens in the borough'
    """
    return str(both(map(_condition, promise.needs)))


def _condition(need: Need) -> str:
    """One condition in words."""
    metric, least = Metric(need.metric), need.low > -NO_LIMIT
    what = metric_words(metric)
    if least and need.low == 1 and metric not in COUNTED:
        return what
    if least and metric is Metric.HIGHEST_HOME:
        return _("a home of level {level} or more", level=need.low)
    if least:
        return _("at least {n} {things}", n=need.low, things=what)
    if need.high:
        return _("at most {n} {things}", n=need.high, things=what)
    return str(_NONE.get(metric) or _("no {things}", things=what))


def metric_words(metric: Metric) -> str:
    """What a promise counts."""
    words = COUNTED.get(metric) or _ONE.get(metric)
    return str(words) if words else _("a {building}", building=metric.name.replace("_", " ").title())
