"""The cache of compiled entries, tried on an entry that compiles in no time."""

import errno
import hashlib
import importlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock
from llvmlite.binding import Linkage
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

from smallcity_env.rules import _cache, _jit
from smallcity_env.ship import remove_compiled

CALLED = """
from smallcity_env.rules._jit import kernel

@kernel
def twice(number):
    return 2 * number
"""
CALLING = """
from smallcity_env.rules._jit import entry
from toys.called import twice

@entry
def double(numbers):
    for i in range(len(numbers)):
        numbers[i] = twice(numbers[i])
"""
SCRIPT = """
import numpy as np
from toys.calling import double
numbers = np.arange(3)
double(numbers)
print(numbers.tolist(), sum(double.stats.cache_hits.values()))
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and a small package to compile."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    checkout(tmp_path / "here")
    _cache.say_once.cache_clear()
    yield tmp_path
    forget()


def checkout(folder: Path, called: str = CALLED) -> None:
    (folder / "toys").mkdir(parents=True)
    for name, source in {"__init__": "", "called": called, "calling": CALLING}.items():
        (folder / "toys" / f"{name}.py").write_text(source)


def forget() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "toys"]:
        del sys.modules[name]


def started(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The entry as a new start of Python would find it."""
    forget()
    monkeypatch.syspath_prepend(folder)
    double: Callable[..., Any] = importlib.import_module("toys.calling").double
    return double


@pytest.fixture
def start(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., bool]:
    """Start Python, call the entry, and return whether it came from the cache."""

    def start(folder: str = "here") -> bool:
        double, numbers = started(home / folder, monkeypatch), np.arange(3)
        double(numbers)
        assert numbers.tolist() == [0, 2, 4]
        return bool(double.stats.cache_hits)  # type: ignore[attr-defined]

    return start


def compiled(home: Path) -> Path:
    """The one file in the cache."""
    (path,) = home.rglob("*.code")
    return path


Start = Callable[..., bool]
Said = pytest.CaptureFixture[str]


def test_an_entry_is_compiled_once_and_says_so(start: Start, capsys: Said) -> None:
    assert not start()
    output = capsys.readouterr().err
    assert output == "smallcity: compiling calling.double, once; this can take a minute ...\n"
    assert start()
    assert capsys.readouterr().err == ""


def test_equal_sources_share_a_cache_wherever_they_lie(home: Path, start: Start) -> None:
    checkout(home / "elsewhere")
    assert not start()
    assert start("elsewhere")


def test_an_edit_in_a_file_that_is_only_called_compiles_again(home: Path, start: Start) -> None:
    checkout(home / "edited", CALLED.replace("2 * number", "number + number"))
    assert not start()
    assert not start("edited")


def test_nothing_is_written_beside_the_sources(home: Path, start: Start) -> None:
    start()
    assert {path.suffix for path in (home / "here").rglob("*") if path.is_file()} <= {".py", ".pyc"}
    assert {path.suffix for path in (home / "cache").rglob("*") if path.is_file()} == {".code", ".lock"}


class Bomb:
    """A pickle that leaves a trace when it is loaded."""

    def __init__(self, trace: Path) -> None:
        self.trace = str(trace)

    def __reduce__(self) -> Any:
        return os.mkdir, (self.trace,)


def with_checksum(code: bytes) -> bytes:
    return _cache.MAGIC + hashlib.sha256(code).digest() + code


def in_place_of(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").touch()


def write(content: Callable[[bytes], bytes]) -> Callable[[Path], Any]:
    return lambda path: path.write_bytes(content(path.read_bytes()))


DAMAGES = {
    "empty": write(lambda code: b""),
    "truncated": write(lambda code: code[:-1]),
    "only the header": write(lambda code: code[: len(_cache.MAGIC) + _cache.CHECKSUM]),
    "a flipped bit": write(lambda code: code[:5000] + bytes([code[5000] ^ 1]) + code[5001:]),
    "a wrong checksum": write(lambda code: with_checksum(b"") + code[len(with_checksum(b"")) :]),
    "garbage": write(lambda code: bytes(range(256)) * 100),
    "a format of another version": write(lambda code: code.replace(b"entry 2", b"entry 1", 1)),
    "a sound file of something else": write(lambda code: with_checksum(pickle.dumps(["something else"]))),
    "a sound file of nothing": write(lambda code: with_checksum(b"")),
    "a directory": in_place_of,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_moved_aside_and_compiled_again(
    damage: str, home: Path, start: Start, capsys: Said
) -> None:
    for _ in range(2):  # the second time something damaged lies aside already
        start()
        DAMAGES[damage](compiled(home))
        _cache.say_once.cache_clear()
        capsys.readouterr()
        assert not start()
        assert capsys.readouterr().err.count("is damaged") == 1
        assert start()
        assert len([*home.rglob("*.code.damaged")]) == 1


@pytest.mark.parametrize("header", [b"", _cache.MAGIC, with_checksum(b"")])
def test_a_foreign_pickle_is_not_loaded(home: Path, start: Start, header: bytes) -> None:
    start()
    compiled(home).write_bytes(header + pickle.dumps(Bomb(home / "trace")))
    assert not start()
    assert not (home / "trace").exists()


def test_where_a_folder_cannot_be_made_code_is_not_cached(home: Path, start: Start, capsys: Said) -> None:
    (home / "cache").write_text("a file in place of the folder")
    assert not start()
    assert not start()
    output = capsys.readouterr().err
    assert output.count("compiled code is not cached") == 1 and "Not a directory" in output


def test_a_read_only_folder_still_serves_what_it_holds(home: Path, start: Start, monkeypatch: Any) -> None:
    start()

    def refuse(*args: Any, **kws: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(os, "open", refuse)
    assert start()


def test_without_a_lock_code_is_compiled_and_kept(home: Path, start: Start) -> None:
    start()
    compiled(home).unlink()
    (lock,) = home.rglob("*.lock")
    in_place_of(lock)
    assert not start()
    assert start()


def test_on_a_full_disk_code_is_not_cached(
    home: Path, start: Start, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert not start()
    assert "(No space left on device): compiled code is not cached" in capsys.readouterr().err
    assert [path.suffix for path in home.rglob("cache/**/*") if path.is_file()] == [".lock"]


def test_without_a_home_code_is_not_cached(
    start: Start, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert not start()
    assert not start()
    assert capsys.readouterr().err.count("it is compiled at every start") == 1


def test_a_process_waits_for_another_that_compiles_and_loads_what_it_compiled(
    home: Path, start: Start
) -> None:
    start()
    path = compiled(home)
    code = path.read_bytes()
    path.unlink()
    with FileLock(path.with_suffix(".lock")):
        waiting = subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(home / "here"), *sys.path])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert waiting.stderr is not None
        output = waiting.stderr.readline()
        path.write_bytes(code)
    assert output == "smallcity: waiting for another process to compile calling.double ...\n"
    assert waiting.communicate() == ("[0, 2, 4] 1\n", "")


@pytest.fixture
def shipped(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a wheel brings: the entry compiled for any processor of this kind."""
    folder, target = home / "shipped", cpu_target.target_context.codegen().magic_tuple()[0]
    monkeypatch.setattr(_jit, "SHIPPED", folder)
    monkeypatch.setattr(_cache, "LEVELS", {target.split("-")[0]: {"generic": ()}})
    paths = os.pathsep.join([str(home / "here"), *sys.path])
    elsewhere = {"NUMBA_CPU_NAME": "generic", "XDG_CACHE_HOME": str(home / "other"), "PYTHONPATH": paths}
    subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ | elsewhere, check=True)
    (home / "other" / "smallcity").rename(folder)
    return compiled(home)


def test_what_a_wheel_brings_is_loaded_and_nothing_is_written(
    home: Path, shipped: Path, start: Start, capsys: Said
) -> None:
    assert start()
    assert _cache.EntryCache.used[-1] == shipped
    assert capsys.readouterr().err == "" and not (home / "cache").exists()


def test_what_was_compiled_here_is_preferred_to_what_a_wheel_brings(
    home: Path, shipped: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setattr(_jit, "SHIPPED", home / "nothing")
        assert not start()
    assert start()
    assert _cache.EntryCache.used[-1].is_relative_to(home / "cache")


def test_without_a_home_what_a_wheel_brings_is_loaded(
    shipped: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_jit, "cache_root", lambda: None)
    assert start()


UNFIT: dict[str, Callable[[pytest.MonkeyPatch, Path], Any]] = {
    "other versions": lambda patch, _: patch.setattr(_cache, "VERSIONS", ("cpython-310", "0.68.1")),
    "a better processor": lambda patch, _: patch.setattr(
        _cache, "LEVELS", {kind: {"generic": ("tomorrow",)} for kind in _cache.LEVELS}
    ),
    "another kind of processor": lambda patch, _: patch.setattr(_cache, "LEVELS", {"abacus": {}}),
    "other sources": lambda _, path: path.parent.rename(path.parent.with_name("other")),
    "damaged": lambda _, path: DAMAGES["a flipped bit"](path),
    "a sound file of something else": lambda _, path: DAMAGES["a sound file of something else"](path),
}


@pytest.mark.parametrize("unfit", UNFIT)
def test_what_does_not_fit_is_compiled(
    unfit: str, home: Path, shipped: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    UNFIT[unfit](monkeypatch, shipped)
    assert not start()
    assert start()
    assert _cache.EntryCache.used[-1].is_relative_to(home / "cache")


class Processor:
    """A code generator for a processor with these features."""

    def __init__(self, kind: str, *features: str) -> None:
        self._target = f"{kind}-linux-gnu", "some", ",".join(["-x", *(f"+{name}" for name in features)])

    def magic_tuple(self) -> tuple[str, str, str]:
        return self._target


def test_code_is_shipped_for_levels_of_processors_best_first() -> None:
    v3 = _cache.LEVELS["x86_64"]["x86-64-v3"]
    assert _cache.levels(Processor("x86_64", *v3, "sse4a", "avx512f")) == ["x86-64-v3"]
    assert _cache.levels(Processor("x86_64", *v3[1:])) == []
    assert _cache.levels(Processor("aarch64", "neon")) == ["generic"]
    assert _cache.levels(Processor("riscv64", *v3)) == []


def test_only_compiled_code_is_removed_before_more_is_shipped(tmp_path: Path) -> None:
    folder = tmp_path / "shipped"
    for name in ("old/a.code", "old/b.code", "mixed/c.code", "mixed/notes.txt", "d.code"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    remove_compiled(folder)
    assert sorted(path.name for path in folder.rglob("*")) == ["d.code", "mixed", "notes.txt"]


def test_a_failed_compilation_gives_the_lock_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    double = started(home / "here", monkeypatch)
    with pytest.raises(Exception, match="ailed in nopython"):
        double(3)
    (lock,) = home.rglob("*.lock")
    with FileLock(lock, timeout=0):
        pass


def test_kernels_are_private_to_their_entry(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    linkages: list[Linkage] = []

    def record(library: Any) -> None:
        functions = library._final_module.functions
        linkages.extend(function.linkage for function in functions if not function.is_declaration)

    monkeypatch.setattr(JITCodeLibrary, "_optimize_final_module", record)
    started(home / "here", monkeypatch)(np.arange(3))
    assert Linkage.internal in linkages and Linkage.linkonce_odr not in linkages


def test_an_entry_is_called_by_python_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = "\n@entry\ndef again(numbers):\n    double(numbers)\n"
    (home / "here" / "toys" / "calling.py").write_text(CALLING + calls)
    started(home / "here", monkeypatch)
    with pytest.raises(TypeError, match="double is an entry: only Python can call it"):
        sys.modules["toys.calling"].again(np.arange(3))


def test_a_constant_that_kernels_read_changes_the_hash_wherever_it_stands(tmp_path: Path) -> None:
    for size in (1, 2):
        folder = tmp_path / str(size) / "judge"
        folder.mkdir(parents=True)
        (folder / "schema.py").write_text(f"SIZE = {size}\n")
    assert _jit._source_hash(tmp_path / "1") != _jit._source_hash(tmp_path / "2")
