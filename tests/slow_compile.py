"""Stands in for smallcity_env.warm: copies the file COMPILED as soon as there is a file `finish`."""

import os
import shutil
import sys
import time
from pathlib import Path

from filelock import FileLock


def main(folder: Path, source: Path) -> None:
    with FileLock(folder / source.with_suffix(".lock").name):
        (folder / "begun").touch()
        while not (folder / "finish").exists():
            time.sleep(0.01)
        shutil.copy(source, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(os.environ["COMPILED"]))
