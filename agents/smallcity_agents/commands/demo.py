"""`smallcity demo`: show a game round by round, time a batch of random games, run a small arena."""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from smallcity_env import batch, files, terminal
from smallcity_env.config import Config
from smallcity_env.game import Game
from smallcity_env.rules.step import DECISIONS
from smallcity_env.show import result_lines, round_lines

from .. import AGENTS, make
from ..arena import runner
from ..play.match import Match
from ..play.view import table_lines
from .arena import show

PLAYER: Final = "greedy"
COMPETITORS: Final = ("random", "greedy", "rollout:sims=16,playout=round")
PICTURE: Final = Path("runs") / "demo.png"


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    terminal.game_options(parser)
    parser.add_argument(
        "--seed", type=terminal.number, default=192, help="of the game and its agents (default 192)"
    )
    parser.add_argument(
        "--log", metavar="FILE", type=terminal.new_file, help="write the game to this file, for `replay`"
    )
    parser.add_argument(
        "--games", type=terminal.count, default=1024, help="in the timed batch (default 1024)"
    )
    parser.add_argument("--agent", default=PLAYER, help=f"to show (default {PLAYER}): {', '.join(AGENTS)}")
    parser.add_argument(
        "--matches", type=terminal.number, default=60, help="in the arena, at least (default 60; 0: no arena)"
    )


def run(args: argparse.Namespace) -> None:
    """Play a game and show it, time a batch of random games, and let agents compete."""
    config, ink, width = terminal.config_of(args), terminal.ink(), terminal.width()
    name = make(args.agent).name
    match = Match.begin(Game(config, args.seed), [name] * config.players, args.seed)
    print(ink(f"A game of {name}, seed {args.seed}: {terminal.words(config)}", "bold"), end="\n\n")
    match.agents_answer()
    game = match.game
    for played in match.history.rounds:
        print(*round_lines(played, width, ink), sep="\n", end="\n\n")
    print(*table_lines(game.state, match.names, width, ink), sep="\n", end="\n\n")
    print(*result_lines(game, ink), sep="\n", end="\n\n")
    if args.log is not None:
        files.write(args.log, match.log.to_text())
    print(_speed(config, args.games, args.seed))
    if args.matches:
        _compete(config, args.matches)
        print("\nYour turn: `smallcity web` plays in the browser, `smallcity play` at the terminal.")


def _compete(config: Config, games: int) -> None:
    """Run a small arena, with a seat for each competitor if possible."""
    seats = min(config.players, len(COMPETITORS))
    config = replace(config, players=seats, boards=tuple(config.boards)[:seats])
    print(terminal.ink()(f"\nAn arena of {', '.join(COMPETITORS)}: {terminal.words(config)}", "bold"))
    with tempfile.TemporaryDirectory() as folder:
        bar = terminal.Progress(games)
        results = runner.run(
            config,
            COMPETITORS,
            games,
            Path(folder) / "arena.jsonl",
            progress=lambda stored, more, n: bar.show(stored + more, f"{stored} of {n} games"),
        )
        bar.close()
    show(results, PICTURE, terminal.ink())


def _speed(config: Config, games: int, seed: int) -> str:
    """Time a batch of random games."""
    states = batch.new(games, config, np.arange(games) + seed)
    start = time.perf_counter()
    decisions = int(batch.rollout(states, np.arange(games) + seed)[:, DECISIONS].sum())
    seconds = time.perf_counter() - start
    return (
        f"A batch of {games:,} random games: {decisions:,} decisions in {seconds:.2f} s on one core, "
        f"{decisions / seconds:,.0f} decisions a second."
    )
