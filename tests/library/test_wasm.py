"""The library as WebAssembly: games played in JavaScript end in the same bytes as in Python."""

import shutil
import subprocess
from pathlib import Path

import pytest

from smallcity_agents.benchmark import mixes
from smallcity_env import batch, ship
from smallcity_env.config import blank
from smallcity_env.rules import entries, rng
from tests.interpreter import ROOT

GAMES = 24


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The functions of the rules that a game needs."""
    path = tmp_path_factory.mktemp("wasm") / "smallcity.wasm"
    path.write_bytes(ship.wasm([entries.new, entries.pick, entries.step, entries.score]))
    return path


def in_javascript(module: Path, start: bytes, stream: int) -> tuple[str, bytes]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js here")
    begin, end = module.with_name("start.bin"), module.with_name("end.bin")
    begin.write_bytes(start)
    words = [node, ROOT / "recipes" / "play.mjs", module, begin, str(stream), end]
    played = subprocess.run(words, capture_output=True, text=True, check=True)
    return played.stdout, end.read_bytes()


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_played_in_javascript_is_the_game_python_plays(seed: int, module: Path) -> None:
    config = mixes.first(GAMES, 40, held_out=False)[seed]
    start, legal, streams = blank(1, config), batch.new_masks(1), rng.streams([seed + 1000])
    start["stream"] = rng.streams([seed])
    text, end = in_javascript(module, start.tobytes(), int(streams[0]))
    states, decisions = batch.new(1, config, [seed], legal), 0
    while not batch.over(states).all():
        batch.step(states, batch.pick(legal, streams), legal)
        decisions += 1
    assert end == states.tobytes()
    assert text == f"{decisions} decisions, scores {' '.join(map(str, batch.scores(states)[0][0]))}\n"
