"""Godzillas as people see them: the dice, and the spaces each one walks over (G6, G7)."""

from typing import Any, Final, NamedTuple

from smallcity_env.rules import actions
from smallcity_env.rules.tables import SIDE, Ask, Way
from smallcity_env.text.grid import members

WALKING: Final = (Ask.LEAVE_WAY, Ask.TURN)
_STEPS: Final = {Way.NORTH: (-1, 0), Way.EAST: (0, 1), Way.SOUTH: (1, 0), Way.WEST: (0, -1)}


class Walk(NamedTuple):
    """A part of a walk, from one question to the next."""

    number: int  # of the answer in the log
    seat: int
    die: int
    path: list[int]  # the spaces of its head, the one it comes from first


class Roll(NamedTuple):
    """The dice of a round."""

    number: int  # of the answer that reveals them
    dice: list[int]  # of every seat; 0: out of the game


def rolled(number: int, before: Any, after: Any) -> Roll | None:
    """The dice rolled by an answer, if any."""
    players = int(after["rules"]["players"])
    if before["die"].any() or not after["die"].any():
        return None
    return Roll(number, [int(n) for n in after["die"][:players]])


def walked(number: int, before: Any, action: int) -> Walk | None:
    """Where a godzilla walks after an answer, if the answer sends it on its way."""
    if before["ask"] not in WALKING:
        return None
    seat = int(before["seat"])
    return Walk(number, seat, int(before["die"][seat]), _path(before, seat, Way(action - actions.HEADING)))


class _Godzilla:
    """A walking godzilla, moved space by space as in trample.py."""

    def __init__(self, before: Any, seat: int) -> None:
        b = before["borough"][seat]
        self.zone, self.marked = set(members(b["zone"])), set(members(b["markers"]))
        self.supply, self.steps = int(before["markers"]), int(before["steps_left"])
        self.old = set(members(b["godzilla"])) if before["stayed"] else set[int]()
        self.start = set(members(before["start"]))
        self.head, self.tail = int(before["head"]), int(before["tail"])

    def leave(self, space: int, way: Way) -> None:
        """The first step, off the whole start."""
        self.tail, self.steps = space, self.steps - 1
        self.head = space + _offset(way)
        for left in sorted(self.old - {self.head, self.tail}):
            self._mark(left)
        self.start = {self.tail} - self.old

    def step(self, to: int) -> None:
        """Move one space; mark the space its tail leaves."""
        left, self.tail, self.head = self.tail, self.head, to
        self.steps -= 1
        if left not in self.start:
            self._mark(left)
        self.start = set()

    def _mark(self, space: int) -> None:
        if self.supply and space not in self.marked:
            self.supply -= 1
            self.marked.add(space)


def _path(before: Any, seat: int, way: Way) -> list[int]:
    """Straight on, turning only where the zone ends, until it may choose or has no steps left."""
    godzilla = _Godzilla(before, seat)
    if before["ask"] == Ask.LEAVE_WAY:
        godzilla.leave(int(before["space"]), way)
        path = [godzilla.tail, godzilla.head]
    else:
        path = [godzilla.head]
    while godzilla.steps:
        to = _ahead(godzilla.head, way, godzilla.zone)
        if to is None:
            ways = _turns(godzilla.head, way, godzilla.zone, godzilla.marked)
            if len(ways) > 1 or (not ways and _shut_in(godzilla.head, godzilla.tail, godzilla.zone)):
                break
            if not ways:  # a dead end: head and tail change places
                godzilla.head, godzilla.tail, way = godzilla.tail, godzilla.head, Way((way + 2) % len(Way))
                path.append(godzilla.head)
                continue
            way = ways[0]
            to = godzilla.head + _offset(way)
        godzilla.step(to)
        path.append(godzilla.head)
    return path


def _offset(way: Way) -> int:
    down, right = _STEPS[way]
    return SIDE * down + right


def _ahead(space: int, way: Way, zone: set[int]) -> int | None:
    """The next space; None outside the zone."""
    step, col = space + _offset(way), space % SIDE + _STEPS[way][1]
    return step if 0 <= col < SIDE and step in zone else None


def _turns(space: int, way: Way, zone: set[int], marked: set[int]) -> list[Way]:
    """The ways it may turn: to the unmarked side if only one is marked."""
    sides = [Way((way + turn) % len(Way)) for turn in (1, 3)]
    open_ = {side: step for side in sides if (step := _ahead(space, side, zone)) is not None}
    clean = [side for side, step in open_.items() if step not in marked]
    return clean if len(clean) == 1 else list(open_)


def _shut_in(head: int, tail: int, zone: set[int]) -> bool:
    """Whether no way leads from its tail to a third space."""
    return {_ahead(tail, way, zone) for way in Way} <= {head, None}
