"""The history of a game in words, limited to what a seat may know."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.game import Game
from smallcity_env.log import Entry
from smallcity_env.rules import actions
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS, Ask, Phase
from smallcity_env.show import Round
from smallcity_env.text import wording

from .walks import Roll, Walk, rolled, walked


class Event(NamedTuple):
    """An answer."""

    number: int  # in the log
    round_no: int
    secret: bool  # given behind a screen (P2.1, SU2)
    entry: Entry
    words: str  # the answer in words


class History:
    """Records a game answer by answer, including forced ones."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.rounds: list[Round] = []  # completed
        self.walks: list[Walk] = []
        self.rolls: list[Roll] = []
        self._reported: dict[int, set[int]] = defaultdict(set)  # by seat

    def catch_up(self, game: Game) -> None:
        """Catch up with a game; starts over after an undo."""
        known = [event.entry for event in self.events]
        if not known or known != game.log.entries[: len(known)]:
            self.events, self.rounds, self.walks, self.rolls = [], [], [], []
            self._states = np.frombuffer(bytearray(game.log.start), np.uint8).view(STATE)
            self._begin_round()
        for entry in game.log.entries[len(self.events) :]:
            self._add(entry)

    def _begin_round(self) -> None:
        """Remember the start of a round."""
        self._before = self._states[0].copy()
        self._first, self._dice = len(self.events), np.zeros(SEATS, np.int64)

    def _add(self, entry: Entry) -> None:
        """Add an answer."""
        state = self._states[0]
        words = wording.describe(state, entry.action)
        number = int(state["round_no"])
        self.events.append(Event(len(self.events), number, is_secret(state), entry, words))
        if walk := walked(len(self.events) - 1, state, entry.action):
            self.walks.append(walk)
        before = state.copy()
        batch.answer_one(self._states, entry.action)
        after = self._states[0]
        if roll := rolled(len(self.events) - 1, before, after):
            self.rolls.append(roll)
        self._dice = np.maximum(self._dice, after["die"])
        if after["round_no"] != number or after["ask"] == Ask.OVER:
            entries = [event.entry for event in self.events[self._first :]]
            self.rounds.append(Round(number, self._before, after.copy(), entries, self._dice.tolist()))
            self._begin_round()

    def news(self, you: int) -> list[Event]:
        """Answers of others that you may know and that have not been reported to you yet."""
        reported = self._reported[you]
        news = [
            event for event in self.known(you) if event.number not in reported and event.entry.seat != you
        ]
        reported.update(event.number for event in news)
        return news

    def known(self, you: int) -> list[Event]:
        """The answers a seat may know, including its own."""
        hidden, now = is_secret(self._states[0]), int(self._states[0]["round_no"])
        return [
            event
            for event in self.events
            if event.entry.seat == you or not (hidden and event.secret and event.round_no == now)
        ]

    def mark_all_reported(self) -> None:
        """Mark everything so far as reported."""
        for seat in range(SEATS):
            self._reported[seat].update(event.number for event in self.events)


def is_secret(state: np.void) -> bool:
    """Whether the boroughs are behind screens."""
    return bool(state["phase"] == Phase.BUILD or (state["phase"] == Phase.SETUP and state["part"] == 0))


# -- in words


def sentences(events: Iterable[Event]) -> Iterator[tuple[int, str]]:
    """A seat and a sentence for each run of answers of one seat."""
    for seat, run in groupby(events, key=lambda event: event.entry.seat):
        if sentence := "; ".join(_deeds(list(run))):
            yield seat, sentence


def _deeds(events: list[Event]) -> Iterator[str]:
    """What one seat did, build by build; moves of citizens are only counted."""
    what, moved = "", 0
    for event in events:
        ask, name = event.entry.ask, actions.name(event.entry.action)
        if ask is Ask.WHAT:
            what = name.replace("upgrade", "upgrades to").replace("build", "builds")
            if name == "enlarge":
                yield "enlarges its zone"
        elif ask is Ask.WHERE:
            unasked = "builds a warehouse" if event.round_no else "builds City Hall"
            yield f"{what or unasked} {name}"
            what = ""
        elif ask in (Ask.MOVE, Ask.HOME) and name != "no" and not name.startswith("seat"):
            moved += 1
        elif deed := _deed(event, name):
            yield deed
    if moved:
        yield "moves a citizen" if moved == 1 else f"moves {moved} citizens"


_DEEDS = {
    Ask.DIFFICULTY: "makes a promise worth {rest}",
    Ask.CARD: "takes the {title}",
    Ask.SUPPORT: "is paid in {rest}",
    Ask.STREET: "lays the Mayor's street {name}",
    Ask.MOVE: "sends a Tourist to {name}",
    Ask.TRADE: "trades {name}",
    Ask.DIES: "loses the citizen {name}",
    Ask.ROW: "advances in {rest}",
    Ask.PAY: "pays {rest}",
    Ask.ENGINEER: "has the Engineer {engineer}",
    Ask.SALARY: "is asked to pay the Doctor: {name}",
    Ask.ARRIVE: "has a godzilla {name}",
    Ask.LEAVE_WAY: "its godzilla walks {name}",
    Ask.TURN: "its godzilla turns {name}",
    Ask.PILGRIM: "sends the Pilgrim {name}",
}


_ENGINEER = {"clean": "remove Radiation", "old-effect": "keep the factories clean"}


def _deed(event: Event, name: str) -> str:
    """An answer in words; empty if it is not worth reporting."""
    if name == "no" or event.entry.ask not in _DEEDS:
        return ""
    rest, engineer = name.partition(" ")[2], _ENGINEER.get(name, "")
    return _DEEDS[event.entry.ask].format(name=name, rest=rest, title=rest.title(), engineer=engineer)
