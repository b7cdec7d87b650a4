"""The library from C: the header is right, and a game played in C is the game Python plays."""

import shutil
import subprocess
from pathlib import Path

import pytest

from smallcity_env import Config, batch, ship
from smallcity_env.config import blank
from smallcity_env.library.processors import here
from smallcity_env.rules import rng
from smallcity_env.rules._library import library
from tests.interpreter import ROOT

CONFIG, SEED = Config(players=3, modules=("godzillas",)), 11


def in_python() -> str:
    legal = batch.new_masks(1)
    states, streams = batch.new(1, CONFIG, [SEED], legal), rng.streams([SEED])
    decisions = 0
    while not batch.over(states).all():
        batch.step(states, batch.pick(legal, streams), legal)
        decisions += 1
    scores = " ".join(map(str, batch.scores(states)[0][0]))
    return f"{decisions} decisions, scores {scores}\n"


def test_a_game_played_in_c_is_the_game_python_plays(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    library.load()
    start = blank(1, CONFIG)
    start["stream"] = rng.streams([SEED])
    (tmp_path / "start.bin").write_bytes(start.tobytes())
    ship.main(["--header", str(tmp_path / "smallcity.h")])
    program, code = tmp_path / "play", library.path(here()[0])
    words = [
        compiler,
        "-Wall",
        "-Wextra",
        "-Werror",
        "-I",
        tmp_path,
        ROOT / "recipes" / "play.c",
        code,
        "-o",
        program,
    ]
    subprocess.run(words, check=True)
    stream = str(int(rng.streams([SEED])[0]))
    played = subprocess.run(
        [program, tmp_path / "start.bin", stream], capture_output=True, text=True, check=True
    )
    assert played.stdout == in_python()
