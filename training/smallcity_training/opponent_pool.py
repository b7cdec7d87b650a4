"""Opponents in self-play: scripted agents and past checkpoints, and the seats they take."""

import re
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from smallcity_agents import make
from smallcity_agents.net import checkpoint
from smallcity_agents.net.model import Weights
from smallcity_env.refusal import Refused
from smallcity_env.rules.tables import SEATS

from .evaluation import TorchPolicy
from .games import GameBatch
from .net import Net, load_weights
from .state import State

Ints = npt.NDArray[np.int64]
NET_NAME: Final = re.compile(r"net-\d+\.npz")  # as run.py names checkpoints
LEARNER: Final = -1  # owns the seat
SAMPLED: Final = 1.0  # temperature of past checkpoints: they sample as they did in training


class OpponentPool:
    """Opponents 0, 1, ... are scripted; the last one is a past checkpoint, drawn again for each rollout.

    In each game the learner plays all seats, or one seat against one opponent on all others.
    """

    def __init__(
        self, scripted: list[str], shares: tuple[float, float], folder: Path, size: int = 1, every: int = 0
    ) -> None:
        self.scripted = [make(name) for name in scripted]
        self.shares = np.array([shares[0] / max(len(scripted), 1)] * len(scripted) + [shares[1]])
        self.size, self.every, self.folder = size, every, folder  # every: steps between checkpoints; 0: none
        self.checkpoints: list[str] = []  # file names

    def reset(self, players: Ints, seed: int) -> None:
        """Assign seats in a new batch of games with these numbers of players."""
        self.players, self.rng = players, np.random.default_rng(seed)
        self.owners = np.full((len(players), SEATS), LEARNER, np.int64)
        self.assign_seats(np.arange(len(players)))

    def assign_seats(self, rows: Ints) -> None:
        """Draw the opponent and the learner's seat for games that begin."""
        owner = np.searchsorted(np.cumsum(self.shares), self.rng.random(len(rows)), side="right")
        self.owners[rows] = np.where(owner < len(self.shares), owner, LEARNER)[:, None]
        self.owners[rows, self.rng.integers(self.players[rows])] = LEARNER

    def draw_checkpoint(self, rng: np.random.Generator) -> Weights | None:
        """The weights of a random checkpoint; None before there is one."""
        if not self.checkpoints:
            return None
        return checkpoint.read(self.folder / self.checkpoints[rng.integers(len(self.checkpoints))])[0]

    def set_opponent(self, past: Weights | None, net: Net) -> None:
        """Make past weights the last opponent; None: the current net plays."""
        opponent = net
        if past is not None:
            opponent = Net(net.place.shape[1], net.district.out_features, net.first.out_features)
            load_weights(opponent.to(net.place.device), past)
        self.agents = [*self.scripted, TorchPolicy(opponent, SAMPLED)]

    def add_checkpoint(self, name: str) -> None:
        """Add a checkpoint; the oldest is dropped when the pool is full."""
        self.checkpoints = [*self.checkpoints, name][-self.size :]

    def act(self, games: GameBatch, actions: Ints) -> Ints:
        """Fill in the opponents' actions; return the rows where the learner decides."""
        owners = self.owners[np.arange(len(actions)), games.seats]
        for k, agent in enumerate(self.agents):
            rows = np.flatnonzero(owners == k)
            if len(rows):
                actions[rows] = games.query(agent.act, rows)
        return np.flatnonzero(owners == LEARNER)

    def state_dict(self) -> State:
        """Everything needed to resume exactly."""
        rng = self.rng.bit_generator.state
        return {"owners": self.owners.copy(), "rng": rng, "checkpoints": list(self.checkpoints)}

    def load_state_dict(self, state: State) -> None:
        """Resume from a saved state; refuses checkpoints that do not belong to this run."""
        if not all(isinstance(name, str) and NET_NAME.fullmatch(name) for name in state["checkpoints"]):
            raise Refused("the training state is damaged: its pool names files that are not checkpoints")
        if not ((state["owners"] >= LEARNER) & (state["owners"] < len(self.shares))).all():
            raise Refused("the training state is damaged: its seats have opponents it does not name")
        self.owners[:], self.checkpoints = state["owners"], list(state["checkpoints"])
        self.rng.bit_generator.state = state["rng"]
