"""Agents' answers and other slow work: in threads, for everyone in turn, unless it is quick."""

import asyncio
import os
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from smallcity_env.game import Game
from smallcity_env.language import _
from smallcity_env.refusal import Refused

from ..agent import Agent, Streams
from ..arena.playing import ask
from ..level import LEVELS, Level, WithSearch
from ..play.match import Match
from ..search.agent import Search
from ..stdio import Stdio

MOST_WAITING: Final = 10  # pieces of work of one address
T = TypeVar("T")


class Threads:
    """Threads for slow work, for everyone in turn; one is always left for somebody else."""

    def __init__(self, most_waiting: int = MOST_WAITING) -> None:
        self._threads, self._most, self._ended = max(2, os.cpu_count() or 1), most_waiting, False
        self._pool = ThreadPoolExecutor(self._threads)
        self._running: Counter[str] = Counter()  # by whom they work for
        self._turns: dict[str, deque[asyncio.Future[None]]] = {}  # by who waits, the next one first
        self._pending: set[asyncio.Future[Any]] = set()

    async def run(self, who: str, work: Callable[..., T], *args: Any) -> T:
        """Do some work in a thread, when it is the turn of the one who asks for it."""
        turn, turns = asyncio.get_running_loop().create_future(), self._turns.setdefault(who, deque())
        if len(turns) >= self._most:
            raise Refused(_("too much is being computed for you: wait a moment"))
        turns.append(turn)
        self._hand_out()
        await self._until(turn)
        try:
            working = partial(copy_context().run, work, *args)  # in the language of who asks
            return await self._until(turn.get_loop().run_in_executor(self._pool, working))
        finally:
            self._running -= Counter([who])
            self._hand_out()

    def _hand_out(self) -> None:
        """Hand free threads to those whose turn it is, who then come behind all others."""
        for who in list(self._turns):
            if self._running.total() < self._threads and self._running[who] < self._threads - 1:
                turns = self._turns.pop(who)
                turn = turns.popleft()
                if turns:
                    self._turns[who] = turns
                if not turn.done():
                    self._running[who] += 1
                    turn.set_result(None)

    async def _until(self, done: "asyncio.Future[T]") -> T:
        """Wait until something is done or the server ends."""
        self._pending.add(done)
        try:
            return await done
        except asyncio.CancelledError:
            if self._ended:
                raise Refused(_("the server has ended")) from None
            raise
        finally:
            self._pending.discard(done)

    def end(self) -> None:
        """Release everyone who waits; the server ends without waiting for threads."""
        self._ended = True
        for done in list(self._pending):
            done.cancel()


class Thinkers:
    """All agents of a server: those that search or wait do it in threads, the others answer at once."""

    def __init__(self) -> None:
        self._threads = Threads(most_waiting=1 << 30)  # every table waits for one answer at most

    async def answer(self, match: Match, owner: str) -> tuple[int, Streams]:
        """The answer of the agent asked in a match, and the streams after it; all owners have their turns."""
        game = match.game  # replaced by another if a person undoes what they have answered
        agent, streams = match.agents[game.seat], match.streams.copy()
        if _searches(agent):
            return await self._threads.run(owner, _ask, agent, game, streams)
        await asyncio.sleep(0)  # whoever else is served comes first
        return _ask(agent, game, streams)


def _searches(agent: Agent) -> bool:
    """Whether an agent takes its time."""
    player: object = LEVELS[agent.number - 1] if isinstance(agent, Level) else agent
    return isinstance(player, WithSearch | Search | Stdio)


def _ask(agent: Agent, game: Game, streams: Streams) -> tuple[int, Streams]:
    """An agent's answer, and the streams after it."""
    answer = ask(agent, game.states, game.mask()[None], streams, np.zeros(1, np.int64))
    return int(answer[0]), streams
