"""`smallcity bench`: how fast random games are played and copied on this machine."""

import argparse
import datetime
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Final, NamedTuple

import numba
import numpy as np

from .. import batch
from ..config import DEFAULT_BOARD, MODULES, Config
from ..engine import SKIP
from ..schema import STATE_BYTES
from ..tables import SEATS
from ..terminal import Progress, count

LEAST_SECONDS: Final = 0.2  # a shorter measurement is repeated within itself
MIDGAME: Final = 120  # decisions a game has seen before it is cloned or forked
WINTER_BOARDS: Final = ("mountain-expert", "river-expert", "tokyo", "bangkok")
GAMES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {  # modules, boards
    "base": ((), (DEFAULT_BOARD,) * SEATS),
    "Godzillas": (("godzillas",), (DEFAULT_BOARD,) * SEATS),
    "all modules": (MODULES, (DEFAULT_BOARD,) * SEATS),
    "all, Winter boards": (MODULES, WINTER_BOARDS),
}


def options(parser: argparse.ArgumentParser) -> None:
    """How much is measured."""
    parser.add_argument("--games", type=count, default=1024, help="in a batch (default 1024)")
    parser.add_argument("--repeats", type=count, default=5, help="of each measurement (default 5)")
    parser.add_argument("--players", type=count, nargs="+", default=[2, SEATS], help="(default 2 4)")
    parser.add_argument("--threads", type=count, nargs="+", default=[1, 2], help="(default 1 2)")


def run(args: argparse.Namespace) -> None:
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
