"""Agents' answers: games that wait for the same agent are answered together, slow agents in threads."""

import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from smallcity_env.rules.schema import STATE

from ..agent import Actions, Agent, Streams
from ..arena.playing import ask
from ..play.match import Match

QUICK: Final = 0.002  # seconds for an answer: agents that need no longer do not leave the loop
Waiting = tuple[Match, "asyncio.Future[int]"]


class Thinkers:
    """All agents of a server."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[Waiting]] = {}
        self._seconds: dict[str, float] = {}  # an answer of each agent took, at its last
        self._pool = ThreadPoolExecutor(os.cpu_count(), "agent")
        self._tasks: set[asyncio.Task[None]] = set()

    async def answer(self, match: Match) -> int:
        """The answer of the agent asked in a match."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._answer_all)
        answer: asyncio.Future[int] = loop.create_future()
        self._waiting.setdefault(match.names[match.game.seat], []).append((match, answer))
        return await answer

    def close(self) -> None:
        """Let the threads end."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _answer_all(self) -> None:
        """Answer in all games that wait: quick agents in all at once, the others in one after the other."""
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
            answers = await asyncio.get_running_loop().run_in_executor(self._pool, question.put)
        except Exception as error:
            if not future.done():
                future.set_exception(error)
            return
        self._seconds[name] = time.perf_counter() - began
        if not future.done():
            future.set_result(question.take(answers)[0])


class Question:
    """What an agent is asked in some games, copied: they can go on while it thinks."""

    def __init__(self, matches: Sequence[Match]) -> None:
        self.matches = matches
        first = matches[0]
        self.agent: Agent = first.agents[first.game.seat]
        games = [match.game for match in matches]
        records = bytearray(b"".join(game.states.tobytes() for game in games))
        self.states = np.frombuffer(records, np.uint8).view(STATE)
        self.legal = np.stack([game.mask() for game in games])
        self.streams: Streams = np.concatenate([match.streams for match in matches])

    def put(self) -> Actions:
        """Ask the agent."""
        return ask(self.agent, self.states, self.legal, self.streams, np.arange(len(self.matches)))

    def take(self, answers: Actions) -> list[int]:
        """The answers; the streams of the matches go on."""
        for number, match in enumerate(self.matches):
            match.streams[0] = self.streams[number]
        return [int(answer) for answer in answers]
