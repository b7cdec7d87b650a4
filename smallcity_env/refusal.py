"""The error a command reports in one sentence, with exit code 2."""

from collections.abc import Iterator
from contextlib import contextmanager


class Refused(Exception):
    """A request that cannot be carried out; the message says why in one sentence."""


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Refuse in one sentence if a library of an optional extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if not extra or library.startswith("smallcity_"):
            raise
        raise Refused(f"this needs {library}: pip install 'smallcity-env[{extra}]'") from None
