"""The commands and their options of docs/commands.md, from the parsers of `smallcity`.

python -m tests.docs_reference    # after a change of a command
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from smallcity_agents import AGENTS
from smallcity_env.cli import COMMANDS, LANG, NUMBERS, _parser
from smallcity_env.refusal import install
from smallcity_env.terminal import game_options

PAGE: Final = Path(__file__).parents[1] / "docs" / "commands.md"
HEAD: Final = f"""# Commands

Every command of `smallcity` with its options; `--help` after a command prints the same. `{NUMBERS} FILE`
plays by [other numbers](numbers.md) in all of them, and `{LANG} fr` shows games in French.
This page is made from the parsers by `python -m tests.docs_reference`.

## The game

Commands that play games take these options ([configuration](configuration.md)):
"""
PLACES: Final = "## Where games are played\n\nCommands that play many games ([cluster](cluster.md)):\n"
CLUSTER: Final = {"ray", "workers"}


def page() -> str:
    """The whole page."""
    sections = (line for name in COMMANDS for line in _section(name))
    places = (action for action in parser_of("train")._actions if action.dest in CLUSTER)
    return "\n".join([HEAD, *_table(map(_row, _game())), PLACES, *_table(map(_row, places)), *sections])


def _game() -> list[argparse.Action]:
    """The options of the game that is played."""
    parser = argparse.ArgumentParser(add_help=False)
    game_options(parser)
    return parser._actions


def _table(rows: Iterable[str]) -> list[str]:
    """Options as a table."""
    return ["| | |", "|---|---|", *rows, ""]


def _section(name: str) -> Iterator[str]:
    """One command: what it does, an example, what it takes."""
    command = COMMANDS[name]
    needs = f" It needs `{install(command.extra)}`." if command.extra else ""
    yield from (f"## {name}\n", f"{_sentence(command.summary)}{needs} For example `{command.example}`.\n")
    game = {action.dest for action in _game()} - {"players"}
    actions = [a for a in parser_of(name)._actions if a.dest != "help" and a.help != argparse.SUPPRESS]
    cluster = CLUSTER if "ray" in {action.dest for action in actions} else set()
    rows = [_row(action) for action in actions if action.dest not in game | cluster]
    rows += _shared("the game", [action for action in actions if action.dest in game])
    rows += _shared("where games are played", [action for action in actions if action.dest in cluster])
    if rows:
        yield from _table(rows)


def _shared(title: str, actions: Iterable[argparse.Action]) -> list[str]:
    """One row for options that a section of their own explains."""
    names = " ".join(action.option_strings[0] for action in actions)
    return [f"| `{names}` | [{title}](#{title.replace(' ', '-')}) |"] if actions else []


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    groups = (action for action in _parser(name)._actions if isinstance(action, argparse._SubParsersAction))
    parser: argparse.ArgumentParser = next(groups).choices[name]
    return parser


def _row(action: argparse.Action) -> str:
    """One option or argument."""
    words = ", ".join(action.option_strings) or action.dest
    if action.option_strings and action.nargs != 0:
        words += f" {action.metavar or action.dest.upper()}"
    told = (action.help or "").replace("|", "\\|").replace("<", "&lt;").replace("%%", "%")
    told = told.replace(", ".join(AGENTS), "[agents](agents.md#the-agents)")
    return f"| `{words}` | {told} |"


def _sentence(words: str) -> str:
    """Words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
