"""`smallcity arena`: agents play each other; a table, a head-to-head matrix and a picture of it."""

import argparse
import sys
import time
from pathlib import Path
from typing import Final

from smallcity_env import terminal
from smallcity_env.config import Config
from smallcity_env.show import Ink
from smallcity_env.terminal import Interrupt, Progress, duration

from .. import AGENTS
from ..arena import chart, runner
from ..arena.results import Result, read
from ..arena.schedule import schedule
from ..arena.standings import standings

RESULTS: Final = Path("runs") / "arena.jsonl"


def options(parser: argparse.ArgumentParser) -> None:
    """Who plays what, how often, and where it is written down."""
    parser.add_argument("agents", nargs="+", help=f"by name, options after a colon: {', '.join(AGENTS)}")
    terminal.game_options(parser, players=2)
    parser.add_argument("--games", type=terminal.count, default=100, help="at least so many (default 100)")
    parser.add_argument("--seed", type=terminal.number, default=0, help="of the first games (default 0)")
    parser.add_argument(
        "--results", type=Path, default=RESULTS, help=f"where games are written down (default {RESULTS})"
    )
    most = f"games at once, at most (default {runner.BATCH})"
    parser.add_argument("--batch", type=terminal.count, default=runner.BATCH, help=most)
    parser.add_argument("--picture", type=Path, help="where it is drawn (default: beside the results)")


def run(args: argparse.Namespace) -> None:
    """Play what is missing, then show all of it."""
    began = time.monotonic()
    config = terminal.config_of(args)
    agents = runner.named(args.agents)
    games = len(schedule(len(agents), config.players, args.games))
    print(f"{games:,} games of {terminal.words(config)}; seeds from {args.seed}")
    found = _played(config, args, games)
    show(found, args.picture or args.results.with_suffix(".png"), terminal.ink())
    took = duration(time.monotonic() - began)
    print(f"{took}; every game stands in {args.results}: see `smallcity stats {args.results}`")


def _played(config: Config, args: argparse.Namespace, games: int) -> list[Result]:
    """The results, with a bar while they are being made."""
    bar: Progress | None = None

    def progress(done: float, all_games: int) -> None:
        nonlocal bar
        if interrupt.wanted:
            raise KeyboardInterrupt
        bar = bar or Progress(games, begun=done)
        bar.show(done, f"{int(done):,} of {all_games:,} games")

    interrupt = Interrupt(at_once=True)
    try:
        with interrupt:
            return runner.run(config, args.agents, args.games, args.results, args.seed, args.batch, progress)
    except KeyboardInterrupt:
        known = len(read(args.results))
        print(f"\nstopped: {args.results} holds {known:,} games; the same command goes on", file=sys.stderr)
        raise
    finally:
        if bar:
            bar.close()


def show(found: list[Result], picture: Path, ink: Ink) -> None:
    """The table, the matrix and where the picture is."""
    rows = standings(found)
    print("", *chart.table_lines(rows, ink), "", sep="\n")
    if len(rows) > 1:
        print(*chart.matrix_lines(found, [row.agent for row in rows], ink), "", sep="\n")
        drawn = chart.draw(found, rows, picture)
        print(f"The picture is {picture}." if drawn else chart.NO_PICTURE)
