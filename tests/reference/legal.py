"""The legal answers to every question of a game, which is followed from its first question.

    reference = Reference()
    reference.observe(state)           # at every question of the game, in order
    reference.legal(state)             # the legal answers, as ids
    reference.record(state, action)    # the answer given

The questions of Phase 3 depend on who stood where when the turn began, which the position no longer shows:
the reference remembers it. All other questions are in questions.py.
"""

from typing import Any

from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Place
from smallcity_env.rules.tables.tiles import Kind
from tests.reference.placements import covered_by
from tests.reference.position import Town, towns
from tests.reference.questions import NO, QUESTIONS, at, pilgrim, pilgrim_rides

AT_HOME = {  # P3.1
    Place.RESIDENTIAL, Place.COMMERCIAL, Place.FACTORY, Place.PARK, Place.MUSEUM, Place.CLINIC,
    Place.UNIVERSITY, Place.RECYCLING, Place.TRAMWAY, Place.OPERA,
}  # fmt: skip
AS_TOURIST = {Place.COMMERCIAL, Place.FACTORY, Place.MUSEUM, Place.TRAMWAY}  # P3.2


class Reference:
    """Follows one game and lists the legal answers to each question."""

    def __init__(self) -> None:
        self.turn: tuple[int, int] = (0, 0)  # round and seat of the turn of Phase 3 being followed
        self.open: list[set[int]] = []  # people spaces free to the player, by borough
        self.sent: list[int] = []
        self.queue: list[tuple[int, int]] = []  # citizens to be asked: borough and space

    # -- following

    def observe(self, state: Any) -> None:
        """Take note of a question before it is answered."""
        ask = int(state["ask"])
        turn = (int(state["round_no"]), int(state["seat"]))
        if ask in (Ask.MOVE, Ask.HOME) and turn != self.turn:
            self._begin_turn(state)
            self.turn = turn
        if ask == Ask.MOVE:
            due = self.queue.pop(0)
            assert (int(state["asked_borough"]), int(state["space"])) == due, "asked out of order (P3.1)"

    def _begin_turn(self, state: Any) -> None:
        p, all_towns = int(state["seat"]), towns(state)
        self.open = [self._open_to(town, p) for town in all_towns]
        self.sent = [0] * len(all_towns)
        at_home = sorted(self._mine(state, all_towns[p], p))
        abroad = [(k, x) for k, town in enumerate(all_towns) if k != p
                  for x in sorted(self._mine(state, town, p))]  # fmt: skip
        self.queue = [(p, x) for x in at_home] + abroad

    @staticmethod
    def _open_to(town: Town, p: int) -> set[int]:
        """People spaces nobody stands on when the turn begins."""
        welcome = AT_HOME if town.seat == p else AS_TOURIST
        rooms = {x for tile in town.tiles if tile.card.place in welcome for x in town.rooms(tile)}
        return rooms - set(town.people) - town.unusable

    @staticmethod
    def _mine(state: Any, town: Town, p: int) -> list[int]:
        """Where the people a player moves stand in a borough (P3.1, AS9)."""
        guest = pilgrim(state, town)
        own = {x for x, colour in town.people.items() if colour == p and x not in town.hall}
        mine = own | guest if town.seat == p else own - guest
        return [*mine, *[town.tram] * (town.riders[p] - pilgrim_rides(state, town, p))]

    def record(self, state: Any, action: int) -> None:
        """Take note of the answer to it."""
        if state["ask"] in (Ask.MOVE, Ask.HOME) and action < actions.BUILD:
            self._take(state, int(state["seat"]), action)
        elif state["ask"] == Ask.ABROAD:
            self.sent[int(state["destination"])] += 1
            self._take(state, int(state["destination"]), action)

    def _take(self, state: Any, k: int, space: int) -> None:
        if space != Town(state, k).tram:
            self.open[k].discard(space)

    # -- legal answers

    def legal(self, state: Any) -> Any:
        """The legal answers as ids; those to WAY as the spaces covered."""
        ask = Ask(int(state["ask"]))
        if ask is Ask.MOVE:
            return self._move(state)
        if ask is Ask.ABROAD:
            return at(self._goals(state, int(state["destination"])))
        if ask is Ask.HOME:
            return self._home(state) | NO
        return QUESTIONS[ask](state)

    def _goals(self, state: Any, k: int) -> set[int]:
        """Where in a borough the citizen may go: to another kind of place."""
        all_towns = towns(state)
        here = all_towns[int(state["asked_borough"])].place_at(int(state["space"]))
        goals = {x for x in self.open[k] if all_towns[k].place_at(x) is not here}
        if int(state["asked_borough"]) != int(state["seat"]):
            goals = {x for x in goals if all_towns[k].place_at(x) is not Place.RECYCLING}  # NB3
        return goals

    def _move(self, state: Any) -> set[int]:
        p = int(state["seat"])
        goals = at(self._goals(state, p)) | NO
        home = Town(state, p)
        from_monastery = home.kind_at(int(state["space"])) is Kind.MONASTERY
        if int(state["asked_borough"]) == p and not from_monastery:
            for k in range(len(self.sent)):
                if self.sent[k] < self._reach(state, p, k) and self._goals(state, k):
                    goals.add(actions.SEAT + k)
        return goals

    @staticmethod
    def _reach(state: Any, p: int, k: int) -> int:
        """How many Tourists a player may send to a borough in a round (P3.2)."""
        all_towns = towns(state)
        if k == p or all_towns[k].out:
            return 0
        if all_towns[p].working(Kind.METRO):
            return 2
        return 1 if abs(k - p) in (1, len(all_towns) - 1) else 0

    def _home(self, state: Any) -> set[int]:
        p = int(state["seat"])
        homes = {tile.first for tile in Town(state, p).all_of(Kind.RESIDENTIAL_1)}
        return at(homes & self.open[p])


def offered(state: Any, legal: Any) -> Any:
    """What the engine offers, in the form of Reference.legal."""
    ids = {int(action) for action in legal.nonzero()[0]}
    if state["ask"] == Ask.WAY:
        return {covered_by(state, action - actions.WAY) for action in ids}
    return ids
