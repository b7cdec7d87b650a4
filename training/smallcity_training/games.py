"""The games a run learns from: several kinds at one time, and who sits where.

All rows are played in self-play; an *opponent* takes the seats the learner does not have. Who sits where
is drawn when a game begins: the learner on all seats, or on one seat against one opponent on the others.
"""

import itertools
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from smallcity_agents.agent import Agent
from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.envs.vector import SmallCityVec
from smallcity_env.rules import layout, rng
from smallcity_env.rules.actions import ACTIONS
from smallcity_env.rules.tables import SEATS

from . import config

LEARNER: Final = -1  # sits here
Ints = npt.NDArray[np.int64]


class Rounds(SmallCityVec):
    """Games in self-play that may end after fewer rounds."""

    def __init__(self, games: int, table: config.Table, reward: str) -> None:
        self.rounds = table.rounds
        game = {field.name: getattr(table.game(), field.name) for field in fields(Config)}
        super().__init__(games, **game, reward=reward, autoreset_mode="SameStep")

    def _begin(self, rows: Ints) -> None:
        super()._begin(rows)
        if self.rounds:
            self._states["rules"]["rounds"][rows] = self.rounds

    KEPT: Final = ("_streams", "_legal", "_states", "_seen", "_ended", "_paid", "_scores")

    def kept(self) -> dict[str, Any]:
        """Everything that is needed to go on exactly from here."""
        return {name: getattr(self, name).copy() for name in self.KEPT}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        for name in self.KEPT:
            getattr(self, name)[:] = kept[name]
        self._begun = True

    @property
    def states(self) -> batch.States:
        """The records of all games."""
        return self._states


class Step(NamedTuple):
    """What came of the answers."""

    paid: npt.NDArray[np.float32]  # (n, SEATS)
    over: npt.NDArray[np.bool_]  # (n,)


class Tables:
    """Games of several kinds, in one row after the other."""

    def __init__(self, stage: config.Stage, games: int, seed: int) -> None:
        counts = _shared_out([table.share for table in stage.tables], games)
        self.parts = [Rounds(n, table, stage.reward) for n, table in zip(counts, stage.tables, strict=True)]
        edges = np.cumsum([0, *counts])
        self.slices = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self.players = np.repeat([table.players for table in stage.tables], counts)
        self.seen = np.zeros((games, layout.SIZE), np.float32)
        self.legal = np.zeros((games, ACTIONS), np.bool_)
        self.seats = np.zeros(games, np.int64)
        self.streams = rng.streams(np.arange(games * SEATS) + seed).reshape(games, SEATS)
        for k, part in enumerate(self.parts):
            self._take(k, *part.reset(seed=seed + int(edges[k])))

    def _take(self, k: int, seen: Any, infos: dict[str, Any]) -> None:
        """What one kind of game shows."""
        rows = self.slices[k]
        self.seen[rows], self.legal[rows], self.seats[rows] = seen, infos["action_mask"], infos["seat"]

    def step(self, answers: Ints) -> Step:
        """Answer in every game."""
        paid, over = np.zeros((len(answers), SEATS), np.float32), np.zeros(len(answers), np.bool_)
        for k, (part, rows) in enumerate(zip(self.parts, self.slices, strict=True)):
            seen, _, over[rows], _, infos = part.step(answers[rows])
            paid[rows, : part.config.players] = infos["rewards"]
            self._take(k, seen, infos)
        return Step(paid, over)

    def ask(self, agent: Agent, rows: Ints) -> Ints:
        """An agent's answers in some games."""
        answers = np.empty(len(rows), np.int64)
        for part, where in zip(self.parts, self.slices, strict=True):
            mine = (rows >= where.start) & (rows < where.stop)
            if mine.any():
                games = rows[mine]
                seats = self.seats[games]
                streams = self.streams[games, seats]
                states = batch.take(part.states, games - where.start)
                answers[mine] = agent.act(states, seats, self.legal[games], streams)
                self.streams[games, seats] = streams
        return answers

    def kept(self) -> dict[str, Any]:
        """Everything that is needed to go on exactly from here."""
        own = {"seen": self.seen, "legal": self.legal, "seats": self.seats, "streams": self.streams}
        return {"parts": [part.kept() for part in self.parts], **{k: v.copy() for k, v in own.items()}}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        for part, mine in zip(self.parts, kept["parts"], strict=True):
            part.go_on(mine)
        for name in ("seen", "legal", "seats", "streams"):
            getattr(self, name)[:] = kept[name]


class Seating:
    """Who sits where: (n, SEATS) numbers of opponents, or LEARNER."""

    def __init__(self, players: Ints, shares: Sequence[float], seed: int) -> None:
        self.players, self.shares = players, np.asarray(shares, np.float64)
        self.chance = np.random.default_rng(seed)
        self.who = np.full((len(players), SEATS), LEARNER, np.int64)
        self.draw(np.arange(len(players)))

    def draw(self, rows: Ints) -> None:
        """New seatings for games that begin: opponent k by its share, else the learner alone."""
        bounds = np.cumsum(self.shares)
        found = np.searchsorted(bounds, self.chance.random(len(rows)), side="right")
        opponent = np.where(found < len(self.shares), found, LEARNER)
        self.who[rows] = opponent[:, None]
        seat = self.chance.integers(self.players[rows])
        self.who[rows, seat] = LEARNER

    def asked(self, seats: Ints) -> Ints:
        """Who is asked in every game."""
        return np.asarray(self.who[np.arange(len(seats)), seats])


def _shared_out(shares: Sequence[float], games: int) -> list[int]:
    """Whole games by shares that add up to 1."""
    edges = np.rint(np.cumsum([0, *shares]) * games).astype(int)
    return [int(n) for n in np.diff(edges)]
