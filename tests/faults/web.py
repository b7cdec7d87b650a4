"""The web server as a command that keeps files, for the fault matrix: begun, played and asked over HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MAIN = "import sys; from smallcity_env.cli import main; sys.exit(main())"
SECONDS = 600  # where nothing is compiled yet


def words(folder: Path) -> list[str]:
    """The command of a server on a free port, which is noted beside its tables."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if not (folder / "port").exists() or not _answers(folder):
        (folder / "port").write_text(str(port))
    return ["web", "--no-open", "--port", str(port), "--games", str(folder / "tables")]


def ready(folder: Path) -> bool:
    """Whether a table has been begun and some answers have been acknowledged."""
    if not _answers(folder):
        return False
    links = _post(folder, "/api/tables", {"players": ["human"], "seed": 7, "modules": []})["links"]
    (folder / "token").write_text(links[0]["token"])
    for _ in range(3):
        answer(folder)
    (folder / "version").write_text(_view(folder)["version"])
    return True


def answer(folder: Path) -> None:
    """Give the first answer that is offered."""
    shown = _view(folder)
    action = shown["turn"]["answers"][0]["action"]
    _post(folder, f"/api/answer/{_token(folder)}", {"version": shown["version"], "answers": [action]})


def kept(folder: Path) -> str:
    """A new server shows the game as it was acknowledged."""
    assert _shown_again(folder)["version"] == (folder / "version").read_text()
    return "every answer it acknowledged"


def torn(folder: Path) -> Path:
    """The log of transactions, in which the last answer stands."""
    return folder / "tables" / "games.sqlite-wal"


def again_after_a_tear(folder: Path) -> str:
    """A new server shows the game without the torn answer, and says that one may be missing."""
    shown = _shown_again(folder)
    assert _answered(shown["version"]) == _answered((folder / "version").read_text()) - 1
    assert "may be missing" in shown["log"][-1][3]
    return "every answer but the torn one; a sentence"


def on_a_full_disk(folder: Path) -> str:
    """An answer is refused in a sentence, and the server goes on."""
    try:
        answer(folder)
    except urllib.error.HTTPError as wrong:
        said = json.load(wrong)["wrong"]
        assert "cannot be written" in said and "\n" not in said, said
        return "every answer it acknowledged; a sentence"
    raise AssertionError("an answer that was not kept was acknowledged")


def wait(folder: Path) -> None:
    """Wait until a server answers."""
    until = time.monotonic() + SECONDS
    while not _answers(folder):
        assert time.monotonic() < until, "the server does not answer"
        time.sleep(0.1)


def _shown_again(folder: Path) -> Any:
    """The game that another server shows."""
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *words(folder)], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        wait(folder)
        return _view(folder)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


def _answered(version: str) -> int:
    return int(version.partition(".")[0])


def _address(folder: Path) -> str:
    return f"http://127.0.0.1:{(folder / 'port').read_text()}"


def _token(folder: Path) -> str:
    return (folder / "token").read_text()


def _answers(folder: Path) -> bool:
    """Whether a server answers at the port noted."""
    try:
        urllib.request.urlopen(f"{_address(folder)}/api/setup", timeout=SECONDS).read()
    except (urllib.error.URLError, OSError):
        return False
    return True


def _view(folder: Path) -> Any:
    return json.load(urllib.request.urlopen(f"{_address(folder)}/api/view/{_token(folder)}", timeout=SECONDS))


def _post(folder: Path, path: str, body: Any) -> Any:
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(_address(folder) + path, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request, timeout=SECONDS))
