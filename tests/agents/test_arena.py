"""The arena: play, write, interrupt, resume, refuse."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from smallcity_agents import AgentError
from smallcity_agents.arena import results, runner
from smallcity_agents.arena.results import Writer, digest, read, unpack
from smallcity_env import Config, files
from smallcity_env.cli import main
from smallcity_env.terminal import Refused

from ..signals import signal_in

CONFIG = Config(2)
NAMES = ["random", "first"]
BATCH = 8


def timeless(path: Path) -> list[dict]:
    """The lines of a file without thinking times, which differ from run to run."""
    return [{**json.loads(line), "seconds": []} for line in path.read_text().splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "arena.jsonl"


def test_results_are_written_in_order(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SYNC", float("inf"))  # else a slow machine writes what ends first
    written = runner.run(CONFIG, NAMES, games=10, path=path, batch_size=4)
    assert len(written) == 10 and read(path) == written
    assert [(r.seed, r.agents) for r in written[:2]] == [(0, ["random", "first"]), (0, ["first", "random"])]
    assert all(sorted(r.places) in ([0, 1], [0, 0]) for r in written)
    assert all(r.config == CONFIG for r in written)
    stats = unpack([r.stats for r in written])
    assert (stats.sources.sum(axis=(2, 3))[:, :2] == stats.tracks[:, 0, :2, 8]).all()


def test_a_second_run_plays_only_missing_games(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = runner.run(CONFIG, NAMES, games=6, path=path)
    played: list[int] = []
    real = runner.Playing
    monkeypatch.setattr(runner, "Playing", lambda c, a, seatings, seeds: played.append(len(seatings))
                        or real(c, a, seatings, seeds))  # fmt: skip
    more = runner.run(CONFIG, NAMES, games=10, path=path)
    assert played == [4] and more[:6] == first and len(path.read_text().splitlines()) == 10
    assert runner.run(CONFIG, NAMES, games=8, path=path) == more[:8]
    assert played == [4]
    runner.run(Config(2, ()), NAMES, games=2, path=path)  # another game in the same file
    assert played == [4, 2]


def test_batches_do_not_change_results(path: Path, tmp_path: Path) -> None:
    runner.run(CONFIG, NAMES, games=10, path=path, batch_size=3)
    runner.run(CONFIG, NAMES, games=10, path=tmp_path / "b.jsonl", batch_size=64)
    ended = [sorted(timeless(file), key=str) for file in (path, tmp_path / "b.jsonl")]
    assert ended[0] == ended[1]


def test_an_incomplete_line_is_dropped_and_its_game_played_again(path: Path) -> None:
    whole = runner.run(CONFIG, NAMES, games=4, path=path)
    text = path.read_text()
    path.write_text(text[:-40])
    assert len(read(path)) == 3
    again = runner.run(CONFIG, NAMES, games=4, path=path)
    assert [r.scores for r in again] == [r.scores for r in whole]
    assert len(path.read_text().splitlines()) == 4


SOON = 10  # seconds, on a busy machine
ARENA = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a test runner in the background ignores it
from smallcity_env.cli import main
sys.exit(main())
"""


def start(path: Path) -> subprocess.Popen[str]:
    words = ["arena", *NAMES, "--games", "100000", "--batch", str(BATCH), "--results", str(path)]
    return subprocess.Popen([sys.executable, "-c", ARENA, *words], stderr=subprocess.PIPE, text=True,
                            stdout=subprocess.DEVNULL, cwd=Path(__file__).parents[2])  # fmt: skip


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_arena_resumes(path: Path, how: signal.Signals) -> None:
    running = start(path)
    while not path.exists() or path.read_bytes().count(b"\n") <= BATCH:  # those being written can be cut off
        time.sleep(0.05)
        assert running.poll() is None, running.communicate()
    os.kill(running.pid, how)
    _, output = running.communicate(timeout=SOON)
    before = [{**results.as_json(result), "seconds": []} for result in read(path)]
    assert 1 <= len(before) < 100_000
    if how != signal.SIGKILL:
        assert running.returncode == 128 + how, output
        assert f"{path} holds {len(before):,} games; the same command resumes" in output
    games = len(before) + 6
    resumed = runner.run(CONFIG, NAMES, games=games, path=path)
    after = timeless(path)
    assert after[: len(before)] == before and len(after) == len(resumed)
    assert len({msgspec.convert(line, results.Result).key for line in after}) == len(after)


IN_AN_ARENA = (
    "runner.entrants",
    "results._parse",
    "runner.warm_up",
    "playing.Playing.step",
    "terminal.Progress.show",
    "results.results",
    "results.pack",
    "results.Writer.put",
    "files._add",
    "files.Appended.close",
    "runner.run",
)


def test_an_arena_stopped_anywhere_resumes(
    path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SYNC", 0)
    command = ["arena", *NAMES, "--games", "20", "--results", str(path)]
    for where in IN_AN_ARENA:
        with signal_in(where):
            assert main(command) == 143, where
        assert not path.exists() or len(read(path)) == path.read_bytes().count(b"\n")
    assert main(command) == 0
    stopped = digest(sorted(read(path), key=lambda result: str(result.key)))
    path.unlink()
    assert main(command) == 0
    assert stopped == digest(sorted(read(path), key=lambda result: str(result.key)))
    assert "Traceback" not in capfd.readouterr().err


def test_the_disk_is_not_bothered_while_no_game_ends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    add = files.Appended.add
    monkeypatch.setattr(files.Appended, "add", lambda file, data: (sizes.append(len(data)), add(file, data)))
    runner.run(CONFIG, NAMES, games=4, path=path)
    assert sizes and all(sizes)


def test_games_are_on_file_as_they_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "SYNC", 0)
    reported: list[tuple[int, int]] = []

    def progress(stored: int, more: float, games: int) -> None:
        reported.append((stored, len(read(path))))
        assert 0 <= more <= games - stored

    runner.run(CONFIG, NAMES, games=12, path=path, progress=progress)
    assert all(stored == on_file for stored, on_file in reported)
    assert len({stored for stored, _ in reported}) > 2


def test_games_that_ended_before_an_agent_failed_are_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "SYNC", 0)

    def progress(stored: int, more: float, games: int) -> None:
        if stored:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(CONFIG, NAMES, games=12, path=path, progress=progress)
    assert 0 < len(read(path)) < 12
    assert len(runner.run(CONFIG, NAMES, games=12, path=path)) == 12


def test_two_arenas_cannot_write_one_file(path: Path) -> None:
    with Writer(path), pytest.raises(Refused, match="another arena is writing to"):
        runner.run(CONFIG, NAMES, games=2, path=path)
    assert len(runner.run(CONFIG, NAMES, games=2, path=path)) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello\n", "line 1 of .* is not the result of a game"),
        ("[]\n", "line 1 of .* is not the result of a game"),
        ('{"version": 1}\n', "line 1 of .* is not the result of a game"),
        ('{"version": 99}\n', "line 1 of .* was written by another version .99.; this one reads 1"),
    ],
)
def test_a_foreign_file_is_refused_and_left_alone(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(text)
    with pytest.raises(Refused, match=sentence):
        runner.run(CONFIG, NAMES, games=2, path=path)
    assert path.read_text() == text


def test_unusable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be read: no such file"):
        read(tmp_path / "nothing")
    with pytest.raises(Refused, match="cannot be written: is a directory"):
        Writer(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\n")
    with pytest.raises(Refused, match=r"line 1 of .* is not the result of a game"):
        read(tmp_path / "bytes")


def test_duplicate_agents_are_refused() -> None:
    with pytest.raises(AgentError, match="random is named 2 times"):
        runner.named(["random", "first", "random"])


def test_a_table_seats_a_name_several_times_in_every_rotation(path: Path) -> None:
    played = runner.run(Config(4), ["random", "first", "random", "random"], games=8, path=path, table=True)
    assert [r.agents.index("first") for r in played] == [1, 0, 3, 2] * 2
    assert all(r.agents.count("random") == 3 for r in played)
    assert [r.seed for r in played] == [0] * 4 + [1] * 4
    assert sorted(read(path), key=str) == sorted(played, key=str)
    with pytest.raises(AgentError, match="a table of 2 agents does not fit 4 players"):
        runner.run(Config(4), ["random", "first"], games=8, path=path, table=True)


def test_the_command_seats_a_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = "greedy:style=green,random,random"
    assert main(["arena", "--table", table, "--games", "6", "--results", str(path)]) == 0
    assert "6 games of 3 players" in capsys.readouterr().out
    assert all(sorted(r.agents) == ["greedy:style=green", "random", "random"] for r in read(path))


def test_solo_and_against_itself(path: Path) -> None:
    alone = runner.run(Config(1), NAMES, games=4, path=path)
    assert [r.agents for r in alone] == [["random"], ["first"]] * 2
    itself = runner.run(Config(4), ["random"], games=2, path=path)
    assert [r.agents for r in itself] == [["random"] * 4] * 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("arena nobody", "there is no agent 'nobody': choose from random, first"),
        ("arena random:speed=3", "random has no option 'speed'; options: none"),
        ("arena random first --players 5", "players must be 1 to 4, not 5"),
        ("arena random first --games 0", "argument --games: needs a number of at least 1, not '0'"),
        ("arena", "name the agents of the arena, or those of one table with --table"),
        ("arena random --table random,first", "name the agents of the arena, or those of one table"),
        ("arena --table random,first --players 3", "a table of 2 agents does not fit --players 3"),
        ("arena --table random,first,first,first,first", "players must be 1 to 4, not 5"),
        ("arena random random", "random is named 2 times"),
    ],
)
def test_bad_arguments_are_refused_in_one_line(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    output = capsys.readouterr()
    assert (
        output.out == "" and output.err.startswith(f"smallcity: {sentence}") and output.err.count("\n") == 1
    )


@pytest.mark.parametrize("foreign", [b"a note", b"\x00\xff", b"[1]\n{"])
def test_a_file_that_is_not_of_results_is_left_as_it_is(path: Path, foreign: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(foreign)
    assert main(["arena", "random", "first", "--games", "2", "--results", str(path)]) == 2
    assert path.read_bytes() == foreign


def test_the_command_shows_standings_matrix_and_picture(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["arena", *NAMES, "--games", "8", "--results", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "8 games of 2 players, godzillas, on base-easy" in out
    assert "random" in out and "finished ahead of" in out and "ms/decision" in out
    assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main([*words, "--picture", str(tmp_path / "none.png")]) == 0
    out = capsys.readouterr().out
    assert "needs the package matplotlib" in out and not (tmp_path / "none.png").exists()
