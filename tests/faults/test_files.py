"""Every file is written whole or not at all: writes that fail at each byte, and what readers find then."""

import errno
import functools
import io
import json
import os
import re
import tracemalloc
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from smallcity_agents import AgentError, make
from smallcity_agents.arena.results import Writer, read
from smallcity_agents.net import checkpoint
from smallcity_agents.play.match import Match
from smallcity_env import Config, Game, files
from smallcity_env.refusal import Refused
from tests.faults.full_disk import full_after
from tests.faults.results import line

FULL = "cannot be written: no space left on device"


def test_a_write_that_fails_at_any_byte_leaves_the_old_file(tmp_path: Path) -> None:
    path, new = tmp_path / "file", b"another text"
    path.write_bytes(b"the old text")
    for room in range(len(new)):
        with full_after(room), pytest.raises(Refused, match=FULL):
            files.write(path, new)
        assert path.read_bytes() == b"the old text"
        assert os.listdir(tmp_path) == ["file"]
    files.write(path, new)
    assert path.read_bytes() == new


def test_an_append_that_fails_at_any_byte_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path, new = tmp_path / "file", b"second line\n"
    path.write_bytes(b"first line\n")
    for room in range(len(new)):
        with full_after(room), pytest.raises(Refused, match=FULL):
            files.append(path, new)
        assert path.read_bytes() == b"first line\n"
    files.append(path, new)
    assert path.read_bytes() == b"first line\nsecond line\n"


@functools.cache
def match() -> Match:
    return Match.begin(Game(Config(players=1), seed=1), ["human"], 1)


def saved(path: Path) -> None:
    match().save(path)


def written_checkpoint(path: Path) -> None:
    size = checkpoint.shapes(1, 1, 1)
    weights: Any = {name: np.zeros(shape, np.float32) for name, shape in size.items()}
    checkpoint.write(path, weights, {"steps": 1, "reward": "score", "command": "-", "hours": 0.5})


def drawn(path: Path) -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    files.write_figure(path, figure)


def training_state(path: Path) -> None:
    state = pytest.importorskip("smallcity_training.state")
    state.save(path, {"steps": 3, "net": {"weights": np.arange(5)}})


def configuration(path: Path) -> None:
    config = pytest.importorskip("smallcity_training.config")
    config.write(pytest.importorskip("smallcity_training.ppo").PPOConfig(), path)


@pytest.mark.parametrize("write", [saved, written_checkpoint, drawn, training_state, configuration])
def test_what_writes_files_leaves_the_old_one_on_a_full_disk(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    path = tmp_path / "file.npz" if write is not drawn else tmp_path / "file.png"
    write(path)
    old = path.read_bytes()
    for room in np.linspace(0, len(old) - 1, 40, dtype=int):
        with full_after(int(room)), pytest.raises(Refused, match="cannot be written"):
            write(path)
        assert path.read_bytes() == old
    assert {name for name in os.listdir(tmp_path) if not name.endswith(".bak")} == {path.name}


def test_a_save_keeps_the_one_before_it(tmp_path: Path) -> None:
    path, match = tmp_path / "play.save", Match.begin(Game(Config(players=1), seed=1), ["human"], 1)
    match.save(path)
    first = path.read_bytes()
    match.answer(int(match.game.legal()[0]))
    match.save(path)
    assert files.previous(path).read_bytes() == first != path.read_bytes()
    assert Match.load(files.previous(path)).game.log.entries == []


def test_results_are_appended_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    path.write_text(line(seed=1) + "\n")
    (game,) = read(path)
    for room in (0, 1, 100, len(line(seed=1))):
        with full_after(room), Writer(path) as writer, pytest.raises(Refused, match=FULL):
            writer.put([game])
        assert path.read_text() == line(seed=1) + "\n"


def test_a_torn_last_line_is_cut_wherever_it_tears(tmp_path: Path) -> None:
    path, whole, torn = tmp_path / "arena.jsonl", line(seed=1) + "\n", line(seed=2)
    for end in range(0, len(torn) + 1, 7):
        path.write_text(whole + torn[:end])
        assert [result.seed for result in read(path)] == [1]
        with Writer(path) as writer:
            assert len(writer.known) == 1
        assert path.read_text() == whole


def test_a_file_that_cannot_be_read_or_written_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"the log .*nothing cannot be read: no such file or directory"):
        files.read_text(tmp_path / "nothing", "the log")
    with pytest.raises(Refused, match="below cannot be written: "):
        files.write(Path(__file__) / "below", b"")
    with pytest.raises(Refused, match="cannot be read: embedded null byte"):
        files.read_text(Path("zero\0byte"))


def test_a_read_only_disk_is_refused_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> Any:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(files, "create", refuse)
    with pytest.raises(Refused, match="cannot be written: read-only file system"):
        saved(tmp_path / "play.save")


def test_a_written_file_keeps_its_mode_and_its_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    files.write(link, "new")
    assert link.is_symlink() and target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    files.write(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_text_is_read_with_the_line_ends_of_any_system(tmp_path: Path, end: str, mark: str) -> None:
    path = tmp_path / "text"
    path.write_bytes((mark + end.join(["one", "two", ""])).encode())
    assert files.read_text(path) == "one\ntwo\n"


@pytest.mark.parametrize("content", [b"\xff\xfeo\0n\0e\0", b"caf\xe9"])
def test_text_of_another_encoding_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "text"
    path.write_bytes(content)
    with pytest.raises(Refused, match=f"the log {path} cannot be read: it is not UTF-8 text"):
        files.read_text(path, "the log")


def test_threads_may_write_the_same_file(tmp_path: Path) -> None:
    path, contents = tmp_path / "net.npz", [bytes([k]) * 50_000 for k in range(8)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            list(pool.map(functools.partial(files.write, path), contents))
            assert path.read_bytes() in contents
    assert os.listdir(tmp_path) == ["net.npz"]


def test_a_name_is_free_when_no_file_has_it(tmp_path: Path) -> None:
    path = tmp_path / "play.save"
    assert files.free(path) == path
    path.touch()
    (tmp_path / "play-2.save").touch()
    assert files.free(path) == tmp_path / "play-3.save"


def test_a_locked_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "arena.jsonl"
    first = files.Appended(path, "another arena")
    with pytest.raises(Refused, match="another arena is writing to"):
        files.Appended(path, "another arena")
    first.close()
    files.Appended(path, "another arena").close()


def test_an_archive_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    np.savez(path, weights=np.array([print], object), allow_pickle=True)
    with pytest.raises(Refused, match="is not an intact npz file"):
        files.read_arrays(path, "the checkpoint")


def test_an_archive_that_expands_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "net.npz"
    np.savez_compressed(path, weights=np.zeros(1 << 28, np.int8))
    assert path.stat().st_size < 1 << 20
    tracemalloc.start()
    with pytest.raises(Refused, match=r"it holds 268,435,\d+ bytes, and 134,217,728 are allowed"):
        files.read_arrays(path, "the value net", files.LARGEST_NET)
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()


def test_an_array_that_says_it_is_larger_than_its_file_is_refused(tmp_path: Path) -> None:
    path, header = tmp_path / "net.npz", io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"shape": (1 << 30,), "fortran_order": False, "descr": "|i1"}
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("weights.npy", header.getvalue() + bytes(100))
    tracemalloc.start()
    with pytest.raises(Refused, match="is not an intact npz file"):
        files.read_arrays(path, "the value net")
    assert tracemalloc.get_traced_memory()[1] < 1 << 24
    tracemalloc.stop()


def test_only_regular_files_of_some_size_are_loaded(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"")
    os.truncate(tmp_path / "large", files.LARGEST_NET + 1)
    for name, reason in (("/dev/zero", "it is not a regular file"), ("large", "it has 134,217,729 bytes")):
        with pytest.raises(Refused, match=reason):
            files.read_arrays(tmp_path / name, "the net", files.LARGEST_NET)
    with pytest.raises(Refused, match="it is not a regular file"):
        files.read_arrays(tmp_path / "pipe", "the net")
    for name in ("mcts:leaf_value={}", "policy:checkpoint={}", "search:leaf_value={}"):
        for path in ("/dev/zero", str(tmp_path / "pipe"), str(tmp_path / "large")):
            with pytest.raises(AgentError):
                make(name.format(path))


def test_json_of_a_run_is_checked(tmp_path: Path) -> None:
    run = pytest.importorskip("smallcity_training.run")
    for text in ("", "[]", "{}", '{"method": 3, "hours": 1}', json.dumps({"method": "ppo", "hours": "x"})):
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(Refused, match="does not describe a training run"):
            run.Run(tmp_path)


WRITERS = re.compile(
    r"write_text|write_bytes|savez|savefig|torch\.save|json\.dump\(|open\([^)]*[\"'][wax]b?\+?[\"']"
)


def test_everything_is_written_through_one_module() -> None:
    root = Path(__file__).parents[2]
    folders = ("smallcity_env", "agents", "training", "bench", "recipes")
    sources = (path for folder in folders for path in (root / folder).rglob("*.py"))
    found = {path.relative_to(root).as_posix() for path in sources if WRITERS.search(path.read_text("utf-8"))}
    found -= {f"smallcity_env/library/{name}.py" for name in ("files", "link")}  # a room of its own
    found -= {"agents/smallcity_agents/cluster.py"}  # on a worker, before ours is imported
    assert found == {"smallcity_env/files.py"}
