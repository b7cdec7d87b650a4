"""A library: the entries of some modules, built once into one file that is named by what it is built from."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import RLock
from typing import Any, Final

from . import files, sources
from .arguments import Argument
from .entry import Entry
from .loaded import Functions, loaded
from .processors import Target, here
from .progress import say

OWN: Final = Path(__file__).parent
BUILDERS: Final = ("numba", "llvmlite")
Found = tuple[Path, bytes, dict[str, Any]]  # the file, the code in it, and what is known of it


class LibraryMissing(RuntimeError):
    """There is no library for this machine, and nothing to build one with."""


def is_set(variable: str) -> bool:
    """Whether a variable of the environment is switched on."""
    return os.environ.get(variable, "0") not in ("", "0")


class Library:
    """Named functions of some modules, in one file.

    `modules` have the entries; `folders` hold them and all they import of their packages. `key` names what
    else the code depends on. `shipped` is a folder with libraries that come with the package; `hint` tells
    who has neither a library nor numba what to do.
    """

    def __init__(
        self, name: str, modules: Sequence[str], folders: Callable[[], Sequence[Path]],
        key: Callable[[], str] = str, shipped: Path | None = None, hint: str = "install numba to build it",
    ) -> None:  # fmt: skip
        self.name, self.modules, self.shipped, self._hint = name, tuple(modules), shipped, hint
        self._folders, self._key = folders, key
        self.plain, self.checked = is_set("NUMBA_DISABLE_JIT"), is_set("NUMBA_BOUNDSCHECK")
        self._entries: dict[str, Entry] = {}
        self._loading = RLock()
        self._loaded: dict[bool, Functions] = {}

    def entry(self, **arguments: Argument) -> Callable[[Callable[..., Any]], Entry]:
        """Make a function an entry that takes these arguments."""
        return partial(self._add, arguments, False)

    def long_entry(self, **arguments: Argument) -> Callable[[Callable[..., Any]], Entry]:
        """Make a function an entry that always lets other threads run, not only with many rows."""
        return partial(self._add, arguments, True)

    def _add(self, arguments: dict[str, Argument], long: bool, function: Callable[..., Any]) -> Entry:
        entry = self._entries[function.__name__] = Entry(self, function, arguments, long)
        return entry

    def entries(self) -> list[Entry]:
        """The entries of all modules."""
        for module in self.modules:
            import_module(module)
        return [entry for _, entry in sorted(self._entries.items())]

    def function(self, symbol: str, shares: bool) -> Callable[..., int]:
        """A function of the library; `shares`: it lets other threads run meanwhile."""
        if not self._loaded:
            self.load()
        return self._loaded[shares](symbol)

    # -- where it is

    @cached_property
    def cache(self) -> Path:
        """The user's folder for libraries that are built here."""
        with suppress(RuntimeError):  # no home directory
            return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", self.name, "library")
        return Path(tempfile.gettempdir(), f"{self.name}-library")

    @cached_property
    def code(self) -> str:
        """The hash of the code it is built from."""
        name = self._sources_name()
        for folder in (self.shipped, self.cache):
            with suppress(OSError):
                if folder is not None:
                    return (folder / name).read_text()
        code = sources.code_hash(self.files())
        with suppress(OSError):
            files.write(self.cache / name, code.encode())
        return code

    def _sources_name(self) -> str:
        """The file that has the hash of the code, named by the bytes of all sources."""
        return f"{sources.bytes_hash([OWN, *self._folders()])}.sources"

    def files(self) -> dict[str, Path]:
        """The source files it is built from, by module."""
        folders = [OWN, *self._folders()]
        found = sources.imported(self.modules, tuple({module.split(".")[0] for module in self.modules}))
        if outside := [p for p in found.values() if not any(p.is_relative_to(f) for f in folders)]:
            raise TypeError(f"{self.name} is built from {outside[0]}, which lies outside of its folders")
        return found | {f"library.{path.stem}": path for path in OWN.glob("*.py")}

    def path(self, target: Target, shipped: Path | None = None) -> Path:
        """The file for a target, among those built here or in a folder of shipped ones."""
        parts = [self.name, self.code, self._key(), "checked" if self.checked else ""]
        parts += [target.name, "" if shipped else _builder()]
        return (shipped or self.cache) / f"{'-'.join(part for part in parts if part)}.library"

    def found(self) -> Found | None:
        """The best file for this machine; says why one is not loaded."""
        places = [(target, self.shipped) for target in here() if self.shipped]
        for target, shipped in [*places, (here()[0], None)]:
            path = self.path(target, shipped)
            try:
                if (content := files.read(path, shipped is not None)) is not None:
                    return path, *content
            except files.Refused as why:
                say(f"{self.name}: {path} is not loaded: {why}")
        return None

    # -- loading and building

    def load(self) -> None:
        """Load the library; build it if there is none. In plain Python none is needed."""
        with self._loading:
            if not self._loaded and not self.plain:
                path, code, facts = self.found() or self._built_in_turn()
                unlinked = code if facts["kind"] == "object" else None
                given = path, unlinked, facts["symbols"]
                self._loaded = {shares: loaded(*given, shares, self.checked) for shares in (True, False)}

    def _built_in_turn(self) -> Found:
        """Build the library, unless another process does: then wait for it."""
        if find_spec("numba") is None:
            raise LibraryMissing(
                f"there is no compiled library of {self.name} for this machine: {self._hint}"
            )
        from filelock import FileLock, Timeout

        self._make_folder()
        target = here()[0]
        lock = FileLock(self.path(target).with_suffix(".lock"))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            say(f"{self.name}: waiting for another process that builds the library ...")
            lock.acquire()
        with lock:
            if self.found() is None:
                self.build([target])
        found = self.found()
        assert found is not None, "a library that was just built"
        return found

    def _make_folder(self) -> None:
        """Make the folder of libraries, which nobody else may write to; a temporary one if that fails."""
        with suppress(OSError):
            self.cache.mkdir(parents=True, exist_ok=True)
            self.cache.chmod(0o755)
        if not os.access(self.cache, os.W_OK):
            say(f"{self.name}: cannot write to {self.cache}: the library is built for this process only")
            self.cache = Path(tempfile.mkdtemp(prefix=f"{self.name}-"))
            atexit.register(shutil.rmtree, self.cache, ignore_errors=True)

    def content(self, targets: Sequence[Target]) -> list[bytes]:
        """The library for each of these targets, from the cache or built now."""
        from filelock import FileLock

        self._make_folder()
        paths = {target: self.path(target) for target in targets}
        with FileLock(next(iter(paths.values())).with_suffix(".lock")):
            if missing := [target for target, path in paths.items() if files.read(path) is None]:
                self.build(missing)
        found = [files.read(path) for path in paths.values()]
        return [code for code, facts in filter(None, found) if facts["kind"] == "shared"]

    def build(self, targets: Sequence[Target], shipped: Path | None = None) -> list[Path]:
        """Build the library for some targets, into the cache or a folder to be shipped."""
        from .build import compiled

        entries, paths = self.entries(), []
        for target, (kind, content) in compiled(self.name, entries, targets).items():
            facts = {"kind": kind, "symbols": [entry.symbol for entry in entries], "by": _builder()}
            paths.append(self.path(target, shipped))
            files.write(paths[-1], files.packed(content, facts))
        if shipped:
            files.write(shipped / self._sources_name(), self.code.encode())
        return paths


def _builder() -> str:
    """The versions of what builds libraries, for names of files."""
    from importlib.metadata import version  # a library that is shipped needs none, and starts sooner

    return "-".join(version(package) for package in BUILDERS if find_spec(package))
