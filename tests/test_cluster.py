"""Work on a real Ray cluster of several nodes on this machine: the same games, whatever dies or joins."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, cluster, dataset
from smallcity_agents.arena import runner
from smallcity_agents.arena.distribute import distribute
from smallcity_agents.arena.results import Result, digest, read
from smallcity_agents.cluster import Pool, Ray, Workers, workers
from smallcity_env import Config
from smallcity_env.refusal import Refused, install, script
from smallcity_training import tune
from smallcity_training.search_games import Iteration, SearchConfig, play_batch

from .interpreter import ROOT
from .training.test_value_net import TINY as SEARCH_TINY

pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray
CONFIG = Config(2)
GAMES = 20
ITERATION = Iteration(SearchConfig(scripted_games=2), 0, [])
SMALL: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
OWN = """
import time
from smallcity_agents.arena.playing import seat_streams
from smallcity_agents.first import First

class Slow(First):
    "As many moves as a search, and as little work as a nap."
    def act(self, states, seats, legal, streams):
        time.sleep(0.002)
        return super().act(states, seats, legal, streams)

class Broken(First):
    "Fails in the games of seed 3."
    def act(self, states, seats, legal, streams):
        if seat_streams([3])[0, 0] in streams:
            raise ValueError("three is too much")
        return super().act(states, seats, legal, streams)
"""


class Nodes:
    """A cluster that grows and shrinks."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster

        head = SMALL | {"_system_config": {"health_check_period_ms": 500}}  # dead nodes: noticed soon
        self.cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self.cluster.address
        self.more: list[Any] = []

    def resize(self, nodes: int) -> None:
        """Have this many nodes, the head among them, and wait until the cluster has noticed."""
        while len(self.more) + 1 < nodes:
            self.more.append(self.cluster.add_node(**SMALL))
        while len(self.more) + 1 > nodes:
            self.cluster.remove_node(self.more.pop(), allow_graceful=False)
        self.cluster.wait_for_nodes(timeout=120)


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    """Nodes whose workers import what these tests import."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(str(ROOT / room) for room in (".", "agents", "training")))
        made = Nodes()
        yield made
        made.cluster.shutdown()


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with agents of one's own."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "own.py").write_text(OWN)
    return folder


@pytest.fixture
def path(tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(own)
    monkeypatch.setattr("sys.path", [*sys.path, str(own)])
    return tmp_path / "arena.jsonl"


def arena(path: Path, names: list[str], executor: Workers | None = None, **options: Any) -> list[Result]:
    """Play an arena, here or by workers."""
    play = partial(distribute, executor) if executor else runner.here
    return runner.run(CONFIG, names, GAMES, path, play=play, **options)


def test_results_are_the_same_without_ray_and_on_one_and_three_nodes(path: Path, nodes: Nodes) -> None:
    names = ["random", "greedy"]
    digests = {digest(arena(path, names))}
    for count in (1, 3):
        nodes.resize(count)
        with workers(nodes.address) as executor:
            file = path.with_name(f"{count}.jsonl")
            digests.add(digest(arena(file, names, executor)))
            assert executor.count == count and len(file.read_text().splitlines()) == len(read(file)) == GAMES
    assert len(digests) == 1


def test_a_node_killed_and_one_added_lose_and_double_nothing(path: Path, nodes: Nodes) -> None:
    names, events = ["own.Slow", "random"], []
    nodes.resize(2)

    def progress(kept: int, more: float, games: int) -> None:
        if kept and not events:
            nodes.resize(1)
            nodes.resize(3)
            events.append(kept)

    with workers(nodes.address, agents=names) as executor:
        results = arena(path, names, executor, progress=progress)
        assert executor.count == 3 and 0 < events[0] < GAMES
    assert len(path.read_text().splitlines()) == GAMES == len(results)
    assert digest(results) == digest(arena(path.with_name("here.jsonl"), names))


def test_a_killed_driver_is_resumed(path: Path, nodes: Nodes) -> None:
    names = ["own.Slow", "random"]
    nodes.resize(2)
    options = ["--games", str(GAMES), "--results", str(path), "--ray", nodes.address]
    driver = subprocess.Popen([sys.executable, "-m", "smallcity_env", "arena", *names, *options])
    while driver.poll() is None and not (path.exists() and "\n" in path.read_text()):
        time.sleep(0.05)
    driver.send_signal(signal.SIGKILL)
    assert driver.wait() == -signal.SIGKILL
    assert 0 < len(known := read(path)) < GAMES
    with workers(nodes.address, agents=names) as executor:
        results = arena(path, names, executor)
    assert len(path.read_text().splitlines()) == GAMES
    assert all(result in results for result in known)  # thinking times too: none was played again
    assert digest(results) == digest(arena(path.with_name("here.jsonl"), names))


@pytest.mark.parametrize("where", ["pool", "cluster"])
def test_an_agent_that_fails_names_its_seed_and_stops_nothing_else(
    where: str, path: Path, nodes: Nodes
) -> None:
    names = ["own.Broken", "random"]
    executor = Pool(2) if where == "pool" else Ray(nodes.address, agents=names)
    try:
        sentence = rf"1 of {GAMES} games .* seed 3 \(own.Broken, random\): ValueError: three is too much"
        with pytest.raises(AgentError, match=sentence):
            arena(path, names, executor)
    finally:
        executor.close()
    assert len(read(path)) == GAMES - 1


def test_a_cluster_of_other_rules_is_refused_with_both_fingerprints(
    path: Path, nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = cluster.IDENTITY
    monkeypatch.setattr(cluster, "IDENTITY", "rules r1, numbers standard, version 9")
    with workers(nodes.address) as executor, pytest.raises(Refused) as refusal:
        arena(path, ["random", "first"], executor)
    assert f"has {theirs}, this process rules r1, numbers standard" in str(refusal.value)
    assert not read(path)


def test_datasets_tuning_and_training_are_the_same_on_a_cluster(nodes: Nodes, tmp_path: Path) -> None:
    nodes.resize(2)
    rows = tune.rows_of(tune.weights_of("tuned"), [tune.vector_of(tune.weights_of("tuned"))] * 4)
    rows["money"] = [1, 2, 3, 4]
    with workers(nodes.address) as executor:
        found = tune.fitness(executor, rows, CONFIG, 4, seed=1)
        batch = executor.gather(play_batch, ITERATION, [7])[0]
        dataset.write(CONFIG, ["first", "random"], 6, tmp_path / "there", size=2, executor=executor)
    dataset.write(CONFIG, ["first", "random"], 6, tmp_path / "here", size=2)
    assert (found == tune.fitness_of_part((CONFIG, 4, 1), rows)).all() and len(np.unique(found)) > 1
    assert all((a == b).all() for a, b in zip(batch, play_batch(ITERATION, 7), strict=True))
    for file in sorted((tmp_path / "here").iterdir()):
        assert file.read_bytes() == (tmp_path / "there" / file.name).read_bytes()


# -- training by command, on a cluster that loses a node, gets one, and loses its driver


class Training:
    """`smallcity train METHOD`, as a process."""

    def __init__(self, method: str, folder: Path, *more: str) -> None:
        self.method, self.folder, self.more = method, folder, more
        self.process: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> None:
        words = ["train", self.method, "--run", str(self.folder), *self.more, *options]
        command = [sys.executable, "-m", "smallcity_env", *words]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder.parent
        )

    def wait_for(self, reached: Callable[[], bool]) -> None:
        """Wait until something has been reached; the training must not end before."""
        assert self.process is not None
        while not reached():
            assert self.process.poll() is None, self.process.communicate()[0]
            time.sleep(0.05)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the training for a while, so that it cannot end before."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)
        yield
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.communicate()

    def end(self) -> str:
        """What it printed, once it has ended well."""
        assert self.process is not None
        output = self.process.communicate()[0]
        assert self.process.returncode == 0, output
        return output


def rows(file: Path) -> int:
    """The lines of a log below its header."""
    return max(len(file.read_text().splitlines()) - 1, 0) if file.exists() else 0


def test_search_by_command_outlives_a_node_and_its_driver(nodes: Nodes, tmp_path: Path) -> None:
    nodes.resize(2)
    more = {"start": "none", "scripted_batches": 6, "scripted_games": 64, "search_batches": 3, "epochs": 0.5}
    (tmp_path / "tiny.yaml").write_text(json.dumps(SEARCH_TINY | more))
    here = Training("search", tmp_path / "here")
    here.start("--config", "tiny.yaml")
    shards = tmp_path / "there" / "shards"
    run = Training("search", tmp_path / "there", "--ray", nodes.address)
    run.start("--config", "tiny.yaml")
    run.wait_for(lambda: any(shards.glob("*.npz")))
    with run.paused():
        nodes.resize(1)
        nodes.resize(3)
    run.wait_for(lambda: len(list(shards.glob("*.npz"))) >= 3)
    run.kill()
    run.start("--resume")
    assert "2 iterations" in run.end() and "2 iterations" in here.end()
    made = sorted(path.name for path in shards.iterdir())
    assert len(made) == 6 + 3
    for name in made:
        assert (shards / name).read_bytes() == (tmp_path / "here" / "shards" / name).read_bytes()
    for name in ("value-000.npz", "value-001.npz"):
        one, other = (np.load(tmp_path / run / "checkpoints" / name) for run in ("here", "there"))
        assert all(np.array_equal(one[key], other[key]) for key in one if key != "card")


# -- what needs no cluster


def test_tuning_without_ray_says_so_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setattr("sys.argv", ["tune", "--ray", "auto"])
    assert script(tune.main) == 2
    assert capsys.readouterr().err == f"this needs ray: {install('cluster')}\n"


def test_without_ray_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(Refused, match=re.escape(f"this needs ray: {install('cluster')}")):
        Ray("auto")


def test_without_a_cluster_one_sentence_says_so() -> None:
    with pytest.raises(Refused, match=r"^there is no Ray cluster at 'nowhere' .*: give --ray the address of"):
        Ray("nowhere")


def test_files_that_agents_name_travel_with_them(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("nets").mkdir(exist_ok=True)
    Path("nets/a.npz").write_bytes(b"net")
    (tmp_path / "mine.toml").write_text("money.shop = 4")
    monkeypatch.setenv("SMALLCITY_NUMBERS", str(tmp_path / "mine.toml"))
    shipped = cluster.shipment(["own.Slow", "policy:checkpoint=nets/a.npz", "greedy"])
    assert shipped == {"own.py": OWN.encode(), "nets/a.npz": b"net", "numbers.toml": b"money.shop = 4"}
    monkeypatch.delenv("SMALLCITY_NUMBERS")
    assert not cluster.shipment(["greedy", "mcts:sims=10"])


def test_work_in_this_process_raises_its_errors() -> None:
    with pytest.raises(ZeroDivisionError):
        list(Workers().map(lambda common, item: common // item, 1, [1, 0]))
