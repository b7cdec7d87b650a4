"""A load test: many open games against greedy, answered at a rate.

    python -m tests.web.load                    200 games, 10 answers a second in each, for a minute
    python -m tests.web.load --pages            with a page listening at every game
    python -m tests.web.load --games 50 --rate 4 --seconds 20

An answer is timed from its sending until the next question of the same seat has come back: it is on disk, and
greedy has answered. A game that ends is followed by a new one. While all of them go on, the server is killed
and started again: every game must stand where the last answer that was acknowledged left it, or where one
that was on its way did.
"""

import argparse
import asyncio
import json
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .served import Server

HEAD = (
    "POST /api/{path} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    "Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
)
LISTEN = "GET /api/events/{token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PLAYERS = ["human", "greedy"]
OPTIONS = "--rate 100000 --most 10000 --tables 10000 --connections 1000"


@dataclass
class Tally:
    """What all clients have seen."""

    times: list[float] = field(default_factory=list)  # seconds
    wrong: list[str] = field(default_factory=list)
    begun: int = 0
    heard: int = 0  # bytes of events
    busy: tuple[float, float] = 0.0, 0.0  # processor seconds of the server and of the clients


class Client:
    """One game after the other, over one connection."""

    def __init__(self, port: int, number: int, tally: Tally, pages: bool) -> None:
        self.port, self.tally, self.pages = port, tally, pages
        self.chance, self.seeds = random.Random(number), count(number, 1000)
        self.token, self.version, self.legal = "", "", list[int]()
        self.sent = False  # an answer that has not been acknowledged

    async def connect(self) -> None:
        """Open a connection; the server closes those that are idle for seconds."""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def post(self, path: str, body: object) -> dict[str, Any]:
        """Send a request and read what comes back."""
        data = json.dumps(body)
        self.writer.write((HEAD.format(path=path, size=len(data)) + data).encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        answer = json.loads(await self.reader.readexactly(size))
        if not head.startswith(b"HTTP/1.1 200"):
            self.tally.wrong.append(f"{path}: {answer}")
        return answer

    async def begin(self) -> None:
        """Begin a game, and wait until it asks."""
        form = {"players": PLAYERS, "seed": next(self.seeds)}
        links = (await self.post("tables", form))["links"]
        self.token, self.version = next(link["token"] for link in links if link["seat"] == 0), "0"
        self.tally.begun += 1
        if self.pages:
            self.page = asyncio.create_task(self.listen(self.token))
        asked: dict[str, Any] = {"legal": []}
        while not asked["legal"]:
            asked = await self.post(f"speed/{self.token}", {"speed": "instant", "next": True})
        self._take(asked)

    def _take(self, asked: dict[str, Any]) -> None:
        self.version, self.legal = asked["version"], asked["legal"]

    async def listen(self, token: str) -> None:
        """A page that is open at the game."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(LISTEN.format(token=token).encode())
        try:
            while heard := await reader.read(1 << 20):
                self.tally.heard += len(heard)
        finally:
            writer.close()

    async def play(self, rate: float) -> None:
        """Answer at a rate until the server is killed; a late answer, or a new game, is made up for."""
        due = time.perf_counter()
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                if not self.legal:
                    await self._begin_another()
                    continue
                now = time.perf_counter()
                body = {"version": self.version, "answers": [self.chance.choice(self.legal)], "next": True}
                self.sent = True
                self._take(await self.post(f"answer/{self.token}", body))
                self.sent = False
                self.tally.times.append(time.perf_counter() - now)
                due += 1 / rate
                await asyncio.sleep(due - time.perf_counter())

    async def _begin_another(self) -> None:
        if self.pages:
            self.page.cancel()
        await self.begin()

    def lost(self, server: Server) -> bool:
        """Whether a server does not show the game as this client knows it."""
        known, shown = (int(v.partition(".")[0]) for v in (self.version, self._shown(server)))
        return shown < known or (shown > known and not self.sent)

    def _shown(self, server: Server) -> str:
        return str(server.get(f"/api/view/{self.token}")["version"])


async def load(server: Server, args: argparse.Namespace) -> tuple[Tally, list[Client]]:
    """Open the games, answer in all of them, and kill the server meanwhile."""
    tally = Tally()
    clients = [Client(server.port, number, tally, args.pages) for number in range(args.games)]
    for client in clients:
        await client.connect()
        await client.begin()
    starts = [n / args.games / args.rate for n in range(args.games)]  # spread over the first interval

    async def begin_later(client: Client, after: float) -> None:
        await asyncio.sleep(after)
        await client.connect()
        await client.play(args.rate)

    playing = asyncio.gather(*map(begin_later, clients, starts))
    before = server.seconds()
    await asyncio.sleep(args.seconds)
    tally.busy = server.seconds() - before, time.process_time()
    server.kill()
    await playing
    return tally, clients


def main() -> None:
    """Run the load, kill the server, and report; fails if a game or an answer was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rate", type=float, default=10, help="answers a second in each game")
    parser.add_argument("--pages", action="store_true", help="a page listens at every game")
    args = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = Server(Path(folder), options=OPTIONS.split())
        try:
            server.warm_up()
            tally, clients = asyncio.run(load(server, args))
            server.start()
            lost = [client.token for client in clients if client.lost(server)]
        finally:
            server.kill()
    print(f"killed while {sum(client.sent for client in clients)} answers were on their way")
    _report(tally, lost, args)


def _report(tally: Tally, lost: list[str], args: argparse.Namespace) -> None:
    times = sorted(tally.times)
    at = {part: times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.95, 0.99)}
    pace = f"{len(times) / args.seconds:,.0f} a second of {args.games * args.rate:,.0f} wanted"
    print(f"{args.games} games open, {tally.begun} begun; {len(times):,} answers ({pace})")
    print(", ".join(f"p{part * 100:.0f} {ms:.1f} ms" for part, ms in at.items()), end="")
    print(f"; {tally.heard / 1e6:.0f} MB of events" if args.pages else "")
    server, client = (1000 * seconds / len(times) for seconds in tally.busy)
    print(f"processor time of an answer: server {server:.2f} ms, client {client:.2f} ms")
    print(f"lost: {len(lost)}, refused: {len(tally.wrong)}", *tally.wrong[:5], sep="\n")
    if lost or tally.wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
