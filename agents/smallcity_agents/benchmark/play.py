"""Play the games of an entry that are not on file, wave by wave."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from smallcity_env import batch
from smallcity_env.rules.tables.counted import counted

from .. import AgentError, make
from ..agent import Agent
from ..arena import runner
from ..arena.playing import Played, Playing
from ..cluster import Workers
from .anchors import AnchorTable
from .entry import Entry, Game
from .levels import fit
from .protocol import ANCHORS, SEED, WAVE, Block, Task, wave
from .tracks import entrant


class Entrant(NamedTuple):
    """Who plays, as workers are told."""

    name: str
    track: str


@dataclass(frozen=True)
class Limits:
    """How much is played."""

    waves: int
    until: float = np.inf  # time.monotonic() after which no block is begun


def play(
    entry: Entry,
    tasks: Sequence[Task],
    table: AnchorTable,
    limits: Limits,
    executor: Workers,
    progress: Callable[[int, str], None],
) -> None:
    """Play waves of all tasks; an interrupted entry continues where it was."""
    who = Entrant(entry.header.agent, entry.header.track)
    for number in range(limits.waves):
        blocks = [blocks_of(task, number, entry.games, table) for task in tasks]
        in_turn = [block for turn in zip(*blocks, strict=True) for block in turn]
        known = {(game.task, game.seed) for game in entry.games}
        todo = [block for block in in_turn if (block.task, block.seed) not in known]
        for ready in executor.map(play_block, who, _in_time(todo, limits.until)):
            for done in ready:
                if done.error:
                    raise AgentError(f"a game of {done.item.task} could not be played: {done.error}")
                entry.put(done.value)
            progress(len({(game.task, game.seed) for game in entry.games}), counted(len(entry.games), "game"))
        if time.monotonic() > limits.until:
            return


def blocks_of(task: Task, number: int, games: Sequence[Game], table: AnchorTable) -> list[Block]:
    """The blocks of a wave, by the games of the waves before."""
    before = [game for game in games if game.task == task.name and game.seed < SEED + WAVE * number]
    outcomes = [game.outcome() for game in sorted(before, key=lambda game: (game.seed, game.seat))]
    level = fit(table.scales[task.scale], outcomes, task.alone).value if outcomes else 0.0
    return wave(task, number, level)


def _in_time(blocks: Sequence[Block], until: float) -> Iterator[Block]:
    """Blocks, as long as there is time."""
    for block in blocks:
        if time.monotonic() > until:
            return
        yield block


# -- in a worker


@cache
def _made(who: Entrant) -> Agent:
    """An agent, made once in each process and asked once, so that loading is not timed."""
    agent = entrant(who.name, who.track)
    runner.warm_up(Block("duel", 0, 0).config, [agent])
    return agent


@cache
def anchor(name: str) -> Agent:
    """An anchor, made once."""
    return make(name)


def play_block(who: Entrant, block: Block) -> list[Game]:
    """The games of a block; those of an agent that counts something one by one."""
    agent = _made(who)
    seats = list(range(block.config.players))
    parts = [[seat] for seat in seats] if agent.counts else [seats]
    return [game for part in parts for game in _games(agent, block, part)]


def _games(agent: Agent, block: Block, seats: Sequence[int]) -> Iterator[Game]:
    """The games in which the agent has these seats, played together."""
    before, players, other = agent.counts, range(block.config.players), anchor(ANCHORS[block.anchor])
    seatings = [[int(p != seat) for p in players] for seat in seats]
    playing = Playing(block.config, [agent, other], seatings, [block.seed] * len(seats))
    while not playing.over.all():
        playing.step()
    counts = {name: count - before[name] for name, count in agent.counts.items()}
    played = playing.played(np.arange(len(seats)))
    for n, seat in enumerate(seats):
        yield _game(agent, block, played, n, seat, counts)


def _game(agent: Agent, block: Block, played: Played, n: int, seat: int, counts: dict[str, int]) -> Game:
    """The line of a game."""
    scores, places = batch.scores(played.states)
    names, answers = block.tables(agent.name)[seat], played.answers[n]
    return Game(
        task=block.task,
        seed=block.seed,
        agents=names,
        seat=seat,
        scores=scores[n, : len(names)].tolist(),
        places=places[n, : len(names)].tolist(),
        decisions=int(played.decisions[n, seat]),
        seconds=round(float(played.seconds[n, seat]), 6),
        answers=answers[answers != batch.SKIP].tolist(),
        counts=counts,
    )
