"""The end of the game: promises, victory conditions, ties (sections 12 and 13)."""

from typing import Any, Final

from ..library import choose, kernel
from .borough import at_place, cells, contaminated, unusable, works
from .people import living
from .phases.screens import secret
from .spaces import NOWHERE, SQUARE, count, each, of
from .storage import stock
from .tables import MATERIALS, Family, Place, Terrain, Victory, every
from .tables.cards import (
    BROKEN,
    CITIZEN_WORTH,
    COMMERCIAL_WORTH,
    CULTURAL_WORTH,
    FACTORY_WORTH,
    HOME_WORTH,
    REAL_WORTH,
    SERVICE_WORTH,
    SPECIAL_BROKEN,
    SPECIAL_WORTH,
    STORED_WORTH,
    WORTH,
)
from .tables.maps import TERRAIN
from .tables.promises import FILLED_SQUARE, HIGH, LOW, METRIC, NEEDS, STANDING, TOWER_LEVEL, Metric
from .tables.tiles import CULTURAL_KINDS, HOME_KINDS, TILES, Kind

# -- what counts (E3: whether contaminated or not, unless a card or the edition of 2016 says usable)


@kernel
def worthless(s, b):
    """Spaces that give no points: by the rules of 2016 those that are not usable (G13)."""
    return unusable(b) if s.rules.godzillas_2016 else NOWHERE


@kernel
def counting(s, b, family):
    """Spaces under tiles of a family that count."""
    return count(of(b.family[family]) - worthless(s, b))


@kernel
def counts_as(b, t):
    """The Kind a tile counts as by the rules of 2016, NONE if it does not count (G13).

    A contaminated cultural, service or real building does not count, a tile with levels has one for each
    usable space, and any other building stands while one of its spaces is usable.
    """
    kind = int(b.kind[t])
    left = count(cells(b, t) - unusable(b))
    if left == 0 or (TILES[kind].whole and contaminated(b, t)):
        return Kind.NONE + 0
    return kind - TILES[kind].level + left if TILES[kind].family != Family.OTHER else kind


@kernel
def standing(s, b, kind):
    """Tiles of a kind that count."""
    if not s.rules.godzillas_2016:
        return b.built[kind] + 0
    n = 0
    for t in each(b.firsts):
        n += counts_as(b, t) == kind
    return n


@kernel
def _cultural(s, b):
    """Cultural buildings that count."""
    n = 0
    for kind in CULTURAL_KINDS:
        if b.built[kind] > 0:
            n += standing(s, b, kind)
    return n


@kernel
def _materials(b):
    """All materials that lie in the borough, plain spaces too."""
    n = 0
    for material in range(MATERIALS):
        n += stock(b, material)
    return n


@kernel
def _highest_home(s, b):
    """The highest residential level that counts."""
    best = 0
    for kind in HOME_KINDS:
        if standing(s, b, kind) > 0:
            best = max(best, TILES[kind].level)
    return best


@kernel
def _towers(s, b):
    """Residential tiles of the level that makes a tower."""
    n = 0
    for kind in HOME_KINDS:
        if TILES[kind].level >= TOWER_LEVEL:
            n += standing(s, b, kind)
    return n


@kernel
def _guests(s, p):
    """Own citizens in the Museum; by the rules of 2016 it must not be contaminated (G13)."""
    b = s.borough[p]
    if s.rules.godzillas_2016 and not works(b, Kind.MUSEUM):
        return 0
    return count(of(b.citizens[p]) & at_place(s, p, Place.MUSEUM))


@kernel
def gaps(s, b, p):
    """Spaces of the zone in the square of promise 8 without a tile; river and ruined ones are exempt."""
    required = of(b.zone) & of(SQUARE[FILLED_SQUARE])
    ruined = unusable(b) - of(b.cemetery)
    exempt = of(TERRAIN[s.rules.board[p], Terrain.RIVER]) | ruined
    return count(required - of(b.tiled) - exempt)


@kernel
def _powered(b):
    """Powered columns."""
    n, columns = 0, b.powered
    while columns > 0:
        n += columns & 1
        columns >>= 1
    return n


@kernel
def _usable_parks(b):
    """Park spaces that are usable, whatever the edition."""
    return count(of(b.family[Family.PARK]) - unusable(b))


@kernel
def _airports(s, p):
    """Airports of both sizes."""
    b = s.borough[p]
    return standing(s, b, Kind.AIRPORT_8) + standing(s, b, Kind.AIRPORT_9)


@kernel
def _plants(s, p):
    """Power plants of all levels."""
    n = 0
    for plants in s.borough[p].plants:
        n += plants
    return n


def _of_kind(kind: int) -> Any:
    """The rule of a metric that asks for one building."""
    return kernel(lambda s, p: standing(s, s.borough[p], kind))


MEASURES: Final[dict[Metric, Any]] = {
    Metric.POLLUTION: kernel(lambda s, p: s.borough[p].pollution + 0),
    Metric.MONEY: kernel(lambda s, p: s.borough[p].money + 0),
    Metric.VOTES: kernel(lambda s, p: s.borough[p].votes + 0),
    Metric.USABLE_PARKS: kernel(lambda s, p: _usable_parks(s.borough[p])),
    Metric.HOMES: kernel(lambda s, p: counting(s, s.borough[p], Family.RESIDENTIAL)),
    Metric.COMMERCIAL_SPACES: kernel(lambda s, p: counting(s, s.borough[p], Family.COMMERCIAL)),
    Metric.FACTORY_SPACES: kernel(lambda s, p: counting(s, s.borough[p], Family.FACTORY)),
    Metric.TILE_SPACES: kernel(lambda s, p: count(of(s.borough[p].tiled) - worthless(s, s.borough[p]))),
    Metric.GRAVES: kernel(lambda s, p: count(of(s.borough[p].cemetery))),
    Metric.GAPS: kernel(lambda s, p: gaps(s, s.borough[p], p)),
    Metric.LIVING: kernel(lambda s, p: living(s.borough[p], p)),
    Metric.MUSEUM_GUESTS: _guests,
    Metric.TRAM_RIDERS: kernel(lambda s, p: s.borough[p].riders[p] + 0),
    Metric.MATERIALS: kernel(lambda s, p: _materials(s.borough[p])),
    Metric.POWERED: kernel(lambda s, p: _powered(s.borough[p])),
    Metric.CULTURAL: kernel(lambda s, p: _cultural(s, s.borough[p])),
    Metric.TOWERS: kernel(lambda s, p: _towers(s, s.borough[p])),
    Metric.HIGHEST_HOME: kernel(lambda s, p: _highest_home(s, s.borough[p])),
    Metric.AIRPORT: _airports,
    Metric.PLANTS: _plants,
    **{metric: _of_kind(int(STANDING[metric])) for metric in Metric if STANDING[metric]},
}
every(set(Metric) - {Metric.NOTHING}, MEASURES, "rule in scoring.py")
measure = choose("s, p, metric", "metric", MEASURES, "s, p")  # what a promise counts, for one player


# -- the score


@kernel
def kept(s, p, number):
    """Whether a promise is fulfilled (section 13)."""
    for i in range(NEEDS):
        metric = METRIC[number, i]
        if metric != Metric.NOTHING:
            n = measure(s, p, metric)
            if n < LOW[number, i] or n > HIGH[number, i]:
                return False
    return True


@kernel
def promises(s, p):
    """What the promises add or cost (E1)."""
    return promise_points(s, p) + special_points(s, p)


@kernel
def promise_points(s, p):
    """What the promise adds or costs (E1)."""
    b = s.borough[p]
    if b.promise == 0:
        return 0
    return WORTH[b.difficulty] if kept(s, p, b.promise) else -BROKEN[b.difficulty]


@kernel
def special_points(s, p):
    """What the special promise adds or costs (E1)."""
    b = s.borough[p]
    if b.special == 0:
        return 0
    return SPECIAL_WORTH if kept(s, p, b.special) else -SPECIAL_BROKEN


@kernel
def _votes(s, b, p):
    """The votes."""
    return b.votes + 0


@kernel
def _economics(s, b, p):
    """Money, shops, factories and stored materials."""
    n = b.money + COMMERCIAL_WORTH * counting(s, b, Family.COMMERCIAL)
    for material in range(MATERIALS):
        n += STORED_WORTH[material] * stock(b, material)
    return n + FACTORY_WORTH * counting(s, b, Family.FACTORY)


@kernel
def _population(s, b, p):
    """Living citizens and homes."""
    return CITIZEN_WORTH * living(b, p) + HOME_WORTH * counting(s, b, Family.RESIDENTIAL)


@kernel
def _culture(s, b, p):
    """Cultural, service and real buildings."""
    services = standing(s, b, Kind.POLICE) + standing(s, b, Kind.FIRE)
    real = standing(s, b, Kind.BIG_BEN) + standing(s, b, Kind.OPERA)
    return CULTURAL_WORTH * _cultural(s, b) + SERVICE_WORTH * services + REAL_WORTH * real


CONDITIONS: Final[dict[Victory, Any]] = {
    Victory.VOTES: _votes,
    Victory.ECONOMICS: _economics,
    Victory.POPULATION: _population,
    Victory.CULTURE: _culture,
}
every(Victory, CONDITIONS, "rule in scoring.py")
# the count of the victory condition agreed, in a borough of player p (AD1)
condition = choose("s, b, p", "s.rules.victory", CONDITIONS, "s, b, p")


@kernel
def _without_promises(s, b, p):
    """Condition minus pollution; with Stockholm plus one per marker (E1, G12)."""
    return condition(s, b, p) - b.pollution + radiation_points(s, b)


@kernel
def radiation_points(s, b):
    """Points for Radiation markers, with the Stockholm variant (G12)."""
    return count(of(b.markers)) if s.rules.stockholm else 0


@kernel
def visible(s, p):
    """The public part of a player's score: no promises, no builds behind a screen."""
    return _without_promises(s, s.shown[p] if secret(s) else s.borough[p], p)


@kernel
def score(s, p):
    """The final score: condition plus promises minus pollution (E1, G12)."""
    return _without_promises(s, s.borough[p], p) + promises(s, p)


@kernel
def beats(s, p, q):
    """Whether p ranks above q: players still in first, by E1 and E2, then the later eliminated (P6.2)."""
    a, b = s.borough[p], s.borough[q]
    if a.out != b.out:
        return a.out == 0 or (b.out != 0 and a.out > b.out)
    lead = score(s, p) - score(s, q) if a.out == 0 else 0
    if lead != 0:
        return lead > 0
    if a.pollution != b.pollution:
        return a.pollution < b.pollution
    return a.money > b.money


@kernel
def rank(s, p):
    """The place of a player, from 0; tied players share the better one (E2)."""
    place = 0
    for q in range(s.rules.players):
        place += q != p and beats(s, q, p)
    return place
