"""A library is machine code: a file that is not as it should be is never loaded, and built again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from smallcity_env.library import files
from smallcity_env.library.files import Refused
from tests.interpreter import run_python

CONTENT = files.packed(b"machine code", {"kind": "shared", "symbols": ["one"]})
GAME = """
import numpy as np
from tests.library.toys import total
print(total(np.arange(3), np.ones((2, 3), np.bool_)))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "folder" / "library.so"
    files.write(file, CONTENT)
    return file


def test_what_was_written_is_read(path: Path) -> None:
    assert files.read(path) == (b"machine code", {"kind": "shared", "symbols": ["one"]})
    assert [file.name for file in path.parent.iterdir()] == ["library.so"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_where_there_is_no_file_nothing_is_read(path: Path) -> None:
    assert files.read(path.with_name("other")) is None
    assert files.read(path / "below") is None


DAMAGED = {
    "empty": b"", "cut short": CONTENT[:-9], "cut in the middle": CONTENT[:20] + CONTENT[40:],
    "another byte": b"M" + CONTENT[1:], "foreign": b"\x7fELF" + bytes(1000),
    "of another version": CONTENT[:-1] + b"9",
}  # fmt: skip


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(Refused, match=r"cut short, or no library|checksum is wrong"):
        files.read(path)


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_a_file_that_others_can_write_to_is_refused(path: Path, mode: int) -> None:
    path.chmod(mode)
    with pytest.raises(Refused, match="others can write to it"):
        files.read(path)


@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_a_folder_that_others_can_write_to_is_refused(path: Path, mode: int) -> None:
    path.parent.chmod(mode)
    with pytest.raises(Refused, match="others can write to its folder"):
        files.read(path)


def test_what_belongs_to_somebody_else_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if path.stat().st_uid == 0:
        os.chown(path, 12345, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(Refused, match="it belongs to somebody else"):
        files.read(path)


def test_what_is_shipped_may_belong_to_the_owner_of_the_package(path: Path) -> None:
    path.parent.chmod(0o775)
    assert files.read(path, shipped=True)
    path.chmod(0o666)
    with pytest.raises(Refused, match="others can write to it"):
        files.read(path, shipped=True)


def test_a_write_that_fails_leaves_nothing_behind(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(handle: int) -> None:
        raise OSError("full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        files.write(path, b"other")
    assert [file.name for file in path.parent.iterdir()] == ["library.so"] and files.read(path)


def test_a_refused_library_is_built_again_and_says_why(tmp_path: Path) -> None:
    env = {"XDG_CACHE_HOME": str(tmp_path)}
    run_python("-c", GAME, env=env)
    (library,) = (tmp_path / "toys" / "library").glob("*.library")
    good = library.read_bytes()
    library.write_bytes(good[:-100])
    ran = subprocess.run(
        [sys.executable, "-c", GAME], env=os.environ | env, capture_output=True, text=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert ran.stdout == "6\n" and library.read_bytes() == good
    assert f"{library} is not loaded: it is cut short" in ran.stderr


def test_where_nothing_can_be_written_it_is_built_for_one_process(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("no folder")
    assert run_python("-c", GAME, env={"XDG_CACHE_HOME": str(home)}) == "6\n"


def test_without_numba_one_sentence_says_what_to_do(tmp_path: Path) -> None:
    words = "import sys; sys.modules['numba'] = None\n" + GAME.replace("print", "try:\n    print")
    words += "except RuntimeError as error:\n    print(error)"
    said = run_python("-c", words, env={"XDG_CACHE_HOME": str(tmp_path)})
    assert said == "there is no compiled library of toys for this machine: install numba to build it\n"
