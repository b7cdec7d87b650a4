"""A load test: many open games, answered at a rate: python -m tests.web.load [games] [seconds] [rate]"""

import json
import random
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .served import Server

CLIENTS = 8  # threads that answer


class Client:
    """One connection that answers in some of the games."""

    def __init__(self, server: Server, tokens: list[str], rate: float, until: float) -> None:
        self.link, self.tokens, self.rate, self.until = (
            HTTPConnection("127.0.0.1", server.port),
            tokens,
            rate,
            until,
        )
        self.times: list[float] = []
        self.failed: list[str] = []
        self.over: set[str] = set()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request."""
        data = None if body is None else json.dumps(body)
        self.link.request(method, path, data, {"Content-Type": "application/json"})
        response = self.link.getresponse()
        answer = json.loads(response.read())
        if response.status not in (200, 409):
            self.failed.append(f"{path}: {response.status} {answer}")
        return answer

    def run(self) -> None:
        """Answer in one game after the other, no faster than the rate."""
        chance, due = random.Random(1), time.monotonic()
        while time.monotonic() < self.until and len(self.over) < len(self.tokens):
            for token in self.tokens:
                due += 1 / (self.rate * len(self.tokens))
                time.sleep(max(0, due - time.monotonic()))
                self._answer(token, chance)

    def _answer(self, token: str, chance: random.Random) -> None:
        """Answer in a game, if it asks."""
        view = self.ask("GET", f"/api/view/{token}")
        if view["over"]:
            self.over.add(token)
        elif view["turn"]:
            action = chance.choice(view["turn"]["answers"])["action"]
            began = time.perf_counter()
            self.ask("POST", f"/api/answer/{token}", {"version": view["version"], "answers": [action]})
            self.times.append(time.perf_counter() - began)


def main(games: int = 200, seconds: float = 60, rate: float = 10) -> None:
    """Open the games, answer, and report; fails if a game was lost."""
    with TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            tokens = [server.table("human", "greedy", seed=n)[0] for n in range(games)]
            until = time.monotonic() + seconds
            clients = [Client(server, tokens[n::CLIENTS], rate, until) for n in range(CLIENTS)]
            threads = [threading.Thread(target=client.run) for client in clients]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            _report(clients, server, tokens, seconds)
        finally:
            server.kill()


def _report(clients: list[Client], server: Server, tokens: list[str], seconds: float) -> None:
    times = sorted(moment for client in clients for moment in client.times)
    failed = [words for client in clients for words in client.failed]
    lost = [token for token in tokens if "boroughs" not in server.get(f"/api/view/{token}")]
    at = {part: times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.95, 0.99)}
    pace = f"{len(times) / seconds:.0f} a second"
    print(f"{len(tokens)} games, {len(times):,} answers in {seconds:.0f} s ({pace})")
    print(", ".join(f"p{part * 100:.0f} {ms:.0f} ms" for part, ms in at.items()))
    print(f"lost games: {len(lost)}, failed requests: {len(failed)}", *failed[:5], sep="\n")
    if lost or failed:
        sys.exit(1)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
