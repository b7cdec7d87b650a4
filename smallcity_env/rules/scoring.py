"""The end of the game: promises, victory conditions, ties (sections 12 and 13)."""

from ._jit import kernel
from .borough import at_place, cells, contaminated, unusable, works
from .people import living
from .phases.screens import secret
from .spaces import NOWHERE, SQUARE, count, each, of
from .storage import stock
from .tables import MATERIALS, START_ZONE, Family, Place, Terrain, Victory
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
from .tables.promises import HIGH, LOW, METRIC, NEEDS, STANDING, TOWER_LEVEL, Metric
from .tables.tiles import KINDS, TILES, WHOLE, Kind

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
    if left == 0 or (WHOLE[kind] and contaminated(b, t)):
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
    for kind in range(1, KINDS):
        if TILES[kind].cultural and b.built[kind] > 0:
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
    for kind in range(Kind.RESIDENTIAL_1, Kind.RESIDENTIAL_5 + 1):
        if standing(s, b, kind) > 0:
            best = TILES[kind].level
    return best


@kernel
def _towers(s, b):
    """Residential tiles of the level that makes a tower."""
    n = 0
    for kind in range(Kind.RESIDENTIAL_1, Kind.RESIDENTIAL_5 + 1):
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
def _gaps(s, p):
    """Spaces of the zone in the first 7 x 7 without a tile; river and ruined ones are exempt."""
    b = s.borough[p]
    wanted = of(b.zone) & of(SQUARE[START_ZONE])
    ruined = unusable(b) - of(b.cemetery)
    exempt = of(TERRAIN[s.rules.board[p], Terrain.RIVER]) | ruined
    return count(wanted - of(b.tiled) - exempt)


@kernel
def _powered(b):
    """Powered columns."""
    n, columns = 0, b.powered
    while columns > 0:
        n += columns & 1
        columns >>= 1
    return n


@kernel
def _count_spaces(s, p, metric):
    """Metrics that count spaces, people or things."""
    b = s.borough[p]
    if metric == Metric.USABLE_PARKS:
        return count(of(b.family[Family.PARK]) - unusable(b))
    if metric == Metric.HOMES:
        return counting(s, b, Family.RESIDENTIAL)
    if metric == Metric.COMMERCIAL_SPACES:
        return counting(s, b, Family.COMMERCIAL)
    if metric == Metric.FACTORY_SPACES:
        return counting(s, b, Family.FACTORY)
    if metric == Metric.TILE_SPACES:
        return count(of(b.tiled) - worthless(s, b))
    if metric == Metric.GRAVES:
        return count(of(b.cemetery))
    if metric == Metric.GAPS:
        return _gaps(s, p)
    if metric == Metric.LIVING:
        return living(b, p)
    if metric == Metric.MUSEUM_GUESTS:
        return _guests(s, p)
    if metric == Metric.TRAM_RIDERS:
        return b.riders[p] + 0
    if metric == Metric.MATERIALS:
        return _materials(b)
    return _powered(b)


@kernel
def _count_tiles(s, b, metric):
    """Metrics that count buildings."""
    if metric == Metric.CULTURAL:
        return _cultural(s, b)
    if metric == Metric.TOWERS:
        return _towers(s, b)
    if metric == Metric.HIGHEST_HOME:
        return _highest_home(s, b)
    if metric == Metric.AIRPORT:
        return standing(s, b, Kind.AIRPORT_8) + standing(s, b, Kind.AIRPORT_9)
    if metric == Metric.PLANTS:
        return b.plants[0] + b.plants[1] + b.plants[-1]
    return -1


@kernel
def measure(s, p, metric):
    """What a promise counts, for one player."""
    b = s.borough[p]
    if metric == Metric.POLLUTION:
        return b.pollution + 0
    if metric == Metric.MONEY:
        return b.money + 0
    if metric == Metric.VOTES:
        return b.votes + 0
    if STANDING[metric] != Kind.NONE:
        return standing(s, b, STANDING[metric])
    n = _count_tiles(s, b, metric)
    return n if n >= 0 else _count_spaces(s, p, metric)


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
    b = s.borough[p]
    n = 0
    if b.promise > 0:
        n += WORTH[b.difficulty] if kept(s, p, b.promise) else -BROKEN[b.difficulty]
    if b.special > 0:
        n += SPECIAL_WORTH if kept(s, p, b.special) else -SPECIAL_BROKEN
    return n


@kernel
def condition(s, b, p):
    """The count of the victory condition in a borough of player p (AD1)."""
    victory = s.rules.victory
    if victory == Victory.VOTES:
        return b.votes + 0
    if victory == Victory.ECONOMICS:
        n = b.money + COMMERCIAL_WORTH * counting(s, b, Family.COMMERCIAL)
        for material in range(MATERIALS):
            n += STORED_WORTH[material] * stock(b, material)
        return n + FACTORY_WORTH * counting(s, b, Family.FACTORY)
    if victory == Victory.POPULATION:
        return CITIZEN_WORTH * living(b, p) + HOME_WORTH * counting(s, b, Family.RESIDENTIAL)
    services = standing(s, b, Kind.POLICE) + standing(s, b, Kind.FIRE)
    real = standing(s, b, Kind.BIG_BEN) + standing(s, b, Kind.OPERA)
    return CULTURAL_WORTH * _cultural(s, b) + SERVICE_WORTH * services + REAL_WORTH * real


@kernel
def _without_promises(s, b, p):
    """Condition minus pollution; with Stockholm plus one per marker (E1, G12)."""
    markers = count(of(b.markers)) if s.rules.stockholm else 0
    return condition(s, b, p) - b.pollution + markers


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
    if a.out == 0 and score(s, p) != score(s, q):
        return score(s, p) > score(s, q)
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
