"""A library as a file: written whole or not at all, and checked before it is loaded, for it is machine code.

The file is a shared library (or an object file, where there is no linker), followed by what is known of it,
as JSON, and a checksum.
"""

import hashlib
import json
import os
import stat
import struct
import tempfile
from pathlib import Path
from typing import Any, Final

MAGIC: Final = b"kernel library 1"
_END: Final = struct.Struct(f"<Q32s{len(MAGIC)}s")  # length of the JSON, checksum of all before it, magic
OTHERS: Final = 0o022  # write permission of group and world


class Refused(Exception):
    """A file that is not loaded, with the reason."""


def packed(code: bytes, facts: dict[str, Any]) -> bytes:
    """Code with what is known of it, and a checksum."""
    known = json.dumps(facts, sort_keys=True).encode()
    return code + known + _END.pack(len(known), hashlib.sha256(code + known).digest(), MAGIC)


def read(path: Path, shipped: bool = False) -> tuple[bytes, dict[str, Any]] | None:
    """The code of a file and what is known of it; None without a file.

    What is shipped is trusted as much as the Python files beside it.
    """
    try:
        _check_owner(path, shipped)
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Refused(error.strerror or "cannot be read") from None
    if len(content) < _END.size or not content.endswith(MAGIC):
        raise Refused("it is cut short, or no library of this version")
    length, checksum, _ = _END.unpack(content[-_END.size :])
    body = content[: -_END.size]
    if hashlib.sha256(body).digest() != checksum or length > len(body):
        raise Refused("its checksum is wrong")
    facts: dict[str, Any] = json.loads(body[len(body) - length :])
    return body[: len(body) - length], facts


def _check_owner(path: Path, shipped: bool) -> None:
    """Refuse what others could have written: the file or its folder."""
    if not hasattr(os, "geteuid"):
        return  # Windows
    owners = {0, os.geteuid(), *([Path(__file__).stat().st_uid] if shipped else [])}
    for place, what in ((path, "it"), (path.parent, "its folder")):
        known = place.stat()
        if known.st_uid not in owners:
            raise Refused(f"{what} belongs to somebody else")
        if known.st_mode & (stat.S_IWOTH if shipped else OTHERS):
            raise Refused(f"others can write to {what}")


def write(path: Path, content: bytes) -> None:
    """Write a file atomically, for nobody else to change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".tmp")
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(handle)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
