"""Messages to the web server: answered, or refused with a sentence; never an error of the server."""

import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from smallcity_agents.web.server import application

from .attempts import STRANGE, altered, damaged, game
from .texts import edited

LOCAL = "http://127.0.0.1:8008"
KINDS = ("answer", "move", "decline", "undo", "speed", "nothing")
SHOWN = ("view", "hint", "coach", "log", "share")
EVERY = 400  # messages to one server


class Server:
    """A server with some tables; a new one now and then, for tables end."""

    def __init__(self) -> None:
        self.client = TestClient(
            application(Path(tempfile.mkdtemp()), rate=10**9, tables=10**6), base_url=LOCAL
        )
        self.client.__enter__()
        self.left = EVERY
        tables = (["human"], {}), (["human", "human"], {}), (["human", "first"], {"hot_seat": True})
        self.tokens = [token for players, form in tables for token in self._begin(players, form)]

    def _begin(self, players: list[str], form: dict[str, Any]) -> list[str]:
        answer = self.client.post("/api/tables", json={"players": players, "seed": 7, **form})
        return [link["token"] for link in answer.json()["links"]]

    def version(self, token: str) -> Any:
        """The version that a link shows."""
        return self.client.get(f"/api/view/{token}?lifted=0").json().get("version")


@cache
def _servers() -> list[Server]:
    return []


def _server() -> Server:
    servers = _servers()
    if not servers or not servers[-1].left:
        for old in servers:
            old.client.__exit__(None, None, None)
        servers[:] = [Server()]
    servers[-1].left -= 1
    return servers[-1]


def attempt(chance: random.Random) -> bool:
    """One message; whether it was refused."""
    server = _server()
    answer = _posted(server, chance) if chance.random() < 0.75 else _asked(server, chance)
    assert answer.status_code < 500, answer.text
    if answer.status_code in (200, 307):
        return False
    if answer.headers.get("content-type") == "application/json":
        wrong = answer.json()["wrong"]
        assert wrong and "\n" not in wrong and "Traceback" not in wrong, wrong
    return True


def _posted(server: Server, chance: random.Random) -> Any:
    """A form, most often one of the page with something changed."""
    token = chance.choice([*server.tokens, "nobody", "é"])
    version = server.version(token) if chance.random() < 0.5 and token in server.tokens else "0.0"
    log = game(1).log.to_text()
    forms: list[tuple[str, Any]] = [
        *((f"/api/{kind}/{token}", _form(version, chance)) for kind in KINDS),
        ("/api/tables", {"players": ["human", "first"], "seed": 1, "modules": ["godzillas"]}),
        ("/api/check", {"players": ["human", "first"], "boards": ["base-easy"], "victory": "votes"}),
        ("/api/replays", {"log": edited(log, chance)}),
        ("/api/replays", {"token": token}),
    ]
    path, form = chance.choice(forms)
    made = altered(form, chance) if chance.random() < 0.8 else form
    data = json.dumps(made).encode()
    if chance.random() < 0.15:
        data = chance.choice((damaged(data, chance), b"[" * 100_000, b'{"a":' * 50_000, b"\xff\xfe", b""))
    head = {"content-type": chance.choice(["application/json"] * 9 + ["text/plain"])}
    return server.client.post(path, content=data, headers=head)


def _form(version: Any, chance: random.Random) -> dict[str, Any]:
    """What the page sends about a question."""
    return {
        "version": version,
        "answers": [chance.randint(-1, 200)],
        "moves": [[0, chance.randrange(100), chance.randrange(200)]],
        "speed": chance.choice(("slow", "instant")),
    }


def _asked(server: Server, chance: random.Random) -> Any:
    """A question of the page."""
    token = chance.choice([*server.tokens, "nobody", "%00", "..%2f..", "é" * 50])
    odd = quote(str(chance.choice(STRANGE)))
    paths = (
        f"/api/{chance.choice(SHOWN)}/{token}",
        f"/api/view/{token}?lifted={odd}",
        f"/api/places/{token}/{chance.choice((0, 5, 40, 198, 199, 10**30, -1, 'x'))}",
        f"/api/replays/{token}?step={odd}&seat={odd}",
        f"/api/share/{token}?seat={odd}",
        f"/static/{chance.choice(('index.html', '../server.py', '%2e%2e/server.py', ''))}",
        f"/{chance.choice(('', 't', 'r', 'x'))}/{token}",
    )
    return server.client.get(chance.choice(paths))
