"""Why something cannot be built, in words for people."""

from typing import Any, Final

import numpy as np

from .. import batch
from ..language import _, lazy
from ..rules import actions
from ..rules.schema import STATE
from ..rules.tables import GROW_COST, MATERIALS, Family, Material
from ..rules.tables.names import MATERIAL_NAMES
from ..rules.tables.tiles import KINDS, TILES, Kind
from ..rules.why_not import ENLARGE, MATERIAL, MONEY, UPGRADES, Reason
from .pieces import criterion, votes

_NOTHING_SMALLER: Final = {
    Family.RESIDENTIAL: lazy("there is no smaller home to upgrade"),
    Family.COMMERCIAL: lazy("there is no smaller shop to upgrade"),
    Family.FACTORY: lazy("there is no smaller factory to upgrade"),
    Family.PARK: lazy("there is no smaller park to upgrade"),
}


class Refusals:
    """Why each build is refused to the player whose turn it is, at one position."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._p = int(state["host"] + state["turn"]) % int(state["rules"]["players"])
        self._refused, self._table = batch.why_not(np.array([state, _as_seen(state, self._p)], STATE))

    def words(self, kind: Kind, upgrade: bool = False) -> str:
        """Why a tile cannot be built; empty if it can."""
        reason = Reason(int(self._table[kind + UPGRADES * upgrade]))
        gone = _("none can be taken now") if self._refused[kind + UPGRADES * upgrade] else ""
        return self._words(reason, kind) if reason else gone

    def of(self, action: int) -> str:
        """Why a build named by its action is refused, empty if it is not."""
        if action == actions.ENLARGE:
            return self._enlargement(Reason(int(self._table[ENLARGE])))
        return self.words(Kind(int(actions.KIND_OF[action])), actions.UPGRADE <= action < actions.ENLARGE)

    def in_game(self, kind: Kind, upgrade: bool = False) -> bool:
        """Whether the tile can ever be built in this phase of this game."""
        return bool(self._table[kind + UPGRADES * upgrade] != Reason.ABSENT)

    def price(self, kind: Kind) -> tuple[int, list[int]]:
        """What a new tile costs now: money, and the number of each material."""
        materials = [int(self._table[MATERIAL + KINDS * material + kind]) for material in range(MATERIALS)]
        return int(self._table[MONEY + kind]), materials

    def _words(self, reason: Reason, kind: Kind) -> str:
        match reason:
            case Reason.ABSENT:
                served = TILES[kind]["service"]
                return _("only the City Council builds it") if served else _("it is not in this game")
            case Reason.MONEY:
                return self._money(kind)
            case Reason.MATERIAL:
                return self._material(kind)
            case Reason.VOTES:
                price, have = votes(int(TILES[kind]["votes"])), self._borough["votes"]
                return _("it costs {price}, you have {have}", price=price, have=have)
            case Reason.NO_OLD_TILE:
                return str(_NOTHING_SMALLER[Family(int(TILES[kind]["family"]))])
            case Reason.SIZE:
                return _("the council builds at most {n} spaces for you", n=self._state["council_size"])
            case Reason.INFLUENCED:
                home = TILES[kind]["family"] == Family.RESIDENTIAL
                near_home = _("it fits nowhere away from a home")
                return _("it fits nowhere away from a factory") if home else near_home
            case Reason.CRITERION:
                needs = criterion(kind)
                return _("it needs {needs}", needs=needs) if needs else _("it needs a place of its own")
        return str(_PLAIN[reason])

    @property
    def _borough(self) -> Any:
        return self._state["borough"][self._p]

    def _money(self, kind: Kind) -> str:
        """The price of a tile, or that no upgrade to it can be paid."""
        price, have = self.price(kind)[0], int(self._borough["money"] - self._borough["flood"])
        if price <= have:
            return _("no upgrade to it can be paid, you have ${have}", have=have)
        return _("it costs ${price}, you have ${have}", price=price, have=have)

    def _material(self, kind: Kind) -> str:
        """The first material that is missing."""
        for material, need in zip(Material, self.price(kind)[1], strict=True):
            have = int(np.bitwise_count(self._borough["materials"][material]).sum())
            if need > have:
                price = f"{need} {MATERIAL_NAMES[material]}"
                return _("it costs {price}, you have {have}", price=price, have=have)
        return _("a material is missing")

    def _enlargement(self, reason: Reason) -> str:
        """Why the zone cannot be enlarged."""
        if reason is Reason.MONEY:
            have = int(self._borough["money"])
            return _("it costs ${price}, you have ${have}", price=GROW_COST, have=have)
        if reason is Reason.TURN:
            return _("you enlarge the zone instead of building, not beside it")
        return str(_PLAIN.get(reason, ""))


def _as_seen(state: Any, p: int) -> Any:
    """A position with the supply a player sees: reasons must not tell what others take in secret (P2.1)."""
    seen = state.copy()
    seen["supply"] += state["took"].sum(axis=0) - state["took"][p]
    seen["took"] = 0
    return seen


_PLAIN: Final = {
    Reason.TURN: lazy("you have no build left this round"),
    Reason.LIMIT: lazy("you may have no more of them"),
    Reason.SUPPLY: lazy("none is left in the supply"),
    Reason.JUST_BUILT: lazy("a tile built this round cannot be upgraded in it"),
    Reason.CONTAMINATED: lazy("a contaminated tile cannot be upgraded"),
    Reason.GROWN: lazy("your zone is as large as it can be"),
    Reason.ROOM: lazy("there is no room for it"),
    Reason.GROUND: lazy("the ground allows it nowhere"),
    Reason.POWER: lazy("there is no room for it below a power plant"),
    Reason.TERRAIN: lazy("the material for the ground is missing"),
}


def why_not(state: Any, kind: Kind, upgrade: bool = False) -> str:
    """Why the player whose turn it is cannot build a tile now, in words; empty if he can.

    >>> from smallcity_env import Game
    >>> why_not(Game().state, Kind.BANK)
    'it is not in this game'
    """
    return Refusals(state).words(kind, upgrade)
