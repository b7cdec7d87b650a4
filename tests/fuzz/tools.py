"""Calls of the tools of the Model Context Protocol server: answered, or refused in a sentence."""

import asyncio
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError

from smallcity_agents.llm.mcp_server import Games, Server, server

from ..agents.stub import GARBAGE
from .attempts import STRANGE, altered

TOOLS = ("start", "answer", "table", "question", "rules", "undo", "end", "castle")


@cache
def _server() -> tuple[Server, Games, list[str]]:
    """A server, its games, and the id of the latest."""
    games = Games(Path(tempfile.mkdtemp()) / "games", seed=1)
    return server(games), games, []


def attempt(chance: random.Random) -> bool:
    """One call; whether it was refused."""
    made, games, ids = _server()
    if not ids or chance.random() < 0.01:
        ids[:] = [games.begin(2, 1, [])[0]]
    tool = chance.choice(TOOLS[:-2] if chance.random() < 0.98 else TOOLS)
    given: dict[str, Any] = {"game": ids[0], "answers": chance.choice(GARBAGE), "piece": "museum"}
    if tool == "start":
        given = {"level": 1, "players": chance.randrange(6), "modules": ["godzillas", chance.choice(STRANGE)]}
    call = given if chance.random() < 0.4 else altered(given, chance)
    try:
        asyncio.run(made.call_tool(tool, call if isinstance(call, dict) else {}))
    except ToolError as wrong:
        assert not isinstance(wrong, UnexpectedToolError), wrong.__cause__
        assert str(wrong) and "\n" not in str(wrong) and len(str(wrong)) < 500
        return True
    return False
