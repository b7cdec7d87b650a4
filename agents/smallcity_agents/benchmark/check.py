"""Check an entry: its games are those of the protocol, and a sample of them, replayed, ends as it says.

Every answer must be legal. Those of the anchors must be what the anchors answer here; so must the agent's
own, if it is one of the package whose answers depend on nothing but the game.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from smallcity_env import batch
from smallcity_env.terminal import Refused

from .. import AGENTS, AgentError, make
from ..agent import Agent
from ..arena.playing import ask, seat_streams
from . import tracks
from .anchors import AnchorTable
from .entry import Game, Header
from .play import anchor, blocks_of
from .protocol import SEED, TASKS, WAVES, Block, Task

SAMPLE: Final = 12  # games that are replayed
ONE: Final = np.zeros(1, np.int64)  # the index of the only game


def schedule(header: Header, games: Sequence[Game], table: AnchorTable) -> None:
    """Refuse an entry with other games than the protocol has, or without some of them."""
    left = {(game.task, game.seed, game.seat): game for game in games}
    if len(left) < len(games):
        raise Refused("a game is in the entry twice")
    for task in TASKS.values():
        for block in _blocks(task, games, table):
            for seat, names in enumerate(block.tables(header.agent)):
                game = left.pop((block.task, block.seed, seat), None)
                if game is None:
                    raise Refused(f"a game of {task.name} on seed {block.seed} is missing")
                if game.agents != names:
                    met = ", ".join(game.agents)
                    raise Refused(f"{_where(game)} has {met}; the protocol has {', '.join(names)}")
    if left:
        raise Refused(f"{_where(next(iter(left.values())))} is not of the protocol")


def _blocks(task: Task, games: Sequence[Game], table: AnchorTable) -> Iterator[Block]:
    """The blocks of a task that an entry must have if it has the last of them."""
    last = max((game.seed for game in games if game.task == task.name), default=-1)
    for number in range(WAVES):
        blocks = [block for block in blocks_of(task, number, games, table) if block.seed <= last]
        if not blocks:
            return
        yield from blocks


def _where(game: Game) -> str:
    return f"the game of {game.task} on seed {game.seed} with the agent in seat {game.seat}"


def entered(header: Header) -> Agent | None:
    """The agent of an entry, if its answers can be repeated here; a stranger's code is not run."""
    if header.agent.partition(":")[0] not in AGENTS:
        return None
    try:
        agent = make(header.agent)
    except AgentError:
        return None
    same = header.nets.items() >= tracks.own_files(agent).items()
    return tracks.entrant(agent.name, header.track) if same and not tracks.on_the_clock(agent) else None


def replay(game: Game, agent: Agent | None) -> None:
    """Refuse a game whose answers are not legal, not those of its agents, or end otherwise."""
    config = TASKS[game.task].config(game.seed - SEED)
    asked = [agent if p == game.seat else anchor(name) for p, name in enumerate(game.agents)]
    legal, streams = batch.new_masks(1), seat_streams([game.seed])
    states = batch.new(1, config, [game.seed], legal)
    for n, answer in enumerate(game.answers, start=1):
        if not legal[0, answer]:
            raise Refused(f"answer {n} of {_where(game)} is not legal")
        who = asked[int(states["seat"][0])]
        if who and (here := int(ask(who, states, legal, streams, ONE)[0])) != answer:
            raise Refused(f"answer {n} of {_where(game)} is {answer}; here {who.name} answers {here}")
        batch.step(states, np.array([answer]), legal)
    scores, places = (values[0, : len(game.agents)].tolist() for values in batch.scores(states))
    if not batch.over(states)[0] or (scores, places) != (game.scores, game.places):
        raise Refused(f"{_where(game)} does not end as it says: replayed, the scores are {scores}")


def sample(games: Sequence[Game]) -> list[Game]:
    """Some games at random, other ones at every check."""
    chosen = np.random.default_rng().permutation(len(games))[:SAMPLE]
    return [games[n] for n in chosen]
