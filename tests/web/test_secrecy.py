"""Nothing a seat may not see ever leaves the server: whole games, compared byte by byte on the wire."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from smallcity_agents.web.table import WATCHER, Table
from smallcity_env import Game, batch
from smallcity_env.config import MODULES
from smallcity_env.history import is_secret

from .test_api import begin, client_of, table_of

TABLES = [
    (
        {
            "modules": list(MODULES),
            "boards": ["river-easy", "base-expert", "mountain-easy"],
            "advanced": True,
        },
        3,
    ),
    ({"modules": ["godzillas", "doctors"], "boards": ["tokyo", "ulaanbaatar"]}, 2),
]


def hidden_differs(game: Game, viewer: int, seed: int) -> Game:
    """The same game with everything resampled that a seat, or a watcher, cannot see."""
    other = game.clone()
    seat = game.seat if viewer == WATCHER else viewer
    other.states = batch.fork(game.states, seat, [seed])
    other.states["stream"] = game.states["stream"]  # undo compares it with an earlier one
    other._mask = batch.masks(other.states)
    return other


HELPED = 12  # every twelfth question is put to the champion: it takes its time


def on_the_wire(client: TestClient, token: str, table: Table, viewer: int, step: int) -> dict[str, bytes]:
    """Everything a link can fetch."""
    paths = [f"/api/view/{token}"]
    if table.game.seat == viewer and step % HELPED == 0:
        table.guided = True
        paths += [f"/api/hint/{token}", f"/api/coach/{token}", f"/api/guide/{token}"]
    return {path: client.get(path).content for path in paths}


@pytest.mark.parametrize(("form", "players"), TABLES)
def test_nothing_on_the_wire_depends_on_what_is_hidden(
    tmp_path: Path, form: dict[str, Any], players: int
) -> None:
    chance = np.random.default_rng(5)
    with client_of(tmp_path) as client:
        tokens = begin(client, *["human"] * players, **form)
        table = table_of(client, tokens[0])
        compared, secret, step = 0, 0, 0
        while not table.game.over:
            step += 1
            viewers = [*range(players), WATCHER] if is_secret(table.game.state) else [step % players]
            for viewer in viewers:
                compared += _compare(client, table, tokens[viewer], viewer, step)
                secret += is_secret(table.game.state)
            table.match.answer(int(chance.choice(table.game.legal())))
        assert compared > 60 and secret > 30


def _compare(client: TestClient, table: Table, token: str, viewer: int, seed: int) -> bool:
    """Compare what is sent; return whether the states differed at all."""
    game, other = table.game, hidden_differs(table.game, viewer, seed)
    seen = on_the_wire(client, token, table, viewer, seed)
    table.match.game = other
    try:
        redrawn = on_the_wire(client, token, table, viewer, seed)
    finally:
        table.match.game = game
    if viewer == game.seat and not (game.mask() == other.mask()).all():
        return False  # P2.1: a tile others took in secret is not offered
    for path, body in seen.items():
        if "coach" not in path:
            assert redrawn[path] == body, (path, viewer)
        else:
            assert json.loads(redrawn[path]).get("answers") == json.loads(body).get("answers")
    return game.states.tobytes() != other.states.tobytes()


def test_a_view_names_no_promise_of_others(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        tokens = begin(client, "human", "human", modules=["godzillas"], advanced=False)
        table = table_of(client, tokens[0])
        chance = np.random.default_rng(3)
        while table.game.round < 2:
            table.match.answer(int(chance.choice(table.game.legal())))
        for viewer in (0, 1, WATCHER):
            shown = client.get(f"/api/view/{tokens[viewer]}").json()["boroughs"]
            for p, borough in enumerate(shown):
                assert all(bool(promise["words"]) == (p == viewer) for promise in borough["promises"])


def secretly(client: TestClient, answers: list[str], secret: list[str]) -> dict[int, bytes]:
    """What the other seat and a watcher receive after some answers and then secret ones."""
    tokens = begin(client, "human", "human", modules=[])
    table = table_of(client, tokens[0])
    for output in answers:
        table.match.answer(table.game.parse(output))
    hidden = table.game.seat
    for output in secret:
        table.match.answer(table.game.parse(output))
    return {viewer: client.get(f"/api/view/{tokens[viewer]}").content for viewer in (1 - hidden, WATCHER)}


OPENING = ["at C3", "at D4", "promise 6", "promise 12", "at F7", "card opponent", "card mayor"]


@pytest.mark.parametrize(
    ("answers", "first", "second"),
    [
        ([], ["at A1"], ["at D4"]),
        (OPENING, ["build park-1", "at A1", "no"], ["no"]),
        (OPENING, ["enlarge"], ["no"]),
    ],
)
def test_secret_answers_leave_no_trace_in_news_or_versions(
    tmp_path: Path, answers: list[str], first: list[str], second: list[str]
) -> None:
    with client_of(tmp_path) as client:
        assert secretly(client, answers, first) == secretly(client, answers, second)
