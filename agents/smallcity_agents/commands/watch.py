"""`smallcity watch`: agents play, and you look on."""

import argparse
import time

import numpy as np

from smallcity_env import terminal
from smallcity_env.game import Game
from smallcity_env.show import Ink, result_lines, round_lines

from .. import AGENTS, make
from ..play.history import Event, sentences
from ..play.match import HUMAN, Sitting
from ..play.view import board_lines, wrapped

NOBODY = -1


def options(parser: argparse.ArgumentParser) -> None:
    """Who plays what, and how fast."""
    parser.add_argument("agents", nargs="+", help=f"by seat, over and over: {', '.join(AGENTS)}")
    terminal.game_options(parser, players=2)
    parser.add_argument("--seed", type=terminal.number, default=0, help="of chance (default 0)")
    parser.add_argument("--delay", type=seconds, default=0.5, help="seconds after each turn (default 0.5)")
    parser.add_argument("--rounds", action="store_true", help="round by round, not turn by turn")


def seconds(text: str) -> float:
    """A time, 0 or more."""
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found < np.inf:
        raise argparse.ArgumentTypeError(f"needs a number of seconds, not {text!r}")
    return found


def run(args: argparse.Namespace) -> None:
    """Show a game of agents."""
    config, ink = terminal.config_of(args), terminal.ink()
    names = [make(args.agents[p % len(args.agents)]).name for p in range(config.players)]
    if HUMAN in names:
        raise terminal.Refused("here agents play and you watch: see `smallcity play`")
    sitting = Sitting.begin(Game(config, args.seed), names, args.seed)
    seats = ", ".join(f"seat {p} ({name})" for p, name in enumerate(names))
    print(ink(f"{terminal.words(config)}, seed {args.seed}: {seats}", "bold"))
    while not sitting.game.over:
        _turn(sitting, args.rounds, args.delay, ink)
    print(*result_lines(sitting.game, ink), sep="\n")


def _turn(sitting: Sitting, by_round: bool, delay: float, ink: Ink) -> None:
    """Let one agent play until another is asked, tell it, and show a round that is over."""
    seat, known = sitting.game.seat, len(sitting.chronicle.rounds)
    while not sitting.game.over and sitting.game.seat == seat:
        sitting.one_answers()
    news, width = sitting.chronicle.news(NOBODY), terminal.width()
    if not by_round:
        _tell(sitting, news, width, ink)
    over = sitting.chronicle.rounds[known:]
    for played in over:
        print("", *round_lines(played, width, ink), "", sep="\n")
        print(*board_lines(sitting.game.state, NOBODY, sitting.names, width, ink), sep="\n")
    if over or (news and not by_round):
        time.sleep(delay)


def _tell(sitting: Sitting, news: list[Event], width: int, ink: Ink) -> None:
    """What was done."""
    for p, said in sentences(news):
        line = f"  seat {p} ({sitting.names[p]}) {said}."
        first, *others = wrapped(line, width, 6)
        print(ink.seat(p, first), *others, sep="\n", flush=True)
