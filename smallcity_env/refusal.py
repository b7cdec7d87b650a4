"""The error a command reports in one sentence, with exit code 2."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Refused(Exception):
    """A request that cannot be carried out, with the reason in one sentence, on one line."""

    def __str__(self) -> str:
        text = " ".join(super().__str__().split())  # a file's name can have several lines, and colours
        return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


class Missing(Refused, ImportError):
    """A library of an optional extra that is not installed."""


def install(extra: str) -> str:
    """The command that installs an optional extra, in a checkout."""
    return f"pip install -e '.[{extra}]' -c constraints.txt"


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Refuse in one sentence if a library of an optional extra is not installed."""
    try:
        yield
    except ModuleNotFoundError as missing:
        library = (missing.name or "").partition(".")[0]
        if not extra or library.startswith("smallcity_"):
            raise
        raise Missing(f"this needs {library}: {install(extra)}") from None


def script(main: Callable[[], None]) -> int:
    """Run the main function of a module called with `python -m`; return the exit code."""
    try:
        main()
    except Refused as wrong:
        print(wrong, file=sys.stderr)
        return 2
    return 0
