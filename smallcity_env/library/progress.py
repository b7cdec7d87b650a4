"""What is said while a library is built or refused, on stderr."""

import sys
import time

_said: set[str] = set()


def say(line: str) -> None:
    """Say a line once."""
    if line not in _said:
        _said.add(line)
        print(line, file=sys.stderr, flush=True)


class Progress:
    """One line that tells how far a build has come; on a terminal it is replaced, elsewhere said once."""

    def __init__(self, what: str, seconds: int) -> None:
        self._what, self._began = what, time.monotonic()
        self._moving = sys.stderr.isatty()
        if not self._moving:
            print(f"{what}, once; this takes about {seconds} s ...", file=sys.stderr, flush=True)

    def __call__(self, stage: str) -> None:
        if self._moving:
            passed = time.monotonic() - self._began
            print(f"\r\x1b[K{self._what}, once: {stage}, {passed:.0f} s", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Clear the line."""
        if self._moving:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
