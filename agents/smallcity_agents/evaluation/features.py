"""Extract the features of a borough from what the viewer may see."""

from typing import Any

import numpy as np

from smallcity_env.library import kernel
from smallcity_env.rules.borough import cells, empty, hall_citizens, hall_room, label, unusable
from smallcity_env.rules.people import free_of_people, living
from smallcity_env.rules.phases.screens import secret
from smallcity_env.rules.scoring import counting, counts_as, gaps, worthless
from smallcity_env.rules.spaces import count, each, has, leading, of
from smallcity_env.rules.storage import stock, warehouse_count
from smallcity_env.rules.supply import supply_seen
from smallcity_env.rules.tables import (
    HOME_VOTES,
    MATERIALS,
    SHOP_MONEY,
    SHOP_VOTES,
    SIDE,
    UNIVERSITY_VOTES,
    UPGRADING,
    Family,
    Phase,
    Place,
    Victory,
)
from smallcity_env.rules.tables.cards import STORED_WORTH
from smallcity_env.rules.tables.expansions import BANK_INCOME, OPERA_VOTES, TOKYO_RESIDUAL
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.tiles import CULTURAL_KINDS, HOME_KINDS, KINDS, PUBLIC_KINDS, TILES, Kind

from .promises import promise_value
from .schema import LEVELS, WORKPLACES, Workplace

NO_WORKPLACE = -1
WORKPLACE_AT = np.full(len(Place), NO_WORKPLACE)  # the Workplace of places with a single kind of it
for _place, _work in (
    (Place.PARK, Workplace.PARK),
    (Place.MUSEUM, Workplace.MUSEUM),
    (Place.CLINIC, Workplace.CLINIC),
    (Place.UNIVERSITY, Workplace.LECTURE),
    (Place.RECYCLING, Workplace.RECYCLING),
    (Place.TRAMWAY, Workplace.TRAMWAY),
    (Place.OPERA, Workplace.OPERA),
):
    WORKPLACE_AT[_place] = _work
ROOMS = np.zeros((KINDS, WORKPLACES))  # people spaces of a tile, by kind and work
for _kind in range(KINDS):
    _row: Any = TILES[_kind]
    _first = {Family.COMMERCIAL: Workplace.SHOP_A, Family.FACTORY: Workplace.WOOD}.get(_row.family)
    if _first is not None:  # a space for each label (C1)
        ROOMS[_kind, _first : _first + _row.spaces] = 1
    elif _kind == Kind.BANK:
        ROOMS[_kind, Workplace.BANK] = 1
    elif WORKPLACE_AT[_row.place] >= 0:
        ROOMS[_kind, WORKPLACE_AT[_row.place]] = _row.rooms
WORKPLACE_KINDS = np.flatnonzero(ROOMS.any(axis=1))
SPARE = 1  # there is always a use for one of each material
PLANNED_LEVEL = 2  # of homes still to be built


@kernel
def extract(s, p, b, viewer, w, f):
    """Write the features of borough b of player p, as a viewer sees it, to f."""
    _phases_left(s, f)
    _resources(s, b, w, f)
    _people(s, p, b, f)
    _spaces(s, p, b, f)
    _tiles(s, p, b, f)
    _needs(s, viewer, f)
    _pay(w, f)
    _later_rounds(w, f)
    _for_promises(w, f)


@kernel
def _phases_left(s, f):
    """The number of each phase still to come."""
    later = s.rules.rounds - max(s.round_no, 1)
    f.left = later + (s.phase <= Phase.BUILD)
    f.measures = later + (s.phase <= Phase.POLLUTION)
    f.phases = later + (s.phase <= Phase.BUILD)
    f.plans = later
    f.councils = later + (s.phase <= Phase.COUNCIL)
    f.victory = s.rules.victory


@kernel
def _resources(s, b, w, f):
    """Money, votes and materials, and the value of one of each."""
    f.vote = 1 if s.rules.victory == Victory.VOTES else w.vote_elsewhere
    f.coin = coin(w, f.phases)
    f.money = b.money
    f.votes = b.votes
    f.pollution = b.pollution
    lasting = 1 if f.phases > 0 else 0
    f.good[0] = w.wood * lasting
    f.good[1] = w.stone * lasting
    f.good[-1] = w.metal * lasting
    for material in range(MATERIALS):
        f.goods[material] = stock(b, material)
        if s.rules.victory == Victory.ECONOMICS:
            f.good[material] = max(f.good[material], STORED_WORTH[material])
    if s.rules.victory == Victory.ECONOMICS:
        f.coin = max(f.coin, 1)


@kernel
def coin(w, phases):
    """The value of $1 with this many build phases to come."""
    return w.money * phases / (phases + w.money_fades) if phases > 0 else 0.0


@kernel
def _people(s, p, b, f):
    """Citizens by where they are."""
    f.abroad = 0
    for k in range(s.rules.players):
        if k != p:
            there = s.shown[k] if secret(s) else s.borough[k]
            f.abroad += count(of(there.citizens[p]))
    f.at_home = count(of(b.citizens[p]) & of(b.family[Family.RESIDENTIAL]))
    f.waiting = count(hall_citizens(b, p))
    f.living = living(b, p)
    f.active = f.living - f.waiting + f.abroad
    f.career = b.career
    f.hall_room = count(hall_room(b))
    f.jobs = count(free_of_people(b, of(b.family[Family.FACTORY])))
    f.riders = b.riders[p]


@kernel
def _spaces(s, p, b, f):
    """Spaces, storage, power, promises; by the rules of 2016 unusable spaces do not count (G13)."""
    for family in range(UPGRADING):
        f.spaces[family] = counting(s, b, family)
    f.parks = count(of(b.family[Family.PARK]) - unusable(b))
    f.tiled = count(of(b.tiled) - worthless(s, b))
    f.empty = count(empty(b))
    f.graves = count(of(b.cemetery))
    f.store = warehouse_count(b) + f.hall_room
    f.plants = b.plants[0] + b.plants[1] + b.plants[-1]
    columns = 0
    for col in range(SIDE):
        columns += (b.powered >> col) & 1
    f.columns = columns
    f.clean = s.rules.board[p] == Board.DELHI
    f.residual = TOKYO_RESIDUAL if s.rules.board[p] == Board.TOKYO else 0
    f.promise = b.promise
    f.special = b.special
    f.difficulty = b.difficulty
    f.gaps = gaps(s, b, p)


@kernel
def _tiles(s, p, b, f):
    """Buildings and their usable people spaces."""
    _count_tiles(b, f)
    for space in each(unusable(b) & of(b.tiled)):
        _lose(b, space, f)
    if s.rules.board[p] != Board.TOKYO:
        f.rooms[Workplace.PARK] = 0
    f.lost[:] = 0
    f.guests = 0
    if s.rules.godzillas_2016 or b.built[Kind.MUSEUM] > 0:
        for t in each(b.firsts):
            _lost_and_guests(s, p, b, t, f)


@kernel
def _count_tiles(b, f):
    """Buildings and their people spaces, usable or not; those of parks as in Tokyo."""
    f.publics = 0
    f.homes[:] = 0
    f.rooms[:] = 0
    for i in range(KINDS):
        f.built[i] = b.built[i]
    for kind in PUBLIC_KINDS:
        f.publics += b.built[kind]
    for kind in HOME_KINDS:
        f.homes[TILES[kind].level] += b.built[kind] * TILES[kind].spaces
    for kind in WORKPLACE_KINDS:
        if b.built[kind] > 0:
            for work in range(WORKPLACES):
                f.rooms[work] += b.built[kind] * ROOMS[kind, work]


@kernel
def _lose(b, space, f):
    """Subtract an unusable people space."""
    t = b.first[space]
    row = TILES[b.kind[t]]
    if row.family == Family.RESIDENTIAL:
        f.homes[row.level] -= 1
    elif row.family == Family.COMMERCIAL or row.family == Family.FACTORY:
        work = Workplace.SHOP_A + 0 if row.family == Family.COMMERCIAL else Workplace.WOOD + 0
        f.rooms[work + label(b, space)] -= 1
    elif WORKPLACE_AT[row.place] >= 0 and has(leading(cells(b, t), row.rooms), space):
        f.rooms[WORKPLACE_AT[row.place]] -= 1


@kernel
def _lost_and_guests(s, p, b, t, f):
    """Tiles that do not count at the end (G13), and own citizens in the Museum."""
    if s.rules.godzillas_2016:
        f.lost[b.kind[t]] += 1
        f.lost[counts_as(b, t)] -= 1
    if b.kind[t] == Kind.MUSEUM:
        f.guests += count(cells(b, t) & of(b.citizens[p])) * (1 - f.lost[Kind.MUSEUM])


@kernel
def _needs(s, viewer, f):
    """The materials of cultural buildings for which all materials are available."""
    f.need[:] = SPARE
    for kind in CULTURAL_KINDS:
        row = TILES[kind]
        missing = f.built[kind] > 0 or supply_seen(s, viewer, kind) <= 0
        for material in range(MATERIALS):
            had = f.goods[material] + f.rooms[Workplace.WOOD + material] > 0
            missing = missing or (row.materials[material] > 0 and not had)
        if not missing:
            for material in range(MATERIALS):
                f.need[material] += row.materials[material]


@kernel
def _pay(w, f):
    """The pay of a visit to each place of work, and the order in which citizens take them."""
    f.pay[Workplace.SHOP_A] = SHOP_MONEY * f.coin
    f.pay[Workplace.SHOP_B] = w.shop_b * f.coin
    f.pay[Workplace.SHOP_C] = SHOP_VOTES * f.vote
    f.pay[Workplace.SHOP_D] = w.shop_d * f.vote
    for material in range(MATERIALS):
        useful = 1 if f.goods[material] < f.need[material] else w.glut
        f.pay[Workplace.WOOD + material] = f.good[material] * useful - w.smoke * w.pollution * (1 - f.clean)
    f.pay[Workplace.LECTURE] = UNIVERSITY_VOTES * f.vote
    f.pay[Workplace.BANK] = BANK_INCOME * f.coin
    f.pay[Workplace.OPERA] = OPERA_VOTES * f.vote
    f.pay[Workplace.CLINIC] = w.clinic
    f.pay[Workplace.MUSEUM] = w.museum
    f.pay[Workplace.RECYCLING] = w.recycling
    f.pay[Workplace.PARK] = w.growing
    f.pay[Workplace.TRAMWAY] = 0
    f.pay[Workplace.PLANNED] = w.plan_pay
    f.rooms[Workplace.PLANNED] = w.plan_work * f.plans
    f.homes[PLANNED_LEVEL] += w.plan_homes * f.plans
    f.rooms[Workplace.RECYCLING] = min(f.rooms[Workplace.RECYCLING], 1)
    _sort(f)


@kernel
def _later_rounds(w, f):
    """The value of later rounds for a citizen who alternates between home and work."""
    homes, votes = 0.0, 0.0
    for level in range(1, LEVELS + 1):
        homes += f.homes[level]
        votes += f.homes[level] * HOME_VOTES[level]
    home = w.next_home * f.vote * votes / homes if homes > 0 else 0.0
    f.from_home = 0
    f.from_work = 0
    for later in range(int(f.plans)):
        work = w.next_work + w.next_money * coin(w, later)
        f.from_home, f.from_work = work + f.from_work, home + f.from_home


@kernel
def _for_promises(w, f):
    """What an additional $1 or material adds to the player's promises."""
    now = promise_value(f, w, f.votes, f.pollution)
    f.money += 1
    f.thrift = w.promise * (promise_value(f, w, f.votes, f.pollution) - now)
    f.money -= 1
    f.goods[0] += 1
    f.hoard = w.promise * (promise_value(f, w, f.votes, f.pollution) - now)
    f.goods[0] -= 1


@kernel
def _sort(f):
    """Sort places of work by pay, best first; they often are already."""
    if _sorted(f):
        return
    for i in range(WORKPLACES):
        j = i
        while j > 0 and f.pay[f.order[j - 1]] < f.pay[i]:
            f.order[j] = f.order[j - 1]
            j -= 1
        f.order[j] = i


@kernel
def _sorted(f):
    """Whether places of work are in the order of their pay, those of equal pay in that of their numbers."""
    for i in range(1, WORKPLACES):
        before, after = f.order[i - 1], f.order[i]
        if f.pay[before] < f.pay[after] or (f.pay[before] == f.pay[after] and before >= after):
            return False
    return True
