"""The agents that play every seat except the learner's, in a whole batch of games."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .. import arguments, batch
from ..batch import Mask, States
from ..config import ConfigError
from ..rules import rng
from ..rules.tables import SEATS

if TYPE_CHECKING:
    from smallcity_agents.agent import Agent

Ints = npt.NDArray[np.int64]


class Opponents:
    """One agent for all other seats, or one per seat, clockwise from the learner."""

    def __init__(self, names: str | Sequence[str], players: int, games: int) -> None:
        from smallcity_agents import make, names_in  # imported late: it depends on this package

        given = names_in(names) if isinstance(names, str) else _listed(names)
        if len(given) not in (1, players - 1):
            required = f"1 opponent for all other seats or {players - 1} of them"
            raise ConfigError(f"{players} players need {required}, not {len(given)}")
        self.agents: list[Agent] = [make(name) for name in given]
        self.names: list[str] = [agent.name for agent in self.agents]
        self._streams = np.zeros((games, SEATS), np.uint64)

    def seed(self, rows: Ints, seeds: npt.NDArray[np.uint64]) -> None:
        """Reseed the streams of games that begin."""
        for seat in range(SEATS):
            self._streams[rows, seat] = rng.streams(seeds + np.uint64(seat))

    def play_on(self, states: States, learners: Ints, legal: Mask) -> None:
        """Play until every learner is asked, is out, or the game is over."""
        if self.names == ["random"]:
            streams = self._streams[:, 0].copy()
            batch.play_on(states, learners, streams, legal)
            self._streams[:, 0] = streams
            return
        while len(rows := _waiting(states, learners)):
            batch.step(states, self._answers(states, rows, learners, legal), legal)

    def _answers(self, states: States, rows: Ints, learners: Ints, legal: Mask) -> Ints:
        """The opponents' actions in the games waiting for them; SKIP in the others."""
        chosen = np.full(len(states), batch.SKIP)
        seats, players = states["seat"][rows].astype(np.int64), int(states["rules"]["players"][0])
        place = (seats - learners[rows] - 1) % players % len(self.agents)
        for k, agent in enumerate(self.agents):
            mine = place == k
            if mine.any():
                these, who = rows[mine], seats[mine]
                streams = self._streams[these, who]
                chosen[these] = agent.act(batch.take(states, these), who, legal[these], streams)
                self._streams[these, who] = streams
        return chosen


def _waiting(states: States, learners: Ints) -> Ints:
    """The games in which an opponent is asked."""
    games = np.arange(len(states))
    out = states["borough"]["out"][games, learners] > 0
    return np.flatnonzero(~batch.over(states) & ~out & (states["seat"] != learners))


def _listed(names: object) -> list[str]:
    """A list of agents' names."""
    given: list[Any] = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in given):
        raise ConfigError(f"opponents must be names of agents, not {arguments.shown(names)}")
    return given
