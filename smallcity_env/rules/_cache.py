"""Compiled entries on disk: independent of where the sources are, checked before they are loaded.

    $XDG_CACHE_HOME/smallcity/<sources and numbers>/<entry>-<signature, processor, versions>.code

A file holds a checksum and the code. Where the checksum is wrong nothing is unpickled: the file is moved
aside and the entry compiled again. One process compiles an entry, others wait for it. Where nothing can be
written, entries are compiled at every start.

A wheel may contain such files too (ship.py), compiled for generic processors: one that fits is
loaded where the cache has none.
"""

import hashlib
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import llvmlite
import numba
import numpy as np
from llvmlite.binding import address_of_symbol, parse_assembly
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

MAGIC: Final = b"smallcity compiled entry 2\n"
CHECKSUM: Final = hashlib.sha256().digest_size
_NUMPY: Final = ".".join(np.__version__.split(".")[:2])
VERSIONS: Final = (sys.implementation.cache_tag, numba.__version__, llvmlite.__version__, _NUMPY)
SHIPPED: Final = Path(__file__).parents[1] / "shipped"  # the files of a wheel
_V2: Final = ("cx16", "popcnt", "sahf", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3: Final = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
# processor levels that code is shipped for, by the start of the target's name, with features; best first
LEVELS: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "x86_64": {"x86-64-v3": _V3},
    "aarch64": {"generic": ("neon",)},
    "arm64": {"generic": ("neon",)},
}


class Damaged(Exception):
    """A damaged cache file, with the reason."""


def root() -> Path | None:
    """The user's cache folder for this package; None without a home directory."""
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "smallcity"
    except RuntimeError:
        return None


@cache
def say_once(line: str) -> None:
    """Report on stderr what the cache does, each line once."""
    print(f"smallcity: {line}", file=sys.stderr, flush=True)


def read(path: Path) -> bytes | None:
    """The code in a file; None without a file."""
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Damaged(error.strerror) from error
    head, code = content[: len(MAGIC) + CHECKSUM], content[len(MAGIC) + CHECKSUM :]
    if not head.startswith(MAGIC):
        raise Damaged("not a compiled entry")
    if hashlib.sha256(code).digest() != head[len(MAGIC) :]:
        raise Damaged("wrong checksum")
    return code


def write(path: Path, code: bytes) -> None:
    """Write a file atomically."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with open(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(code).digest() + code)
            file.flush()
            os.fsync(handle)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def is_being_compiled(path: Path, timeout: float = 0) -> bool:
    """Whether a process compiles the entry for a file, and does not finish within some seconds."""
    from filelock import FileLock, Timeout  # not needed where everything is compiled already

    try:
        with FileLock(path.with_suffix(".lock"), timeout=timeout):
            return False
    except Timeout:
        return True


def move_aside(path: Path) -> None:
    """Move a damaged file aside, replacing an earlier one."""
    aside = path.with_name(f"{path.name}.damaged")
    if aside.is_dir():
        shutil.rmtree(aside)
    else:
        aside.unlink(missing_ok=True)
    path.rename(aside)


def reduced(result: Any) -> bytes:
    """A compiled entry as bytes: its machine code and what numba needs to call it.

    Numba would add the LLVM code, for other functions to link, and the environments of all functions that
    were linked into the entry; nothing uses them, and they take longer to load than everything else.
    """
    library, *parts, _annotation, reload_init, environments = result._reduce()
    name, kind, (machine_code, _) = library
    wrapper = f'define void @"{result.fndesc.llvm_cpython_wrapper_name}"() {{ ret void }}'
    library = name, kind, (machine_code, parse_assembly(wrapper).as_bitcode())
    module = result.library._final_module
    outside = [function.name for function in module.functions if function.is_declaration]
    symbols = [name for name in outside if not name.startswith("llvm.")]
    used = set(re.findall(r'@"?(_ZN08NumbaEnv[^",\s]+)', re.sub("(?m)^@.*", "", str(module))))
    kept = [environment for environment in environments if environment.env_name in used]
    return bytes(dumps((symbols, (library, *parts, "", reload_init, kept))))


def rebuilt(code: bytes | None, target_context: Any) -> Any:
    """The compiled entry in these bytes; None for None."""
    try:
        if code is None:
            return None
        symbols, parts = pickle.loads(code)
        rtsys.initialize(target_context)
        if not all(map(address_of_symbol, symbols)):
            target_context.refresh()
        return CompileResult._rebuild(target_context, *parts)
    except Exception as error:  # a pickle of other sources or versions can raise anything
        raise Damaged(f"cannot be loaded: {error}") from error


def levels(codegen: Any) -> list[str]:
    """The processor levels whose shipped code runs on this machine, best first."""
    target, _, features = codegen.magic_tuple()
    here = set(features.split(","))
    known = LEVELS.get(target.split("-")[0], {})
    return [level for level, needed in known.items() if here.issuperset(f"+{name}" for name in needed)]


class EntryCache(_Cache):  # type: ignore[misc]
    """The cache numba asks for the compiled code of one entry: one file per signature."""

    used: ClassVar[list[Path]] = []  # the files of this process

    def __init__(self, name: str, folder: Path | None, shipped: Path | None = None) -> None:
        self._name, self._folder, self._shipped = name, folder, shipped
        self._turn = ExitStack()

    @property
    def cache_path(self) -> str | None:
        """The folder of the files."""
        return None if self._folder is None else str(self._folder)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Load, compile and save in one turn: other processes wait from the first miss to its end."""
        with self._turn:
            yield

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The entry compiled for a signature; None if this process must compile it."""
        loaded, path = None, self._path(sig, target_context)
        if path is not None:
            loaded = self._load(path, target_context)
        loaded = loaded or self._load_shipped(sig, target_context)
        if loaded is None and path is not None:
            loaded = self._load_in_turn(path, target_context)
        if loaded is None:
            target_context.refresh()  # registers everything numba can compile: a fifth of a second
            say_once(f"compiling {self._name}, once; this can take a minute ...")
        return loaded

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write an entry compiled for a signature."""
        if self._folder is None or data.library.has_dynamic_globals:  # numba put addresses into the code
            say_once(f"{self._name} cannot be cached: it is compiled at every start")
            return
        path = self._folder / self._file(sig, data.codegen.magic_tuple())
        try:
            write(path, reduced(data))
            self.used.append(path)
        except OSError as error:
            say_once(f"cannot write to {self._folder} ({error.strerror}): compiled code is not cached")

    def missing(self, sig: Any, target_context: Any) -> Path | None:
        """The file that has to be compiled for a signature; None if there is one, or none can be kept."""
        path = self._path(sig, target_context)
        with suppress(OSError):  # a folder that cannot be read
            if path and not any(map(Path.exists, (path, *self._shipped_for(sig, target_context)))):
                return path
        return None

    def enable(self) -> None:
        """Part of numba's interface; this cache is always enabled."""

    disable = flush = enable

    def _file(self, sig: Any, target: tuple[str, str, str]) -> str:
        """The name of the file for a signature and a target (its name, processor and features)."""
        key = hashlib.sha256(repr((str(sig), target, VERSIONS)).encode()).hexdigest()
        return f"{self._name}-{key[:16]}.code"

    def _path(self, sig: Any, target_context: Any) -> Path | None:
        """The file in the cache for a signature; None without a cache."""
        return self._folder and self._folder / self._file(sig, target_context.codegen().magic_tuple())

    def _shipped_for(self, sig: Any, target_context: Any) -> Iterator[Path]:
        """Where the package may have the entry, for the best level this processor supports first."""
        if self._shipped is not None and self._shipped.is_dir():
            codegen = target_context.codegen()
            for level in levels(codegen):
                yield self._shipped / self._file(sig, (codegen.magic_tuple()[0], level, ""))

    def _load(self, path: Path, target_context: Any) -> Any:
        """The entry in a file; None if there is no such file or it is damaged."""
        try:
            return self._in_use(path, rebuilt(read(path), target_context))
        except Damaged:
            return None

    def _in_use(self, path: Path, loaded: Any) -> Any:
        """Record the file as used if it was loaded; return what was loaded."""
        if loaded is not None:
            self.used.append(path)
        return loaded

    def _load_shipped(self, sig: Any, target_context: Any) -> Any:
        """The entry shipped with the package."""
        for path in self._shipped_for(sig, target_context):
            if loaded := self._load(path, target_context):
                return loaded
        return None

    def _load_in_turn(self, path: Path, target_context: Any) -> Any:
        """The entry in a file, read while no other process compiles it; a damaged file is moved aside."""
        with suppress(OSError):  # save_overload reports what cannot be written
            path.parent.mkdir(parents=True, exist_ok=True)
            self._wait(path.with_suffix(".lock"))
            try:
                return self._in_use(path, rebuilt(read(path), target_context))
            except Damaged as error:
                say_once(f"{path} is damaged ({error}): moved aside, compiled again")
                move_aside(path)
        return None

    def _wait(self, lock_path: Path) -> None:
        """Lock an entry until the end of the turn; say so if another process has it."""
        from filelock import FileLock, Timeout  # not needed where everything is compiled already

        lock = FileLock(lock_path)
        try:
            self._turn.enter_context(lock.acquire(timeout=0))
        except Timeout:
            say_once(f"waiting for another process to compile {self._name} ...")
            self._turn.enter_context(lock.acquire())
