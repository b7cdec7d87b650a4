"""Play the fixtures of an arena on several processes or machines; the games are the same as in this process.

Workers get chunks of fixtures that take some seconds, and smaller ones towards the end, to finish together.
A chunk in which an agent fails is played again game by game: the failure belongs to one seed, and all other
games count. Failures are reported when everything else is on file.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from smallcity_env.config import Config

from .. import AgentError, make
from ..agent import Agent
from ..cluster import Done, Workers
from . import runner
from .results import Result
from .schedule import Fixture

AIM: Final = 10.0  # seconds of a chunk: a machine that dies costs no more, and sending one takes milliseconds


@dataclass(frozen=True)
class Setup:
    """What all chunks share."""

    config: Config
    names: tuple[str, ...]


@dataclass(frozen=True)
class Chunk:
    """The results of a chunk, its failures, and the time it took."""

    results: list[Result]
    failures: list[str]
    seconds: float


@cache
def _agents(setup: Setup) -> list[Agent]:
    """The agents of an arena, made once in each process."""
    agents = [make(name) for name in setup.names]
    runner.warm_up(setup.config, agents)
    return agents


def play_chunk(setup: Setup, fixtures: Sequence[Fixture]) -> Chunk:
    """Play some fixtures, in a worker."""
    agents, began = _agents(setup), time.monotonic()
    try:
        return Chunk(_play(setup, agents, fixtures), [], time.monotonic() - began)
    except Exception as error:
        if len(fixtures) == 1:
            who = ", ".join(setup.names[a] for a in fixtures[0].seating)
            failure = f"seed {fixtures[0].seed} ({who}): {type(error).__name__}: {error}"
            return Chunk([], [failure], time.monotonic() - began)
    single = [play_chunk(setup, [fixture]) for fixture in fixtures]
    results = [result for chunk in single for result in chunk.results]
    return Chunk(results, [words for chunk in single for words in chunk.failures], time.monotonic() - began)


def _play(setup: Setup, agents: Sequence[Agent], fixtures: Sequence[Fixture]) -> list[Result]:
    """The results of some fixtures, played at once."""
    steps = runner.played(setup.config, agents, fixtures)
    return [result for _, _, new in steps for result in new]


class Chunks:
    """Divides fixtures into chunks, by the time the previous ones took and the number of workers."""

    def __init__(self, todo: list[Fixture], executor: Workers, most: int) -> None:
        self.left, self.executor, self.most = todo, executor, most
        self.size = min(runner.FIRST, most)

    def __iter__(self) -> Iterator[list[Fixture]]:
        while self.left:
            fair = -(-len(self.left) // (2 * self.executor.count))
            size = max(min(self.size, fair), 1)
            chunk, self.left = self.left[:size], self.left[size:]
            yield chunk

    def learn(self, chunk: Chunk) -> None:
        """Adapt the size to the time a chunk took."""
        games = len(chunk.results) + len(chunk.failures)
        target = round(games * AIM / max(chunk.seconds, 1e-3))
        self.size = min(max(target, 1), 2 * self.size, self.most)


def distribute(
    executor: Workers, config: Config, agents: Sequence[Agent], todo: list[Fixture], most: int
) -> Iterator[runner.Step]:
    """Play fixtures on workers; refuses at the end if some could not be played."""
    setup = Setup(config, tuple(agent.name for agent in agents))
    chunks, played, failures = Chunks(todo, executor, most), 0, list[str]()
    for ready in executor.map(play_chunk, setup, chunks):
        new = list[Result]()
        for chunk in map(_chunk_of, ready):
            chunks.learn(chunk)
            new += chunk.results
            failures += chunk.failures
        played += len(new)
        yield played, 0.0, new
    if failures:
        number = f"{len(failures)} of {len(todo)} games could not be played, all others are on file"
        raise AgentError(f"{number}: {failures[0]}")


def _chunk_of(done: Done) -> Chunk:
    """The result of a chunk; a lost one counts as failed on all its seeds."""
    if not done.error:
        chunk: Chunk = done.value
        return chunk
    failures = [f"seed {fixture.seed}: {done.error}" for fixture in done.item]
    return Chunk([], failures, AIM)
