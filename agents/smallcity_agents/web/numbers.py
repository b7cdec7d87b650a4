"""Games with other numbers: a file of numbers is checked here and played by its own server.

The rules are compiled with their numbers, so one process plays with one set of numbers.
"""

import asyncio
import sys
from asyncio.subprocess import Process
from pathlib import Path
from typing import Final

from smallcity_env import files
from smallcity_env.refusal import Refused

MOST: Final = 3  # servers with other numbers
FOLDER: Final = "numbers"
STARTING: Final = 60.0  # seconds until a server must print its address
ENDING: Final = 2.0  # seconds until a server that is told to end is killed: what it acknowledged is on disk


class OtherNumbers:
    """The servers that play with other numbers; they end with this one."""

    def __init__(self, folder: Path, host: str, net: Path | None = None) -> None:
        self.folder, self.host, self.net = folder / FOLDER, host, net
        self._ports: dict[str, asyncio.Task[int]] = {}
        self._servers: dict[str, Process] = {}

    async def port(self, name: str, text: str) -> int:
        """The port of the server that plays with a file of numbers of this fingerprint."""
        if name not in self._ports:
            if len(self._ports) >= MOST:
                raise Refused(f"this server plays by {MOST} sets of numbers at most: start it again")
            self._ports[name] = asyncio.create_task(self._start(name, text))
        return await asyncio.shield(self._ports[name])

    async def _start(self, name: str, text: str) -> int:
        """Start a server and read its port; one that does not start makes room for another."""
        try:
            server = await self._launch(name, text)
            assert server.stdout
            line = await asyncio.wait_for(server.stdout.readline(), STARTING)
            return int(line.partition(b" is at ")[2].split()[0].rstrip(b"/").rpartition(b":")[2])
        except (TimeoutError, IndexError):
            del self._ports[name]
            await _end(self._servers.pop(name))
            raise Refused("the server for these numbers does not start") from None

    async def _launch(self, name: str, text: str) -> Process:
        """A server; its first line has its address."""
        path = self.folder / f"{name}.toml"
        await asyncio.to_thread(files.write, path, text)
        words = ["--numbers", str(path), "web", "--no-open", "--port", "0", "--host", self.host]
        words += ["--net", str(self.net)] if self.net else []
        self._servers[name] = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "smallcity_env", *words),
            *("--games", str(self.folder / name), "--with-stdin"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        return self._servers[name]

    async def close(self) -> None:
        """End the servers."""
        await asyncio.gather(*map(_end, self._servers.values()))


async def _end(server: Process) -> None:
    """End a server: it ends when its standard input closes, or is killed."""
    if server.stdin:
        server.stdin.close()
    try:
        await asyncio.wait_for(server.wait(), ENDING)
    except TimeoutError:
        server.kill()
        await server.wait()
