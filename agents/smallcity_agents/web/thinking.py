"""Agents' answers: games waiting for the same agent are answered together; slow agents run in threads."""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from smallcity_env import batch
from smallcity_env.refusal import Refused

from ..agent import Actions, Agent
from ..arena.playing import answers
from ..play.match import Match

QUICK: Final = 0.002  # seconds per answer: agents up to this fast run in the event loop
GATHER: Final = 0.002  # seconds in which questions to the same agent are collected
T = TypeVar("T")
Waiting = tuple[Match, "asyncio.Future[int]"]


class Threads:
    """Threads for slow work, one per core; the server does not wait for them when it ends."""

    def __init__(self) -> None:
        self._free = asyncio.Semaphore(os.cpu_count() or 1)
        self._running: set[asyncio.Future[Any]] = set()

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Do some work in a thread."""
        async with self._free:
            done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            self._running.add(done)
            done.add_done_callback(self._running.discard)
            threading.Thread(target=_work, args=(done, work, *args), daemon=True).start()
            return await done

    def end(self) -> None:
        """Release everyone waiting for a thread."""
        for done in list(self._running):
            done.set_exception(Refused("the server has ended"))


def _work(done: "asyncio.Future[T]", work: Callable[..., T], *args: Any) -> None:
    """Do some work, and pass the result to the event loop."""
    try:
        result = work(*args)
    except Exception as error:
        tell: Callable[[], None] = partial(done.set_exception, error)
    else:
        tell = partial(done.set_result, result)
    with suppress(RuntimeError):  # the server has ended, and its loop is closed
        done.get_loop().call_soon_threadsafe(lambda: None if done.done() else tell())


class Thinkers:
    """All agents of a server."""

    def __init__(self) -> None:
        self._threads = Threads()
        self._waiting: dict[str, list[Waiting]] = {}
        self._seconds: dict[str, float] = {}  # time of each agent's last answer
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, match: Match) -> int:
        """The answer of the agent asked in a match."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_later(GATHER, self._answer_all)
        answer: asyncio.Future[int] = loop.create_future()
        self._waiting.setdefault(match.names[match.game.seat], []).append((match, answer))
        return await answer

    def _answer_all(self) -> None:
        """Answer in all waiting games: quick agents in all at once, the others one game at a time."""
        everything, self._waiting = self._waiting, {}
        for name, waiting in everything.items():
            quick = self._seconds.get(name, 1.0) < QUICK
            if quick and self._together(waiting):
                continue
            for one in waiting:
                task = asyncio.create_task(self._alone(name, one))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _together(self, waiting: list[Waiting]) -> bool:
        """Answer in several games at once; False if the agent fails in one of them."""
        question = Question([match for match, _ in waiting])
        try:
            answers = question.put()
        except Exception:
            return False  # each alone, so that only one fails
        for (_, future), answer in zip(waiting, question.take(answers), strict=True):
            if not future.done():
                future.set_result(answer)
        return True

    async def _alone(self, name: str, one: Waiting) -> None:
        """Answer in one game, in a thread."""
        question, future = Question([one[0]]), one[1]
        began = time.perf_counter()
        try:
            answers = await self._threads.run(question.put)
        except Exception as error:
            if not future.done():
                future.set_exception(error)
            return
        self._seconds[name] = time.perf_counter() - began
        if not future.done():
            future.set_result(question.take(answers)[0])


class Question:
    """Copies of the positions in which an agent is asked, so that the games can change meanwhile."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches, games = matches, [match.game for match in matches]
        self.states = batch.join(game.states for game in games)
        self.legal = np.concatenate([game.mask() for game in games]).reshape(len(games), -1)
        self.seats = np.array([game.seat for game in games])
        self.streams = np.concatenate([match.streams for match in matches])[np.arange(len(games)), self.seats]
        self.agent: Agent = matches[0].agents[games[0].seat]

    def put(self) -> Actions:
        """Ask the agent."""
        return answers(self.agent, self.states, self.seats.copy(), self.legal, self.streams)

    def take(self, answers: Actions) -> list[int]:
        """The answers; advances the streams of the matches."""
        for match, seat, stream in zip(self.matches, self.seats.tolist(), self.streams, strict=True):
            match.streams[0, seat] = stream
        return list(map(int, answers))
