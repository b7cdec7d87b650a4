"""The database of a server: what is damaged is kept aside and told, and nothing is lost in silence."""

import json
import os
import random
import re
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from smallcity_agents.web.store import LATEST, NAME, WAL, Row
from smallcity_env.refusal import Refused

from .test_api import answer, begin, client_of, table_of, view

GAMES = 3
ANSWERS = 12


def folder_of_a_killed_server(tmp_path: Path, answers: int = ANSWERS) -> tuple[Path, dict[str, Any]]:
    """The files of a server that was killed in the middle of some games, and what their links showed."""
    served, killed = tmp_path / "served", tmp_path / "killed"
    killed.mkdir(mode=0o700)
    chance = np.random.default_rng(1)
    with client_of(served) as client:
        tokens = [begin(client, "human", modules=[])[0] for _ in range(GAMES)]
        for _ in range(answers):
            for token in tokens:
                legal = table_of(client, token).game.legal()
                assert answer(client, token, int(chance.choice(legal))).status_code == 200
        shown = {token: view(client, token) for token in tokens}
        for name in (NAME, WAL, LATEST):
            shutil.copy(served / name, killed)
    return killed, shown


def check_nothing_lost_in_silence(folder: Path, shown: dict[str, Any], before: dict[str, bytes]) -> int:
    """Every link shows its game as it was, or says what happened; returns how many do not show it."""
    touched = 0
    with client_of(folder) as client:
        for token, expected in shown.items():
            seen = client.get(f"/api/view/{token}")
            if seen.status_code == 200 and seen.json() == expected:
                continue
            touched += 1
            if seen.status_code == 200:
                assert "may be missing: a copy is kept (damaged)" in seen.json()["log"][-1][3]
            else:
                assert seen.status_code == 404 and "damaged" in seen.json()["wrong"], seen.text
    if touched:
        kept = {path.name: path.read_bytes() for path in (folder / "damaged").iterdir()}
        assert kept == before
    return touched


def damaged(killed: Path, folder: Path, chance: random.Random, cut: bool) -> dict[str, bytes]:
    """A copy of the files with a flipped bit, or cut off somewhere."""
    shutil.copytree(killed, folder)
    path = chance.choice(sorted(folder.iterdir()))
    data = bytearray(path.read_bytes())
    at = chance.randrange(len(data))
    if cut:
        del data[at:]
    else:
        data[at] ^= 1 << chance.randrange(8)
    path.write_bytes(data)
    return {one.name: one.read_bytes() for one in folder.iterdir()}


@pytest.mark.parametrize("cut", [False, True])
def test_damage_is_kept_aside_and_told(tmp_path: Path, cut: bool) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path)
    assert {path.name for path in killed.iterdir()} == {NAME, WAL, LATEST}
    touched = 0
    for seed in range(60):
        folder = tmp_path / str(seed)
        before = damaged(killed, folder, random.Random(seed), cut)
        touched += check_nothing_lost_in_silence(folder, shown, before) > 0
    assert touched > 20


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    with client_of(tmp_path / "games") as client:
        token = begin(client, "human")[0]
        name, shown = table_of(client, token).name.encode(), {token: view(client, token)}
    data = (tmp_path / "games" / NAME).read_bytes()
    places = [found.start() for found in re.finditer(name, data)]
    assert len(places) == 2  # the row and the index
    touched = 0
    for at in places:
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "games", folder)
        (folder / NAME).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        before = {path.name: path.read_bytes() for path in folder.glob("games.*")}
        touched += check_nothing_lost_in_silence(folder, shown, before)
        assert (folder / "damaged").exists()
    assert touched == 2


def test_a_damaged_schema_is_made_again(tmp_path: Path) -> None:
    with client_of(tmp_path / "games") as client:
        shown = {token: view(client, token) for token in begin(client, "human").values()}
    data = (tmp_path / "games" / NAME).read_bytes()
    at = data.index(b"sqlite_autoindex") + 13
    (tmp_path / "games" / NAME).write_bytes(data[:at] + b"\xe5" + data[at + 1 :])
    before = {path.name: path.read_bytes() for path in (tmp_path / "games").glob("games.*")}
    assert check_nothing_lost_in_silence(tmp_path / "games", shown, before) == 2


def altered(folder: Path, token: str, *, checksum: bool, **parts: bytes) -> None:
    """Alter the row of a game, with or without its checksum."""
    with closing(sqlite3.connect(folder / NAME)) as db:
        (row,) = (Row(*one[:5]) for one in db.execute("SELECT * FROM games") if token.encode() in one[1])
        new = row._replace(**parts)
        sum_ = new.checksum if checksum else row.checksum
        db.execute("REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?)", [*new, sum_])
        db.commit()


def played(folder: Path, token: str) -> dict[str, Any]:
    """What has been played in a game, as it is stored."""
    with closing(sqlite3.connect(folder / NAME)) as db:
        (text,) = (one[3] for one in db.execute("SELECT * FROM games") if token.encode() in one[1])
    return msgspec.json.decode(text, type=dict[str, Any])


def test_a_game_whose_row_is_damaged_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path)
    first, *others = shown
    stored = played(killed, first)
    stored["answers"][0] += 1  # legal, too
    altered(killed, first, checksum=False, played=msgspec.json.encode(stored))
    for _ in range(2):  # the next server tells it too
        with client_of(killed) as client:
            refused = client.get(f"/api/view/{first}")
            assert refused.status_code == 404
            assert refused.json()["wrong"].startswith("this game is damaged and cannot go on: a copy of it")
            assert all(view(client, token) == shown[token] for token in others)
    assert [path.name for path in killed.glob("damaged*")] == ["damaged"]


@pytest.mark.parametrize(
    "text", [b"[]", b"7", b"{}", b'{"names": 3}', b'{"damaged": 1, "names": []}', b"\xff", b"", b'{"names"']
)
def test_a_row_of_the_wrong_shape_keeps_no_server_down(tmp_path: Path, text: bytes) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path, answers=1)
    first, *others = shown
    altered(killed, first, checksum=True, played=text)
    with client_of(killed) as client:
        assert client.get(f"/api/view/{first}").status_code == 404
        assert all(view(client, token) == shown[token] for token in others)


@pytest.mark.parametrize("part", ["links", "start"])
def test_links_and_starts_of_the_wrong_shape_keep_no_server_down(tmp_path: Path, part: str) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path, answers=1)
    first, *others = shown
    altered(killed, first, checksum=True, **{part: b"{"})
    with client_of(killed) as client:
        assert client.get(f"/api/view/{first}").status_code == 404
        assert all(view(client, token) == shown[token] for token in others)


@pytest.mark.parametrize(
    "wrong",
    [
        {"answers": [10_000]},
        {"answers": [-1]},
        {"streams": [-1, 0, 0, 0]},
        {"streams": [1 << 64, 0, 0, 0]},
        {"streams": [0]},
        {"names": ["human", "human"]},
        {"names": ["no.Agent"]},
        {"undone": {"x": 1}},
    ],
)
def test_a_row_that_makes_no_sense_is_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path, answers=3)
    first, stored = next(iter(shown)), played(killed, next(iter(shown)))
    altered(killed, first, checksum=True, played=json.dumps(stored | wrong).encode())
    with client_of(killed) as client:
        refused = client.get(f"/api/view/{first}")
        assert refused.status_code == 404 and "this game is damaged" in refused.json()["wrong"]


@pytest.mark.parametrize("missing", [False, True])
def test_an_empty_database_is_damage_and_not_a_new_one(tmp_path: Path, missing: bool) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path, answers=1)
    (killed / WAL).unlink()
    if missing:
        (killed / NAME).unlink()
    else:
        (killed / NAME).write_bytes(b"")
        (killed / LATEST).unlink()
    with client_of(killed) as client:
        for token in shown:
            refused = client.get(f"/api/view/{token}").json()["wrong"]
            assert refused == (
                "this link leads to no game: games were damaged, and are kept on the server (damaged)"
            )


@pytest.mark.parametrize("size", [0, 32, 32 + 4120, 32 + 10 * 4120])
def test_a_log_cut_off_between_two_transactions_is_damage(tmp_path: Path, size: int) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path)
    (killed / WAL).write_bytes((killed / WAL).read_bytes()[:size])
    before = {path.name: path.read_bytes() for path in killed.iterdir()}
    assert check_nothing_lost_in_silence(killed, shown, before) == GAMES


def test_what_was_not_acknowledged_is_no_damage(tmp_path: Path) -> None:
    killed, shown = folder_of_a_killed_server(tmp_path)
    log = (killed / WAL).read_bytes()
    torn = struct.pack(">II", 3, 0) + log[16:24] + bytes(8)  # a page of a transaction without its end
    (killed / WAL).write_bytes(log + torn + bytes(4096))
    assert check_nothing_lost_in_silence(killed, shown, {}) == 0
    assert not list(killed.glob("damaged*"))


# -- the folder


def test_the_folder_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with client_of(folder) as client:
        begin(client, "human")
        modes = {path.name: path.stat().st_mode & 0o777 for path in folder.glob(f"{NAME}*")}
        assert folder.stat().st_mode & 0o777 == 0o700 and set(modes.values()) == {0o600}
    folder.chmod(0o750)
    with pytest.raises(Refused, match=f"is open to other users: `chmod 700 {folder}` closes it"):
        client_of(folder)
    folder.chmod(0o700)
    (folder / NAME).chmod(0o644)
    with pytest.raises(Refused, match=f"is open to other users: `chmod 600 {folder / NAME}` closes it"):
        client_of(folder)


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: os.stat(tmp_path).st_uid + 1)
    with pytest.raises(Refused, match="belongs to another user: name a place of your own"):
        client_of(tmp_path)


def test_games_of_an_earlier_version_are_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef.table").write_bytes(b"SMALLCITY TABLE 1\n")
    with pytest.raises(Refused, match="holds games of an earlier version: finish them with the version that"):
        client_of(tmp_path)
    (tmp_path / "0123456789abcdef.table").unlink()
    with client_of(tmp_path) as client:
        begin(client, "human")


def test_many_tables_are_kept_on_disk_and_few_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smallcity_agents.web.lobby.MOST_LOADED", 3)
    with client_of(tmp_path) as client:
        tokens = [begin(client, "human", modules=[])[0] for _ in range(10)]
        for _ in range(3):
            for token in tokens:
                seen = view(client, token)
                assert answer(client, token, seen["turn"]["answers"][0]["action"]).status_code == 200
                assert int(view(client, token)["version"].split(".")[0]) > int(seen["version"].split(".")[0])
        assert len(client.app.state.lobby._tables) == 3  # type: ignore[attr-defined]
