"""The web server as a state machine: random walks of requests at a real process, killed now and then.

A walk opens a table and then answers, undoes, declines, moves, switches, watches, reconnects, asks for help,
uploads and sends nonsense. After every request: no error of the server, no table that stands still, nothing
secret in a view, not much memory; after a kill, every answer that was acknowledged is there.
"""

import atexit
import http.client
import json
import random
import shutil
import tempfile
from collections import Counter, deque
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from smallcity_env.rules.tables import Phase
from tests.web.served import Server

from .attempts import STRANGE, game
from .texts import edited

STEPS = 10  # of a walk: some sixty requests
KILLED = 0.004  # of the walks
KEPT = 40  # tables of earlier walks that are looked at again after a kill
MEMORY = 700 << 20  # bytes
SECONDS = 30  # until anything must be answered
OPTIONS = ["--rate", "1000000", "--tables", "1000000", "--most", "1000000"]
WATCHER, HOT_SEAT = -1, -2
PUBLIC = {"version", "names", "players", "wrong", "link", "curtain"}  # behind a curtain
AGENTS = ("first", "random", "greedy", "level:2")
asked: Counter[str] = Counter()  # requests by what they were


class Walker:
    """A server, a connection to it, and where the tables of earlier walks stand."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.server = Server(self.folder / "games", options=OPTIONS)
        self.stand: deque[tuple[str, str]] = deque(maxlen=KEPT)  # links and the versions they have seen
        self._connect()
        atexit.register(self.end)

    def _connect(self) -> None:
        self.client = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS)

    def end(self) -> None:
        """End the server."""
        self.client.close()
        self.server.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, what: str, path: str, body: Any = None) -> tuple[int, Any]:
        """A request; the status and what came back, which is a sentence if it is a refusal."""
        asked[what] += 1
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        head = {"Content-Type": "application/json"}
        try:
            self.client.request("GET" if data is None else "POST", path, data, head)
            answer = self.client.getresponse()
        except (http.client.HTTPException, ConnectionError):  # an idle connection has been closed
            self.client.close()
            self.client.request("GET" if data is None else "POST", path, data, head)
            answer = self.client.getresponse()
        text = answer.read()
        assert answer.status < 500, (what, path, body, text)
        if "json" not in answer.headers.get("Content-Type", ""):
            return answer.status, text
        content = json.loads(text)
        if answer.status >= 400:
            wrong = content["wrong"]
            assert wrong and "\n" not in wrong and len(wrong) < 600 and "Traceback" not in wrong, wrong
        return answer.status, content

    def kill(self) -> None:
        """Kill the server; another one must show every table where it stood."""
        asked["kill"] += 1
        self.client.close()
        self.server.kill()
        self.server.start()
        self._connect()
        for token, version in self.stand:
            status, shown = self.send("view", f"/api/view/{token}")
            assert (status, shown["version"]) == (200, version), (token, version, shown)

    def check_memory(self) -> None:
        """The server takes little memory, whatever it was asked."""
        pages = int(Path(f"/proc/{self.server.process.pid}/statm").read_text().split()[1])
        assert pages * 4096 < MEMORY, f"{pages * 4096 >> 20} MB"


@cache
def _walker() -> Walker:
    return Walker()


def attempt(chance: random.Random) -> bool:
    """One walk; whether a player's request was refused."""
    walker = _walker()
    table = Table(walker, chance)
    table.settle()
    for _ in range(STEPS):
        chance.choices(*STEPS_OF)[0](table)
    for stream in table.streams:
        stream.close()
    table.remember()
    if chance.random() < KILLED:
        walker.kill()
    walker.check_memory()
    return table.refused


class Table:
    """A table of a walk, as its people know it."""

    def __init__(self, walker: Walker, chance: random.Random) -> None:
        self.walker, self.chance, self.refused = walker, chance, False
        players = ["human"] * chance.choice((0, 1, 1, 1, 2, 2, 3))
        players += [chance.choice(AGENTS) for _ in range(chance.randint(not players, 4 - len(players)))]
        chance.shuffle(players)
        form = {"players": players, "seed": chance.randrange(10**6), "hot_seat": chance.random() < 0.2}
        form["modules"] = ["godzillas", "doctors"] if chance.random() < 0.3 else []
        status, begun = walker.send("open", "/api/tables", form)
        assert status == 200, begun
        self.tokens = {link["seat"]: link["token"] for link in begun["links"]}
        self.versions: dict[int, str] = {}
        self.streams: list[http.client.HTTPResponse] = []

    @property
    def token(self) -> str:
        """Any link of the table."""
        return self.chance.choice(list(self.tokens.values()))

    def post(self, what: str, token: str, **body: Any) -> tuple[int, Any]:
        """A player's request."""
        status, answer = self.walker.send(what, f"/api/{what}/{token}", body)
        self.refused |= status != 200
        return status, answer

    def settle(self) -> dict[int, Any]:
        """Wait until agents have answered: the questions of all links; one is asked (in Phase 2 several)."""
        questions = {}
        for seat, token in self.tokens.items():
            status, question = self.post("speed", token, speed="instant", next=True)
            assert status == 200 and not question["wrong"], question
            questions[seat] = question
            self.versions[seat] = question["version"]
        asked = [seat for seat, question in questions.items() if seat != WATCHER and question["legal"]]
        over = next(iter(questions.values()))["over"]
        assert over or asked, "the table stands still"
        assert len(asked) < 2 or self._phase(asked[0]) == Phase.BUILD, "two are asked at once"
        return questions

    def _phase(self, seat: int) -> int:
        return int(self.walker.send("view", f"/api/view/{self.tokens[seat]}?lifted=0")[1]["phase"])

    def remember(self) -> None:
        """Note where the table stands, for the time after a kill."""
        self.settle()
        for seat, token in self.tokens.items():
            if seat >= 0:  # whoever watches sees no versions
                self.walker.stand.append((token, self.versions[seat]))

    # -- steps

    def answer(self) -> None:
        """Some legal answers of whoever is asked."""
        for seat, question in self.settle().items():
            for _ in range(self.chance.randint(1, 9)):
                if seat == WATCHER or not question["legal"]:
                    break
                form = {"version": question["version"], "answers": [self.chance.choice(question["legal"])]}
                status, after = self.post("answer", self.tokens[seat], **form, next=True)
                assert status == 200 and not after["wrong"], after
                assert after["version"] != question["version"] or seat == HOT_SEAT, "an answer is lost"
                question = after

    def wrong_answer(self) -> None:
        """An answer that is illegal, stale or nonsense."""
        version = self.chance.choice([*self.versions.values(), *STRANGE])
        answers = self.chance.choice([[self.chance.randint(-5, 250)], *STRANGE])
        self.post("answer", self.token, version=version, answers=answers, next=self.chance.random() < 0.5)

    def act(self) -> None:
        """Anything else that changes a table."""
        what = self.chance.choice(("undo", "undo", "decline", "move", "switch", "speed", "nothing"))
        body = {
            "version": self.chance.choice(list(self.versions.values())),
            "moves": self.chance.choice([[], [[0, self.chance.randrange(100), 5]], *STRANGE]),
            "name": self.chance.choice(("none", "store", "x", None)),
            "on": self.chance.random() < 0.5,
            "speed": self.chance.choice(("fast", "instant", "x", [])),
        }
        self.post(what, self.token, **body)

    def look(self) -> None:
        """What each link shows: nothing that its seat may not see."""
        for seat, token in self.tokens.items():
            status, shown = self.walker.send("view", f"/api/view/{token}?lifted={self.chance.randint(0, 3)}")
            assert status == 200 and not shown["wrong"]
            self._check_secrets(seat, token, shown)

    def _check_secrets(self, seat: int, token: str, shown: dict[str, Any]) -> None:
        text = json.dumps(shown)
        assert not any(other in text for other in self.tokens.values()), "a view names a link"
        if "curtain" in shown:
            assert seat == HOT_SEAT and set(shown) == PUBLIC
            return
        you = shown["you"]
        assert seat in (HOT_SEAT, you) or (seat == WATCHER and "human" not in shown["names"])
        assert shown["turn"] is None or shown["asked"] == you, "a question is shown to another seat"
        if not shown["over"] and you is not None:
            words = [
                p for p, one in enumerate(shown["boroughs"]) for kept in one["promises"] if kept["words"]
            ]
            assert set(words) <= {you}, "a promise of another seat is shown"
            status, _ = self.walker.send("log", f"/api/log/{token}")
            assert status == 400, "the log of an open game is shown"

    def watch(self) -> None:
        """Open a stream, and close it or another one."""
        asked["watch"] += 1
        client = http.client.HTTPConnection("127.0.0.1", self.walker.server.port, timeout=SECONDS)
        client.request("GET", f"/api/events/{self.token}", headers={"Connection": "close"})
        stream = client.getresponse()  # closes the connection with itself
        assert stream.readline().startswith(b'data: {"')
        self.streams.append(stream)
        if self.chance.random() < 0.7:
            self.streams.pop(self.chance.randrange(len(self.streams))).close()

    def upload(self) -> None:
        """A log or a file of numbers, most often a wrong one."""
        if self.chance.random() < 0.05:
            text = self.chance.choice(("[zone]\ngrow = -3", "a." * 2000 + "a = 1", "x = [[", "zone = 5"))
            self.walker.send("numbers", "/api/numbers", {"text": text})
            return
        log = game(1).log.to_text()
        text = edited(log, self.chance) if self.chance.random() < 0.7 else log
        status, replay = self.walker.send("upload", "/api/replays", {"log": text})
        if status == 200:
            self.walker.send("replay", f"/api/replays/{replay['token']}?step={self.chance.randint(0, 40)}")

    def nonsense(self) -> None:
        """A request that nobody should send."""
        path = f"/api/{self.chance.choice(('answer', 'tables', 'check', 'replays', 'view'))}"
        body = self.chance.choice((b"[" * 15_000, b"\xff", b"{}", b"null", json.dumps(STRANGE[5:9]).encode()))
        self.walker.send("nonsense", self.chance.choice((path, f"{path}/{self.token}", f"{path}/x")), body)

    def help(self) -> None:
        """A hint or the coach's view."""
        what = self.chance.choice(("hint", "coach", "places"))
        self.walker.send(what, f"/api/{what}/{self.token}" + ("/150" if what == "places" else ""))

    def check(self) -> None:
        """A set-up that may be impossible or harmful."""
        name = self.chance.choice(
            ("greedy", "mcts:leaf_value=/dev/zero", "search:sims=10000000", "x" * 300, "human")
        )
        status, said = self.walker.send("check", "/api/check", {"players": ["human", name]})
        assert status == 200 and len(said["wrong"]) < 600


STEPS_OF: tuple[list[Callable[[Table], None]], list[float]] = (
    [
        Table.answer, Table.wrong_answer, Table.act, Table.look, Table.watch,
        Table.upload, Table.nonsense, Table.help, Table.check,
    ],
    [30, 12, 12, 8, 8, 2, 5, 0.3, 3],
)  # fmt: skip
