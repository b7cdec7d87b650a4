"""Run an arena: play the fixtures of a schedule in batches and append games to a file of results as they end.

    results = arena.run(Config(players=2), ["greedy", "random"], games=400, path=Path("runs/arena.jsonl"))

A table names the agent of every seat (they may repeat) and is rotated over the seats; no other lineup plays.
Games already on file are not played again, so an interrupted arena resumes. Games of other rules do not
count as the same, but agents are known by name only: after changing an agent, use another file. The games are
played here, or by several processes or machines (distribute.py).
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from smallcity_env import batch
from smallcity_env.config import Config
from smallcity_env.rules._library import library

from .. import AgentError, make
from ..agent import Actions, Agent
from . import game_stats
from .playing import Playing, ask, seat_streams
from .results import Key, Result, Writer, game_of, key, results
from .schedule import Fixture, Seating, schedule

BATCH: Final = 256  # most games played at once
FIRST: Final = 16  # games of the first batch
QUICK, SLOW = 5.0, 180.0  # seconds: after a quicker batch the next is larger, after a slower one smaller
SYNC: Final = 1.0  # seconds between writes: syncing every game by itself would slow quick agents down

Progress = Callable[[int, float, int], None]  # games on file, games' worth of play beyond them, all games
Step = tuple[int, float, list[Result]]  # games yielded, play beyond them, results of those just ended
Player = Callable[[Config, Sequence[Agent], list[Fixture], int], Iterator[Step]]


def named(names: Sequence[str]) -> list[Agent]:
    """Make the agents of these names; refuses duplicates."""
    agents = [make(name) for name in names]
    for name, times in Counter(agent.name for agent in agents).items():
        if times > 1:
            raise AgentError(
                f"{name} is named {times} times: name it once, it can have several seats, or use --table"
            )
    return agents


def seated(names: Sequence[str]) -> tuple[list[Agent], Seating]:
    """The distinct agents of a table, and the agent of each seat."""
    seats = [make(name) for name in names]
    agents = {agent.name: agent for agent in seats}
    order = list(agents)
    return list(agents.values()), tuple(order.index(agent.name) for agent in seats)


def here(config: Config, agents: Sequence[Agent], todo: list[Fixture], most: int) -> Iterator[Step]:
    """Play fixtures in this process, in batches of at most `most` games."""
    warm_up(config, agents if todo else [])
    size, done = min(FIRST, most), 0
    while todo:
        began = time.monotonic()
        for stored, more, new in played(config, agents, todo[:size]):
            yield done + stored, more, new
        done, todo = done + len(todo[:size]), todo[size:]
        size = min(_next_size(size, time.monotonic() - began), most)


def run(
    config: Config,
    names: Sequence[str],
    games: int,
    path: Path,
    seed: int = 0,
    batch_size: int = BATCH,
    progress: Progress = lambda stored, more, games: None,
    table: bool = False,
    play: Player = here,
) -> list[Result]:
    """Play the scheduled games not yet on file; return the results of all, in order of the schedule.

    With `table`, the names are those of a fixed table.
    """
    agents, lineup = entrants(config, names, table)
    fixtures = schedule(len(agents), config.players, games, seed, lineup)
    with Writer(path) as file:
        by_key = {result.key: result for result in file.known}
        todo = [fixture for fixture in fixtures if _key(config, agents, fixture) not in by_key]
        done = len(fixtures) - len(todo)
        for stored, more, new in play(config, agents, todo, batch_size):
            file.put(new)
            by_key.update((result.key, result) for result in new)
            progress(done + stored, more, len(fixtures))
    return [by_key[_key(config, agents, fixture)] for fixture in fixtures]


def entrants(config: Config, names: Sequence[str], table: bool) -> tuple[list[Agent], Seating]:
    """The distinct agents of an arena and, for a table, its lineup."""
    if not table:
        return named(names), ()
    if len(names) != config.players:
        raise AgentError(f"a table of {len(names)} agents does not fit {config.players} players")
    return seated(names)


def warm_up(config: Config, agents: Sequence[Agent]) -> None:
    """Ask each agent once, so that loading and compiling are not timed."""
    library.load()  # agents are timed on compiled rules, from the first answer on
    legal = batch.new_masks(1)
    states = batch.new(1, config, [0], legal)
    for agent in agents:
        ask(agent, states, legal, seat_streams([0]), np.zeros(1, np.int64))


def _next_size(size: int, seconds: float) -> int:
    """The next batch size: large batches are faster, but the games of an interrupted batch are lost."""
    if seconds < QUICK:
        return 2 * size
    return max(size // 2, 1) if seconds > SLOW else size


def _key(config: Config, agents: Sequence[Agent], fixture: Fixture) -> Key:
    """The key of a fixture among results."""
    return key(game_of(config), fixture.seed, (agents[a].name for a in fixture.seating))


def played(config: Config, agents: Sequence[Agent], fixtures: Sequence[Fixture]) -> Iterator[Step]:
    """Play some fixtures at once; yields results about once a second."""
    playing = Playing(config, agents, [f.seating for f in fixtures], [f.seed for f in fixtures])
    stored, last = np.zeros(len(fixtures), np.bool_), time.monotonic()
    while not stored.all():
        playing.step()
        new, ended = list[Result](), playing.over & ~stored
        if playing.over.all() or (ended.any() and time.monotonic() - last > SYNC):
            new = _results(config, agents, fixtures, playing, np.flatnonzero(ended))
            stored, last = playing.over, time.monotonic()
        rounds = playing.states["round_no"] / playing.states["rules"]["rounds"]
        yield int(stored.sum()), float(np.minimum(rounds, 1)[~stored].sum()), new


def _results(
    config: Config, agents: Sequence[Agent], fixtures: Sequence[Fixture], playing: Playing, games: Actions
) -> list[Result]:
    """The results of games that have ended, with their statistics."""
    seeds = [fixtures[i].seed for i in games]
    seatings = [[agents[a].name for a in fixtures[i].seating] for i in games]
    played = playing.played(games)
    return list(results(config, seatings, seeds, played, game_stats.collect(config, seeds, played.answers)))
