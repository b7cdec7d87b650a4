"""`smallcity play`: play against agents, or solo, at the terminal."""

import argparse
import time
from pathlib import Path
from typing import Any, Final

from smallcity_env import files, terminal
from smallcity_env.game import Game
from smallcity_env.language import _
from smallcity_env.rules.tables import SEATS
from smallcity_env.terminal import Refused

from .. import AGENTS, make, names_in
from ..play.analysis import CHAMPION
from ..play.automatic import SWITCHES
from ..play.match import HUMAN, Match
from ..play.repl import Repl
from ..value_net import model

SAVED: Final = Path("runs") / "play.save"
BEST: Final = next(name for name in ("greedy", "random") if name in AGENTS)  # quick and sensible


def options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--opponents",
        default=BEST,
        help=f"agents separated by commas, or '{terminal.NONE}' to play solo (default {BEST})",
    )
    terminal.rule_options(parser)
    parser.add_argument("--seat", type=terminal.number, default=0, help="yours (default 0)")
    parser.add_argument("--seed", type=terminal.number, help="of chance (default: a new one each time)")
    parser.add_argument("--hints", default=CHAMPION, help=f"the agent that gives hints (default {CHAMPION})")
    parser.add_argument("--net", type=Path, metavar="FILE", help="value net of champion, levels and hints")
    parser.add_argument("--save", type=Path, help=f"where the game is saved (default {SAVED})")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="resume a saved game")
    parser.add_argument("--log", type=terminal.new_file, metavar="FILE", help="write the log at the end")
    parser.add_argument("--ask-all", action="store_true", help="give no automatic answers")


def run(args: argparse.Namespace) -> None:
    """Start or resume a game, and play."""
    if args.net:
        model.use(args.net)
    make(args.hints)
    match = Match.load(args.resume, names_in(args.opponents)) if args.resume else _begin(args)
    if match.names.count(HUMAN) != 1:
        raise Refused(_("{file} is not a game of one person, as the terminal has it", file=args.resume))
    for name in SWITCHES:
        match.automatic.switch(name, not args.ask_all)
    path = args.save or args.resume or files.free(SAVED)
    held = _claim(path)
    try:
        Repl(match, args.hints, path, terminal.ink(), terminal.width).run()
    finally:
        if held:
            held.release()
    if args.log:
        files.write(args.log, match.log.to_text())


def _claim(path: Path) -> Any:
    """Lock the save; where nothing can be written, the game reports it and is played without a save."""
    try:
        files.make_folder(path.parent)
        return files.lock(path, "another game")
    except files.Busy:
        raise
    except Refused:
        return None


def _begin(args: argparse.Namespace) -> Match:
    """Start a new game."""
    names = [make(name).name for name in agents_in(args.opponents)]
    if args.save and args.save.exists():
        raise Refused(
            _("{file} holds a saved game: resume it with --resume, or name another file", file=args.save)
        )
    if args.seat > len(names):
        words = _(
            "there is no seat {p}: {n} players have seats 0 to {last}",
            p=args.seat,
            n=len(names) + 1,
            last=len(names),
        )
        raise Refused(words)
    if len(names) >= SEATS:
        raise Refused(
            _(
                "there are {n} seats: at most {most} opponents, not {given}",
                n=SEATS,
                most=SEATS - 1,
                given=len(names),
            )
        )
    names.insert(args.seat, HUMAN)
    config = terminal.config_of(args, len(names))
    seed = time.time_ns() % 2**31 if args.seed is None else args.seed
    return Match.begin(Game(config, seed), names, seed)


def agents_in(text: str) -> list[str]:
    """Split agents at commas; `none` is empty."""
    return [] if text == terminal.NONE else names_in(text)
