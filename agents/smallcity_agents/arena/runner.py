"""Agents against each other: the matches of a schedule, played in batches, each batch written down.

    found = arena.run(Config(players=2), ["greedy", "random"], games=400, path=Path("runs/arena.jsonl"))

What stands in the file already is not played again, so an interrupted arena goes on where it was. The
rules are part of what is compared, the agents only by name: after changing an agent use another file.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from smallcity_env import batch
from smallcity_env.batch import States
from smallcity_env.config import Config

from .. import AgentError, make
from ..agent import Agent
from . import game_stats
from .playing import ask, play, seat_streams
from .results import Key, Result, Writer, game_of, key, results
from .schedule import Match, schedule

BATCH: Final = 256  # games played at once, at most, and then written down
FIRST: Final = 16  # games of the first batch
QUICK, SLOW = 5.0, 180.0  # seconds: after a quick batch the next is bigger, after a slow one smaller


def named(names: Sequence[str]) -> list[Agent]:
    """The agents of these names, each once."""
    agents = [make(name) for name in names]
    for name, times in Counter(agent.name for agent in agents).items():
        if times > 1:
            raise AgentError(f"{name} is named {times} times: once is enough, its seats are shared out")
    if asked := [agent.label for agent in agents if agent.label == "human"]:
        raise AgentError(f"{asked[0]} cannot play in an arena: see `smallcity play`")
    return agents


def run(
    config: Config,
    names: Sequence[str],
    games: int,
    path: Path,
    seed: int = 0,
    batch_size: int = BATCH,
    progress: Callable[[float, int], None] = lambda done, games: None,
) -> list[Result]:
    """Play what is missing of at least so many games; every result of the schedule, in its order."""
    agents = named(names)
    matches = schedule(len(agents), config.players, games, seed)
    with Writer(path) as file:
        found = {result.key: result for result in file.known}
        todo = [match for match in matches if _key(config, agents, match) not in found]
        warm_up(config, agents if todo else [])
        size = min(FIRST, batch_size)
        while todo:
            began, done = time.monotonic(), len(matches) - len(todo)
            new = _play(config, agents, todo[:size], done, len(matches), progress)
            file.add(new)
            found.update((result.key, result) for result in new)
            todo = todo[size:]
            size = min(_next_size(size, time.monotonic() - began), batch_size)
    return [found[_key(config, agents, match)] for match in matches]


def warm_up(config: Config, agents: Sequence[Agent]) -> None:
    """One answer of each agent that counts for nothing: what it reads and compiles once is not timed."""
    legal = batch.new_masks(1)
    states = batch.new(1, config, [0], legal)
    for agent in agents:
        ask(agent, states, legal, seat_streams([0]), np.zeros(1, np.int64))


def _next_size(size: int, seconds: float) -> int:
    """Bigger batches are faster, but what is interrupted is lost: none should take long."""
    if seconds < QUICK:
        return 2 * size
    return max(size // 2, 1) if seconds > SLOW else size


def _key(config: Config, agents: Sequence[Agent], match: Match) -> Key:
    """By what a match is found again."""
    return key(game_of(config), match.seed, (agents[a].name for a in match.seating))


def _play(
    config: Config,
    agents: Sequence[Agent],
    matches: Sequence[Match],
    done: int,
    games: int,
    progress: Callable[[float, int], None],
) -> list[Result]:
    """Play some matches at once; `progress` hears how many games are done, in part too."""

    def look(states: States) -> None:
        progress(done + float(np.minimum(states["round_no"] / states["rules"]["rounds"], 1).sum()), games)

    seeds = [match.seed for match in matches]
    seatings = [[agents[a].name for a in match.seating] for match in matches]
    played = play(config, agents, [match.seating for match in matches], seeds, look)
    books = game_stats.keep(config, seeds, played.answers)
    return list(results(config, seatings, seeds, played, books))
