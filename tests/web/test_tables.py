"""Tables without a browser: who answers, whose view a link shows, and what is on disk when it is told."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from smallcity_agents.web import reading, views
from smallcity_agents.web.forms import NewTable
from smallcity_agents.web.placing import placements
from smallcity_agents.web.store import Store
from smallcity_agents.web.table import HOT_SEAT, WATCHER, Table
from smallcity_env.refusal import Refused
from smallcity_env.rules import actions
from tests.rulebook.words import play
from tests.scene import scene

from .test_api import answer, begin, client, table_of, view
from .test_disk import copied

__all__ = ["client"]  # the fixture


def test_nobody_answers_for_another_seat_in_one_gesture(client: TestClient) -> None:
    tokens = begin(client, "human", "human", modules=[])
    table, refused = table_of(client, tokens[0]), 0
    chance = np.random.default_rng(1)
    for _ in range(12):
        seat, action = table.game.seat, int(chance.choice(table.game.legal()))
        after = table.game.clone()
        after.step(action)
        if after.seat != seat:
            both = answer(client, tokens[seat], action, int(after.legal()[0]))
            assert both.status_code == 400 and "do not belong together" in both.json()["wrong"]
            refused += 1
        assert answer(client, tokens[seat], action).status_code == 200
    assert refused > 1


def test_a_hot_seat_is_the_seat_of_whoever_is_asked(client: TestClient) -> None:
    token = begin(client, "human", "human", "human", hot_seat=True, modules=[])[HOT_SEAT]
    table, seen = table_of(client, token), set()
    for _ in range(9):
        seat = table.game.seat
        shown = view(client, token, f"?lifted={seat}")
        assert shown["you"] == seat == shown["turn"]["seat"]
        seen.add(seat)
        assert answer(client, token, int(table.game.legal()[0])).status_code == 200
    assert seen == {0, 1, 2}


def test_agents_answer_without_being_told_to(client: TestClient) -> None:
    token = begin(client, "first", "first", modules=[])[WATCHER]
    for _ in range(2000):
        if (shown := view(client, token))["over"]:
            break
    assert shown["over"] and not shown["wrong"]


def test_the_graph_of_a_finished_game_goes_from_hopes_to_scores(client: TestClient) -> None:
    token = begin(client, "human", modules=[])[0]
    table = table_of(client, token)
    while not table.game.over:
        table.match.answer(int(table.game.legal()[0]))
    first, *_, last = client.get(f"/api/coach/{token}").json()["rounds"]
    assert last == table.game.scores() and first[0] > 10  # where the score itself is none yet


def test_a_transaction_is_synced_before_it_is_acknowledged(tmp_path: Path) -> None:
    database = Store(tmp_path / "games")._db
    pragmas = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]
    assert pragmas == [2, b"wal"]  # 2: FULL


def test_the_longest_line_of_numbers_is_read() -> None:
    longest, deepest = "#" * reading.LONGEST_LINE, "#" + "." * reading.DEEPEST
    assert reading.fingerprint_of(f"{longest}\n{deepest}\n") == "standard"
    for line in (f"{longest}#", f"{deepest}."):
        with pytest.raises(Refused, match="line 2: a line may have 1,000 letters and 100 dots"):
            reading.fingerprint_of(f"\n{line}")


@pytest.mark.parametrize("players", [["human", "first"], ["first", "first"]])
def test_the_pace_of_agents_tells_nothing_of_what_they_do_in_secret(players: list[str]) -> None:
    """What is done behind a screen, and what is declined, is followed by no pause; a card is."""
    table, chance = Table.begin(NewTable(players=players, seed=7)), np.random.default_rng(7)
    paused: dict[tuple[str, bool], set[bool]] = {}
    while not table.game.over and table.game.round < 4:
        phase, action = table.game.phase.name, int(chance.choice(table.game.legal()))
        if table.game.seat in table.match.people:
            table.match.answer(action)
        else:
            visible = bool(table._agent_answers(action))
            paused.setdefault((phase, action == actions.NO), set()).add(visible)
    secret = "human" in players
    assert paused["SETUP", False] == paused["BUILD", False] == {not secret}
    assert paused["SELECT", False] == {True} and paused["COUNCIL", True] == paused["BUILD", True] == {False}


def test_a_persons_automatic_answers_follow_an_agents_at_once() -> None:
    table = Table.begin(NewTable(players=["human", "first"], seed=7))
    while True:
        action, after = int(table.game.legal()[0]), table.game.clone()
        after.step(action)
        if table.game.seat == 1 and after.seat == 0 and after.mask()[actions.NO]:
            break
        table.match.advance(after)
    table.match.automatic.decline(after)
    table._agent_answers(action)
    assert table.game.log.entries[len(after.log)].action == actions.NO


@pytest.mark.parametrize(
    ("listeners", "speed", "told"), [(1, 0.001, True), (0, 0.001, False), (1, 0.0, False)]
)
def test_who_listens_is_told_of_an_agents_answer(listeners: int, speed: float, told: bool) -> None:
    table = Table.begin(NewTable(players=["first"], seed=7))
    table.listeners, table.speed, changed = listeners, speed, table.changed
    with ThreadPoolExecutor(1) as other:  # the browser of other tests has a loop in this thread
        other.submit(asyncio.run, table._watched(visible=True)).result()
    assert changed.is_set() is told


def test_to_decline_is_to_answer_no_once_for_the_phase(client: TestClient, tmp_path: Path) -> None:
    token = begin(client, "human", modules=[])[0]
    table = table_of(client, token)
    while not table.game.mask()[actions.NO]:
        assert answer(client, token, int(table.game.legal()[0])).status_code == 200
    stale, before, changes = view(client, token)["version"], len(table.game.log), table.changes
    assert client.post(f"/api/decline/{token}", json={"version": stale}).status_code == 200
    assert table.game.log.entries[before].action == actions.NO and table.match.automatic.declined
    assert table.changes > changes and copied(tmp_path, tmp_path / "copy", table.name).game == table.game
    assert client.post(f"/api/decline/{token}", json={"version": stale}).status_code == 409


def test_a_placement_covers_the_spaces_that_the_tile_will_cover() -> None:
    game, sizes = scene("R1:0 .\n. Hl Hl\n. Hl Hl", money=30), set()
    before = list(views._tiles(game.state["borough"][0]))
    for build in game.legal()[actions.KIND_OF[game.legal()] > 0]:
        for placed in placements(game, int(build)):
            after = play(game.clone(), *map(actions.name, placed["answers"]))
            _, cells = next(tile for tile in views._tiles(after.state["borough"][0]) if tile not in before)
            assert sorted(cells) == sorted(placed["cells"])
            sizes.add(len(cells))
    assert sizes >= {1, 2, 3, 4}


def test_upgrades_are_marked_in_the_tray() -> None:
    tray = views._turn(scene("R1:0 .\n. Hl Hl\n. Hl Hl", money=20), "")["tray"]
    marked = {slot["action"] for slot in tray if slot["upgrade"]}
    named = {slot["action"] for slot in tray if actions.name(slot["action"]).startswith("upgrade ")}
    assert marked == named and len(marked) > 10
