"""Compiled rules for a wheel: run `python -m smallcity_env.ship` before it is built (docs/cache.md).

What users would wait for is compiled for generic processors (`_cache.LEVELS`), each in its own process,
by playing a game. The files are put where an installed package looks before it compiles.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Final

from numba.core.registry import cpu_target

from .cli import main as smallcity
from .compiled import entry_code
from .envs.action_space import draw_code
from .rules._cache import LEVELS, SHIPPED, EntryCache, levels

GAME: Final = ("dataset", "greedy", "policy", "search:sims=2,width=2", "--games", "3", "--out")


def main(words: Sequence[str] | None = None) -> None:
    """Compile for each level this processor can run, and put the files into a folder."""
    parser = argparse.ArgumentParser(prog="python -m smallcity_env.ship", description=main.__doc__)
    parser.add_argument("--to", type=Path, default=SHIPPED, help="the folder (default: in the package)")
    known = sorted({level for kind in LEVELS.values() for level in kind})
    parser.add_argument("--levels", nargs="+", choices=known, help="processors (default: all it can run)")
    parser.add_argument("--keep", action="store_true", help="keep the files there, of other Pythons")
    parser.add_argument("--rules-only", action="store_true", help="nothing but the rules, no agents")
    args = parser.parse_args(words)
    if not args.keep:
        remove_compiled(args.to)
    for level in args.levels or levels(cpu_target.target_context.codegen()):
        for path in compiled_for(level, args.rules_only):
            folder = args.to / path.parent.name
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder)
            print(f"{level}: {path.parent.name}/{path.name}, {path.stat().st_size:,} bytes", flush=True)


def remove_compiled(folder: Path) -> None:
    """Remove compiled code, and the folders it leaves empty; other files stay."""
    for path in folder.glob("*/*.code"):
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()


def compiled_for(level: str, rules_only: bool) -> list[Path]:
    """The cache files a game needs, compiled for a level of processors."""
    environment = os.environ | {"NUMBA_CPU_NAME": level, "NUMBA_CPU_FEATURES": ""}
    call = [sys.executable, "-c", f"from smallcity_env.ship import play; play({rules_only})"]
    played = subprocess.run(call, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [Path(line) for line in played.stdout.splitlines()]


def play(rules_only: bool) -> None:
    """Play a game, and print the cache files it used."""
    with redirect_stdout(sys.stderr), tempfile.TemporaryDirectory() as folder:
        entry_code()
        draw_code()
        if not rules_only and smallcity([*GAME, str(Path(folder, "games"))]):
            raise SystemExit("the game that compiles the agents was refused")
    print(*dict.fromkeys(EntryCache.used), sep="\n")


if __name__ == "__main__":
    main()
