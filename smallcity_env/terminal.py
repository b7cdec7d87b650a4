"""Shared by the commands: refusals, progress, colours, and the options that describe a game."""

import argparse
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Final, Self

from .config import DEFAULT_BOARD, EDITIONS, MODULES, VICTORIES, Config
from .interrupt import Interrupt as Interrupt
from .language import Listed, Text, _, ngettext
from .refusal import Refused as Refused
from .rules.tables import SEATS, Victory
from .rules.tables.maps import NAMES as BOARD_NAMES
from .rules.tables.maps import Board
from .rules.tables.names import VICTORY_NAMES, board_name, module_name
from .show import Ink

WIDTH: Final = 110  # columns of the output where the terminal's width is unknown
BAR: Final = 24  # characters of the progress bar
NOW_AND_THEN: Final = 20.0  # seconds between two lines of progress that is not shown on a terminal
MOST: Final = 10_000_000  # games, and whatever else is counted
MOST_DIGITS: Final = 18  # of a seed: as many as fit 64 bits, with room for the seeds after it
NONE: Final = "none"
ALL: Final = "all"
_BOARDS: Final = list(BOARD_NAMES.values())


class Progress:
    """A progress bar with the time left on a terminal, elsewhere a line now and then."""

    def __init__(self, steps: int, begun: float = 0) -> None:
        self.steps: int = steps
        self.done: int = 0
        self.began: float = time.monotonic()
        self._said = self.began  # when the last line was written
        self.begun = begun  # steps done in an earlier run

    def __call__(self, what: str) -> None:
        """Begin the next step."""
        self.show(self.done, what)
        self.done += 1

    def show(self, done: float, what: str) -> None:
        """Show that this many steps, possibly fractional, are done."""
        if sys.stderr.isatty():
            bar = ("#" * int(BAR * done / self.steps)).ljust(BAR, ".")
            print(f"\r\033[K[{bar}] {what}{self._left(done)}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() > self._said + NOW_AND_THEN:
            self._said = time.monotonic()
            print(f"{done / self.steps:.0%}: {what}{self._left(done)}", file=sys.stderr, flush=True)

    def _left(self, done: float) -> str:
        """The estimated time left."""
        if done <= self.begun:
            return ""
        seconds = (time.monotonic() - self.began) / (done - self.begun) * (self.steps - done)
        return f", {duration(seconds)} left"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Erase the bar."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """A duration in readable units: 40 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def game_options(parser: argparse.ArgumentParser, players: int = SEATS) -> None:
    """Options for the number of players and the rules."""
    parser.add_argument("--players", type=count, default=players, help=f"1 to {SEATS} (default {players})")
    rule_options(parser)


def rule_options(parser: argparse.ArgumentParser) -> None:
    """Options for modules, boards and variants."""
    parser.add_argument(
        "--modules",
        default="godzillas",
        help=f"separated by commas, '{NONE}' or '{ALL}' (default godzillas): {', '.join(MODULES)}",
    )
    parser.add_argument(
        "--boards",
        default=DEFAULT_BOARD,
        help=f"one for all or one per player, separated by commas (default {DEFAULT_BOARD}): "
        + ", ".join(BOARD_NAMES.values()),
    )
    variant_options(parser)


def variant_options(parser: argparse.ArgumentParser) -> None:
    """Options for the victory condition and the variants."""
    conditions = f"victory condition: {', '.join(VICTORIES)} (default {VICTORIES[0]})"
    parser.add_argument("--victory", default=VICTORIES[0], help=conditions)
    parser.add_argument("--advanced", action="store_true", help="each player also draws a special promise")
    parser.add_argument("--stockholm", action="store_true", help="each Radiation marker left scores 1")
    parser.add_argument(
        "--godzilla-rules",
        default=EDITIONS[0],
        help=f"edition of the Godzillas rules: {' or '.join(EDITIONS)} (default {EDITIONS[0]})",
    )
    shorter = "end the game after this round (default 0: play all)"
    parser.add_argument("--rounds", type=number, default=0, help=shorter)


def config_of(args: argparse.Namespace, players: int | None = None) -> Config:
    """The game the options describe; `players` overrides theirs."""
    return Config(
        args.players if players is None else players,
        modules_in(args.modules),
        boards_in(args.boards),
        args.victory,
        args.advanced,
        args.stockholm,
        args.godzilla_rules,
        args.rounds,
    )


def words(config: Config) -> str:
    """A configuration in words."""
    players = ngettext("{n} player", "{n} players", config.players)
    modules = ", ".join(map(module_name, config.modules)) or _("no modules")
    boards = Listed(board_name(Board(_BOARDS.index(board))) for board in dict.fromkeys(config.boards))
    return ", ".join([players, modules, _("on {boards}", boards=boards), *_variants(config)])


def _variants(config: Config) -> list[str]:
    """The variants that differ from the default, in words."""
    variants = {
        _("victory by {condition}", condition=_victory(config)): config.victory != VICTORIES[0],
        _("advanced"): config.advanced,
        _("Stockholm variant"): config.stockholm,
        _("godzillas of {year}", year=config.godzilla_rules): config.godzilla_rules != EDITIONS[0],
        ngettext("{n} round", "{n} rounds", config.rounds): config.rounds > 0,
    }
    return [words for words, chosen in variants.items() if chosen]


def _victory(config: Config) -> Text:
    """The victory condition in words."""
    return VICTORY_NAMES[Victory(VICTORIES.index(config.victory))]


def number(text: str) -> int:
    """A whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"needs a whole number, not {text!r}")
    if len(text) > MOST_DIGITS:
        raise argparse.ArgumentTypeError(f"needs a number of at most {MOST_DIGITS} digits, not {text!r}")
    return int(text)


def count(text: str) -> int:
    """A whole number, 1 or more."""
    if number(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a number of at least 1, not {text!r}")
    if number(text) > MOST:
        raise argparse.ArgumentTypeError(f"needs a number of at most {MOST:,}, not {text!r}")
    return int(text)


def modules_in(text: str) -> tuple[str, ...]:
    """Module names separated by commas, 'none' or 'all'."""
    if text == ALL:
        return MODULES
    return () if text == NONE else tuple(text.split(","))


def boards_in(text: str) -> tuple[str, ...] | str:
    """One board for all players, or one per player."""
    return tuple(text.split(",")) if "," in text else text


def file_name(text: str) -> Path:
    """The path of a file."""
    if not text or Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"needs the name of a file, not {text!r}")
    return Path(text)


def new_file(text: str) -> Path:
    """The path of a file to be written, in an existing folder."""
    path = file_name(text)
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r} to write {path.name!r} in")
    return path


def width() -> int:
    """The width of the terminal."""
    return shutil.get_terminal_size((WIDTH, 0)).columns


def ink() -> Ink:
    """Colours only on a terminal that supports them, unless NO_COLOR is set."""
    allowed = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Ink(allowed and sys.stdout.isatty())
