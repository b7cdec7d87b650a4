"""Answers given for a person where nothing hinges on them; each can be switched off."""

from dataclasses import dataclass, field

from smallcity_env.game import Game
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Ask, Store

WAREHOUSE = actions.STORE + Store.WAREHOUSE
_MOMENT = tuple[int, int, int, int]


@dataclass
class Automatic:
    """What is answered without asking the person."""

    store: bool = True  # products go to a Warehouse while one has room: City Hall is for citizens
    declined: set[_MOMENT] = field(default_factory=set)  # questions answered `no more` in this phase

    def answer(self, game: Game) -> int | None:
        """The answer to the question being asked, None if the person is asked."""
        if game.over:
            return None
        if _moment(game) in self.declined and game.mask()[actions.NO]:
            return actions.NO
        if self.store and game.ask is Ask.STORE and game.mask()[WAREHOUSE]:
            return int(WAREHOUSE)
        return None

    def decline(self, game: Game) -> None:
        """Answer `no` to this question until the phase of this round ends."""
        self.declined = {_moment(game)}


def _moment(game: Game) -> _MOMENT:
    return game.seat, int(game.ask), game.round, int(game.phase)
