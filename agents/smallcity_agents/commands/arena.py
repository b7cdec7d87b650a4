"""`smallcity arena`: agents compete; shows standings, a head-to-head matrix and a picture."""

import argparse
import sys
import time
from functools import partial
from pathlib import Path
from typing import Final

from smallcity_env import terminal
from smallcity_env.config import Config
from smallcity_env.show import Ink
from smallcity_env.terminal import Interrupt, Progress, Refused, duration

from .. import AGENTS, names_in
from ..arena import chart, report, runner
from ..arena.distribute import distribute
from ..arena.results import Result, digest, read
from ..arena.schedule import schedule
from ..arena.standings import standings
from ..cluster import worker_options, workers
from .stats import RESULTS

PLAYERS: Final = 2  # unless said otherwise


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="*", help=f"by name, options after a colon: {', '.join(AGENTS)}")
    table = "instead of agents: who sits at one table, rotated over its seats, as greedy,random,random"
    parser.add_argument("--table", type=names_in, help=table)
    terminal.game_options(parser, players=PLAYERS)
    parser.set_defaults(players=None)  # a table has its own number
    parser.add_argument("--games", type=terminal.count, default=100, help="at least this many (default 100)")
    parser.add_argument("--seed", type=terminal.number, default=0, help="of the first game (default 0)")
    results = f"file of results (default {RESULTS})"
    parser.add_argument("--results", type=terminal.file_name, default=RESULTS, help=results)
    most = f"most games at once (default {runner.BATCH})"
    parser.add_argument("--batch", type=terminal.count, default=runner.BATCH, help=most)
    worker_options(parser)
    beside = "file of the picture (default: beside the results)"
    parser.add_argument("--picture", type=terminal.file_name, help=beside)


def run(args: argparse.Namespace) -> None:
    """Play the games not yet on file, then show all results."""
    began = time.monotonic()
    config = terminal.config_of(args, _players(args))
    agents, lineup = runner.entrants(config, args.table or args.agents, bool(args.table))
    games = len(schedule(len(agents), config.players, args.games, table=lineup))
    print(f"{games:,} games of {terminal.words(config)}; seeds from {args.seed}")
    results = _play(config, args, games)
    show(results, args.picture or args.results.with_suffix(".png"), terminal.ink())
    took, same = duration(time.monotonic() - began), digest(results)
    print(f"{took}; all games are in {args.results} (digest {same}): see `smallcity stats {args.results}`")


def _players(args: argparse.Namespace) -> int:
    """The number of players; refuses options that contradict each other."""
    if bool(args.agents) == bool(args.table):
        raise Refused("name the agents of the arena, or those of one table with --table")
    if args.table and args.players not in (None, len(args.table)):
        raise Refused(f"a table of {len(args.table)} agents does not fit --players {args.players}")
    return len(args.table) if args.table else args.players or PLAYERS


def _play(config: Config, args: argparse.Namespace, games: int) -> list[Result]:
    """Play with a progress bar."""
    bar: Progress | None = None

    def progress(stored: int, more: float, all_games: int) -> None:
        nonlocal bar
        interrupt.check()
        bar = bar or Progress(games, begun=stored + more)
        bar.show(stored + more, f"{stored:,} of {all_games:,} games")

    interrupt = Interrupt()
    try:
        names, rest = args.table or args.agents, (args.seed, args.batch, progress, bool(args.table))
        with interrupt, workers(args.ray, args.workers, names) as executor:
            play = runner.here if executor.count == 1 and not args.ray else partial(distribute, executor)
            return runner.run(config, names, args.games, args.results, *rest, play)
    except KeyboardInterrupt:
        known = len(read(args.results)) if args.results.exists() else 0
        print(f"\nstopped: {args.results} holds {known:,} games; the same command resumes", file=sys.stderr)
        raise
    finally:
        if bar:
            bar.close()


def show(results: list[Result], picture: Path, ink: Ink) -> None:
    """Print standings and matrix, and draw the picture."""
    rows = standings(results)
    print()
    for table in report.leaders(results, rows):
        print(*report.text_lines(table, terminal.width(), ink), sep="\n")
    if any(row.rating is None for row in rows):
        print(ink(chart.NO_RATING, "dim"))
    if len(rows) > 1:
        saved = chart.draw(results, rows, picture)
        print(f"The picture is {picture}." if saved else chart.NO_PICTURE)
