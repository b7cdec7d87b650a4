"""The library as WebAssembly: games in JavaScript and wasmtime end in the same bytes as in Python."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from smallcity_agents.benchmark import mixes
from smallcity_env import batch, ship
from smallcity_env.config import MODULES, blank
from smallcity_env.rules import rng
from smallcity_env.rules.actions import ACTIONS
from tests.interpreter import ROOT
from tests.static.conftest import node

GAMES = 500
PAGE = 1 << 16  # bytes of memory


def test_a_game_played_in_javascript_is_the_game_python_plays(folder: Path, tmp_path: Path) -> None:
    config = mixes.first(1, 40, held_out=False)[0]
    start, legal, streams = blank(1, config), batch.new_masks(1), rng.streams([1000])
    start["stream"] = rng.streams([7])
    (tmp_path / "start").write_bytes(start.tobytes())
    words = ["node", ROOT / "recipes" / "play.mjs", folder / "smallcity.wasm", tmp_path / "start", streams[0]]
    played = subprocess.run([*map(str, words), tmp_path / "end"], capture_output=True, text=True, check=True)
    states, decisions = batch.new(1, config, [7], legal), 0
    while not batch.over(states).all():
        batch.step(states, batch.pick(legal, streams), legal)
        decisions += 1
    assert (tmp_path / "end").read_bytes() == states.tobytes()
    assert (
        played.stdout == f"{decisions} decisions, scores {' '.join(map(str, batch.scores(states)[0][0]))}\n"
    )


@pytest.fixture(scope="module")
def games() -> tuple[Any, Any, bytes]:
    """Games before they begin, the streams that answer in them, and how they end."""
    configs = mixes.first(GAMES, 40, held_out=False)
    assert {module for config in configs for module in config.modules} == set(MODULES)
    assert {config.godzilla_rules for config in configs} == {"2016", "2022"}
    starts = batch.join([blank(1, config) for config in configs])
    starts["stream"] = rng.streams(range(GAMES))
    ends = batch.join([batch.new(1, config, [seed]) for seed, config in enumerate(configs)])
    seeds = range(GAMES, 2 * GAMES)
    batch.rollout(ends, seeds)
    return starts, rng.streams(seeds), ends.tobytes()


def test_games_end_alike_in_javascript(folder: Path, games: Any, tmp_path: Path) -> None:
    starts, streams, ends = games
    (tmp_path / "starts").write_bytes(starts.tobytes())
    (tmp_path / "streams").write_bytes(streams.tobytes())
    files = tmp_path / "starts", GAMES, tmp_path / "streams", tmp_path / "ends"
    node("rollout.mjs", folder / "smallcity.wasm", *files)
    assert (tmp_path / "ends").read_bytes() == ends


def test_games_end_alike_by_wasmtime(folder: Path, games: Any) -> None:
    wasmtime = pytest.importorskip("wasmtime", reason="no wasmtime here: pip install wasmtime")
    starts, streams, ends = games
    city = Module(wasmtime, folder / "smallcity.wasm")
    states, chance = city.put(starts.tobytes()), city.put(streams.tobytes())
    legal, counts = city.put(bytes(GAMES * ACTIONS)), city.put(bytes(16 * GAMES))
    city.call("new", states, GAMES, legal, GAMES, ACTIONS)
    city.call("rollout", states, GAMES, chance, GAMES, counts, GAMES, 2)
    assert city.memory.read(city.store, states, states + len(ends)) == ends


class Module:
    """The module in wasmtime."""

    def __init__(self, wasmtime: Any, path: Path) -> None:
        self.store = wasmtime.Store()
        module = wasmtime.Module.from_file(self.store.engine, str(path))
        real = wasmtime.FuncType([wasmtime.ValType.f64()], [wasmtime.ValType.f64()])
        imports = [
            wasmtime.Func(self.store, real, lambda x: x) for _ in module.imports
        ]  # greedy's and the nets'
        self.exports = wasmtime.Instance(self.store, module, imports).exports(self.store)
        self.memory, self._free = self.exports["memory"], self.exports["__heap_base"].value(self.store)

    def put(self, data: bytes) -> int:
        """The address of some bytes."""
        at = -(-self._free // 64) * 64
        self._free = at + len(data)
        self.memory.grow(self.store, -(-len(data) // PAGE) + 1)
        self.memory.write(self.store, data, at)
        return at

    def call(self, name: str, *words: int) -> None:
        """Call a function with a struct of words."""
        at = self.put(b"".join(word.to_bytes(8, "little") for word in words))
        assert self.exports[f"smallcity_{name}"](self.store, at) == batch.DONE


def test_the_header_and_the_module_name_the_same_functions(folder: Path) -> None:
    module, text = (folder / "smallcity.wasm").read_bytes(), (folder / "smallcity.h").read_text()
    names = [entry.symbol for entry in ship.library.entries()]
    assert all(name.encode() in module and f"{name}(" in text for name in names)
