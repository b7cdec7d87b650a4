"""What a promise asks for, in words, from the tables of the rules."""

from typing import Final

from ..rules.tables.promises import FILLED_SQUARE, NO_LIMIT, TOWER_LEVEL, Metric, Need, Promise

_SQUARE: Final = f"the first {FILLED_SQUARE} x {FILLED_SQUARE}"
_ONE: Final = {  # buildings that stand or do not
    Metric.SCHOOL: "a School", Metric.LIBRARY: "a Library", Metric.UNIVERSITY: "a University",
    Metric.POLICE: "a Police Station", Metric.FIRE: "a Fire Station", Metric.AIRPORT: "an Airport",
    Metric.BANK: "a Bank", Metric.RECYCLING: "a Recycling Center", Metric.TRAMWAY: "a Tramway Station",
    Metric.FACTORIES_3: "a factory of level 3",
}  # fmt: skip
_COUNTED: Final = {
    Metric.POLLUTION: "pollution", Metric.USABLE_PARKS: "usable park spaces",
    Metric.HOMES: "residential spaces", Metric.MONEY: "dollars",
    Metric.LIVING: "living citizens in the borough", Metric.FACTORY_SPACES: "factory spaces",
    Metric.COMMERCIAL_SPACES: "commercial spaces", Metric.CULTURAL: "cultural buildings",
    Metric.MATERIALS: "materials", Metric.TILE_SPACES: "spaces under tiles", Metric.VOTES: "votes",
    Metric.TOWERS: f"homes of level {TOWER_LEVEL} or more", Metric.MUSEUM_GUESTS: "citizens in the Museum",
    Metric.PLANTS: "power plants", Metric.POWERED: "powered columns",
    Metric.TRAM_RIDERS: "citizens at the Tramway Station", Metric.GRAVES: "graves",
    Metric.GAPS: f"spaces without a tile in {_SQUARE}",
    Metric.HIGHEST_HOME: "levels in the highest home",
}  # fmt: skip
_NONE: Final = {Metric.GAPS: f"a tile on every space of {_SQUARE}", Metric.GRAVES: "no graves"}


def conditions(promise: Promise) -> str:
    """All that must hold at the end for a promise to be kept.

    >>> from smallcity_env.rules.tables.promises import BY_NUMBER
    >>> conditions(BY_NUMBER[13])
    'no graves and at least 8 living citizens in the borough'
    """
    return " and ".join(map(_condition, promise.needs))


def _condition(need: Need) -> str:
    """One condition in words."""
    metric, least = Metric(need.metric), need.low > -NO_LIMIT
    one = _ONE.get(metric) or f"a {metric.name.replace('_', ' ').title()}"
    if least and need.low == 1 and metric not in _COUNTED:
        return one
    if least and metric is Metric.HIGHEST_HOME:
        return f"a home of level {need.low} or more"
    what = _COUNTED.get(metric) or one.partition(" ")[2]
    if least:
        return f"at least {need.low} {what}"
    return _NONE.get(metric, f"no {what}") if need.high == 0 else f"at most {need.high} {what}"
