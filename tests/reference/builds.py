"""Every legal build of a position, by brute force: try each tile on each placement and check the rules.

    site = Site(state)                 # for the player who is building
    site.new(Kind.PARK_2)              # every set of spaces a new level-2 park may cover
    site.upgraded(Kind.PARK_2)
    site.what()                        # the answers to the question WHAT

Written from the rule text (P2.2 - P2.11, P7.5, C3, C6 and the modules), not from the kernels: one short
method per rule, called for one placement at a time.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from smallcity_env.rules import actions
from smallcity_env.rules.tables import (
    BUILDS,
    GROW_COST,
    NEEDS_HARBOR,
    NEEDS_REFINERY,
    SIDE,
    WAREHOUSES,
    Card,
    Family,
    Material,
    Phase,
)
from smallcity_env.rules.tables.maps import Board
from smallcity_env.rules.tables.tiles import Kind
from tests.reference.placements import placements
from tests.reference.position import ROW_OF, Cells, Standing, Town, adjacent, influence

PUBLIC = {  # C2
    Kind.CITY_HALL, Kind.SCHOOL, Kind.LIBRARY, Kind.MUSEUM, Kind.METRO, Kind.CLINIC, Kind.UNIVERSITY,
    Kind.POLICE, Kind.FIRE,
}  # fmt: skip
CULTURAL = {Kind.SCHOOL, Kind.LIBRARY, Kind.MUSEUM, Kind.METRO, Kind.CLINIC, Kind.UNIVERSITY}
SERVICE = {Kind.POLICE, Kind.FIRE}
INDUSTRY = {Kind.WAREHOUSE, Kind.REFINERY, Kind.HARBOR}
AIRPORTS = {Kind.AIRPORT_8, Kind.AIRPORT_9}
NEW = AIRPORTS | {Kind.BANK, Kind.RECYCLING, Kind.TRAMWAY}
REAL = {Kind.BIG_BEN, Kind.OPERA}
PLANTS = (Kind.PLANT_1, Kind.PLANT_2, Kind.PLANT_3)
ONLY_ONE = CULTURAL | SERVICE | NEW | {Kind.REFINERY, Kind.HARBOR}  # C6
UPGRADING = [kind for kind, row in ROW_OF.items() if row.family is not Family.OTHER]
FLOODS = {2, 4, 6}  # AS7


class Site:
    """What the player who is building may build."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.town = Town(state, int(state["seat"]))
        self.phase, self.round = int(state["phase"]), int(state["round_no"])
        self.council = int(state["council_size"])
        self.warehouse_due = int(state["warehouse_due"]) - 1
        self.free = self.council > 0 or self.warehouse_due >= 0 or self.phase == Phase.SETUP
        self.needs_power = bool(state["rules"]["power_plants"])
        self.supply = self._in_reach()
        self.empty = self.town.empty()
        self.bare = self.empty | self._stones_on_the_plain()

    def has(self, module: str) -> bool:
        """Whether a module is played."""
        return bool(self.state["rules"][module])

    def _in_reach(self) -> list[int]:
        """Tiles in the supply that were there when Phase 2 began or that the player returned (P2.1, C3)."""
        left, seat = self.state["supply"].astype(int), self.town.seat
        others = [p for p in range(len(self.state["took"])) if p != seat]
        hidden = self.state["took"][others].sum(axis=0)
        return [min(n, n + more) for n, more in zip(left.tolist(), hidden.tolist(), strict=True)]

    def _stones_on_the_plain(self) -> set[int]:
        """Spaces that would be empty but for a stone (TB4)."""
        town = self.town
        kept = town.graves | town.unusable | town.mayor
        return {x for x in town.goods if not town.tile_at(x)} - kept

    # -- the answers

    def what(self) -> set[int]:
        """The answers to WHAT: build, upgrade, enlarge (P2.2, P7.5), or no more."""
        kinds = [Kind(k) for k in range(1, Kind.PLANT_3 + 1)]
        builds = {actions.BUILD + kind - 1 for kind in kinds if any(self._new(kind))}
        upgrades = {actions.UPGRADE + kind - 1 for kind in UPGRADING if any(self._upgraded(kind))}
        enlarging = {actions.ENLARGE} if self._may_enlarge() else set()
        return builds | upgrades | enlarging | {actions.NO}

    def where(self) -> set[int]:
        """The answers to WHERE: first spaces."""
        return {actions.AT + min(cells) for cells in self._asked_for()}

    def ways(self) -> set[Cells]:
        """What the tile asked for can cover from the first space chosen."""
        first = int(self.state["anchor"])
        return {cells for cells in self._asked_for() if min(cells) == first}

    def _asked_for(self) -> set[Cells]:
        kind = Kind(int(self.state["kind"]))
        return self.upgraded(kind) if self.state["upgrade"] else self.new(kind)

    def _may_enlarge(self) -> bool:
        """P2.2, AS1."""
        if self.phase != Phase.BUILD or self.state["builds"] < BUILDS or self.state["enlarged"]:
            return False
        grows = self.town.board <= Board.RIVER_EXPERT or self.town.board is Board.BEIJING
        return grows and self.town.size < SIDE and self.town.money >= GROW_COST

    def new(self, kind: Kind) -> set[Cells]:
        """Every place for a new tile; a plant stands above the top row."""
        return set(self._new(kind))

    def _new(self, kind: Kind) -> Iterator[Cells]:
        if kind in PLANTS:
            yield from self._plants(kind)
        elif self._on_offer(kind) and self.supply[kind] > 0 and not self._has_enough(kind):
            floor = self._floor(kind)
            for cells in placements(kind):
                if cells <= floor and self._new_fits(kind, cells):
                    yield cells

    def upgraded(self, kind: Kind) -> set[Cells]:
        """Every place for a tile that covers one old tile of its family (P2.4)."""
        return set(self._upgraded(kind))

    def _upgraded(self, kind: Kind) -> Iterator[Cells]:
        if self.supply[kind] > 0 and self._upgrade_on_offer(kind):
            floor = self._floor(kind)
            for old in [tile for tile in self.town.tiles if self._can_become(tile, kind)]:
                for cells in placements(kind):
                    if old.cells < cells and cells - old.cells <= floor:
                        if self._upgrade_fits(kind, cells, old):
                            yield cells

    # -- what is on offer

    def _on_offer(self, kind: Kind) -> bool:
        """Whether tiles of this kind can be built at this time at all."""
        row = ROW_OF[kind]
        if self.phase == Phase.SETUP:
            return kind is Kind.CITY_HALL
        if self.warehouse_due >= 0:
            return kind is Kind.WAREHOUSE
        if self.town.board is Board.TOKYO and row.family is Family.PARK and row.level > 1:
            return False  # AS5
        small = row.family is not Family.OTHER or kind in INDUSTRY
        if self.phase != Phase.BUILD:
            return (small or kind in SERVICE) and self._size(kind) <= self.council
        if self.state["builds"] == 0 or self.state["enlarged"]:
            return False
        real, new = self.has("real_buildings"), self.has("new_buildings")
        return small or kind in CULTURAL or (new and kind in NEW) or (real and kind in REAL)

    def _upgrade_on_offer(self, kind: Kind) -> bool:
        row = ROW_OF[kind]
        if self.town.board is Board.TOKYO and row.family is Family.PARK:
            return False  # AS5
        if self.phase != Phase.BUILD:
            return 1 < row.level <= self.council
        return self.state["builds"] > 0 and not self.state["enlarged"]

    @staticmethod
    def _size(kind: Kind) -> int:
        return len(placements(kind)[0])

    def _has_enough(self, kind: Kind) -> bool:
        """C6, and as many Warehouses as section 2 allows."""
        if kind is Kind.WAREHOUSE:
            return self.town.count(kind) >= WAREHOUSES
        if kind in AIRPORTS:
            return len(self.town.all_of(*AIRPORTS)) > 0
        return kind in ONLY_ONE and self.town.count(kind) > 0

    def _can_become(self, old: Standing, kind: Kind) -> bool:
        """P2.4: family, level, clean, and not built in this Phase 2 (P2.2)."""
        row = ROW_OF[kind]
        same = old.card.family is row.family and old.card.level < row.level
        return same and self.town.clean(old) and old.first not in self.town.just_built

    # -- one placement

    def _new_fits(self, kind: Kind, cells: Cells) -> bool:
        if not self._stones_are_spent(kind, cells):
            return False
        if self._residence_in_delhi(kind) and any(self.town.map[x] != "E" for x in cells):
            return False
        return self._meets(kind, cells) and self._powered(kind, cells) and self._payable(kind, cells)

    def _upgrade_fits(self, kind: Kind, cells: Cells, old: Standing) -> bool:
        added = cells - old.cells
        if not self._stones_are_spent(kind, added):
            return False
        return self._meets(kind, cells) and self._powered(kind, cells) and self._payable(kind, added)

    def _floor(self, kind: Kind) -> set[int]:
        """Spaces a tile may newly cover (P2.3) on the ground of the board."""
        town, floor = self.town, set(self.bare)
        if kind is Kind.HARBOR and town.board is Board.BANGKOK:
            floor |= {x for x, ground in enumerate(town.map) if ground == "~" and not town.tile_at(x)}
        if town.board is Board.BANGKOK and self.round in FLOODS:
            floor -= self._terrain("f")
        if town.board is Board.TOKYO:
            imperial = self._terrain("B")
            floor = floor & imperial if ROW_OF[kind].family is Family.PARK else floor - imperial
        if kind is Kind.CITY_HALL or self.warehouse_due >= 0:
            floor -= self._terrain("~")  # SU2, P2.9
        return floor

    def _terrain(self, letter: str) -> set[int]:
        return {x for x, ground in enumerate(self.town.map) if ground == letter}

    def _residence_in_delhi(self, kind: Kind) -> bool:
        return self.town.board is Board.DELHI and ROW_OF[kind].family is Family.RESIDENTIAL

    def _stones_are_spent(self, kind: Kind, added: Cells) -> bool:
        """TB4: a tile covers no more stones than it is paid with."""
        covered = len([x for x in added if x in self.town.goods])
        if covered == 0 or self.free:
            return covered == 0
        return covered <= self._asked(kind, Material.STONE)

    def _powered(self, kind: Kind, cells: Cells) -> bool:
        """PP3."""
        if not self.needs_power or kind is Kind.CITY_HALL:
            return True
        return any(self.town.powered >> (x % SIDE) & 1 for x in cells)

    # -- criteria

    def _influenced(self, cells: Cells, tiles: list[Standing]) -> int:
        """How many of the tiles influence a placement (T2)."""
        return len([tile for tile in tiles if influence(tile.cells) & cells])

    @cached_property
    def _tiles(self) -> dict[Family, list[Standing]]:
        """All tiles of each family: contaminated ones still disturb (T4)."""
        tiles = self.town.tiles
        return {family: [tile for tile in tiles if tile.card.family is family] for family in Family}

    @cached_property
    def _clean(self) -> dict[Family, list[Standing]]:
        """The uncontaminated ones, the only ones that help (T4)."""
        return {f: [tile for tile in tiles if self.town.clean(tile)] for f, tiles in self._tiles.items()}

    @cached_property
    def _public(self) -> list[Standing]:
        """Uncontaminated public buildings (C2)."""
        return [tile for kind in PUBLIC for tile in self.town.working(kind)]

    def _meets(self, kind: Kind, cells: Cells) -> bool:
        """The criteria of a tile, P2.5 - P2.10 and the modules'."""
        row, town = ROW_OF[kind], self.town
        if row.family is Family.RESIDENTIAL:
            return self._residential(row.level, cells)
        if row.family is Family.COMMERCIAL:
            needed = row.level - (1 if town.working(Kind.BANK) else 0)  # NB2
            return self._influenced(cells, self._clean[Family.RESIDENTIAL]) >= needed
        if row.family is Family.FACTORY:
            return self._factory(row.level, cells)
        if row.family is Family.PARK:
            return self._park(cells)
        if kind is Kind.WAREHOUSE and self.warehouse_due >= 0:
            new_tile = town.tile_at(self.warehouse_due)
            return new_tile is not None and bool(influence(new_tile.cells) & cells)
        if kind in {Kind.WAREHOUSE, Kind.REFINERY} | AIRPORTS:
            return self._influenced(cells, self._clean[Family.FACTORY]) > 0
        return self._other(kind, cells)

    def _other(self, kind: Kind, cells: Cells) -> bool:
        """The criteria of the remaining buildings."""
        if kind is Kind.HARBOR:
            return self._harbor(cells)
        if kind is Kind.BANK:
            return self._influenced(cells, self.town.working(Kind.CITY_HALL)) > 0
        if kind is Kind.RECYCLING:
            homes = self._tiles[Family.RESIDENTIAL]
            return self._active() >= 10 and self._influenced(cells, homes) == 0
        if kind is Kind.BIG_BEN:
            return self._big_ben(cells)
        if kind is Kind.OPERA:
            return bool(cells & self._growth_edge)
        return True  # parks, cultural buildings, services, the tram, City Hall: no criterion

    def _residential(self, level: int, cells: Cells) -> bool:
        """P2.5."""
        smoke = self._influenced(cells, self._tiles[Family.FACTORY])
        return self._influenced(cells, self._public) >= level and smoke == 0

    def _factory(self, level: int, cells: Cells) -> bool:
        """P2.8."""
        if self._influenced(cells, self._tiles[Family.RESIDENTIAL]):
            return False
        refined = not NEEDS_REFINERY[level] or self._influenced(cells, self.town.working(Kind.REFINERY)) > 0
        shipped = not NEEDS_HARBOR[level] or self._influenced(cells, self.town.working(Kind.HARBOR)) > 0
        return refined and shipped

    def _park(self, cells: Cells) -> bool:
        """No criterion, but Tokyo's parks keep together (AS5)."""
        parks = self._clean[Family.PARK]
        if self.town.board is not Board.TOKYO or not parks:
            return True
        return any(adjacent(park.cells) & cells for park in parks)

    def _harbor(self, cells: Cells) -> bool:
        """P2.10, in Bangkok AS7."""
        if self.town.board is not Board.BANGKOK:
            return bool(cells & self._outer_edge)
        river = sorted(x for x in cells if self.town.map[x] == "~")
        return len(river) == 2 and river[1] in adjacent(frozenset(river[:1]))

    @cached_property
    def _growth_edge(self) -> set[int]:
        """Spaces along the right and bottom of the smallest rectangle around the zone (T1)."""
        zone = self.town.zone()
        bottom, right = max(x // SIDE for x in zone), max(x % SIDE for x in zone)
        return {x for x in zone if x // SIDE == bottom or x % SIDE == right}

    @cached_property
    def _outer_edge(self) -> set[int]:
        """... and along all its sides (T1)."""
        zone = self.town.zone()
        top, left = min(x // SIDE for x in zone), min(x % SIDE for x in zone)
        return self._growth_edge | {x for x in zone if x // SIDE == top or x % SIDE == left}

    def _active(self) -> int:
        """Active citizens (T5), the Pilgrim among them where he is a guest (AS9)."""
        town = self.town
        own = [x for x, p in town.people.items() if p == town.seat and x not in town.hall]
        guest = town.board is Board.ULAANBAATAR and self.state["pilgrim"] > 0
        foreign = guest and int(self.state["pilgrim_of"]) != town.seat
        return len(own) + town.riders[town.seat] + foreign

    def _big_ben(self, cells: Cells) -> bool:
        """RB1."""
        parks = {x for tile in self._clean[Family.PARK] for x in tile.cells}
        enough = len(parks & influence(cells)) >= 5
        homes = self._influenced(cells, self._clean[Family.RESIDENTIAL])
        shops = self._influenced(cells, self._clean[Family.COMMERCIAL])
        return enough and homes > 0 and shops > 0 and bool(self._influenced(cells, self._halls()))

    def _halls(self) -> list[Standing]:
        return self.town.working(Kind.CITY_HALL)

    # -- prices

    def price(self, kind: Kind, added: int) -> int:
        """Money for a build, with the Mediator (P1.3 C) and the Bank (NB2)."""
        row = ROW_OF[kind]
        cost = row.rate * added if row.family is not Family.OTHER else row.money
        if cost == 0:
            return 0
        mediator = self.town.card == Card.MEDIATOR and kind not in CULTURAL
        bank = row.family is Family.COMMERCIAL and bool(self.town.working(Kind.BANK))
        return max(cost - mediator - bank, 0 if mediator and bank else 1)

    def _asked(self, kind: Kind, material: Material) -> int:
        """Materials of the tile itself; the Architect saves the dearest of the first (P1.3 B)."""
        asked = ROW_OF[kind].materials
        helped = self.town.card == Card.ARCHITECT and kind in CULTURAL and not self.state["architect_used"]
        dearest = max((m for m in Material if asked[m]), default=None)
        return asked[material] - (helped and material == dearest)

    def river(self, added: Cells) -> tuple[Material, int]:
        """Material for river spaces newly covered (TB2)."""
        material = Material.STONE if self.town.board is Board.RIVER_EXPERT else Material.WOOD
        if self.town.board not in (Board.RIVER_EASY, Board.RIVER_EXPERT):
            return material, 0
        return material, len([x for x in added if self.town.map[x] == "~"])

    def _payable(self, kind: Kind, added: Cells) -> bool:
        if self.free:
            return True
        row, town = ROW_OF[kind], self.town
        if self.price(kind, len(added)) > town.money - town.flood or row.votes > town.votes:
            return False
        bridge, spaces = self.river(added)
        if not any(row.materials) and spaces == 0:
            return True
        return all(self._asked(kind, m) + (spaces if m is bridge else 0) <= town.stock(m) for m in Material)

    # -- power plants

    def _plants(self, kind: Kind) -> set[Cells]:
        """PP2: the columns, as spaces of the top row, of every plant that can be built."""
        level, town = kind - Kind.PLANT_1 + 1, self.town
        at_hand = town.plants[level - 1] == 0 or self.supply[kind] > 0
        price = max(ROW_OF[kind].money - (town.card == Card.MEDIATOR), 1)
        building = self.needs_power and self.phase == Phase.BUILD and self.warehouse_due < 0
        if not building or not at_hand or price > town.money - town.flood:
            return set()
        zone = {x % SIDE for x in town.zone()}
        dark = {col for col in zone if not town.powered >> col & 1}
        spans = [frozenset(range(col, col + level)) for col in range(SIDE)]
        return {span for span in spans if span <= dark}
