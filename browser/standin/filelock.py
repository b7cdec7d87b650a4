"""A stand-in for filelock: the worker is the only process there is."""

from typing import Any


class Timeout(OSError):
    """Another process holds the lock."""


class FileLock:
    """A lock that is always free."""

    def __init__(self, path: Any, thread_local: bool = True) -> None:
        pass

    def acquire(self, timeout: float = 0) -> None:
        """Nothing to wait for."""

    def release(self) -> None:
        """Nothing to release."""
