"""What holds in every position of every game, checked for a whole batch at once with plain numpy.

    assert broken(states) == []

Each check is a sentence and the games it holds in. Nothing here calls a rule: redundant fields of the record
are recomputed, and what the rules conserve is counted.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from smallcity_env.rules.phases.pollution import TRAMPLING
from smallcity_env.rules.schema import BOROUGH, STATE
from smallcity_env.rules.tables import (
    CITIZENS,
    COLUMNS,
    DISCS,
    ELIMINATED_AT,
    HALL_START,
    RESERVE,
    SEATS,
    SIDE,
    SPACES,
    START_ZONE,
    UPGRADING,
    Ask,
    Card,
    Material,
    Phase,
    Place,
)
from smallcity_env.rules.tables.expansions import DOCTORS, GODZILLAS, MARKERS
from smallcity_env.rules.tables.in_force import FINGERPRINT
from smallcity_env.rules.tables.maps import BUILDABLE, GROWS, PRINTED, Board
from smallcity_env.rules.tables.shapes import LENGTH, OFFSET
from smallcity_env.rules.tables.tiles import FEWER, KINDS, PER_PLAYER, TILES, Kind
from tests.random_games import spread

Holds: TypeAlias = npt.NDArray[np.bool_]
Sentence: TypeAlias = tuple[str, Holds]

PLANTS = slice(Kind.PLANT_1, Kind.PLANT_3 + 1)
ONE_ROOM = (Kind.BANK, Kind.OPERA, Kind.TRAMWAY)  # people stand on the first space only
FOR_TOURISTS = (Place.COMMERCIAL, Place.FACTORY, Place.MUSEUM, Place.TRAMWAY)
MOUNTAINS = (Board.MOUNTAIN_EASY, Board.MOUNTAIN_EXPERT)
ROWS_DOWN, COLS_RIGHT = np.divmod(np.arange(SPACES), SIDE)


class View:
    """A batch of states with its sets of spaces spread out: (games, seats, spaces) booleans."""

    def __init__(self, states: Any) -> None:
        self.s = states.view(np.ndarray).view(STATE)
        self.b = self.s["borough"]
        self.rules = self.s["rules"]
        self.board = self.rules["board"]
        self.players = self.rules["players"].astype(int)

    def __getattr__(self, name: str) -> Any:
        spaces = spread(self.b[name])
        setattr(self, name, spaces)
        return spaces

    @cached_property
    def seated(self) -> Holds:
        """Which seats have a player."""
        return np.arange(SEATS) < self.players[:, None]

    @cached_property
    def crowd(self) -> Holds:
        """Where anybody stands."""
        return self.citizens.any(axis=2)

    @cached_property
    def stored(self) -> Holds:
        """Where a material lies."""
        return self.materials.any(axis=2)

    @cached_property
    def unusable(self) -> Holds:
        """Spaces with markers or godzillas; one still walking does not count."""
        walking = (self.s["phase"] == Phase.POLLUTION) & (self.s["part"] == TRAMPLING)
        return self.markers | (self.godzilla & ~walking[:, None, None])

    @cached_property
    def kinds(self) -> npt.NDArray[np.int64]:
        """The kind of tile over every space, NONE without one."""
        under = np.take_along_axis(self.b["kind"], self.b["first"].astype(int), axis=2)
        return np.where(self.tiled, under, Kind.NONE).astype(int)

    @cached_property
    def places(self) -> npt.NDArray[np.int64]:
        """The kind of place of every people space, NOBODY elsewhere."""
        places = TILES["place"][self.kinds]
        second = np.isin(self.kinds, ONE_ROOM) & ~self.firsts
        tokyo = (self.board == Board.TOKYO)[:, :, None]
        no_room = second | ((places == Place.PARK) & ~tokyo)
        return np.where(no_room, Place.NOBODY, places)

    @cached_property
    def mover(self) -> npt.NDArray[np.int64]:
        """Whose turn it is."""
        return (self.s["host"] + self.s["turn"]) % self.players


def every(holds: Any) -> Holds:
    """Whether a condition holds throughout, game by game."""
    return np.asarray(holds).reshape(len(holds), -1).all(axis=1)


def broken(states: Any) -> list[str]:
    """The sentences that do not hold, each with the first game it is broken in."""
    view = View(states)
    violated = []
    for check in CHECKS if len(states) else ():
        for sentence, holds in check(view):
            if not holds.all():
                violated.append(f"{sentence}: not in game {int(np.argmin(holds))}")
    return violated


# -- what is conserved


def citizens(v: View) -> Iterator[Sentence]:
    """C5: 20 of every colour, dead or alive; before City Halls are shown 3 wait outside."""
    alive = v.citizens.sum(axis=(1, 3)) + v.b["riders"].sum(axis=1) + v.b["career"]
    waiting = (v.s["phase"] == Phase.SETUP) & (v.s["part"] == 0)
    outside = np.where(waiting, HALL_START, 0)[:, None]
    carried = (v.s["ask"] == Ask.GRAVE)[:, None] & (np.arange(SEATS) == v.mover[:, None])
    total = alive + v.cemetery.sum(axis=2) + v.s["reserve"] + outside + carried
    yield "20 citizens of every colour", every(~v.seated | (total == CITIZENS + RESERVE))
    for name, counts in (("riders", v.b["riders"]), ("career", v.b["career"]), ("reserve", v.s["reserve"])):
        yield f"{name} are never negative", every(counts >= 0)


def taken(v: View, boroughs: Any) -> npt.NDArray[np.int64]:
    """How many tiles of each kind stand in each borough that were not printed on its board (C3)."""
    n = boroughs["built"].astype(int)
    games = np.arange(len(v.s))
    for p in range(SEATS):
        for i in range(PRINTED.shape[1]):
            kind, _way, first = PRINTED[v.board[:, p], i].T
            stands = (kind != Kind.NONE) & (boroughs["kind"][games, p, first] == kind) & v.seated[:, p]
            np.subtract.at(n, (games[stands], p, kind[stands]), 1)
    return n


def supplies(v: View) -> npt.NDArray[np.int64]:
    """The supply of every kind before the game (section 2)."""
    table, players = TILES["supply"][None, :], v.players[:, None]
    fewer = np.where(table == FEWER, np.maximum(players - 1, 1), table)
    return np.where(table == PER_PLAYER, players, fewer)


def tiles(v: View) -> Iterator[Sentence]:
    """C3: a tile stands in a borough or is in the supply; a demolished Opera House is neither."""
    total = v.s["supply"] + taken(v, v.b).sum(axis=1)
    gone = supplies(v) - total
    yield "no Opera House comes back", np.isin(gone[:, Kind.OPERA], (0, 1))
    gone[:, Kind.OPERA] = 0
    gone[:, PLANTS] = 0
    yield "tiles are in the supply or stand", every(gone == 0)
    yield "no supply is negative", every(v.s["supply"] >= 0)
    limit = TILES["limit"]
    yield "C6: no more than allowed", every((limit == 0) | (v.b["built"] <= limit))
    airports = v.b["built"][:, :, [Kind.AIRPORT_8, Kind.AIRPORT_9]].sum(axis=2)
    yield "C6: one Airport of either size", every(airports <= 1)


def secret_tiles(v: View) -> Iterator[Sentence]:
    """P2.1: what each player took in this Phase 2 is what stands behind his screen and was not shown."""
    building = (v.s["phase"] == Phase.BUILD) & (v.s["turn"] >= 0)
    before = v.s["shown"]
    took = taken(v, v.b) - taken(v, before)
    took[..., PLANTS] = np.maximum(v.b["plants"] - 1, 0) - np.maximum(before["plants"] - 1, 0)
    took[..., Kind.OPERA] = np.maximum(took[..., Kind.OPERA], 0)  # demolished, it does not come back (RB2)
    yield "tiles taken in secret", every(v.s["took"] == np.where(building[:, None, None], took, 0))
    seen = v.s["supply"][:, None] + v.s["took"].sum(axis=1, keepdims=True) - v.s["took"]
    yield "nobody takes more than he sees", every(seen >= 0)


def plants(v: View) -> Iterator[Sentence]:
    """PP2: the first plant of each level is a player's own, the rest come from the supply."""
    on = v.rules["power_plants"] != 0
    extra = np.maximum(v.b["plants"] - 1, 0).sum(axis=1)
    left = supplies(v)[:, PLANTS] - v.players[:, None] - extra
    yield (
        "plants are built, in hand or in the supply",
        every(~on[:, None] | (v.s["supply"][:, PLANTS] == left)),
    )
    bits = v.b["powered"][..., None] >> np.arange(SIDE) & 1
    above = (v.b["plants"] * np.arange(1, 4)).sum(axis=2)
    yield "a plant of level n powers n columns", every(bits.sum(axis=2) == above)
    columns = v.zone.reshape(*v.zone.shape[:2], SIDE, SIDE).any(axis=2)
    yield "plants stand above columns of the zone", every(columns | (bits == 0))
    yield "no plants without the module", on | every(v.b["plants"] == 0)


def things(v: View) -> Iterator[Sentence]:
    """C4, D1, SU5: markers, godzillas, Doctors and discs."""
    on = v.rules["godzillas"] != 0
    markers = v.s["markers"] + v.markers.sum(axis=(1, 2))
    yield "40 markers", markers == np.where(on, MARKERS, 0)
    standing = v.godzilla.any(axis=2).sum(axis=1)
    here = np.array(GODZILLAS)[v.players]
    yield "godzillas are in the supply or in a borough", v.s["godzillas"] + standing == on * here
    doctors = v.s["doctors"] + v.b["doctor"].sum(axis=1)
    yield "a Doctor a player", doctors == (v.rules["doctors"] != 0) * v.players * DOCTORS
    clinic = v.b["built"][:, :, Kind.CLINIC] > 0
    yield "a Doctor stands in a Clinic", every((v.b["doctor"] == 0) | (clinic & (v.b["doctor"] == 1)))
    discs = (v.b["council"] > 0).sum(axis=2)
    yield "two discs, four columns", every(discs <= DISCS) & every(v.b["council"] <= COLUMNS)
    yield "nothing stands in the supply below zero", (v.s["markers"] >= 0) & (v.s["doctors"] >= 0)


def purses(v: View) -> Iterator[Sentence]:
    """Nobody spends more than he has; AS7: what the flood plain paid this round is part of his money."""
    for name in ("money", "votes", "pollution", "pollution_made", "busy_factories", "flood"):
        yield f"{name} is never negative", every(v.b[name] >= 0)
    yield "flood money is money", every(v.b["flood"] <= v.b["money"])
    yield "only Bangkok has flood money", every((v.b["flood"] == 0) | (v.board == Board.BANGKOK))


def cards(v: View) -> Iterator[Sentence]:
    """P1.2: a card is in the circle or with one player."""
    held = (v.b["card"][:, :, None] == np.arange(len(Card))).sum(axis=1)
    held[:, Card.NONE] = 0
    early = np.isin(v.s["phase"], (Phase.SETUP, Phase.OVER))
    both = held + np.where(early[:, None], 0, v.s["circle"])
    yield "a card is in one place", every(both <= 1)


# -- what is where


def crowds(v: View) -> Iterator[Sentence]:
    """P3.1, T3, T8: who and what stands where."""
    yield "one citizen on a space", every(v.citizens.sum(axis=2) <= 1)
    yield "nobody on an unusable space", every(~(v.crowd & v.unusable))
    yield "people on people spaces", every(~v.crowd | (v.places != Place.NOBODY))
    tram = v.places == Place.TRAMWAY
    yield "nobody but riders on a tram", every(~(v.crowd & tram))
    usable_tram = (tram & ~v.unusable).any(axis=2)
    yield "riders on a tram", every((v.b["riders"] == 0) | usable_tram[:, :, None])
    yield "who worked is there", every(~v.worked | v.crowd)
    yield "nobody of a colour that does not play", every(~v.citizens | v.seated[:, None, :, None])


def visitors(v: View) -> Iterator[Sentence]:
    """P3.2, AS9: where Tourists and the Pilgrim stand."""
    own = np.eye(SEATS, dtype=bool)[None, :, :, None]
    abroad = (v.citizens & ~own).any(axis=2)
    pilgrim = np.zeros_like(abroad)
    games = np.flatnonzero(v.s["pilgrim"] > 0)
    for i in games:
        pilgrim[i, np.flatnonzero(v.board[i] == Board.ULAANBAATAR)[0], v.s["pilgrim"][i] - 1] = True
    yield "Tourists where they may go", every(~abroad | pilgrim | np.isin(v.places, FOR_TOURISTS))
    monastery = v.places == Place.MONASTERY
    yield "only the Pilgrim on the Monastery", every(~(v.crowd & monastery) | pilgrim)
    riding = np.array([v.b["riders"][i, :, v.s["pilgrim_of"][i]].any() for i in games], bool)
    stands = (pilgrim & v.crowd).any(axis=(1, 2))[games]
    holds = np.ones(len(v.s), bool)
    holds[games] = stands | riding
    yield "the Pilgrim is somewhere", holds


def materials(v: View) -> Iterator[Sentence]:
    """P4.3, TB3, C3: where materials lie."""
    yield "one material on a space", every(v.materials.sum(axis=2) <= 1)
    yield "no material on an unusable space", every(~(v.stored & v.unusable))
    yield "no material where somebody stands", every(~(v.stored & (v.crowd | v.mayor)))
    stores = np.isin(v.kinds, (Kind.CITY_HALL, Kind.WAREHOUSE, Kind.PORT))
    loose = v.stored & ~stores
    yield "materials in stores or on the plain", every(~loose | ~v.tiled)
    mountains = np.isin(v.board, MOUNTAINS)[:, :, None]
    only_stone = ~v.materials[:, :, [Material.WOOD, Material.METAL]].any(axis=2)
    yield "at most 24 stones on the plain", loose.sum(axis=(1, 2)) <= 24
    yield "on the plain only mountain stones", every(~loose | (mountains & only_stone & v.zone))


def ground(v: View) -> Iterator[Sentence]:
    """P2.3, P6.4, G10, P1.1: cemeteries, markers, godzillas and the Mayor."""
    yield "no tile over a cemetery", every(~(v.cemetery & v.tiled))
    yield "no stone on a cemetery", every(~(v.cemetery & v.stored))
    for name in ("cemetery", "markers", "godzilla", "mayor"):
        yield f"{name} inside the zone", every(~getattr(v, name) | v.zone)
    speech = (v.rules["mayor"] != 0)[:, None, None]
    hall = v.kinds == Kind.CITY_HALL
    yield "the Mayor on his street or in City Hall", every(~v.mayor | np.where(speech, hall, ~v.tiled))
    yield "nobody where the Mayor stands", every(~(v.mayor & v.crowd))
    hosts = np.arange(SEATS) == v.s["host"][:, None]
    yield "the Mayor is at his host's", every(~v.mayor | hosts[:, :, None])
    yield "the Mayor on adjacent spaces", every(_adjacent(v.mayor))
    anywhere = (v.rules["godzillas_2016"] != 0)[:, None]  # G13: it may appear on two spaces apart
    redrawn = np.isin(v.kinds, (Kind.HARBOR, Kind.FACTORY_3)) & (FINGERPRINT != "standard")  # G3
    apart = anywhere | (~v.godzilla | redrawn).all(axis=2)
    yield "the godzilla on adjacent spaces", every(_adjacent(v.godzilla) | apart)
    yield "the godzilla on two spaces at most", every(v.godzilla.sum(axis=2) <= 2)


def _adjacent(pairs: npt.NDArray[np.bool_]) -> Holds:
    """Whether each set is empty, one space, or two orthogonally adjacent ones."""
    n = pairs.sum(axis=2)
    row = (pairs * ROWS_DOWN).sum(axis=2), (pairs * ROWS_DOWN**2).sum(axis=2)
    col = (pairs * COLS_RIGHT).sum(axis=2), (pairs * COLS_RIGHT**2).sum(axis=2)
    apart = 2 * row[1] - row[0] ** 2 + 2 * col[1] - col[0] ** 2  # squared distance of two
    return (n <= 1) | ((n == 2) & (apart == 1))


# -- redundant fields


def derived(v: View) -> Iterator[Sentence]:
    """The sets and tables of tiles agree with the tiles themselves."""
    games, seats, firsts = np.nonzero(v.firsts)
    kinds, ways = v.b["kind"][games, seats, firsts], v.b["way"][games, seats, firsts]
    covered = np.zeros(v.tiled.shape, int)
    first = np.zeros(v.tiled.shape, int)
    family = np.zeros((*v.tiled.shape[:2], UPGRADING + 1, SPACES), bool)
    for i in range(OFFSET.shape[1]):
        there = LENGTH[ways] > i
        space = (firsts + OFFSET[ways, i])[there]
        at = games[there], seats[there], space
        np.add.at(covered, at, 1)
        first[at] = firsts[there]
        family[at[0], at[1], TILES["family"][kinds[there]], at[2]] = True
    yield "tiles do not overlap", every(covered <= 1)
    yield "tiled is what tiles cover", every((covered > 0) == v.tiled)
    yield "first leads to the first space", every(first == v.b["first"])
    yield "families are the tiles of the family", every(family[:, :, :UPGRADING] == v.family)
    yield (
        "kinds and ways only at first spaces",
        every(v.firsts | ((v.b["kind"] == Kind.NONE) & (v.b["way"] == 0))),
    )
    yield "every tile has a kind and one of its ways", _whole(len(v.s), games, kinds, ways)
    built = np.zeros((*v.tiled.shape[:2], KINDS), int)
    np.add.at(built, (games, seats, kinds), 1)
    yield "built counts the tiles", every(built == v.b["built"])


def _whole(n: int, games: Any, kinds: Any, ways: Any) -> Holds:
    """Whether all tiles are of a kind that can lie this way round."""
    right = (kinds > 0) & (TILES["way"][kinds] == ways[:, None])[:, :].any(axis=1)
    holds = np.ones(n, bool)
    holds[games[~right]] = False
    return holds


def zones(v: View) -> Iterator[Sentence]:
    """T1, AS1: the zone is the land of its square and what tiles cover."""
    size = v.b["zone_side"][:, :, None]
    square = (size > ROWS_DOWN) & (size > COLS_RIGHT)
    land = square & spread(BUILDABLE)[v.board]
    yield "the zone", every(~v.seated[:, :, None] | ((land | v.tiled) == v.zone))
    grows = GROWS[v.board] != 0
    right = np.where(
        grows, (v.b["zone_side"] >= START_ZONE) & (v.b["zone_side"] <= SIDE), v.b["zone_side"] == SIDE
    )
    yield "its size", every(~v.seated | right)
    hall = (v.kinds == Kind.CITY_HALL) & v.firsts
    place = np.where(hall.any(axis=2), hall.argmax(axis=2), 0)
    yield "where City Hall is", every(place == v.b["hall"])
    halls = hall.sum(axis=2) == 1
    setup = (v.s["phase"] == Phase.SETUP) & (v.s["part"] == 0)
    yield "one City Hall each", setup | every(~v.seated | halls)


def times(v: View) -> Iterator[Sentence]:
    """Fields that are only set at certain times."""
    over = v.s["ask"] == Ask.OVER
    yield "who is asked is in the game", over | (v.b["out"][np.arange(len(v.s)), v.s["seat"]] == 0)
    building = np.isin(v.s["phase"], (Phase.BUILD, Phase.SETUP))
    shown = np.ascontiguousarray(v.s["shown"]).view(np.uint8).reshape(len(v.s), -1).any(axis=1)
    yield "screens only while all build", building | ~shown
    still = (v.s["phase"] == Phase.BUILD) | ~v.just_built.any(axis=(1, 2))
    yield "tiles just built are tiles, and only while all build", still & every(~v.just_built | v.firsts)
    tokyo = (v.board == Board.TOKYO)[:, :, None]
    parks = np.isin(v.kinds, (Kind.PARK_1, Kind.PARK_2, Kind.PARK_3))
    for name in ("growing", "growing_later"):
        yield f"{name} parks of Tokyo", every(~getattr(v, name) | (tokyo & parks))
    empty = np.zeros(1, BOROUGH).tobytes()
    idle = [v.b[i, p].tobytes() == empty for i, p in zip(*np.nonzero(~v.seated), strict=True)]
    yield "empty seats are empty", np.full(len(v.s), all(idle))
    yield "no more than the rounds", (v.s["round_no"] <= v.rules["rounds"])
    left = (~v.seated | (v.b["out"] == 0)).sum(axis=1) - (SEATS - v.players)
    enough = left >= np.minimum(v.players, 2)
    last = (v.s["round_no"] == v.rules["rounds"]) & (v.s["phase"] == Phase.OVER)
    yield "over after the last round or when too few are left", over == (last | ~enough)
    yield "out at 100", every((v.b["pollution"] >= ELIMINATED_AT) == (v.b["out"] > 0))


CHECKS = (
    citizens, tiles, secret_tiles, plants, things, purses, cards, crowds, visitors, materials, ground,
    derived, zones, times,
)  # fmt: skip
