"""The game as a Model Context Protocol server: tools with which a chat client plays a seat (docs/models.md).

A game belongs to whoever has its id: the protocol of 2026 has no connections, and a game is resumed by its id
after a restart too. Tools tell what the seat sees and nothing else.
"""

import re
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field, ValidationError

from smallcity_env import __version__, files
from smallcity_env.config import Config
from smallcity_env.language import _
from smallcity_env.refusal import Refused

from ..play.match import Match
from ..play.parser import ParseError
from .session import Session

INSTRUCTIONS: Final = (
    "You play one seat of the board game Small City. Call `start`, read the rules it returns, then call "
    "`answer` with one or several answers until the game is over. Every tool but `start` needs the id of the "
    "game."
)
ID: Final = re.compile(r"[\w-]{12}", re.ASCII)
ID_BYTES: Final = 9  # of chance: twelve letters
SUFFIX: Final = ".save"
IN_MEMORY: Final = 64  # games; the others are on disk
MOST: Final = 1000  # games on disk
LONGEST: Final = 400  # letters of a refusal

GameId = Annotated[str, Field(description="the id that `start` returned")]
Level = Annotated[int, Field(ge=1, le=10, description="of the opponents: 1 a beginner, 10 the champion")]
Players = Annotated[int, Field(ge=1, le=4, description="at the table, you included")]
Modules = Annotated[list[str], Field(description="expansions, such as godzillas or promise_cards")]
Answers = Annotated[str, Field(description="a number or a name of the list; several with semicolons")]
Piece = Annotated[str, Field(description="a tile, an action card or a promise; empty: all rules")]


class Games:
    """The games of a server: kept in a private folder, since they hold the secrets of all seats."""

    def __init__(self, folder: Path, seed: int | None = None) -> None:
        files.make_private(folder)
        self._folder, self._seed = folder, seed
        self._open: dict[str, Session] = {}  # the last used ones, the latest last
        self._lock = threading.Lock()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """One tool at a time, for tools run on several threads; what the game refuses is the tool's error."""
        with self._lock:
            try:
                yield
            except (Refused, ParseError) as wrong:
                raise ToolError(" ".join(str(wrong).split())[:LONGEST]) from None

    def begin(self, players: int, level: int, modules: list[str]) -> tuple[str, Session]:
        """A new game against agents of a level."""
        if len(list(self._folder.glob(f"*{SUFFIX}"))) >= MOST:
            raise Refused(f"there are {MOST} games already: end one first")
        seed, self._seed = self._seed, None if self._seed is None else self._seed + 1
        chance = secrets.randbits(32) if seed is None else seed
        session = Session.begin(Config(players, tuple(modules)), [f"level:{level}"] * (players - 1), chance)
        name = secrets.token_urlsafe(ID_BYTES)
        self.keep(name, session)
        return name, session

    def find(self, name: str) -> Session:
        """The game of an id, from memory or from disk."""
        if name not in self._open:
            path = self._path(name)
            if not ID.fullmatch(name) or not files.is_file(path):
                raise Refused("there is no game of this id: `start` begins one")
            self._open[name] = Session(Match.load(path))
        self._remember(name, self._open[name])
        return self._open[name]

    def keep(self, name: str, session: Session) -> None:
        """Save a game."""
        files.write(self._path(name), session.match.to_bytes())
        self._remember(name, session)

    def end(self, name: str) -> None:
        """Forget a game."""
        self._open.pop(name, None)
        self._path(name).unlink(missing_ok=True)

    def _remember(self, name: str, session: Session) -> None:
        """Make a game the latest in memory, and drop the one that was not used for longest."""
        self._open.pop(name, None)
        self._open[name] = session
        if len(self._open) > IN_MEMORY:
            del self._open[next(iter(self._open))]

    def _path(self, name: str) -> Path:
        return self._folder / (name + SUFFIX)


class Server(MCPServer[Any]):
    """MCPServer, with wrong arguments refused in one sentence."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as wrong:
            if not isinstance(wrong.__cause__, ValidationError):
                raise
            why = [f"{'.'.join(map(str, part['loc']))}: {part['msg']}" for part in wrong.__cause__.errors()]
            raise ToolError("; ".join(why)[:LONGEST]) from None


def server(games: Games) -> Server:
    """A server with the tools of a game."""
    made = Server("smallcity", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    for tool in _tools(games):
        made.add_tool(tool, structured_output=False)
    return made


def _tools(games: Games) -> list[Callable[..., str]]:
    """The tools; their docstrings are what a model reads."""

    def start(level: Level = 3, players: Players = 2, modules: Modules = ["godzillas"]) -> str:  # noqa: B006
        """Start a game against opponents of a level; returns its id, the rules and the first question."""
        with games.asked():
            game, session = games.begin(players, level, modules)
            return "\n\n".join([_("Game: {id}", id=game), session.rules, session.message(whole=True)])

    def answer(game: GameId, answers: Answers) -> str:
        """Answer the open question, and the next ones while it stays your turn; returns what is new."""
        with games.asked():
            session = games.find(game)
            reply = session.reply(answers)
            games.keep(game, session)
            return "\n\n".join(filter(None, [reply.said, session.message()]))

    def table(game: GameId) -> str:
        """Show all boroughs, tracks, cards, the council and your promise."""
        with games.asked():
            return games.find(game).table()

    def question(game: GameId) -> str:
        """Show the open question, its legal answers with effects, and why other builds are not possible."""
        with games.asked():
            session = games.find(game)
            return "\n\n".join(filter(None, [session.message(whole=True), session.explain()]))

    def rules(game: GameId, piece: Piece = "") -> str:
        """The rules of this game, or what a tile, an action card or a promise is."""
        with games.asked():
            session = games.find(game)
            return session.explain(piece) if piece else session.rules

    def undo(game: GameId) -> str:
        """Take back your last answer, if it is of this turn and nothing has come of it."""
        return answer(game, "undo")

    def end(game: GameId) -> str:
        """End a game for good, finished or not; returns how it stands."""
        with games.asked():
            standing = games.find(game).table()
            games.end(game)
            return "\n\n".join([_("The game is ended."), standing])

    return [start, answer, table, question, rules, undo, end]
