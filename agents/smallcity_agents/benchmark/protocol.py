"""Protocol v2: anchors, tasks, seeds, and the games an agent plays. Changing any of them makes a new version.

A *block* is the games on one seed of a task: the agent and copies of one anchor at a table, in every rotation
of the seats. Blocks are played in *waves*; the anchors of a wave are those around the agent's level in the
waves before, so the games of an agent are always the same and a shorter run is the beginning of a longer one.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from smallcity_env.config import MODULES, Config

from . import mixes

VERSION: Final = "v2"
# the number of an anchor is its level; 10 is the champion by simulations: a clock would depend on the machine
ANCHORS: Final = ("random", *(f"level:{n}" for n in range(1, 10)), "search:sims=640")
BOTTOM, TOP = -1.0, 11.0  # the lowest and highest level reported
SEED: Final = 2_000_000  # of the first block of every task
WAVE: Final = 4  # blocks of a task
WAVES: Final = 16
QUICK_WAVES: Final = 6
QUICK_SECONDS: Final = 280.0  # after which a quick run begins no block
FIRST: Final = (2, 4, 6, 8)  # anchors of the first wave
WINTER: Final = ("river-easy", "mountain-easy", "river-expert")
MIXED: Final = (2, 3, 4)  # players of rule mixes, in turn
STEPS: Final = (100_000, 1_000_000, 10_000_000)  # budgets of the track `learning`


@dataclass(frozen=True)
class Task:
    """Games of one kind."""

    name: str
    scale: str  # the row of the table of anchors it is measured by
    fixed: Config | None = None  # None: a rule mix for every block
    held_out: bool = False  # the side of the split the mixes are from

    @property
    def alone(self) -> bool:
        """Whether the agent plays alone, for the score."""
        return self.fixed is not None and self.fixed.players == 1

    def config(self, number: int) -> Config:
        """The game of a block."""
        return self.fixed or self._mixes[number]

    @cached_property
    def _mixes(self) -> list[Config]:
        each = -(-WAVE * WAVES // len(MIXED))
        by_players = [mixes.first(each, SEED, self.held_out, players) for players in MIXED]
        return [config for turn in zip(*by_players, strict=True) for config in turn]


TRAINING, HELD_OUT = "training mixes", "held-out mixes"
TASKS: Final = {
    task.name: task
    for task in (
        Task("alone", "alone", Config(1)),
        Task("duel", "duel", Config(2)),
        Task("three", "three", Config(3)),
        Task("four", "four", Config(4)),
        Task("modules", "modules", Config(2, MODULES)),
        Task("winter", "winter", Config(3, boards=WINTER)),
        Task(TRAINING, "mixes"),
        Task(HELD_OUT, "mixes", held_out=True),
    )
}


class Block(NamedTuple):
    """The games of a task on one seed."""

    task: str
    number: int
    anchor: int

    @property
    def config(self) -> Config:
        """The game."""
        return TASKS[self.task].config(self.number)

    @property
    def seed(self) -> int:
        """The seed of all its games."""
        return SEED + self.number

    def tables(self, agent: str) -> list[list[str]]:
        """The names by seat of every game; in game n the agent has seat n."""
        players = self.config.players
        return [[agent if p == n else ANCHORS[self.anchor] for p in range(players)] for n in range(players)]


def wave(task: Task, number: int, level: float) -> list[Block]:
    """The blocks of a wave, for an agent that played at this level in the waves before."""
    near = min(max(math.floor(level), 0), len(ANCHORS) - 2)
    around = (near, near + 1, max(near - 1, 0), min(near + 2, len(ANCHORS) - 1))
    anchors = around if number else FIRST
    return [Block(task.name, WAVE * number + k, anchor) for k, anchor in enumerate(anchors)]
