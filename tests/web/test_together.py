"""People at one table: building at the same time, a seat that an agent takes over, whole turns undone."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from smallcity_agents.web import stored
from smallcity_agents.web.table import WATCHER
from smallcity_env import batch
from smallcity_env.rules import actions
from smallcity_env.rules.tables import Phase
from smallcity_env.rules.tables.tiles import Kind

from .test_api import answer, begin, client_of, table_of, view
from .test_secrecy import OPENING


@pytest.fixture
def client(tmp_path: Path) -> Any:
    with client_of(tmp_path) as client:
        yield client


def building(client: TestClient, **form: Any) -> tuple[dict[int, str], int]:
    """Two people in Phase 2 of the first round; their links, and who is asked."""
    tokens = begin(client, "human", "human", modules=[], **form)
    table = table_of(client, tokens[0])
    for words in OPENING:
        table.match.answer(table.game.parse(words))
    table.changes += 1
    assert table.game.phase is Phase.BUILD
    return tokens, table.game.seat


def name(words: str) -> int:
    return actions.parse(words)


def test_everybody_builds_at_once_and_in_turn_order(client: TestClient) -> None:
    tokens, first = building(client)
    second = 1 - first
    assert view(client, tokens[second])["turn"]["ask"] == "WHAT"
    answer(client, tokens[second], name("build park-1"), name("at A1"))
    answer(client, tokens[second], name("no"))
    assert view(client, tokens[second])["turn"] is None
    table = table_of(client, tokens[0])
    assert table.game.seat == first and table.game.log.entries[-1].action == name("card mayor")
    answer(client, tokens[first], name("no"))
    assert table.game.phase is not Phase.BUILD
    own = table.game.state["borough"][second]
    assert own["kind"][0] == Kind.PARK_1 and not table.ahead.kept


def test_building_ahead_leaves_no_trace_for_others(client: TestClient) -> None:
    tokens, first = building(client)
    second = 1 - first
    before = {seat: client.get(f"/api/view/{tokens[seat]}").content for seat in (first, WATCHER)}
    answer(client, tokens[second], name("build park-1"), name("at A1"))
    assert {seat: client.get(f"/api/view/{tokens[seat]}").content for seat in before} == before
    answer(client, tokens[first], name("build park-2"), name("at A1"))
    ahead = client.get(f"/api/view/{tokens[second]}").content
    client.post(f"/api/undo/{tokens[first]}", json={})
    assert client.get(f"/api/view/{tokens[second]}").content == ahead


def test_a_tile_that_is_gone_is_asked_again(client: TestClient) -> None:
    tokens, first = building(client)
    second = 1 - first
    table = table_of(client, tokens[0])
    answer(client, tokens[second], name("build harbor"), name("at A1"))
    answer(client, tokens[second], name("build park-2"), name("at C1"))
    table.game.states["supply"][0, Kind.PARK_2] = 0
    table.game._mask = batch.masks(table.game.states)
    answer(client, tokens[first], name("no"))
    asked = view(client, tokens[second])
    assert asked["turn"]["count"] == "build 2 of 3" and "is gone" in asked["gone"]
    assert table.game.state["borough"][second]["kind"][0] == Kind.HARBOR


def test_what_was_built_ahead_is_undone_and_survives_a_restart(client: TestClient, tmp_path: Path) -> None:
    tokens, first = building(client)
    second = 1 - first
    answer(client, tokens[second], name("build park-1"), name("at A1"))
    answer(client, tokens[second], name("build park-1"), name("at B1"))
    client.post(f"/api/undo/{tokens[second]}", json={})
    shown = view(client, tokens[second])
    assert shown["turn"]["count"] == "build 2 of 3" and shown["undo"]
    table = table_of(client, tokens[0])
    assert stored.load(stored.row_of(table)).ahead.kept == table.ahead.kept != {}


def test_who_has_built_ahead_takes_it_back_while_the_others_build(client: TestClient) -> None:
    tokens, first = building(client)
    second = 1 - first
    answer(client, tokens[second], name("no"))
    waiting, before = view(client, tokens[second]), view(client, tokens[first])
    assert waiting["turn"] is None and waiting["undo"]
    client.post(f"/api/undo/{tokens[second]}", json={})
    assert view(client, tokens[second])["turn"]["count"] == "build 1 of 3"
    assert view(client, tokens[first]) == before


def test_an_agent_takes_over_a_seat_that_was_left_and_gives_it_back(client: TestClient) -> None:
    tokens, first = building(client)
    second = 1 - first
    table = table_of(client, tokens[0])

    def hand(seat: int, agent: str, by: int) -> int:
        body = {"seat": seat, "agent": agent, "next": True}
        return int(client.post(f"/api/substitute/{tokens[by]}", json=body).status_code)

    assert hand(first, "level:1", WATCHER) == 400
    table.present[first] = 1
    assert hand(first, "level:1", second) == 400  # somebody sits there
    table.present[first] = 0
    assert hand(first, "stdio:x", second) == 400
    assert hand(first, "level:1", second) == 200
    assert table.game.seat == second and view(client, tokens[first])["turn"] is None
    assert stored.load(stored.row_of(table)).substitutes.names == {first: "level:1"}
    for _ in range(40):
        if table.game.seat == second and table.game.phase is Phase.COUNCIL:
            break
        body = {"version": table.version(second), "answers": [int(table.game.legal()[-1])], "next": True}
        client.post(f"/api/answer/{tokens[second]}", json=body)
    assert any(entry.seat == first for entry in table.game.log.entries[10:])
    assert hand(first, "", second) == 400 and hand(first, "", first) == 200
    assert not table.substitutes.names and first not in table.match.agents


def test_a_whole_turn_is_undone(client: TestClient) -> None:
    tokens, first = building(client)
    answer(client, tokens[first], name("build park-1"), name("at A1"))
    answer(client, tokens[first], name("build park-1"), name("at B1"))
    client.post(f"/api/undo/{tokens[first]}", json={"turn": True})
    assert view(client, tokens[first])["turn"]["count"] == "build 1 of 3"
