"""A godzilla's walk, step by step over Python sets of spaces (G4, G6 - G8).

    walk = Walk(state, Way.NORTH)      # a state that asks LEAVE_WAY
    walk.go(turns)                     # the ways answered wherever the game asked TURN
    walk.stands, walk.markers

Written from the rule text, not from the kernels.
"""

from collections.abc import Iterable
from typing import Any

from smallcity_env.rules.tables import SIDE, Way
from tests.reference.position import spaces_of

STEP = {Way.NORTH: (-1, 0), Way.EAST: (0, 1), Way.SOUTH: (1, 0), Way.WEST: (0, -1)}
BACK = {Way.NORTH: Way.SOUTH, Way.EAST: Way.WEST, Way.SOUTH: Way.NORTH, Way.WEST: Way.EAST}


def beyond(space: int, way: Way) -> int:
    """The space one step on, -1 beyond the map."""
    row, col = space // SIDE + STEP[way][0], space % SIDE + STEP[way][1]
    return row * SIDE + col if 0 <= row < SIDE and 0 <= col < SIDE else -1


class Walk:
    """One walk through a borough."""

    def __init__(self, state: Any, way: Way) -> None:
        p = int(state["seat"])
        b = state["borough"][p]
        self.zone, self.markers = spaces_of(b["zone"]), spaces_of(b["markers"])
        self.supply, self.steps = int(state["markers"]), int(state["steps_left"])
        self.old = spaces_of(b["godzilla"]) if state["stayed"] else set()
        self.way, self.tail, self.head = way, int(state["space"]), int(state["space"])
        self.marked_when_left = set(self.old)

    @property
    def stands(self) -> set[int]:
        """The two spaces it stands on."""
        return {self.head, self.tail}

    def go(self, turns: Iterable[Way]) -> None:
        """Walk to the end; `turns` are the ways chosen where there was a choice."""
        chosen = iter(turns)
        self._enter(beyond(self.head, self.way))
        for space in sorted(self.old - self.stands):
            self._mark(space)
        while self.steps:
            if beyond(self.head, self.way) not in self.zone and not self._turn(chosen):
                return
            left = self.tail
            if left in self.marked_when_left:
                self._mark(left)
            self._enter(beyond(self.head, self.way))

    def _enter(self, space: int) -> None:
        self.tail, self.head = self.head, space
        self.marked_when_left.add(space)
        self.steps -= 1

    def _mark(self, space: int) -> None:
        if space not in self.markers and self.supply:
            self.markers.add(space)
            self.supply -= 1

    def _turn(self, chosen: Iterable[Way]) -> bool:
        """G7: turn sideways, or back; return whether it can go on."""
        for _ in range(2):
            sides = [way for way in Way if way not in (self.way, BACK[self.way])]
            sides = [way for way in sides if beyond(self.head, way) in self.zone]
            better = [way for way in sides if beyond(self.head, way) not in self.markers] or sides
            if better:
                self.way = better[0] if len(better) == 1 else next(iter(chosen))
                assert self.way in better
                return True
            self.head, self.tail, self.way = self.tail, self.head, BACK[self.way]
            self.marked_when_left.add(self.head)
            if beyond(self.head, self.way) in self.zone:
                return True
        return False
