"""Ctrl-C and SIGTERM: both stop a command as soon as it has kept what it promised to keep."""

import signal
import threading
from types import FrameType
from typing import Any, Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


class Terminated(KeyboardInterrupt):
    """SIGTERM, which stops a command in the way Ctrl-C does."""


def stop(number: int, frame: FrameType | None = None) -> None:
    """Raise the exception of a signal."""
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


class Interrupt:
    """A context that records Ctrl-C and SIGTERM in `requested`; with `at_once` it also raises the exception.

    Compiled code can swallow the exception, so check `requested` regularly in either case. Outside the main
    thread, which alone receives signals, the context does nothing.
    """

    def __init__(self, at_once: bool = False) -> None:
        self.requested, self.at_once = 0, at_once  # the number of the signal
        self._old: dict[int, Any] = {}

    def __enter__(self) -> "Interrupt":
        if threading.current_thread() is threading.main_thread():
            self._old = {number: signal.signal(number, self._note) for number in SIGNALS}
        return self

    def check(self) -> None:
        """Raise the exception of the signal that came, if any."""
        if self.requested:
            stop(self.requested)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.requested = number
        self._restore()  # a second signal acts as usual
        if self.at_once:
            stop(number)

    def _restore(self) -> None:
        for number, old in self._old.items():
            signal.signal(number, old)

    def __exit__(self, *wrong: object) -> None:
        self._restore()


class Stopping(Interrupt):
    """A context in which SIGTERM raises Terminated; Ctrl-C raises KeyboardInterrupt as it always does."""

    def __enter__(self) -> "Stopping":
        if threading.current_thread() is threading.main_thread():
            self._old = {signal.SIGTERM: signal.signal(signal.SIGTERM, stop)}
        return self
