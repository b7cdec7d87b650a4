"""Datasets: the contents of their arrays, resuming, and that no game is in them twice."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from smallcity_agents import dataset
from smallcity_agents.cluster import Done, Function, Workers
from smallcity_env import Config, Game, batch, files, smallcity_v0
from smallcity_env.cli import main
from smallcity_env.envs.options import Observing
from smallcity_env.refusal import Refused, install

from ..interpreter import ROOT

CONFIG = Config(players=2)
AGENTS = ["first", "random"]
KILLED = """
import os, signal, sys
from pathlib import Path
from smallcity_agents import dataset
from smallcity_env import Config, files

create, calls = files.create, []
def dying(path):
    calls.append(path)
    if len(calls) == 3:  # after the card and a shard
        path.write_bytes(b"half a shard")
        os.kill(os.getpid(), signal.SIGKILL)
    return create(path)
files.create = dying
dataset.write(Config(players=2), ["first", "random"], games=6, folder=Path(sys.argv[1]), size=2)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset.write(CONFIG, AGENTS, games=6, folder=tmp_path_factory.mktemp("games"), size=2)


def contents(folder: Path) -> dict[str, list[bytes]]:
    """Every shard by name, as the bytes of its arrays."""
    return {path.name: [array.tobytes() for array in np.load(path).values()] for path in folder.glob("*.npz")}


def test_replaying_the_actions_gives_the_games_again(folder: Path) -> None:
    for arrays in dataset.load(folder):
        for i, seed in enumerate(arrays["seed"]):
            game = Game(CONFIG, seed=int(seed))
            for row in range(arrays["start"][i], arrays["start"][i + 1]):
                assert game.seat == arrays["seat"][row]
                assert (game.mask() == arrays["action_mask"][row]).all()
                seen = batch.observe(game.states, game.seat)
                assert (seen == arrays["observation"][row]).all()
                game.step(int(arrays["action"][row]))
            assert game.over and game.scores() == arrays["score"][i].tolist()


def test_every_seat_is_paid_once_by_its_place(folder: Path) -> None:
    for arrays in dataset.load(folder):
        for i, places in enumerate(arrays["place"]):
            part = slice(arrays["start"][i], arrays["start"][i + 1])
            paid = [arrays["reward"][part][arrays["seat"][part] == seat] for seat in (0, 1)]
            assert [rewards[-1] for rewards in paid] == [0, 0] or places[0] != places[1]
            assert np.sign(paid[0][-1] - paid[1][-1]) == np.sign(places[1] - places[0])
            assert not any(rewards[:-1].any() for rewards in paid)
            assert arrays["last"][part].sum() == 2


def test_the_card_says_how_the_games_were_made(folder: Path) -> None:
    card = json.loads((folder / "card.json").read_text())
    assert (card["agents"], card["games"], card["first_seed"]) == (AGENTS, 6, 0)
    assert Config(**card["game"]) == CONFIG and card["numbers"] == "standard"
    (arrays, *_) = dataset.load(folder)
    assert set(card["arrays"]) == set(arrays)
    for name, words in card["arrays"].items():
        assert words.startswith(arrays[name].dtype.name)


def test_a_killed_run_is_resumed_without_a_game_twice(folder: Path, tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], cwd=ROOT, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(contents(tmp_path)) == 1 and list(tmp_path.glob(".*.part"))
    dataset.write(CONFIG, AGENTS, games=6, folder=tmp_path, size=2)
    assert contents(tmp_path) == contents(folder) and not list(tmp_path.glob(".*.part"))


class Backwards(Workers):
    """Workers whose results arrive in reverse order, one of them as an error."""

    failing = ""

    def map(self, function: Function, common: Any, items: Iterable[Any]) -> Iterator[list[Done]]:
        for shard in reversed(list(items)):
            if shard.name == self.failing:
                yield [Done(shard, error="ValueError: too tired")]
            else:
                yield [Done(shard, function(common, shard))]


def test_shards_may_come_in_any_order(folder: Path, tmp_path: Path) -> None:
    dataset.write(CONFIG, AGENTS, games=6, folder=tmp_path, size=2, executor=Backwards())
    assert contents(tmp_path) == contents(folder)


def test_a_shard_that_fails_names_its_seeds_and_stops_no_other(folder: Path, tmp_path: Path) -> None:
    executor = Backwards()
    executor.failing = "shard-00001.npz"
    with pytest.raises(Refused, match="the first is of seeds 1 to 1: ValueError: too tired"):
        dataset.write(CONFIG, AGENTS, games=6, folder=tmp_path, size=2, executor=executor)
    assert len(contents(tmp_path)) == 2
    dataset.write(CONFIG, AGENTS, games=6, folder=tmp_path, size=2)
    assert contents(tmp_path) == contents(folder)


def test_a_folder_with_other_games_is_refused(folder: Path) -> None:
    with pytest.raises(Refused, match="holds another dataset: not the same agents"):
        dataset.write(CONFIG, ["greedy", "random"], games=6, folder=folder, size=2)
    with pytest.raises(Refused, match="holds another dataset: not the same game, games"):
        dataset.write(Config(players=1), AGENTS, games=9, folder=folder, size=2)


def test_a_folder_without_a_card_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"is not a dataset: it has no card\.json"):
        list(dataset.load(tmp_path))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("start", [0, 9]), ("action", [1]), ("seed", 3), ("strange", [1]), ("start", [5, 0, 2])],
)
def test_a_shard_whose_arrays_do_not_fit_is_refused(name: str, wrong: Any, tmp_path: Path) -> None:
    folder = dataset.write(CONFIG, AGENTS, games=2, folder=tmp_path / "set")
    (arrays,) = dataset.load(folder)
    files.write_arrays(folder / "shard-00000.npz", arrays | {name: np.array(wrong)})
    with pytest.raises(Refused, match="is not a shard of this dataset: its arrays do not fit each other"):
        list(dataset.load(folder))


@pytest.mark.parametrize(
    ("games", "size", "seed"), [(0, 2, 0), (2, 0, 0), (2.5, 2, 0), (2, 2, -1), (2, 2, "x")]
)
def test_wrong_numbers_of_games_are_refused(games: Any, size: Any, seed: Any, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="must be a whole number from"):
        dataset.write(CONFIG, AGENTS, games=games, folder=tmp_path / "set", seed=seed, size=size)


@pytest.mark.parametrize("form", get_args(Observing))
def test_a_dataset_holds_what_the_environment_shows_and_pays(form: Any, tmp_path: Path) -> None:
    folder = dataset.write(CONFIG, AGENTS, 2, tmp_path, observation=form, reward="score")
    (arrays,) = dataset.load(folder)
    card = json.loads((folder / "card.json").read_text())
    assert (card["observation"], card["reward"]) == (form, "score") and set(card["arrays"]) == set(arrays)
    env = smallcity_v0.env(config=CONFIG, observation=form, reward="score")
    for i, seed in enumerate(arrays["seed"]):
        env.reset(options={"save": Game(CONFIG, seed=int(seed)).save()})
        received: list[list[float]] = [[], []]
        rows = range(arrays["start"][i], arrays["start"][i + 1])
        for row in rows:
            observation, reward, *_ = env.last()
            seen = observation["observation"]
            assert np.array_equal(seen["vector"] if form == "planes" else seen, arrays["observation"][row])
            assert form != "planes" or np.array_equal(seen["planes"], arrays["planes"][row])
            received[arrays["seat"][row]].append(reward)
            env.step(int(arrays["action"][row]))
        for agent in env.agent_iter():
            received[env.possible_agents.index(agent)].append(env.last()[1])
            env.step(None)
        for seat, rewards in enumerate(received):
            paid = arrays["reward"][rows][arrays["seat"][rows] == seat]
            assert paid == pytest.approx(rewards[1:], abs=1e-6) and paid.any()


@pytest.mark.parametrize("name", ["", "a/b/c", "no version", "a-v", "../x-v0"])
def test_a_name_minari_does_not_take_is_refused_before_a_game_is_played(name: str, tmp_path: Path) -> None:
    pytest.importorskip("minari")
    from smallcity_agents.dataset.minari import library

    with pytest.raises(Refused, match="Minari's datasets have names like small/city-v0, not "):
        library(name)


@pytest.mark.parametrize("form", get_args(Observing))
def test_minari_stores_an_episode_for_every_seat_and_recovers_the_environment(
    form: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    pytest.importorskip("h5py")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    from smallcity_agents.dataset.minari import export

    folder = dataset.write(CONFIG, AGENTS, 4, tmp_path / "games", size=2, observation=form, reward="margin")
    assert export(folder, "smallcity/test-v0") == 8
    stored = minari.load_dataset("smallcity/test-v0")
    decisions = sum(len(arrays["action"]) for arrays in dataset.load(folder))
    assert stored.total_steps == decisions
    for episode in stored.iterate_episodes():
        legal = episode.observations["action_mask"][:-1]
        assert legal[np.arange(len(legal)), episode.actions].all()
        final = {name: np.asarray(part)[-1] for name, part in flattened(episode.observations).items()}
        assert set(final) == set(flattened(stored.observation_space))
    env = stored.recover_environment()
    assert env.observation_space == stored.observation_space and env.unwrapped.games.reward == "margin"
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    with pytest.raises(Refused, match="already: choose another name"):
        export(folder, "smallcity/test-v0")


def flattened(tree: Any, name: str = "") -> dict[str, Any]:
    """The leaves of nested dicts, by their path."""
    if not hasattr(tree, "items"):
        return {name: tree}
    return {
        path: leaf for key, part in tree.items() for path, leaf in flattened(part, f"{name}/{key}").items()
    }


def test_without_minari_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "minari", None)
    folder = tmp_path / "new"
    assert main(["dataset", *AGENTS, "--games", "2", "--out", str(folder), "--minari", "smallcity/x-v0"]) == 2
    assert capsys.readouterr().err == f"smallcity: this needs minari: {install('minari')}\n"
    assert not folder.exists()
