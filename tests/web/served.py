"""A server in its own process, and a browser to visit it with."""

import json
import math
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
SECONDS = 120
OPTIONS = ("--rate", "2000", "--tables", "1000")
COMPILING = 900  # seconds the first hint may take where nothing is compiled yet
MAIN = "import sys; from smallcity_env.cli import main; sys.exit(main(sys.argv[1:]))"


class Server:
    """`smallcity web` on a free port."""

    def __init__(self, folder: Path, port: int = 0, options: Sequence[str] = OPTIONS) -> None:
        self.folder, self.options = folder, options
        self.start(port)

    def start(self, port: int = 0) -> None:
        """Start it and wait until it prints its address."""
        words = ["web", "--no-open", "--port", str(port), "--games", str(self.folder), *self.options]
        paths = os.pathsep.join(str(ROOT / name) for name in (".", "agents", "training"))
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *words],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        self.address = line.split(" is at ")[1].split()[0].rstrip("/")
        self.port = int(self.address.rpartition(":")[2])
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            try:
                urllib.request.urlopen(f"{self.address}/api/setup", timeout=SECONDS).read()
                return
            except urllib.error.URLError:
                time.sleep(0.1)
        raise TimeoutError("the server does not answer")

    def kill(self) -> None:
        """End it without warning."""
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals) -> int:
        """End it by a signal; returns its exit code."""
        self.process.send_signal(how)
        code = self.process.wait(SECONDS)
        if self.process.stdout:
            self.process.stdout.close()
        return code

    def seconds(self) -> float:
        """The processor time it has used, where the system tells."""
        stat = Path(f"/proc/{self.process.pid}/stat")
        ticks = stat.read_text().rpartition(")")[2].split()[11:13] if stat.exists() else []
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") if ticks else math.nan

    def post(self, path: str, body: Any) -> Any:
        """A request of a program."""
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, json.dumps(body).encode(), headers)
        return json.load(urllib.request.urlopen(request, timeout=COMPILING))

    def get(self, path: str, seconds: float = SECONDS) -> Any:
        """A question of a program."""
        return json.load(urllib.request.urlopen(self.address + path, timeout=seconds))

    def warm_up(self) -> None:
        """Have the agents compiled before anybody waits for them."""
        self.get(f"/api/hint/{self.table('human')[0]}", COMPILING)

    def table(self, *players: str, **form: Any) -> dict[int, str]:
        """Begin a game; the tokens by seat."""
        answer = self.post("/api/tables", {"players": list(players), "seed": 7, **form})
        return {link["seat"]: link["token"] for link in answer["links"]}
