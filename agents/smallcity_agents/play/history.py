"""The history of a game in words, limited to what a seat may know."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.game import Game
from smallcity_env.language import _, current, in_all, joined, lazy, ngettext
from smallcity_env.log import Entry
from smallcity_env.rules import actions
from smallcity_env.rules.schema import STATE
from smallcity_env.rules.tables import SEATS, Ask, Card, Pay, Phase, Row
from smallcity_env.rules.tables.cards import DIFFICULTIES
from smallcity_env.rules.tables.names import ROW_NAMES, card_name, tile_name
from smallcity_env.rules.tables.tiles import Kind
from smallcity_env.show import Round
from smallcity_env.text import wording

from .walks import Roll, Walk, rolled, walked


class Event(NamedTuple):
    """An answer."""

    number: int  # in the log
    round_no: int
    secret: bool  # given behind a screen (P2.1, SU2)
    entry: Entry
    said: dict[str, str]  # the answer in words, in every language: people at one table speak several

    @property
    def words(self) -> str:
        """The answer in words."""
        return self.said[current()]


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
        words = in_all(lambda: wording.describe(state, entry.action))
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
        if sentence := joined(_deeds(list(run))):
            yield seat, sentence


def _deeds(events: list[Event]) -> Iterator[str]:
    """What one seat did, build by build; moves of citizens are only counted."""
    what, moved = 0, 0
    for event in events:
        ask, action = event.entry.ask, event.entry.action
        if ask is Ask.WHAT:
            what = action
            if action == actions.ENLARGE:
                yield _("enlarges its zone")
        elif ask is Ask.WHERE:
            yield _built(what, event)
            what = 0
        elif ask in (Ask.MOVE, Ask.HOME) and action < actions.BUILD:
            moved += 1
        elif deed := _deed(event):
            yield deed
    if moved:
        yield ngettext("moves a citizen", "moves {n} citizens", moved)


def _built(what: int, event: Event) -> str:
    """What a seat built, and where; the Warehouse of a factory and City Hall are not asked for."""
    place = wording.shown(event.entry.action)
    if not actions.KIND_OF[what]:
        return (
            _("builds a warehouse {place}", place=place)
            if event.round_no
            else _("builds City Hall {place}", place=place)
        )
    tile = tile_name(Kind(int(actions.KIND_OF[what])))
    if actions.UPGRADE <= what < actions.ENLARGE:
        return _("upgrades to {tile} {place}", tile=tile, place=place)
    return _("builds {tile} {place}", tile=tile, place=place)


_DEEDS: Final = {
    Ask.STREET: lazy("lays the Mayor's street {name}"),
    Ask.MOVE: lazy("sends a Tourist to {name}"),
    Ask.TRADE: lazy("trades {name}"),
    Ask.DIES: lazy("loses the citizen {name}"),
    Ask.SALARY: lazy("is asked to pay the Doctor: {name}"),
    Ask.ARRIVE: lazy("has a godzilla {name}"),
    Ask.LEAVE_WAY: lazy("its godzilla walks {name}"),
    Ask.TURN: lazy("its godzilla turns {name}"),
    Ask.PILGRIM: lazy("sends the Pilgrim {name}"),
}
_PAID: Final = {
    (Ask.SUPPORT, Pay.MONEY): lazy("is paid in money"),
    (Ask.SUPPORT, Pay.VOTES): lazy("is paid in votes"),
    (Ask.PAY, Pay.MONEY): lazy("pays money"),
    (Ask.PAY, Pay.VOTES): lazy("pays votes"),
    (Ask.PAY, Pay.NOTHING): lazy("pays nothing"),
}
_ENGINEER: Final = {
    actions.CLEAN: lazy("has the Engineer remove Radiation"),
    actions.OLD_EFFECT: lazy("has the Engineer keep the factories clean"),
}


def _deed(event: Event) -> str:
    """An answer in words; empty if it is not worth reporting."""
    ask, action = event.entry.ask, event.entry.action
    if action == actions.NO:
        return ""
    if ask is Ask.DIFFICULTY:
        return _("makes a promise worth {points}", points=DIFFICULTIES[action - actions.PROMISE])
    if ask is Ask.CARD:
        return _("takes the {card}", card=card_name(Card(int(actions.CARD_OF[action]))).title())
    if ask is Ask.ROW:
        return _("advances in {row}", row=ROW_NAMES[Row(action - actions.ROW)])
    if ask in (Ask.SUPPORT, Ask.PAY):
        return str(_PAID[ask, Pay(action - actions.PAY)])
    if ask is Ask.ENGINEER:
        return str(_ENGINEER[action])
    return _DEEDS[ask].fill(name=wording.shown(action)) if ask in _DEEDS else ""
