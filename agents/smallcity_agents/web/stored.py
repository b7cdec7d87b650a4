"""A table as it is stored: what has been played, from which the table is played again."""

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from smallcity_env.game import Game
from smallcity_env.rules.tables import SEATS

from .. import refuse_own
from ..play.automatic import SWITCHES
from ..play.match import HUMAN, Match
from . import setup
from .ahead import Ahead, Gesture
from .forms import Unknown
from .store import Row

if TYPE_CHECKING:
    from .table import Table


class StoredGame(msgspec.Struct):
    """What has been played at a table."""

    names: list[str]
    streams: list[int]  # of the agents' chance
    begun: list[int]  # length of the log before each of a person's answers
    answers: list[int]  # all that were not forced
    undone: dict[int, int]  # number of answers each person has undone
    automatic: dict[str, bool]
    notice: str = ""  # to everyone at the table
    guided: bool = False  # a first game
    ahead: dict[int, list[Gesture]] = {}  # answers of Phase 2 that wait for their turn
    substitutes: dict[int, str] = {}  # agents that play for people, by seat
    own: dict[int, str] = {}  # what people want to be called, by seat


def row_of(table: "Table") -> Row:
    """The table as it is stored."""
    played = StoredGame(
        names=table.match.names,
        streams=table.match.streams.ravel().tolist(),
        begun=table.match.begun,
        answers=[entry.action for entry in table.game.log.entries if not entry.forced],
        undone=table.undone,
        automatic=table.automatic(),
        notice=table.notice,
        guided=table.guided,
        ahead=table.ahead.kept,
        substitutes=table.substitutes.names,
        own=table.own,
    )
    links = msgspec.json.encode(table.links)
    return Row(table.name.encode(), links, table.start, msgspec.json.encode(played))


def load(row: Row) -> "Table":
    """A table as it was stored; everything is checked, and every answer is played again."""
    from .table import Table

    if why := msgspec.json.decode(row.played, type=dict[str, Any]).get("damaged"):
        raise Unknown(str(why))
    played = msgspec.json.decode(row.played, type=StoredGame)
    match, links = _played_again(row, played), msgspec.json.decode(row.links, type=dict[str, int])
    table = Table(row.name.decode(), match, links, row.start)
    table.undone, table.notice, table.guided = played.undone, played.notice, played.guided
    table.ahead, table.own = Ahead(played.ahead), played.own
    for seat, name in played.substitutes.items():
        table.substitutes.seat(match, seat, name)
    return table


def _played_again(row: Row, played: StoredGame) -> Match:
    """The game with all its answers, and who plays it."""
    game = Game.load(row.start)
    if not (len(played.names) == game.config.players and len(played.streams) == SEATS):
        raise ValueError("its players are not listed")
    players = [*played.names, *played.substitutes.values()]
    refuse_own(players, "this table", [HUMAN, *setup.OFFERED], "--agent")
    for action in played.answers:
        game.step(action)
    match = Match(game, played.names, np.array(played.streams, np.uint64).reshape(1, -1))
    match.begun = [number for number in played.begun if 0 <= number < len(game.log)]
    for name in SWITCHES:
        match.automatic.switch(name, played.automatic.get(name, True))
    return match
