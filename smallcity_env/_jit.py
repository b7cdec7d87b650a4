"""How rules are compiled: `kernel` for rules, and the folder that keeps the compiled code.

Numba's own cache looks only at the file of a function, and misses edits in the files it calls. So the
cache folder is named by a hash of all sources of the package: one edit anywhere, one new folder.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

PACKAGE = Path(__file__).parent


def _source_hash() -> str:
    """A short hash of every source file of the package, in a fixed order."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The user's cache folder for exactly these sources; bounds-checked code has its own."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    return home / "smallcity" / (_source_hash() + checked)


FOLDER = _cache_folder()
JIT = not numba.config.DISABLE_JIT


def kernel(rule: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a rule with numba, without the GIL, cached in our own folder."""
    others, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(FOLDER)
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy")(rule)
        return compiled
    finally:
        numba.config.CACHE_DIR = others


def announce() -> None:
    """Say once, on stderr, that the rules are being compiled, if they are."""
    if JIT and not any(FOLDER.rglob("*.nbi")):
        print("smallcity: compiling the rules, once, in less than a minute ...", file=sys.stderr)
