"""`smallcity replay`: a game again from its log, in the terminal or as an HTML page to step through."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from .. import terminal
from ..game import Game
from ..log import BadLog, Log, retell
from ..render.replay import EMPTY, page
from ..show import borough_lines, result_lines, round_lines, rounds
from ..terminal import Refused
from ..text import wording


def options(parser: argparse.ArgumentParser) -> None:
    """Which game, and how it is shown."""
    parser.add_argument("log", metavar="game.log", help="the log, as `smallcity demo --log` writes it")
    parser.add_argument(
        "--html", metavar="FILE", type=terminal.new_file, help="write a page with pictures instead"
    )
    parser.add_argument(
        "--seat", type=terminal.number, help="with --html: as this seat saw it (default: everything)"
    )


def run(args: argparse.Namespace) -> None:
    """Read the log, check it, and show it."""
    log = _read(args.log)
    try:
        if args.html is None:
            _tell(log, args.seat)
        else:
            _write(log, args.seat, args.html)
    except BadLog as wrong:
        raise Refused(f"{args.log}: {wrong}") from None


def _read(name: str) -> Log:
    """The log in a file."""
    try:
        return Log.from_text(Path(name).read_text(encoding="utf-8"))
    except OSError as wrong:
        raise Refused(f"the log {name!r} cannot be read: {terminal.reason(wrong)}") from None
    except UnicodeDecodeError:
        raise Refused(f"{name}: this is no log of a game: it is no text") from None
    except BadLog as wrong:
        raise Refused(f"{name}: {wrong}") from None


def _tell(log: Log, seat: int | None) -> None:
    """The game in the terminal, round by round."""
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
    """The answers that were a choice, once all are known to follow the rules."""
    told = list(retell(log))
    if not told:
        raise BadLog(EMPTY)
    return (step.entry.action for step in told if not step.entry.forced)


def _write(log: Log, seat: int | None, file: Path) -> None:
    """The game as an HTML page."""
    players = Game.replay(Log(log.start)).config.players
    if seat is not None and seat >= players:
        raise Refused(f"there is no seat {seat}: choose from {', '.join(map(str, range(players)))}")
    text = page(log, seat)
    terminal.write_file(file, text)
    print(f"{file}: {len(log):,} answers, {len(text.encode()) / 1e6:.1f} MB; open it in a browser.")
