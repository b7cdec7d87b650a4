"""Automatic answers for a person where little depends on them; each kind can be switched off."""

from dataclasses import dataclass, field
from typing import Final

from smallcity_env.game import Game
from smallcity_env.language import lazy
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Store

WAREHOUSE: Final = actions.STORE + Store.WAREHOUSE
SWITCHES: Final = {
    "store": lazy("products go to a Warehouse while one has room: City Hall is for citizens"),
    "none": lazy(
        "`none` declines such questions until your money, votes or materials change, or the phase ends"
    ),
}
_MOMENT = tuple[int, int, int, int]


@dataclass
class Automatic:
    """Which questions are answered without asking the person."""

    store: bool = True
    none: bool = True
    declined: dict[_MOMENT, bytes] = field(default_factory=dict)  # questions, and what could be paid then

    def answer(self, game: Game) -> int | None:
        """The automatic answer to the current question; None if the person must answer."""
        if game.over:
            return None
        if self.declined.get(_moment(game)) == _means(game) and game.mask()[actions.NO]:
            return actions.NO
        if self.store and game.ask is Ask.STORE and game.mask()[WAREHOUSE]:
            return int(WAREHOUSE)
        return None

    def decline(self, game: Game) -> None:
        """Answer `no` to this question until something changes or the phase of this round ends."""
        if self.none:
            self.declined = {_moment(game): _means(game)}

    def switch(self, name: str, on: bool) -> None:
        """Switch a kind of answers on or off; what was declined is asked again."""
        setattr(self, name, on)
        self.declined.clear()


def _moment(game: Game) -> _MOMENT:
    return game.seat, int(game.ask), game.round, int(game.phase)


def _means(game: Game) -> bytes:
    """The means of the seat asked: money, votes and materials."""
    b = game.state["borough"][game.seat]
    return f"{b['money']} {b['votes']}".encode() + bytes(b["materials"])
