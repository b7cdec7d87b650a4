"""`smallcity demo`: a random game, shown round by round, and a batch of such games, timed."""

import argparse
import time

import numpy as np

from .. import batch, terminal
from ..config import Config
from ..game import Game
from ..show import borough_lines, result_lines, round_lines, rounds
from ..step import DECISIONS


def options(parser: argparse.ArgumentParser) -> None:
    """What can be chosen for a demonstration."""
    terminal.game_options(parser)
    parser.add_argument(
        "--seed", type=terminal.number, default=192, help="of chance and players (default 192)"
    )
    parser.add_argument(
        "--log", metavar="FILE", type=terminal.new_file, help="write the game to this file, for `replay`"
    )
    parser.add_argument(
        "--games", type=terminal.count, default=1024, help="in the batch that is timed (default 1024)"
    )


def run(args: argparse.Namespace) -> None:
    """Play a random game and show it, then time a batch of such games."""
    config, ink, width = terminal.config_of(args), terminal.ink(), terminal.width()
    chance = np.random.default_rng(args.seed)
    game = Game(config, seed=args.seed)
    print(ink(f"A random game, seed {args.seed}: {terminal.words(config)}", "bold"), end="\n\n")
    for played in rounds(game, lambda game: int(chance.choice(game.legal()))):
        print(*round_lines(played, width, ink), sep="\n", end="\n\n")
    print(*borough_lines(game, width, ink), sep="\n", end="\n\n")
    print(*result_lines(game, ink), sep="\n", end="\n\n")
    if args.log is not None:
        terminal.write_file(args.log, game.log.to_text())
    print(_speed(config, args.games, args.seed))


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
