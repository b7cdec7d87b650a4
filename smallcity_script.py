"""The `smallcity` script, outside the packages: it can answer Ctrl-C before their imports begin."""

import os
import signal
from types import FrameType
from typing import Final

INTERRUPTED: Final = 130


def command() -> int:
    """Import the command line and run it; Ctrl-C during the imports ends the process without a traceback."""
    before = signal.signal(signal.SIGINT, _end)
    from smallcity_env.cli import command

    signal.signal(signal.SIGINT, before)
    return command()


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)
