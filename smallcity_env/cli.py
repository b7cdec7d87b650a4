"""The `smallcity` command: a table of commands, each a file with `options` and `run`.

Nothing here imports the rules: each command does, after `--numbers` has chosen the numbers to use.
"""

import argparse
import atexit
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from . import files, language, plain
from ._version import __version__
from .interrupt import Interrupt, Terminated
from .refusal import Refused, needing
from .rules import numbers

REFUSED: Final = 2  # exit code of a refused command
INTERRUPTED: Final = 130
TERMINATED: Final = 143
NUMBERS: Final = "--numbers"
LANG: Final = "--lang"
BENCH: Final = Path(__file__).parents[1] / "bench"  # in a checkout only, not in the wheel


class Command(NamedTuple):
    """Where a command lives, its summary, an example, and the extra with the libraries it needs."""

    file: str
    summary: str
    example: str
    extra: str = ""

    def load(self) -> Any:
        """Import the command's module on demand; the bench lives beside the package in a checkout."""
        if self.file.startswith("smallcity_bench") and BENCH.is_dir():
            sys.path.append(str(BENCH))
        try:
            with needing(self.extra):
                return importlib.import_module(self.file)
        except ModuleNotFoundError as missing:
            if missing.name != self.file.split(".")[0]:
                raise
            raise Refused(f"{missing.name} is not installed; run this in a checkout of the project") from None


COMMANDS: Final = {
    "demo": Command(
        "smallcity_agents.commands.demo",
        "show a game round by round and its result, time a batch of random games, and let agents compete",
        "smallcity demo --players 3 --modules godzillas,doctors --boards river-easy --seed 3",
    ),
    "replay": Command(
        "smallcity_agents.commands.replay",
        "show a game again from its log, in the terminal or as an HTML page to step through",
        "smallcity replay game.log --html game.html",
    ),
    "bench": Command(
        "smallcity_bench.command",
        "measure how fast random games are played, compared with similar environments",
        "smallcity bench --only rollout open_spiel envpool --repeats 3",
    ),
    "arena": Command(
        "smallcity_agents.commands.arena",
        "let agents play each other, with seats and seeds balanced, and show who is best",
        "smallcity arena random first --games 400 --players 3 --modules godzillas,doctors",
    ),
    "benchmark": Command(
        "smallcity_agents.commands.benchmark",
        "measure the level an agent plays at, by a fixed protocol",
        "smallcity benchmark greedy --quick",
    ),
    "stats": Command(
        "smallcity_agents.commands.stats",
        "show how each agent played in an arena: votes, pollution, promises, cards, tiles",
        "smallcity stats runs/arena.jsonl --by round --agents random",
    ),
    "balance": Command(
        "smallcity_agents.commands.balance",
        "show what each card, tile, promise and council row is worth to those who choose it",
        "smallcity balance runs/arena.jsonl --agents random",
    ),
    "evidence": Command(
        "smallcity_agents.commands.evidence",
        "play the games of every table of results in the pages, and write the tables",
        "smallcity evidence leaderboard --workers 2",
    ),
    "dataset": Command(
        "smallcity_agents.commands.dataset",
        "write games of agents as arrays with masks, for offline learning",
        "smallcity dataset greedy random --games 1000 --out runs/dataset",
    ),
    "positions": Command(
        "smallcity_agents.commands.positions",
        "make single questions with the value of every answer, and see how well agents answer them",
        "smallcity positions greedy random --file runs/positions.jsonl --count 500",
    ),
    "play": Command(
        "smallcity_agents.commands.play",
        "play a game at the terminal, against agents or solo",
        "smallcity play --opponents random,first --modules godzillas --seed 5",
    ),
    "web": Command(
        "smallcity_agents.commands.web",
        "play in the browser: against agents, with others in the network, or watch",
        "smallcity web --port 0",
    ),
    "mcp": Command(
        "smallcity_agents.commands.mcp",
        "let a chat client play: a Model Context Protocol server",
        "smallcity mcp --http --port 8009",
        extra="mcp",
    ),
    "watch": Command(
        "smallcity_agents.commands.watch",
        "watch agents play, turn by turn or round by round",
        "smallcity watch random first --players 3 --delay 0.5",
    ),
    "numbers": Command(
        "smallcity_env.commands.numbers",
        "print every number of the rules: change some, and play by them with --numbers FILE",
        "smallcity numbers --markdown",
    ),
    "train": Command(
        "smallcity_training.commands.train",
        "train a net to play: ppo, imitate, search or sb3",
        "smallcity train imitate --run runs/warm --set teacher=greedy --set steps=500000",
        extra="train",
    ),
}


class Parser(argparse.ArgumentParser):
    """argparse, with errors in one sentence."""

    def error(self, message: str) -> NoReturn:
        raise Refused(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 2 if it was refused, 130 or 143 if it was stopped."""
    words = sys.argv[1:] if argv is None else list(argv)
    plain.streams()
    try:
        with Interrupt():
            _run(words)
    except SystemExit:  # argparse has printed its help
        return 0
    except Refused as wrong:
        return _refuse(wrong)
    except KeyboardInterrupt as signal:
        print(file=sys.stderr)
        return TERMINATED if isinstance(signal, Terminated) else INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except MemoryError as wrong:
        return _refuse(Refused(f"there is not enough memory: {str(wrong) or 'ask for less at a time'}"))
    except OSError as wrong:
        if wrong.filename is None:
            raise
        return _refuse(Refused(f"the file {wrong.filename} cannot be used: {files.reason(wrong)}"))
    return 0


def command() -> int:
    """The `smallcity` script: `main`, without waiting for threads or clean-up unless all went well."""
    code = main()
    if code:
        atexit._run_exitfuncs()
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)
    return code


def _refuse(why: Refused) -> int:
    """Print why a command is refused; return the exit code."""
    print(f"smallcity: {why}", file=sys.stderr)
    return REFUSED


def _run(words: list[str]) -> None:
    """Find the command and run it."""
    words = _by_numbers(_in_language(words))
    importlib.import_module("smallcity_env.rules.tables.in_force")  # refuses invalid numbers
    parser = _parser(words[0] if words else "")
    if not words:
        parser.print_help()
    elif not words[0].startswith("-") and words[0] not in COMMANDS:
        raise Refused(f"there is no command {words[0]!r}: choose from {', '.join(COMMANDS)}")
    else:
        args = parser.parse_args(words)
        with needing(COMMANDS[words[0]].extra if words[0] in COMMANDS else ""):
            args.run(args)
        sys.stdout.flush()


def _by_numbers(words: list[str]) -> list[str]:
    """Choose the numbers file, if one is named; return the remaining words."""
    path, words = _taken(words, NUMBERS, "the name of a file")
    if path is not None:
        numbers.choose(path)
    return words


def _in_language(words: list[str]) -> list[str]:
    """Choose the language, as --lang or the environment asks; return the remaining words."""
    wished, words = _taken(words, LANG, "a language")
    if wished is not None and wished not in language.LANGUAGES:
        raise Refused(f"argument {LANG}: there is no {wished!r}, choose from {', '.join(language.LANGUAGES)}")
    language.use_by_default(wished or language.preferred(), asked=wished is not None)
    return words


def _taken(words: list[str], wanted: str, what: str) -> tuple[str | None, list[str]]:
    """The value of an option that comes before all others, and the remaining words."""
    for i, word in enumerate(words):
        option, given, value = word.partition("=")
        if option == wanted:
            rest = words[i + 1 :]
            if not given and not rest:
                raise Refused(f"argument {wanted}: expected {what}")
            return (value if given else rest.pop(0)), words[:i] + rest
    return None, words


def _parser(chosen: str) -> Parser:
    """The argument parser; only the module of the chosen command is imported."""
    parser = Parser(prog="smallcity", description="The board game Small City as a learning environment.")
    parser.add_argument("--version", action="version", version=f"smallcity {__version__}")
    parser.add_argument(NUMBERS, metavar="FILE", help="play by other numbers: see `smallcity numbers`")
    parser.add_argument(
        LANG, choices=[*language.LANGUAGES], help="show games in this language (default: as LANG says)"
    )
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.summary,
            description=f"{command.summary.capitalize()}.",
            epilog=f"example: {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == chosen:
            file = command.load()
            file.options(sub)
            sub.set_defaults(run=file.run)
    return parser
