"""Ctrl-C and SIGTERM: both stop a command once it has saved what it must."""

import signal
import threading
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM, which stops a command as Ctrl-C does."""


def stop(number: int) -> None:
    """Raise the exception of a signal."""
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


class Interrupt:
    """A context in which Ctrl-C and SIGTERM raise their exceptions, and are recorded in `requested`.

    The exception can be raised anywhere, and some code loses it: compiled code and finalizers swallow
    it, and an open zip file raises a ValueError instead. So call `check` regularly; any other exception
    that leaves the context after a signal is replaced by the signal's. Outside the main thread, which
    alone receives signals, the context does nothing.
    """

    def __init__(self) -> None:
        self.requested = 0  # the number of the signal
        self._old: dict[int, Any] = {}

    def __enter__(self) -> "Interrupt":
        if threading.current_thread() is threading.main_thread():
            for number in SIGNALS:
                self._old[number] = signal.getsignal(number)
                signal.signal(number, self._note)
        return self

    def check(self) -> None:
        """Raise the exception of the signal received, if any."""
        if self.requested:
            stop(self.requested)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = number
        self._restore()  # a second signal acts as usual
        stop(number)

    def _restore(self) -> None:
        for number, old in self._old.items():
            signal.signal(number, old or signal.SIG_DFL)  # None: not installed from Python

    def __exit__(self, kind: type[BaseException] | None, *wrong: object) -> None:
        self._restore()
        if kind is not None and issubclass(kind, Exception):
            self.check()
