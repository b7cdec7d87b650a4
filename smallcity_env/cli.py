"""The `smallcity` command: one function for each command, and a table of them."""

import argparse
import datetime
import os
import platform
import shutil
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, NoReturn

import numba
import numpy as np

from . import batch
from .config import DEFAULT_BOARD, MODULES, Config, ConfigError
from .engine import DECISIONS, SKIP
from .game import Game
from .schema import STATE_BYTES
from .show import Ink, borough_lines, result_lines, round_lines, rounds
from .tables import SEATS
from .tables.maps import NAMES as BOARD_NAMES

REFUSED: Final = 2  # exit code of a command that could not be understood
INTERRUPTED: Final = 130
WIDTH: Final = 110  # of the output where no terminal says its own
BAR: Final = 24  # characters of the progress bar
LEAST_SECONDS: Final = 0.2  # a shorter measurement is repeated within itself
MIDGAME: Final = 120  # decisions a game has seen before it is cloned or forked
NONE: Final = "none"
ALL: Final = "all"


class Refused(Exception):
    """A command line that cannot be carried out, in one sentence."""


class Progress:
    """A bar on the terminal while something long is going on; elsewhere nothing."""

    def __init__(self, steps: int) -> None:
        self.steps, self.done = steps, 0

    def __call__(self, what: str) -> None:
        """The next step begins."""
        if sys.stderr.isatty():
            bar = ("#" * (BAR * self.done // self.steps)).ljust(BAR, ".")
            print(f"\r\033[K[{bar}] {what}", end="", file=sys.stderr, flush=True)
        self.done += 1

    def close(self) -> None:
        """Take the bar away."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# -- demo


def demo_options(parser: argparse.ArgumentParser) -> None:
    """What can be chosen for a demonstration."""
    parser.add_argument("--players", type=_count, default=SEATS, help="1 to 4 (default 4)")
    parser.add_argument(
        "--modules",
        default="godzillas",
        help=f"separated by commas, '{NONE}' or '{ALL}' (default godzillas): {', '.join(MODULES)}",
    )
    parser.add_argument(
        "--boards",
        default=DEFAULT_BOARD,
        help=f"one for all or one for each player, separated by commas (default {DEFAULT_BOARD}): "
        + ", ".join(BOARD_NAMES.values()),
    )
    parser.add_argument("--seed", type=_number, default=192, help="of chance and players (default 192)")
    parser.add_argument(
        "--games", type=_count, default=1024, help="in the batch that is timed (default 1024)"
    )


def demo(args: argparse.Namespace) -> None:
    """Play a random game and show it, then time a batch of such games."""
    config = Config(args.players, _modules(args.modules), _boards(args.boards))
    ink, width = _ink(), shutil.get_terminal_size((WIDTH, 0)).columns
    chance = np.random.default_rng(args.seed)
    game = Game(config, seed=args.seed)
    print(ink(f"A random game, seed {args.seed}: {_words(config)}", "bold"), end="\n\n")
    for played in rounds(game, lambda game: int(chance.choice(game.legal()))):
        print(*round_lines(played, width, ink), sep="\n", end="\n\n")
    print(*borough_lines(game, width, ink), sep="\n", end="\n\n")
    print(*result_lines(game, ink), sep="\n", end="\n\n")
    print(_speed(config, args.games, args.seed))


def _words(config: Config) -> str:
    """A game in words."""
    players = "1 player" if config.players == 1 else f"{config.players} players"
    modules = ", ".join(config.modules) or "no modules"
    boards = ", ".join(dict.fromkeys(config.boards))
    return f"{players}, {modules}, on {boards}"


def _speed(config: Config, games: int, seed: int) -> str:
    """How fast a batch of such games is played."""
    states = batch.new(games, config, np.arange(games) + seed)
    start = time.perf_counter()
    decisions = int(batch.rollout(states, np.arange(games) + seed)[:, DECISIONS].sum())
    seconds = time.perf_counter() - start
    return (
        f"A batch of {games:,} such games: {decisions:,} decisions in {seconds:.2f} s on one core, "
        f"{decisions / seconds:,.0f} decisions a second."
    )


# -- bench

WINTER_BOARDS: Final = ("mountain-expert", "river-expert", "tokyo", "bangkok")
GAMES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {  # modules, boards
    "base": ((), (DEFAULT_BOARD,) * SEATS),
    "Godzillas": (("godzillas",), (DEFAULT_BOARD,) * SEATS),
    "all modules": (MODULES, (DEFAULT_BOARD,) * SEATS),
    "all, Winter boards": (MODULES, WINTER_BOARDS),
}


def bench_options(parser: argparse.ArgumentParser) -> None:
    """How much is measured."""
    parser.add_argument("--games", type=_count, default=1024, help="in a batch (default 1024)")
    parser.add_argument("--repeats", type=_count, default=5, help="of each measurement (default 5)")
    parser.add_argument("--players", type=_count, nargs="+", default=[2, SEATS], help="(default 2 4)")
    parser.add_argument("--threads", type=_count, nargs="+", default=[1, 2], help="(default 1 2)")


def bench(args: argparse.Namespace) -> None:
    """Measure this machine and print a table: the median of all repeats, the lowest and the highest."""
    configs = {
        (name, players): Config(players, modules, boards[:players])
        for name, (modules, boards) in GAMES.items()
        for players in args.players
    }
    progress = Progress(len(configs) * len(args.threads) + 2)
    head = f"{'batch.rollout':<20}{'players':>8}{'threads':>8}{'decisions/s':>12}{'':24}{'per core':>10}"
    table = [f"{head}{'games/s':>9}{'decisions':>11}{'forced':>8}{'CPU':>6}"]
    for (name, players), config in configs.items():
        for threads in args.threads:
            progress(f"{name}, players: {players}, threads: {threads}")
            row = _rollout_row(config, args.games, args.repeats, threads)
            table.append(f"{name:<20}{players:>8}{threads:>8}{row}")
    table += ["", *_copy_rows(args, progress)]
    progress.close()
    print(*_setting(args), "", *table, sep="\n")


def _rollout_row(config: Config, games: int, repeats: int, threads: int) -> str:
    """Decisions and games a second, and what an average game holds."""
    start, seeds = batch.new(games, config, np.arange(games)), np.arange(games)
    decisions, forced = batch.rollout(batch.clone(start), seeds, threads).mean(axis=0)
    measured = _measure(lambda: batch.rollout(batch.clone(start), seeds, threads), games, repeats)
    games_a_second = statistics.median(measured.rates)
    per_game = f"{games_a_second:>9,.0f}{decisions:>11.0f}{forced:>8.0f}"
    return f"{_figures(measured, decisions)}{per_game}{measured.cores / threads:>6.0%}"


def _copy_rows(args: argparse.Namespace, progress: Progress) -> list[str]:
    """Clones and forks a second of games in their middle, and the size of one."""
    states, seeds = _midgame(args.games, Config(max(args.players), MODULES)), np.arange(args.games)
    works: dict[str, Callable[[], object]] = {
        "batch.clone": lambda: batch.clone(states),
        "batch.fork": lambda: batch.fork(states, 0, seeds),
    }
    rows = [f"{'games copied':<36}{'a second':>12}{'':24}{'per core':>10}"]
    for name, work in works.items():
        progress(name)
        measured = _measure(work, args.games, args.repeats)
        rows.append(f"{name:<36}{_figures(measured)}{'':28}{measured.cores:>6.0%}")
    return [*rows, f"{'bytes of a game':<36}{STATE_BYTES:>12,}"]


def _midgame(games: int, config: Config) -> batch.States:
    """Games after some random decisions."""
    chance = np.random.default_rng(0)
    legal = batch.new_masks(games)
    states = batch.new(games, config, np.arange(games), legal)
    for _ in range(MIDGAME):
        random = np.where(legal, chance.random(legal.shape), -1).argmax(axis=1)
        batch.step(states, np.where(batch.over(states), SKIP, random), legal)
    return states


class Measured(NamedTuple):
    """Some work on games, timed: a busy machine lowers the rates, hardly the rate per core."""

    rates: list[float]  # games a second, of every repeat
    per_core: float  # games in a second of processor time
    cores: float  # processors it got


def _measure(work: Callable[[], object], games: int, repeats: int) -> Measured:
    """Time some work several times; short work is done again and again in each."""
    rates, played, began, used = [], 0, time.perf_counter(), time.process_time()
    for _ in range(repeats):
        times, start = 0, time.perf_counter()
        while (passed := time.perf_counter() - start) < LEAST_SECONDS:
            work()
            times += 1
        rates.append(times * games / passed)
        played += times * games
    used = time.process_time() - used
    return Measured(rates, played / used, used / (time.perf_counter() - began))


def _figures(measured: Measured, each: float = 1) -> str:
    """The median, the lowest and the highest rate, and the rate per core, of so many things a game."""
    rates = [each * rate for rate in measured.rates]
    span = f"({min(rates):,.0f} - {max(rates):,.0f})"
    return f"{statistics.median(rates):>12,.0f} {span:<23}{each * measured.per_core:>10,.0f}"


def _setting(args: argparse.Namespace) -> list[str]:
    """What the figures hold for."""
    versions = f"numpy {np.__version__}, numba {numba.__version__}"
    return [
        f"{datetime.date.today()}: Python {platform.python_version()}, {versions}, "
        f"{platform.machine()}, {os.cpu_count()} cores",
        f"random play, {args.games:,} games in a batch; median (lowest - highest) of {args.repeats};",
        "per core: in a second of processor time; CPU: how much of their processors the threads got;",
        "decisions: those with a choice, in an average game; forced: answers that were the only ones",
    ]


# -- the command line


class Command(NamedTuple):
    """What a command is called with, does, and how it is explained."""

    run: Callable[[argparse.Namespace], None]
    options: Callable[[argparse.ArgumentParser], None]
    summary: str
    example: str


COMMANDS: Final = {
    "demo": Command(
        demo,
        demo_options,
        "play a random game, show every round and the result, and time a batch of such games",
        "smallcity demo --players 3 --modules godzillas,doctors --boards river-easy --seed 3",
    ),
    "bench": Command(
        bench,
        bench_options,
        "measure how fast random games are played and copied on this machine",
        "smallcity bench --games 256 --repeats 3 --threads 1",
    ),
}


class Parser(argparse.ArgumentParser):
    """argparse, but refusing in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise Refused(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; 2 says that it was refused."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        _run(words)
    except SystemExit:  # argparse has shown its help
        return 0
    except (Refused, ConfigError) as wrong:
        print(f"smallcity: {wrong}", file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, like `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _run(words: list[str]) -> None:
    """Find the command and do it."""
    parser = _parser()
    if not words:
        parser.print_help()
    elif not words[0].startswith("-") and words[0] not in COMMANDS:
        raise Refused(f"there is no command {words[0]!r}: choose from {', '.join(COMMANDS)}")
    else:
        args = parser.parse_args(words)
        args.run(args)
        sys.stdout.flush()


def _parser() -> Parser:
    """The command line, from the table of commands."""
    parser = Parser(
        prog="smallcity", description="The board game Small City as a learning environment."
    )
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.summary,
            description=f"{command.summary.capitalize()}.",
            epilog=f"example: {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.options(sub)
        sub.set_defaults(run=command.run)
    return parser


def _number(text: str) -> int:
    """A whole number, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"needs a whole number, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    """A whole number, 1 or more."""
    if _number(text) < 1:
        raise argparse.ArgumentTypeError(f"needs a number of at least 1, not {text!r}")
    return int(text)


def _modules(text: str) -> tuple[str, ...]:
    """Module names separated by commas, none or all of them."""
    if text == ALL:
        return MODULES
    return () if text == NONE else tuple(text.split(","))


def _boards(text: str) -> tuple[str, ...] | str:
    """One board for all players, or one for each."""
    return tuple(text.split(",")) if "," in text else text


def _ink() -> Ink:
    """Colours only on a terminal that shows them, unless NO_COLOR asks for none."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Ink(wanted and sys.stdout.isatty())
