"""Run Python in another process: without compiling, bounds-checked, or simply once more."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def run_python(*arguments: str, env: dict[str, str] | None = None, stdin: str = "") -> str:
    """Run Python with these arguments in the root folder of the project; return what it prints."""
    run = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | (env or {}),
        input=stdin,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
