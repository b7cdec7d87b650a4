"""The learner's company: who sits where, scripted opponents, and the pool of past checkpoints."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from smallcity_agents import make
from smallcity_agents.net import checkpoint

from . import config
from .evaluation import Torch
from .games import LEARNER, Seating, Tables
from .net import Net

Ints = npt.NDArray[np.int64]
OPEN = 1.0  # the temperature of past checkpoints: they play as they learnt


class Company:
    """Opponents 0, 1, ... are the scripted ones; the one after them is a past checkpoint."""

    def __init__(self, wanted: config.PPO, folder: Path, net: Net) -> None:
        self.config, self.folder, self.net = wanted, folder, net
        self.scripted = [make(name) for name in wanted.opponents]
        self.pool: list[str] = []  # file names of checkpoints
        self.past = Torch(net, OPEN)  # before there is a pool, the net as it is

    def sit_down(self, tables: Tables, seed: int) -> None:
        """Seats for new games."""
        each = self.config.opponents_share / max(len(self.scripted), 1)
        shares = [*[each] * len(self.scripted), self.config.pool_share]
        self.seating = Seating(tables.players, shares, seed)

    def choose_past(self, chance: np.random.Generator) -> None:
        """Another opponent from the pool."""
        if self.pool:
            arrays, _ = checkpoint.read(self.folder / self.pool[chance.integers(len(self.pool))])
            net = Net(**config.plain(self.config.net))
            net.load_state_dict({name: torch.from_numpy(array) for name, array in arrays.items()})
            self.past = Torch(net.eval(), OPEN)

    def add_to_pool(self, name: str) -> None:
        """One more checkpoint to play against; the oldest may leave."""
        self.pool = [*self.pool, name][-self.config.pool_size :]

    def learners(self, tables: Tables) -> npt.NDArray[np.bool_]:
        """In which games the learner is asked."""
        return np.asarray(self.seating.asked(tables.seats) == LEARNER)

    def answer(self, tables: Tables, answers: Ints) -> None:
        """Put in the opponents' answers where they are asked."""
        asked = self.seating.asked(tables.seats)
        for k, agent in enumerate([*self.scripted, self.past]):
            rows = np.flatnonzero(asked == k)
            if len(rows):
                answers[rows] = tables.ask(agent, rows)

    def kept(self) -> dict[str, Any]:
        """Everything that is needed to go on exactly from here."""
        chance = self.seating.chance.bit_generator.state
        return {"who": self.seating.who.copy(), "seating": chance, "pool": list(self.pool)}

    def go_on(self, kept: dict[str, Any]) -> None:
        """Go on from what was kept."""
        self.seating.who[:] = kept["who"]
        self.seating.chance.bit_generator.state = kept["seating"]
        self.pool = list(kept["pool"])
