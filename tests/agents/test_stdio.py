"""Bots in any language: whole games, exactly the seat's view on the wire, crashes, silence and garbage."""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from starlette.testclient import TestClient

from smallcity_agents import AgentError, make, refuse_own
from smallcity_agents.agent import Agent
from smallcity_agents.arena import chart
from smallcity_agents.arena.playing import ask, play, seat_streams
from smallcity_agents.arena.standings import Row
from smallcity_agents.stdio import message, understood
from smallcity_agents.web.forms import NewTable
from smallcity_agents.web.server import application
from smallcity_agents.web.setup import choices, offer, players_of
from smallcity_env import Config, batch
from smallcity_env.refusal import Refused
from tests.test_secret_builds import CONFIGS, worlds

BOTS = Path(__file__).parents[2] / "recipes" / "bots"
HELLO = "import sys, json, time; sys.stdin.readline(); print(json.dumps({'protocol': 1}), flush=True)\n"
FIRST = "print(json.dumps({'answer': json.loads(line)['legal'][0]['id']}), flush=True)\n"


def bot(tmp_path: Path, body: str, seconds: str = "") -> Agent:
    """A bot that does this with every line after the handshake."""
    file = tmp_path / "bot.py"
    file.write_text(HELLO + "for line in sys.stdin:\n" + "".join(f"    {row}\n" for row in body.splitlines()))
    return make(f"stdio:{seconds}{sys.executable} {file}")


@pytest.mark.parametrize(
    "command", [f"{sys.executable} {BOTS}/bot.py", f"node {BOTS}/bot.js", f"sh {BOTS}/first.sh"]
)
def test_an_example_plays_whole_games(command: str) -> None:
    agent = make(f"stdio:{command}")
    played = play(Config(2), [agent, make("random")], [[0, 1], [1, 0]], [3, 4])
    assert batch.over(played.states).all() and not agent.forfeited and not agent.illegal
    agent.close()


def test_a_bot_in_a_script_plays_as_the_same_agent_in_process(tmp_path: Path) -> None:
    agent = bot(tmp_path, FIRST)
    remote, own = (
        play(Config(2), [player, make("random")], [[0, 1]], [3]) for player in (agent, make("first"))
    )
    assert remote.states.tobytes() == own.states.tobytes()
    agent.close()


@pytest.mark.parametrize("config", CONFIGS[:4], ids=range(4))
def test_what_a_bot_is_sent_depends_on_no_secret(config: Config) -> None:
    compared = 0
    for seat, *games in worlds(config):
        legal = [np.flatnonzero(batch.masks(game)[0]).tolist() for game in games]
        if legal[0] == legal[1]:
            views = (batch.fork(game, seat, [1]) for game in games)
            a, b = (message(one, 1, seat, legal[0], ("observation",)) for one in views)
            assert a == b
            compared += games[0].tobytes() != games[1].tobytes()
    assert compared


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("sys.exit(1)", "it has ended"),
        ("time.sleep(60)", "no answer in 0.5 s"),
        ("print('{]', flush=True)", "no legal answer in 3 tries"),
        ("print('x' * 200000, flush=True)", "longer than"),
        ("print(json.dumps({'answer': 10 ** 400}), flush=True)", "no legal answer in 3 tries"),
    ],
)
def test_a_failure_forfeits_one_game(tmp_path: Path, body: str, why: str) -> None:
    agent = bot(
        tmp_path, f"if json.loads(line)['game'] == 1:\n    {body}\nelse:\n    {FIRST}", "seconds=0.5 "
    )
    played = play(Config(2), [agent, make("random")], [[0, 1], [0, 1]], [3, 3])
    assert batch.over(played.states).all()
    assert list(agent.forfeited) == [1] and why in agent.forfeited[1]
    agent.close()


def test_a_bot_without_the_handshake_forfeits() -> None:
    agent, legal = make("stdio:echo"), batch.new_masks(1)
    states = batch.new(1, Config(2), [0], legal)
    ask(agent, states, legal, seat_streams([0]), np.zeros(1, np.int64))
    assert "the first line of a bot" in agent.forfeited[1]


@pytest.mark.parametrize(
    "said", [None, 3, [], {}, {"answer": True}, {"answer": 1.0}, {"answer": "x"}, {"answer": [1]}]
)
def test_anything_but_a_legal_answer_is_answered_in_a_sentence(said: object) -> None:
    action, why = understood(said, [1, 2])
    assert action is None and why.startswith("answer with")


def test_commands_come_from_the_command_line_only() -> None:
    for name in ("stdio:ls", "stdio"):
        with pytest.raises(Refused, match="there is no agent"):
            players_of(NewTable(players=["human", name]))
    assert "stdio" not in choices()["agents"]
    with pytest.raises(AgentError, match="not ours"):
        refuse_own(["stdio:ls"], "a file", ["stdio:cat"], "--opponents")
    refuse_own(["stdio:ls"], "a file", ["stdio:ls"], "--opponents")
    with pytest.raises(AgentError, match="needs a command"):
        make("stdio:seconds=3")


def test_a_table_may_name_the_bot_of_the_command_line(tmp_path: Path) -> None:
    name = bot(tmp_path, FIRST).name
    with TestClient(application(tmp_path / "tables"), base_url="http://127.0.0.1:8008") as client:
        form = {"players": ["human", name], "seed": 1}
        assert client.post("/api/tables", json=form).status_code == 400
        offer([name])
        assert name in client.get("/api/setup").json()["agents"]
        link = client.post("/api/tables", json=form).json()["links"][0]
        assert client.post("/api/tables", json={"players": ["human", "stdio:ls"]}).status_code == 400
    offer([])
    with TestClient(application(tmp_path / "tables"), base_url="http://127.0.0.1:8008") as client:
        assert "--agent stdio:" in client.get(f"/api/view/{link['token']}").json()["wrong"]
    offer([name])
    with TestClient(application(tmp_path / "tables"), base_url="http://127.0.0.1:8008") as client:
        for _ in range(400):  # the bot builds its City Hall
            seen = client.get(f"/api/view/{link['token']}").json()
            if seen.get("turn"):
                break
            time.sleep(0.05)
    offer([])
    assert seen["turn"]


class Viewer(Agent):
    """Remembers the states it was given."""

    label, description, sees = "viewer", "", "view"

    def act(self, states, seats, legal, streams):
        self.given = states.copy()
        return legal.argmax(axis=1)


def test_the_standings_mark_who_is_kept_from_secrets() -> None:
    row = Row("", 1, 0.5, (0.0, 1.0), 0.0, 1.0, (0.0, 0.0), 0, 0.0)
    named = {name: chart.cells(replace(row, agent=name))[0] for name in ("stdio:ls", "greedy", "lazy.Lazy")}
    assert named == {"stdio:ls": "stdio:ls (view)", "greedy": "greedy", "lazy.Lazy": "lazy.Lazy"}
    viewer = f"{Viewer.__module__}.Viewer"
    assert chart.cells(replace(row, agent=viewer))[0] == f"{viewer} (view)"


@pytest.mark.parametrize("config", CONFIGS[:3], ids=range(3))
def test_an_agent_that_sees_views_cannot_tell_secrets_apart(config: Config) -> None:
    agent = Viewer()
    for seat, *games in worlds(config):
        seen = []
        for game in games:
            agent.act(game, np.array([seat]), np.ones((1, 9), bool), np.array([7], np.uint64))
            seen.append(agent.given.tobytes())
        assert seen[0] == seen[1]
