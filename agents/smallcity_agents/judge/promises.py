"""The chance that a promise will be kept (section 13), from the features of a city."""

import numpy as np

from smallcity_env.rules._jit import kernel
from smallcity_env.rules.tables import MATERIALS, Family
from smallcity_env.rules.tables.cards import BROKEN, SPECIAL_BROKEN, SPECIAL_WORTH, WORTH
from smallcity_env.rules.tables.promises import HIGH, LOW, METRIC, NEEDS, STANDING, TOWER_LEVEL, Metric
from smallcity_env.rules.tables.tiles import KINDS, TILES, Kind

PACE = np.ones(len(Metric))  # how much of a metric a round can add
for _metric, _pace in (
    (Metric.POLLUTION, 3.0),
    (Metric.USABLE_PARKS, 2.0),
    (Metric.SCHOOL, 0.5),
    (Metric.LIBRARY, 0.4),
    (Metric.HOMES, 2.0),
    (Metric.MONEY, 4.0),
    (Metric.LIVING, 1.0),
    (Metric.FACTORY_SPACES, 2.0),
    (Metric.GAPS, 5.5),
    (Metric.COMMERCIAL_SPACES, 1.5),
    (Metric.CULTURAL, 0.7),
    (Metric.HIGHEST_HOME, 0.6),
    (Metric.MATERIALS, 1.2),
    (Metric.GRAVES, 0.05),
    (Metric.TILE_SPACES, 5.0),
    (Metric.VOTES, 3.0),
    (Metric.TOWERS, 0.4),
    (Metric.UNIVERSITY, 0.3),
    (Metric.POLICE, 0.5),
    (Metric.FIRE, 0.4),
    (Metric.AIRPORT, 0.3),
    (Metric.RECYCLING, 0.5),
    (Metric.PLANTS, 0.7),
    (Metric.POWERED, 1.5),
    (Metric.FACTORIES_3, 0.4),
):
    PACE[_metric] = _pace


@kernel
def promise_value(f, w, votes, pollution):
    """The expected points of the own promises (E1), with votes and pollution as expected at the end."""
    value = 0.0
    if f.promise > 0:
        worth = WORTH[f.difficulty] + BROKEN[f.difficulty]
        value += worth * _chance(f, w, f.promise, votes, pollution) - BROKEN[f.difficulty]
    if f.special > 0:
        worth = SPECIAL_WORTH + SPECIAL_BROKEN
        value += worth * _chance(f, w, f.special, votes, pollution) - SPECIAL_BROKEN
    return value


@kernel
def _chance(f, w, number, votes, pollution):
    """The chance of keeping a promise: what is missing against what the rounds left can add."""
    chance = 1.0
    for i in range(NEEDS):
        metric = METRIC[number, i]
        if metric == Metric.NOTHING:
            continue
        n = measure(f, metric, votes, pollution)
        gap = max(LOW[number, i] - n, n - HIGH[number, i])
        if gap > 0:
            if f.councils <= 0:
                return 0.0
            pace = PACE[metric] * (1 + w.promise_pace * f.phases)
            chance *= max(0, 1 - gap / pace)
    return chance


@kernel
def measure(f, metric, votes, pollution):
    """The metric of a promise, from the features."""
    if STANDING[metric] != Kind.NONE:
        return f.built[STANDING[metric]] - f.lost[STANDING[metric]]
    if metric == Metric.POLLUTION:
        return pollution
    if metric == Metric.VOTES:
        return votes
    if metric == Metric.MONEY:
        return f.money
    if metric == Metric.LIVING:
        return f.living
    if metric == Metric.USABLE_PARKS:
        return f.parks
    if metric == Metric.HOMES:
        return f.spread[Family.RESIDENTIAL]
    if metric == Metric.COMMERCIAL_SPACES:
        return f.spread[Family.COMMERCIAL]
    if metric == Metric.FACTORY_SPACES:
        return f.spread[Family.FACTORY]
    if metric == Metric.TILE_SPACES:
        return f.tiled
    return _measure_more(f, metric)


@kernel
def _measure_more(f, metric):
    """The rarer metrics."""
    if metric == Metric.GAPS:
        return f.gaps
    if metric == Metric.GRAVES:
        return f.graves
    if metric == Metric.MUSEUM_GUESTS:
        return f.guests
    if metric == Metric.TRAM_RIDERS:
        return f.riders
    if metric == Metric.PLANTS:
        return f.plants
    if metric == Metric.POWERED:
        return f.columns
    if metric == Metric.AIRPORT:
        lost = f.lost[Kind.AIRPORT_8] + f.lost[Kind.AIRPORT_9]
        return f.built[Kind.AIRPORT_8] + f.built[Kind.AIRPORT_9] - lost
    n = 0.0
    if metric == Metric.MATERIALS:
        for material in range(MATERIALS):
            n += f.goods[material]
        return n
    for kind in range(1, KINDS):
        row, counted = TILES[kind], f.built[kind] - f.lost[kind]
        if metric == Metric.CULTURAL:
            n += row.cultural * counted
        elif row.family == Family.RESIDENTIAL and counted > 0:
            tall = row.level >= TOWER_LEVEL
            n = n + tall * counted if metric == Metric.TOWERS else max(n, row.level)
    return n
