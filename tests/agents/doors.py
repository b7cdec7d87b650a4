"""A stub of a language model plays games of two players against `level:1` through every door.

python -m tests.agents.doors 50    # how many questions a second each answers
"""

import asyncio
import inspect
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from smallcity_agents import make
from smallcity_agents.arena.playing import play
from smallcity_agents.llm.session import Session
from smallcity_agents.stdio import Stdio
from smallcity_env import Config, batch

from .stub import Stub

LEVEL: Final = 1
PORT: Final = 8011
STARTS: Final = 60.0  # seconds a server may take to start
OVER: Final = "The game is over."


def view(games: int) -> tuple[int, int]:
    """The session itself, in this process: how many questions, and how many answers refused."""
    questions = illegal = 0
    for seed in range(games):
        session, stub = Session.begin(Config(2), [f"level:{LEVEL}"], seed), Stub(seed)
        while not session.over:
            session.reply(stub.reply(session.message()))
            questions += 1
        illegal += session.counts.illegal
    return questions, illegal


def stdio(games: int) -> tuple[int, int]:
    """A bot in a process of its own, in an arena."""
    agent = Stdio(f"{sys.executable} {inspect.getfile(Stub)} 1")
    played = play(Config(2), [agent, make(f"level:{LEVEL}")], [[0, 1]] * games, range(games))
    illegal, forfeited = agent.illegal, agent.forfeited
    agent.close()
    assert batch.over(played.states).all() and not forfeited, forfeited
    return int(played.decisions[:, 0].sum()) + illegal, illegal


def mcp(games: int) -> tuple[int, int]:
    """A client of the Model Context Protocol, over the standard streams of a server."""
    from mcp import Client
    from mcp.client.stdio import StdioServerParameters

    words = ["-m", "smallcity_env", "mcp", "--seed", "0", "--games", tempfile.mkdtemp()]
    server = StdioServerParameters(command=sys.executable, args=words, env=_environment())

    async def all_games() -> tuple[int, int]:
        questions = illegal = 0
        async with Client(server) as client:

            async def call(tool: str, **given: Any) -> str:
                result = await client.call_tool(tool, given)
                assert not result.is_error, result.content
                return result.content[0].text  # type: ignore[union-attr,no-any-return,unused-ignore]

            for seed in range(games):
                stub, text = Stub(seed), await call("start", level=LEVEL)
                game = text.split()[1]
                while OVER not in text:
                    text = await call("answer", game=game, answers=stub.reply(text))
                    questions, illegal = questions + 1, illegal + ("Not used:" in text)
                await call("end", game=game)
        return questions, illegal

    return asyncio.run(all_games())


def openenv(games: int) -> tuple[int, int]:
    """A client of OpenEnv, over the WebSocket of a server."""
    from openenv.core import GenericEnvClient

    questions = illegal = 0
    with serving(), GenericEnvClient(base_url=f"http://127.0.0.1:{PORT}").sync() as client:
        for seed in range(games):
            stub = Stub(seed)
            result = client.reset(task="game", seed=seed, level=LEVEL, players=2)
            while not result.done:
                result = client.step({"reply": stub.reply(result.observation["text"])})
                questions += 1
            illegal += client.state()["counts"]["illegal"]
    return questions, illegal


DOORS: Final[dict[str, tuple[str, Callable[[int], tuple[int, int]]]]] = {
    "view": ("", view),
    "stdio": ("", stdio),
    "mcp": ("mcp.server.mcpserver", mcp),  # of version 2
    "openenv": ("openenv", openenv),
}


def _environment() -> dict[str, str]:
    """Where a process started here finds the packages."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


@contextmanager
def serving() -> Iterator[None]:
    """The server of OpenEnv, once it answers."""
    from urllib.request import urlopen

    words = ["-m", "uvicorn", "smallcity_agents.llm.openenv_env:app", "--port", str(PORT)]
    server = subprocess.Popen([sys.executable, *words, "--log-level", "error"], env=_environment())
    try:
        until = time.monotonic() + STARTS
        while True:
            try:
                urlopen(f"http://127.0.0.1:{PORT}/health").close()
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < until, "the server does not start"
                time.sleep(0.2)
        yield
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Time every door that is installed: questions a second, by the clock."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    for name, (needs, door) in DOORS.items():
        try:
            import_module(needs or __name__)
        except ImportError:
            print(f"{name:8} is not installed here")
            continue
        door(1)  # what is built or loaded once
        begun = time.perf_counter()
        questions, illegal = door(games)
        speed = questions / (time.perf_counter() - begun)
        print(f"{name:8} {questions:,} questions, {illegal:,} refused, {speed:,.0f} a second", flush=True)


if __name__ == "__main__":
    main()
