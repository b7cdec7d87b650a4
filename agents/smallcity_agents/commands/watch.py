"""`smallcity watch`: watch agents play."""

import argparse
import time

import numpy as np

from smallcity_env import terminal
from smallcity_env.game import Game
from smallcity_env.history import Entered, sentences
from smallcity_env.language import Listed, _
from smallcity_env.show import Ink, result_lines, round_lines

from .. import AGENTS, make
from ..play.match import Match
from ..play.view import NOBODY, board_lines, player, wrapped


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("agents", nargs="+", help=f"by seat, repeated as needed: {', '.join(AGENTS)}")
    terminal.game_options(parser, players=2)
    parser.add_argument("--seed", type=terminal.number, default=0, help="of chance (default 0)")
    parser.add_argument("--delay", type=seconds, default=0.5, help="seconds after each turn (default 0.5)")
    parser.add_argument("--by-round", action="store_true", help="show rounds instead of turns")


def seconds(text: str) -> float:
    """Parse a finite number of at least 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < np.inf:
        raise argparse.ArgumentTypeError(f"needs a number of seconds, not {text!r}")
    return value


def run(args: argparse.Namespace) -> None:
    """Show a game of agents."""
    config, ink = terminal.config_of(args), terminal.ink()
    names = [make(args.agents[p % len(args.agents)]).name for p in range(config.players)]
    match = Match.begin(Game(config, args.seed), names, args.seed)
    seats = Listed(player(p, name) for p, name in enumerate(names))
    print(
        ink(_("{game}, seed {n}: {players}", game=terminal.words(config), n=args.seed, players=seats), "bold")
    )
    while not match.game.over:
        _turn(match, args.by_round, args.delay, ink)
    print(*result_lines(match.game, ink), sep="\n")


def _turn(match: Match, by_round: bool, delay: float, ink: Ink) -> None:
    """Let one agent play until another is asked, report it, and show a completed round."""
    seat, known = match.game.seat, len(match.history.rounds)
    while not match.game.over and match.game.seat == seat:
        match.agent_answers()
    news, width = match.history.news(NOBODY), terminal.width()
    if not by_round:
        _report(match, news, width, ink)
    over = match.history.rounds[known:]
    for played in over:
        print("", *round_lines(played, width, ink), "", sep="\n")
        print(*board_lines(match.game.state, NOBODY, match.names, width, ink), sep="\n")
    if over or (news and not by_round):
        time.sleep(delay)


def _report(match: Match, news: list[Entered], width: int, ink: Ink) -> None:
    """Print what was done."""
    for p, sentence in sentences(news, match.names):
        line = f"  {player(p, match.names[p])}: {sentence}."
        first, *others = wrapped(line, width, 6)
        print(ink.seat(p, first), *others, sep="\n", flush=True)
