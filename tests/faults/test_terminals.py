"""Terminals that show little: ASCII only, no colours, narrow; and text with the line ends of Windows."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from smallcity_env import Config, Game
from smallcity_env.rules.numbers import toml
from tests.faults.results import line

ROOT = Path(__file__).parents[2]
PLAIN = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "NUMBA_DISABLE_JIT": "1"}


def told(*words: str, **settings: str) -> str:
    """What a command prints, as ASCII."""
    path = os.pathsep.join(str(ROOT / folder) for folder in (".", "agents", "training", "bench"))
    code = "import sys; from smallcity_env.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, *words], check=True, capture_output=True,
                          env={**os.environ, **PLAIN, "PYTHONPATH": path, **settings})  # fmt: skip
    assert done.stderr == b""
    return done.stdout.decode("ascii")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "arena.jsonl"
    path.write_text("".join(line(seed=seed) + "\n" for seed in range(3)))
    return path


@pytest.mark.parametrize("columns", ["1", "20", "200"])
def test_statistics_on_a_terminal_of_ascii(results: Path, columns: str) -> None:
    text = told("stats", str(results), COLUMNS=columns)
    assert "random" in text and "\033" not in text and "?" not in text


def test_a_name_that_cannot_be_shown_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_text(line(agents=["城.Agent", "düne.Agent"]) + "\n")
    text = told("stats", str(path))
    assert "?.Agent" in text and "dune.Agent" in text


@pytest.mark.parametrize("columns", ["1", "30"])
def test_a_replay_in_a_narrow_window(tmp_path: Path, columns: str) -> None:
    game, log = Game(Config(players=1, modules=()), seed=3), tmp_path / "game.log"
    for _ in range(3):
        game.step(int(game.legal()[0]))
    log.write_bytes(game.log.to_text().replace("\n", "\r\n").encode())
    assert "The log ends in round" in told("replay", str(log), COLUMNS=columns)


def test_positions_and_numbers_have_the_line_ends_of_any_system(tmp_path: Path) -> None:
    game = Game(Config(players=2), seed=3)
    for end in ("\r\n", "\r"):
        assert Game.from_text(game.to_text().replace("\n", end)) == game
    path = tmp_path / "mine.toml"
    path.write_bytes(b"# mine\r\n[tiles.museum]\r\ncost = 3\r\n")
    source = toml.read(path)
    assert source.given == {"tiles.museum.cost": 3} and source.line_of("tiles.museum.cost") == 3
