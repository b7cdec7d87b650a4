"""The server without a browser: who may do what, and limits."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from smallcity_agents.first import First
from smallcity_agents.web import safety
from smallcity_agents.web.server import application
from smallcity_agents.web.table import HOT_SEAT, WATCHER, Table
from smallcity_env import batch
from smallcity_env.rules import actions

LOCAL = "http://127.0.0.1:8008"


def client_of(folder: Path, rate: float = 10_000) -> TestClient:
    return TestClient(application(folder, rate, tables=1000), base_url=LOCAL)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(tmp_path) as client:
        yield client


def begin(client: TestClient, *players: str, **form: Any) -> dict[int, str]:
    answer = client.post("/api/tables", json={"players": players, "seed": 7, **form})
    assert answer.status_code == 200, answer.text
    return {link["seat"]: link["token"] for link in answer.json()["links"]}


def table_of(client: TestClient, token: str) -> Table:
    lobby = client.app.state.lobby  # type: ignore[attr-defined]
    return lobby._tables[lobby._names[token]]


def view(client: TestClient, token: str, query: str = "") -> dict[str, Any]:
    answer = client.get(f"/api/view/{token}{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def answer(client: TestClient, token: str, *answers: int, version: str | None = None) -> Any:
    version = view(client, token)["version"] if version is None else version
    return client.post(f"/api/answer/{token}", json={"version": version, "answers": list(answers)})


# -- answering


def test_a_seat_answers_its_own_questions_only_and_only_once(client: TestClient) -> None:
    tokens = begin(client, "human", "human")
    asked = view(client, tokens[0])["asked"]
    own, other = tokens[asked], tokens[1 - asked]
    shown = view(client, own)
    assert shown["turn"]["ask"] == "WHERE" and view(client, other)["turn"] is None
    space = shown["turn"]["answers"][0]["action"]
    assert answer(client, other, space).status_code == 409
    assert answer(client, tokens[WATCHER], space).status_code == 409
    refused = answer(client, own, actions.NO)
    assert refused.status_code == 400 and "does not answer 'where'" in refused.json()["wrong"]
    assert answer(client, own, space).status_code == 200
    stale = answer(client, own, space, version=shown["version"])
    assert stale.status_code == 409 and "not your turn" in stale.json()["wrong"]


def test_a_stale_answer_of_the_same_seat_is_refused(client: TestClient) -> None:
    token = begin(client, "human", modules=[])[0]
    first = view(client, token)
    assert answer(client, token, first["turn"]["answers"][0]["action"]).status_code == 200
    again = answer(client, token, first["turn"]["answers"][0]["action"], version=first["version"])
    assert again.status_code == 409 and "moved on" in again.json()["wrong"]


def test_undo_belongs_to_who_answered_last(client: TestClient) -> None:
    tokens = begin(client, "human", "human")
    asked = view(client, tokens[0])["asked"]
    before = view(client, tokens[asked])
    assert answer(client, tokens[asked], before["turn"]["answers"][3]["action"]).status_code == 200
    refused = client.post(f"/api/undo/{tokens[1 - asked]}", json={})
    assert refused.status_code == 400 and "cannot be undone" in refused.json()["wrong"]
    assert client.post(f"/api/undo/{tokens[asked]}", json={}).status_code == 200
    after = view(client, tokens[asked])
    assert after["turn"] == before["turn"] and after["version"] != before["version"]


def test_one_gesture_answers_what_where_and_which_way(client: TestClient) -> None:
    token = begin(client, "human", modules=[])[0]
    while view(client, token)["turn"]["ask"] != "WHAT":
        answer(client, token, view(client, token)["turn"]["answers"][0]["action"])
    slot = next(
        s for s in view(client, token)["turn"]["tray"] if s["action"] == actions.parse("build park-2")
    )
    places = client.get(f"/api/places/{token}/{slot['action']}").json()
    assert all(len(place["cells"]) == 2 for place in places)
    chosen = places[-1]
    assert answer(client, token, *chosen["answers"]).status_code == 200
    tiles = view(client, token)["boroughs"][0]["tiles"]
    assert chosen["cells"] in [sorted(cells) for _, cells in tiles]
    assert client.get(f"/api/places/{token}/{actions.parse('build museum')}").status_code == 409


@pytest.mark.parametrize(
    "body", [{"answers": []}, {"answers": ["x"]}, {"answers": [1, 2, 3, 4, 5]}, {"answers": [10**9]}, {}, []]
)
def test_bad_answers_are_refused(client: TestClient, body: Any) -> None:
    token = begin(client, "human")[0]
    if isinstance(body, dict):
        body["version"] = view(client, token)["version"]
    refused = client.post(f"/api/answer/{token}", json=body)
    assert refused.status_code == 400 and refused.json()["wrong"]


# -- set-up


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"players": []}, "a table has 1 to 4 players, not 0"),
        ({"players": ["nobody"]}, "there is no agent “nobody”"),
        ({"players": ["os.path"]}, "there is no agent “os.path”"),
        (
            {"players": ["human"], "modules": ["promise_cards"]},
            "“New promise cards” can only be played with “New buildings”.",
        ),
        (
            {"players": ["human"], "stockholm": True},
            "“Stockholm: radiation scores” can only be played with “Godzillas”.",
        ),
        (
            {"players": ["human", "human"], "boards": ["seoul", "seoul"]},
            "Seoul can only be played by one player.",
        ),
        ({"players": ["human"], "seed": -1}, "seed must be int >= 0, not -1"),
        ({"players": "human"}, "players must be list, not 'human'"),
    ],
)
def test_impossible_tables_are_explained(client: TestClient, form: dict[str, Any], sentence: str) -> None:
    refused = client.post("/api/tables", json=form)
    assert refused.status_code == 400 and refused.json()["wrong"].startswith(sentence)
    if "seed" not in form:
        assert client.post("/api/check", json=form).json() == refused.json()


def test_ready_made_tables_can_be_played(client: TestClient) -> None:
    for table in client.get("/api/setup").json()["ready"]:
        assert client.post("/api/check", json=table).json() == {"wrong": ""}, table


def test_levels_and_agents_are_described(client: TestClient) -> None:
    choices = client.get("/api/setup").json()
    assert list(choices["levels"]) == [f"level:{n}" for n in range(1, 11)]
    assert all(choices["levels"].values()) and all(choices["agents"].values())
    assert client.post("/api/check", json={"players": ["human", *list(choices["levels"])[:3]]}).json() == {
        "wrong": ""
    }


def test_numbers_are_checked_in_their_own_words(client: TestClient) -> None:
    refused = client.post("/api/numbers", json={"text": "[zone]\ngrow = -3\n"})
    assert refused.status_code == 400
    assert refused.json()["wrong"].startswith("these numbers, line 2: zone.grow needs")
    assert client.post("/api/numbers", json={"text": ""}).json() == {"port": 0}


def test_automatic_answers_are_switched_by_people_only(client: TestClient) -> None:
    tokens = begin(client, "human", modules=[])
    assert view(client, tokens[0])["automatic"] == {"store": True, "none": True}
    switched = client.post(f"/api/switch/{tokens[0]}", json={"name": "none", "on": False})
    assert switched.status_code == 200
    assert view(client, tokens[0])["automatic"] == {"store": True, "none": False}
    for token, name in ((tokens[WATCHER], "none"), (tokens[0], "declined")):
        assert client.post(f"/api/switch/{token}", json={"name": name, "on": True}).status_code == 400


def test_the_speed_is_set_by_people_and_where_there_are_none_by_watchers(client: TestClient) -> None:
    tokens, watched = begin(client, "human", "first"), begin(client, "first", "first")
    for token, speed in ((tokens[WATCHER], 0.5), (tokens[0], 0.0), (watched[WATCHER], 0.0)):
        assert client.post(f"/api/speed/{token}", json={"speed": "instant"}).status_code == 200
        assert table_of(client, token).speed == speed
    assert client.post(f"/api/speed/{tokens[0]}", json={"speed": "x"}).status_code == 400


def test_undo_while_an_agent_thinks_about_the_answer(client: TestClient) -> None:
    tokens = begin(client, "human", "mcts:sims=200", modules=[])
    token, table, undone = tokens[0], table_of(client, tokens[0]), 0
    for _ in range(200):
        if undone == 3:
            break
        if (turn := view(client, token)["turn"]) is None:
            continue
        answer(client, token, turn["answers"][0]["action"])
        undone += client.post(f"/api/undo/{token}", json={}).status_code == 200
        assert not table.wrong
    assert undone == 3
    assert client.post(f"/api/speed/{token}", json={"speed": "instant", "next": True}).json()["wrong"] == ""


def test_a_hot_seat_shows_a_curtain_until_it_is_lifted(client: TestClient) -> None:
    token = begin(client, "human", "human", hot_seat=True)[HOT_SEAT]
    covered = view(client, token)
    assert set(covered) == {"version", "names", "players", "wrong", "link", "curtain"}
    lifted = view(client, token, f"?lifted={covered['curtain']}")
    assert lifted["turn"]["seat"] == covered["curtain"] == lifted["you"]
    assert "curtain" in view(client, token, f"?lifted={1 - covered['curtain']}")


# -- safety


def test_headers_and_hosts_and_origins(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-security-policy"] == safety.POLICY and "unsafe" not in safety.POLICY
    assert "access-control-allow-origin" not in page.headers
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 421
    assert client.post("/api/check", json={}, headers={"Origin": "http://evil.example"}).status_code == 403
    assert client.get("/api/setup", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert (
        client.get("/", headers={"Host": "localhost:8008", "Origin": "http://localhost:8008"}).status_code
        == 200
    )
    assert client.post("/api/check", content="{}", headers={"Content-Type": "text/plain"}).status_code == 415
    large = client.post("/api/check", json={"x": "y" * safety.LARGEST_BODY})
    assert large.status_code == 413 and "may have" in large.json()["wrong"]
    assert client.get("/static/../server.py").status_code == 404


def test_rates_and_tables_are_limited(tmp_path: Path) -> None:
    with client_of(tmp_path, rate=1) as client:
        statuses = [client.get("/api/setup").status_code for _ in range(15)]
        assert statuses[:5] == [200] * 5 and statuses[-1] == 429
    with client_of(tmp_path) as client:
        client.app.state.lobby.most = 1  # type: ignore[attr-defined]
        begin(client, "human")
        refused = client.post("/api/tables", json={"players": ["human"]})
        assert refused.status_code == 400 and "keeps 1 games" in refused.json()["wrong"]


def test_links_cannot_be_guessed(client: TestClient) -> None:
    tokens = list(begin(client, "human", "human").values())
    assert all(len(token) >= 24 for token in tokens) and len(set(tokens)) == 3
    for path in ("view", "hint", "coach", "log", "events"):
        assert client.get(f"/api/{path}/{tokens[0][:-1]}").status_code == 404


def test_the_log_is_closed_until_the_game_is_over(client: TestClient) -> None:
    token = begin(client, "human", "first")[0]
    for path in (f"/api/log/{token}", f"/api/share/{token}"):
        refused = client.get(path)
        assert refused.status_code == 400 and "holds secrets" in refused.json()["wrong"]
    assert client.post("/api/replays", json={"token": token}).status_code == 400


def test_a_failing_agent_ends_its_own_game_only(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy, broken = begin(client, "human", "first")[0], begin(client, "human", "first")[0]

    class Mad(First):
        def act(self, *question: Any) -> Any:
            raise RuntimeError("the agent has lost its mind")

    monkeypatch.setitem(table_of(client, broken).match.agents, 1, Mad())
    for token in (healthy, broken):
        while not view(client, token)["turn"] and not view(client, token)["wrong"]:
            pass
        if turn := view(client, token)["turn"]:
            answer(client, token, turn["answers"][0]["action"])
    while not (wrong := view(client, broken)["wrong"]):
        pass
    assert "lost its mind" in wrong and view(client, healthy)["wrong"] == ""


# -- the end


def test_help_and_the_end(client: TestClient) -> None:
    token = begin(client, "human", modules=[])[0]
    chance = np.random.default_rng(2)
    hinted = client.get(f"/api/hint/{token}").json()
    assert hinted["action"] in table_of(client, token).game.legal()
    assert client.post(f"/api/rematch/{token}", json={}).status_code == 400
    coached = client.get(f"/api/coach/{token}").json()
    assert set(coached["answers"]) <= {str(action) for action in table_of(client, token).game.legal()}
    assert (
        hinted["expected"] == coached["answers"][str(hinted["action"])] and hinted["line"] == coached["line"]
    )
    assert coached["line"][0] == [0, hinted["words"]] and len(coached["rounds"][0]) == 1
    table = table_of(client, token)
    while not table.game.over:
        table.match.answer(int(chance.choice(table.game.legal())))
        table.match.agents_answer()
    shown = view(client, token)
    assert shown["result"]["seats"][0]["score"] == table.game.scores()[0] and shown["result"]["title"]
    text = client.get(f"/api/log/{token}").text
    replay = client.post("/api/replays", json={"log": text}).json()["token"]
    first = client.get(f"/api/replays/{replay}?step=0").json()
    assert first["names"] == ["human"] and text.splitlines()[1] == "players human"
    last = first["steps"]
    assert client.get(f"/api/replays/{replay}?step={last}").json()["result"] == shown["result"]
    assert client.get(f"/api/replays/{replay}?step={last + 1}").status_code == 400
    review = client.get(f"/api/review/{replay}?seat=0").json()["decisions"]
    worst = max(review, key=lambda one: one["cost"])
    detail = client.get(f"/api/review/{replay}/{worst['number']}?seat=0").json()
    assert detail["view"]["step"] == worst["step"] and detail["why"] and detail["line"]
    assert client.get(f"/api/review/{replay}/{last + 10_000}?seat=0").status_code == 400
    assert client.get(f"/api/review/{replay}?seat=1").status_code == 400
    page = client.get(f"/api/share/{replay}?seat=0")
    assert page.text.startswith("<!doctype html>") and "attachment" in page.headers["content-disposition"]
    assert batch.over(table.game.states).all() and json.dumps(shown)


def test_a_bad_log_is_refused(client: TestClient) -> None:
    refused = client.post("/api/replays", json={"log": "hello"})
    assert refused.status_code == 400 and "not a game log" in refused.json()["wrong"]
