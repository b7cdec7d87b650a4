"""A server under a memory limit, strangers who attack it, and a table that is played on beside them."""

import http.client
import json
import random
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .served import Server

STRANGER = "127.0.0.2"  # another address of this machine
PLAYER = "127.0.0.1"
ADDRESSES = 400 << 20  # bytes that the server may reserve on top of what it has when it is warm
MEMORY = 250 << 20  # bytes that it may use on top of that
LATEST = 2.0  # seconds until every answer of the table beside must have come
JSON = {"Content-Type": "application/json"}


def status(server: Server, name: str) -> int:
    """A number of bytes in the system's status of the server."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith(name))


def limited(folder: Path, *options: str) -> Server:
    """A warm server that may take little more memory."""
    server = Server(folder, options=options)
    server.warm_up()
    most = status(server, "VmSize") + ADDRESSES
    resource.prlimit(server.process.pid, resource.RLIMIT_AS, (most, most))
    return server


def send(
    server: Server,
    path: str,
    body: Any = None,
    source: str = STRANGER,
    headers: dict[str, str] | None = None,
    timeout: float = 20,
) -> tuple[int, Any]:
    """A request from an address: the status, and the JSON that comes back."""
    client = http.client.HTTPConnection(PLAYER, server.port, timeout=timeout, source_address=(source, 0))
    data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    try:
        client.request("GET" if data is None else "POST", path, data, JSON | (headers or {}))
        answer = client.getresponse()
        text = answer.read()
        return answer.status, json.loads(text or b"null") if "json" in answer.headers[
            "Content-Type"
        ] else text
    finally:
        client.close()


def raw(server: Server, data: bytes, source: str = STRANGER) -> socket.socket:
    """A connection on which something has been sent."""
    connection = socket.create_connection((PLAYER, server.port), 20, source_address=(source, 0))
    connection.sendall(data)
    return connection


def is_open(connection: socket.socket) -> bool:
    """Whether the server has not closed a connection."""
    connection.settimeout(0.01)
    try:
        return not any(not connection.recv(1 << 16) for _ in range(2))  # a refusal comes before the end
    except TimeoutError:
        return True
    except OSError:
        return False


class Beside:
    """A person who plays against greedy; every answer must come in time."""

    def __init__(self, server: Server, opponent: str = "greedy") -> None:
        self.server, self.opponent = server, opponent
        self.answers, self.slowest = 0, 0.0
        self.wrong: BaseException | None = None
        self._ended = threading.Event()
        self._chance = random.Random(4)

    def play(self) -> None:
        """Play games until the end."""
        try:
            while not self._ended.is_set():
                self._game()
        except BaseException as wrong:
            self.wrong = wrong

    def _game(self) -> None:
        token = self._begin()
        asked = self._post(f"/api/speed/{token}", {"speed": "instant", "next": True})
        while not self._ended.is_set() and not asked["over"]:
            body = {
                "version": asked["version"],
                "answers": [self._chance.choice(asked["legal"])],
                "next": True,
            }
            began = time.perf_counter()
            asked = self._post(f"/api/answer/{token}", body)
            self.slowest = max(self.slowest, time.perf_counter() - began)
            self.answers += 1
            time.sleep(0.01)

    def _begin(self) -> str:
        links = self._post("/api/tables", {"players": ["human", self.opponent], "seed": 3})["links"]
        return str(next(link["token"] for link in links if link["seat"] == 0))

    def _post(self, path: str, body: Any) -> Any:
        code, answer = send(self.server, path, body, source=PLAYER)
        assert code == 200, answer
        return answer

    @contextmanager
    def going_on(self) -> Iterator["Beside"]:
        """Play while others attack: the game goes on without long waits, the server takes little memory."""
        thread = threading.Thread(target=self.play)
        thread.start()
        try:
            while not self.answers and not self.wrong:
                time.sleep(0.01)
            self.slowest, before, memory = 0.0, self.answers, status(self.server, "VmRSS")
            yield self
            assert status(self.server, "VmRSS") - memory < MEMORY
            until = time.monotonic() + LATEST
            while self.answers < before + 3 and not self.wrong and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            self._ended.set()
            thread.join()
        assert self.wrong is None, self.wrong
        assert self.slowest < LATEST
        assert self.answers >= before + 3, "the table beside stands still"
        assert self.slowest < LATEST, f"an answer took {self.slowest:.1f} s"
