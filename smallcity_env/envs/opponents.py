"""The agents that play every seat except the learner's, in a whole batch of games.

What `opponents` of an environment can be:

    "greedy"                        an agent of docs/agents.md by name
    an agent                        an object of your own, as docs/first-agent.md makes one
    function(observations, masks)   any function that answers as a net does: it gets the observations of the
                                    seats that are asked, in the form of the environment, and the masks (bool)
    ["greedy", agent, function]     one for each other seat, clockwise from the learner
    Mix("random", "greedy")         for each game one of these, drawn by the game's own seed
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from .. import arguments, batch
from ..batch import Mask, States
from ..config import ConfigError
from ..rules import rng
from ..rules.tables import SEATS
from .observations import Observations

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
_MIXED: Final = np.uint64(0x6D6978)  # added to a game's seed for the stream that draws its opponents


@runtime_checkable
class Acting(Protocol):
    """What an agent is to an environment."""

    @property
    def name(self) -> str:
        """What it is called."""

    def act(self, states: States, seats: Ints, legal: Mask, streams: npt.NDArray[np.uint64]) -> Ints:
        """A legal answer for each game."""


Answering: TypeAlias = Callable[[Any, Mask], Any]
Player: TypeAlias = str | Acting | Answering
Line: TypeAlias = Player | Sequence[Player]


class Mix:
    """Opponents drawn by game: `Mix("random", "greedy", shares=(1, 3))` is greedy in three of four."""

    def __init__(self, *choices: Line, shares: Sequence[float] | None = None) -> None:
        given = np.ones(len(choices)) if shares is None else np.array(shares, np.float64)
        if given.shape != (len(choices),) or not (given >= 0).all() or not 0 < given.sum() < np.inf:
            raise ConfigError("a Mix needs opponents, and if it has shares one of at least 0 for each")
        self.choices: tuple[Line, ...] = choices
        self.shares: Floats = given / given.sum()


class Function:
    """A function of observations and masks as an opponent."""

    def __init__(self, answer: Answering, seen: Observations) -> None:
        self.answer, self._seen = answer, seen
        self.name: str = getattr(answer, "__name__", type(answer).__name__)

    def act(self, states: States, seats: Ints, legal: Mask, streams: npt.NDArray[np.uint64]) -> Ints:
        """Let the function answer what the seats see."""
        seen = self._seen.like(len(states), legal)
        seen.write(states, seats)
        return arguments.actions(self.answer(seen.arrays, legal), len(states))


class Opponents:
    """One agent for all other seats, or one per seat, clockwise from the learner; mixed, by game."""

    def __init__(self, given: Line | Mix, players: int, games: int, seen: Observations) -> None:
        mix = given if isinstance(given, Mix) else Mix(given)
        self.lines: list[list[Acting]] = [_line(choice, players, seen) for choice in mix.choices]
        self._edges = np.cumsum(mix.shares)[:-1]
        self._random = self.names == ["random"]  # compiled code plays all of them
        self._chosen = np.zeros(games, np.int64)  # the line of each game
        self._streams = np.zeros((games, SEATS), np.uint64)

    @property
    def names(self) -> list[str]:
        """The names of all opponents, line by line."""
        return [player.name for line in self.lines for player in line]

    def seed(self, rows: Ints, seeds: npt.NDArray[np.uint64]) -> None:
        """Reseed the streams of games that begin, and draw their opponents."""
        for seat in range(SEATS):
            self._streams[rows, seat] = rng.streams(seeds + np.uint64(seat))
        self.draw(rows, seeds)

    def draw(self, rows: Ints, seeds: npt.NDArray[np.uint64]) -> None:
        """Draw the opponents of games, by their seeds."""
        drawn = rng.streams(seeds + _MIXED) / 2.0**64
        self._chosen[rows] = np.searchsorted(self._edges, drawn, side="right")

    def replaced(self, other: "Opponents", seeds: npt.NDArray[np.uint64]) -> "Opponents":
        """Other opponents that go on in the same games."""
        other._streams[:] = self._streams
        other.draw(np.arange(len(seeds)), seeds)
        return other

    def play_on(self, states: States, learners: Ints, legal: Mask) -> None:
        """Play until every learner is asked, is out, or the game is over."""
        if self._random:
            streams = self._streams[:, 0].copy()
            batch.play_on(states, learners, streams, legal)
            self._streams[:, 0] = streams
            return
        while len(rows := _waiting(states, learners)):
            batch.step(states, self._answers(states, rows, learners, legal), legal)

    def _answers(self, states: States, rows: Ints, learners: Ints, legal: Mask) -> Ints:
        """The opponents' actions in the games waiting for them; SKIP in the others."""
        chosen = np.full(len(states), batch.SKIP)
        seats = states["seat"][rows].astype(np.int64)
        place = (seats - learners[rows] - 1) % states["rules"]["players"][rows]
        for number, line in enumerate(self.lines):
            for k, player in enumerate(line):
                mine = (self._chosen[rows] == number) & (place % len(line) == k)
                if mine.any():
                    these, who = rows[mine], seats[mine]
                    streams = self._streams[these, who]
                    chosen[these] = player.act(batch.take(states, these), who, legal[these], streams)
                    self._streams[these, who] = streams
        return chosen


def _waiting(states: States, learners: Ints) -> Ints:
    """The games in which an opponent is asked."""
    games = np.arange(len(states))
    out = states["borough"]["out"][games, learners] > 0
    return np.flatnonzero(~batch.over(states) & ~out & (states["seat"] != learners))


def _line(given: Line, players: int, seen: Observations) -> list[Acting]:
    """One player for all other seats, or one for each."""
    from smallcity_agents import names_in  # imported late: it depends on this package

    listed = names_in(given) if isinstance(given, str) else given
    line = [_player(one, seen) for one in (listed if isinstance(listed, Iterable) else [listed])]
    if len(line) not in (1, players - 1):
        required = f"1 opponent for all other seats or {players - 1} of them"
        raise ConfigError(f"{players} players need {required}, not {len(line)}")
    return line


def _player(given: object, seen: Observations) -> Acting:
    """An opponent from a name, an agent or a function."""
    from smallcity_agents import make

    if isinstance(given, str):
        return make(given)
    if isinstance(given, Acting):
        return given
    if callable(given):
        return Function(given, seen)
    raise ConfigError(f"opponents must be names of agents, agents or functions, not {arguments.shown(given)}")
