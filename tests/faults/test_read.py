"""Files that are read: anything but what was written is refused in one sentence, and nothing in them runs."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError
from smallcity_agents.arena.results import read
from smallcity_agents.net import checkpoint
from smallcity_agents.play.match import MAGIC, Match
from smallcity_env import Config, Game, files
from smallcity_env.cli import main
from smallcity_env.refusal import Refused
from smallcity_env.rules.actions import ACTIONS
from tests.faults.results import entry, line

CARD = {"steps": 1, "reward": "score", "command": "-", "hours": 0.5}


def weights(**changed: Any) -> Any:
    every = {name: np.zeros(shape, np.float32) for name, shape in checkpoint.shapes(4, 8, 16).items()}
    return every | changed


# -- checkpoints


def test_the_shapes_of_a_checkpoint_are_those_of_the_net() -> None:
    net = pytest.importorskip("smallcity_training.net")
    built = {name: array.shape for name, array in net.weights(net.Net(4, 8, 16)).items()}
    assert built == checkpoint.shapes(4, 8, 16)


def test_a_checkpoint_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    checkpoint.write(path, weights(), CARD)
    arrays, card = checkpoint.read(path)
    assert arrays.keys() == weights().keys() and card["steps"] == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"second.weight": np.zeros((16, 8), np.float32)}, r"second.weight must be float32 \(16, 16\), not "),
        ({"second.weight": np.zeros((16, 16))}, r"must be float32 \(16, 16\), not float64"),
        (
            {"answer.bias": np.full(ACTIONS, np.nan, np.float32)},
            "answer.bias is not finite, or has a number beyond 1000",
        ),
        ({"place": np.zeros((), np.float32)}, "must be float32"),
        ({"place": np.zeros((100, 0), np.float32)}, "must be float32"),
        ({"tile": np.zeros((3, 4), np.float32)}, "tile must be float32"),
        ({"extra": np.zeros(3, np.float32)}, "it holds 'extra', which is not a weight of a net"),
    ],
)
def test_weights_of_another_net_are_refused(tmp_path: Path, changed: Any, sentence: str) -> None:
    path = tmp_path / "net.npz"
    checkpoint.write(path, weights(**changed), CARD)
    with pytest.raises(AgentError, match=sentence):
        checkpoint.read(path)


def test_halved_weights_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    for name, array in weights().items():
        checkpoint.write(path, weights(**{name: array[: len(array) // 2]}), CARD)
        with pytest.raises(AgentError, match="cannot be used"):
            checkpoint.read(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"steps": -1},
        {"steps": "1"},
        {"hours": float("nan")},
        {"reward": 3},
        {"command": None},
        {"format": "x"},
    ],
)
def test_a_wrong_card_is_refused(tmp_path: Path, changed: Any) -> None:
    path = tmp_path / "net.npz"
    checkpoint.write(path, weights(), CARD)
    arrays = files.read_arrays(path, "the checkpoint")
    card = json.loads(str(arrays[checkpoint.CARD])) | changed
    files.write_arrays(path, arrays | {checkpoint.CARD: np.array(json.dumps(card))})
    with pytest.raises(AgentError, match=r"cannot be used: its (card|format)"):
        checkpoint.read(path)


def test_a_damaged_checkpoint_is_refused_wherever_it_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    checkpoint.write(path, weights(), CARD)
    whole, rng = path.read_bytes(), np.random.default_rng(1)
    for kind in range(150):
        data, at = bytearray(whole), int(rng.integers(len(whole)))
        if kind % 2:
            data[at] ^= 1 << int(rng.integers(8))
        else:
            del data[at:]
        path.write_bytes(data)
        try:
            arrays, _ = checkpoint.read(path)
        except AgentError:
            continue
        assert all(np.array_equal(arrays[name], array) for name, array in weights().items())


# -- results


def refused(tmp_path: Path, text: str) -> str:
    path = tmp_path / "arena.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(Refused) as wrong:
        read(path)
    return str(wrong.value)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"scores": [1]}, "scores must have 2 entries, one per seat"),
        ({"scores": [1, "2"]}, "scores[1] must be int, not '2'"),
        ({"scores": [1, 10**30]}, "scores[1] must be int <= 2147483647, not 1000"),
        ({"places": [1, 1]}, r"places cannot be [1, 1]"),
        ({"places": [0, 2]}, r"places cannot be [0, 2]"),
        ({"seconds": [0.1, float("nan")]}, "is not the result of a game"),
        ({"seed": -1}, "seed must be int >= 0, not -1"),
        ({"seed": True}, "seed must be int, not True"),
        ({"agents": ["random", ""]}, "a name must be printable, not ''"),
        ({"agents": ["random", "\x1b[2J"]}, "a name must be printable, not"),
        ({"game": {"players": 9}}, "its game is not valid (players must be 1 to 4"),
        ({"game": {"colour": 1}}, "its game is not valid"),
        ({"game": None}, "game must be mapping, not None"),
        ({"books": {}}, "its statistics do not fit: it has no tracks"),
        ({"strange": 1}, "it has no key strange: choose from game, seed, agents, scores"),
        ({"promises": [[1], [2]]}, "promises[0] must be list of length >= 4, not [1]"),
    ],
)
def test_a_wrong_value_in_a_line_is_named(tmp_path: Path, changed: Any, sentence: str) -> None:
    said = refused(tmp_path, line(**changed))
    assert said.startswith("line 1 of") and sentence in said


@pytest.mark.parametrize(
    "tracks", [[9, 0, 0, 1], [0, 0, -1, 1], [1.5, 0, 0, 1], [0, 0, 1], "x", [[0, 0, 0, 1]]]
)
def test_wrong_statistics_are_refused(tmp_path: Path, tracks: Any) -> None:
    said = refused(tmp_path, line(books=entry()["books"] | {"tracks": tracks}))
    assert "its statistics do not fit: tracks" in said


def test_a_missing_value_is_named(tmp_path: Path) -> None:
    for name in entry():
        without = {key: value for key, value in entry().items() if key != name}
        if name not in ("numbers", "turns", "council"):  # files of earlier versions have none
            assert "is not the result of a game" in refused(tmp_path, json.dumps(without))


def test_a_game_on_file_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_text("\n".join([line(seed=1), line(seed=2), line(seed=1), ""]))
    assert [result.seed for result in read(path)] == [1, 2]


def test_results_with_the_line_ends_of_windows(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_bytes((line(seed=1) + "\r\n" + line(seed=2) + "\r\n").encode())
    assert [result.seed for result in read(path)] == [1, 2]


def test_statistics_make_no_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_text(line(agents=["no_such.Agent", "random"]) + "\n")
    assert main(["stats", str(path)]) == 0
    assert "no_such.Agent" in capsys.readouterr().out


# -- saved games of play


def match() -> Match:
    return Match.begin(Game(Config(players=2), seed=1), ["human", "first"], 1)


def altered(path: Path, **changed: Any) -> None:
    """Save a match with other names or streams."""
    match().save(path)
    about, _, game = path.read_bytes()[len(MAGIC) :].partition(b"\n")
    path.write_bytes(MAGIC + json.dumps(json.loads(about) | changed).encode() + b"\n" + game)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"names": ["human"]}, "2 players have 1 names"),
        ({"names": ["human", 3]}, r"names\[1\] must be str, not 3"),
        ({"names": {"human": 1}}, "names must be list, not {'human': 1}"),
        ({"names": ["human", "nobody"]}, "names the agent 'nobody', which is not ours"),
        ({"streams": [1, 2]}, r"streams must be list of length >= 4, not \[1, 2\]"),
        ({"streams": [1, 2, 3, -4]}, r"streams\[3\] must be int >= 0, not -4"),
        ({"streams": [1, 2, 3, 2**64]}, "streams must be below 18446744073709551616, not 1844"),
        ({"streams": [1, 2, 3, 0.5]}, r"streams\[3\] must be int, not 0.5"),
        ({"streams": None}, "streams must be list, not None"),
        ({"begun": [-1]}, r"begun\[0\] must be int >= 0, not -1"),
        ({"begun": 3}, "begun must be list, not 3"),
    ],
)
def test_altered_players_of_a_save_are_refused(tmp_path: Path, changed: Any, sentence: str) -> None:
    path = tmp_path / "play.save"
    altered(path, **changed)
    with pytest.raises(Refused, match=sentence):
        Match.load(path)


@pytest.mark.parametrize("names", [["human", "human"], ["first", "first"]])
def test_the_terminal_resumes_games_of_one_person(
    tmp_path: Path, names: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    altered(tmp_path / "play.save", names=names)
    assert main(["play", "--resume", str(tmp_path / "play.save")]) == 2
    assert "is not a game of one person" in capsys.readouterr().err


def test_a_save_nested_too_deeply_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "play.save"
    path.write_bytes(MAGIC + b"[" * 100_000 + b"\n" + match().game.save())
    with pytest.raises(Refused, match="it is nested too deeply"):
        Match.load(path)


def test_a_save_damaged_anywhere_is_refused(tmp_path: Path) -> None:
    path, rng = tmp_path / "play.save", np.random.default_rng(2)
    match().save(path)
    whole = path.read_bytes()
    start = whole.index(b"\n", len(MAGIC)) + 1  # names and streams are not part of the checksum
    for _ in range(60):
        data = bytearray(whole)
        data[int(rng.integers(start, len(data)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
        with pytest.raises(Refused, match="cannot be used"):
            Match.load(path)


# -- nothing that is loaded runs

OWN = """
from smallcity_agents.first import First
print("the code of a file has run")
class Lazy(First):
    label = "lazy"
"""


@pytest.fixture
def own_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lazy_one.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "lazy_one", raising=False)
    return tmp_path


def test_a_save_runs_an_own_agent_only_if_it_is_named(
    own_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    altered(Path("play.save"), names=["human", "lazy_one.Lazy"])
    assert main(["play", "--resume", "play.save"]) == 2
    said = capsys.readouterr()
    assert "lazy_one" not in sys.modules and not said.out
    assert "to run its code, add --opponents lazy_one.Lazy" in said.err
    assert Match.load(Path("play.save"), ["lazy_one.Lazy"]).names == ["human", "lazy_one.Lazy"]
    assert "has run" in capsys.readouterr().out


def test_a_configuration_runs_an_own_agent_only_if_it_is_named(
    own_agent: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    Path("run.yaml").write_text("anchors: [lazy_one.Lazy]\nlearning_rate: 0.5\n")
    assert main(["train", "ppo", "--config", "run.yaml"]) == 2
    said = capsys.readouterr()
    assert "lazy_one" not in sys.modules and not said.out
    assert "to run its code, add --agent lazy_one.Lazy" in said.err
    assert not Path("runs").exists()


TRUSTED = (
    "smallcity_env/rules/tables/modules.py",  # evaluates declarations of the package itself
    "agents/smallcity_agents/cluster.py",  # tasks between the nodes of one's own cluster
)


@pytest.mark.parametrize(
    "word",
    ["pickle.load", "import pickle", "torch.load", "yaml.load(", "yaml.unsafe", "eval(", "allow_pickle=True"],
)
def test_no_source_unpickles_or_evaluates(word: str) -> None:
    root = Path(__file__).parents[2]
    folders = ("smallcity_env", "agents", "training", "bench")
    found = {path for folder in folders for path in (root / folder).rglob("*.py") if word in _code(path)}
    assert found <= {root / path for path in TRUSTED}


def _code(path: Path) -> str:
    """A source without its comments and without sentences: what would be run."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(
        line.partition("#")[0] for line in lines if not line.strip().startswith(('"""', "raise Refused"))
    )
