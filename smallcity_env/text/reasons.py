"""Why something cannot be built, in words for people."""

from typing import Any, Final

import numpy as np

from .. import batch
from ..rules import actions
from ..rules.schema import STATE
from ..rules.tables import GROW_COST, MATERIALS, Family, Material
from ..rules.tables.counted import counted
from ..rules.tables.tiles import KINDS, TILES, Kind
from ..rules.why_not import ENLARGE, MATERIAL, MONEY, UPGRADES, Reason
from .pieces import criterion

_FAMILIES: Final = {
    Family.RESIDENTIAL: "home", Family.COMMERCIAL: "shop", Family.FACTORY: "factory", Family.PARK: "park",
}  # fmt: skip


class Refusals:
    """Why each build is refused to the player whose turn it is, at one position."""

    def __init__(self, state: Any) -> None:
        self._state = state
        self._p = int(state["host"] + state["turn"]) % int(state["rules"]["players"])
        self._refused, self._table = batch.why_not(np.array([state, _as_seen(state, self._p)], STATE))

    def words(self, kind: Kind, upgrade: bool = False) -> str:
        """Why a tile cannot be built; empty if it can."""
        reason = Reason(int(self._table[kind + UPGRADES * upgrade]))
        gone = "none can be taken now" if self._refused[kind + UPGRADES * upgrade] else ""
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
                return (
                    "only the City Council builds it" if TILES[kind]["service"] else "it is not in this game"
                )
            case Reason.MONEY:
                return f"{self._costs(kind)}, you have ${self._borough['money'] - self._borough['flood']}"
            case Reason.MATERIAL:
                return self._material(kind)
            case Reason.VOTES:
                votes = counted(int(TILES[kind]["votes"]), "vote")
                return f"it costs {votes}, you have {self._borough['votes']}"
            case Reason.NO_OLD_TILE:
                return f"there is no smaller {_FAMILIES[Family(int(TILES[kind]['family']))]} to upgrade"
            case Reason.SIZE:
                return f"the council builds at most {self._state['council_size']} spaces for you"
            case Reason.SHUNNED:
                other = "home" if TILES[kind]["family"] != Family.RESIDENTIAL else "factory"
                return f"it fits nowhere away from a {other}"
            case Reason.CRITERION:
                return f"it needs {criterion(kind) or 'a place of its own'}"
        return _PLAIN[reason]

    @property
    def _borough(self) -> Any:
        return self._state["borough"][self._p]

    def _costs(self, kind: Kind) -> str:
        """The price of a tile, or that no upgrade to it can be paid."""
        money, _ = self.price(kind)
        afford = money <= self._borough["money"] - self._borough["flood"]
        return "no upgrade to it can be paid" if afford else f"it costs ${money}"

    def _material(self, kind: Kind) -> str:
        """The first material that is missing."""
        for material, need in zip(Material, self.price(kind)[1], strict=True):
            have = int(np.bitwise_count(self._borough["materials"][material]).sum())
            if need > have:
                return f"it costs {need} {material.name.lower()}, you have {have}"
        return "a material is missing"

    def _enlargement(self, reason: Reason) -> str:
        """Why the zone cannot be enlarged."""
        if reason is Reason.MONEY:
            return f"it costs ${GROW_COST}, you have ${self._borough['money']}"
        if reason is Reason.TURN:
            return "you enlarge the zone instead of building, not beside it"
        return _PLAIN.get(reason, "")


def _as_seen(state: Any, p: int) -> Any:
    """A position with the supply a player sees: reasons must not tell what others take in secret (P2.1)."""
    seen = state.copy()
    seen["supply"] += state["took"].sum(axis=0) - state["took"][p]
    seen["took"] = 0
    return seen


_PLAIN: Final = {
    Reason.TURN: "you have no build left this round",
    Reason.LIMIT: "you may have no more of them",
    Reason.SUPPLY: "none is left in the supply",
    Reason.JUST_BUILT: "a tile built this round cannot be upgraded in it",
    Reason.CONTAMINATED: "a contaminated tile cannot be upgraded",
    Reason.GROWN: "your zone is as large as it can be",
    Reason.ROOM: "there is no room for it",
    Reason.GROUND: "the ground allows it nowhere",
    Reason.POWER: "there is no room for it below a power plant",
    Reason.TERRAIN: "the material for the ground is missing",
}


def why_not(state: Any, kind: Kind, upgrade: bool = False) -> str:
    """Why the player whose turn it is cannot build a tile now, in words; empty if he can.

    >>> from smallcity_env import Game
    >>> why_not(Game().state, Kind.BANK)
    'it is not in this game'
    """
    return Refusals(state).words(kind, upgrade)
