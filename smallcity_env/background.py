"""The first minute of a checkout: another process compiles the rules while this one plays without.

For that the rules are imported once more, in plain Python, where they give the same games byte for byte.
They answer quick calls until the compiled code is in the cache (docs/cache.md). A call that is interrupted
changes nothing, as with compiled code.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any, Final

import numba
import numpy as np

from .rules import engine
from .rules._cache import is_being_compiled, say_once
from .rules._jit import FOLDER, PACKAGE, UNCOMPILED, missing

VARIABLE: Final = "SMALLCITY_BACKGROUND"  # 0: compile in this process
FEW: Final = 4  # games; a step of one takes some 10 ms in plain Python
LONG: Final = frozenset({engine.ROLL_OUT, engine.PLAY_ON})  # commands that play many steps
LOOK_EVERY: Final = 0.2  # seconds
WARM = "smallcity_env.warm"  # what the other process runs
SAID: Final = "compiling engine.run in the background, once; games are slow for about a minute ..."


def is_quick(command: int, games: int) -> bool:
    """Whether a command takes well under a tenth of a second in plain Python."""
    return games <= FEW and command not in LONG


def compiling(arguments: Sequence[Any]) -> "Compiling | None":
    """How another process compiles the entry for these arguments; None if it need not or cannot."""
    path = missing(engine.run, arguments) if _is_possible() else None
    return Compiling(path) if path else None


def _is_possible() -> bool:
    """Whether another process can compile the same: not on Windows, nor for a program that embeds Python."""
    is_python = Path(sys.executable or "").name.startswith("python")
    wanted = os.environ.get(VARIABLE) != "0" and not numba.config.BOUNDSCHECK
    return wanted and is_python and hasattr(os, "posix_spawn")


class Compiling:
    """The compiling of the rules into a file by another process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = 0  # the one started here, while it runs
        self._goes_on: bool | None = None  # None: not started
        self._looked = 0.0
        self._lock = Lock()

    def goes_on(self) -> bool:
        """Whether a process is compiling; the first call starts one if there is none."""
        with self._lock:
            if self._goes_on is None:
                self._goes_on = self._start()
            elif self._goes_on and time.monotonic() - self._looked > LOOK_EVERY:
                self._goes_on = self._is_running() or self._is_locked()
                self._looked = time.monotonic()
            return self._goes_on

    def _start(self) -> bool:
        """Start a process unless one is compiling; return whether one is."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            uncompiled()
            if not is_being_compiled(self._path):
                self._process = _start_process(self._path.parent)
        except Exception:  # whatever prevents it, this process can compile and report what is wrong
            return False
        say_once(SAID)
        return True

    def _is_running(self) -> bool:
        """Whether the process started here has not ended."""
        with suppress(ChildProcessError):  # others waited for it, or this process is a fork of its parent
            if self._process and os.waitpid(self._process, os.WNOHANG) == (0, 0):
                return True
        self._process = 0
        return False

    def _is_locked(self) -> bool:
        """Whether any process is compiling; none is once there is a file, or no folder for it."""
        with suppress(OSError):
            is_awaited = self._path.parent.exists() and not self._path.exists()
            return is_awaited and is_being_compiled(self._path)
        return False


def _start_process(folder: Path) -> int:
    """Start a process that compiles the rules (warm.py), outlives this one and imports what this one does."""
    paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONSAFEPATH": "1"}
    streams = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in range(3)]
    call = [sys.executable, "-m", WARM, str(folder)]
    return os.posix_spawn(sys.executable, call, environment, file_actions=streams, setsid=True)


@cache
def uncompiled() -> Callable[..., int]:
    """The entry in plain Python, from the rules under another name."""
    package = ModuleType(UNCOMPILED)
    package.__path__ = [str(PACKAGE)]
    sys.modules[UNCOMPILED] = package
    if import_module(f"{UNCOMPILED}._jit").FOLDER != FOLDER:
        raise ImportError("the rules or their numbers have changed since this process began")
    run: Callable[..., int] = import_module(f"{UNCOMPILED}.engine").run
    return run


def run(command: int, *arguments: Any) -> int:
    """Run a command in plain Python, on copies that replace the arrays at the end."""
    copies = [_copied(given) if isinstance(given, np.ndarray) else given for given in arguments]
    with np.errstate(all="ignore"):  # compiled code does not warn
        status = uncompiled()(command, *copies)
    for given, changed in zip(arguments, copies, strict=True):
        if isinstance(given, np.ndarray) and given.flags.writeable:
            _bytes(given)[:] = _bytes(changed)
    return status


def _copied(array: Any) -> Any:
    """A copy of an array to the byte, unused ones included."""
    return np.ndarray(array.shape, array.dtype, bytearray(array.tobytes()))


def _bytes(array: Any) -> Any:
    """A view of an array as bytes."""
    return array.reshape(-1).view(np.uint8)
