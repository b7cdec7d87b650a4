"""Run Python in another process (plain, bounds-checked, or as it is), or a coroutine in a thread."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def run_python(
    *arguments: str, env: dict[str, str] | None = None, stdin: str = "", python: str = sys.executable
) -> str:
    """Run Python with these arguments in the root folder of the project; return what it prints."""
    run = subprocess.run(
        [python, *arguments],
        env=os.environ | (env or {}),
        input=stdin,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def interpreters(version: str) -> list[str]:
    """Pythons of this version with the libraries of the rules: in SMALLCITY_PYTHONS, or on the path."""
    named = os.environ.get("SMALLCITY_PYTHONS", "").split(os.pathsep)
    pythons = (*named, shutil.which(f"python{version}"))
    return [python for python in pythons if python and _is(python, version)]


def _is(python: str, version: str) -> bool:
    """Whether an interpreter is of this version and has numpy, numba and the environments' libraries."""
    words = "import sys, numpy, numba, gymnasium, pettingzoo; print('%d.%d' % sys.version_info[:2])"
    run = subprocess.run([python, "-c", words], capture_output=True, text=True)
    return run.returncode == 0 and run.stdout.strip() == version


def run_coroutine(main: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own: browser tests leave an event loop running in theirs."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, main).result()
