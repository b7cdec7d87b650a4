"""Strangers cannot stop the server: a real process under a memory limit, beside a table that is played on."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from smallcity_agents.web import numbers
from smallcity_env.refusal import Refused
from smallcity_env.rules.numbers import VARIABLE

from ..interpreter import run_coroutine
from .attack import LATEST, PLAYER, STRANGER, Beside, is_open, limited, raw, send, status
from .served import Server

HEAD = (
    b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and addresses of Linux")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = limited(tmp_path_factory.mktemp("attacked"), "--rate", "100000")
    yield server
    server.kill()


# -- what a form names


@pytest.mark.parametrize(
    "name",
    [
        "mcts:leaf_value={}",
        "rollout:leaf_value={}",
        "search:leaf_value={}",
        "policy:checkpoint={}",
        "search:sims=5,leaf_value={}",
    ],
)
def test_nothing_in_a_form_names_a_file(server: Server, tmp_path: Path, name: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with Beside(server).going_on():
        said = set()
        for path in ("/dev/zero", str(pipe), "/etc/passwd", "/no/such/file"):
            began = time.perf_counter()
            code, answer = send(server, "/api/check", {"players": ["human", name.format(path)]})
            assert code == 200 and time.perf_counter() - began < LATEST
            said.add(answer["wrong"].replace(path, "FILE"))
    assert len(said) == 1 and said.pop().startswith("at a table agents take the options sims, ")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("mcts:sims=1000000", "at a table the option sims of mcts is 256 at most"),
        ("champion:seconds=1000000", "at a table the option seconds of champion is 0.2 at most"),
        ("search:trees=1024", "at a table agents take the options sims, "),
        ("search:threads=1024", "at a table agents take the options sims, "),
        ("rollout:depth=99", "at a table agents take the options sims, "),
        ("search:playout=next-round", "at a table agents take the options sims, "),
    ],
)
def test_agents_of_the_page_think_briefly(server: Server, name: str, sentence: str) -> None:
    for path in ("/api/check", "/api/tables"):
        assert send(server, path, {"players": ["human", name]})[1]["wrong"].startswith(sentence)


def test_a_name_is_not_sent_back_as_often_as_it_was_sent(server: Server) -> None:
    with Beside(server).going_on():
        code, answer = send(server, "/api/check", {"players": ["x" * 20] * 300_000})
        assert code == 413
        for form in (
            {"players": ["x" * 9000, "y" * 9000]},
            {"players": ["human"], "modules": ["m"] * 3000},
            {"players": ["human"], "boards": ["b" * 150] * 50},
            {"players": ["human"], "victory": "v" * 15_000},
        ):
            code, answer = send(server, "/api/check", form)
            assert code == 200 and 0 < len(answer["wrong"]) < 600


# -- numbers


@pytest.mark.parametrize(
    "text",
    [
        "a." * 100_000 + "a = 1",
        "a." * 20_000 + "a = 1",
        "[" + "a." * 20_000 + "a]",
        "x = {" + "a." * 20_000 + "a = 1}",
        "\n".join("a." * 90 + f"b{n} = 1" for n in range(200)),
        "x = " + "[" * 40_000,
        "\n".join(f"[a{n}]" for n in range(5000)),
    ],
)
def test_a_file_of_numbers_is_read_within_bounds(server: Server, text: str) -> None:
    with Beside(server).going_on():
        code, answer = send(server, "/api/numbers", {"text": text})
    assert code in (400, 413) and len(answer["wrong"]) < 600


def test_numbers_whose_server_does_not_start_make_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numbers, "STARTING", 0.01)

    async def upload() -> None:
        others = numbers.OtherNumbers(tmp_path, PLAYER)
        for n in range(numbers.MOST + 1):
            with pytest.raises(Refused, match="the server for these numbers does not start"):
                await others.port(str(n), f"money.shop = {n}")
        assert not others._servers

    run_coroutine(upload())


# -- streams


def test_streams_opened_and_closed_leave_no_table_stuck(server: Server) -> None:
    begun = send(server, "/api/tables", {"players": ["greedy"] * 4, "seed": 5})[1]["links"]
    token = begun[0]["token"]
    send(server, f"/api/speed/{token}", {"speed": "fast"})

    def watch() -> None:
        for _ in range(60):
            stream = raw(server, f"GET /api/events/{token} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            stream.recv(1000)
            stream.close()

    with Beside(server).going_on():
        watchers = [threading.Thread(target=watch) for _ in range(4)]
        for one in watchers:
            one.start()
        for one in watchers:
            one.join()
    send(server, f"/api/speed/{token}", {"speed": "instant"})
    until = time.monotonic() + 30
    while not (shown := send(server, f"/api/view/{token}")[1])["over"] and time.monotonic() < until:
        time.sleep(0.1)
    assert shown["over"] and not shown["wrong"]


# -- everything is bounded


def test_half_sent_requests_shut_nobody_out(server: Server) -> None:
    with Beside(server).going_on():
        half = [raw(server, b"GET /api/setup HTTP/1.1\r\nHost: 127.0") for _ in range(300)]
        assert sum(map(is_open, half)) <= 64
        time.sleep(11)
        assert not any(map(is_open, half))
    for one in half:
        one.close()
    assert send(server, "/api/setup")[0] == 200


def test_unfinished_bodies_hold_little_memory(server: Server) -> None:
    head = "POST /api/replays HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    data = f"{head}Content-Length: 490000\r\n\r\n".encode() + b"x" * 480_000
    before = status(server, "VmRSS")
    with Beside(server).going_on():
        unfinished = []
        for _ in range(300):
            with socket.socket() as one:
                one.settimeout(5)
                one.bind((STRANGER, 0))
                one.connect((PLAYER, server.port))
                try:
                    one.sendall(data)
                except OSError:
                    continue
                unfinished.append(one.dup())
        assert status(server, "VmRSS") - before < 50 << 20
    for one in unfinished:
        one.close()


def test_a_head_without_end_is_cut_off(server: Server) -> None:
    with Beside(server).going_on():
        endless = raw(server, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        with pytest.raises(OSError):
            for n in range(20_000):
                endless.sendall(b"X-%d: %s\r\n" % (n, b"y" * 900))
        endless.close()


def test_one_address_does_not_fill_the_server(server: Server) -> None:
    stranger, begun, refused = "127.0.0.3", 0, ""
    with Beside(server).going_on():
        for _ in range(130):
            code, answer = send(server, "/api/tables", {"players": ["human"]}, source=stranger)
            begun += code == 200
            refused = refused if code == 200 else answer["wrong"]
    assert begun == 100 and refused.startswith("one address may begin 100 games a day")
    assert send(server, "/api/tables", {"players": ["human"]}, source="127.0.0.4")[0] == 200


def test_heavy_agents_of_one_address_delay_nobody_else(server: Server) -> None:
    heavy = ["champion:seconds=0.2"] * 4
    for _ in range(12):
        assert send(server, "/api/tables", {"players": heavy}, source="127.0.0.5")[0] == 200
    beside = Beside(server, opponent="search:sims=4,candidates=2")
    with beside.going_on():
        time.sleep(4)
    assert beside.slowest < 1


# -- heads


@pytest.mark.parametrize(
    "head",
    [
        "Host: [",
        "Host: 127.0.0.1\r\nHost: 127.0.0.1",
        "Host: evil.example\r\nHost: 127.0.0.1",
        "Host: 127.0.0.1\r\nOrigin: http://[",
        "Host: 127.0.0.1\r\nOrigin: http://evil.example",
        "Host: 127.0.0.1\r\nOrigin: null",
        "Host: ",
        "Accept: */*",
    ],
)
def test_wrong_heads_are_refused_in_a_sentence(server: Server, head: str) -> None:
    with raw(server, f"GET /api/setup HTTP/1.1\r\n{head}\r\nConnection: close\r\n\r\n".encode()) as asked:
        answer = b"".join(iter(lambda: asked.recv(1 << 16), b""))
    assert answer.split()[1] in (b"421", b"403") and b'{"wrong":"' in answer


# -- the end, and a second server


def test_a_second_server_is_refused_before_it_prints_an_address(server: Server) -> None:
    words = ["web", "--no-open", "--port", "0", "--games", str(server.folder)]
    command = [sys.executable, "-m", "smallcity_env", *words]
    second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (second.returncode, second.stdout) == (2, "")
    assert second.stderr.startswith("smallcity: another `smallcity web` is writing to ")


def test_a_signal_ends_a_server_under_attack_within_seconds(tmp_path: Path) -> None:
    server = limited(tmp_path, "--rate", "100000")
    token = server.table("champion", "champion", "champion", "champion")[-1]
    streams = [urllib.request.urlopen(f"{server.address}/api/events/{token}") for _ in range(20)]
    half = [raw(server, b"POST /api/replays HTTP/1.1\r\nHost: 127.0") for _ in range(40)]
    began = time.monotonic()
    assert server.end(signal.SIGTERM) == 143 and time.monotonic() - began < 5
    for one in (*streams, *half):
        one.close()


@pytest.mark.parametrize("uploaded", [False, True])
def test_a_signal_does_not_wait_until_the_library_is_built(
    uploaded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of numbers nobody has compiled: by the server itself, or by the one it starts for an uploaded file."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "mine.toml").write_text("money.shop = 19")
    if not uploaded:
        monkeypatch.setenv(VARIABLE, str(tmp_path / "mine.toml"))
    server = Server(tmp_path / "games")
    port = send(server, "/api/numbers", {"text": "money.shop = 19"})[1]["port"] or server.port
    assert (port != server.port) == uploaded
    with socket.create_connection((PLAYER, port)) as begins:
        body = b'{"players": ["human"]}'
        begins.sendall(HEAD % len(body) + body)
        while not list(tmp_path.glob("cache/**/*.lock")):
            time.sleep(0.05)
        began = time.monotonic()
        assert server.end(signal.SIGTERM) == 143 and time.monotonic() - began < 10
    with pytest.raises(OSError):
        socket.create_connection((PLAYER, port))
