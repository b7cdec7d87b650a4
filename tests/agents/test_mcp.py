"""The Model Context Protocol server, driven by its package's own client: games, refusals, secrets."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents.llm.session import Session
from smallcity_env import Config
from tests.interpreter import ROOT
from tests.test_secret_builds import CONFIGS, asked_alike

from .stub import GARBAGE
from .test_words import match_of

mcp = pytest.importorskip("mcp")

from mcp.client.stdio import StdioServerParameters  # noqa: E402

from smallcity_agents.llm.mcp_server import Games, server  # noqa: E402

COMMAND = ["-m", "smallcity_env", "mcp"]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
Call = Callable[..., Awaitable[tuple[str, bool]]]


def connected(target: Any, play: Callable[[Call], Awaitable[None]]) -> None:
    """Let a client play with a server: calls give the text of a tool and whether it is an error."""

    async def run() -> None:
        async with mcp.Client(target) as client:

            async def call(tool: str, **arguments: Any) -> tuple[str, bool]:
                result = await client.call_tool(tool, arguments)
                return "".join(part.text for part in result.content), result.is_error

            await play(call)

    asyncio.run(run())


def first_numbers(seed: int) -> Callable[[Call], Awaitable[None]]:
    """Play a whole game with numbers of the lists, and some garbage."""

    async def play(call: Call) -> None:
        chance = np.random.default_rng(seed)
        text, wrong = await call("start", level=1)
        game = text.split()[1]
        while "The game is over." not in text:
            garbage = chance.random() < 0.2
            said = str(chance.choice(GARBAGE)) if garbage else str(chance.integers(1, 3))
            text, wrong = await call("answer", game=game, answers=said)
            assert not wrong and (garbage or "Not used" not in text or "list" in text)

    return play


def test_a_client_plays_a_whole_game(tmp_path: Path) -> None:
    connected(server(Games(tmp_path / "games")), first_numbers(1))


def test_a_client_set_up_as_the_page_says_plays_over_standard_streams(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", (ROOT / "docs" / "models.md").read_text(), re.DOTALL)
    (shown,) = json.loads(block)["mcpServers"].values()
    assert shown["command"] == "smallcity"
    words = ["-m", "smallcity_env", *shown["args"], "--games", str(tmp_path / "games")]
    connected(StdioServerParameters(command=sys.executable, args=words, env=ENVIRONMENT), first_numbers(2))


def test_a_server_speaks_french(tmp_path: Path) -> None:
    async def play(call: Call) -> None:
        text, _ = await call("start", level=1)
        assert text.startswith("Partie\u00a0: ") and "# Small City, les règles en bref" in text
        game = text.split("\n")[0].split()[-1]
        text, wrong = await call("answer", game=game, answers="zut")
        assert text.startswith("Non utilisé\u00a0: ") and not wrong

    words = ["-m", "smallcity_env", "--lang", "fr", "mcp", "--games", str(tmp_path / "games")]
    connected(StdioServerParameters(command=sys.executable, args=words, env=ENVIRONMENT), play)


def test_a_client_plays_over_http(tmp_path: Path) -> None:
    words = [sys.executable, *COMMAND, "--http", "--port", "0", "--games", str(tmp_path / "games")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as process:
        assert process.stdout
        address = re.search(r"http://127\.0\.0\.1:\d+/mcp", process.stdout.readline())
        try:
            assert address
            connected(address[0], first_numbers(3))
        finally:
            process.terminate()


def test_a_game_is_resumed_by_its_id_and_nobody_elses(tmp_path: Path) -> None:
    async def begin(call: Call) -> None:
        text, _ = await call("start", level=2, players=3)
        ids.append(text.split()[1])
        await call("answer", game=ids[0], answers="1")
        tables.append(await call("table", game=ids[0]))

    async def resume(call: Call) -> None:
        tables.append(await call("table", game=ids[0]))
        for other in ("", "x" * 12, "../games/" + ids[0], ids[0][:-1], "\x00" * 12):
            text, wrong = await call("table", game=other)
            assert wrong and "there is no game of this id" in text
        assert "The game is ended." in (await call("end", game=ids[0]))[0]
        assert (await call("table", game=ids[0]))[1]

    ids: list[str] = []
    tables: list[tuple[str, bool]] = []
    connected(server(Games(tmp_path / "games")), begin)
    connected(server(Games(tmp_path / "games")), resume)
    assert tables[0] == tables[1]


def test_an_answer_is_undone_within_the_turn(tmp_path: Path) -> None:
    async def play(call: Call) -> None:
        game = (await call("start", players=1, modules=[]))[0].split()[1]
        before, _ = await call("table", game=game)
        for answer in ("D4", "1", "1", "build park-1"):
            before, _ = await call("question", game=game)
            await call("answer", game=game, answers=answer)
        assert "Not used" not in (await call("undo", game=game))[0]
        assert (await call("question", game=game))[0] == before

    connected(server(Games(tmp_path / "games", seed=4)), play)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("start", {"level": 11}), ("start", {"players": "many"}), ("start", {"modules": ["x"]}),
        ("start", {"modules": ["godzillas"] * 2}), ("rules", {"game": "x"}), ("table", {"game": ["x"]}),
        ("table", {"game": 10**400}), ("castle", {}), ("answer", {}),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_a_sentence(tmp_path: Path, tool: str, arguments: Any) -> None:
    async def play(call: Call) -> None:
        text, wrong = await call(tool, **arguments)
        assert wrong and "\n" not in text and 0 < len(text) < 500 and "Traceback" not in text

    connected(server(Games(tmp_path / "games")), play)


def test_pieces_are_explained(tmp_path: Path) -> None:
    async def play(call: Call) -> None:
        game = (await call("start"))[0].split()[1]
        for piece, words in {"museum": "Tourist", "arch": "cultural building", "build bank": "$2"}.items():
            said, wrong = await call("rules", game=game, piece=piece)
            assert words in said and not wrong
            assert (await call("answer", game=game, answers=f"? {piece}"))[0].startswith(said)
        assert (await call("rules", game=game, piece="castle"))[1]

    connected(server(Games(tmp_path / "games")), play)


@pytest.mark.parametrize("config", CONFIGS[:3], ids=range(3))
def test_what_a_client_is_sent_depends_on_no_secret(config: Config, tmp_path: Path) -> None:
    games = Games(tmp_path / "games")
    said: list[list[str]] = [[], []]

    async def play(call: Call) -> None:
        for seat, *worlds, _ in asked_alike(config):
            for texts, states in zip(said, worlds, strict=True):
                games.keep("x" * 12, Session(match_of(states, seat)))
                for tool in ("table", "question", "rules"):
                    texts.append((await call(tool, game="x" * 12))[0])
                texts.append((await call("answer", game="x" * 12, answers="castle"))[0])

    connected(server(games), play)
    assert said[0] == said[1] and said[0]
