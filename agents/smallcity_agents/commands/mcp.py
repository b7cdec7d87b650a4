"""`smallcity mcp`: a Model Context Protocol server with which chat clients play."""

import argparse
from pathlib import Path
from typing import Final

from smallcity_env import terminal
from smallcity_env.refusal import needing

from .web import HOST, listen

PORT: Final = 8009
FOLDER: Final = Path("runs") / "mcp"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--http", action="store_true", help=f"streamable HTTP on {HOST} instead of stdio")
    parser.add_argument(
        "--port", type=terminal.number, default=PORT, help=f"with --http; 0: any free one (default {PORT})"
    )
    parser.add_argument("--games", type=Path, default=FOLDER, help=f"where games are kept (default {FOLDER})")
    parser.add_argument(
        "--seed", type=terminal.number, help="of the first game (default: a new one each time)"
    )


def run(args: argparse.Namespace) -> None:
    """Serve until standard input closes or, with --http, until interrupted."""
    with needing("mcp"):
        from ..llm.mcp_server import Games, server
    made = server(Games(args.games, args.seed))
    if not args.http:
        made.run()
        return
    import uvicorn

    listening = listen(HOST, args.port)
    print(f"Small City for chat clients is at http://{HOST}:{listening.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(made.streamable_http_app(host=HOST), log_level="error")
    uvicorn.Server(config).run(sockets=[listening])
