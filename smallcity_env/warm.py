"""Compiles the rules for other processes: `python -m smallcity_env.warm FOLDER`, started by background.py."""

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from . import compiled
from .rules import engine
from .rules._cache import is_being_compiled
from .rules._jit import missing

NICE: Final = 5  # the games that are played meanwhile come first
SECONDS: Final = 1.0  # how long others may hold the lock to see whether it is free


def main(folder: Path) -> None:
    """Compile the rules into the cache, unless another process does; end if the folder is removed."""
    os.nice(NICE)
    opened = os.stat(os.open(folder, os.O_RDONLY))  # while it is open, no other folder has its number
    threading.Thread(target=_end_without, args=(folder, opened), daemon=True).start()
    path = missing(engine.run, compiled.NOTHING)
    if path and not is_being_compiled(path, SECONDS):
        compiled.entry_code()


def _end_without(folder: Path, opened: os.stat_result) -> None:
    """End the process, whatever it does, when the folder is removed, even if it is made again."""
    with suppress(FileNotFoundError):
        while os.path.samestat(opened, folder.stat()):
            time.sleep(SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    os._exit(0)  # at once: there is nothing to tidy up
