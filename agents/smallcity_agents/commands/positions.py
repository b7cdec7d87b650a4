"""`smallcity positions`: single questions with the value of every answer, and how well agents answer them."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from smallcity_env import terminal
from smallcity_env.terminal import Interrupt, Progress, Refused

from .. import make
from ..arena import chart
from ..llm import make_positions, make_puzzles
from ..llm.positions import HELD_OUT, PUZZLES, SHIPPED, TRAIN, Card, Position, read, rewards


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="*", metavar="agent", help="who answers, by name")
    parser.add_argument("--file", type=Path, help="of positions (default: the shipped one)")
    parser.add_argument("--count", type=terminal.count, help="make the file, or go on, until it has so many")
    parser.add_argument("--held-out", action="store_true", help="of the rules that are held out")
    parser.add_argument("--puzzles", action="store_true", help="in which one answer is clearly best")
    sims = f"simulations of each answer (default {make_positions.SIMS})"
    parser.add_argument("--sims", type=terminal.count, default=make_positions.SIMS, help=sims)
    parser.add_argument("--seed", type=terminal.number, default=0, help="of rule mixes and games (default 0)")


def run(args: argparse.Namespace) -> None:
    """Make the positions that are missing, then let the agents answer."""
    if args.puzzles and args.held_out:
        raise Refused("--puzzles are of usual rules: leave out --held-out")
    split = PUZZLES if args.puzzles else HELD_OUT if args.held_out else TRAIN
    if args.count:
        if args.file is None:
            raise Refused("--count needs --file: the shipped positions are not changed")
        card = Card(split, args.seed, args.sims, make_positions.STAKE)
        _make(args.file, make_puzzles.described(card) if args.puzzles else card, args.count)
    agents = {name: make(name) for name in args.agents}
    card, positions = read(args.file or SHIPPED[split])
    print(
        f"{len(positions):,} positions of {card.split} rules, each answer valued by {card.sims} simulations"
    )
    if agents:
        rows = [_row(name, rewards(agent, positions), positions) for name, agent in agents.items()]
        print(*chart.aligned([["agent", "reward", "95 %", "best answers"], *rows]), sep="\n")


def _make(path: Path, card: Card, count: int) -> None:
    """Make positions, with a bar."""
    with Progress(count) as bar, Interrupt() as interrupt:
        maker = make_puzzles.of_games if card.split == PUZZLES else make_positions.of_mixes
        for have in make_positions.make_more(path, card, count, maker):
            bar.show(have, f"{have:,} of {count:,} positions")
            interrupt.check()


def _row(name: str, found: Sequence[float], positions: Sequence[Position]) -> list[str]:
    """An agent's mean reward, and how often its answer was the best one; positions of a game go together."""
    games = np.array([position.game for position in positions])
    means = np.array([np.mean(np.array(found)[games == game]) for game in np.unique(games)])
    half = 1.96 * means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else 1.0
    mean, best = float(np.mean(found)), float(np.mean(np.array(found) == 1))
    return [name, f"{mean:.3f}", f"{mean - half:.3f} - {mean + half:.3f}", f"{best:.0%}"]
