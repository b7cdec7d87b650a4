"""python -m tests.fuzz [AREA ...]: see the package."""

import argparse
import faulthandler
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module

AREAS = {
    "calls": "API arguments",
    "saves": "saves with right checksums",
    "texts": "texts of positions",
    "logs": "logs",
    "checkpoints": "checkpoints, value nets, training states",
    "results": "results of arenas",
    "configurations": "YAML and TOML",
    "plays": "saved games of play",
    "messages": "messages to the web server",
    "replies": "replies of language models, lines of bots",
    "tools": "calls of the tools for chat clients",
    "server": "walks at the web server",
}
ROUND = 500  # inputs of an area before it is the turn of the next


def attempt_of(area: str) -> Callable[[random.Random], bool]:
    """The fuzzer of an area."""
    attempt: Callable[[random.Random], bool] = import_module(f"tests.fuzz.{area}").attempt
    return attempt


def numbered(area: str, number: int) -> random.Random:
    """The chance of one input."""
    return random.Random(f"{area} {number}")


class Session:
    """What has been tried, refused and found."""

    def __init__(self, first: int) -> None:
        self.first, self.tried, self.refused = first, Counter[str](), Counter[str]()
        self.found: dict[str, str] = {}  # where it went wrong, and how to see it again

    def run(self, area: str, inputs: int) -> None:
        """Try more inputs of an area."""
        attempt = attempt_of(area)
        for _ in range(inputs):
            number = self.first + self.tried[area]
            self.tried[area] += 1
            try:
                self.refused[area] += attempt(numbered(area, number))
            except Exception as wrong:
                self._note(area, number, wrong)

    def _note(self, area: str, number: int, wrong: Exception) -> None:
        where = "".join(traceback.format_tb(wrong.__traceback__)[-2:]) + type(wrong).__name__
        if where not in self.found:
            self.found[where] = f"{area} --first {number} --inputs 1: {type(wrong).__name__}: {wrong}"
            print(self.found[where], file=sys.stderr, flush=True)

    def table(self) -> str:
        """What was tried, as Markdown."""
        lines = ["| area | inputs | refused in a sentence | used |", "|---|---|---|---|"]
        for area, n in self.tried.items():
            lines.append(f"| {AREAS[area]} | {n:,} | {self.refused[area]:,} | {n - self.refused[area]:,} |")
        total, refused = sum(self.tried.values()), sum(self.refused.values())
        return "\n".join([*lines, f"| all | {total:,} | {refused:,} | {total - refused:,} |"])


def main() -> int:
    """Try inputs until the time is up or there have been enough of each area."""
    parser = argparse.ArgumentParser(description="Random input for everything that takes some.")
    parser.add_argument("areas", nargs="*", choices=[*AREAS, []], help=f"of {', '.join(AREAS)} (default all)")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="of each area")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--first", type=int, default=int(time.time()), help="number of the first input")
    args = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", ".*unknown reset option")  # PettingZoo wants a warning there
    session, until = Session(args.first), time.monotonic() + args.seconds
    areas = args.areas or list(AREAS)
    with suppress(KeyboardInterrupt):  # the table says how far it came
        while time.monotonic() < until and (left := args.inputs - session.tried[areas[-1]]):
            for area in areas:
                session.run(area, min(ROUND, left))
    print(session.table())
    return 1 if session.found else 0


if __name__ == "__main__":
    sys.exit(main())
