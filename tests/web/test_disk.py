"""Games on disk: every answer is there before it is shown, whatever ends the server."""

import asyncio
import json
import shutil
import signal
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest

from smallcity_agents.web import stored
from smallcity_agents.web.server import application
from smallcity_agents.web.store import Store
from smallcity_agents.web.table import Table
from smallcity_env.refusal import Refused

from .served import Server
from .test_api import answer, begin, client_of, table_of, view


def test_every_answer_is_on_disk(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        token = begin(client, "human", modules=["godzillas"])[0]
        chance = np.random.default_rng(1)
        for _ in range(25):
            turn = view(client, token)["turn"]
            answer(client, token, int(chance.choice([one["action"] for one in turn["answers"]])))
            kept = copied(tmp_path, tmp_path / "copy", table_of(client, token).name)
            assert kept.game == table_of(client, token).game and kept.links == table_of(client, token).links
        before = view(client, token)
    with client_of(tmp_path) as again:
        assert view(again, token) == before


def copied(folder: Path, copy: Path, name: str) -> Table:
    """A table as a server finds it that takes over the files of one killed at this moment."""
    copy.mkdir(mode=0o700)
    for path in folder.glob("games.sqlite*"):
        shutil.copy(path, copy)
    store = Store(copy)
    kept = stored.load(store.row(name))
    with ThreadPoolExecutor(1) as other:  # the browser of other tests has a loop in this thread
        other.submit(asyncio.run, store.close()).result()
    shutil.rmtree(copy)
    return kept


def test_undo_and_agents_answers_are_on_disk(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        token = begin(client, "human", "greedy", modules=[])[0]
        chance = np.random.default_rng(4)
        for step in range(40):
            asked = client.post(f"/api/speed/{token}", json={"speed": "instant", "next": True}).json()
            if not asked["legal"]:
                continue
            body = {
                "version": asked["version"],
                "answers": [int(chance.choice(asked["legal"]))],
                "next": True,
            }
            assert client.post(f"/api/answer/{token}", json=body).status_code == 200
            if step % 3 == 0:
                client.post(f"/api/undo/{token}", json={})
        table = table_of(client, token)
        kept = copied(tmp_path, tmp_path / "copy", table.name)
        assert table.undone and len(table.game.log) > 40
        assert kept.game == table.game and kept.game.log == table.game.log
        assert (kept.undone, kept.match.begun) == (table.undone, table.match.begun)
        assert (kept.match.streams == table.match.streams).all()


def test_nothing_is_shown_that_is_not_on_disk(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        token = begin(client, "human", "first", modules=[])[0]
        table = table_of(client, token)
        while not table.settled.is_set():
            view(client, token)
        table.game.step(table.game.legal()[0])
        table.changes += 1  # as an agent's answer that was not written yet
        shown = view(client, token)
        kept = copied(tmp_path, tmp_path / "copy", table.name)
        assert json.loads(msgspec.json.encode(kept.view(token))) == shown


@pytest.mark.parametrize(("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_with_pages_open_and_keeps_everything(
    tmp_path: Path, how: signal.Signals, code: int
) -> None:
    server = Server(tmp_path)
    token = server.table("human", modules=[])[0]
    first = server.get(f"/api/view/{token}")
    answers = {"version": first["version"], "answers": [first["turn"]["answers"][0]["action"]]}
    server.post(f"/api/answer/{token}", answers)
    before = server.get(f"/api/view/{token}")
    with urllib.request.urlopen(f"{server.address}/api/events/{token}") as stream:
        assert stream.readline().startswith(b"data: ")
        assert server.end(how) == code
    with client_of(tmp_path) as again:
        assert before["version"] != first["version"] and view(again, token) == before


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with client_of(tmp_path), pytest.raises(Refused, match="another `smallcity web` is writing"):
        application(tmp_path)
