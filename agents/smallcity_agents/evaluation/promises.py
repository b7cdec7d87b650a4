"""The chance of keeping a promise (section 13), from the features of a city."""

from typing import Final

import numpy as np

from smallcity_env.library import dispatch, kernel
from smallcity_env.rules.tables import MATERIALS, Family, every
from smallcity_env.rules.tables.cards import BROKEN, SPECIAL_BROKEN, SPECIAL_WORTH, WORTH
from smallcity_env.rules.tables.promises import HIGH, LOW, METRIC, NEEDS, STANDING, TOWER_LEVEL, Metric
from smallcity_env.rules.tables.tiles import CULTURAL_KINDS, HOME_KINDS, TILES, Kind


@kernel
def cultural_count(f):
    """The number of cultural buildings."""
    n = 0.0
    for kind in CULTURAL_KINDS:
        n += f.built[kind] - f.lost[kind]
    return n


@kernel
def _homes(f, metric):
    """Towers, or the highest level of a home."""
    n = 0.0
    for kind in HOME_KINDS:
        level, counted = TILES[kind].level, f.built[kind] - f.lost[kind]
        if metric == Metric.TOWERS:
            n += (level >= TOWER_LEVEL) * counted
        elif counted > 0:
            n = max(n, level)
    return n


def _standing(kind: int) -> str:
    """The number of tiles of a kind that count, as code."""
    return f"f.built[{kind:d}] - f.lost[{kind:d}]"


_PACES: Final = {  # of metrics that are tiles of a kind
    Metric.SCHOOL: 0.5, Metric.LIBRARY: 0.4, Metric.UNIVERSITY: 0.3, Metric.POLICE: 0.5, Metric.FIRE: 0.4,
    Metric.RECYCLING: 0.5, Metric.FACTORIES_3: 0.4,
}  # fmt: skip
MEASURES: Final = {  # the metrics of promises from the features, and how much a round can add to each
    Metric.POLLUTION: ("pollution", 3.0),
    Metric.VOTES: ("votes", 3.0),
    Metric.MONEY: ("f.money", 4.0),
    Metric.LIVING: ("f.living", 1.0),
    Metric.USABLE_PARKS: ("f.parks", 2.0),
    Metric.HOMES: (f"f.spaces[{Family.RESIDENTIAL:d}]", 2.0),
    Metric.COMMERCIAL_SPACES: (f"f.spaces[{Family.COMMERCIAL:d}]", 1.5),
    Metric.FACTORY_SPACES: (f"f.spaces[{Family.FACTORY:d}]", 2.0),
    Metric.TILE_SPACES: ("f.tiled", 5.0),
    Metric.GAPS: ("f.gaps", 5.5),
    Metric.GRAVES: ("f.graves", 0.05),
    Metric.MUSEUM_GUESTS: ("f.guests", 1.0),
    Metric.TRAM_RIDERS: ("f.riders", 1.0),
    Metric.PLANTS: ("f.plants", 0.7),
    Metric.POWERED: ("f.columns", 1.5),
    Metric.AIRPORT: (f"{_standing(Kind.AIRPORT_8)} + {_standing(Kind.AIRPORT_9)}", 0.3),
    Metric.MATERIALS: (" + ".join(f"f.goods[{material}]" for material in range(MATERIALS)), 1.2),
    Metric.CULTURAL: ("cultural_count(f)", 0.7),
    Metric.TOWERS: ("homes(f, metric)", 0.4),
    Metric.HIGHEST_HOME: ("homes(f, metric)", 0.6),
    **{m: (_standing(int(STANDING[m])), _PACES.get(m, 1.0)) for m in Metric if STANDING[m]},
}
every(set(Metric) - {Metric.NOTHING}, MEASURES, "measure in evaluation/promises.py")
PACE = np.ones(len(Metric))
for _metric, (_, _pace) in MEASURES.items():
    PACE[_metric] = _pace
measure = dispatch(
    "f, metric, votes, pollution",
    "metric",
    {metric: [f"return {value}"] for metric, (value, _) in MEASURES.items()},
    {"cultural_count": cultural_count, "homes": _homes},
    last="return 0.0",
)


@kernel
def promise_value(f, w, votes, pollution):
    """The expected points of the player's promises (E1), given the expected final votes and pollution."""
    value = 0.0
    if f.promise > 0:
        stake = WORTH[f.difficulty] + BROKEN[f.difficulty]
        value += stake * _chance(f, w, f.promise, votes, pollution) - BROKEN[f.difficulty]
    if f.special > 0:
        stake = SPECIAL_WORTH + SPECIAL_BROKEN
        value += stake * _chance(f, w, f.special, votes, pollution) - SPECIAL_BROKEN
    return value


@kernel
def _chance(f, w, number, votes, pollution):
    """The chance of keeping a promise: what is missing compared with what the rounds left can add."""
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
