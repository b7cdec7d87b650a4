"""Files: written completely or not at all, with failures refused in one sentence.

A file is written under a temporary name, synced to disk and renamed: a killed process or a full disk
leaves the old file or the new one, and a reader finds one of them, never a part.
"""

import io
import math
import os
import shutil
import stat
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self

import numpy as np

from .refusal import Refused

if TYPE_CHECKING:
    from filelock import FileLock

PREVIOUS: Final = ".bak"  # suffix of the previous version of a file
PART: Final = ".part"
LARGEST: Final = 1 << 31  # bytes of all arrays in a file
LARGEST_NET: Final = 1 << 27  # bytes of a net: a hundred times those that are shipped
PRIVATE_FOLDER: Final = 0o700
PRIVATE_FILE: Final = 0o600


def write(path: Path, data: bytes | str) -> None:
    """Replace a file, or create it and its folder; text is UTF-8 with \\n line ends."""
    content = data.encode() if isinstance(data, str) else data
    with _refusing(path, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a pipe or a device: nothing to replace
        else:
            _replace(path.resolve(), content)


def write_keeping(path: Path, data: bytes) -> None:
    """Replace a file and keep the previous version with the suffix `.bak`."""
    if path.is_file():
        with _refusing(path, "read"):
            before = path.read_bytes()
        write(previous(path), before)
    write(path, data)


def make_folder(path: Path, mode: int = 0o777) -> None:
    """Create a folder and its parents, unless they exist."""
    with _refusing(path, "made", "the folder"):
        path.mkdir(mode=mode, parents=True, exist_ok=True)


def make_private(path: Path) -> None:
    """Create a folder that only its owner can read; refuse one that others can read or change."""
    make_folder(path, PRIVATE_FOLDER)
    refuse_shared(path)


def refuse_shared(path: Path) -> None:
    """Refuse a file or folder that belongs to somebody else, or that others can read or change."""
    if os.name != "posix":
        return
    with _refusing(path, "read"):
        about = path.stat()
    if about.st_uid != os.getuid():
        raise Refused(f"{path} belongs to another user: name a place of your own")
    if about.st_mode & 0o077:
        mode = PRIVATE_FOLDER if stat.S_ISDIR(about.st_mode) else PRIVATE_FILE
        raise Refused(f"{path} holds secrets and is open to other users: `chmod {mode:o} {path}` closes it")


def write_figure(path: Path, figure: Any, **options: Any) -> None:
    """Write a matplotlib figure to a file; its suffix is the format."""
    kind = path.suffix[1:].lower() or "png"
    if kind not in figure.canvas.get_supported_filetypes():
        raise Refused(f"the picture {path} cannot be drawn: its name must end in .png, .svg or .pdf")
    data = io.BytesIO()
    figure.savefig(data, format=kind, **options)
    write(path, data.getvalue())


def free(path: Path) -> Path:
    """This path if it is free, or the first free one with a number."""
    numbered = (path.with_stem(f"{path.stem}-{n}") for n in count(2))
    return path if not path.exists() else next(other for other in numbered if not other.exists())


def previous(path: Path) -> Path:
    """The file that `write_keeping` keeps."""
    return path.with_name(path.name + PREVIOUS)


def is_file(path: Path) -> bool:
    """Whether a file exists; False for a name that is too long or in a folder that cannot be read."""
    try:
        return path.is_file()
    except OSError:
        return False


def read_bytes(path: Path, what: str = "the file") -> bytes:
    """The bytes of a file."""
    with _refusing(path, "read", what):
        return path.read_bytes()


def read_text(path: Path, what: str = "the file") -> str:
    """The text of a UTF-8 file, with or without a byte order mark, with any line ends."""
    try:
        text = read_bytes(path, what).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{what} {path} cannot be read: it is not UTF-8 text") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason(error: OSError | ValueError) -> str:
    """The system's reason why a file cannot be read or written."""
    return (getattr(error, "strerror", None) or str(error)).lower()


@contextmanager
def _refusing(path: Path, done: str, what: str = "the file") -> Iterator[None]:
    """Turn system errors into refusals; a zero byte in a name is a ValueError."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise Refused(f"{what} {path} cannot be {done}: {reason(error)}") from None


def _replace(path: Path, data: bytes) -> None:
    """Write a temporary file beside this one, and rename it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}{PART}")
    try:
        with create(part) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def create(path: Path) -> BinaryIO:
    """A new file to write to; replaces one left by a killed process with the same id."""
    return path.open("wb")


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to disk, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError:
            pass  # some network file systems cannot sync folders; the file itself is synced
        finally:
            os.close(handle)


class Busy(Refused):
    """Another process has locked the file."""


def lock(path: Path, who: str) -> "FileLock":
    """Lock a file or folder against other processes until `release` or the end of this process."""
    from filelock import FileLock, Timeout  # not needed to read files, which every start does

    held = FileLock(path.with_name(f".{path.name}.lock"), thread_local=False)  # any thread may release it
    with _refusing(path, "locked"):
        try:
            held.acquire(timeout=0)
        except Timeout:  # is an OSError too
            raise Busy(f"{who} is writing to {path}: wait for it, or name another") from None
    return held


# -- files that grow


class Appended:
    """A file to which records are appended atomically: a failed write leaves nothing behind."""

    def __init__(self, path: Path, who: str) -> None:
        self.path = path
        with _refusing(path, "written"):
            path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = lock(path, who)
        try:
            with _refusing(path, "written"):
                self._file = append_to(path)
        except BaseException:
            self._lock.release()
            raise

    def truncate(self, size: int) -> None:
        """Truncate the file after this many bytes."""
        with _refusing(self.path, "written"):
            self._file.truncate(size)

    def add(self, data: bytes) -> None:
        """Append and sync to disk, all or nothing."""
        with _refusing(self.path, "written"):
            _add(self._file, data)

    def close(self) -> None:
        """Close the file and release the lock."""
        self._file.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()


def append(path: Path, data: bytes) -> None:
    """Append to a file and sync it to disk, all or nothing."""
    with _refusing(path, "written"), append_to(path) as file:
        _add(file, data)


def _add(file: io.FileIO, data: bytes) -> None:
    """Write everything, or truncate what was written of it."""
    end, left = file.seek(0, os.SEEK_END), memoryview(data)
    try:
        while left:
            left = left[file.write(left) or 0 :]
        os.fsync(file.fileno())
    except BaseException:
        file.truncate(end)
        raise


def append_to(path: Path) -> io.FileIO:
    """A file open for appending, unbuffered, so that nothing is written later after a failure."""
    return io.FileIO(path, "a+")


# -- arrays


def write_arrays(path: Path, arrays: dict[str, Any], compressed: bool = False) -> None:
    """Write arrays as an npz file."""
    write(path, packed(arrays, compressed))


def packed(arrays: dict[str, Any], compressed: bool = False) -> bytes:
    """Arrays as the bytes of an npz file."""
    data = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(data, **arrays)
    return data.getvalue()


def read_arrays(path: Path, what: str, most: int = LARGEST) -> dict[str, Any]:
    """The arrays of an npz file of at most so many bytes; nothing is unpickled, anything else is refused."""
    data = io.BytesIO(_regular(path, what, most))
    try:
        with zipfile.ZipFile(data) as archive:
            size = sum(member.file_size for member in archive.infolist())
            if size <= most:
                return {name.removesuffix(".npy"): _array(archive, name) for name in archive.namelist()}
    except Exception:  # a damaged archive can raise about ten kinds of errors
        raise Refused(f"{what} {path} cannot be read: it is not an intact npz file") from None
    raise Refused(f"{what} {path} cannot be read: it holds {size:,} bytes, and {most:,} are allowed")


def _regular(path: Path, what: str, most: int) -> bytes:
    """The bytes of a file on disk, whose kind and size are checked before it is read."""
    with _refusing(path, "read", what), open(path, "rb", opener=_without_waiting) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is not a regular file")
        if about.st_size > most:
            raise ValueError(f"it has {about.st_size:,} bytes, and {most:,} are allowed")
        return file.read(about.st_size)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer does not block."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _array(archive: zipfile.ZipFile, name: str) -> Any:
    """One array of an archive; memory is reserved only for as many bytes as the archive holds."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as member:
        version = np.lib.format.read_magic(member)
        read = (
            np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = read(member)
        if math.prod(shape) * dtype.itemsize > size:
            raise ValueError("shorter than it says")
    with archive.open(name) as member:
        return np.lib.format.read_array(member, allow_pickle=False)
