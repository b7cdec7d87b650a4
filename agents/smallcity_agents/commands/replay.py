"""`smallcity replay`: replay a game from its log, in the terminal or as an HTML page to step through."""

import argparse
from pathlib import Path

from smallcity_env import files, terminal
from smallcity_env.game import Game
from smallcity_env.history import History
from smallcity_env.language import _
from smallcity_env.log import BadLog, Log, replay_steps
from smallcity_env.render.replay import EMPTY, page
from smallcity_env.show import result_lines, round_lines
from smallcity_env.terminal import Refused
from smallcity_env.text import wording

from ..play.view import table_lines


def options(parser: argparse.ArgumentParser) -> None:
    """Which game to show, and how."""
    parser.add_argument("log", metavar="game.log", help="the log, as `smallcity demo --log` writes it")
    parser.add_argument(
        "--html", metavar="FILE", type=terminal.new_file, help="write an HTML page with pictures instead"
    )
    parser.add_argument(
        "--seat", type=terminal.number, help="with --html: what this seat could see (default: everything)"
    )


def run(args: argparse.Namespace) -> None:
    """Read the log, check it, and show it."""
    log = _read(args.log)
    try:
        if args.html is None:
            _print(log, args.seat)
        else:
            _write(log, args.seat, args.html)
    except BadLog as wrong:
        raise Refused(f"{args.log}: {wrong}") from None


def _read(name: str) -> Log:
    """The log in a file."""
    text = files.read_text(Path(name), "the log")
    try:
        return Log.from_text(text)
    except BadLog as wrong:
        raise Refused(f"{name}: {wrong}") from None


def _print(log: Log, seat: int | None) -> None:
    """Print the game round by round."""
    if seat is not None:
        raise Refused(_("--seat needs --html: in the terminal everything is shown"))
    if not list(replay_steps(log)):  # checks that every answer follows the rules
        raise BadLog(str(EMPTY))
    game, history, ink, width = Game.replay(log), History(), terminal.ink(), terminal.width()
    history.catch_up(game.log)
    print(ink(_("A game from its log: {game}", game=terminal.words(game.config)), "bold"), end="\n\n")
    for played in history.rounds:
        print(*round_lines(played, width, ink), sep="\n", end="\n\n")
    print(*table_lines(game.state, log.names, width, ink), sep="\n", end="\n\n")
    if game.over:
        print(*result_lines(game, ink), sep="\n")
    else:
        asked = wording.question(game.state)
        print(
            _(
                "The log ends in round {n}, with seat {p}: {question}",
                n=game.round,
                p=game.seat,
                question=asked,
            )
        )


def _write(log: Log, seat: int | None, file: Path) -> None:
    """Write the game as an HTML page."""
    players = Game.replay(Log(log.start)).config.players
    if seat is not None and seat >= players:
        raise Refused(f"there is no seat {seat}: choose from {', '.join(map(str, range(players)))}")
    text = page(log, seat)
    files.write(file, text)
    size = f"{len(text.encode()) / 1e6:.1f}"
    print(_("{file}: {n} answers, {size} MB; open it in a browser.", file=file, n=f"{len(log):,}", size=size))
