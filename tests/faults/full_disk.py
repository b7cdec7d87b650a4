"""A disk that is full after so many bytes, for tests of everything that writes."""

import errno
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from smallcity_env import files


class FullDisk(io.FileIO):
    """A file that takes some bytes more, and then none."""

    room = 0

    def write(self, data: Any) -> int:
        fits = bytes(data)[: self.room]
        self.room -= len(fits)
        if not fits and data:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(fits)


@contextmanager
def full_after(room: int) -> Iterator[None]:
    """A disk with room for this many bytes."""

    def on(path: Path, mode: str) -> Any:
        file = FullDisk(path, mode)
        file.room = room
        return file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "create", lambda path: io.BufferedWriter(on(path, "w")))
        patch.setattr(files, "append_to", lambda path: on(path, "a+"))
        yield
