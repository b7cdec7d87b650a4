"""What another interpreter says: the same code in plain Python, bounds-checked, or simply once more."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
CHECKED = {"NUMBA_BOUNDSCHECK": "1"}


def told(*arguments: str, env: dict[str, str] | None = None, asked: str = "") -> str:
    """What Python prints, called with these arguments in the folder of the project."""
    run = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | (env or {}),
        input=asked,
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout
