"""`smallcity replay`: replay a game from its log, in the terminal or as an HTML page to step through."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from .. import files, terminal
from ..game import Game
from ..log import BadLog, Log, replay_steps
from ..render.replay import EMPTY, page
from ..show import borough_lines, result_lines, round_lines, rounds
from ..terminal import Refused
from ..text import wording


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
        raise Refused("--seat needs --html: in the terminal everything is shown")
    answers = _answers(log)
    game, ink, width = Game.replay(Log(log.start)), terminal.ink(), terminal.width()
    print(ink(f"A game from its log: {terminal.words(game.config)}", "bold"), end="\n\n")
    for played in rounds(game, lambda _: next(answers, None)):
        print(*round_lines(played, width, ink), sep="\n", end="\n\n")
    print(*borough_lines(game, width, ink), sep="\n", end="\n\n")
    if game.over:
        print(*result_lines(game, ink), sep="\n")
    else:
        print(f"The log ends in round {game.round}, with seat {game.seat}: {wording.question(game.state)}")


def _answers(log: Log) -> Iterator[int]:
    """The answers that were not forced, after checking that all of them follow the rules."""
    steps = list(replay_steps(log))
    if not steps:
        raise BadLog(EMPTY)
    return (step.entry.action for step in steps if not step.entry.forced)


def _write(log: Log, seat: int | None, file: Path) -> None:
    """Write the game as an HTML page."""
    players = Game.replay(Log(log.start)).config.players
    if seat is not None and seat >= players:
        raise Refused(f"there is no seat {seat}: choose from {', '.join(map(str, range(players)))}")
    text = page(log, seat)
    files.write(file, text)
    print(f"{file}: {len(log):,} answers, {len(text.encode()) / 1e6:.1f} MB; open it in a browser.")
