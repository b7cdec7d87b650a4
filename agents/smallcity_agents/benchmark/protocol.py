"""Protocol v1: tasks, anchors, seeds and numbers of games. Changing any of them makes a new version."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from smallcity_env.config import MODULES, Config

from . import mixes

VERSION: Final = "v1"
SEED: Final = 1_000_000  # of the first game of every task
GAMES: Final = 100  # of a task, rounded up to whole seeds
MIXES: Final = 24  # rule mixes on each side of the split, for 2, 3 and 4 players: 72 in all
QUICK: Final = 10  # a quick run plays one game and one mix in this many
ANCHOR: Final = "greedy"  # at the other seats
STRONG: Final = ("rollout:sims=64", "mcts:sims=256")  # in addition, for two players
TABLES: Final = {1: "alone", 2: "duel", 3: "three", 4: "four"}
WINTER: Final = ("river-easy", "mountain-easy", "river-expert", "mountain-expert")
SETUPS: Final = {"base": (), "godzillas": ("godzillas",), "everything": MODULES, "winter": ("godzillas",)}
TRAINING, HELD_OUT = "training mixes", "held-out mixes"


@dataclass(frozen=True)
class Task:
    """Games of one kind: the agent and anchors at one table, rotated over the seats."""

    name: str
    group: str  # the line of the report card it belongs to
    config: Config
    anchor: str
    games: int
    seed: int = SEED
    column: str = ""  # it belongs to when agents are compared

    def table(self, agent: str) -> list[str]:
        """The names at the table."""
        return [agent] + [self.anchor] * (self.config.players - 1)


def tasks(quick: bool = False) -> list[Task]:
    """All tasks, in order."""
    share = QUICK if quick else 1
    return [*_fixed(-(-GAMES // share)), *_strong(-(-GAMES // share)), *_mixed(-(-MIXES // share))]


def _fixed(games: int) -> Iterator[Task]:
    """Every number of players with every set-up."""
    for players, table in TABLES.items():
        for setup, modules in SETUPS.items():
            boards = WINTER[:players] if setup == "winter" else "base-easy"
            name = f"{table}, {setup}"
            yield Task(name, name, Config(players, modules, boards), ANCHOR, games, column=table)


def _strong(games: int) -> Iterator[Task]:
    """Duels with stronger anchors."""
    for anchor in STRONG:
        name = f"duel, godzillas, against {anchor}"
        yield Task(name, name, Config(2), anchor, games, column=f"against {anchor}")


def _mixed(each: int) -> Iterator[Task]:
    """Both sides of the split, one seed for every mix."""
    for group, held_out in ((TRAINING, False), (HELD_OUT, True)):
        for players in (2, 3, 4):
            for n, config in enumerate(mixes.first(each, SEED, held_out, players)):
                name = f"{group}, {TABLES[players]} {n + 1}"
                yield Task(name, group, config, ANCHOR, players, SEED + n, group)
